//! Numbers computed as the machine does.

use crate::typed::Binary;

/// An integer of a type: how many bits it has and whether one is a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    pub(crate) bits: u32,
    pub(crate) is_signed: bool,
}

impl Width {
    /// A value in the range of the type, with the same low bits.
    pub(crate) fn wrap(self, value: i128) -> i128 {
        let shift = 128 - self.bits;
        match self.is_signed {
            true => value << shift >> shift,
            false => ((value << shift) as u128 >> shift) as i128,
        }
    }

    /// Whether a value is in the range of the type.
    pub(crate) fn holds(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    /// A floating-point number, cut to an integer of the type. What is out of range is the
    /// nearest value, and what is no number is zero, as GCC computes it.
    pub(crate) fn cut(self, value: f64) -> i128 {
        let (least, most) = match self.is_signed {
            true => (-1i128 << (self.bits - 1), (1i128 << (self.bits - 1)) - 1),
            false => (0, (1i128 << self.bits) - 1),
        };
        (value as i128).clamp(least, most)
    }
}

/// An operator on integers; a comparison gives 0 or 1. `None` if it has no value.
pub(crate) fn integers(operator: Binary, left: i128, right: i128, width: Width) -> Option<i128> {
    let value = match operator {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => return None,
        Binary::Divide => left / right,
        Binary::Remainder if right == 0 => return None,
        Binary::Remainder => left % right,
        Binary::ShiftLeft | Binary::ShiftRight => {
            // Beyond the width, all bits are shifted out.
            let amount = u32::try_from(right).ok()?.min(127);
            match operator {
                Binary::ShiftLeft if amount >= width.bits => 0,
                Binary::ShiftLeft => left << amount,
                _ => left >> amount,
            }
        }
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        _ => return compare(operator, left.cmp(&right).into()),
    };
    Some(width.wrap(value))
}

/// An operator on floating-point numbers, rounded to `float` where that is the type.
pub(crate) fn floats(operator: Binary, left: f64, right: f64, is_single: bool) -> Option<f64> {
    let value = match operator {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        _ => return None,
    };
    Some(round(value, is_single))
}

/// A number as `float` or `double`.
pub(crate) fn round(value: f64, is_single: bool) -> f64 {
    match is_single {
        true => f64::from(value as f32),
        false => value,
    }
}

/// What a comparison says of two operands with this order; `None` for the order is that of what is
/// no number.
pub(crate) fn compare(operator: Binary, order: Option<std::cmp::Ordering>) -> Option<i128> {
    let holds = match operator {
        Binary::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
        Binary::NotEqual => order.is_none_or(std::cmp::Ordering::is_ne),
        Binary::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Binary::LessEqual => order.is_some_and(std::cmp::Ordering::is_le),
        Binary::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        Binary::GreaterEqual => order.is_some_and(std::cmp::Ordering::is_ge),
        _ => return None,
    };
    Some(i128::from(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Width = Width {
        bits: 32,
        is_signed: true,
    };

    #[test]
    fn values_wrap() {
        let most = i128::from(i32::MAX);
        assert_eq!(
            integers(Binary::Add, most, 1, INT),
            Some(i128::from(i32::MIN))
        );
        assert_eq!(integers(Binary::Divide, 1, 0, INT), None);
        assert_eq!(integers(Binary::ShiftRight, -8, 1, INT), Some(-4));
        assert_eq!(INT.cut(1e30), most);
        assert_eq!(INT.cut(-1.9), -1);
        assert_eq!(compare(Binary::NotEqual, None), Some(1));
    }
}

//! Operators on numbers.

use super::Op;

/// Ones in so many bits.
pub(crate) const fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// A number of so many bits with its sign.
pub(crate) const fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// The bits of an operator on two numbers of so many bits; `None` if it is none of those.
pub(crate) fn bits(op: Op, left: u128, right: u128, width: u32) -> Option<u128> {
    let (a, b) = (signed(left, width), signed(right, width));
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    let value = match op {
        Op::BitAnd => left & right,
        Op::BitOr => left | right,
        Op::BitXor => left ^ right,
        Op::Add => left.wrapping_add(right),
        Op::Subtract => left.wrapping_sub(right),
        Op::Multiply => left.wrapping_mul(right),
        Op::UnsignedDivide => left.checked_div(right).unwrap_or(u128::MAX),
        Op::UnsignedRemainder => left.checked_rem(right).unwrap_or(left),
        Op::SignedDivide if b == 0 => match a < 0 {
            true => 1,
            false => u128::MAX,
        },
        Op::SignedDivide => a.wrapping_div(b) as u128,
        Op::SignedRemainder if b == 0 => left,
        Op::SignedRemainder => a.wrapping_rem(b) as u128,
        Op::ShiftLeft if shift >= width => 0,
        Op::ShiftLeft => left << shift,
        Op::LogicalShiftRight if shift >= width => 0,
        Op::LogicalShiftRight => left >> shift,
        Op::ArithmeticShiftRight => (a >> shift.min(127)) as u128,
        _ => return None,
    };
    Some(value & mask(width))
}

/// Whether a comparison of two numbers of so many bits holds; `None` if it is none.
pub(crate) fn compare(op: Op, left: u128, right: u128, width: u32) -> Option<bool> {
    let (a, b) = (signed(left, width), signed(right, width));
    Some(match op {
        Op::Equal => left == right,
        Op::UnsignedLess => left < right,
        Op::UnsignedLessEqual => left <= right,
        Op::Less => a < b,
        Op::LessEqual => a <= b,
        _ => return None,
    })
}

/// An operator on two integers; `None` if it is none of those, or the result is too large.
pub(crate) fn int(op: Op, left: i128, right: i128) -> Option<i128> {
    match op {
        Op::Add => left.checked_add(right),
        Op::Subtract => left.checked_sub(right),
        Op::Multiply => left.checked_mul(right),
        Op::IntDivide => left.checked_div_euclid(right),
        Op::IntModulo => left.checked_rem_euclid(right),
        _ => None,
    }
}

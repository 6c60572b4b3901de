//! What operators compute. A value is 64 bits: an integer or an address cut to its type's bits, 0 or
//! 1, the bits of an `f32`, or those of an `f64` (a `long double` too).

use crate::{Binary, Float, Int, Scalar, Unary};

/// The lowest bits of a number.
pub(crate) fn cut(value: u64, bits: u32) -> u64 {
    if bits >= 64 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// The lowest bits of a number as one with a sign.
pub(crate) fn extend(value: u64, bits: u32) -> i64 {
    match bits {
        0 => 0,
        1..64 => (value << (64 - bits)) as i64 >> (64 - bits),
        _ => value as i64,
    }
}

/// The number that an integer's bits stand for.
pub(crate) fn wide(value: u64, int: Int) -> i128 {
    if int.is_signed {
        i128::from(extend(value, u32::from(int.bits)))
    } else {
        i128::from(cut(value, u32::from(int.bits)))
    }
}

/// A floating-point number from its bits.
pub(crate) fn to_f64(value: u64, float: Float) -> f64 {
    match float {
        Float::Single => f64::from(f32::from_bits(value as u32)),
        Float::Double | Float::Extended => f64::from_bits(value),
    }
}

/// The bits of a floating-point number, rounded to its type.
pub(crate) fn from_f64(value: f64, float: Float) -> u64 {
    match float {
        Float::Single => u64::from((value as f32).to_bits()),
        Float::Double | Float::Extended => value.to_bits(),
    }
}

/// An operator on two integers of one type; a shift's amount comes as a plain number. `None` where
/// C gives no meaning at all: division by zero, shifts by too much.
pub(crate) fn integer(operator: Binary, left: u64, right: u64, int: Int) -> Option<u64> {
    let bits = u32::from(int.bits);
    let signed = |value| extend(value, bits);
    let result = match operator {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return None,
        Binary::Divide if int.is_signed => signed(left).wrapping_div(signed(right)) as u64,
        Binary::Divide => left / right,
        Binary::Remainder if int.is_signed => signed(left).wrapping_rem(signed(right)) as u64,
        Binary::Remainder => left % right,
        Binary::ShiftLeft | Binary::ShiftRight if right >= u64::from(bits) => return None,
        Binary::ShiftLeft => left << right,
        Binary::ShiftRight if int.is_signed => (signed(left) >> right) as u64,
        Binary::ShiftRight => left >> right,
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::Equal => return Some(u64::from(left == right)),
        Binary::NotEqual => return Some(u64::from(left != right)),
        comparison if int.is_signed => {
            return Some(compare(comparison, &signed(left), &signed(right)));
        }
        comparison => return Some(compare(comparison, &left, &right)),
    };
    Some(cut(result, bits))
}

fn compare<T: PartialOrd>(operator: Binary, left: &T, right: &T) -> u64 {
    u64::from(match operator {
        Binary::Equal => left == right,
        Binary::NotEqual => left != right,
        Binary::Less => left < right,
        Binary::LessEqual => left <= right,
        Binary::Greater => left > right,
        Binary::GreaterEqual => left >= right,
        _ => unreachable!("the module is valid: {operator:?} compares nothing"),
    })
}

/// An operator on two floating-point numbers of one type.
pub(crate) fn float(operator: Binary, left: u64, right: u64, float: Float) -> u64 {
    match float {
        Float::Single => {
            let (left, right) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
            let result = match operator {
                Binary::Add => left + right,
                Binary::Subtract => left - right,
                Binary::Multiply => left * right,
                Binary::Divide => left / right,
                comparison => return compare(comparison, &left, &right),
            };
            u64::from(result.to_bits())
        }
        Float::Double | Float::Extended => {
            let (left, right) = (f64::from_bits(left), f64::from_bits(right));
            let result = match operator {
                Binary::Add => left + right,
                Binary::Subtract => left - right,
                Binary::Multiply => left * right,
                Binary::Divide => left / right,
                comparison => return compare(comparison, &left, &right),
            };
            result.to_bits()
        }
    }
}

/// An operator on two addresses, or on two truth values.
pub(crate) fn plain(operator: Binary, left: u64, right: u64) -> u64 {
    match operator {
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        comparison => compare(comparison, &left, &right),
    }
}

/// An operator on one operand.
pub(crate) fn unary(operator: Unary, value: u64, ty: Scalar) -> u64 {
    let bits = match ty {
        Scalar::Bool => return value ^ 1,
        Scalar::Float(Float::Single) => return value ^ (1 << 31),
        Scalar::Float(_) => return value ^ (1 << 63),
        Scalar::Int(int) => u32::from(int.bits),
        Scalar::Pointer => unreachable!("the module is valid: no operator on an address"),
    };
    let result = match operator {
        Unary::Negate => value.wrapping_neg(),
        Unary::Not => !value,
        Unary::LeadingZeros => u64::from(value.leading_zeros() - (64 - bits)),
        Unary::TrailingZeros => u64::from(value.trailing_zeros().min(bits)),
        Unary::CountOnes => u64::from(value.count_ones()),
        Unary::SwapBytes => value.swap_bytes() >> (64 - bits),
    };
    cut(result, bits)
}

/// A value as one of another type. Addresses have so many bits.
pub(crate) fn convert(value: u64, from: Scalar, to: Scalar, pointer_bits: u32) -> u64 {
    match (from, to) {
        (Scalar::Float(from), Scalar::Bool) => u64::from(to_f64(value, from) != 0.0),
        (_, Scalar::Bool) => u64::from(value != 0),
        (Scalar::Float(from), Scalar::Float(to)) => from_f64(to_f64(value, from), to),
        (Scalar::Float(from), Scalar::Int(int)) => {
            let number = to_f64(value, from);
            // A negative number as one without a sign has no meaning in C; processors cut it.
            let whole = if int.is_signed || number < 0.0 {
                number as i64 as u64
            } else {
                number as u64
            };
            cut(whole, u32::from(int.bits))
        }
        (Scalar::Float(_), Scalar::Pointer) => {
            unreachable!("the module is valid: no float becomes an address")
        }
        (from, Scalar::Float(to)) => match from {
            Scalar::Int(int) if int.is_signed => {
                let number = extend(value, u32::from(int.bits));
                match to {
                    Float::Single => u64::from((number as f32).to_bits()),
                    Float::Double | Float::Extended => (number as f64).to_bits(),
                }
            }
            _ => match to {
                Float::Single => u64::from((value as f32).to_bits()),
                Float::Double | Float::Extended => (value as f64).to_bits(),
            },
        },
        (from, to) => {
            let bits = match to {
                Scalar::Int(int) => u32::from(int.bits),
                _ => pointer_bits,
            };
            match from {
                Scalar::Int(int) if int.is_signed => {
                    cut(extend(value, u32::from(int.bits)) as u64, bits)
                }
                _ => cut(value, bits),
            }
        }
    }
}

/// Whether the exact result does not fit the type.
pub(crate) fn overflows(operator: Binary, left: u64, right: u64, int: Int) -> bool {
    let (first, second) = (wide(left, int), wide(right, int));
    let exact = match operator {
        Binary::Add => first + second,
        Binary::Subtract => first - second,
        // Two numbers of 64 bits without a sign may need all of 128.
        Binary::Multiply => match first.checked_mul(second) {
            Some(product) => product,
            None => return true,
        },
        Binary::Divide if second == 0 => return false,
        Binary::Divide => first / second,
        _ => unreachable!("the module is valid: {operator:?} is not asked for overflow"),
    };
    !fits(exact, int)
}

/// Whether a left shift's exact result does not fit the type; the amount is a plain number.
pub(crate) fn shift_overflows(left: u64, amount: i128, int: Int) -> bool {
    let number = wide(left, int);
    match amount {
        _ if number == 0 => false,
        0..64 => !fits(number << amount, int),
        _ => amount >= 64,
    }
}

fn fits(number: i128, int: Int) -> bool {
    let bits = u32::from(int.bits);
    if int.is_signed {
        let half = 1i128 << (bits - 1);
        (-half..half).contains(&number)
    } else {
        (0..1i128 << bits).contains(&number)
    }
}

/// Whether a floating-point number, cut towards zero, does not fit an integer type.
pub(crate) fn out_of_range(number: f64, int: Int) -> bool {
    let (below, above) = if int.is_signed {
        let half = 2f64.powi(i32::from(int.bits) - 1);
        (-half, half)
    } else {
        (0.0, 2f64.powi(i32::from(int.bits)))
    };
    let whole = number.trunc();
    !(below <= whole && whole < above)
}

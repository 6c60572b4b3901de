//! Functions on floating-point numbers. Those of `float` and `long double` are computed as those of
//! `double`, and rounded.

use super::super::world::{MemoryAccess, Reply};
use super::{Arguments, Done};

/// Calls a function, whatever letter its name ends with for its type.
pub(super) fn call(
    name: &str,
    arguments: Arguments<'_>,
    memory: &mut MemoryAccess<'_, '_>,
) -> Done {
    if let Some(reply) = double(name, arguments, memory)? {
        return Ok(Some(reply));
    }
    match name.strip_suffix(['f', 'l']) {
        Some(name) => double(name, arguments, memory),
        None => Ok(None),
    }
}

fn double(name: &str, arguments: Arguments<'_>, memory: &mut MemoryAccess<'_, '_>) -> Done {
    let (first, second) = (arguments.float(0), arguments.float(1));
    Ok(Some(Reply::Float(match name {
        "sqrt" => first.sqrt(),
        "cbrt" => first.cbrt(),
        "fabs" => first.abs(),
        "floor" => first.floor(),
        "ceil" => first.ceil(),
        "trunc" => first.trunc(),
        "round" => first.round(),
        "rint" | "nearbyint" => first.round_ties_even(),
        "sin" => first.sin(),
        "cos" => first.cos(),
        "tan" => first.tan(),
        "asin" => first.asin(),
        "acos" => first.acos(),
        "atan" => first.atan(),
        "atan2" => first.atan2(second),
        "sinh" => first.sinh(),
        "cosh" => first.cosh(),
        "tanh" => first.tanh(),
        "exp" => first.exp(),
        "exp2" => first.exp2(),
        "expm1" => first.exp_m1(),
        "log" => first.ln(),
        "log2" => first.log2(),
        "log10" => first.log10(),
        "log1p" => first.ln_1p(),
        "pow" => first.powf(second),
        "hypot" => first.hypot(second),
        "fmod" => first % second,
        "fmin" => first.min(second),
        "fmax" => first.max(second),
        "fdim" => (first - second).max(0.0),
        "copysign" => first.copysign(second),
        "fma" => first.mul_add(second, arguments.float(2)),
        "ldexp" | "scalbn" => scale(first, arguments.int(1)),
        "inf" | "huge_val" => f64::INFINITY,
        "nan" => f64::NAN,
        "modf" => {
            memory.write(arguments.whole(1), &first.trunc().to_le_bytes())?;
            first - first.trunc()
        }
        "frexp" => {
            let (fraction, exponent) = split(first);
            memory.write(arguments.whole(1), &exponent.to_le_bytes())?;
            fraction
        }
        _ => return Ok(integer(name, first)),
    })))
}

/// Functions whose result is an integer.
fn integer(name: &str, number: f64) -> Option<Reply> {
    Some(Reply::Integer(match name {
        "lround" | "llround" => number.round() as i64 as u64,
        "lrint" | "llrint" => number.round_ties_even() as i64 as u64,
        "isnan" | "__isnan" => u64::from(number.is_nan()),
        "isinf" | "__isinf" | "isinf_sign" => match number {
            f64::INFINITY => 1,
            f64::NEG_INFINITY => u64::MAX,
            _ => 0,
        },
        "isfinite" | "finite" | "__finite" => u64::from(number.is_finite()),
        "isnormal" => u64::from(number.is_normal()),
        "signbit" | "__signbit" => u64::from(number.is_sign_negative()),
        _ => return None,
    }))
}

/// A number times a power of two, in steps that stay finite.
fn scale(mut number: f64, exponent: i32) -> f64 {
    let mut left = exponent.clamp(-3000, 3000);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        number *= 2f64.powi(step);
        left -= step;
    }
    number
}

/// A fraction from 0.5 up to 1, and the power of two that it is to be taken times.
fn split(number: f64) -> (f64, i32) {
    if number == 0.0 || !number.is_finite() {
        return (number, 0);
    }
    let (number, shift) = match number.is_subnormal() {
        true => (number * 2f64.powi(64), 64),
        false => (number, 0),
    };
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (fraction, exponent - shift)
}

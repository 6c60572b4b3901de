//! Numbers, characters and strings as they are written.

use crate::{FloatKind, Foreign, IntKind, Target};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(u64, IntKind),
    Float(f64, FloatKind),
    /// One of a type without a meaning here.
    Foreign(Foreign),
}

/// What the units of a character constant or a string are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// No prefix, or `u8`.
    Narrow,
    /// `L`
    Wide,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
}

impl Encoding {
    /// The integer that a unit is.
    pub(crate) fn unit(self, target: Target) -> IntKind {
        match self {
            Encoding::Narrow => IntKind::Char,
            Encoding::Wide if target.pointer_bytes == 4 => IntKind::Long,
            Encoding::Wide => IntKind::Int,
            Encoding::Utf16 => IntKind::UnsignedShort,
            Encoding::Utf32 => IntKind::UnsignedInt,
        }
    }

    /// The bytes of a unit.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Encoding::Narrow => 1,
            Encoding::Utf16 => 2,
            Encoding::Wide | Encoding::Utf32 => 4,
        }
    }
}

/// Reads a number, or says what is wrong with it.
pub(crate) fn number(text: &[u8], target: Target) -> Result<Number, &'static str> {
    let text: String = text
        .iter()
        .filter(|&&byte| byte != b'\'')
        .map(|&byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x', ..] => (16, &text[2..]),
        [b'0', b'b', ..] => (2, &text[2..]),
        _ => (10, &text[..]),
    };
    let is_float = match radix {
        16 => digits.contains(['.', 'p']),
        10 => digits.contains(['.', 'e']),
        _ => false,
    };
    if is_float {
        return float(radix, digits);
    }
    let end = digits
        .find(|it: char| !it.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let is_octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let value = u64::from_str_radix(digits, if is_octal { 8 } else { radix });
    let Ok(value) = value else {
        return Err(match digits.is_empty() {
            true => "it has no digits",
            false if is_octal && digits.contains(['8', '9']) => {
                "an octal number has no digits 8 and 9"
            }
            false => "it is too large",
        });
    };
    let (is_unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "z" => (false, 1),
        "uz" | "zu" => (true, 1),
        _ if suffix.contains(['i', 'j']) => return Ok(Number::Foreign(Foreign::Complex)),
        _ => return Err("its suffix is not known"),
    };
    let decimal = radix == 10 && !is_octal;
    Ok(Number::Int(
        value,
        integer_type(value, decimal, is_unsigned, longs, target),
    ))
}

/// The first type of the list that the language has for the suffix in which the value fits.
fn integer_type(
    value: u64,
    is_decimal: bool,
    is_unsigned: bool,
    longs: usize,
    target: Target,
) -> IntKind {
    let long = 8 * target.pointer_bytes;
    let sizes = [
        (32, IntKind::Int, IntKind::UnsignedInt),
        (long, IntKind::Long, IntKind::UnsignedLong),
        (64, IntKind::LongLong, IntKind::UnsignedLongLong),
    ];
    for (bits, signed, unsigned) in sizes.into_iter().skip(longs) {
        let fits = |bits: u64| bits >= 64 || value >> bits == 0;
        if !is_unsigned && fits(bits - 1) && (bits < 64 || value >> 63 == 0) {
            return signed;
        }
        if (is_unsigned || !is_decimal) && fits(bits) {
            return unsigned;
        }
    }
    // A decimal number beyond all signed types: the compiler warns and takes the unsigned one.
    IntKind::UnsignedLongLong
}

fn float(radix: u32, text: &str) -> Result<Number, &'static str> {
    let exponent = if radix == 16 { 'p' } else { 'e' };
    let mut end = 0;
    let mut before = ' ';
    for (at, it) in text.char_indices() {
        let in_exponent = text[..at].contains(exponent);
        let fits = match it {
            '.' => true,
            '+' | '-' => before == exponent,
            _ if it == exponent => !in_exponent,
            _ if in_exponent => it.is_ascii_digit(),
            _ => it.is_digit(radix),
        };
        if !fits {
            break;
        }
        before = it;
        end = at + it.len_utf8();
    }
    let (digits, suffix) = text.split_at(end);
    let kind = match suffix {
        "" | "f64" | "f32x" | "d" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" | "w" => FloatKind::LongDouble,
        "f128" | "q" => return Ok(Number::Foreign(Foreign::Float128)),
        "f16" => return Ok(Number::Foreign(Foreign::Float16)),
        "df" | "dd" | "dl" => return Ok(Number::Foreign(Foreign::Decimal)),
        _ if suffix.contains(['i', 'j']) => return Ok(Number::Foreign(Foreign::Complex)),
        _ => return Err("its suffix is not known"),
    };
    let value = match radix {
        16 => hexadecimal(digits),
        _ if kind == FloatKind::Float => digits.parse::<f32>().ok().map(f64::from),
        _ => digits.parse().ok(),
    };
    let Some(mut value) = value else {
        return Err("it is no number");
    };
    if kind == FloatKind::Float {
        value = f64::from(value as f32);
    }
    Ok(Number::Float(value, kind))
}

/// `1.8p3`
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let mut mantissa: u64 = 0;
    let mut is_behind = false;
    for it in digits.chars() {
        let Some(digit) = it.to_digit(16) else {
            is_behind = true;
            continue;
        };
        if mantissa >> 59 == 0 {
            mantissa = mantissa << 4 | u64::from(digit);
            exponent -= if is_behind { 4 } else { 0 };
        } else {
            // Beyond what rounding can see but for being there.
            mantissa |= u64::from(digit != 0);
            exponent += if is_behind { 0 } else { 4 };
        }
    }
    let mut value = mantissa as f64;
    // In steps, as two to the exponent alone may be out of range.
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    Some(value)
}

/// The prefix of a character constant or a string, and what is between the quotes.
pub(crate) fn quoted(text: &[u8]) -> (Encoding, &[u8]) {
    let (encoding, prefix) = match text {
        [b'u', b'8', ..] => (Encoding::Narrow, 2),
        [b'L', ..] => (Encoding::Wide, 1),
        [b'u', ..] => (Encoding::Utf16, 1),
        [b'U', ..] => (Encoding::Utf32, 1),
        _ => (Encoding::Narrow, 0),
    };
    let end = text.len().saturating_sub(1).max(prefix + 1);
    (encoding, text.get(prefix + 1..end).unwrap_or_default())
}

/// The units of what is between quotes.
pub(crate) fn units(
    body: &[u8],
    encoding: Encoding,
    out: &mut Vec<u32>,
) -> Result<(), &'static str> {
    let mut rest = body;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first == b'\\' {
            rest = escape(rest, encoding, out)?;
        } else if encoding == Encoding::Narrow || first < 0x80 {
            out.push(u32::from(first));
        } else {
            let length = match first {
                0xc0..0xe0 => 2,
                0xe0..0xf0 => 3,
                _ => 4,
            };
            let bytes = &body[body.len() - rest.len() - 1..];
            let code = bytes
                .get(..length)
                .and_then(|it| std::str::from_utf8(it).ok())
                .and_then(|it| it.chars().next());
            let Some(code) = code else {
                return Err("it is not UTF-8");
            };
            rest = &bytes[length..];
            push_code(code as u32, encoding, out);
        }
    }
    Ok(())
}

/// Reads what follows a backslash; returns what is behind it.
fn escape<'t>(
    text: &'t [u8],
    encoding: Encoding,
    out: &mut Vec<u32>,
) -> Result<&'t [u8], &'static str> {
    let Some((&first, rest)) = text.split_first() else {
        return Err("it ends with a backslash");
    };
    let simple = match first {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let end = text
                .iter()
                .take(3)
                .take_while(|it| matches!(it, b'0'..=b'7'));
            let end = end.count();
            let value = digits(&text[..end], 8);
            out.push(cut(value, encoding));
            return Ok(&text[end..]);
        }
        b'x' => {
            let end = rest.iter().take_while(|it| it.is_ascii_hexdigit()).count();
            if end == 0 {
                return Err("`\\x` is followed by hexadecimal digits");
            }
            out.push(cut(digits(&rest[..end], 16), encoding));
            return Ok(&rest[end..]);
        }
        b'u' | b'U' => {
            let length = if first == b'u' { 4 } else { 8 };
            let code = rest.get(..length).unwrap_or_default();
            if code.is_empty() || !code.iter().all(u8::is_ascii_hexdigit) {
                return Err("`\\u` is followed by four hexadecimal digits, `\\U` by eight");
            }
            push_code(digits(code, 16), encoding, out);
            return Ok(&rest[length..]);
        }
        other => u32::from(other),
    };
    out.push(simple);
    Ok(rest)
}

fn digits(text: &[u8], radix: u32) -> u32 {
    text.iter().fold(0, |value: u32, &byte| {
        let digit = char::from(byte).to_digit(radix).unwrap_or(0);
        value.wrapping_mul(radix).wrapping_add(digit)
    })
}

fn cut(value: u32, encoding: Encoding) -> u32 {
    match encoding.bytes() {
        1 => value & 0xff,
        2 => value & 0xffff,
        _ => value,
    }
}

fn push_code(code: u32, encoding: Encoding, out: &mut Vec<u32>) {
    let character = char::from_u32(code);
    match (encoding, character) {
        (Encoding::Narrow, Some(it)) => {
            out.extend(it.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (Encoding::Utf16, Some(it)) => {
            out.extend(it.encode_utf16(&mut [0; 2]).iter().map(|&it| u32::from(it)));
        }
        _ => out.push(cut(code, encoding)),
    }
}

/// The value of a character constant and its type, or what is wrong with it.
pub(crate) fn character(text: &[u8], target: Target) -> Result<(i128, IntKind), &'static str> {
    let (encoding, body) = quoted(text);
    let mut list = Vec::new();
    units(body, encoding, &mut list)?;
    let value = match (list.as_slice(), encoding) {
        ([], _) => return Err("it is empty"),
        (&[unit], Encoding::Narrow) if target.is_char_signed => i128::from(unit as u8 as i8),
        (&[unit], Encoding::Narrow) => i128::from(unit as u8),
        (units, Encoding::Narrow) => {
            // As many compilers do: the last four, the first of them highest.
            let value = units.iter().fold(0u32, |value, unit| value << 8 | unit);
            i128::from(value as i32)
        }
        (units, Encoding::Wide) => i128::from(units[units.len() - 1] as i32),
        (units, _) => i128::from(units[units.len() - 1]),
    };
    let kind = match encoding {
        Encoding::Narrow => IntKind::Int,
        _ => encoding.unit(target),
    };
    Ok((value, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (u64, IntKind) {
        match number(text.as_bytes(), Target::lp64()) {
            Ok(Number::Int(value, kind)) => (value, kind),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers_have_the_first_type_that_holds_them() {
        assert_eq!(int("42"), (42, IntKind::Int));
        assert_eq!(int("017"), (15, IntKind::Int));
        assert_eq!(int("0b101"), (5, IntKind::Int));
        assert_eq!(int("2147483648"), (1 << 31, IntKind::Long));
        assert_eq!(int("0x80000000"), (1 << 31, IntKind::UnsignedInt));
        assert_eq!(int("0xffffffffffffffff"), (u64::MAX, IntKind::UnsignedLong));
        assert_eq!(int("1ull"), (1, IntKind::UnsignedLongLong));
        assert_eq!(int("1LL"), (1, IntKind::LongLong));
        assert_eq!(
            int("4294967295u"),
            (u64::from(u32::MAX), IntKind::UnsignedInt)
        );
        assert_eq!(int("1'000"), (1000, IntKind::Int));
        assert!(number(b"089", Target::lp64()).is_err());
        let wide = number(b"2147483648", Target::ilp32());
        assert_eq!(wide, Ok(Number::Int(1 << 31, IntKind::LongLong)));
    }

    #[test]
    fn floats() {
        let float = |text: &str| number(text.as_bytes(), Target::lp64());
        assert_eq!(float("1.5"), Ok(Number::Float(1.5, FloatKind::Double)));
        assert_eq!(float(".5f"), Ok(Number::Float(0.5, FloatKind::Float)));
        assert_eq!(float("1e3L"), Ok(Number::Float(1e3, FloatKind::LongDouble)));
        assert_eq!(float("0x1.8p1"), Ok(Number::Float(3.0, FloatKind::Double)));
        assert_eq!(
            float("0x1p-1074"),
            Ok(Number::Float(5e-324, FloatKind::Double))
        );
        assert_eq!(float("1.0i"), Ok(Number::Foreign(Foreign::Complex)));
    }

    #[test]
    fn characters() {
        let value = |text: &str| character(text.as_bytes(), Target::lp64());
        assert_eq!(value("'a'"), Ok((97, IntKind::Int)));
        assert_eq!(value(r"'\xff'"), Ok((-1, IntKind::Int)));
        assert_eq!(value("'ab'"), Ok((0x6162, IntKind::Int)));
        assert_eq!(value("L'ä'"), Ok((0xe4, IntKind::Int)));
        assert_eq!(value(r"'\0'"), Ok((0, IntKind::Int)));
        assert!(value("''").is_err());
    }
}

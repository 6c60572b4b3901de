//! Values in C's terms, as far as they can be told without memory.

use crate::{Float, Int, Module, Type, TypeId};

/// A scalar's bits as C writes them: `-3`, the name of an enumeration's constant, `'a' (97)`. An
/// address is `NULL` or a number. `None` for what is no scalar.
pub fn show_scalar(module: &Module, ty: TypeId, bits: u64) -> Option<String> {
    Some(match *module.types.get(ty) {
        Type::Bool => (if bits & 0xff == 0 { "false" } else { "true" }).to_owned(),
        Type::Int(int) => number(bits, int).to_string(),
        Type::Enum(int, enumeration) => {
            let value = number(bits, int);
            let constants = &module.types.enums[enumeration.0 as usize].constants;
            let found = constants.iter().find(|it| i128::from(it.1) == value);
            found.map_or_else(|| value.to_string(), |it| it.0.to_string())
        }
        Type::Char(int) => character(number(bits, int)),
        Type::Float(Float::Single) => float(f64::from(f32::from_bits(bits as u32)), || {
            format!("{:?}", f32::from_bits(bits as u32))
        }),
        Type::Float(_) => float(f64::from_bits(bits), || {
            format!("{:?}", f64::from_bits(bits))
        }),
        Type::Pointer(_) if bits == 0 => "NULL".to_owned(),
        Type::Pointer(_) => format!("{bits:#x}"),
        Type::Void | Type::Array(..) | Type::Record(_) | Type::Function | Type::VaList => {
            return None;
        }
    })
}

/// A string as C writes it; of a long one, the beginning.
pub fn show_string(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let mut text = String::from("\"");
    for &byte in bytes.iter().take(MOST) {
        text.push_str(&escaped(byte, b'"'));
    }
    text.push('"');
    if bytes.len() > MOST {
        text.push_str("...");
    }
    text
}

fn number(bits: u64, int: Int) -> i128 {
    let unused = 64 - u32::from(int.bits);
    match int.is_signed {
        true => i128::from((bits << unused) as i64 >> unused),
        false => i128::from(bits << unused >> unused),
    }
}

fn character(value: i128) -> String {
    match u8::try_from(value) {
        Ok(byte) if byte < 0x7f && (byte >= b' ' || byte == 0 || is_named(byte)) => {
            format!("'{}' ({byte})", escaped(byte, b'\''))
        }
        _ => value.to_string(),
    }
}

/// Whether a control character has an escape sequence of its own.
fn is_named(byte: u8) -> bool {
    (0x07..=0x0d).contains(&byte)
}

fn escaped(byte: u8, quote: u8) -> String {
    match byte {
        0 => "\\0".to_owned(),
        0x07..=0x0d => format!("\\{}", b"abtnvfr"[usize::from(byte) - 7] as char),
        b'\\' => "\\\\".to_owned(),
        _ if byte == quote => format!("\\{}", byte as char),
        b' '..0x7f => (byte as char).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

fn float(value: f64, shown: impl Fn() -> String) -> String {
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ => shown(),
    }
}

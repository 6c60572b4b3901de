//! Numbers, characters and types from their text.

use crate::tree::{CastType, IntKind, Number};

impl Number {
    /// A number without a suffix.
    pub(super) fn plain(value: i128) -> Self {
        Number {
            value,
            is_unsigned: false,
            longs: 0,
            is_bits: false,
        }
    }
}

/// A number in the notation of C.
pub(super) fn number(text: &str) -> Option<Number> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let count = |wanted: u8| suffix.bytes().filter(|it| *it == wanted).count();
    let (unsigned, longs) = (count(b'u'), count(b'l'));
    // `i128::from_str_radix` would take a sign.
    let is_plain = digits.bytes().all(|it| it.is_ascii_alphanumeric());
    if unsigned > 1 || longs > 2 || !is_plain {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    Some(Number {
        value: (value >> 64 == 0).then_some(value)?,
        is_unsigned: unsigned > 0,
        longs: longs as u8,
        is_bits: radix != 10,
    })
}

/// The number that a character constant is; `None` if it depends on more than its text.
pub(super) fn character(text: &str) -> Option<i128> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let value = match inner.as_bytes() {
        [byte] if *byte < 0x80 && *byte != b'\\' => *byte,
        [b'\\', escaped] => match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'0'..=b'7' => escaped - b'0',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => *escaped,
            _ => return None,
        },
        _ => return None,
    };
    Some(i128::from(value))
}

/// The type that words stand for; `None` if it is none of integers.
pub(super) fn cast_type(words: &[&str]) -> Option<CastType> {
    let words: Vec<&str> = words
        .iter()
        .copied()
        .filter(|it| !matches!(*it, "const" | "volatile"))
        .collect();
    let int = |kind, signed| {
        Some(CastType::Int {
            kind,
            signed: Some(signed),
        })
    };
    match *words.as_slice() {
        ["integer"] => return Some(CastType::Integer),
        ["_Bool" | "bool" | "boolean"] => return Some(CastType::Bool),
        ["size_t" | "uintptr_t"] => return int(IntKind::Size, false),
        ["ssize_t" | "ptrdiff_t" | "intptr_t"] => return int(IntKind::Size, true),
        ["int8_t"] => return int(IntKind::Bits(8), true),
        ["int16_t"] => return int(IntKind::Bits(16), true),
        ["int32_t"] => return int(IntKind::Bits(32), true),
        ["int64_t" | "intmax_t" | "__int64"] => return int(IntKind::Bits(64), true),
        ["uint8_t"] => return int(IntKind::Bits(8), false),
        ["uint16_t"] => return int(IntKind::Bits(16), false),
        ["uint32_t"] => return int(IntKind::Bits(32), false),
        ["uint64_t" | "uintmax_t"] => return int(IntKind::Bits(64), false),
        ["uint"] => return int(IntKind::Int, false),
        ["ulong"] => return int(IntKind::Long, false),
        ["ushort"] => return int(IntKind::Short, false),
        _ => {}
    }
    let count = |wanted: &str| words.iter().filter(|it| **it == wanted).count();
    let (signed, unsigned) = (count("signed"), count("unsigned"));
    let kinds = [count("char"), count("short"), count("long"), count("int")];
    let used = signed + unsigned + kinds.iter().sum::<usize>();
    if used != words.len() || used == 0 || signed + unsigned > 1 {
        return None;
    }
    let kind = match kinds {
        [1, 0, 0, 0] => IntKind::Char,
        [0, 1, 0, 0 | 1] => IntKind::Short,
        [0, 0, 1, 0 | 1] => IntKind::Long,
        [0, 0, 2, 0 | 1] => IntKind::LongLong,
        [0, 0, 0, 0 | 1] => IntKind::Int,
        _ => return None,
    };
    let is_said = kind != IntKind::Char || signed + unsigned > 0;
    Some(CastType::Int {
        kind,
        signed: is_said.then_some(unsigned == 0),
    })
}

//! Numbers and characters as C writes them.

use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span};

use super::{Reader, arithmetic::INT, error};

impl Reader<'_, '_, '_> {
    pub(super) fn number(&mut self) -> Result<(), Box<Diagnostic>> {
        let (text, place) = self.word().unwrap_or(("", Span::at(self.at)));
        let lower = text.to_ascii_lowercase();
        let (digits, base) = match lower.as_bytes() {
            [b'0', b'x', ..] => (&lower[2..], 16),
            [b'0', _, ..] => (&lower[1..], 8),
            _ => (&*lower, 10),
        };
        let length = digits.find(|it: char| !it.is_digit(base));
        let (digits, suffix) = digits.split_at(length.unwrap_or(digits.len()));
        let is_suffix = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
        // `0u` has no digits behind the 0.
        let digits = if digits.is_empty() && base == 8 {
            "0"
        } else {
            digits
        };
        let value = u64::from_str_radix(digits, base).ok().filter(|_| is_suffix);
        let Some(value) = value else {
            return Err(error("this is no number", place));
        };
        let is_unsigned = suffix.contains('u');
        let is_long = suffix.contains('l');
        let ty = match value {
            _ if is_unsigned && !is_long && value <= u64::from(u32::MAX) => Type::unsigned(32),
            _ if is_unsigned => Type::unsigned(64),
            0..=0x7fff_ffff if !is_long => INT,
            0x8000_0000..=0xffff_ffff if base != 10 && !is_long => Type::unsigned(32),
            0..=0x7fff_ffff_ffff_ffff => Type::signed(64),
            _ => Type::unsigned(64),
        };
        self.constant(value, ty);
        Ok(())
    }

    pub(super) fn character(&mut self) -> Result<(), Box<Diagnostic>> {
        let rest = self.rest();
        let known = [
            ("'\\n'", '\n'),
            ("'\\t'", '\t'),
            ("'\\r'", '\r'),
            ("'\\0'", '\0'),
            ("'\\''", '\''),
            ("'\\\\'", '\\'),
        ];
        let escaped = known.iter().find(|(text, _)| rest.starts_with(text));
        let mut inside = rest.chars().skip(1);
        let (value, length) = match (escaped, inside.next(), inside.next()) {
            (Some((text, value)), ..) => (*value, text.len()),
            (None, Some(value), Some('\'')) if value.is_ascii() && value != '\\' => (value, 3),
            _ => {
                let place = Span::new(self.at, self.end);
                return Err(error("this is no character that is known here", place));
            }
        };
        self.take(length);
        self.constant(value as u64, INT);
        Ok(())
    }
}

//! Numbers and texts as `printf` prints them.

use super::floats;

/// What a conversion asks for.
#[derive(Default)]
pub(super) struct Flags {
    pub(super) is_left: bool,
    pub(super) has_plus: bool,
    pub(super) has_space: bool,
    pub(super) is_alternate: bool,
    pub(super) has_zeros: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

/// A text, filled up with blanks to the width.
pub(super) fn padded(text: &mut Vec<u8>, shown: &[u8], flags: &Flags) {
    let blanks = flags.width.saturating_sub(shown.len());
    if !flags.is_left {
        text.resize(text.len() + blanks, b' ');
    }
    text.extend_from_slice(shown);
    if flags.is_left {
        text.resize(text.len() + blanks, b' ');
    }
}

/// A number, filled up with blanks before its sign, or with zeros behind it.
fn number(text: &mut Vec<u8>, sign: &str, digits: &str, flags: &Flags, may_have_zeros: bool) {
    let mut shown = sign.as_bytes().to_vec();
    if flags.has_zeros && may_have_zeros && !flags.is_left {
        let zeros = flags.width.saturating_sub(sign.len() + digits.len());
        shown.resize(shown.len() + zeros, b'0');
    }
    shown.extend_from_slice(digits.as_bytes());
    padded(text, &shown, flags);
}

fn sign(is_negative: bool, flags: &Flags) -> &'static str {
    match is_negative {
        true => "-",
        false if flags.has_plus => "+",
        false if flags.has_space => " ",
        false => "",
    }
}

/// At least as many digits as the precision says; none for a 0 with precision 0.
fn digits(shown: String, flags: &Flags) -> String {
    match flags.precision {
        Some(0) if shown == "0" => String::new(),
        Some(precision) => format!("{shown:0>precision$}"),
        None => shown,
    }
}

pub(super) fn signed(text: &mut Vec<u8>, value: i64, flags: &Flags) {
    let digits = digits(value.unsigned_abs().to_string(), flags);
    let sign = sign(value < 0, flags);
    number(text, sign, &digits, flags, flags.precision.is_none());
}

pub(super) fn unsigned(text: &mut Vec<u8>, value: u64, letter: u8, flags: &Flags) {
    let shown = match letter {
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        b'o' => format!("{value:o}"),
        _ => value.to_string(),
    };
    let mut digits = digits(shown, flags);
    let mut prefix = "";
    if flags.is_alternate {
        match letter {
            b'x' if value != 0 => prefix = "0x",
            b'X' if value != 0 => prefix = "0X",
            b'o' if !digits.starts_with('0') => digits.insert(0, '0'),
            _ => {}
        }
    }
    number(text, prefix, &digits, flags, flags.precision.is_none());
}

pub(super) fn float(text: &mut Vec<u8>, value: f64, letter: u8, flags: &Flags) {
    let is_upper = letter.is_ascii_uppercase();
    let magnitude = value.abs();
    let shown = match letter.to_ascii_lowercase() {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        b'f' => floats::fixed(magnitude, flags.precision.unwrap_or(6), flags.is_alternate),
        b'e' => floats::scientific(magnitude, flags.precision.unwrap_or(6), flags.is_alternate),
        b'g' => floats::general(magnitude, flags.precision.unwrap_or(6), flags.is_alternate),
        _ => floats::hexadecimal(magnitude, flags.precision, flags.is_alternate),
    };
    let mut sign = sign(value.is_sign_negative(), flags).to_owned();
    let mut shown = shown.as_str();
    if let Some(behind) = shown.strip_prefix("0x") {
        sign.push_str("0x");
        shown = behind;
    }
    let (sign, shown) = match is_upper {
        true => (sign.to_uppercase(), shown.to_uppercase()),
        false => (sign, shown.to_owned()),
    };
    number(text, &sign, &shown, flags, value.is_finite());
}

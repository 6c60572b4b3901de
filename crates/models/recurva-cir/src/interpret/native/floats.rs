//! Floating-point numbers as text and back. Rust prints and reads decimal numbers exactly, so this is
//! about their shape. All numbers that are printed are finite and have no sign.

/// More digits than any `double` has behind its point.
const MOST_DIGITS: usize = 1100;

/// `%f`
pub(super) fn fixed(value: f64, precision: usize, is_alternate: bool) -> String {
    let exact = precision.min(MOST_DIGITS);
    let mut shown = format!("{value:.exact$}");
    shown.extend(std::iter::repeat_n('0', precision - exact));
    if precision == 0 && is_alternate {
        shown.push('.');
    }
    shown
}

/// Digits and exponent of a number, rounded to so many digits behind the first.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let exact = precision.min(MOST_DIGITS);
    let shown = format!("{value:.exact$e}");
    let (digits, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let mut digits = digits.to_owned();
    digits.extend(std::iter::repeat_n('0', precision - exact));
    (digits, exponent.parse().unwrap_or(0))
}

fn with_exponent(mut digits: String, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    digits.push_str(&format!("e{sign}{:02}", exponent.abs()));
    digits
}

/// `%e`
pub(super) fn scientific(value: f64, precision: usize, is_alternate: bool) -> String {
    let (mut digits, exponent) = parts(value, precision);
    if precision == 0 && is_alternate {
        digits.push('.');
    }
    with_exponent(digits, exponent)
}

/// `%g`
pub(super) fn general(value: f64, precision: usize, is_alternate: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = parts(value, precision - 1);
    let is_fixed = (-4..precision as i64).contains(&i64::from(exponent));
    let mut shown = match is_fixed {
        true => {
            let behind = (precision as i64 - 1 - i64::from(exponent)) as usize;
            fixed(value, behind, is_alternate)
        }
        false if is_alternate && precision == 1 => digits + ".",
        false => digits,
    };
    if !is_alternate && shown.contains('.') {
        let kept = shown.trim_end_matches('0').trim_end_matches('.').len();
        shown.truncate(kept);
    }
    match is_fixed {
        true => shown,
        false => with_exponent(shown, exponent),
    }
}

/// `%a`
pub(super) fn hexadecimal(value: f64, precision: Option<usize>, is_alternate: bool) -> String {
    let bits = value.to_bits();
    let (mut lead, mut fraction) = (u64::from(bits >> 52 != 0), bits & ((1 << 52) - 1));
    let exponent = match bits >> 52 {
        0 if fraction == 0 => 0,
        0 => -1022,
        biased => biased as i64 - 1023,
    };
    let mut digits = 13;
    if let Some(precision) = precision
        && precision < 13
    {
        let dropped = 4 * (13 - precision as u32);
        let whole = lead << 52 | fraction;
        let (kept, rest) = (whole >> dropped, whole & ((1 << dropped) - 1));
        let half = 1 << (dropped - 1);
        let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
        lead = rounded >> (4 * precision);
        fraction = rounded & ((1u64 << (4 * precision)) - 1);
        digits = precision;
    }
    let mut shown = match digits {
        0 => String::new(),
        digits => format!("{fraction:0digits$x}"),
    };
    match precision {
        None => shown.truncate(shown.trim_end_matches('0').len()),
        Some(precision) => {
            shown.extend(std::iter::repeat_n('0', precision - digits.min(precision)));
        }
    }
    let point = if shown.is_empty() && !is_alternate {
        ""
    } else {
        "."
    };
    format!("0x{lead}{point}{shown}p{exponent:+}")
}

/// The number at the beginning of a text, and how many bytes it takes; 0 if there is none.
pub(super) fn parse(text: &[u8]) -> (f64, usize) {
    let blanks = text
        .iter()
        .take_while(|it| it.is_ascii_whitespace())
        .count();
    let (sign, signs) = match text.get(blanks) {
        Some(b'-') => (-1.0, 1),
        Some(b'+') => (1.0, 1),
        _ => (1.0, 0),
    };
    let start = blanks + signs;
    let rest = &text[start..];
    let begins = |word: &str| {
        let front = rest.get(..word.len());
        front.is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    if begins("infinity") {
        return (sign * f64::INFINITY, start + 8);
    }
    if begins("inf") {
        return (sign * f64::INFINITY, start + 3);
    }
    if begins("nan") {
        return (f64::NAN.copysign(sign), start + 3);
    }
    if begins("0x")
        && let Some((value, count)) = parse_hexadecimal(&rest[2..])
    {
        return (sign * value, start + 2 + count);
    }
    match decimal(rest) {
        0 => (0.0, 0),
        count => {
            let text = std::str::from_utf8(&rest[..count]).unwrap_or("0");
            (sign * text.parse().unwrap_or(0.0), start + count)
        }
    }
}

/// How many bytes a decimal number takes.
fn decimal(text: &[u8]) -> usize {
    let digits = |from: usize| {
        text[from..]
            .iter()
            .take_while(|it| it.is_ascii_digit())
            .count()
    };
    let whole = digits(0);
    let mut count = whole;
    let mut behind = 0;
    if text.get(count) == Some(&b'.') {
        behind = digits(count + 1);
        count += 1 + behind;
    }
    if whole + behind == 0 {
        return 0;
    }
    if let Some(b'e' | b'E') = text.get(count) {
        let signs = usize::from(matches!(text.get(count + 1), Some(b'+' | b'-')));
        let from = count + 1 + signs;
        if from <= text.len() && digits(from) > 0 {
            count = from + digits(from);
        }
    }
    count
}

/// A hexadecimal number behind its `0x`.
fn parse_hexadecimal(text: &[u8]) -> Option<(f64, usize)> {
    let (mut value, mut exponent) = (0f64, 0i32);
    let (mut count, mut digits) = (0, 0);
    let mut is_behind_point = false;
    while let Some(&byte) = text.get(count) {
        match (byte as char).to_digit(16) {
            Some(digit) => {
                value = value * 16.0 + f64::from(digit);
                exponent -= 4 * i32::from(is_behind_point);
                digits += 1;
            }
            None if byte == b'.' && !is_behind_point => is_behind_point = true,
            None => break,
        }
        count += 1;
    }
    if digits == 0 {
        return None;
    }
    if let Some(b'p' | b'P') = text.get(count) {
        let rest = &text[count + 1..];
        let signs = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let more = rest[signs..]
            .iter()
            .take_while(|it| it.is_ascii_digit())
            .count();
        let power = std::str::from_utf8(&rest[..signs + more]).ok();
        if let Some(power) = power.and_then(|it| it.parse::<i32>().ok()) {
            exponent = exponent.saturating_add(power);
            count += 1 + signs + more;
        }
    }
    Some((value * 2f64.powi(exponent), count))
}

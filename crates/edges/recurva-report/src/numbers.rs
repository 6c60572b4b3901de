//! Numbers as people read them.

use std::time::Duration;

/// Thousands apart: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Counts from here on are not spelled out.
const HUGE: u64 = 1 << 63;

/// A count and its noun: `1 step`, `2,000 steps`. A count that may have saturated, or is the
/// difference of one that has, is not spelled out.
pub fn counted(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        2..HUGE | 0 => format!("{} {noun}s", grouped(number)),
        HUGE.. => format!("more than 2^63 {noun}s"),
    }
}

/// A number of bytes: `1.5 GiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut scaled = number as f64;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{number} B")
    } else {
        format!("{scaled:.1} {}", UNITS[unit])
    }
}

/// A time: `0.03 s`, `12.5 s`.
pub fn seconds(number: f64) -> String {
    if number < 10.0 {
        format!("{number:.2} s")
    } else {
        format!("{number:.1} s")
    }
}

/// A time that somebody has given: `5 s`, `0.25 s`.
pub(crate) fn whole_seconds(time: Duration) -> String {
    match time.subsec_nanos() {
        0 => format!("{} s", grouped(time.as_secs())),
        _ => format!("{} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1 << 40), "1,099,511,627,776");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(0, "step"), "0 steps");
        assert_eq!(counted(u64::MAX - 2, "step"), "more than 2^63 steps");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(12), "12 B");
        assert_eq!(whole_seconds(Duration::from_secs(3600)), "3,600 s");
        assert_eq!(whole_seconds(Duration::from_millis(250)), "0.25 s");
    }
}

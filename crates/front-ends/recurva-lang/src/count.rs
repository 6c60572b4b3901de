//! Numbers of things in messages.

/// A number of things, as in "1 value" or "2 values".
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// A number of things that something happens to, as in "1 value is" or "2 values are".
pub(crate) fn count_are(number: usize, noun: &str) -> String {
    format!(
        "{} {}",
        count(number, noun),
        if number == 1 { "is" } else { "are" }
    )
}

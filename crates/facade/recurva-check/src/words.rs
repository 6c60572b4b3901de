//! Lists of names in messages.

use recurva_syntax::did_you_mean;

/// So many names are listed.
const FEW: usize = 12;

/// `a, b or c`.
pub(crate) fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The nearest name; if none is near, all of them while they are few.
pub(crate) fn suggestion<'n>(
    wanted: &str,
    names: impl Iterator<Item = &'n str>,
    what: &str,
) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    if let Some(near) = did_you_mean(wanted, names.iter().copied()) {
        return near;
    }
    if names.is_empty() {
        return format!("there are no {what}");
    }
    let listed = names[..names.len().min(FEW)].join(", ");
    let more = if names.len() > FEW { ", …" } else { "" };
    format!("the {what} are {listed}{more}")
}

//! The name the user may have meant.

/// The candidate nearest to `name`, if one is near enough to be a slip of the pen. Case does
/// not count; the earliest of equally near candidates wins.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let wanted_letters = letters(name);
    // One slip in three letters; very long names are machine-made and a full comparison
    // with each of them would be slow.
    let mut limit = (wanted.len() / 3).clamp(1, 4);
    let mut best = None;
    for candidate in candidates {
        // Cheap tests first: programs have many names. An edit changes at most two letters
        // of the set of letters.
        let far = (letters(candidate) ^ wanted_letters).count_ones() as usize > 2 * limit;
        if far || candidate == name || candidate.len() > 4 * (wanted.len() + limit) {
            continue;
        }
        let other: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if wanted.len().abs_diff(other.len()) > limit {
            continue;
        }
        let Some(distance) = distance_within(&wanted, &other, limit) else {
            continue;
        };
        // A name is not near to one that shares no letter with it.
        if distance >= wanted.len().max(other.len()) {
            continue;
        }
        best = Some(candidate);
        match distance.checked_sub(1) {
            Some(closer) => limit = closer,
            None => break,
        }
    }
    best
}

/// "did you mean `x`?", for the [`nearest`] name.
pub fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// The name in an advice that [`did_you_mean`] gave.
pub(crate) fn meant(help: &str) -> Option<&str> {
    help.strip_prefix("did you mean `")?.strip_suffix("`?")
}

/// The set of letters of a name, several to a bit.
fn letters(name: &str) -> u64 {
    name.bytes()
        .fold(0, |set, byte| set | 1 << (byte.to_ascii_lowercase() % 64))
}

/// The number of letters to insert, drop, change or swap with their neighbour, if it is at
/// most `limit`.
fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    let width = b.len() + 1;
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..width {
            let change = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row[j] = least;
        }
        if row.iter().all(|&d| d > limit) {
            return None;
        }
        before.clone_from(&above);
        std::mem::swap(&mut above, &mut row);
    }
    above.last().copied().filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_names_are_not() {
        let names = ["acquire", "release", "x", "count"];
        let near = |name| nearest(name, names);
        assert_eq!(near("aquire"), Some("acquire"));
        assert_eq!(near("relaese"), Some("release"));
        assert_eq!(near("Count"), Some("count"));
        assert_eq!(near("X"), Some("x"));
        assert_eq!(near("y"), None);
        assert_eq!(near("counter_of_things"), None);
        assert_eq!(nearest("xs", ["x", "xy"]), Some("x"));
    }
}

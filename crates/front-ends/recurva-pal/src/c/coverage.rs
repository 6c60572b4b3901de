//! How many sites each event matched, kept in objects and programs.

use super::instrument::COVERAGE;

/// Adds up the records in the bytes of an object, an archive or a program: for each event the
/// number of sites it matched. `None` if nothing in it was monitored.
pub fn coverage(bytes: &[u8]) -> Option<Vec<usize>> {
    let mut total: Option<Vec<usize>> = None;
    let mut rest = bytes;
    while let Some(at) = find(rest, COVERAGE.as_bytes()) {
        rest = &rest[at + COVERAGE.len()..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        // Our own code contains the word, too, without numbers behind it.
        let Some(counts) = counts(&rest[..end]) else {
            continue;
        };
        let total = total.get_or_insert_default();
        total.resize(total.len().max(counts.len()), 0);
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    total
}

fn counts(line: &[u8]) -> Option<Vec<usize>> {
    let line = std::str::from_utf8(line).ok()?;
    let counts = line.split(' ').map(|count| count.parse().ok());
    counts.collect()
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_added_up() {
        let bytes = b"\x7fELFrecurva-pal-coverage 1 0 2\n\0recurva-pal-coverage \0\
                      recurva-pal-coverage 0 0 40\n";
        assert_eq!(coverage(bytes), Some(vec![1, 0, 42]));
        assert_eq!(coverage(b"nothing"), None);
    }
}

//! `#pragma pack`: how far apart the members of records may be.

use recurva_syntax::Span;

/// The changes of a unit, in the order of the text.
#[derive(Default)]
pub(crate) struct Packs {
    /// From which byte on, and what; 0 is as the types say.
    changes: Vec<(u32, u8)>,
    now: u8,
    /// What was pushed, with the name it was given.
    pushed: Vec<(String, u8)>,
}

impl Packs {
    /// What is in force at a byte.
    pub(crate) fn at(&self, offset: u32) -> u8 {
        let behind = self.changes.partition_point(|(from, _)| *from <= offset);
        match behind.checked_sub(1) {
            Some(last) => self.changes[last].1,
            None => 0,
        }
    }

    /// Takes notice of a line that begins with `#`.
    pub(crate) fn line(&mut self, line: &[u8], span: Span) {
        let Some(arguments) = arguments(line) else {
            return;
        };
        self.apply(arguments);
        self.changes.push((span.end, self.now));
    }

    /// `4`, `push`, `push, 4`, `push, name, 4`, `pop`, `pop, name` or nothing.
    fn apply(&mut self, arguments: &str) {
        let mut words = arguments.split(',').map(str::trim);
        let first = words.next().unwrap_or("");
        match first {
            "push" => {
                let mut name = "";
                let before = self.now;
                for word in words {
                    match size(word) {
                        Some(size) => self.now = size,
                        None => name = word,
                    }
                }
                self.pushed.push((name.to_owned(), before));
            }
            "pop" => {
                let name = words.next().filter(|word| size(word).is_none());
                // With a name, up to what was pushed with it; nothing, if there is none.
                let found = match name {
                    Some(name) => self.pushed.iter().rposition(|(pushed, _)| pushed == name),
                    None => self.pushed.len().checked_sub(1),
                };
                if let Some(found) = found {
                    self.now = self.pushed[found].1;
                    self.pushed.truncate(found);
                }
            }
            "" => self.now = 0,
            _ => self.now = size(first).unwrap_or(self.now),
        }
    }
}

/// Compilers take the powers of two up to 16, and 0 for none.
fn size(word: &str) -> Option<u8> {
    let size = word.parse().ok()?;
    matches!(size, 0 | 1 | 2 | 4 | 8 | 16).then_some(size)
}

/// What is between the brackets of `#pragma pack(…)`.
fn arguments(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?;
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start();
    let (inside, _) = rest.strip_prefix('(')?.split_once(')')?;
    Some(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushed_and_popped() {
        let mut packs = Packs::default();
        for (end, line, expected) in [
            (10, "#pragma pack(push, 1)", 1),
            (20, "# pragma pack ( 4 )", 4),
            (30, "#pragma pack(push, here, 2)", 2),
            (40, "#pragma pack(push)", 2),
            (50, "#pragma pack(3)", 2),
            (60, "#pragma pack(pop, there)", 2),
            (70, "#pragma pack(pop, here)", 4),
            (80, "#pragma pack(pop)", 0),
            (90, "#pragma pack(pop)", 0),
            (100, "#pragma pack(8)", 8),
            (110, "#pragma pack()", 0),
            (120, "#pragma once", 0),
        ] {
            packs.line(line.as_bytes(), Span::new(end - 5, end));
            assert_eq!(packs.at(end), expected, "{line}");
        }
        assert_eq!((packs.at(9), packs.at(19), packs.at(25)), (0, 1, 4));
    }
}

//! Names as numbers.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::ast::Name;

/// The names of a unit. Each name of a text is looked up here once, so the table is a plain one:
/// numbers at places that hashes say, or behind them.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Box<str>>,
    /// A power of two of them, at least half of them free.
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Names {
    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }

    pub(crate) fn find(&self, text: &[u8]) -> Option<Name> {
        if self.slots.is_empty() {
            return None;
        }
        self.look_up(text).ok()
    }

    /// The number of a name; none, if its bytes are no text.
    pub(crate) fn number(&mut self, text: &[u8]) -> Option<Name> {
        if self.texts.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = match self.look_up(text) {
            Ok(name) => return Some(name),
            Err(slot) => slot,
        };
        let text = std::str::from_utf8(text).ok()?;
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.into());
        self.slots[slot] = name.0;
        Some(name)
    }

    /// The name, or the place where it belongs.
    fn look_up(&self, text: &[u8]) -> Result<Name, usize> {
        let last = self.slots.len() - 1;
        let mut slot = hash(text) & last;
        loop {
            match self.slots[slot] {
                FREE => return Err(slot),
                name if self.texts[name as usize].as_bytes() == text => return Ok(Name(name)),
                _ => slot = (slot + 1) & last,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1 << 10);
        self.slots = vec![FREE; size];
        for (number, text) in self.texts.iter().enumerate() {
            let mut slot = hash(text.as_bytes()) & (size - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = number as u32;
        }
    }
}

fn hash(text: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut names = Names::default();
        assert_eq!(names.find(b"a"), None);
        let texts: Vec<_> = (0..10_000).map(|number| format!("name{number}")).collect();
        for _ in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                let name = names.number(text.as_bytes()).unwrap();
                assert_eq!((name.index(), names.text(name)), (number, text.as_str()));
            }
        }
        assert_eq!(names.find(b"name77").map(Name::index), Some(77));
        assert_eq!(names.find(b"name"), None);
        assert_eq!(names.number(b"\xff"), None);
    }
}

//! Lines and columns of many places.

use crate::Source;

/// Where the lines of a source begin, for those who ask about many places:
/// [`Source::line_column`] looks at all of the text before a place, this at a few hundred bytes.
#[derive(Clone, Debug)]
pub struct Lines<'s> {
    text: &'s [u8],
    starts: Vec<u32>,
    /// How many characters begin before each block.
    characters: Vec<u32>,
}

/// Bytes between two counts of characters.
const BLOCK: usize = 256;

impl<'s> Lines<'s> {
    /// Looks at the whole text, once.
    pub fn new(source: &'s Source) -> Self {
        let text = source.text().as_bytes();
        let newlines = text.iter().zip(1..).filter(|(byte, _)| **byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(_, next)| next));
        let mut count = 0;
        let blocks = text.chunks(BLOCK).map(|block| {
            let before = count;
            count += characters(block);
            before
        });
        let mut characters: Vec<u32> = blocks.collect();
        characters.push(count);
        Lines {
            text,
            starts: starts.collect(),
            characters,
        }
    }

    /// Line and column of an offset, both from 1; columns count characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let offset = offset.min(self.text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let column = 1 + self.before(offset) - self.before(start);
        (line, column as usize)
    }

    /// How many characters begin before an offset.
    fn before(&self, offset: u32) -> u32 {
        let block = offset as usize / BLOCK;
        self.characters[block] + characters(&self.text[block * BLOCK..offset as usize])
    }
}

/// How many characters begin here: continuation bytes do not begin one.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_where_the_source_says() {
        let long = "é".repeat(300) + "x\n" + &"y".repeat(700);
        for text in ["", "\n", "a", "ab\ncd\n\n€f", "\n\n", &long] {
            let source = Source::new("text", text).unwrap();
            let lines = Lines::new(&source);
            for offset in 0..=text.len() as u32 + 2 {
                let place = lines.line_column(offset);
                assert_eq!(place, source.line_column(offset), "{text:?} {offset}");
            }
        }
    }

    #[test]
    fn no_place_is_more_than_a_block_away_from_a_count() {
        let text = "x".repeat(1 << 16);
        let source = Source::new("text", text).unwrap();
        let lines = Lines::new(&source);
        assert_eq!(lines.characters.len(), (1 << 16) / BLOCK + 1);
    }
}

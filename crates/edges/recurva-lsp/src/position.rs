//! Positions of the protocol and offsets into a text.

use lsp_types::{Position, PositionEncodingKind, Range};
use recurva_syntax::Span;

/// What the columns of positions count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, as every client understands them.
    #[default]
    Utf16,
}

impl Encoding {
    /// The best one that a client offers: bytes need no counting.
    pub(crate) fn offered(kinds: Option<&[PositionEncodingKind]>) -> Self {
        match kinds.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8)) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// Where the lines of a text begin. Lines end with `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let mut starts = vec![0];
        push_starts(text, 0, text.len(), &mut starts);
        Lines { starts }
    }

    /// The same after `text`, which is the new one, got `inserted` bytes in place of the bytes
    /// from `start` to `end`. Only the lines around are looked at again.
    pub(crate) fn replace(&mut self, text: &str, start: usize, end: usize, inserted: usize) {
        // A line may end where the change begins or ends, and `\r\n` may come apart or together.
        let first = self.line(start.saturating_sub(1));
        let after = self.starts.partition_point(|&at| at <= end + 1);
        let from = self.starts[first];
        let old = self.starts.get(after).copied();
        let to = old.map_or(text.len(), |at| at - (end - start) + inserted);
        let mut middle = Vec::new();
        push_starts(text, from, to, &mut middle);
        // A line that begins at `to` is among those behind.
        if old.is_some() && middle.last() == Some(&to) {
            middle.pop();
        }
        for at in &mut self.starts[after..] {
            *at = *at - (end - start) + inserted;
        }
        self.starts.splice(first + 1..after, middle);
    }

    /// The line of an offset.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&at| at <= offset).max(1) - 1
    }

    /// The offset of a position. One behind the end of its line is at that end, one inside a
    /// character before it.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, character) in content.char_indices() {
            column += encoding.width(character);
            if column > position.character as usize {
                return start + at;
            }
        }
        start + content.len()
    }

    /// The position of an offset.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let before = &text[self.starts[line]..offset];
        let column = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position::new(line as u32, column as u32)
    }

    /// The range of a span.
    pub(crate) fn range(&self, text: &str, span: Span, encoding: Encoding) -> Range {
        let position = |offset: u32| self.position(text, offset as usize, encoding);
        Range::new(position(span.start), position(span.end.max(span.start)))
    }
}

/// Adds the starts of lines behind `from`, up to one at `to`.
fn push_starts(text: &str, from: usize, to: usize, starts: &mut Vec<usize>) {
    let bytes = text.as_bytes();
    for at in from..to {
        let ends = match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            starts.push(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_both_encodings() {
        let text = "a\r\nö𝄞x\rlast";
        let lines = Lines::new(text);
        assert_eq!(lines.starts, [0, 3, 11]);
        let x = text.find('x').unwrap();
        for (encoding, column) in [(Encoding::Utf16, 3), (Encoding::Utf8, 6)] {
            let position = Position::new(1, column);
            assert_eq!(lines.offset(text, position, encoding), x);
            assert_eq!(lines.position(text, x, encoding), position);
        }
        // Inside the clef, behind the end of a line, behind the last line.
        assert_eq!(lines.offset(text, Position::new(1, 2), Encoding::Utf16), 5);
        assert_eq!(lines.offset(text, Position::new(0, 9), Encoding::Utf16), 1);
        assert_eq!(lines.offset(text, Position::new(7, 0), Encoding::Utf16), 15);
    }
}

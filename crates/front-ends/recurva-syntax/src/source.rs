//! Source texts and places in them.

use std::{fmt, ops::Range};

/// A range of bytes of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to but not including `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The empty place before a byte.
    pub const fn at(offset: u32) -> Self {
        Span {
            start: offset,
            end: offset,
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty place behind it.
    pub const fn behind(self) -> Self {
        Span::at(self.end)
    }

    /// As a range of indices.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it covers no byte.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A text and the name its messages give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// A source of a text at hand. Fails if the text is so long that spans cannot address it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, LoadError> {
        let (name, text) = (name.into(), text.into());
        if u32::try_from(text.len()).is_err() {
            return Err(LoadError {
                name,
                reason: Reason::TooLong(text.len()),
            });
        }
        Ok(Source { name, text })
    }

    /// A source of the bytes of a file, which must be UTF-8. A byte order mark is left out.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, LoadError> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                Source::new(name, text)
            }
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                let line = 1 + bytes[..offset].iter().filter(|&&b| b == b'\n').count();
                let byte = bytes.get(offset).copied().unwrap_or_default();
                Err(LoadError {
                    name,
                    reason: Reason::NotUtf8 { offset, line, byte },
                })
            }
        }
    }

    /// The name, usually a path as the user wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text at a place; empty if there is no such place.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The place behind the last byte.
    pub fn end(&self) -> Span {
        Span::at(self.text.len() as u32)
    }

    /// Line and column of an offset, both from 1; columns count characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let before = &self.text.as_bytes()[..self.text.len().min(offset as usize)];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |newline| newline + 1);
        // Continuation bytes do not start a character.
        let column = 1 + before[start..]
            .iter()
            .filter(|&&b| b & 0xC0 != 0x80)
            .count();
        (line, column)
    }
}

/// Why bytes are not a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    name: String,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    TooLong(usize),
    NotUtf8 {
        offset: usize,
        line: usize,
        byte: u8,
    },
}

impl LoadError {
    /// The offset of the first byte that is not UTF-8, if that is the trouble.
    pub fn offset(&self) -> Option<usize> {
        match self.reason {
            Reason::NotUtf8 { offset, .. } => Some(offset),
            Reason::TooLong(_) => None,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::TooLong(bytes) => write!(
                f,
                "{}: the text has {bytes} bytes; at most {} can be read",
                self.name,
                u32::MAX
            ),
            Reason::NotUtf8 { offset, line, byte } => write!(
                f,
                "{}:{line}: the text is not UTF-8: byte {byte:#04x} at offset {offset}",
                self.name
            ),
        }
    }
}

impl std::error::Error for LoadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_named_with_line_and_offset() {
        let error = Source::from_bytes("x.bp", b"decl g;\n\xffoo".to_vec()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "x.bp:2: the text is not UTF-8: byte 0xff at offset 8"
        );
        assert_eq!(error.offset(), Some(8));
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let source = Source::from_bytes("x", b"\xef\xbb\xbfdecl".to_vec()).unwrap();
        assert_eq!(source.text(), "decl");
    }

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "ä\nöü!").unwrap();
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(7), (2, 3));
        assert_eq!(source.line_column(99), (2, 4));
    }
}

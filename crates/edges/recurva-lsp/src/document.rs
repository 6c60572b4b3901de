//! Open documents.

use lsp_types::{TextDocumentContentChangeEvent, Url};

use recurva_check::Language;

use crate::position::{Encoding, Lines};

/// A text that the client has open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) uri: Url,
    pub(crate) language: Language,
    pub(crate) version: i32,
    text: String,
    lines: Lines,
}

impl Document {
    pub(crate) fn new(uri: Url, language: Language, version: i32, text: String) -> Self {
        Document {
            lines: Lines::new(&text),
            uri,
            language,
            version,
            text,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Applies changes in their order.
    pub(crate) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            let Some(range) = change.range else {
                self.lines = Lines::new(&change.text);
                self.text = change.text;
                continue;
            };
            let start = self.lines.offset(&self.text, range.start, encoding);
            let end = self.lines.offset(&self.text, range.end, encoding);
            // A range the wrong way round is one all the same.
            let (start, end) = (start.min(end), start.max(end));
            self.text.replace_range(start..end, &change.text);
            self.lines
                .replace(&self.text, start, end, change.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};
    use recurva_testkit::rng::Rng;

    use super::*;

    /// The offset of a position, found line by line and character by character.
    fn plain(text: &str, position: Position) -> usize {
        let mut start = 0;
        for _ in 0..position.line {
            let Some(at) = text[start..].find(['\n', '\r']) else {
                return text.len();
            };
            start += at + 1 + usize::from(text[start + at..].starts_with("\r\n"));
        }
        let mut offset = start;
        let mut column = 0;
        for character in text[start..].chars().take_while(|c| !"\r\n".contains(*c)) {
            column += character.len_utf16();
            if column > position.character as usize {
                break;
            }
            offset += character.len_utf8();
        }
        offset
    }

    /// Text and lines are right after thousands of edits, whatever ends the lines.
    #[test]
    fn random_edits() {
        let mut rng = Rng::new(7);
        let pieces = ["\r", "\n", "\r\n", "a", "ö", "𝄞", "", "x\n\ry", "\n\n"];
        let uri = Url::parse("file:///x.bp").unwrap();
        let language = crate::text::language(&uri).unwrap();
        for _ in 0..200 {
            let mut document = Document::new(uri.clone(), language, 0, String::new());
            let mut reference = String::new();
            for version in 0..40 {
                let text = (0..rng.below(4)).filter_map(|_| rng.pick(&pieces).copied());
                let text: String = text.collect();
                let mut position = || Position::new(rng.below(8) as u32, rng.below(5) as u32);
                let range = Range::new(position(), position());
                let ends = [range.start, range.end].map(|it| plain(&reference, it));
                let [from, to] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                reference.replace_range(from..to, &text);
                let change = TextDocumentContentChangeEvent {
                    range: Some(range),
                    range_length: None,
                    text,
                };
                document.change(version, vec![change], Encoding::Utf16);
                assert_eq!(document.text, reference);
                assert_eq!(
                    document.lines,
                    Lines::new(&document.text),
                    "{:?}",
                    document.text
                );
            }
        }
    }
}

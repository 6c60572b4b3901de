//! Open documents.

use lsp_types::{TextDocumentContentChangeEvent, Url};

use crate::{
    language::Language,
    position::{Encoding, Lines},
};

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

    /// Lines are kept right through thousands of edits, whatever ends them.
    #[test]
    fn lines_after_random_edits() {
        let mut rng = Rng::new(7);
        let pieces = ["\r", "\n", "\r\n", "a", "ö", "𝄞", "", "x\n\ry", "\n\n"];
        let uri = Url::parse("file:///x.bp").unwrap();
        let language = Language::of(&uri).unwrap();
        for _ in 0..200 {
            let mut document = Document::new(uri.clone(), language, 0, String::new());
            for version in 0..40 {
                let text = (0..rng.below(4)).filter_map(|_| rng.pick(&pieces).copied());
                let text: String = text.collect();
                let mut position = || Position::new(rng.below(8) as u32, rng.below(5) as u32);
                let change = TextDocumentContentChangeEvent {
                    range: Some(Range::new(position(), position())),
                    range_length: None,
                    text,
                };
                document.change(version, vec![change], Encoding::Utf16);
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

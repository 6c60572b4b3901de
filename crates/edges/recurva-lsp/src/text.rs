//! Texts, wherever they are.

use std::path::{Path, PathBuf};

use lsp_types::{Location, Url};
use recurva_check::{Language, Refused};
use recurva_syntax::{Source, Span};

use crate::position::{Encoding, Lines};

/// A text that has been read, and where its lines are.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) uri: Url,
    pub(crate) source: Source,
    pub(crate) lines: Lines,
}

impl Text {
    /// A text, or why it cannot be read.
    pub(crate) fn new(uri: Url, text: String) -> Result<Self, String> {
        let lines = Lines::new(&text);
        let source = Source::new(name(&uri), text).map_err(|cause| cause.to_string())?;
        Ok(Text { uri, source, lines })
    }

    pub(crate) fn location(&self, place: Span, encoding: Encoding) -> Location {
        let range = self.lines.range(self.source.text(), place, encoding);
        Location::new(self.uri.clone(), range)
    }
}

/// Where a text is.
#[derive(Debug)]
pub(crate) enum Content {
    /// In the editor.
    Open(String),
    /// On the disk.
    File(PathBuf),
}

impl Content {
    /// The text, or why there is none.
    pub(crate) fn read(self, uri: Url) -> Result<Text, String> {
        let text = match self {
            Content::Open(text) => text,
            Content::File(path) => {
                let source = recurva_check::open(&path);
                let source = source.map_err(|refused: Refused| refused.first())?;
                source.text().to_owned()
            }
        };
        Text::new(uri, text)
    }
}

/// How messages call a document.
pub(crate) fn name(uri: &Url) -> String {
    let path = uri.to_file_path().ok();
    let name = path.as_deref().and_then(Path::file_name);
    name.map_or_else(|| uri.to_string(), |name| name.display().to_string())
}

/// The language of a document.
pub(crate) fn language(uri: &Url) -> Option<Language> {
    Language::of(Path::new(uri.path()))
}

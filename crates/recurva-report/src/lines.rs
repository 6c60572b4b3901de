//! The source text by lines.

use recurva_model::Origin;
use recurva_syntax::Source;

/// Longer statements are cut.
const WIDTH: usize = 60;

/// A source with the beginnings of its lines.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    source: &'a Source,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        let newlines = source
            .text()
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0)
            .chain(newlines.map(|(at, _)| at + 1))
            .collect();
        Lines { source, starts }
    }

    /// The source's name.
    pub(crate) fn name(&self) -> &'a str {
        self.source.name()
    }

    /// The number of the line where something begins, if it is in the source.
    pub(crate) fn number(&self, origin: Origin) -> Option<usize> {
        let start = origin.start as usize;
        (!origin.is_none()).then(|| self.starts.partition_point(|&line| line <= start))
    }

    /// The place where something begins: `file:line`, or the file alone.
    pub(crate) fn place(&self, origin: Origin) -> String {
        match self.number(origin) {
            Some(line) => format!("{}:{line}", self.name()),
            None => self.name().to_owned(),
        }
    }

    /// The first line of the text of something, cut if it is long.
    pub(crate) fn excerpt(&self, origin: Origin) -> Option<String> {
        let text = self.source.text().get(origin.range())?.trim_start();
        let first = text.lines().next()?.trim_end();
        let mut characters = first.char_indices();
        Some(match characters.nth(WIDTH) {
            Some((end, _)) => format!("{}…", first[..end].trim_end()),
            None => first.to_owned(),
        })
    }
}

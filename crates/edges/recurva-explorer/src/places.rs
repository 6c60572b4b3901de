//! Places in texts, as the page counts them.

use recurva_model::Origin;
use recurva_syntax::Source;

use crate::document::{Place, SourceText};

/// A text as the page has it.
pub(crate) fn source_text(source: &Source) -> SourceText {
    SourceText {
        name: source.name().to_owned(),
        text: source.text().to_owned(),
    }
}

/// The texts of a program: the model's, and further ones whose places follow.
#[derive(Debug)]
pub(crate) struct Texts<'a> {
    parts: Vec<Text<'a>>,
}

#[derive(Debug)]
struct Text<'a> {
    /// Its number among the texts of the page.
    number: usize,
    source: &'a Source,
    /// The offset of each line.
    starts: Vec<u32>,
    /// Where its places begin among all.
    base: u32,
}

impl<'a> Texts<'a> {
    /// The model's text is the first of the page; the others come with their numbers.
    pub(crate) fn new(source: &'a Source, more: &[(usize, &'a Source)]) -> Self {
        let mut base = source.end().end;
        let mut parts = vec![Text::new(0, source, 0)];
        for &(number, text) in more {
            parts.push(Text::new(number, text, base));
            base += text.end().end;
        }
        Texts { parts }
    }

    /// Where something is; `None` if a translation made it up.
    pub(crate) fn place(&self, origin: Origin) -> Option<Place> {
        if origin.is_none() {
            return None;
        }
        let later = |part: &Text<'_>| part.base > 0 && origin.start >= part.base;
        let index = self.parts.iter().rposition(later).unwrap_or(0);
        let part = &self.parts[index];
        let (line, column) = part.line_column(origin.start - part.base)?;
        let (end_line, end_column) = part.line_column(origin.end - part.base)?;
        Some([part.number as u32, line, column, end_line, end_column])
    }
}

impl<'a> Text<'a> {
    fn new(number: usize, source: &'a Source, base: u32) -> Self {
        let newlines = source.text().bytes().enumerate();
        let newlines = newlines.filter(|&(_, byte)| byte == b'\n');
        Text {
            number,
            source,
            starts: std::iter::once(0)
                .chain(newlines.map(|(at, _)| at as u32 + 1))
                .collect(),
            base,
        }
    }

    fn line_column(&self, offset: u32) -> Option<(u32, u32)> {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let before = self
            .source
            .text()
            .get(start as usize..offset as usize)?
            .encode_utf16();
        Some((line as u32, before.count() as u32 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf_16_units() {
        let source = Source::new("m.bp", "a\n/*𝄞é*/ x").unwrap();
        let monitor = Source::new("m.pal", "b c").unwrap();
        let texts = Texts::new(&source, &[(2, &monitor)]);
        let at = source.text().find('x').unwrap() as u32;
        let origin = |start, end| Origin { start, end };
        assert_eq!(texts.place(origin(at, at + 1)), Some([0, 2, 9, 2, 10]));
        let base = source.end().end;
        assert_eq!(
            texts.place(origin(base + 2, base + 3)),
            Some([2, 1, 3, 1, 4])
        );
        assert_eq!(texts.place(origin(3, 3)), None);
    }
}

//! The source text by lines.

use recurva_check::{About, Context, RunContext};
use recurva_model::Origin;
use recurva_syntax::Source;

/// Longer statements are cut.
const WIDTH: usize = 60;

/// A source with the beginnings of its lines.
#[derive(Debug)]
pub struct Lines<'a> {
    source: &'a Source,
    starts: Vec<usize>,
    /// Further texts, whose places follow those of the source.
    more: Vec<Lines<'a>>,
}

/// A place in a text: line and column of its first character, and behind its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region<'a> {
    pub(crate) file: &'a str,
    pub(crate) start: (usize, usize),
    pub(crate) end: (usize, usize),
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(source: &'a Source) -> Self {
        let newlines = source
            .text()
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0)
            .chain(newlines.map(|(at, _)| at + 1))
            .collect();
        Lines {
            source,
            starts,
            more: Vec::new(),
        }
    }

    /// The texts that a run is about.
    pub fn of(run: &RunContext<'a>) -> Self {
        Lines::with_more(run.source, run.more)
    }

    /// The texts of a question.
    pub fn in_context(context: &Context<'a>) -> Self {
        match &context.about {
            About::Runs(run) => Lines::of(run),
            About::Branching { .. } | About::System => Lines::new(context.source),
        }
    }

    /// The text of a model, and further ones that it was made from.
    pub fn with_more(source: &'a Source, more: &'a [Source]) -> Self {
        Lines {
            more: more.iter().map(Lines::new).collect(),
            ..Lines::new(source)
        }
    }

    /// The text that something is in, and where it is there.
    fn part(&self, origin: Origin) -> (&Lines<'a>, Origin) {
        if origin.is_none() {
            return (self, origin);
        }
        let mut base = self.source.end().end;
        if self.more.is_empty() || origin.start < base {
            return (self, origin);
        }
        for (number, lines) in self.more.iter().enumerate() {
            let length = lines.source.end().end;
            if number + 1 == self.more.len() || origin.start < base + length {
                let there = Origin {
                    start: origin.start - base,
                    end: origin.end - base,
                };
                return (lines, there);
            }
            base += length;
        }
        (self, origin)
    }

    /// The name of the text that something is in, if that is not the model's.
    pub fn file(&self, origin: Origin) -> Option<&'a str> {
        let (lines, _) = self.part(origin);
        (!std::ptr::eq(lines, self)).then(|| lines.source.name())
    }

    /// The number of the line where something begins, if it is in the source.
    pub fn number(&self, origin: Origin) -> Option<usize> {
        let (lines, origin) = self.part(origin);
        let start = origin.start as usize;
        (!origin.is_none()).then(|| lines.starts.partition_point(|&line| line <= start))
    }

    /// The place of something: the file, and the lines and columns of its first and behind its last
    /// character, all from 1. Columns count characters.
    pub(crate) fn region(&self, origin: Origin) -> Option<Region<'a>> {
        let (lines, origin) = self.part(origin);
        if origin.is_none() {
            return None;
        }
        let text = lines.source.text();
        let position = |offset: u32| {
            let mut offset = text.len().min(offset as usize);
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            let line = lines.starts.partition_point(|&line| line <= offset);
            let column = text[lines.starts[line - 1]..offset].chars().count() + 1;
            (line, column)
        };
        Some(Region {
            file: lines.source.name(),
            start: position(origin.start),
            end: position(origin.end.max(origin.start)),
        })
    }

    /// The number of the line as text; for another text with its name, for a monitor's with the
    /// ending of that: `util.c:3`, `pal:7`.
    pub fn label(&self, origin: Origin) -> Option<String> {
        let number = self.number(origin)?;
        Some(match self.file(origin) {
            None => number.to_string(),
            Some(file) => {
                let name = match file.rsplit_once('.') {
                    Some((_, ending @ ("pal" | "spc"))) => ending,
                    _ => file.rsplit_once('/').map_or(file, |(_, name)| name),
                };
                format!("{name}:{number}")
            }
        })
    }

    /// The place where something begins: `file:line`, or the file alone.
    pub fn place(&self, origin: Origin) -> String {
        let name = self.file(origin).unwrap_or_else(|| self.source.name());
        match self.number(origin) {
            Some(line) => format!("{name}:{line}"),
            None => name.to_owned(),
        }
    }

    /// The first line of the text of something, cut if it is long.
    pub fn excerpt(&self, origin: Origin) -> Option<String> {
        let (lines, origin) = self.part(origin);
        let text = lines.source.text().get(origin.range())?.trim_start();
        let first = text.lines().next()?.trim_end();
        let mut characters = first.char_indices();
        Some(match characters.nth(WIDTH) {
            Some((end, _)) => format!("{}…", first[..end].trim_end()),
            None => first.to_owned(),
        })
    }
}

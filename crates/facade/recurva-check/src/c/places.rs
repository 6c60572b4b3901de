//! From preprocessed text back to the files that the user wrote.
//!
//! What the compiler's preprocessor has made of a unit says by line markers where its lines come
//! from. A place in it becomes one in the user's file: exactly, where the line is still the same
//! from there on, or else the first place in that line where the same text stands, or else the line.

use std::{fs, path::Path};

use recurva_c::{Places, tokens};
use recurva_model::Origin;
use recurva_pal::c::{OWN, VARIABLE};
use recurva_syntax::{Source, Span};
use rustc_hash::FxHashMap;

/// The files of a program, and how its units' preprocessed texts lead back to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// The first one is the model's own text.
    files: Vec<File>,
    by_name: FxHashMap<String, Option<usize>>,
}

#[derive(Clone, Debug)]
struct File {
    source: Source,
    /// The offset of each line.
    starts: Vec<u32>,
    /// Where its places begin among all.
    base: u32,
}

/// A unit's preprocessed text.
pub(super) struct Preprocessed<'t> {
    text: &'t [u8],
    places: Option<Places<'t>>,
    /// The file that the whole text is, if it was preprocessed by the user.
    whole: Option<usize>,
}

impl Files {
    /// The files of a program whose first one is this.
    pub(super) fn new(source: &Source) -> Self {
        let mut files = Files::default();
        files.add(source.clone());
        files
    }

    /// Adds a file; its number.
    pub(super) fn add(&mut self, source: Source) -> usize {
        let number = self.files.len();
        let base = self
            .files
            .last()
            .map_or(0, |last| last.base + last.source.end().end);
        let newlines = source
            .text()
            .bytes()
            .zip(1..)
            .filter(|(byte, _)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(newlines.map(|(_, at)| at))
            .collect();
        self.by_name.insert(source.name().to_owned(), Some(number));
        self.files.push(File {
            source,
            starts,
            base,
        });
        number
    }

    /// The files besides the first one, in the order of their places.
    pub(super) fn more(&self) -> Vec<Source> {
        let more = self.files.iter().skip(1);
        more.map(|file| file.source.clone()).collect()
    }

    /// All files.
    pub(super) fn all(&self) -> Vec<Source> {
        self.files.iter().map(|file| file.source.clone()).collect()
    }

    /// A text of the program, by its number.
    pub(super) fn source(&self, number: usize) -> &Source {
        &self.files[number].source
    }

    /// The file, the line and the column of a place, both from 1; columns count bytes.
    pub(super) fn line_column(&self, origin: Origin) -> Option<(&str, u32, u32)> {
        if origin.is_none() {
            return None;
        }
        let behind = self.files.partition_point(|file| file.base <= origin.start);
        let file = &self.files[behind.checked_sub(1)?];
        let offset = origin.start - file.base;
        let line = file.starts.partition_point(|&start| start <= offset);
        let column = offset - file.starts[line - 1] + 1;
        Some((file.source.name(), line as u32, column))
    }

    /// The file of a place, and the place in it.
    pub(super) fn in_file(&self, origin: Origin) -> Option<(usize, Span)> {
        if origin.is_none() {
            return None;
        }
        let behind = self.files.partition_point(|file| file.base <= origin.start);
        let number = behind.checked_sub(1)?;
        let base = self.files[number].base;
        let end = origin.end.saturating_sub(base);
        Some((number, Span::new(origin.start - base, end)))
    }

    /// The file that a line marker names. One that was not given is read, as long as it is a text.
    fn named(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let bytes = fs::read(Path::new(name)).ok();
        let source = bytes.and_then(|bytes| Source::from_bytes(name, bytes).ok());
        let number = source.map(|source| self.add(source));
        self.by_name.insert(name.to_owned(), number);
        number
    }

    /// Where a place of a preprocessed text comes from: the file and the place in it. `None` for
    /// what the system's headers or the compiler have put there.
    pub(super) fn place(&mut self, text: &Preprocessed<'_>, span: Span) -> Option<(usize, Span)> {
        if let Some(number) = text.whole {
            return Some((number, span));
        }
        let place = text.places.as_ref()?.of(span.start);
        let name = unquoted(place.file)?;
        // What a macro of the system expands to is marked so, too, though it stands in the user's file.
        if place.is_system() && !self.by_name.contains_key(&name) {
            return None;
        }
        let number = self.named(&name)?;
        let file = &self.files[number];
        let found = file.find(place.line, text, span)?;
        Some((number, found))
    }

    /// A place of a file as one among all texts.
    pub(super) fn origin_of(&self, number: usize, place: Span) -> Origin {
        let base = self.files[number].base;
        Origin {
            start: base + place.start,
            end: base + place.end,
        }
    }

    /// The same as a place among all texts.
    pub(super) fn origin(&mut self, text: &Preprocessed<'_>, span: Span) -> Origin {
        match self.place(text, span) {
            Some((number, found)) => self.origin_of(number, found),
            None => Origin::default(),
        }
    }
}

impl<'t> Preprocessed<'t> {
    /// A text that our compiler has preprocessed.
    pub(super) fn new(text: &'t [u8]) -> Self {
        let places = Places::new(text, &tokens(text));
        Preprocessed {
            text,
            places: Some(places),
            whole: None,
        }
    }

    /// A text that is the user's file of that number.
    pub(super) fn whole(text: &'t [u8], number: usize) -> Self {
        Preprocessed {
            text,
            places: None,
            whole: Some(number),
        }
    }

    /// The column of an offset in its line, from 0, in bytes.
    fn column(&self, offset: u32) -> usize {
        let before = &self.text[..offset as usize];
        let line = before.iter().rposition(|byte| *byte == b'\n');
        line.map_or(before.len(), |at| before.len() - at - 1)
    }
}

impl File {
    /// Where the text of a place of preprocessed text stands in a line.
    fn find(&self, line: u32, text: &Preprocessed<'_>, span: Span) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)? as usize)?;
        let end = match self.starts.get(line as usize) {
            Some(next) => next - 1,
            None => self.source.end().end,
        };
        let here = &self.source.text().as_bytes()[start as usize..end as usize];
        let raw = text.text[span.range()].trim_ascii_end();
        let is_woven = contains(raw, OWN.as_bytes());
        let wanted = match is_woven {
            true => without(raw, VARIABLE.as_bytes()),
            false => raw.to_vec(),
        };
        let wanted = &*wanted;
        let first = wanted.split(|byte| *byte == b'\n').next()?.trim_ascii_end();
        let column = text.column(span.start);
        let exact = here.get(column..).filter(|rest| rest.starts_with(first));
        let at = match exact {
            Some(_) => Some(column),
            None => near(here, first, is_woven.then_some(column)),
        };
        if let (None, true) = (at, is_woven)
            && let Some(found) = put_in(here, column, first)
        {
            return Some(Span::new(start + found.start, start + found.end));
        }
        let Some(at) = at.filter(|_| !first.is_empty()) else {
            let indent = here
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let length = here.trim_ascii().len();
            let from = start + indent as u32;
            return Some(Span::new(from, from + length as u32));
        };
        let from = start + at as u32;
        let all = self.source.text().as_bytes().get(from as usize..)?;
        let length = match all.starts_with(wanted) {
            true => wanted.len(),
            // What the text was before a macro changed its middle: up to where its end stands.
            false => same_end(&all[..all.len().min((end - from) as usize)], wanted, first),
        };
        Some(Span::new(from, from + length as u32))
    }
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|it| it == word)
}

/// A text without a word that stands before names.
fn without(text: &[u8], word: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        match rest.strip_prefix(word) {
            Some(behind) => rest = behind,
            None => {
                out.push(first);
                rest = behind;
            }
        }
    }
    out
}

/// The first place of a text in a line; of a monitor's, whose names have become longer, the last one that
/// is not behind where it stands now.
fn near(line: &[u8], text: &[u8], column: Option<usize>) -> Option<usize> {
    let places = line.windows(text.len().max(1)).enumerate();
    let mut places = places.filter(|(_, it)| *it == text).map(|(at, _)| at);
    let first = places.next()?;
    let later = places.take_while(|at| column.is_some_and(|column| *at <= column));
    Some(later.last().unwrap_or(first))
}

/// Where a text of a monitor stands in its line, if something was put in for what it says there: from its
/// first word to the end of the statement or of the guard, of a statement with a condition to the end of
/// that.
fn put_in(line: &[u8], column: usize, text: &[u8]) -> Option<Span> {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = text.iter().take_while(is_word).count();
    let word = &text[..length];
    if word.is_empty() {
        return None;
    }
    let at = near(line, word, Some(column))?;
    let has_head = matches!(word, b"if" | b"while" | b"for" | b"switch");
    let rest = &line[at + length..];
    let (mut depth, mut end) = (0usize, rest.len());
    for (number, byte) in rest.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => {
                end = number;
                break;
            }
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        let is_end = *byte == b';' || (has_head && *byte == b')');
        if depth == 0 && is_end {
            end = number + 1;
            break;
        }
    }
    let end = length + rest[..end].trim_ascii_end().len();
    Some(Span::new(at as u32, (at + end) as u32))
}

/// How long the text is that begins as a preprocessed one does and ends as it does, with as many
/// closing parentheses as opening ones; only as long as they begin alike if there is none.
fn same_end(line: &[u8], wanted: &[u8], first: &[u8]) -> usize {
    let last = wanted.rsplit(|byte| *byte == b'\n').next();
    let last = last.unwrap_or_default().trim_ascii();
    if last.is_empty() || first.len() == wanted.len() {
        return first.len();
    }
    let count = |text: &[u8], wanted: u8| text.iter().filter(|byte| **byte == wanted).count();
    let ends = line.windows(last.len()).enumerate().skip(first.len());
    let mut ends = ends.filter(|(_, it)| *it == last);
    let found = ends.find(|(at, _)| {
        let text = &line[..at + last.len()];
        count(text, b'(') == count(text, b')')
    });
    found.map_or(first.len(), |(at, _)| at + last.len())
}

/// The name of a file in a line marker, without its escapes; `None` for `<built-in>` and the like.
fn unquoted(name: &[u8]) -> Option<String> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => out.extend(bytes.next()),
            _ => out.push(byte),
        }
    }
    let name = String::from_utf8(out).ok()?;
    (!name.starts_with('<')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that a word of a preprocessed text comes from.
    fn found(user: &str, text: &str, word: &str) -> Option<String> {
        let source = Source::new("a \"b.c", user).unwrap();
        let mut files = Files::new(&source);
        let at = text.find(word).unwrap() as u32;
        let span = Span::new(at, at + word.len() as u32);
        let text = Preprocessed::new(text.as_bytes());
        let (number, span) = files.place(&text, span)?;
        assert_eq!(number, 0);
        Some(format!("{}:{}", span.start, source.slice(span)))
    }

    #[test]
    fn lines_that_are_the_same_or_not() {
        let user = "#define X 3\nint x; \n  return x + X;\nif (a\n    && b)\n";
        let text = "# 1 \"a \\\"b.c\"\n\nint x;\n  return x + 3;\nif (a\n    && b)\n";
        assert_eq!(found(user, text, "int x;").unwrap(), "12:int x;");
        assert_eq!(found(user, text, "x + 3").unwrap(), "22:return x + X;");
        assert_eq!(found(user, text, "a\n    && b").unwrap(), "40:a\n    && b");
        let text = "# 3 \"a \\\"b.c\"\n return    x + 3;\n";
        assert_eq!(found(user, text, "x ").unwrap(), "29:x");
        let asserted = "# 3 \"a \\\"b.c\" 3 4\n ((x) ? 0 : fail(\"x\"))\n";
        assert_eq!(found(user, asserted, "fail").unwrap(), "22:return x + X;");
        let text = "# 3 \"a \\\"b.c\"\n  return x + \n# 3 \"h.h\"\n 3\n# 3 \"a \\\"b.c\"\n ;\n";
        let whole = &text[text.find("return").unwrap()..text.rfind(';').unwrap() + 1];
        assert_eq!(found(user, text, whole).unwrap(), "22:return x + X;");
        let header = "# 1 \"/usr/include/h.h\" 1 3 4\nint y;\n";
        assert_eq!(found(user, header, "int y;"), None);
        assert_eq!(found(user, "# 1 \"<built-in>\"\nint y;\n", "y"), None);
    }

    #[test]
    fn several_files_follow_each_other() {
        let mut files = Files::new(&Source::new("a.c", "int a;\n").unwrap());
        files.add(Source::new("b.c", "int b;\n").unwrap());
        let text = Preprocessed::new(b"# 1 \"b.c\"\nint b;\n");
        let origin = files.origin(&text, Span::new(10, 13));
        assert_eq!((origin.start, origin.end), (7, 10));
        assert_eq!(files.more().len(), 1);
        let whole = Preprocessed::whole(b"int b;\n", 1);
        assert_eq!(files.origin(&whole, Span::new(4, 5)).start, 11);
        let nowhere = Preprocessed::new(b"# 1 \"none.c\"\nint b;\n");
        assert!(files.origin(&nowhere, Span::new(14, 15)).is_none());
    }
}

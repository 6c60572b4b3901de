//! Where the statements of a program came from that was made from C.
//!
//! Tools that abstract C programs say so in comments. Two forms are known:
//!
//! ```text
//! // file alloc.c line 11 column 25 function c::malloc1
//! // #line 11 "alloc.c"
//! ```
//!
//! Each is about the statement that follows it. No other part of the language knows of them.
//!
//! ```
//! use recurva_lang::provenance::Provenance;
//! use recurva_syntax::Source;
//!
//! let text = "void main() begin\n  // file a.c line 7 function c::main\n  assert(F); skip;\nend";
//! let places = Provenance::of(&Source::new("a.bp", text)?);
//! let place = places.at(text.find("assert").unwrap() as u32).expect("a place in C");
//! assert_eq!((&*place.file, place.line), ("a.c", 7));
//! assert_eq!(places.at(text.find("skip").unwrap() as u32), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use recurva_syntax::Source;

/// A place in a C program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file, as the comment names it.
    pub file: Box<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, if the comment has one.
    pub column: Option<u32>,
    /// The function, if the comment has one.
    pub function: Option<Box<str>>,
}

/// The places in C that a text has comments about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// In the order of the text.
    marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    /// Offset of the comment's end.
    from: u32,
    /// Offset behind the statement.
    to: u32,
    place: Place,
}

impl Provenance {
    /// The places that the comments of a text name.
    pub fn of(source: &Source) -> Self {
        let text = source.text();
        let mut marks: Vec<Mark> = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = next_comment(text, at) {
            at = end;
            let Some(place) = parse(&text[start..end]) else {
                continue;
            };
            let to = statement_end(text, end);
            marks.push(Mark {
                from: end as u32,
                to: to as u32,
                place,
            });
        }
        Provenance { marks }
    }

    /// Places that are known from elsewhere, each for what begins at its first byte.
    pub fn of_places(places: impl IntoIterator<Item = (std::ops::Range<u32>, Place)>) -> Self {
        let marks = places.into_iter().map(|(range, place)| Mark {
            from: range.start,
            to: range.end,
            place,
        });
        let mut marks: Vec<Mark> = marks.collect();
        marks.sort_by_key(|mark| mark.from);
        marks.dedup_by_key(|mark| mark.from);
        Provenance { marks }
    }

    /// The place that the statement at an offset came from.
    pub fn at(&self, offset: u32) -> Option<&Place> {
        let behind = self.marks.partition_point(|mark| mark.from <= offset);
        let mark = self.marks.get(behind.checked_sub(1)?)?;
        (offset < mark.to).then_some(&mark.place)
    }

    /// Whether there is no such comment.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// All places, in the order of the text.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.marks.iter().map(|mark| &mark.place)
    }
}

/// The next comment from an offset on: where it starts and ends.
fn next_comment(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find('/')?;
        let rest = &text[start..];
        if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            return Some((start, start + end));
        }
        if let Some(inside) = rest.strip_prefix("/*") {
            let end = inside.find("*/").map_or(rest.len(), |end| end + 4);
            return Some((start, start + end));
        }
        at = start + 1;
    }
}

/// The end of the first statement from an offset on. Of a statement with others in it that is the
/// end of its head.
fn statement_end(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let comment = next_comment(text, at);
        let stop = comment.map_or(text.len(), |(start, _)| start);
        let words = text[at..stop].split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
        let mut now = at;
        for word in words {
            now += word.len();
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            if word.ends_with(';') || matches!(name, "then" | "do" | "begin") {
                return now;
            }
        }
        match comment {
            // The next one is about another statement.
            Some((start, end)) if parse(&text[start..end]).is_some() => return start,
            Some((_, end)) => at = end,
            None => return text.len(),
        }
    }
}

/// The place that a comment names.
fn parse(comment: &str) -> Option<Place> {
    let comment = comment.strip_prefix("//")?.trim();
    if let Some(rest) = comment.strip_prefix("#line ") {
        let (line, file) = rest.trim_start().split_once(' ')?;
        let file = file.trim().strip_prefix('"')?.strip_suffix('"')?;
        return place(file, line, None, None);
    }
    let rest = comment.strip_prefix("file ")?;
    let (file, rest) = rest.rsplit_once(" line ")?;
    let (rest, function) = match rest.split_once(" function ") {
        Some((rest, function)) => (rest, Some(function.trim())),
        None => (rest, None),
    };
    let (line, column) = match rest.split_once(" column ") {
        Some((line, column)) => (line, Some(column.trim().parse().ok()?)),
        None => (rest, None),
    };
    // Functions are said to be of the language C.
    let function = function.map(|name| name.strip_prefix("c::").unwrap_or(name));
    place(file.trim(), line, column, function)
}

fn place(file: &str, line: &str, column: Option<u32>, function: Option<&str>) -> Option<Place> {
    let line = line.trim().parse().ok().filter(|&line| line > 0)?;
    (!file.is_empty()).then(|| Place {
        file: file.into(),
        line,
        column: column.filter(|&column| column > 0),
        function: function.map(Into::into),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Provenance {
        Provenance::of(&Source::new("t.bp", text).unwrap())
    }

    fn line_at(text: &str, word: &str) -> Option<u32> {
        let at = text.find(word).unwrap() as u32;
        places(text).at(at).map(|place| place.line)
    }

    #[test]
    fn comments_are_read_with_all_their_parts() {
        let all = "// file /tmp/a b.c line 11 column 25 function c::malloc1\nskip;";
        let all: Vec<Place> = places(all).places().cloned().collect();
        assert_eq!(
            all,
            [Place {
                file: "/tmp/a b.c".into(),
                line: 11,
                column: Some(25),
                function: Some("malloc1".into()),
            }]
        );
        for (text, line) in [
            ("// file a.c line 3\nx;", Some(3)),
            ("// file a.c line 3 function f\nx;", Some(3)),
            ("//#line 4 \"a.c\"\nx;", Some(4)),
            ("// file a.c line 0\nx;", None),
            ("// file a.c line 99999999999\nx;", None),
            ("// file a.c lines 3\nx;", None),
            ("// file  line 3\nx;", None),
            ("/* // file a.c line 3\n */ x;", None),
            ("// #line 4 a.c\nx;", None),
        ] {
            assert_eq!(line_at(text, "x"), line, "{text}");
        }
    }

    #[test]
    fn a_comment_is_about_the_statement_behind_it() {
        let text = "decl a; // file a.c line 1\n b := 1; c := 2;\n// file a.c line 2\n// b0;\n\
                    if (d) then e := 1; fi // file a.c line 3\n f := 1";
        for (word, line) in [
            ("a;", None),
            ("b :=", Some(1)),
            ("c :=", None),
            ("if", Some(2)),
            ("d)", Some(2)),
            ("e :=", None),
            ("f :=", Some(3)),
        ] {
            assert_eq!(line_at(text, word), line, "{word}");
        }
    }
}

//! Which line of which file a byte of preprocessed text comes from.

use recurva_syntax::Span;

use crate::lex::{Kind, Token};

/// A line of a file of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'t> {
    /// The file as the line marker names it: between the quotes, still escaped.
    pub file: &'t [u8],
    /// The line, from 1.
    pub line: u32,
    /// What stands behind the file in the marker, without the marks for entering and leaving a
    /// file: `3` for a header of the system, `3 4` for one in C.
    pub flags: &'t [u8],
}

impl Place<'_> {
    /// Whether it is in a header of the system.
    pub fn is_system(&self) -> bool {
        self.flags.contains(&b'3')
    }
}

/// The line markers of a text.
#[derive(Debug)]
pub struct Places<'t> {
    text: &'t [u8],
    /// Each marker with the offset of the line behind it.
    markers: Vec<(u32, Marker)>,
}

#[derive(Clone, Copy, Debug)]
struct Marker {
    line: u32,
    file: Span,
    flags: Span,
}

impl<'t> Places<'t> {
    /// The markers among the tokens of a text.
    pub fn new(text: &'t [u8], tokens: &[Token]) -> Self {
        let lines = tokens.iter().filter(|token| token.kind == Kind::Line);
        let marker = |token: &Token| Some((token.span.end + 1, marker(text, token.span)?));
        Places {
            text,
            markers: lines.filter_map(marker).collect(),
        }
    }

    /// Where a byte comes from. A text without markers is a file without a name.
    pub fn of(&self, offset: u32) -> Place<'t> {
        let behind = self.markers.partition_point(|(start, _)| *start <= offset);
        let (start, marker) = match behind.checked_sub(1) {
            Some(last) => self.markers[last],
            None => {
                let nowhere = Span::at(0);
                let marker = Marker {
                    line: 1,
                    file: nowhere,
                    flags: nowhere,
                };
                (0, marker)
            }
        };
        let between =
            &self.text[start as usize..(offset as usize).min(self.text.len()).max(start as usize)];
        let lines = between.iter().filter(|byte| **byte == b'\n').count();
        Place {
            file: &self.text[marker.file.range()],
            line: marker.line.saturating_add(lines as u32),
            flags: &self.text[marker.flags.range()],
        }
    }
}

/// `# 12 "file" flags` or `#line 12 "file"`; pragmas are none.
fn marker(text: &[u8], span: Span) -> Option<Marker> {
    let all = &text[span.range()];
    let skip = |mut at: usize| {
        while matches!(all.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let mut at = skip(1);
    if all[at..].starts_with(b"line") {
        at = skip(at + 4);
    }
    let digits = all[at..].iter().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let line = std::str::from_utf8(&all[at..at + digits])
        .ok()?
        .parse()
        .ok()?;
    at = skip(at + digits);
    if all.get(at) != Some(&b'"') {
        return None;
    }
    let open = at + 1;
    at = open;
    while *all.get(at)? != b'"' {
        at += if all[at] == b'\\' { 2 } else { 1 };
    }
    let file = Span::new(span.start + open as u32, span.start + at as u32);
    let mut flags = skip(at + 1);
    while matches!(all.get(flags), Some(b'1' | b'2')) {
        flags = skip(flags + 1);
    }
    let flags = Span::new(span.start + flags.min(all.len()) as u32, span.end);
    Some(Marker { line, file, flags })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    #[test]
    fn lines_of_files() {
        let text = b"# 1 \"a \\\"b.c\"\nx\ny\n# 7 \"/usr/h.h\" 1 3 4\nz\n#pragma once\nw";
        let tokens = tokens(text);
        let places = Places::new(text, &tokens);
        let at = |name: &[u8]| {
            let found = tokens.iter().find(|token| token.of(text) == name);
            places.of(found.unwrap().span.start)
        };
        assert_eq!((at(b"x").file, at(b"x").line), (&b"a \\\"b.c"[..], 1));
        assert_eq!(at(b"y").line, 2);
        assert!(!at(b"y").is_system());
        assert_eq!((at(b"z").line, at(b"w").line), (7, 9));
        assert_eq!(at(b"w").flags, b"3 4");
        assert!(at(b"z").is_system());
    }

    #[test]
    fn a_text_without_markers() {
        let text = b"a\nb";
        let places = Places::new(text, &tokens(text));
        assert_eq!(places.of(2).line, 2);
        assert_eq!(places.of(99).line, 2);
    }
}

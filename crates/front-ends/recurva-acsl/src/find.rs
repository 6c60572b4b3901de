//! Where annotations are in the text of a C source.

use recurva_syntax::Span;

/// A comment that is an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// All of it.
    pub(crate) all: Span,
    /// What is between its marks.
    pub(crate) body: Span,
    /// Where the next token stands.
    pub(crate) target: u32,
}

/// Whether a text has annotations at all, strings and the like included: a quick look.
pub fn has_annotations(text: &str) -> bool {
    let slashes = text.match_indices('/');
    let mut rests = slashes.map(|(at, _)| &text.as_bytes()[at..]);
    rests.any(|rest| rest.starts_with(b"//@") || rest.starts_with(b"/*@"))
}

/// All annotations of a text.
pub(crate) fn comments(text: &str) -> Vec<Comment> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
    };
    let mut found: Vec<Comment> = Vec::new();
    // Those that wait for the next token.
    let mut waiting = 0;
    while scanner.at < scanner.text.len() {
        let start = scanner.at;
        match scanner.piece() {
            Piece::Space => continue,
            Piece::Comment(body) => {
                if scanner.text.get(start + 2) == Some(&b'@') {
                    let end = scanner.at as u32;
                    found.push(Comment {
                        all: Span::new(start as u32, end),
                        body,
                        target: end,
                    });
                }
                continue;
            }
            Piece::Token => {}
        }
        set_targets(&mut found[waiting..], start as u32);
        waiting = found.len();
    }
    set_targets(&mut found[waiting..], text.len() as u32);
    found
}

fn set_targets(comments: &mut [Comment], target: u32) {
    comments.iter_mut().for_each(|it| it.target = target);
}

enum Piece {
    Space,
    /// A comment, with what is behind its `@` and before its end.
    Comment(Span),
    Token,
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && test(self.text[self.at]) {
            self.at += 1;
        }
    }

    /// Passes one piece of the text, of at least one byte.
    fn piece(&mut self) -> Piece {
        match (self.peek(0), self.peek(1)) {
            (b'/', b'/') => self.line_comment(),
            (b'/', b'*') => self.block_comment(),
            (b'"' | b'\'', _) => self.quoted(),
            (byte, _) if byte.is_ascii_whitespace() => {
                self.at += 1;
                Piece::Space
            }
            (byte, _) if byte.is_ascii_digit() => self.number(),
            (byte, _) if is_part(byte) => {
                self.skip_while(is_part);
                Piece::Token
            }
            _ => {
                self.at += 1;
                Piece::Token
            }
        }
    }

    /// Up to the end of the line; a backslash there goes on with the next one.
    fn line_comment(&mut self) -> Piece {
        let start = self.at + 3;
        loop {
            self.skip_while(|byte| byte != b'\n');
            let before = &self.text[..self.at];
            let before = before.strip_suffix(b"\r").unwrap_or(before);
            if self.at >= self.text.len() || !before.ends_with(b"\\") {
                break;
            }
            self.at += 1;
        }
        Piece::Comment(Span::new(start.min(self.at) as u32, self.at as u32))
    }

    fn block_comment(&mut self) -> Piece {
        let start = self.at + 3;
        let rest = &self.text[self.at + 2..];
        let (inner, length) = match rest.windows(2).position(|pair| pair == b"*/") {
            Some(end) => (self.at + 2 + end, self.at + 2 + end + 2),
            None => (self.text.len(), self.text.len()),
        };
        self.at = length;
        Piece::Comment(Span::new(start.min(inner) as u32, inner as u32))
    }

    /// A literal up to its closing quote, or to the end of the line.
    fn quoted(&mut self) -> Piece {
        let quote = self.peek(0);
        self.at += 1;
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'\n' => break,
                b'\\' => self.at = (self.at + 2).min(self.text.len()),
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        Piece::Token
    }

    /// A number; its digits may be separated by quotes.
    fn number(&mut self) -> Piece {
        loop {
            self.skip_while(|byte| is_part(byte) || byte == b'.');
            if self.peek(0) != b'\'' || !self.peek(1).is_ascii_alphanumeric() {
                return Piece::Token;
            }
            self.at += 1;
        }
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        let comments = comments(text).into_iter();
        comments
            .map(|it| (&text[it.body.range()], &text[it.target as usize..]))
            .collect()
    }

    #[test]
    fn only_comments_that_begin_with_the_mark() {
        assert_eq!(found("//@ a\nx;"), [(" a", "x;")]);
        assert_eq!(found("/*@ a */ // b\n x"), [(" a ", "x")]);
        assert_eq!(found("//@a\n//@b\nx"), [("a", "x"), ("b", "x")]);
        assert_eq!(found("\"//@ a\" '\"' /* //@ b */ // /*@ c\n"), []);
        assert_eq!(found("'\\'' /*@ a*/"), [(" a", "")]);
        assert_eq!(found("1'000 /*@ a*/ 2'0"), [(" a", "2'0")]);
        assert_eq!(found("//@ a \\\n b\nx"), [(" a \\\n b", "x")]);
    }

    #[test]
    fn nothing_makes_it_stop() {
        assert_eq!(found("/*@"), [("", "")]);
        assert_eq!(found("/*@ a"), [(" a", "")]);
        assert_eq!(found("//@"), [("", "")]);
        assert_eq!(found("/*@/"), [("/", "")]);
        assert_eq!(found("\"\\"), []);
        assert!(has_annotations("x /*@"));
        assert!(!has_annotations("x /* @ // @ /"));
    }
}

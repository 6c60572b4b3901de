//! The tokens of C after preprocessing.

use recurva_syntax::Span;

use crate::word::Word;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or a keyword.
    Name,
    /// A number of any kind.
    Number,
    /// A character constant.
    Char,
    /// A string literal, with its prefix.
    Text,
    /// An operator or a bracket.
    Sign,
    /// A line that begins with `#`: a line marker or a pragma.
    Line,
    /// A byte that begins no token.
    Stray,
    /// Behind the last token.
    End,
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

impl Token {
    /// Its bytes.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.span.range()]
    }
}

/// All tokens of a text; the last one is [`Kind::End`]. Comments count as space.
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == Kind::End {
            return tokens;
        }
    }
}

pub(crate) struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    /// The last token, if it was a sign.
    word: Word,
    /// Up to where a line with an open quote has been looked through.
    open_until: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Lexer {
            text,
            at: 0,
            word: Word::Other,
            open_until: 0,
        }
    }

    /// Which sign the last token is.
    pub(crate) fn sign(&self) -> Word {
        self.word
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(crate) fn next(&mut self) -> Token {
        self.word = Word::Other;
        let is_line_start = self.skip_space();
        let start = self.at;
        let kind = match self.peek(0) {
            byte if is_name(byte) => self.name(),
            b'\\' if self.is_escape() => self.name(),
            b'0'..=b'9' => self.number(),
            0 if start >= self.text.len() => Kind::End,
            b'#' if is_line_start => {
                self.skip_while(|byte| byte != b'\n');
                Kind::Line
            }
            b'"' => self.quoted(b'"', Kind::Text),
            b'\'' => self.quoted(b'\'', Kind::Char),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ => match Word::sign(&self.text[start..]) {
                Some((word, length)) => {
                    self.word = word;
                    self.at += length;
                    Kind::Sign
                }
                None => {
                    self.at += 1;
                    Kind::Stray
                }
            },
        };
        Token {
            kind,
            span: Span::new(start as u32, self.at as u32),
        }
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && test(self.text[self.at]) {
            self.at += 1;
        }
    }

    /// Skips space and comments. Whether a new line, or the text, begins behind it.
    fn skip_space(&mut self) -> bool {
        let mut is_line_start = self.at == 0;
        loop {
            match self.peek(0) {
                b'\n' => {
                    is_line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_while(|byte| byte != b'\n'),
                b'/' if self.peek(1) == b'*' => {
                    let rest = &self.text[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == b"*/");
                    self.at = end.map_or(self.text.len(), |end| self.at + 2 + end + 2);
                }
                _ => return is_line_start,
            }
        }
    }

    fn name(&mut self) -> Kind {
        let start = self.at;
        self.skip_while(is_part);
        while self.is_escape() {
            self.at += 2;
            self.skip_while(is_part);
        }
        let prefix = &self.text[start..self.at];
        if !matches!(prefix, b"L" | b"u" | b"U" | b"u8") {
            return Kind::Name;
        }
        match self.peek(0) {
            b'"' => self.quoted(b'"', Kind::Text),
            b'\'' => self.quoted(b'\'', Kind::Char),
            _ => Kind::Name,
        }
    }

    /// Whether a letter is written as its number here: `\u00e9`.
    fn is_escape(&self) -> bool {
        self.peek(0) == b'\\'
            && matches!(self.peek(1), b'u' | b'U')
            && self.peek(2).is_ascii_hexdigit()
    }

    fn number(&mut self) -> Kind {
        loop {
            let before = self.peek(0) | 0x20;
            self.at += 1;
            match self.peek(0) {
                b'+' | b'-' if matches!(before, b'e' | b'p') => {}
                // C23: 1'000.
                b'\'' if self.peek(1).is_ascii_alphanumeric() => {}
                byte if is_part(byte) || byte == b'.' => {}
                _ => return Kind::Number,
            }
        }
    }

    /// A literal up to its closing quote; without one it is a stray byte.
    fn quoted(&mut self, quote: u8, kind: Kind) -> Kind {
        let start = self.at;
        // Behind an open quote, others on the same line are stray, too: nobody could say what
        // they enclose, and a long line would be looked through for each of them.
        if start < self.open_until {
            self.at = start + 1;
            return Kind::Stray;
        }
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' => self.at += 2,
                b'\n' | 0 => {
                    self.open_until = self.at;
                    self.at = start + 1;
                    return Kind::Stray;
                }
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return kind;
                    }
                }
            }
        }
    }
}

/// What a byte can be: 1 begins names, 2 goes on with them.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let it = byte as u8;
        classes[byte] = if it.is_ascii_alphabetic() || it == b'_' || it == b'$' || it >= 0x80 {
            3
        } else if it.is_ascii_digit() {
            2
        } else {
            0
        };
        byte += 1;
    }
    classes
};

fn is_name(byte: u8) -> bool {
    CLASSES[byte as usize] & 1 != 0
}

fn is_part(byte: u8) -> bool {
    CLASSES[byte as usize] != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let text = text.as_bytes();
        let tokens = tokens(text);
        let all = tokens.iter().take(tokens.len() - 1);
        all.map(|token| String::from_utf8_lossy(token.of(text)).into_owned())
            .collect()
    }

    #[test]
    fn numbers_names_and_signs() {
        assert_eq!(
            texts("x->y+++0x1.8p-3 .5e+7f L\"a\\\"b\" u'c' a...b"),
            [
                "x",
                "->",
                "y",
                "++",
                "+",
                "0x1.8p-3",
                ".5e+7f",
                "L\"a\\\"b\"",
                "u'c'",
                "a",
                "...",
                "b"
            ]
        );
    }

    #[test]
    fn comments_are_space_and_lines_are_tokens() {
        assert_eq!(
            texts("a /* # */ // \"\n# 3 \"f.c\"\n b # c"),
            ["a", "# 3 \"f.c\"", "b", "#", "c"]
        );
    }

    #[test]
    fn nothing_makes_it_stop() {
        assert_eq!(texts("\"open\n'x"), ["\"", "open", "'", "x"]);
        assert_eq!(texts("/* open"), [""; 0]);
        assert_eq!(texts("\"\\"), ["\"", "\\"]);
    }
}

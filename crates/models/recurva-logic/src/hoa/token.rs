//! Tokens of the format.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `States:`
    Header,
    Word,
    /// `@name`
    Alias,
    Number,
    Text,
    Not,
    And,
    Or,
    Open,
    Close,
    OpenLabel,
    CloseLabel,
    OpenMarks,
    CloseMarks,
    Body,
    EndOfAutomaton,
    Abort,
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Header => "a header",
            Kind::Word => "a word",
            Kind::Alias => "an alias",
            Kind::Number => "a number",
            Kind::Text => "a text in quotes",
            Kind::Not => "`!`",
            Kind::And => "`&`",
            Kind::Or => "`|`",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::OpenLabel => "`[`",
            Kind::CloseLabel => "`]`",
            Kind::OpenMarks => "`{`",
            Kind::CloseMarks => "`}`",
            Kind::Body => "`--BODY--`",
            Kind::EndOfAutomaton => "`--END--`",
            Kind::Abort => "`--ABORT--`",
            Kind::End => "the end of the text",
        }
    }
}

const SYMBOLS: [(&str, Kind); 12] = [
    ("--BODY--", Kind::Body),
    ("--END--", Kind::EndOfAutomaton),
    ("--ABORT--", Kind::Abort),
    ("!", Kind::Not),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("[", Kind::OpenLabel),
    ("]", Kind::CloseLabel),
    ("{", Kind::OpenMarks),
    ("}", Kind::CloseMarks),
];

/// Splits a source into tokens.
#[derive(Debug)]
pub(super) struct Words<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Words<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Words {
            text: source.text(),
            at: 0,
        }
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token<Kind> {
        let start = self.at as u32;
        self.at += length;
        Token {
            kind,
            span: Span::new(start, self.at as u32),
        }
    }

    /// Passes blanks and comments, which nest.
    fn skip_blanks(&mut self, diagnostics: &mut Diagnostics) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("/*") {
                return;
            }
            let opener = Span::new(self.at as u32, self.at as u32 + 2);
            let mut depth = 0;
            loop {
                let rest = self.rest();
                if rest.starts_with("/*") {
                    depth += 1;
                    self.at += 2;
                } else if rest.starts_with("*/") {
                    depth -= 1;
                    self.at += 2;
                } else if let Some(character) = rest.chars().next() {
                    self.at += character.len_utf8();
                } else {
                    diagnostics.report(|| {
                        Diagnostic::error("this comment does not end", opener)
                            .help("close it with `*/`")
                    });
                    return;
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    fn quoted(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let mut escaped = false;
        for (at, byte) in self.rest().bytes().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return self.token(Kind::Text, at + 1),
                _ => {}
            }
        }
        let quote = Span::new(self.at as u32, self.at as u32 + 1);
        diagnostics.report(|| Diagnostic::error("this quote is not closed", quote));
        self.token(Kind::Text, self.rest().len())
    }
}

fn word_length(text: &str) -> usize {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    text.bytes().take_while(in_word).count()
}

impl Lexer for Words<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            self.skip_blanks(diagnostics);
            let rest = self.rest();
            match rest.as_bytes() {
                [] => return self.token(Kind::End, 0),
                [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                    let length = word_length(rest);
                    return if rest[length..].starts_with(':') {
                        self.token(Kind::Header, length + 1)
                    } else {
                        self.token(Kind::Word, length)
                    };
                }
                [b'@', ..] => return self.token(Kind::Alias, 1 + word_length(&rest[1..])),
                [b'0'..=b'9', ..] => {
                    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                    return self.token(Kind::Number, length);
                }
                [b'"', ..] => return self.quoted(diagnostics),
                _ => {}
            }
            match SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
                Some(&(text, kind)) => return self.token(kind, text.len()),
                None => {
                    let length = rest.chars().next().map_or(1, char::len_utf8);
                    let span = self.token(Kind::End, length).span;
                    diagnostics.report(|| {
                        let text = rest[..length].escape_debug();
                        Diagnostic::error(format!("`{text}` has no meaning here"), span)
                    });
                }
            }
        }
    }
}

//! Tokens of flat machines.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

use crate::token::clip;

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    /// A text in double quotes.
    Text,
    Arrow,
    LongArrow,
    /// `-call->`
    CallArrow,
    /// `-ret->`
    ReturnArrow,
    Colon,
    Comma,
    Dot,
    Open,
    Close,
    Less,
    Greater,
    /// The end of a line that has tokens on it.
    Line,
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Name => "a name",
            Kind::Text => "a text in quotes",
            Kind::Arrow => "`->`",
            Kind::LongArrow => "`-->`",
            Kind::CallArrow => "`-call->`",
            Kind::ReturnArrow => "`-ret->`",
            Kind::Colon => "`:`",
            Kind::Comma => "`,`",
            Kind::Dot => "`.`",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::Less => "`<`",
            Kind::Greater => "`>`",
            Kind::Line => "the end of the line",
            Kind::End => "the end of the text",
        }
    }
}

/// What a dot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dots {
    /// Between a component, a box and a node.
    Separate,
    /// Part of a name.
    InNames,
}

/// Splits a source into tokens. Comments go from `#` or `//` to the end of the line.
#[derive(Debug)]
pub(crate) struct Tokens<'s> {
    text: &'s str,
    at: usize,
    dots: Dots,
    /// There is a token on the current line.
    begun: bool,
}

impl<'s> Tokens<'s> {
    pub(crate) fn new(source: &'s Source, dots: Dots) -> Self {
        Tokens {
            text: source.text(),
            at: 0,
            dots,
            begun: false,
        }
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token<Kind> {
        let start = self.at as u32;
        self.at += length;
        self.begun = !matches!(kind, Kind::Line | Kind::End);
        Token {
            kind,
            span: Span::new(start, self.at as u32),
        }
    }

    fn is_name(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'\'' | b'$' | b'@')
            || (byte == b'.' && self.dots == Dots::InNames)
    }

    fn quoted(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let stop = rest.iter().position(|b| matches!(b, b'"' | b'\n'));
        let length = stop.unwrap_or(rest.len());
        if rest.get(length) == Some(&b'"') {
            return self.token(Kind::Text, length + 2);
        }
        let quote = Span::new(self.at as u32, self.at as u32 + 1);
        diagnostics.report(|| {
            Diagnostic::error("this text does not end on its line", quote)
                .help("close it with `\"`")
        });
        self.token(Kind::Text, length + 1)
    }

    /// Passes text that is no token.
    fn unknown(&mut self, diagnostics: &mut Diagnostics) {
        let strange = |c: char| !c.is_ascii() || (c.is_ascii_control() && !c.is_ascii_whitespace());
        let rest = &self.text[self.at..];
        let foreign = rest.chars().take_while(|&c| strange(c));
        let length: usize = foreign.map(char::len_utf8).sum();
        let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
        let span = Span::new(self.at as u32, (self.at + length) as u32);
        self.at += length;
        let text = &self.text[span.range()];
        diagnostics.report(|| {
            let shown = clip(&text.escape_debug().to_string());
            let help = match text {
                "-" | "=" => Some("an edge is written `u -> v`, a rule `p <x> --> q <y>`"),
                "{" | "}" | ";" => Some("each item stands on a line of its own"),
                _ if text.chars().any(char::is_alphabetic) => {
                    Some("names have the letters a to z, digits, and `_`, `'`, `$`, `@`")
                }
                _ => None,
            };
            Diagnostic::error(format!("`{shown}` has no meaning here"), span)
                .help_if(help.map(str::to_owned))
        });
    }
}

impl Lexer for Tokens<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let (kind, length) = match *rest {
                [] if self.begun => (Kind::Line, 0),
                [] => (Kind::End, 0),
                [b'\n', ..] if self.begun => (Kind::Line, 1),
                [b' ' | b'\t' | b'\r' | b'\n' | 0x0c, ..] => {
                    self.at += 1;
                    continue;
                }
                [b'#', ..] | [b'/', b'/', ..] => {
                    let line = rest.iter().position(|&b| b == b'\n');
                    self.at += line.unwrap_or(rest.len());
                    continue;
                }
                _ if rest.starts_with(b"-call->") => (Kind::CallArrow, 7),
                _ if rest.starts_with(b"-ret->") => (Kind::ReturnArrow, 6),
                [b'-', b'-', b'>', ..] => (Kind::LongArrow, 3),
                [b'-', b'>', ..] => (Kind::Arrow, 2),
                [b':', ..] => (Kind::Colon, 1),
                [b',', ..] => (Kind::Comma, 1),
                [b'.', ..] if self.dots == Dots::Separate => (Kind::Dot, 1),
                [b'(', ..] => (Kind::Open, 1),
                [b')', ..] => (Kind::Close, 1),
                [b'<', ..] => (Kind::Less, 1),
                [b'>', ..] => (Kind::Greater, 1),
                [b'"', ..] => return self.quoted(diagnostics),
                [byte, ..] if self.is_name(byte) => {
                    let length = rest.iter().take_while(|&&b| self.is_name(b)).count();
                    (Kind::Name, length)
                }
                _ => {
                    self.unknown(diagnostics);
                    continue;
                }
            };
            return self.token(kind, length);
        }
    }
}

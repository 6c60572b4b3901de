//! The words of formulas.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

use super::{Infix, is_like_type};

/// A kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    End,
    /// A name of C, several with dots between them, or one that begins with a backslash.
    Name,
    /// A name between backquotes.
    Quoted,
    /// `int32` and the like, of any number of bits.
    Type,
    Number,
    Old,
    True,
    False,
    Not,
    Question,
    Colon,
    Open,
    Close,
    OpenIndex,
    CloseIndex,
    Infix(Infix),
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::End => "the end",
            Kind::Name | Kind::Quoted => "a name",
            Kind::Type => "a type",
            Kind::Number => "a number",
            Kind::Old => "`\\old`",
            Kind::True => "`\\true`",
            Kind::False => "`\\false`",
            Kind::Not => "`!`",
            Kind::Question => "`?`",
            Kind::Colon => "`:`",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::OpenIndex => "`[`",
            Kind::CloseIndex => "`]`",
            Kind::Infix(_) => "an operator",
        }
    }
}

const SYMBOLS: [(u8, Kind); 7] = [
    (b'!', Kind::Not),
    (b'?', Kind::Question),
    (b':', Kind::Colon),
    (b'(', Kind::Open),
    (b')', Kind::Close),
    (b'[', Kind::OpenIndex),
    (b']', Kind::CloseIndex),
];

/// How many bytes at the beginning of a text are a name.
fn name_length(text: &[u8]) -> usize {
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let mut length = usize::from(text.first() == Some(&b'\\'));
    loop {
        if !text.get(length).copied().is_some_and(is_first) {
            // The dot, or the backslash, is no part of it.
            return length.saturating_sub(1);
        }
        while text
            .get(length)
            .is_some_and(|&it| it.is_ascii_alphanumeric() || it == b'_')
        {
            length += 1;
        }
        if text.get(length) != Some(&b'.') {
            return length;
        }
        length += 1;
    }
}

fn word(text: &str) -> Kind {
    match text {
        "\\old" => Kind::Old,
        "\\true" => Kind::True,
        "\\false" => Kind::False,
        _ if is_like_type(text) => Kind::Type,
        _ => Kind::Name,
    }
}

/// Whether a name needs no backquotes.
pub(super) fn is_plain(name: &str) -> bool {
    name_length(name.as_bytes()) == name.len() && word(name) == Kind::Name
}

/// Splits a formula's text into words.
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

    fn token(&mut self, kind: Kind, length: usize) -> Token<Kind> {
        let start = self.at as u32;
        self.at += length;
        Token {
            kind,
            span: Span::new(start, self.at as u32),
        }
    }

    fn quoted(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = &self.text[self.at..];
        match rest[1..].find('`') {
            Some(length) => self.token(Kind::Quoted, length + 2),
            None => {
                let span = Span::new(self.at as u32, self.at as u32 + 1);
                diagnostics
                    .report(|| Diagnostic::error("there is no second backquote to this one", span));
                self.token(Kind::Quoted, rest.len())
            }
        }
    }
}

impl Lexer for Words<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let Some(&first) = rest.first() else {
                return self.token(Kind::End, 0);
            };
            match first {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.at += 1;
                    continue;
                }
                b'`' => return self.quoted(diagnostics),
                b'0'..=b'9' => {
                    let in_number = |it: &&u8| it.is_ascii_alphanumeric() || **it == b'_';
                    let length = rest.iter().take_while(in_number).count();
                    return self.token(Kind::Number, length);
                }
                _ => {}
            }
            let length = name_length(rest);
            if length > 0 {
                let kind = word(&self.text[self.at..self.at + length]);
                return self.token(kind, length);
            }
            let infix = Infix::ALL
                .iter()
                .find(|(text, _)| rest.starts_with(text.as_bytes()));
            if let Some(&(text, infix)) = infix {
                return self.token(Kind::Infix(infix), text.len());
            }
            if let Some(&(_, kind)) = SYMBOLS.iter().find(|(byte, _)| *byte == first) {
                return self.token(kind, 1);
            }
            let strange = self.text[self.at..].chars().next();
            let length = strange.map_or(1, char::len_utf8);
            let span = Span::new(self.at as u32, (self.at + length) as u32);
            self.at += length;
            diagnostics.report(|| {
                let shown = strange.map(|it| it.escape_debug().to_string());
                let message = format!("`{}` has no meaning here", shown.unwrap_or_default());
                Diagnostic::error(message, span)
                    .help("a name with other characters stands between backquotes")
            });
        }
    }
}

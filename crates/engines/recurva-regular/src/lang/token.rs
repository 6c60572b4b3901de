//! Tokens of `.rmc` files.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

macro_rules! kinds {
    ($($name:ident $text:literal)*) => {
        /// The kinds of token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind {
            Name,
            Number,
            /// The first word of a line that begins an item.
            Item,
            /// A line with a formula.
            Live,
            $($name,)*
            End,
        }

        /// Symbols, longer ones first.
        const SYMBOLS: &[(&str, Kind)] = &[$(($text, Kind::$name)),*];

        impl TokenKind for Kind {
            const END: Self = Kind::End;

            fn describe(self) -> &'static str {
                match self {
                    Kind::Name => "a name",
                    Kind::Number => "a number",
                    Kind::Item => "an item",
                    Kind::Live => "a formula",
                    $(Kind::$name => concat!("`", $text, "`"),)*
                    Kind::End => "the end of the text",
                }
            }
        }
    };
}

kinds! {
    Assign ":=" NotEqual "!=" Arrow "->" Range ".." AtMost "<=" AtLeast ">="
    Colon ":" Comma "," Semicolon ";" OpenBrace "{" CloseBrace "}" Open "(" Close ")"
    OpenSet "[" CloseSet "]" Or "|" And "&" Not "!" Star "*" Plus "+" Question "?" Dot "."
    Slash "/" Equal "=" Less "<" Greater ">" Minus "-"
}

/// Words that begin an item when they are the first of a line.
pub(super) const ITEMS: &[&str] = &[
    "system",
    "process",
    "control",
    "channel",
    "counter",
    "topology",
    "initial",
    "transition",
    "rule",
    "bad",
    "fair",
    "live",
];

/// Splits a text into tokens. Comments go from `#` to the end of the line.
#[derive(Debug)]
pub(super) struct Tokens<'s> {
    text: &'s str,
    at: usize,
    end: usize,
    /// No token has been met on this line yet.
    fresh: bool,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(source: &'s Source, part: Span) -> Self {
        let text = source.text();
        let end = (part.end as usize).min(text.len());
        Tokens {
            text,
            at: (part.start as usize).min(end),
            end,
            fresh: true,
        }
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn token(&mut self, kind: Kind, length: usize) -> Token<Kind> {
        let start = self.at as u32;
        self.at += length;
        self.fresh = false;
        Token {
            kind,
            span: Span::new(start, self.at as u32),
        }
    }

    fn word(&mut self) -> Token<Kind> {
        let rest = self.rest();
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '⊥');
        let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if self.fresh && word == "live" {
            let line = rest.find('\n').unwrap_or(rest.len());
            let line = rest[..line].find('#').unwrap_or(line);
            return self.token(Kind::Live, rest[..line].trim_end().len());
        }
        let kind = match word.bytes().all(|b| b.is_ascii_digit()) {
            _ if self.fresh && ITEMS.contains(&word) => Kind::Item,
            true => Kind::Number,
            false => Kind::Name,
        };
        self.token(kind, length)
    }
}

impl Lexer for Tokens<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else {
                return self.token(Kind::End, 0);
            };
            if c == '#' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if c.is_whitespace() {
                self.fresh |= c == '\n';
                self.at += c.len_utf8();
            } else if c.is_alphanumeric() || matches!(c, '_' | '⊥') {
                return self.word();
            } else if let Some(&(text, kind)) =
                SYMBOLS.iter().find(|(text, _)| rest.starts_with(text))
            {
                return self.token(kind, text.len());
            } else {
                let token = self.token(Kind::End, c.len_utf8());
                diagnostics.report(|| {
                    Diagnostic::error(
                        format!("`{}` has no meaning here", c.escape_debug()),
                        token.span,
                    )
                });
            }
        }
    }
}

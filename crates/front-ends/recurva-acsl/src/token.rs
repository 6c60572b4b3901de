//! Tokens of annotations.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a word of ACSL.
    Name,
    /// A word that is part of a type's name.
    Type,
    /// `\name`
    Builtin,
    Number,
    Char,
    Text,
    Symbol(Symbol),
    /// What is no token.
    Stray,
    End,
}

/// Symbols with the text that stands for them; longer ones first, as the lexer tries them in this order.
macro_rules! symbols {
    ($($name:ident $text:literal)*) => {
        /// Operators and punctuation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Symbol { $($name),* }

        impl Symbol {
            fn find(text: &str) -> Option<(Symbol, usize)> {
                $(if text.starts_with($text) {
                    return Some((Symbol::$name, $text.len()));
                })*
                None
            }

            fn describe(self) -> &'static str {
                match self {
                    $(Symbol::$name => concat!("`", $text, "`")),*
                }
            }
        }
    };
}

symbols! {
    Equivalent "<==>" BitEquivalent "<-->" Dots3 "..." Implies "==>" BitImplies "-->"
    Dots ".." Arrow "->" Or "||" And "&&" Xor "^^" ShiftLeft "<<" ShiftRight ">>"
    LessEqual "<=" GreaterEqual ">=" Equal "==" NotEqual "!="
    Less "<" Greater ">" Assign "=" Not "!" Plus "+" Minus "-" Times "*" Divide "/" Remainder "%"
    BitOr "|" BitXor "^" BitAnd "&" Complement "~" Question "?" Colon ":" Semicolon ";" Comma ","
    Dot "." Open "(" Close ")" OpenIndex "[" CloseIndex "]" OpenBrace "{" CloseBrace "}"
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Name => "a name",
            Kind::Type => "a type",
            Kind::Builtin => "a word of ACSL",
            Kind::Number => "a number",
            Kind::Char => "a character",
            Kind::Text => "a string",
            Kind::Symbol(symbol) => symbol.describe(),
            Kind::Stray => "text that is no token",
            Kind::End => "the end",
        }
    }
}

/// Words of which names of types consist.
const TYPE_WORDS: [&str; 39] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "_Bool",
    "bool",
    "float",
    "double",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "integer",
    "boolean",
    "real",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intmax_t",
    "uintmax_t",
    "uint",
    "ulong",
    "ushort",
    "__int128",
    "__int64",
];

/// Splits a part of a source into tokens.
#[derive(Debug)]
pub(crate) struct AcslLexer<'s> {
    source: &'s Source,
    at: usize,
    end: usize,
}

impl<'s> AcslLexer<'s> {
    pub(crate) fn new(source: &'s Source, place: Span) -> Self {
        AcslLexer {
            source,
            at: place.start as usize,
            end: place.end as usize,
        }
    }

    fn rest(&self) -> &'s str {
        let place = Span::new(self.at as u32, self.end as u32);
        self.source.slice(place)
    }

    /// Passes space, the `@` with which lines may begin and end, and comments.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let after = |mark: &str| rest.find(mark).map(|at| at + mark.len());
            let passed = match rest.chars().next() {
                Some('@') => 1,
                Some(space) if space.is_whitespace() => space.len_utf8(),
                Some('\\') if rest.starts_with("\\\n") => 2,
                Some('\\') if rest.starts_with("\\\r\n") => 3,
                Some('/') if rest.starts_with("//") => after("\n").unwrap_or(rest.len()),
                Some('/') if rest.starts_with("/*") => after("*/").unwrap_or(rest.len()),
                _ => return,
            };
            self.at += passed;
        }
    }

    /// How long a literal is, up to its closing quote or the end of the line.
    fn quoted(rest: &str, quote: u8) -> Option<usize> {
        let mut escaped = false;
        for (at, &byte) in rest.as_bytes().iter().enumerate().skip(1) {
            match byte {
                b'\n' => return None,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                _ if byte == quote => return Some(at + 1),
                _ => {}
            }
        }
        None
    }
}

fn word(rest: &str) -> usize {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
    rest.find(|it| !is_part(it)).unwrap_or(rest.len())
}

impl Lexer for AcslLexer<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        self.skip_space();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Token {
                kind: Kind::End,
                span: Span::at(self.at as u32),
            };
        };
        let (kind, length) = match first {
            '\\' => (Kind::Builtin, 1 + word(&rest[1..])),
            '0'..='9' => (Kind::Number, word(rest)),
            '"' | '\'' => match Self::quoted(rest, first as u8) {
                Some(length) if first == '"' => (Kind::Text, length),
                Some(length) => (Kind::Char, length),
                None => (Kind::Stray, 1),
            },
            _ if word(rest) > 0 => {
                let length = word(rest);
                match TYPE_WORDS.contains(&&rest[..length]) {
                    true => (Kind::Type, length),
                    false => (Kind::Name, length),
                }
            }
            _ => match Symbol::find(rest) {
                Some((symbol, length)) => (Kind::Symbol(symbol), length),
                None => (Kind::Stray, first.len_utf8()),
            },
        };
        let start = self.at as u32;
        self.at += length;
        let span = Span::new(start, self.at as u32);
        if kind == Kind::Stray {
            diagnostics.report(|| Diagnostic::error("this is nothing that ACSL knows", span));
        }
        Token { kind, span }
    }
}

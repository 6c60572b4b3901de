//! Tokens of monitors and of the C in them.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

/// Brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// `(` and `)`
    Round,
    /// `[` and `]`
    Square,
    /// `{` and `}`
    Curly,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Literal,
    /// A string between `''` and `''`.
    Quoted,
    /// `$1`
    Variable(u32),
    /// `$?`
    Any,
    /// A line with `#include`.
    Include,
    /// A line with another directive.
    Directive,
    /// An opening bracket.
    Open(Bracket),
    /// A closing one.
    Close(Bracket),
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `=`
    Assign,
    /// `.` or `->`
    Member,
    /// Any other operator of C.
    Operator,
    /// The end.
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Word => "a name",
            Kind::Number => "a number",
            Kind::Literal | Kind::Quoted => "a string",
            Kind::Variable(_) | Kind::Any => "a pattern variable",
            Kind::Include => "`#include`",
            Kind::Directive => "a directive",
            Kind::Open(Bracket::Round) => "`(`",
            Kind::Open(Bracket::Square) => "`[`",
            Kind::Open(Bracket::Curly) => "`{`",
            Kind::Close(Bracket::Round) => "`)`",
            Kind::Close(Bracket::Square) => "`]`",
            Kind::Close(Bracket::Curly) => "`}`",
            Kind::Comma => "`,`",
            Kind::Semicolon => "`;`",
            Kind::Assign => "`=`",
            Kind::Member => "`.`",
            Kind::Operator => "an operator",
            Kind::End => "the end of the text",
        }
    }
}

/// Operators of more than one character, longer ones first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "##",
];

/// The largest number of a pattern variable. More are surely a slip.
const LARGEST: u32 = 999;

/// Splits a part of a source into tokens.
#[derive(Debug)]
pub struct CTokens<'s> {
    text: &'s str,
    at: usize,
    end: usize,
    /// No token of this line has been read.
    fresh: bool,
}

impl<'s> CTokens<'s> {
    /// The tokens of a part of a source.
    pub fn new(source: &'s Source, part: Span) -> Self {
        let text = source.text();
        let end = (part.end as usize).min(text.len());
        CTokens {
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
        let span = Span::new(start, self.at as u32);
        Token { kind, span }
    }

    /// Passes blanks, comments and backslashes at ends of lines.
    fn skip_blanks(&mut self, diagnostics: &mut Diagnostics) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            self.fresh |= rest[..blanks].contains('\n');
            let rest = &rest[blanks..];
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(inner) = rest.strip_prefix("/*") {
                match inner.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        let start = self.token(Kind::End, rest.len()).span.start;
                        diagnostics.report(|| {
                            let place = Span::new(start, start + 2);
                            Diagnostic::error("this comment does not end", place)
                                .help("close it with `*/`")
                        });
                    }
                }
            } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// The string or character that begins behind `prefix` bytes.
    fn literal(&mut self, prefix: usize, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = self.rest();
        let quote = rest.as_bytes()[prefix];
        let mut escaped = false;
        for (at, byte) in rest.bytes().enumerate().skip(prefix + 1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'\n' => break,
                _ if byte == quote => return self.token(Kind::Literal, at + 1),
                _ => {}
            }
        }
        let line = rest.find('\n').unwrap_or(rest.len());
        let token = self.token(Kind::Literal, line);
        let start = token.span.start + prefix as u32;
        diagnostics.report(|| {
            let quote = char::from(quote);
            Diagnostic::error(
                "this quote is not closed on its line",
                Span::new(start, start + 1),
            )
            .help(format!("close it with `{quote}`"))
        });
        token
    }

    fn word(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = self.rest();
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let quoted = rest[length..].starts_with(['"', '\'']);
        if quoted && matches!(&rest[..length], "L" | "u" | "U" | "u8") {
            return self.literal(length, diagnostics);
        }
        self.token(Kind::Word, length)
    }

    fn number(&mut self) -> Token<Kind> {
        let rest = self.rest();
        let mut previous = ' ';
        let length = rest.find(|c: char| {
            let exponent = matches!(previous, 'e' | 'E' | 'p' | 'P') && matches!(c, '+' | '-');
            previous = c;
            !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || exponent)
        });
        // A sum such as `0xe+1` is one token here as in C; it is wrong there too.
        self.token(Kind::Number, length.unwrap_or(rest.len()))
    }

    fn pattern_variable(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        let rest = &self.rest()[1..];
        if rest.starts_with('?') {
            return self.token(Kind::Any, 2);
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..digits].parse().unwrap_or(0);
        let token = self.token(Kind::Variable(number), 1 + digits);
        if !(1..=LARGEST).contains(&number) {
            diagnostics.report(|| {
                Diagnostic::error("this is no pattern variable", token.span).help(format!(
                    "pattern variables are `$1` to `${LARGEST}`, and `$?` for what needs no name"
                ))
            });
        }
        token
    }

    /// A line that begins with `#`; lines that end with a backslash go on.
    fn directive(&mut self) -> Token<Kind> {
        let rest = self.rest();
        let mut length = 0;
        for line in rest.split_inclusive('\n') {
            length += line.len();
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        let text = rest[..length].trim_end();
        let name = text[1..].trim_start();
        let kind = match name.strip_prefix("include") {
            Some(behind) if !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                Kind::Include
            }
            _ => Kind::Directive,
        };
        self.token(kind, text.len())
    }
}

impl Lexer for CTokens<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        self.skip_blanks(diagnostics);
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return self.token(Kind::End, 0);
        };
        let single = |kind| (kind, 1);
        let (kind, length) = match first {
            c if c.is_alphabetic() || c == '_' => return self.word(diagnostics),
            '0'..='9' => return self.number(),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => return self.number(),
            '$' => return self.pattern_variable(diagnostics),
            '#' if self.fresh => return self.directive(),
            '\'' if rest.starts_with("''") => {
                let behind = rest.as_bytes()[2..].windows(2);
                let mut inside = behind.take_while(|pair| pair[0] != b'\n');
                match inside.position(|pair| pair == b"''") {
                    Some(length) => (Kind::Quoted, length + 4),
                    None => return self.literal(0, diagnostics),
                }
            }
            '"' | '\'' => return self.literal(0, diagnostics),
            '(' => single(Kind::Open(Bracket::Round)),
            ')' => single(Kind::Close(Bracket::Round)),
            '[' => single(Kind::Open(Bracket::Square)),
            ']' => single(Kind::Close(Bracket::Square)),
            '{' => single(Kind::Open(Bracket::Curly)),
            '}' => single(Kind::Close(Bracket::Curly)),
            ',' => single(Kind::Comma),
            ';' => single(Kind::Semicolon),
            '-' if rest.starts_with("->") => (Kind::Member, 2),
            _ => match OPERATORS.iter().find(|op| rest.starts_with(**op)) {
                Some(operator) => (Kind::Operator, operator.len()),
                None if first == '=' => single(Kind::Assign),
                None if first == '.' => single(Kind::Member),
                None => {
                    let length = first.len_utf8();
                    if !"+-*/%<>!~&|^?:".contains(first) {
                        let token = self.token(Kind::Operator, length);
                        diagnostics.report(|| {
                            let shown = first.escape_debug();
                            Diagnostic::error(format!("`{shown}` has no meaning in C"), token.span)
                        });
                        return token;
                    }
                    (Kind::Operator, length)
                }
            },
        };
        self.token(kind, length)
    }
}

//! Tokens of automata.

use recurva_syntax::{
    Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind, did_you_mean,
};

use crate::{ntmu::Modality, scanner::Scanner};

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// `@state`
    At,
    /// Text in quotes.
    Quoted,
    Constant(bool),
    /// `alternating`
    Alternating,
    /// `nondeterministic`
    Nondeterministic,
    State,
    Init,
    /// `go`
    Go,
    Not,
    And,
    Or,
    Implies,
    /// `<loc>`
    Local(Modality),
    /// `<call>`
    Call(Modality),
    /// `<ret` or `[ret`
    Return(Modality),
    /// `<>`
    Any(Modality),
    /// `>` or `]`
    EndReturn(Modality),
    Open,
    Close,
    Comma,
    Equals,
    /// `-`
    Missing,
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Name => "a name",
            Kind::Number => "a number",
            Kind::At => "a state of the machine",
            Kind::Quoted => "a quoted proposition",
            Kind::Constant(_) => "a constant",
            Kind::Alternating => "`alternating`",
            Kind::Nondeterministic => "`nondeterministic`",
            Kind::State => "`state`",
            Kind::Init => "`init`",
            Kind::Go => "`go`",
            Kind::Not | Kind::And | Kind::Or => "an operator",
            Kind::Implies => "`->`",
            Kind::Local(_) | Kind::Call(_) | Kind::Return(_) | Kind::Any(_) => "a move",
            Kind::EndReturn(Modality::Some) => "`>`",
            Kind::EndReturn(Modality::All) => "`]`",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::Comma => "`,`",
            Kind::Equals => "`=`",
            Kind::Missing => "`-`",
            Kind::End => "the end of the text",
        }
    }
}

const SYMBOLS: &[(&str, Kind)] = &[
    ("<loc>", Kind::Local(Modality::Some)),
    ("[loc]", Kind::Local(Modality::All)),
    ("<call>", Kind::Call(Modality::Some)),
    ("[call]", Kind::Call(Modality::All)),
    ("<ret", Kind::Return(Modality::Some)),
    ("[ret", Kind::Return(Modality::All)),
    ("<>", Kind::Any(Modality::Some)),
    ("[]", Kind::Any(Modality::All)),
    (">", Kind::EndReturn(Modality::Some)),
    ("]", Kind::EndReturn(Modality::All)),
    ("->", Kind::Implies),
    ("-", Kind::Missing),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("!", Kind::Not),
    ("~", Kind::Not),
    ("(", Kind::Open),
    (")", Kind::Close),
    (",", Kind::Comma),
    ("=", Kind::Equals),
];

/// The words that are no names.
pub(super) const WORDS: &[(&str, Kind)] = &[
    ("alternating", Kind::Alternating),
    ("nondeterministic", Kind::Nondeterministic),
    ("state", Kind::State),
    ("init", Kind::Init),
    ("go", Kind::Go),
    ("true", Kind::Constant(true)),
    ("false", Kind::Constant(false)),
];

/// Splits a source into tokens.
#[derive(Debug)]
pub(super) struct Words<'s> {
    scanner: Scanner<'s>,
}

impl<'s> Words<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let whole = Span::new(0, source.end().end);
        Words {
            scanner: Scanner::new(source, whole),
        }
    }

    /// Passes text that is no token.
    fn unknown(&mut self, diagnostics: &mut Diagnostics) {
        let rest = self.scanner.rest();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let open = matches!(rest.as_bytes(), [b'<' | b'[', ..]);
        let length = match open {
            true => first + word_length(&rest[first..]),
            false => first,
        };
        let text = &rest[..length];
        let span = self.scanner.pass(length);
        diagnostics.report(|| {
            let shown: String = text.chars().take(20).flat_map(char::escape_debug).collect();
            let moves = SYMBOLS.iter().map(|(symbol, _)| *symbol).take(6);
            let help = open.then(|| {
                did_you_mean(&format!("{text}>"), moves.clone()).unwrap_or_else(|| {
                    "the moves are `<loc> q`, `<call> q`, `<ret, p> q`, `<> q` and the same in \
                     square brackets"
                        .to_owned()
                })
            });
            let message = format!("`{shown}` has no meaning in an automaton");
            Diagnostic::error(message, span).help_if(help)
        });
    }
}

/// How long the word at the start of a text is.
fn word_length(text: &str) -> usize {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'\'' | b'.');
    text.bytes().take_while(in_word).count()
}

impl Lexer for Words<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            self.scanner.skip_blanks();
            let rest = self.scanner.rest();
            match rest.as_bytes() {
                [] => return self.scanner.token(Kind::End, 0),
                [b'0'..=b'9', ..] => {
                    let length = word_length(rest);
                    let digits = rest[..length].bytes().all(|b| b.is_ascii_digit());
                    let kind = if digits { Kind::Number } else { Kind::Name };
                    return self.scanner.token(kind, length);
                }
                [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                    let length = word_length(rest);
                    let word = WORDS.iter().find(|(word, _)| *word == &rest[..length]);
                    let kind = word.map_or(Kind::Name, |&(_, kind)| kind);
                    return self.scanner.token(kind, length);
                }
                [b'"', ..] => return self.scanner.quoted(Kind::Quoted, diagnostics),
                [b'@', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_', ..] => {
                    let length = 1 + word_length(&rest[1..]);
                    return self.scanner.token(Kind::At, length);
                }
                _ => match SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
                    Some(&(text, kind)) => return self.scanner.token(kind, text.len()),
                    None => self.unknown(diagnostics),
                },
            }
        }
    }
}

/// Whether a text is read as one token of that kind.
pub(super) fn is_one(text: &str, kind: Kind) -> bool {
    let Ok(source) = Source::new("", text) else {
        return false;
    };
    let mut diagnostics = Diagnostics::default();
    let token = Words::new(&source).next_token(&mut diagnostics);
    token.kind == kind && token.span.range() == (0..text.len()) && diagnostics.is_empty()
}

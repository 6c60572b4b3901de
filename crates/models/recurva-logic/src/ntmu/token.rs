//! Tokens of formulas.

use recurva_syntax::{
    Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind, did_you_mean,
};

use crate::scanner::Scanner;

use super::{Fixpoint, Modality, Path, Quantifier, Scope};

/// The moves of modalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Call,
    Local,
    Return,
    Jump,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// `@state`
    State,
    /// Text in quotes.
    Quoted,
    Constant(bool),
    Not,
    And,
    Or,
    Implies,
    Fixpoint(Fixpoint),
    Modal(Modality, Move),
    /// `EF`, `AG_l`, …; `WeakUntil` stands for `G`.
    Temporal(Quantifier, Path, Scope),
    /// `E[` or `A[`
    OpenPath(Quantifier),
    /// `U`, `W_l`, …
    Path(Path, Scope),
    Terminates,
    Open,
    Close,
    OpenReturns,
    CloseReturns,
    ClosePath,
    Comma,
    Dot,
    Colon,
    Equals,
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Name => "a name",
            Kind::State => "a state",
            Kind::Quoted => "a quoted proposition",
            Kind::Constant(_) => "a constant",
            Kind::Fixpoint(_) => "a fixpoint",
            Kind::Modal(..) => "a modality",
            Kind::Not | Kind::Temporal(..) | Kind::OpenPath(_) => "an operator",
            Kind::And | Kind::Or | Kind::Implies => "an operator",
            Kind::Path(..) => "`U` or `W`",
            Kind::Terminates => "`terminates`",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::OpenReturns => "`{`",
            Kind::CloseReturns => "`}`",
            Kind::ClosePath => "`]`",
            Kind::Comma => "`,`",
            Kind::Dot => "`.`",
            Kind::Colon => "`:`",
            Kind::Equals => "`=`",
            Kind::End => "the end of the text",
        }
    }
}

const SYMBOLS: &[(&str, Kind)] = &[
    ("<call>", Kind::Modal(Modality::Some, Move::Call)),
    ("[call]", Kind::Modal(Modality::All, Move::Call)),
    ("<loc>", Kind::Modal(Modality::Some, Move::Local)),
    ("[loc]", Kind::Modal(Modality::All, Move::Local)),
    ("<ret>", Kind::Modal(Modality::Some, Move::Return)),
    ("[ret]", Kind::Modal(Modality::All, Move::Return)),
    ("<jump>", Kind::Modal(Modality::Some, Move::Jump)),
    ("[jump]", Kind::Modal(Modality::All, Move::Jump)),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("!", Kind::Not),
    ("~", Kind::Not),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("{", Kind::OpenReturns),
    ("}", Kind::CloseReturns),
    ("]", Kind::ClosePath),
    (",", Kind::Comma),
    (".", Kind::Dot),
    (":", Kind::Colon),
    ("=", Kind::Equals),
];

/// The words that are no names.
fn keyword(word: &str) -> Option<Kind> {
    use Path::{Until, WeakUntil};
    use Quantifier::{All, Some as Any};
    let (start, scope) = match word.strip_suffix("_l") {
        Some(start) => (start, Scope::Local),
        None => (word, Scope::Global),
    };
    Some(match start {
        "EF" => Kind::Temporal(Any, Until, scope),
        "AF" => Kind::Temporal(All, Until, scope),
        "EG" => Kind::Temporal(Any, WeakUntil, scope),
        "AG" => Kind::Temporal(All, WeakUntil, scope),
        "U" => Kind::Path(Until, scope),
        "W" => Kind::Path(WeakUntil, scope),
        _ => match word {
            "mu" => Kind::Fixpoint(Fixpoint::Least),
            "nu" => Kind::Fixpoint(Fixpoint::Greatest),
            "true" | "tt" => Kind::Constant(true),
            "false" | "ff" => Kind::Constant(false),
            "terminates" => Kind::Terminates,
            _ => return None,
        },
    })
}

/// Splits a part of a source into tokens.
#[derive(Debug)]
pub(super) struct Words<'s> {
    scanner: Scanner<'s>,
}

impl<'s> Words<'s> {
    /// The tokens of a part of a source, which begins and ends at characters.
    pub(super) fn new(source: &'s Source, part: Span) -> Self {
        Words {
            scanner: Scanner::new(source, part),
        }
    }

    fn word(&mut self) -> Token<Kind> {
        let rest = self.scanner.rest();
        let length = word_length(rest);
        let behind = rest[length..].trim_start();
        let quantifier = match &rest[..length] {
            "E" => Some(Quantifier::Some),
            "A" => Some(Quantifier::All),
            _ => None,
        };
        match quantifier {
            Some(quantifier) if behind.starts_with('[') => {
                let length = rest.len() - behind.len() + 1;
                self.scanner.token(Kind::OpenPath(quantifier), length)
            }
            _ => self
                .scanner
                .token(keyword(&rest[..length]).unwrap_or(Kind::Name), length),
        }
    }

    /// Passes text that is no token.
    fn unknown(&mut self, diagnostics: &mut Diagnostics) {
        let rest = self.scanner.rest();
        // A modality that there is none of, or one strange character after another.
        let unknown_modality = [('<', '>'), ('[', ']')].iter().find_map(|&(open, close)| {
            let inner = rest.strip_prefix(open)?;
            let length = word_length(inner);
            inner[length..].starts_with(close).then_some(length + 2)
        });
        let modal = unknown_modality.is_some();
        let length = unknown_modality.unwrap_or_else(|| {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let more = rest[first..].find(|c: char| c.is_ascii());
            first + more.unwrap_or(rest.len() - first)
        });
        let text = &rest[..length];
        let span = self.scanner.pass(length);
        diagnostics.report(|| {
            let shown: String = text.chars().take(20).flat_map(char::escape_debug).collect();
            let help = if modal {
                let words = SYMBOLS.iter().map(|(symbol, _)| *symbol).take(8);
                did_you_mean(text, words).or(Some(
                    "the modalities are `<call>`, `<loc>`, `<ret>`, `<jump>` and the same in \
                     square brackets"
                        .to_owned(),
                ))
            } else if matches!(text, "<" | "[") {
                Some("paths are written `E[f U g]`, modalities `<loc> f`".to_owned())
            } else {
                None
            };
            Diagnostic::error(format!("`{shown}` has no meaning in a formula"), span).help_if(help)
        });
    }
}

/// How long the word at the start of a text is: `name` or `procedure::name`.
fn word_length(text: &str) -> usize {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'\'');
    let length = |text: &str| text.bytes().take_while(in_word).count();
    let first = length(text);
    match text[first..].strip_prefix("::").map(length) {
        Some(second) if first > 0 && second > 0 => first + 2 + second,
        _ => first,
    }
}

/// How long the name of a state or a label at the start of a text is. A dot or colons inside
/// belong to it, behind it they do not.
fn place_length(text: &str) -> usize {
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_$'.".contains(c);
    let part = |text: &str| text.find(|c| !in_name(c)).unwrap_or(text.len());
    let first = part(text);
    let second = text[first..].strip_prefix("::").map_or(0, part);
    let length = match second {
        0 => first,
        second => first + 2 + second,
    };
    text[..length].trim_end_matches('.').len()
}

impl Lexer for Words<'_> {
    type Kind = Kind;

    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Kind> {
        loop {
            self.scanner.skip_blanks();
            let rest = self.scanner.rest();
            match rest.as_bytes() {
                [] => return self.scanner.token(Kind::End, 0),
                [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => return self.word(),
                [b'"', ..] => return self.scanner.quoted(Kind::Quoted, diagnostics),
                [b'@', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_', ..] => {
                    return self
                        .scanner
                        .token(Kind::State, 1 + place_length(&rest[1..]));
                }
                _ => match SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
                    Some(&(text, kind)) => return self.scanner.token(kind, text.len()),
                    None => self.unknown(diagnostics),
                },
            }
        }
    }
}

/// Whether a proposition's text is read as that proposition without quotes around it.
pub(super) fn is_plain(text: &str) -> bool {
    let inner = ["in(", "calls(", "on_stack("].iter().find_map(|start| {
        let rest = text.strip_prefix(start)?;
        rest.strip_suffix(')')
    });
    let word = inner.unwrap_or(text);
    let Ok(source) = Source::new("", word) else {
        return false;
    };
    let mut words = Words::new(&source, Span::new(0, word.len() as u32));
    let mut diagnostics = Diagnostics::default();
    let token = words.next_token(&mut diagnostics);
    let whole = token.span.range() == (0..word.len());
    let name = token.kind == Kind::Name || (token.kind == Kind::State && inner.is_none());
    whole && name && diagnostics.is_empty()
}

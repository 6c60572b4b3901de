//! Tokens of formulas.

use recurva_syntax::{Diagnostic, Diagnostics, Lexer, Source, Span, Token, TokenKind};

use crate::scanner::Scanner;

use super::{Chain, Modality, Operator};

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `x`, `f::x` or `{x == 0}`.
    Word,
    /// `@L` or `@f::L`.
    Label,
    /// Text in quotes.
    Quoted,
    Number,
    /// `true` or `false`; `1` and `0` are numbers until it is clear what they are.
    Constant(bool),
    Prefix(Operator),
    Infix(Operator),
    /// `=`, `<`, …
    Compare,
    /// `+`, `*`, …
    Arithmetic,
    Open,
    Close,
    OpenIndex,
    CloseIndex,
    End,
}

impl TokenKind for Kind {
    const END: Self = Kind::End;

    fn describe(self) -> &'static str {
        match self {
            Kind::Word => "a name",
            Kind::Label => "a label",
            Kind::Quoted => "a quoted atom",
            Kind::Number => "a number",
            Kind::Constant(_) => "a constant",
            Kind::Prefix(_) | Kind::Infix(_) => "an operator",
            Kind::Compare => "a comparison",
            Kind::Arithmetic => "an arithmetic operator",
            Kind::Open => "`(`",
            Kind::Close => "`)`",
            Kind::OpenIndex => "`[`",
            Kind::CloseIndex => "`]`",
            Kind::End => "the end of the text",
        }
    }
}

/// Symbols, longer ones first.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<-->", Kind::Infix(Operator::Equivalent)),
    ("<->", Kind::Infix(Operator::Equivalent)),
    ("<=>", Kind::Infix(Operator::Equivalent)),
    ("-->", Kind::Infix(Operator::Implies)),
    ("->", Kind::Infix(Operator::Implies)),
    ("=>", Kind::Infix(Operator::Implies)),
    ("<>", Kind::Prefix(Operator::Finally)),
    ("[]", Kind::Prefix(Operator::Globally)),
    ("()", Kind::Prefix(Operator::Next)),
    ("&&", Kind::Infix(Operator::And)),
    ("||", Kind::Infix(Operator::Or)),
    ("/\\", Kind::Infix(Operator::And)),
    ("\\/", Kind::Infix(Operator::Or)),
    ("==", Kind::Compare),
    ("!=", Kind::Compare),
    ("<=", Kind::Compare),
    (">=", Kind::Compare),
    ("&", Kind::Infix(Operator::And)),
    ("|", Kind::Infix(Operator::Or)),
    ("^", Kind::Infix(Operator::Xor)),
    ("!", Kind::Prefix(Operator::Not)),
    ("~", Kind::Prefix(Operator::Not)),
    ("=", Kind::Compare),
    ("<", Kind::Compare),
    (">", Kind::Compare),
    ("+", Kind::Arithmetic),
    ("-", Kind::Arithmetic),
    ("*", Kind::Arithmetic),
    ("/", Kind::Arithmetic),
    ("%", Kind::Arithmetic),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("[", Kind::OpenIndex),
    ("]", Kind::CloseIndex),
];

/// The operator that a letter is, if it is one.
fn operator(word: &str) -> Option<Kind> {
    Some(match word {
        "X" => Kind::Prefix(Operator::Next),
        "F" => Kind::Prefix(Operator::Finally),
        "G" => Kind::Prefix(Operator::Globally),
        "U" => Kind::Infix(Operator::Until),
        "R" | "V" => Kind::Infix(Operator::Release),
        "W" => Kind::Infix(Operator::WeakUntil),
        "M" => Kind::Infix(Operator::StrongRelease),
        "xor" => Kind::Infix(Operator::Xor),
        _ if word.eq_ignore_ascii_case("true") => Kind::Constant(true),
        _ if word.eq_ignore_ascii_case("false") => Kind::Constant(false),
        _ => return None,
    })
}

/// The operator of CaRet that a word is, if it is one.
pub(super) fn along(word: &str) -> Option<Kind> {
    let (letter, chain) = if let Some(letter) = word.strip_suffix("_a") {
        (letter, Chain::Local)
    } else {
        (word.strip_suffix("_c")?, Chain::Callers)
    };
    let modality = match letter {
        "X" => Modality::Next,
        "N" => Modality::WeakNext,
        "F" => Modality::Finally,
        "G" => Modality::Globally,
        "U" => Modality::Until,
        "R" | "V" => Modality::Release,
        "W" => Modality::WeakUntil,
        "M" => Modality::StrongRelease,
        _ => return None,
    };
    let operator = Operator::Along(chain, modality);
    Some(match modality.is_unary() {
        true => Kind::Prefix(operator),
        false => Kind::Infix(operator),
    })
}

/// Which operators there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Those of linear-time temporal logic.
    Ltl,
    /// Those of CaRet too.
    Caret,
}

/// Splits a part of a source into tokens.
#[derive(Debug)]
pub(super) struct Words<'s> {
    scanner: Scanner<'s>,
    language: Language,
}

impl<'s> Words<'s> {
    /// The tokens of a part of a source, which begins and ends at characters.
    pub(super) fn new(source: &'s Source, part: Span, language: Language) -> Self {
        Words {
            scanner: Scanner::new(source, part),
            language,
        }
    }

    fn word(&mut self) -> Token<Kind> {
        let rest = self.scanner.rest();
        let length = word_length(rest);
        let scoped = scoped_length(rest, length);
        if scoped > length {
            return self.scanner.token(Kind::Word, scoped);
        }
        if let Some(kind) = operator(&rest[..length]) {
            return self.scanner.token(kind, length);
        }
        if self.language == Language::Caret
            && let Some(kind) = along(&rest[..length])
        {
            return self.scanner.token(kind, length);
        }
        // As in Spot, `GFa` is `G F a`; `F1` and `G_x` are names.
        let splits = matches!(
            rest.as_bytes(),
            [b'F' | b'G' | b'X', b'a'..=b'z' | b'A'..=b'Z', ..]
        );
        match operator(&rest[..1]) {
            Some(kind) if splits => self.scanner.token(kind, 1),
            _ => self.scanner.token(Kind::Word, length),
        }
    }

    fn unknown(&mut self, diagnostics: &mut Diagnostics) {
        let rest = self.scanner.rest();
        let strange = |c: char| {
            !c.is_whitespace() && !c.is_ascii_alphanumeric() && !matches!(c, '"' | '(' | ')' | '_')
        };
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let more = rest[first..].find(|c| !strange(c) || c.is_ascii());
        let length = first + more.unwrap_or(rest.len() - first);
        let span = self.scanner.pass(length);
        let text = &rest[..length];
        diagnostics.report(|| {
            let shown: String = text.chars().take(20).flat_map(char::escape_debug).collect();
            let help = match text {
                "'" => Some("atoms are quoted with `\"`"),
                ":" => Some("a local is written `procedure::local`"),
                _ => None,
            };
            Diagnostic::error(format!("`{shown}` has no meaning in a formula"), span)
                .help_if(help.map(str::to_owned))
        });
    }
}

/// How long the word at the start of a text is.
fn word_length(text: &str) -> usize {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
    text.bytes().take_while(in_word).count()
}

/// How long a word of that length is with `::` and the word behind that, if they follow.
fn scoped_length(text: &str, length: usize) -> usize {
    match text[length..].strip_prefix("::") {
        Some(name) if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
            length + 2 + word_length(name)
        }
        _ => length,
    }
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
                [b'0'..=b'9', ..] => return self.scanner.token(Kind::Number, word_length(rest)),
                [b'"', ..] => return self.scanner.quoted(Kind::Quoted, diagnostics),
                [b'@', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                    let length = word_length(&rest[1..]);
                    return self
                        .scanner
                        .token(Kind::Label, 1 + scoped_length(&rest[1..], length));
                }
                [b'{', ..] => match rest.find(['}', '\n']) {
                    Some(at) if rest[at..].starts_with('}') => {
                        return self.scanner.token(Kind::Word, at + 1);
                    }
                    // The whole line is passed: a line of many `{` is searched once.
                    end => {
                        let brace = self
                            .scanner
                            .token(Kind::Word, end.unwrap_or(rest.len()))
                            .span;
                        diagnostics.report(|| {
                            let brace = Span::new(brace.start, brace.start + 1);
                            Diagnostic::error("this `{` has no `}` on its line", brace)
                        });
                    }
                },
                _ => match SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
                    Some(&(text, kind)) => return self.scanner.token(kind, text.len()),
                    None => self.unknown(diagnostics),
                },
            }
        }
    }
}

/// Whether an atom's text is read as that atom without quotes around it, in any language.
pub(super) fn is_plain(text: &str) -> bool {
    let Ok(source) = Source::new("", text) else {
        return false;
    };
    let whole = Span::new(0, text.len() as u32);
    let mut words = Words::new(&source, whole, Language::Caret);
    let mut diagnostics = Diagnostics::default();
    let token = words.next_token(&mut diagnostics);
    token.span == whole && matches!(token.kind, Kind::Word | Kind::Label) && diagnostics.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_split_as_in_spot() {
        let kinds = |text: &str| {
            let source = Source::new("x", text).unwrap();
            let whole = Span::new(0, text.len() as u32);
            let mut words = Words::new(&source, whole, Language::Ltl);
            let mut diagnostics = Diagnostics::default();
            let mut list = Vec::new();
            loop {
                let token = words.next_token(&mut diagnostics);
                if token.kind == Kind::End {
                    return list;
                }
                list.push(source.slice(token.span).to_owned());
            }
        };
        assert_eq!(kinds("GFa U F1"), ["G", "F", "a", "U", "F1"]);
        assert_eq!(kinds("Foo::x->@Go # x"), ["Foo::x", "->", "@Go"]);
        assert_eq!(
            kinds("[]<>n<=3<=>Up"),
            ["[]", "<>", "n", "<=", "3", "<=>", "Up"]
        );
        assert!(is_plain("a") && is_plain("@f::L") && is_plain("{x == 0}"));
        assert!(!is_plain("Flag") && !is_plain("a b") && !is_plain("U") && !is_plain(""));
    }
}

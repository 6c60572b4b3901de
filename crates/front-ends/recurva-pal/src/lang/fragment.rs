//! C texts in pieces.

use recurva_syntax::{Cursor, Diagnostic, Source, Span, Token};

use super::{
    ast::{Fragment, Hole, Piece, PieceKind},
    token::{Bracket, CTokens, Kind},
};

/// Tokens of a monitor.
pub(super) type Tokens<'s> = Cursor<'s, CTokens<'s>>;

/// The keywords of C, and of its usual extensions, which are no names.
const KEYWORDS: &[&str] = &[
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "__alignof__",
    "__asm__",
    "__attribute__",
    "__auto_type",
    "__const",
    "__extension__",
    "__inline",
    "__inline__",
    "__int128",
    "__restrict",
    "__restrict__",
    "__signed__",
    "__thread",
    "__typeof__",
    "__volatile__",
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Whether a word is a keyword of C.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// Whether a word is followed by the tag of a type.
pub(super) fn begins_tag(word: &str) -> bool {
    matches!(word, "struct" | "union" | "enum")
}

/// The tokens up to the bracket that closes `opener`, which has been passed, and where that
/// bracket stands. Brackets that do not match are reported.
pub(super) fn bracketed(cursor: &mut Tokens<'_>, opener: Span) -> (Vec<Token<Kind>>, Span) {
    let tokens = balanced(cursor, |kind| kind == Kind::Close(Bracket::Curly));
    let closer = match cursor.expect_closing(Kind::Close(Bracket::Curly), opener) {
        Some(token) => token.span,
        None => Span::at(cursor.peek().span.start),
    };
    (tokens, closer)
}

/// The tokens up to one outside of all brackets for which `stop` holds, which is not passed.
/// Brackets that do not match are reported.
pub(super) fn balanced(cursor: &mut Tokens<'_>, stop: impl Fn(Kind) -> bool) -> Vec<Token<Kind>> {
    let mut tokens = Vec::new();
    let mut open: Vec<(Bracket, Span)> = Vec::new();
    // How many are open of each kind: one that closes nothing is not searched for.
    let mut count = [0_usize; 3];
    loop {
        let token = cursor.peek();
        match token.kind {
            Kind::End => {
                // One message is enough for a text that breaks off.
                if let Some(&(bracket, place)) = open.last() {
                    cursor.expect_closing(Kind::Close(bracket), place);
                }
                return tokens;
            }
            kind if open.is_empty() && stop(kind) => return tokens,
            Kind::Open(bracket) => {
                count[bracket as usize] += 1;
                open.push((bracket, token.span));
            }
            Kind::Close(bracket) => {
                let matching = match count[bracket as usize] {
                    0 => None,
                    _ => open.iter().rposition(|&(other, _)| other == bracket),
                };
                match matching {
                    Some(at) => {
                        if let Some(&(inner, place)) = open.get(at + 1) {
                            cursor.expect_closing(Kind::Close(inner), place);
                        }
                        for (closed, _) in open.drain(at..) {
                            count[closed as usize] -= 1;
                        }
                    }
                    // It closes something further out.
                    None if bracket == Bracket::Curly => {
                        if let Some(&(inner, place)) = open.first() {
                            cursor.expect_closing(Kind::Close(inner), place);
                        }
                        return tokens;
                    }
                    None => {
                        let shown = cursor.found();
                        cursor.diagnostics().report(|| {
                            Diagnostic::error(format!("{shown} closes nothing"), token.span)
                        });
                    }
                }
            }
            Kind::Include | Kind::Directive => {
                cursor.diagnostics().report(|| {
                    Diagnostic::error("a directive cannot stand here", token.span)
                        .help("put it in a header, and `#include` that before the events")
                });
            }
            _ => {}
        }
        tokens.push(cursor.bump());
    }
}

/// The text of a span, which has these tokens, in pieces.
pub(super) fn fragment(source: &Source, tokens: &[Token<Kind>], span: Span) -> Fragment {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut start = span.start;
    let flush = |text: &mut String, start: u32, end: u32, pieces: &mut Vec<Piece>| {
        if start < end {
            pieces.push(Piece {
                kind: PieceKind::Text,
                text: std::mem::take(text).into(),
                span: Span::new(start, end),
            });
        }
    };
    let mut at = span.start;
    let mut previous: Option<Token<Kind>> = None;
    for &token in tokens {
        text.push_str(source.slice(Span::new(at, token.span.start)));
        at = token.span.end;
        let own = source.slice(token.span);
        let kind = match token.kind {
            Kind::Variable(number) => PieceKind::Hole(Hole::Variable(number)),
            Kind::Any => PieceKind::Hole(Hole::Any),
            Kind::Word if !is_keyword(own) && !follows_prefix(source, previous) => PieceKind::Name,
            _ => PieceKind::Text,
        };
        previous = Some(token);
        if kind == PieceKind::Text {
            match own.get(2..own.len().saturating_sub(2)) {
                Some(inner) if token.kind == Kind::Quoted => {
                    text.push('"');
                    text.push_str(inner);
                    text.push('"');
                }
                _ => text.push_str(own),
            }
            continue;
        }
        flush(&mut text, start, token.span.start, &mut pieces);
        start = at;
        pieces.push(Piece {
            kind,
            text: own.into(),
            span: token.span,
        });
    }
    text.push_str(source.slice(Span::new(at, span.end)));
    flush(&mut text, start, span.end, &mut pieces);
    Fragment { pieces, span }
}

/// Whether what follows a token is a member or a tag.
fn follows_prefix(source: &Source, previous: Option<Token<Kind>>) -> bool {
    previous.is_some_and(|token| match token.kind {
        Kind::Member => true,
        Kind::Word => begins_tag(source.slice(token.span)),
        _ => false,
    })
}

/// From the first token to the last; nothing, at `place`, if there are none.
pub(super) fn span_of(tokens: &[Token<Kind>], place: Span) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::at(place.start),
    }
}

/// The parts of a list of tokens between tokens outside of all brackets that are of a kind.
pub(super) fn split(tokens: &[Token<Kind>], separator: Kind) -> Vec<&[Token<Kind>]> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            kind if depth == 0 && kind == separator => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
    }
}

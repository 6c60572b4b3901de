//! Tokens one at a time.

use crate::{Diagnostic, Diagnostics, Source, Span};

/// A kind of token.
pub trait TokenKind: Copy + Eq {
    /// The kind that comes, again and again, when the text is over.
    const END: Self;

    /// What a user calls it: "`;`", "a name".
    fn describe(self) -> &'static str;
}

/// A token: what it is and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where.
    pub span: Span,
}

/// Splits a text into tokens.
pub trait Lexer {
    /// The kinds of token.
    type Kind: TokenKind;

    /// The next token. Reports text that is no token and goes on behind it.
    fn next_token(&mut self, diagnostics: &mut Diagnostics) -> Token<Self::Kind>;
}

/// A place in a stream of tokens, with two tokens in view, and the list of what went wrong.
#[derive(Debug)]
pub struct Cursor<'s, L: Lexer> {
    source: &'s Source,
    lexer: L,
    next: Token<L::Kind>,
    second: Token<L::Kind>,
    previous: Span,
    diagnostics: Diagnostics,
}

impl<'s, L: Lexer> Cursor<'s, L> {
    /// At the first token.
    pub fn new(source: &'s Source, mut lexer: L) -> Self {
        let mut diagnostics = Diagnostics::default();
        let next = lexer.next_token(&mut diagnostics);
        let second = lexer.next_token(&mut diagnostics);
        Cursor {
            source,
            lexer,
            next,
            second,
            previous: Span::at(next.span.start),
            diagnostics,
        }
    }

    /// The source.
    pub fn source(&self) -> &'s Source {
        self.source
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> &'s str {
        self.source.slice(span)
    }

    /// The token in front.
    pub fn peek(&self) -> Token<L::Kind> {
        self.next
    }

    /// The kind of the token behind the one in front.
    pub fn second(&self) -> L::Kind {
        self.second.kind
    }

    /// The span of the token last passed.
    pub fn previous(&self) -> Span {
        self.previous
    }

    /// Whether the token in front is of that kind.
    pub fn at(&self, kind: L::Kind) -> bool {
        self.next.kind == kind
    }

    /// Passes the token in front. The end is never passed.
    pub fn bump(&mut self) -> Token<L::Kind> {
        let token = self.next;
        if token.kind != L::Kind::END {
            self.previous = token.span;
            self.next = self.second;
            self.second = self.lexer.next_token(&mut self.diagnostics);
        }
        token
    }

    /// Passes the token in front if it is of that kind.
    pub fn eat(&mut self, kind: L::Kind) -> Option<Token<L::Kind>> {
        self.at(kind).then(|| self.bump())
    }

    /// Passes a token of that kind, or reports that it is missing and stays.
    pub fn expect(&mut self, kind: L::Kind) -> Option<Token<L::Kind>> {
        let token = self.eat(kind);
        if token.is_none() {
            self.unexpected(kind.describe(), |diagnostic| diagnostic);
        }
        token
    }

    /// Passes the token that closes what `opener` began, or reports that it is missing.
    pub fn expect_closing(&mut self, kind: L::Kind, opener: Span) -> Option<Token<L::Kind>> {
        let token = self.eat(kind);
        if token.is_none() {
            let note = format!("to match this `{}`", self.text(opener));
            self.unexpected(kind.describe(), |diagnostic| diagnostic.note(opener, note));
        }
        token
    }

    /// Reports that the token in front is not what should stand here; `more` adds to the
    /// message.
    pub fn unexpected(&mut self, expected: &str, more: impl FnOnce(Diagnostic) -> Diagnostic) {
        let (found, span) = (self.found(), self.next.span);
        self.diagnostics.report(|| {
            more(
                Diagnostic::error(format!("expected {expected}, found {found}"), span)
                    .label(format!("expected {expected}")),
            )
        });
    }

    /// The token in front in words.
    pub fn found(&self) -> String {
        let text = self.text(self.next.span);
        if self.next.kind == L::Kind::END {
            "the end of the text".to_owned()
        } else if text.chars().nth(40).is_some() {
            L::Kind::describe(self.next.kind).to_owned()
        } else {
            format!("`{text}`")
        }
    }

    /// Passes tokens up to one for which `stop` holds, or to the end.
    pub fn skip_until(&mut self, stop: impl Fn(L::Kind) -> bool) {
        while !self.at(L::Kind::END) && !stop(self.next.kind) {
            self.bump();
        }
    }

    /// The list of what went wrong.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        &mut self.diagnostics
    }

    /// The list of what went wrong, at the end of the work.
    pub fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }
}

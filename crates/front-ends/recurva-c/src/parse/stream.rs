//! The tokens as the parser wants them: names are numbers, and only a few are kept at a time, so
//! that junk of any length costs no memory.

use recurva_syntax::Span;

use super::pack::Packs;
use crate::{
    ast::Name,
    lex::{Kind, Lexer},
    names::Names,
    word::{KEYWORDS, Word},
};

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) span: Span,
    /// Which name, if it is one or a keyword.
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    /// Which keyword or sign.
    pub(crate) word: Word,
}

/// So many tokens can be seen: this one and those behind it.
const AHEAD: usize = 4;
/// So many are split at once.
const CHUNK: usize = 512;

pub(crate) struct Stream<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    pub(crate) names: Names,
    pub(crate) packs: Packs,
    /// The tokens from a little before this one on; at the end, copies of [`Kind::End`].
    window: Vec<Lexeme>,
    at: usize,
    is_done: bool,
    behind: u32,
}

impl<'t> Stream<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let mut names = Names::default();
        for (text, _) in KEYWORDS {
            names.number(text.as_bytes());
        }
        let mut stream = Stream {
            text,
            lexer: Lexer::new(text),
            names,
            packs: Packs::default(),
            window: Vec::with_capacity(CHUNK + AHEAD),
            at: 0,
            is_done: false,
            behind: 0,
        };
        stream.fill();
        stream
    }

    /// The token `ahead` tokens further on.
    #[inline]
    pub(crate) fn token(&self, ahead: usize) -> Lexeme {
        debug_assert!(ahead < AHEAD, "more tokens are wanted than are there");
        self.window[self.at + ahead]
    }

    /// Takes a token.
    #[inline]
    pub(crate) fn next(&mut self) -> Lexeme {
        let token = self.window[self.at];
        if token.kind != Kind::End {
            self.behind = token.span.end;
            self.at += 1;
            if self.at + AHEAD > self.window.len() {
                self.fill();
            }
        }
        token
    }

    /// Where the last token that was taken ends.
    #[inline]
    pub(crate) fn behind(&self) -> u32 {
        self.behind
    }

    fn fill(&mut self) {
        self.window.drain(..self.at);
        self.at = 0;
        while !self.is_done && self.window.len() < CHUNK {
            let token = self.split();
            match token.kind {
                Kind::Line => self.packs.line(&self.text[token.span.range()], token.span),
                // Nothing can be read behind a stray byte.
                Kind::End | Kind::Stray => {
                    self.is_done = true;
                    self.window.push(token);
                }
                _ => self.window.push(token),
            }
        }
        if self.is_done {
            let end = Lexeme {
                span: Span::at(self.text.len() as u32),
                name: Name(0),
                kind: Kind::End,
                word: Word::Other,
            };
            while self.window.len() < AHEAD {
                self.window.push(end);
            }
        }
    }

    fn split(&mut self) -> Lexeme {
        let token = self.lexer.next();
        let mut lexeme = Lexeme {
            span: token.span,
            name: Name(0),
            kind: token.kind,
            word: self.lexer.sign(),
        };
        if token.kind == Kind::Name {
            match self.names.number(token.of(self.text)) {
                Some(name) => {
                    lexeme.name = name;
                    if let Some((_, word)) = KEYWORDS.get(name.index()) {
                        lexeme.word = *word;
                    }
                }
                None => lexeme.kind = Kind::Stray,
            }
        }
        lexeme
    }
}

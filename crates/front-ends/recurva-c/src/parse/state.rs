//! The state of the parser, and what all of its parts need.

use recurva_syntax::Span;

use super::{
    TOO_HIGH,
    expression::Pending,
    scope::{Meaning, Scopes},
    stream::{Lexeme, Stream},
};
use crate::{
    ast::{Expr, ExprId, ExprKind, Ident, Stmt, StmtId, StmtKind, Unit},
    error::{Result, Unreadable},
    lex::Kind,
    word::Word,
};

/// Brackets and blocks may be nested so deeply: clang stops at 256 brackets.
pub(super) const DEPTH: u32 = 1_000;
/// A type within a type takes more of the stack, and counts as two levels.
const TYPE: u32 = 2;

pub(crate) struct Parser<'t> {
    pub(super) text: &'t [u8],
    pub(super) stream: Stream<'t>,
    pub(super) scopes: Scopes,
    pub(super) unit: Unit,
    /// Operators that wait for their right operand.
    pub(super) pending: Vec<Pending>,
    depth: u32,
    /// How high each expression is.
    heights: Vec<u32>,
    /// The highest expression since this was last set to 0.
    tallest: u32,
    height_limit: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t [u8], height_limit: u32) -> Self {
        let mut stream = Stream::new(text);
        let mut scopes = Scopes::default();
        for name in super::specifiers::BUILTIN_TYPES {
            if let Some(name) = stream.names.number(name.as_bytes()) {
                scopes.declare(name, Meaning::Builtin);
            }
        }
        Parser {
            text,
            stream,
            scopes,
            unit: Unit::default(),
            pending: Vec::new(),
            depth: 0,
            heights: Vec::new(),
            tallest: 0,
            height_limit,
        }
    }

    /// All of the text.
    pub(super) fn unit(mut self) -> Result<Unit> {
        while !self.is_end() {
            self.external_declaration()?;
        }
        self.unit.names = self.stream.names;
        Ok(self.unit)
    }

    #[inline]
    pub(super) fn token(&self) -> Lexeme {
        self.stream.token(0)
    }

    #[inline]
    pub(super) fn word(&self) -> Word {
        self.stream.token(0).word
    }

    /// The keyword or sign `ahead` tokens further on.
    #[inline]
    pub(super) fn word_at(&self, ahead: usize) -> Word {
        self.stream.token(ahead).word
    }

    #[inline]
    pub(super) fn is(&self, word: Word) -> bool {
        self.word() == word
    }

    pub(super) fn is_end(&self) -> bool {
        self.token().kind == Kind::End
    }

    /// Whether the token `ahead` tokens further on is a name, and no keyword.
    #[inline]
    pub(super) fn is_name_at(&self, ahead: usize) -> bool {
        let token = self.stream.token(ahead);
        token.kind == Kind::Name && token.word == Word::Other
    }

    #[inline]
    pub(super) fn next(&mut self) -> Lexeme {
        self.stream.next()
    }

    /// Takes the token if it is this one.
    #[inline]
    pub(super) fn eat(&mut self, word: Word) -> bool {
        let is = self.is(word);
        if is {
            self.next();
        }
        is
    }

    #[inline]
    pub(super) fn expect(&mut self, word: Word) -> Result<Lexeme> {
        if self.is(word) {
            Ok(self.next())
        } else {
            Err(self.unexpected(word.text()))
        }
    }

    /// A name that is no keyword.
    pub(super) fn name(&mut self) -> Result<Ident> {
        if !self.is_name_at(0) {
            return Err(self.unexpected("a name"));
        }
        let Lexeme { name, span, .. } = self.next();
        Ok(Ident { name, span })
    }

    #[cold]
    pub(super) fn unexpected(&self, expected: &'static str) -> Unreadable {
        Unreadable {
            span: self.token().span,
            expected,
        }
    }

    /// Where this token begins.
    #[inline]
    pub(super) fn start(&self) -> u32 {
        self.token().span.start
    }

    /// From a byte up to the end of the last token that was taken.
    #[inline]
    pub(super) fn since(&self, start: u32) -> Span {
        Span::new(start, self.stream.behind().max(start))
    }

    /// Reads something that may contain itself.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nested_by(1, read)
    }

    /// Reads a part of a type that may contain types, or a function within another.
    pub(super) fn nested_type<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.nested_by(TYPE, read)
    }

    #[inline]
    fn nested_by<T>(
        &mut self,
        levels: u32,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.depth + levels > DEPTH {
            return Err(self.unexpected("less nesting here: this is deeper than can be read"));
        }
        self.depth += levels;
        let result = read(self);
        self.depth -= levels;
        result
    }

    /// Reads something with a scope of its own.
    pub(super) fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mark = self.scopes.open();
        let result = read(self);
        self.scopes.close(mark);
        result
    }

    /// Reads something with expressions somewhere in it: that, and how high they are.
    pub(super) fn measured<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, u32)> {
        let before = std::mem::take(&mut self.tallest);
        let result = read(self)?;
        let inside = self.tallest;
        self.tallest = before.max(inside);
        Ok((result, inside))
    }

    #[inline]
    pub(super) fn span_of(&self, id: ExprId) -> Span {
        self.unit.exprs[id.index()].span
    }

    #[inline]
    pub(super) fn height_of(&self, id: ExprId) -> u32 {
        self.heights[id.index()]
    }

    /// An expression up to here, above others that are so high.
    pub(super) fn add(&mut self, start: u32, kind: ExprKind, below: u32) -> Result<ExprId> {
        let height = below + 1;
        if height > self.height_limit {
            return Err(self.unexpected(TOO_HIGH));
        }
        self.tallest = self.tallest.max(height);
        self.heights.push(height);
        let id = ExprId(self.unit.exprs.len() as u32);
        let span = self.since(start);
        self.unit.exprs.push(Expr { span, kind });
        Ok(id)
    }

    /// A statement up to here.
    pub(super) fn add_stmt(&mut self, start: u32, kind: StmtKind) -> StmtId {
        let id = StmtId(self.unit.stmts.len() as u32);
        let span = self.since(start);
        self.unit.stmts.push(Stmt { span, kind });
        id
    }

    /// Skips tokens up to a comma or a closing bracket that belongs to an outer one.
    pub(super) fn skip_argument(&mut self) -> Result<()> {
        let mut open = 0u32;
        loop {
            match self.word() {
                Word::OpenParen | Word::OpenBracket | Word::OpenBrace => open += 1,
                Word::CloseParen | Word::CloseBracket | Word::CloseBrace if open == 0 => {
                    return Ok(());
                }
                Word::CloseParen | Word::CloseBracket | Word::CloseBrace => open -= 1,
                Word::Comma if open == 0 => return Ok(()),
                _ if self.is_end() => return Err(self.unexpected("a closing bracket")),
                _ => {}
            }
            self.next();
        }
    }
}

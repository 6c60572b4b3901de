//! The state of the parser, what all of its parts need, and the outermost level of a unit.

use recurva_syntax::Span;
use rustc_hash::FxHashMap;

use crate::{
    error::{Result, Unreadable},
    lex::{Kind, Token, tokens},
    tree::{Expr, ExprId, ExprKind, Root, Unit, Use},
};

/// Reads a translation unit as `cc -E` prints it.
pub fn parse(text: &[u8]) -> Result<Unit, Unreadable> {
    let mut parser = Parser::new(text);
    while !parser.is_end() {
        parser.external_declaration()?;
    }
    Ok(parser.unit)
}

/// Brackets and blocks may be nested so deeply: clang, too, stops at 256 brackets.
const DEPTH: u32 = 300;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A variable, a function or an enumerator.
    Value,
    /// A type that is no array.
    Type,
    /// A type of arrays.
    ArrayType,
}

pub(crate) struct Parser<'t> {
    text: &'t [u8],
    /// All tokens but lines.
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// What names mean, scope by scope.
    scopes: Vec<FxHashMap<&'t [u8], Meaning>>,
    pub(crate) unit: Unit,
    /// The expressions of the function, or of the block in an expression, that is being read.
    pub(crate) roots: Vec<Root>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t [u8]) -> Self {
        let mut tokens = tokens(text);
        tokens.retain(|token| token.kind != Kind::Line);
        let mut builtin = FxHashMap::default();
        builtin.insert(&b"__builtin_va_list"[..], Meaning::Type);
        Parser {
            text,
            tokens,
            at: 0,
            depth: 0,
            scopes: vec![builtin],
            unit: Unit {
                functions: Vec::new(),
                exprs: Vec::new(),
            },
            roots: Vec::new(),
        }
    }

    /// The token `ahead` tokens further on.
    pub(crate) fn token(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The text of the token `ahead` tokens further on; of literals, nothing that could be
    /// taken for a sign or a keyword.
    pub(crate) fn word(&self, ahead: usize) -> &'t [u8] {
        let token = self.token(ahead);
        match token.kind {
            Kind::Name | Kind::Sign => &self.text[token.span.range()],
            _ => b"",
        }
    }

    pub(crate) fn text_of(&self, span: Span) -> &'t [u8] {
        &self.text[span.range()]
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.word(0) == word.as_bytes()
    }

    pub(crate) fn is_end(&self) -> bool {
        self.token(0).kind == Kind::End
    }

    pub(crate) fn next(&mut self) -> Token {
        let token = self.token(0);
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes the token if it is this one.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let is = self.is(word);
        if is {
            self.next();
        }
        is
    }

    pub(crate) fn expect(&mut self, word: &'static str) -> Result<Token> {
        if self.is(word) {
            Ok(self.next())
        } else {
            Err(self.unexpected(word))
        }
    }

    pub(crate) fn unexpected(&self, expected: &'static str) -> Unreadable {
        Unreadable {
            span: self.token(0).span,
            expected,
        }
    }

    /// Where the last token that was taken ends.
    pub(crate) fn behind(&self) -> u32 {
        match self.at.checked_sub(1) {
            Some(last) => self.tokens[last].span.end,
            None => 0,
        }
    }

    /// Reads something that may contain itself.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return Err(self.unexpected("less nesting here: this is deeper than can be read"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads something with a scope of its own.
    pub(crate) fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.scopes.push(FxHashMap::default());
        let result = read(self);
        self.scopes.pop();
        result
    }

    pub(crate) fn declare(&mut self, name: Span, meaning: Meaning) {
        let name = &self.text[name.range()];
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, meaning);
        }
    }

    pub(crate) fn meaning(&self, name: &[u8]) -> Meaning {
        let known = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        known.copied().unwrap_or(Meaning::Value)
    }

    pub(crate) fn is_type_name(&self, name: &[u8]) -> bool {
        self.meaning(name) != Meaning::Value
    }

    pub(crate) fn add(&mut self, start: u32, kind: ExprKind) -> ExprId {
        let id = ExprId(self.unit.exprs.len() as u32);
        let span = Span::new(start, self.behind());
        self.unit.exprs.push(Expr { span, kind });
        id
    }

    pub(crate) fn span_of(&self, id: ExprId) -> Span {
        self.unit.expr(id).span
    }

    pub(crate) fn root(&mut self, expr: ExprId, usage: Use) {
        self.roots.push(Root { expr, usage });
    }

    /// Reads something whose expressions are not evaluated when the function runs.
    pub(crate) fn unevaluated<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.roots.len();
        let result = read(self);
        self.roots.truncate(before);
        result
    }

    /// Skips a bracket with all that is in it.
    pub(crate) fn skip_brackets(&mut self) -> Result<()> {
        let mut open = 0u32;
        loop {
            match self.word(0) {
                b"(" | b"[" | b"{" => open += 1,
                b")" | b"]" | b"}" => open = open.saturating_sub(1),
                _ if self.is_end() => return Err(self.unexpected("a closing bracket")),
                _ if open == 0 => return Err(self.unexpected("an opening bracket")),
                _ => {}
            }
            self.next();
            if open == 0 {
                return Ok(());
            }
        }
    }
}

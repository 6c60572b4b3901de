//! Statements and blocks.

use super::{declaration::Declared, state::Parser};
use crate::{
    ast::{Attribute, BlockItem, ExprId, Ident, StmtId, StmtKind},
    error::Result,
    word::Word,
};

/// So many labels may stand before one statement: each is a level of the tree.
const LABELS: usize = 4_000;

/// A label that waits for its statement.
enum Label {
    Name(Ident, Vec<Attribute>),
    Case(ExprId, Option<ExprId>),
    Default,
}

impl Parser<'_> {
    /// `{ … }`, with a scope of its own.
    pub(super) fn block(&mut self) -> Result<StmtId> {
        let start = self.expect(Word::OpenBrace)?.span.start;
        let items = self.scoped(|parser| {
            let mut items = Vec::new();
            while !parser.eat(Word::CloseBrace) {
                if parser.is_end() {
                    return Err(parser.unexpected("`}`"));
                }
                let item = parser.block_item()?;
                items.push(item);
            }
            Ok(items)
        })?;
        Ok(self.add_stmt(start, StmtKind::Block(items)))
    }

    fn block_item(&mut self) -> Result<BlockItem> {
        if self.is(Word::Label) {
            return self.local_labels();
        }
        let mut attributes = Vec::new();
        if self.begins_attribute() {
            self.attributes(&mut attributes)?;
        }
        if self.begins_declaration() {
            return self.block_declaration(attributes);
        }
        // What is left may be `__attribute__((fallthrough));`, which means nothing here.
        self.statement().map(BlockItem::Stmt)
    }

    fn block_declaration(&mut self, attributes: Vec<Attribute>) -> Result<BlockItem> {
        if self.is(Word::StaticAssert) {
            return self.static_assert().map(BlockItem::StaticAssert);
        }
        Ok(match self.declaration(attributes)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::Function(function),
        })
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Result<BlockItem> {
        self.next();
        let mut names = vec![self.label()?];
        while self.eat(Word::Comma) {
            names.push(self.label()?);
        }
        self.expect(Word::Semicolon)?;
        Ok(BlockItem::LocalLabels(names))
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Result<StmtId> {
        let mut labels: Vec<(u32, Label)> = Vec::new();
        loop {
            if self.begins_attribute() {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                if let Some((_, Label::Name(_, of_label))) = labels.last_mut() {
                    of_label.extend(attributes);
                }
            }
            let start = self.start();
            let Some(label) = self.statement_label()? else {
                break;
            };
            if labels.len() == LABELS {
                return Err(self.unexpected("fewer labels before one statement"));
            }
            labels.push((start, label));
        }
        // At the end of a block, and before a declaration, nothing is labelled.
        let is_last = self.is(Word::CloseBrace) || self.begins_declaration();
        let mut statement = if !labels.is_empty() && is_last {
            let end = self.stream.behind();
            self.add_stmt(end, StmtKind::Empty)
        } else {
            self.nested(Self::unlabelled)?
        };
        for (start, label) in labels.into_iter().rev() {
            let body = statement;
            let kind = match label {
                Label::Name(name, attributes) => StmtKind::Label {
                    name,
                    attributes,
                    body,
                },
                Label::Case(from, to) => StmtKind::Case { from, to, body },
                Label::Default => StmtKind::Default(body),
            };
            statement = self.add_stmt(start, kind);
        }
        Ok(statement)
    }

    fn statement_label(&mut self) -> Result<Option<Label>> {
        let label = match self.word() {
            Word::Case => {
                self.next();
                let from = self.conditional()?;
                let to = match self.eat(Word::Dots) {
                    true => Some(self.conditional()?),
                    false => None,
                };
                Label::Case(from, to)
            }
            Word::Default => {
                self.next();
                Label::Default
            }
            _ if self.is_name_at(0) && self.word_at(1) == Word::Colon => {
                Label::Name(self.label()?, Vec::new())
            }
            _ => return Ok(None),
        };
        self.expect(Word::Colon)?;
        Ok(Some(label))
    }

    fn unlabelled(&mut self) -> Result<StmtId> {
        let start = self.start();
        let kind = match self.word() {
            Word::OpenBrace => return self.block(),
            Word::If => return self.choice(),
            Word::For => return self.scoped(Self::for_loop),
            Word::Semicolon => {
                self.next();
                StmtKind::Empty
            }
            Word::While => {
                self.next();
                let condition = self.condition()?;
                let body = self.statement()?;
                StmtKind::While { condition, body }
            }
            Word::Switch => {
                self.next();
                let value = self.condition()?;
                let body = self.statement()?;
                StmtKind::Switch { value, body }
            }
            Word::Do => {
                self.next();
                let body = self.statement()?;
                self.expect(Word::While)?;
                let condition = self.condition()?;
                self.expect(Word::Semicolon)?;
                StmtKind::DoWhile { body, condition }
            }
            Word::Goto => self.goto()?,
            Word::Break => {
                self.next();
                self.expect(Word::Semicolon)?;
                StmtKind::Break
            }
            Word::Continue => {
                self.next();
                self.expect(Word::Semicolon)?;
                StmtKind::Continue
            }
            Word::Return => {
                self.next();
                StmtKind::Return(self.until(Word::Semicolon)?)
            }
            Word::Asm => StmtKind::Asm(Box::new(self.assembler()?)),
            _ => {
                if self.is_name_at(0) && self.is_name_at(1) {
                    return Err(self.unexpected("a type; this name is none"));
                }
                StmtKind::Expr(self.rest(Word::Semicolon)?)
            }
        };
        Ok(self.add_stmt(start, kind))
    }

    /// An expression and the token behind it.
    fn rest(&mut self, end: Word) -> Result<ExprId> {
        let value = self.expression()?;
        self.expect(end)?;
        Ok(value)
    }

    /// An expression that may be missing, and the token behind it.
    fn until(&mut self, end: Word) -> Result<Option<ExprId>> {
        match self.eat(end) {
            true => Ok(None),
            false => self.rest(end).map(Some),
        }
    }

    fn condition(&mut self) -> Result<ExprId> {
        self.expect(Word::OpenParen)?;
        self.rest(Word::CloseParen)
    }

    /// `if … else if … else …`: as many as there are, without a call for each.
    fn choice(&mut self) -> Result<StmtId> {
        let mut branches = Vec::new();
        let mut other = loop {
            let start = self.expect(Word::If)?.span.start;
            let condition = self.condition()?;
            let then = self.statement()?;
            branches.push((start, condition, then));
            if !self.eat(Word::Else) {
                break None;
            }
            if !self.is(Word::If) {
                break Some(self.statement()?);
            }
        };
        let mut statement = None;
        for (start, condition, then) in branches.into_iter().rev() {
            let kind = StmtKind::If {
                condition,
                then,
                other,
            };
            let id = self.add_stmt(start, kind);
            statement = Some(id);
            other = statement;
        }
        statement.ok_or_else(|| self.unexpected("`if`"))
    }

    fn for_loop(&mut self) -> Result<StmtId> {
        let start = self.expect(Word::For)?.span.start;
        self.expect(Word::OpenParen)?;
        let mut attributes = Vec::new();
        if self.begins_attribute() {
            self.attributes(&mut attributes)?;
        }
        let init = if self.begins_declaration() {
            Some(Box::new(self.block_declaration(attributes)?))
        } else {
            let start = self.start();
            let init = self.until(Word::Semicolon)?;
            init.map(|init| Box::new(BlockItem::Stmt(self.add_stmt(start, StmtKind::Expr(init)))))
        };
        let condition = self.until(Word::Semicolon)?;
        let step = self.until(Word::CloseParen)?;
        let body = self.statement()?;
        let kind = StmtKind::For {
            init,
            condition,
            step,
            body,
        };
        Ok(self.add_stmt(start, kind))
    }

    fn goto(&mut self) -> Result<StmtKind> {
        self.next();
        if self.eat(Word::Star) {
            let target = self.rest(Word::Semicolon)?;
            return Ok(StmtKind::GotoComputed(target));
        }
        let label = self.label()?;
        self.expect(Word::Semicolon)?;
        Ok(StmtKind::Goto(label))
    }
}

//! Initial values.

use super::state::Parser;
use crate::{
    ast::{Designator, ExprId, ExprKind, Init, InitItem, TypeName},
    error::Result,
    word::Word,
};

impl Parser<'_> {
    /// A value or a list of values.
    pub(super) fn initialiser(&mut self) -> Result<Init> {
        if self.is(Word::OpenBrace) {
            return self.nested(Self::list);
        }
        self.assignment().map(Init::Expr)
    }

    /// `(T){ … }`, at the brace.
    pub(super) fn compound(&mut self, start: u32, ty: Box<TypeName>, below: u32) -> Result<ExprId> {
        let (init, height) = self.measured(|parser| parser.nested(Self::list))?;
        self.add(start, ExprKind::Compound(ty, init), below.max(height))
    }

    /// `{ a, .b = c, [1 ... 2] = d }`
    fn list(&mut self) -> Result<Init> {
        let start = self.expect(Word::OpenBrace)?.span.start;
        let mut items = Vec::new();
        while !self.eat(Word::CloseBrace) {
            let item = self.start();
            let designators = self.designators()?;
            let init = self.initialiser()?;
            let span = self.since(item);
            items.push(InitItem {
                designators,
                init,
                span,
            });
            if !self.is(Word::CloseBrace) && !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        let span = self.since(start);
        Ok(Init::List(items, span))
    }

    fn designators(&mut self) -> Result<Vec<Designator>> {
        let mut designators = Vec::new();
        // The old way of GNU C: `name: value`.
        if self.is_name_at(0) && self.word_at(1) == Word::Colon {
            designators.push(Designator::Field(self.name()?));
            self.next();
            return Ok(designators);
        }
        loop {
            match self.word() {
                Word::Dot => {
                    self.next();
                    designators.push(Designator::Field(self.name()?));
                }
                Word::OpenBracket => {
                    self.next();
                    let first = self.nested(Self::conditional)?;
                    designators.push(match self.eat(Word::Dots) {
                        true => Designator::Range(first, self.nested(Self::conditional)?),
                        false => Designator::Index(first),
                    });
                    self.expect(Word::CloseBracket)?;
                }
                _ => break,
            }
        }
        // GNU C once allowed `[1] value`, without `=`.
        if !designators.is_empty() && !self.eat(Word::Assign) {
            match designators.last() {
                Some(Designator::Field(_)) | None => return Err(self.unexpected("`=`")),
                Some(_) => {}
            }
        }
        Ok(designators)
    }
}

//! What stands behind an operand: calls, indices, members, steps.

use super::state::Parser;
use crate::{
    ast::{ExprId, ExprKind, StepOperator},
    error::Result,
    word::Word,
};

impl Parser<'_> {
    /// An operand with all that stands behind it.
    pub(super) fn postfix(&mut self, mut left: ExprId) -> Result<ExprId> {
        let start = self.span_of(left).start;
        loop {
            let word = self.word();
            let mut below = self.height_of(left);
            let kind = match word {
                Word::OpenParen => {
                    self.next();
                    let arguments = self.nested(Self::arguments)?;
                    let heights = arguments.iter().map(|id| self.height_of(*id));
                    below = heights.fold(below, u32::max);
                    ExprKind::Call {
                        callee: left,
                        arguments,
                    }
                }
                Word::OpenBracket => {
                    self.next();
                    let index = self.nested(Self::expression)?;
                    self.expect(Word::CloseBracket)?;
                    below = below.max(self.height_of(index));
                    ExprKind::Index { base: left, index }
                }
                Word::Dot | Word::Arrow => {
                    self.next();
                    ExprKind::Member {
                        base: left,
                        name: self.name()?,
                        is_arrow: word == Word::Arrow,
                    }
                }
                Word::PlusPlus => {
                    self.next();
                    ExprKind::Step(StepOperator::PostIncrement, left)
                }
                Word::MinusMinus => {
                    self.next();
                    ExprKind::Step(StepOperator::PostDecrement, left)
                }
                _ => return Ok(left),
            };
            left = self.add(start, kind, below)?;
        }
    }

    /// Behind the opening bracket, up to and with the closing one.
    fn arguments(&mut self) -> Result<Vec<ExprId>> {
        let mut arguments = Vec::new();
        if self.eat(Word::CloseParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if self.eat(Word::CloseParen) {
                return Ok(arguments);
            }
            if !self.eat(Word::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }
}

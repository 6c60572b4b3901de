//! Operators and their operands.
//!
//! Operators that wait for their right operand are on a stack: a stronger one is finished before
//! a weaker one behind it begins. So neither long chains nor long rows of prefixes are nested
//! calls.

use recurva_syntax::Span;

use super::state::Parser;
use crate::{
    ast::{
        AssignOperator, BinaryOperator, ExprId, ExprKind, Operand, StepOperator, TypeName,
        UnaryOperator,
    },
    error::Result,
    word::Word,
};

/// How strongly operators bind.
type Strength = u8;
const ASSIGNMENT: Strength = 1;
const CHOICE: Strength = 2;
/// `||` is the first of ten levels.
const PREFIX: Strength = 20;

/// An operator that waits for its right operand.
pub(crate) enum Pending {
    Unary(UnaryOperator, u32),
    Step(StepOperator, u32),
    Sizeof(u32),
    Alignof(u32),
    Cast {
        ty: Box<TypeName>,
        start: u32,
        below: u32,
    },
    Binary {
        strength: Strength,
        operator: BinaryOperator,
        operator_span: Span,
        left: ExprId,
    },
    Choice {
        condition: ExprId,
        then: Option<ExprId>,
    },
    Assign {
        operator: AssignOperator,
        operator_span: Span,
        target: ExprId,
    },
}

impl Pending {
    fn strength(&self) -> Strength {
        match self {
            Pending::Binary { strength, .. } => *strength,
            Pending::Choice { .. } => CHOICE,
            Pending::Assign { .. } => ASSIGNMENT,
            _ => PREFIX,
        }
    }
}

impl Parser<'_> {
    /// `a, b`, and all that binds tighter.
    pub(super) fn expression(&mut self) -> Result<ExprId> {
        let first = self.assignment()?;
        if !self.is(Word::Comma) {
            return Ok(first);
        }
        let mut all = vec![first];
        let mut below = self.height_of(first);
        while self.eat(Word::Comma) {
            let next = self.assignment()?;
            below = below.max(self.height_of(next));
            all.push(next);
        }
        self.add(self.span_of(first).start, ExprKind::Comma(all), below)
    }

    /// `a = b`, and all that binds tighter.
    pub(super) fn assignment(&mut self) -> Result<ExprId> {
        self.operators(ASSIGNMENT)
    }

    /// `a ? b : c`, and all that binds tighter: what may stand where a constant is wanted.
    pub(super) fn conditional(&mut self) -> Result<ExprId> {
        self.operators(CHOICE)
    }

    /// Operators of this strength or stronger ones, with their operands.
    fn operators(&mut self, weakest: Strength) -> Result<ExprId> {
        let base = self.pending.len();
        loop {
            let value = self.operand()?;
            let word = self.word();
            if let Some((operator, strength)) = binary(word) {
                let left = self.finish(base, value, strength)?;
                let operator_span = self.next().span;
                self.pending.push(Pending::Binary {
                    strength,
                    operator,
                    operator_span,
                    left,
                });
            } else if word == Word::Question {
                let condition = self.finish(base, value, CHOICE + 1)?;
                self.next();
                // GNU C: `a ?: b`.
                let then = match self.is(Word::Colon) {
                    true => None,
                    false => Some(self.nested(Self::expression)?),
                };
                self.expect(Word::Colon)?;
                self.pending.push(Pending::Choice { condition, then });
            } else if weakest == ASSIGNMENT
                && let Some(operator) = assign(word)
            {
                let target = self.finish(base, value, ASSIGNMENT + 1)?;
                let operator_span = self.next().span;
                self.pending.push(Pending::Assign {
                    operator,
                    operator_span,
                    target,
                });
            } else {
                return self.finish(base, value, 0);
            }
        }
    }

    /// Gives the operators from `base` on that are at least so strong their right operand.
    fn finish(&mut self, base: usize, mut value: ExprId, strength: Strength) -> Result<ExprId> {
        while self.pending.len() > base
            && let Some(pending) = self.pending.pop_if(|it| it.strength() >= strength)
        {
            value = self.apply(pending, value)?;
        }
        Ok(value)
    }

    fn apply(&mut self, pending: Pending, value: ExprId) -> Result<ExprId> {
        let height = self.height_of(value);
        let above = |parser: &Self, other: ExprId| height.max(parser.height_of(other));
        match pending {
            Pending::Unary(operator, start) => {
                self.add(start, ExprKind::Unary(operator, value), height)
            }
            Pending::Step(operator, start) => {
                self.add(start, ExprKind::Step(operator, value), height)
            }
            Pending::Sizeof(start) => {
                self.add(start, ExprKind::Sizeof(Operand::Expr(value)), height)
            }
            Pending::Alignof(start) => {
                self.add(start, ExprKind::Alignof(Operand::Expr(value)), height)
            }
            Pending::Cast { ty, start, below } => {
                self.add(start, ExprKind::Cast(ty, value), height.max(below))
            }
            Pending::Binary {
                operator,
                operator_span,
                left,
                ..
            } => {
                let kind = ExprKind::Binary {
                    operator,
                    operator_span,
                    left,
                    right: value,
                };
                self.add(self.span_of(left).start, kind, above(self, left))
            }
            Pending::Choice { condition, then } => {
                let mut below = above(self, condition);
                if let Some(then) = then {
                    below = below.max(self.height_of(then));
                }
                let kind = ExprKind::Conditional {
                    condition,
                    then,
                    other: value,
                };
                self.add(self.span_of(condition).start, kind, below)
            }
            Pending::Assign {
                operator,
                operator_span,
                target,
            } => {
                let kind = ExprKind::Assign {
                    operator,
                    operator_span,
                    target,
                    value,
                };
                self.add(self.span_of(target).start, kind, above(self, target))
            }
        }
    }

    /// An operand, with the operators before it put on the stack.
    fn operand(&mut self) -> Result<ExprId> {
        loop {
            let token = self.token();
            let start = token.span.start;
            let pending = match token.word {
                Word::OpenParen if self.begins_type_name(1) => match self.cast(start)? {
                    Cast::Pending(pending) => {
                        self.pending.push(pending);
                        continue;
                    }
                    Cast::Literal(literal) => return self.postfix(literal),
                },
                Word::Sizeof | Word::Alignof => {
                    if let Some(value) = self.type_operand(start)? {
                        return Ok(value);
                    }
                    continue;
                }
                Word::AmpAmp => {
                    self.next();
                    let label = self.label()?;
                    return self.add(start, ExprKind::LabelAddress(label), 0);
                }
                Word::PlusPlus => Pending::Step(StepOperator::PreIncrement, start),
                Word::MinusMinus => Pending::Step(StepOperator::PreDecrement, start),
                Word::Star => Pending::Unary(UnaryOperator::Deref, start),
                Word::Amp => Pending::Unary(UnaryOperator::Address, start),
                Word::Plus => Pending::Unary(UnaryOperator::Plus, start),
                Word::Minus => Pending::Unary(UnaryOperator::Minus, start),
                Word::Tilde => Pending::Unary(UnaryOperator::Complement, start),
                Word::Not => Pending::Unary(UnaryOperator::Not, start),
                Word::Real => Pending::Unary(UnaryOperator::Real, start),
                Word::Imaginary => Pending::Unary(UnaryOperator::Imaginary, start),
                Word::Extension => Pending::Unary(UnaryOperator::Extension, start),
                _ => {
                    let primary = self.primary()?;
                    return self.postfix(primary);
                }
            };
            self.next();
            self.pending.push(pending);
        }
    }

    /// `(T)` before an operand, or `(T){ … }`.
    fn cast(&mut self, start: u32) -> Result<Cast> {
        let (ty, below) = self.type_in_brackets()?;
        if self.is(Word::OpenBrace) {
            return Ok(Cast::Literal(self.compound(start, ty, below)?));
        }
        Ok(Cast::Pending(Pending::Cast { ty, start, below }))
    }

    /// `sizeof` and its like: finished if the operand is a type, otherwise on the stack. An
    /// operand that begins with a type may still be a compound literal.
    fn type_operand(&mut self, start: u32) -> Result<Option<ExprId>> {
        let is_sizeof = self.next().word == Word::Sizeof;
        let waiting = match is_sizeof {
            true => Pending::Sizeof(start),
            false => Pending::Alignof(start),
        };
        if !(self.is(Word::OpenParen) && self.begins_type_name(1)) {
            self.pending.push(waiting);
            return Ok(None);
        }
        let open = self.start();
        let (ty, below) = self.type_in_brackets()?;
        if self.is(Word::OpenBrace) {
            self.pending.push(waiting);
            let literal = self.compound(open, ty, below)?;
            return self.postfix(literal).map(Some);
        }
        let operand = Operand::Type(ty);
        let kind = match is_sizeof {
            true => ExprKind::Sizeof(operand),
            false => ExprKind::Alignof(operand),
        };
        self.add(start, kind, below).map(Some)
    }

    /// `(T)`, and how high the expressions in it are.
    pub(super) fn type_in_brackets(&mut self) -> Result<(Box<TypeName>, u32)> {
        self.expect(Word::OpenParen)?;
        let (ty, below) = self.measured(|parser| parser.nested(Self::type_name))?;
        self.expect(Word::CloseParen)?;
        Ok((Box::new(ty), below))
    }
}

/// What a type in brackets turned out to be.
enum Cast {
    Pending(Pending),
    Literal(ExprId),
}

/// A binary operator and how strongly it binds.
fn binary(word: Word) -> Option<(BinaryOperator, Strength)> {
    Some(match word {
        Word::BarBar => (BinaryOperator::Or, 3),
        Word::AmpAmp => (BinaryOperator::And, 4),
        Word::Bar => (BinaryOperator::BitOr, 5),
        Word::Caret => (BinaryOperator::BitXor, 6),
        Word::Amp => (BinaryOperator::BitAnd, 7),
        Word::Equal => (BinaryOperator::Equal, 8),
        Word::NotEqual => (BinaryOperator::NotEqual, 8),
        Word::Less => (BinaryOperator::Less, 9),
        Word::Greater => (BinaryOperator::Greater, 9),
        Word::LessEqual => (BinaryOperator::LessEqual, 9),
        Word::GreaterEqual => (BinaryOperator::GreaterEqual, 9),
        Word::ShiftLeft => (BinaryOperator::ShiftLeft, 10),
        Word::ShiftRight => (BinaryOperator::ShiftRight, 10),
        Word::Plus => (BinaryOperator::Add, 11),
        Word::Minus => (BinaryOperator::Subtract, 11),
        Word::Star => (BinaryOperator::Multiply, 12),
        Word::Slash => (BinaryOperator::Divide, 12),
        Word::Percent => (BinaryOperator::Remainder, 12),
        _ => return None,
    })
}

/// An operator of assignment.
fn assign(word: Word) -> Option<AssignOperator> {
    Some(match word {
        Word::Assign => None,
        Word::StarAssign => Some(BinaryOperator::Multiply),
        Word::SlashAssign => Some(BinaryOperator::Divide),
        Word::PercentAssign => Some(BinaryOperator::Remainder),
        Word::PlusAssign => Some(BinaryOperator::Add),
        Word::MinusAssign => Some(BinaryOperator::Subtract),
        Word::ShiftLeftAssign => Some(BinaryOperator::ShiftLeft),
        Word::ShiftRightAssign => Some(BinaryOperator::ShiftRight),
        Word::AmpAssign => Some(BinaryOperator::BitAnd),
        Word::CaretAssign => Some(BinaryOperator::BitXor),
        Word::BarAssign => Some(BinaryOperator::BitOr),
        _ => return None,
    })
}

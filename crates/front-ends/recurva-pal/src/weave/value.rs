//! C expressions as expressions of a model.
//!
//! Arithmetic is that of whole numbers, in 64 bits: bounds are kept with every expression, and
//! one that could need more bits is refused. Only `unsigned int` wraps around, as C says.

use recurva_model::{Binary, Expr, Op, Type, Unary};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

use super::{
    syntax::{Expression, Item},
    types::{CType, Fit},
};

/// The type that arithmetic is done in.
const WIDE: Type = Type::signed(64);

/// All values of `unsigned int`.
const UNSIGNED: i128 = u32::MAX as i128;

/// A translated expression: a boolean, or a wide number within bounds.
#[derive(Clone, Debug)]
pub(super) struct Value {
    ops: Vec<Op>,
    boolean: bool,
    least: i128,
    most: i128,
    /// `unsigned int` takes part in it.
    unsigned: bool,
}

/// What a name or pattern variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// An expression of that type of the model, read from the monitor's variables or the
    /// program's.
    Read(Expr, Type, Unsigned),
    /// A constant.
    Constant(i128),
}

/// Whether C takes something for an `unsigned int`.
pub(super) type Unsigned = bool;

/// What names mean.
pub(super) trait Scope {
    /// What a name means. `None` if it means nothing, which is reported.
    fn name(&mut self, name: &str, place: Span, diagnostics: &mut Diagnostics) -> Option<Meaning>;

    /// What a pattern variable stands for.
    fn variable(
        &mut self,
        number: u32,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Meaning>;
}

/// Translates an expression. What is wrong is reported.
pub(super) fn value(
    expression: &Expression,
    scope: &mut dyn Scope,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let mut stack: Vec<Value> = Vec::new();
    for (item, place) in &expression.items {
        let result = match item {
            Item::Number(number) => Value::constant(*number),
            Item::Name(name) => Value::of(scope.name(name, *place, diagnostics)?),
            Item::Variable(number) => Value::of(scope.variable(*number, *place, diagnostics)?),
            Item::Not => stack.pop()?.truth().negated(),
            Item::Complement => stack.pop()?.number().complement(),
            Item::Negate => {
                let operand = stack.pop()?;
                Value::constant(0).arithmetic(Binary::Subtract, operand)
            }
            Item::Both | Item::Either => {
                let (right, left) = (stack.pop()?.truth(), stack.pop()?.truth());
                let operator = match item {
                    Item::Both => Binary::And,
                    _ => Binary::Or,
                };
                left.joined(operator, Type::Bool, right, (0, 1))
            }
            Item::Binary(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                if operator.is_comparison() {
                    left.compared(*operator, right)
                } else if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
                    match right.as_constant() {
                        Some(amount @ 0..=31) => left.shifted(*operator, amount as u32),
                        _ => {
                            diagnostics.report(|| {
                                Diagnostic::error("on a model this shift is not known", *place)
                                    .help("shift by a constant from 0 to 31")
                            });
                            return None;
                        }
                    }
                } else {
                    left.arithmetic(*operator, right)
                }
            }
        };
        if result.least < i128::from(i64::MIN) || result.most > i128::from(i64::MAX) {
            diagnostics.report(|| {
                Diagnostic::error("this expression may need more than 64 bits", *place)
                    .help("use narrower variables, or split it")
            });
            return None;
        }
        stack.push(result);
    }
    stack.pop()
}

impl Value {
    fn constant(number: i128) -> Self {
        Value {
            ops: vec![Op::Const(WIDE.wrap(number as u64), WIDE)],
            boolean: false,
            least: number,
            most: number,
            unsigned: false,
        }
    }

    fn of(meaning: Meaning) -> Self {
        let (expr, ty, unsigned) = match meaning {
            Meaning::Constant(number) => return Value::constant(number),
            Meaning::Read(expr, ty, unsigned) => (expr, ty, unsigned),
        };
        let mut ops = expr.ops().to_vec();
        if ty == Type::Bool {
            return Value {
                ops,
                boolean: true,
                least: 0,
                most: 1,
                unsigned: false,
            };
        }
        if ty != WIDE {
            ops.push(Op::Convert(ty, WIDE));
        }
        let (least, most) = bounds(ty);
        Value {
            ops,
            boolean: false,
            least,
            most,
            unsigned,
        }
    }

    fn as_constant(&self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether it is not zero.
    fn truth(mut self) -> Self {
        if !self.boolean {
            self.ops.push(Op::Const(0, WIDE));
            self.ops.push(Op::Binary(Binary::NotEqual, WIDE));
        }
        Value {
            boolean: true,
            least: 0,
            most: 1,
            unsigned: false,
            ..self
        }
    }

    /// As a wide number.
    fn number(mut self) -> Self {
        if self.boolean {
            self.ops.push(Op::Convert(Type::Bool, WIDE));
            self.boolean = false;
        }
        self
    }

    fn negated(mut self) -> Self {
        self.ops.push(Op::Unary(Unary::Not, Type::Bool));
        self
    }

    fn complement(mut self) -> Self {
        self.ops.push(Op::Unary(Unary::Not, WIDE));
        (self.least, self.most) = (!self.most, !self.least);
        self.wrapped()
    }

    fn joined(mut self, operator: Binary, ty: Type, right: Value, bounds: (i128, i128)) -> Self {
        self.ops.extend(right.ops);
        self.ops.push(Op::Binary(operator, ty));
        Value {
            ops: self.ops,
            boolean: operator.result(ty) == Type::Bool,
            least: bounds.0,
            most: bounds.1,
            unsigned: !operator.is_comparison() && (self.unsigned || right.unsigned),
        }
    }

    fn compared(self, operator: Binary, right: Value) -> Self {
        if self.boolean && right.boolean && matches!(operator, Binary::Equal | Binary::NotEqual) {
            return self.joined(operator, Type::Bool, right, (0, 1));
        }
        let (left, right) = converted(self.number(), right.number());
        left.joined(operator, WIDE, right, (0, 1))
    }

    fn arithmetic(self, operator: Binary, right: Value) -> Self {
        let (left, right) = converted(self.number(), right.number());
        let bounds = match operator {
            Binary::Add => (left.least + right.least, left.most + right.most),
            Binary::Subtract => (left.least - right.most, left.most - right.least),
            Binary::Multiply => {
                let corners = [
                    left.least * right.least,
                    left.least * right.most,
                    left.most * right.least,
                    left.most * right.most,
                ];
                corners.iter().fold((0, 0), |(least, most), &corner| {
                    (least.min(corner), most.max(corner))
                })
            }
            // A quotient or remainder is not larger than what is divided, but for its sign.
            Binary::Divide | Binary::Remainder => {
                let most = left.least.abs().max(left.most.abs());
                match left.least < 0 || right.least < 0 {
                    true => (-most, most),
                    false => (0, most),
                }
            }
            _ if left.least >= 0 && right.least >= 0 => (0, mask(left.most | right.most)),
            _ => {
                let ends = [left.least, left.most, right.least, right.most];
                let most = ends.iter().fold(0, |most, &end| most | mask(end.max(!end)));
                (-most - 1, most)
            }
        };
        left.joined(operator, WIDE, right, bounds).wrapped()
    }

    fn shifted(self, operator: Binary, amount: u32) -> Self {
        let mut value = self.number();
        value.ops.push(Op::Const(u64::from(amount), WIDE));
        value.ops.push(Op::Binary(operator, WIDE));
        (value.least, value.most) = match operator {
            Binary::ShiftLeft => (value.least << amount, value.most << amount),
            _ => (value.least >> amount, value.most >> amount),
        };
        value.wrapped()
    }

    /// Modulo 2^32 if `unsigned int` takes part and it is needed.
    fn wrapped(mut self) -> Self {
        if self.unsigned && (self.least < 0 || self.most > UNSIGNED) {
            self.ops.push(Op::Const(UNSIGNED as u64, WIDE));
            self.ops.push(Op::Binary(Binary::And, WIDE));
            (self.least, self.most) = (0, UNSIGNED);
        }
        self
    }

    /// As a condition.
    pub(super) fn condition(self) -> Expr {
        Expr::new(self.truth().ops)
    }

    /// As a value of a variable, and the condition under which it fits, if it need not.
    pub(super) fn stored(self, ty: CType) -> (Expr, Option<Expr>) {
        if ty.ty == Type::Bool {
            return (self.condition(), None);
        }
        let value = self.number();
        let (least, most) = bounds(ty.ty);
        let wide = Expr::new(value.ops);
        let inside = (value.least < least || value.most > most) && ty.fit == Fit::Fail;
        let fits = inside.then(|| {
            let end = |number: i128| Expr::constant(number as u64, WIDE);
            let above = wide.clone().join(Binary::GreaterEqual, WIDE, &end(least));
            above.and(wide.clone().join(Binary::LessEqual, WIDE, &end(most)))
        });
        (wide.then(Op::Convert(WIDE, ty.ty)), fits)
    }

    /// The number it always is, if it needs no variables. `None` too if it cannot be computed.
    pub(super) fn evaluated(&self) -> Option<i128> {
        let expr = Expr::new(self.ops.clone());
        let value = expr.eval(&[], &|_, _, _| None)?;
        Some(match self.boolean {
            true => i128::from(value),
            false => WIDE.to_number(value),
        })
    }
}

/// The usual conversion: with an `unsigned int` on one side both are.
fn converted(mut left: Value, mut right: Value) -> (Value, Value) {
    if left.unsigned || right.unsigned {
        left.unsigned = true;
        right.unsigned = true;
    }
    (left.wrapped(), right.wrapped())
}

/// The least and the largest value of a type.
pub(super) fn bounds(ty: Type) -> (i128, i128) {
    let all = 1_i128 << ty.bits();
    match ty.is_signed() {
        true => (-(all / 2), all / 2 - 1),
        false => (0, all - 1),
    }
}

/// Ones in all places up to the highest one of a number that is not negative.
fn mask(number: i128) -> i128 {
    match number {
        0 => 0,
        _ => (1 << (128 - number.leading_zeros())) - 1,
    }
}

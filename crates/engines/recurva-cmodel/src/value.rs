//! Expressions of the model under construction: typed, with constants folded as they are made.

use recurva_model::{Binary, Expr, Op, Type, Unary, VarRef, convert};

/// An expression and its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    ops: Vec<Op>,
    ty: Type,
}

impl Value {
    pub(crate) fn constant(value: u64, ty: Type) -> Self {
        Value {
            ops: vec![Op::Const(ty.wrap(value), ty)],
            ty,
        }
    }

    pub(crate) fn truth() -> Self {
        Self::boolean(true)
    }

    pub(crate) fn boolean(value: bool) -> Self {
        Self::constant(u64::from(value), Type::Bool)
    }

    pub(crate) fn read(variable: VarRef, ty: Type) -> Self {
        Value {
            ops: vec![Op::Read(variable)],
            ty,
        }
    }

    /// An element of an array.
    pub(crate) fn element(array: VarRef, ty: Type, index: Value) -> Self {
        let mut ops = index.ops;
        ops.push(Op::Index(array));
        Value { ops, ty }
    }

    /// Any value: the edge's choice of that number.
    pub(crate) fn any(ty: Type, which: u32) -> Self {
        Value {
            ops: vec![Op::Any(ty, which)],
            ty,
        }
    }

    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    pub(crate) fn into_expr(self) -> Expr {
        Expr::new(self.ops)
    }

    pub(crate) fn as_const(&self) -> Option<u64> {
        match *self.ops {
            [Op::Const(value, _)] => Some(value),
            _ => None,
        }
    }

    /// The constant as a number with its sign.
    pub(crate) fn as_number(&self) -> Option<i128> {
        self.as_const().map(|value| self.ty.to_number(value))
    }

    pub(crate) fn is_true(&self) -> bool {
        self.ty == Type::Bool && self.as_const() == Some(1)
    }

    pub(crate) fn is_false(&self) -> bool {
        self.ty == Type::Bool && self.as_const() == Some(0)
    }

    fn push(mut self, op: Op, ty: Type) -> Self {
        self.ops.push(op);
        Value { ops: self.ops, ty }
    }

    /// Logical or bitwise negation.
    pub(crate) fn not(self) -> Self {
        let ty = self.ty;
        if let Some(value) = self.as_const() {
            return Self::constant(Unary::Not.apply(ty, value), ty);
        }
        match self.ops.last() {
            Some(Op::Unary(Unary::Not, _)) => self.peeled(ty),
            Some(&Op::Binary(operator, operands)) if operator.is_comparison() => {
                let mut ops = self.ops;
                ops.pop();
                ops.push(Op::Binary(opposite(operator), operands));
                Value { ops, ty }
            }
            _ => self.push(Op::Unary(Unary::Not, ty), ty),
        }
    }

    pub(crate) fn negate(self) -> Self {
        let ty = self.ty;
        match self.as_const() {
            Some(value) => Self::constant(Unary::Negate.apply(ty, value), ty),
            None => self.push(Op::Unary(Unary::Negate, ty), ty),
        }
    }

    /// The operand of the last operator, which has one.
    fn peeled(mut self, ty: Type) -> Self {
        self.ops.pop();
        Value { ops: self.ops, ty }
    }

    /// The same number in another type: cut, or extended by its sign.
    pub(crate) fn convert(self, to: Type) -> Self {
        let from = self.ty;
        if from == to {
            return self;
        }
        if let Some(value) = self.as_const() {
            return Self::constant(convert(from, to, value), to);
        }
        // What was widened before is cut or widened from where it began.
        if let Some(&Op::Convert(first, second)) = self.ops.last() {
            let kept = keeps_numbers(first, second)
                || first.bits() <= second.bits() && to.bits() <= second.bits();
            if kept && (to.bits() <= first.bits() || keeps_numbers(first, second)) {
                return self.peeled(first).convert(to);
            }
        }
        self.push(Op::Convert(from, to), to)
    }

    /// Whether an integer is not zero.
    pub(crate) fn nonzero(self) -> Self {
        let ty = self.ty;
        match ty {
            Type::Bool => self,
            Type::Int { .. } => self.binary(Binary::NotEqual, Self::constant(0, ty)),
        }
    }

    /// An operator on two operands of one type; a shift amount may have its own.
    pub(crate) fn binary(self, operator: Binary, right: Value) -> Self {
        let ty = self.ty;
        if let (Some(left), Some(right)) = (self.as_const(), right.as_const())
            && let Some(value) = operator.apply(ty, left, right)
        {
            return Self::constant(value, operator.result(ty));
        }
        if operator.is_comparison() {
            if let Some(simpler) = self.narrower(operator, &right) {
                return simpler;
            }
        } else if let Some(simpler) = self.simpler(operator, &right) {
            return simpler;
        }
        let mut ops = self.ops;
        ops.extend(right.ops);
        ops.push(Op::Binary(operator, ty));
        Value {
            ops,
            ty: operator.result(ty),
        }
    }

    /// A comparison with a constant, of what was widened before: in the narrow type.
    fn narrower(&self, operator: Binary, right: &Value) -> Option<Self> {
        let wide = self.ty;
        if self.as_const().is_some() {
            return right.narrower(flipped(operator), self);
        }
        let number = wide.to_number(right.as_const()?);
        if wide == Type::Bool {
            let same = (operator == Binary::Equal) == (number == 1);
            return match operator {
                Binary::Equal | Binary::NotEqual if same => Some(self.clone()),
                Binary::Equal | Binary::NotEqual => Some(self.clone().not()),
                _ => None,
            };
        }
        let Some(&Op::Convert(narrow, _)) = self.ops.last() else {
            return None;
        };
        if !keeps_numbers(narrow, wide) {
            return None;
        }
        let inner = || self.clone().peeled(narrow);
        if let Some(value) = narrow.from_number(number) {
            if narrow == Type::Bool {
                // 0 and 1 only: every comparison is the value, its negation or decided.
                let at = |it: u64| operator.apply(wide, it, wide.wrap(value)) == Some(1);
                return Some(match (at(0), at(1)) {
                    (false, true) => inner(),
                    (true, false) => inner().not(),
                    (same, _) => Self::boolean(same),
                });
            }
            return Some(inner().binary(operator, Self::constant(value, narrow)));
        }
        // The constant lies outside the narrow type: all numbers compare the same.
        let decided = operator.apply(wide, 0, right.as_const()?)?;
        Some(Self::boolean(decided == 1))
    }

    fn simpler(&self, operator: Binary, right: &Value) -> Option<Self> {
        let ty = self.ty;
        let (left_const, right_const) = (self.as_const(), right.as_const());
        let all = ty.mask();
        match operator {
            Binary::And if right_const == Some(all) => Some(self.clone()),
            Binary::And if left_const == Some(all) => Some(right.clone()),
            Binary::And if left_const == Some(0) => Some(self.clone()),
            Binary::And if right_const == Some(0) && ty != Type::Bool => Some(right.clone()),
            Binary::And if right_const == Some(0) && !self.can_fault() => Some(right.clone()),
            Binary::Or if right_const == Some(0) => Some(self.clone()),
            Binary::Or if left_const == Some(0) => Some(right.clone()),
            Binary::Or if left_const == Some(all) => Some(self.clone()),
            Binary::Or if right_const == Some(all) && !self.can_fault() => Some(right.clone()),
            Binary::And | Binary::Or if self == right => Some(self.clone()),
            Binary::Add | Binary::Subtract | Binary::Xor if right_const == Some(0) => {
                Some(self.clone())
            }
            Binary::Add | Binary::Xor if left_const == Some(0) => Some(right.clone()),
            Binary::ShiftLeft | Binary::ShiftRight if right_const == Some(0) => Some(self.clone()),
            Binary::Multiply | Binary::Divide if right_const == Some(1) => Some(self.clone()),
            Binary::Multiply if left_const == Some(1) => Some(right.clone()),
            Binary::Multiply if left_const == Some(0) => Some(self.clone()),
            Binary::Multiply if right_const == Some(0) => Some(right.clone()),
            _ => None,
        }
    }

    pub(crate) fn can_fault(&self) -> bool {
        Expr::new(self.ops.clone()).can_fault()
    }

    pub(crate) fn and(self, right: Value) -> Self {
        self.binary(Binary::And, right)
    }

    pub(crate) fn or(self, right: Value) -> Self {
        self.binary(Binary::Or, right)
    }

    pub(crate) fn equal(self, right: Value) -> Self {
        self.binary(Binary::Equal, right)
    }

    pub(crate) fn add(self, right: Value) -> Self {
        self.binary(Binary::Add, right)
    }

    pub(crate) fn subtract(self, right: Value) -> Self {
        self.binary(Binary::Subtract, right)
    }

    /// Times a constant.
    pub(crate) fn times(self, factor: u64) -> Self {
        let ty = self.ty;
        match factor {
            factor if factor.is_power_of_two() && self.as_const().is_none() => {
                let amount = u64::from(factor.trailing_zeros());
                self.binary(Binary::ShiftLeft, Self::constant(amount, Type::unsigned(7)))
            }
            _ => self.binary(Binary::Multiply, Self::constant(factor, ty)),
        }
    }

    /// An unsigned number divided by a constant that is not zero.
    pub(crate) fn divided(self, divisor: u64) -> Self {
        let ty = self.ty;
        match divisor {
            divisor if divisor.is_power_of_two() => {
                let amount = u64::from(divisor.trailing_zeros());
                self.binary(
                    Binary::ShiftRight,
                    Self::constant(amount, Type::unsigned(7)),
                )
            }
            _ => self.binary(Binary::Divide, Self::constant(divisor, ty)),
        }
    }

    /// What is left of an unsigned number divided by a constant that is not zero.
    pub(crate) fn modulo(self, divisor: u64) -> Self {
        let ty = self.ty;
        match divisor {
            1 => Self::constant(0, ty),
            divisor if divisor.is_power_of_two() => self.and(Self::constant(divisor - 1, ty)),
            _ => self.binary(Binary::Remainder, Self::constant(divisor, ty)),
        }
    }
}

/// Whether every number of one type is a number of the other.
fn keeps_numbers(from: Type, to: Type) -> bool {
    match (from.is_signed(), to.is_signed()) {
        (false, false) | (true, true) => from.bits() <= to.bits(),
        (false, true) => from.bits() < to.bits(),
        (true, false) => false,
    }
}

/// The comparison that holds where the other one does not.
pub(crate) fn opposite(operator: Binary) -> Binary {
    match operator {
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        Binary::Less => Binary::GreaterEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Greater => Binary::LessEqual,
        Binary::LessEqual => Binary::Greater,
        other => other,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn flipped(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folding must not change what an expression means.
    #[test]
    fn folded_conversions_and_comparisons_agree_with_the_plain_ones() {
        let types = [
            Type::Bool,
            Type::unsigned(3),
            Type::signed(3),
            Type::unsigned(5),
            Type::signed(5),
            Type::unsigned(8),
        ];
        let x = VarRef::Global(0);
        let comparisons = [
            Binary::Equal,
            Binary::NotEqual,
            Binary::Less,
            Binary::LessEqual,
            Binary::Greater,
            Binary::GreaterEqual,
        ];
        for first in types {
            for second in types {
                for third in types {
                    let made = Value::read(x, first).convert(second).convert(third);
                    for value in 0..=first.mask() {
                        let eval = |it: &Value| {
                            let expr = it.clone().into_expr();
                            expr.eval(&[], &|_, _, _| Some(value))
                        };
                        let plain = convert(second, third, convert(first, second, value));
                        assert_eq!(eval(&made), Some(plain), "{first} {second} {third} {value}");
                        for constant in 0..=third.mask() {
                            for operator in comparisons {
                                let right = Value::constant(constant, third);
                                let compared = made.clone().binary(operator, right.clone());
                                let wanted = operator.apply(third, plain, constant);
                                assert_eq!(eval(&compared), wanted);
                                let flipped = right.binary(flipped(operator), made.clone());
                                assert_eq!(eval(&flipped), wanted);
                                assert_eq!(eval(&compared.not()), wanted.map(|it| 1 - it));
                            }
                        }
                    }
                }
            }
        }
    }
}

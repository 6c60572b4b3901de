//! Operators and conversions.

use recurva_acsl::{BinaryOperator, CastType, IntKind, TermId, UnaryOperator};
use recurva_certificate::formula::{Arithmetic, BitOperator, Node, Part};
use recurva_cir::Type as CType;
use recurva_model::Type;
use recurva_syntax::{Diagnostic, Span};

use super::{
    Found, Translation, Trouble, Value,
    types::{common, fits, promoted, without_loss},
};

impl Translation<'_, '_> {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: TermId,
        span: Span,
    ) -> Found<Value> {
        match operator {
            UnaryOperator::Not => {
                let truth = self.truth_of(operand)?;
                Some(Value::Truth(self.builder.not(truth)))
            }
            UnaryOperator::Plus => {
                let (part, ty) = self.number_of(operand)?;
                Some(Value::Number(part, ty))
            }
            UnaryOperator::Negate => {
                let zero = self.int(0);
                let (part, ty) = self.number_of(operand)?;
                let part = self.builder.arithmetic(Arithmetic::Subtract, zero, part);
                Some(self.computed(part, ty.map(promoted)))
            }
            UnaryOperator::Complement => {
                let minus = self.int(-1);
                let (part, ty) = self.number_of(operand)?;
                let part = self.builder.arithmetic(Arithmetic::Subtract, minus, part);
                Some(self.computed(part, ty.map(promoted)))
            }
            UnaryOperator::Dereference | UnaryOperator::Address => {
                self.unsupported("addresses are not supported", span)
            }
        }
    }

    /// The result of a computation: in C it has a type, in ACSL it has no bound.
    fn computed(&mut self, part: Part, ty: Option<Type>) -> Value {
        match ty.filter(|_| self.is_c()) {
            Some(ty) => Value::Number(self.builder.wrap(ty, part), Some(ty)),
            None => Value::Number(part, None),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        span: Span,
    ) -> Found<Value> {
        use BinaryOperator as B;
        if let B::Equivalent | B::Implies | B::Or | B::Xor | B::And = operator {
            let (left, right) = (self.truth_of(left), self.truth_of(right));
            let (left, right) = (left?, right?);
            let builder = &mut self.builder;
            return Some(Value::Truth(match operator {
                B::Equivalent => builder.equal(left, right),
                B::Implies => builder.implies(left, right),
                B::Or => builder.or(left, right),
                B::Xor => {
                    let same = builder.equal(left, right);
                    builder.not(same)
                }
                _ => builder.and(left, right),
            }));
        }
        if operator.is_comparison()
            && let Some(compared) = self.special_comparison(operator, left, right)
        {
            return Some(Value::Truth(compared));
        }
        let (a, b) = (self.number_of(left), self.number_of(right));
        let ((mut a, first), (mut b, second)) = (a?, b?);
        let is_shift = matches!(operator, B::ShiftLeft | B::ShiftRight);
        let mut ty = first
            .zip(second)
            .map(|(first, second)| common(first, second));
        if let (true, Some(own), false) = (self.is_c(), ty, is_shift) {
            a = self.converted(a, first, own);
            b = self.converted(b, second, own);
        }
        if is_shift {
            ty = first.map(promoted);
        }
        let builder = &mut self.builder;
        let compared = match operator {
            B::Equal => builder.equal(a, b),
            B::NotEqual => {
                let same = builder.equal(a, b);
                builder.not(same)
            }
            B::Less => builder.less(a, b),
            B::LessEqual => builder.less_equal(a, b),
            B::Greater => builder.less(b, a),
            B::GreaterEqual => builder.less_equal(b, a),
            _ => return self.arithmetic(operator, (a, first), (b, second), ty, span),
        };
        Some(Value::Truth(compared))
    }

    /// A comparison with a pointer, or of two truth values.
    fn special_comparison(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
    ) -> Found<Part> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        let zero = self.int(0);
        let is_pointer = |value: &Value| matches!(value, Value::Pointer(..) | Value::Null);
        let number = |value: &Value| match value {
            Value::Pointer(part, _) | Value::Number(part, _) => Some(*part),
            Value::Null => Some(zero),
            _ => None,
        };
        let is_null = |value: &Value| matches!(value, Value::Number(part, _) if *part == zero);
        let of_pointers = (is_pointer(&first) || is_null(&first))
            && (is_pointer(&second) || is_null(&second))
            && (is_pointer(&first) || is_pointer(&second));
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let same = match (&first, &second) {
            _ if !is_equality => return None,
            (Value::Truth(a), Value::Truth(b)) => self.builder.equal(*a, *b),
            // In ACSL a condition may be compared with a `_Bool`.
            (Value::Truth(_), Value::Number(..)) | (Value::Number(..), Value::Truth(_))
                if !self.is_c() =>
            {
                let (a, b) = (self.truth_of(left)?, self.truth_of(right)?);
                self.builder.equal(a, b)
            }
            _ if of_pointers => {
                let (a, b) = (number(&first)?, number(&second)?);
                self.builder.equal(a, b)
            }
            _ => return None,
        };
        Some(match operator {
            BinaryOperator::Equal => same,
            _ => self.builder.not(same),
        })
    }

    /// A number converted to a type of C.
    fn converted(&mut self, part: Part, from: Option<Type>, to: Type) -> Part {
        match from {
            Some(from) if fits(from, to) => part,
            _ => self.builder.wrap(to, part),
        }
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (a, first): (Part, Option<Type>),
        (b, second): (Part, Option<Type>),
        ty: Option<Type>,
        span: Span,
    ) -> Found<Value> {
        use BinaryOperator as B;
        let plain = match operator {
            B::Add => Some(Arithmetic::Add),
            B::Subtract => Some(Arithmetic::Subtract),
            B::Multiply => Some(Arithmetic::Multiply),
            B::Divide => Some(Arithmetic::Divide),
            B::Remainder => Some(Arithmetic::Remainder),
            _ => None,
        };
        if let Some(operator) = plain {
            let part = self.builder.arithmetic(operator, a, b);
            return Some(self.computed(part, ty));
        }
        let of_bits = match operator {
            B::BitAnd => BitOperator::And,
            B::BitOr => BitOperator::Or,
            B::BitXor => BitOperator::Xor,
            B::ShiftRight => BitOperator::ShiftRight,
            _ if self.is_c() => BitOperator::ShiftLeft,
            _ => return self.shifted(a, b, span),
        };
        let ty = match (self.is_c(), of_bits, first, second) {
            (true, ..) | (false, BitOperator::ShiftRight, ..) => ty,
            // Without bound, what is negative has all higher bits: both have to be of one type.
            (false, _, Some(first), Some(second)) => without_loss(first, second),
            _ => None,
        };
        let Some(ty) = ty else {
            let wrong = Diagnostic::error("these bits have no bound", span);
            let wrong = wrong.help("a cast gives a number a type: `(unsigned int) (x + y)`");
            self.troubles.push(Trouble::Unsupported(wrong));
            return None;
        };
        let part = self.builder.bits(of_bits, ty, a, b);
        Some(Value::Number(part, Some(ty)))
    }

    /// `x << n` without bound, by a known amount.
    fn shifted(&mut self, number: Part, amount: Part, span: Span) -> Found<Value> {
        let Node::Int(amount @ 0..=64) = self.builder.node(amount) else {
            return self.unsupported("a shift by an amount that is not known", span);
        };
        let factor = self.int(1 << amount);
        let part = self
            .builder
            .arithmetic(Arithmetic::Multiply, number, factor);
        Some(Value::Number(part, None))
    }

    pub(super) fn conditional(
        &mut self,
        condition: TermId,
        yes: TermId,
        no: TermId,
    ) -> Found<Value> {
        let condition = self.truth_of(condition)?;
        let (first, second) = (self.value(yes)?, self.value(no)?);
        if let (Value::Truth(a), Value::Truth(b)) = (&first, &second) {
            // Truth values have no `if` of their own everywhere.
            let then = self.builder.implies(condition, *a);
            let otherwise = self.builder.or(condition, *b);
            return Some(Value::Truth(self.builder.and(then, otherwise)));
        }
        if let (Value::Pointer(a, to), Value::Pointer(b, _)) = (&first, &second) {
            let part = self.builder.if_then_else(condition, *a, *b);
            return Some(Value::Pointer(part, *to));
        }
        let (a, b) = (self.number_of(yes), self.number_of(no));
        let ((mut a, first), (mut b, second)) = (a?, b?);
        let ty = first
            .zip(second)
            .map(|(first, second)| common(first, second));
        if let (true, Some(own)) = (self.is_c(), ty) {
            a = self.converted(a, first, own);
            b = self.converted(b, second, own);
        }
        let ty = match self.is_c() {
            true => ty,
            false => first.zip(second).and_then(|(a, b)| without_loss(a, b)),
        };
        Some(Value::Number(
            self.builder.if_then_else(condition, a, b),
            ty,
        ))
    }

    pub(super) fn cast(&mut self, ty: CastType, operand: TermId, span: Span) -> Found<Value> {
        let ty = match ty {
            CastType::Integer => {
                let (part, _) = self.number_of(operand)?;
                return Some(Value::Number(part, None));
            }
            CastType::Bool => {
                let truth = self.truth_of(operand)?;
                let (one, zero) = (self.int(1), self.int(0));
                let part = self.builder.if_then_else(truth, one, zero);
                return Some(Value::Number(part, Some(Type::unsigned(8))));
            }
            CastType::Int { kind, signed } => {
                let bits = match kind {
                    IntKind::Char => 8,
                    IntKind::Short => 16,
                    IntKind::Int => 32,
                    IntKind::Long | IntKind::Size => self.long(),
                    IntKind::LongLong => 64,
                    IntKind::Bits(bits) => bits,
                };
                let Some(signed) = signed.or_else(|| self.plain_char()) else {
                    return self.unsupported("whether `char` has a sign is not known", span);
                };
                Type::Int { bits, signed }
            }
        };
        let (part, from) = self.number_of(operand)?;
        Some(Value::Number(self.converted(part, from, ty), Some(ty)))
    }

    /// Whether a plain `char` has a sign, as far as the program has one.
    fn plain_char(&self) -> Option<bool> {
        let types = &self.scope.module.types;
        let chars = types.list.iter().filter_map(|it| match it {
            CType::Char(int) => Some(int.is_signed),
            _ => None,
        });
        let mut found: Vec<bool> = chars.collect();
        found.dedup();
        (found.len() == 1).then(|| found[0])
    }
}

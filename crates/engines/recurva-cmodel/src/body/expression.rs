//! Expressions.

use recurva_cir::{Binary as COp, Expr, ExprKind, Scalar, Unary as CUnary};
use recurva_model::{Binary, Type};

use super::Body;
use crate::{LimitReason, NoteKind, cases::Cases, value::Value};

impl Body<'_, '_> {
    /// The value of an expression, by few cases.
    pub(super) fn evaluate_few(&mut self, expr: &Expr) -> Cases<Value> {
        let cases = self.evaluate(expr);
        let ty = self.repr(expr.ty);
        self.few(cases, ty)
    }

    /// The value of an expression as one value; the cursor may move on.
    pub(super) fn evaluate_one(&mut self, expr: &Expr) -> Value {
        let cases = self.evaluate(expr);
        let ty = self.repr(expr.ty);
        self.settled(cases, ty)
    }

    /// The value of an expression, by cases.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Cases<Value> {
        let ty = self.repr(expr.ty);
        match &expr.kind {
            ExprKind::Const(value) if expr.ty == Scalar::Pointer => self.constant_pointer(*value),
            ExprKind::Const(value) => Cases::one(Value::constant(*value, ty)),
            ExprKind::Float(value) => Cases::one(super::float::constant(*value, expr.ty)),
            ExprKind::Load(place) => {
                let Some(access) = self.access(place.ty, place.bits) else {
                    return Cases::unknown(LimitReason::Variadic);
                };
                let spots = self.resolve(place);
                spots.then(|spot| self.load(&spot, access))
            }
            ExprKind::Address(place) => self.address_of(place),
            ExprKind::Function(function) => {
                let object = self.scene().objects.function(*function);
                let base = self.lowering.plan.object(object).base.unwrap_or(0);
                Cases::one(Value::constant(base, ty))
            }
            ExprKind::Unary(operator, inner) => self.unary(*operator, inner),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::Convert(inner) => self.convert(inner, expr.ty),
            ExprKind::Offset { .. } => self.moved_pointer(expr),
            ExprKind::Distance { left, right, size } => {
                let left = self.evaluate_few(left);
                let right = self.evaluate_few(right);
                let wide = Type::signed(64);
                let size = Value::constant((*size).max(1), wide);
                left.with(&right).map(|(left, right)| {
                    let bytes = left.convert(wide).subtract(right.convert(wide));
                    bytes.binary(Binary::Divide, size.clone()).convert(ty)
                })
            }
            ExprKind::If(condition, left, right) => self.choose(condition, left, right, ty),
            ExprKind::Overflows(operator, left, right) => {
                let values = self.pair(left, right);
                values.map(|(left, right)| overflows(*operator, left, right))
            }
            ExprKind::OutOfRange(inner, int) => self.out_of_range(inner, *int),
            ExprKind::IsValid(pointer, size) => self.is_valid(pointer, *size),
            ExprKind::IsAlive(pointer) => self.is_valid(pointer, 0),
            ExprKind::IsFreeable(pointer) => self.is_freeable(pointer),
            ExprKind::IsFunction(pointer) => self.is_function(pointer),
            ExprKind::IsInitialised(place) => self.is_initialised(place),
        }
    }

    pub(super) fn pair(&mut self, left: &Expr, right: &Expr) -> Cases<(Value, Value)> {
        let left = self.evaluate_few(left);
        let right = self.evaluate_few(right);
        left.with(&right)
    }

    /// A number that is used as a pointer. Only small ones, and none near the end, are kept.
    fn constant_pointer(&self, value: u64) -> Cases<Value> {
        let plan = &self.lowering.plan;
        match value < plan.lowest {
            true => Cases::one(Value::constant(value, plan.pointer)),
            false => Cases::unknown(LimitReason::Address),
        }
    }

    fn unary(&mut self, operator: CUnary, inner: &Expr) -> Cases<Value> {
        if let Scalar::Float(_) = inner.ty {
            return self.float_unary(operator, inner);
        }
        let ty = self.repr(inner.ty);
        self.evaluate(inner).map(|value| match operator {
            CUnary::Negate => value.negate(),
            CUnary::Not => value.not(),
            _ => bits(operator, &value, ty),
        })
    }

    fn binary(&mut self, operator: COp, left: &Expr, right: &Expr) -> Cases<Value> {
        if let Scalar::Float(_) = left.ty {
            return self.float_binary(operator, left, right);
        }
        if left.ty == Scalar::Bool && matches!(operator, COp::And | COp::Or) {
            return self.connective(operator, left, right);
        }
        if matches!(operator, COp::Equal | COp::NotEqual)
            && let (Some(left), Some(right)) = (self.as_pointer(left), self.as_pointer(right))
        {
            // Whether two addresses are the same does not depend on what they are.
            let operator = model_operator(operator);
            return self
                .pair(&left, &right)
                .map(|(left, right)| left.binary(operator, right));
        }
        let operator = model_operator(operator);
        let pairs = self.pair(left, right);
        if !matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
            return pairs.map(|(left, right)| left.binary(operator, right));
        }
        // A shift by too much has no meaning, whether or not somebody checks for it.
        pairs.then(|(left, amount)| {
            let mut cases = Cases::none();
            let in_range = is_shift(&amount, left.ty());
            cases.push(in_range, Ok(left.binary(operator, amount)));
            cases
        })
    }

    /// The pointer that was made a number of its size, or null.
    fn as_pointer(&self, expr: &Expr) -> Option<Expr> {
        let bits = self.scene().module.types.pointer_bytes as u8 * 8;
        match (&expr.kind, expr.ty) {
            (ExprKind::Convert(inner), Scalar::Int(int)) if int.bits >= bits => match inner.ty {
                Scalar::Pointer => Some((**inner).clone()),
                Scalar::Int(_) => self.as_pointer(inner),
                _ => None,
            },
            (ExprKind::Const(0), Scalar::Int(_)) => Some(Expr::constant(0, Scalar::Pointer)),
            _ => None,
        }
    }

    /// What the first operand decides: the other may have no value then.
    fn connective(&mut self, operator: COp, left: &Expr, right: &Expr) -> Cases<Value> {
        let lefts = self.evaluate_few(left);
        let before = self.cursor;
        let rights = self.evaluate(right);
        if self.cursor == before
            && let Some(right) = rights.single()
        {
            let operator = model_operator(operator);
            return lefts.map(|left| left.binary(operator, right.clone()));
        }
        let decides = operator == COp::Or;
        lefts.then(|left| {
            let decided = if decides {
                left.clone()
            } else {
                left.clone().not()
            };
            let mut cases = Cases::none();
            cases.push(decided.clone(), Ok(Value::boolean(decides)));
            cases.and_also(rights.clone().under(&decided.not()))
        })
    }

    fn convert(&mut self, inner: &Expr, to: Scalar) -> Cases<Value> {
        let ty = self.repr(to);
        match (inner.ty, to) {
            (Scalar::Float(_), _) | (_, Scalar::Float(_)) => self.float_convert(inner, to),
            (_, Scalar::Bool) => self.evaluate(inner).map(Value::nonzero),
            (Scalar::Int(_) | Scalar::Bool, Scalar::Pointer) => {
                let values = self.evaluate_few(inner);
                values.then(|value| match value.as_const() {
                    Some(number) => self.constant_pointer(number),
                    None => self.cut_pointer(value),
                })
            }
            (Scalar::Pointer, Scalar::Int(_)) => {
                let values = self.evaluate(inner);
                let lowest = self.lowering.plan.lowest;
                let is_address = |value: &Value| value.as_const().is_none_or(|it| it >= lowest);
                let outcomes = values.list.iter().map(|case| &case.outcome);
                // What points nowhere is null, or a number that became a pointer.
                let may_point = !self.scene().targets(self.function, inner).is_empty();
                if may_point && outcomes.flatten().any(is_address) {
                    self.note(NoteKind::Addresses);
                }
                values.map(|value| value.convert(ty))
            }
            _ => self.evaluate(inner).map(|value| value.convert(ty)),
        }
    }

    /// One of two values.
    fn choose(&mut self, condition: &Expr, left: &Expr, right: &Expr, ty: Type) -> Cases<Value> {
        let condition = self.evaluate_one(condition);
        let before = (self.cursor, self.edges.len());
        let lefts = self.evaluate(left);
        let rights = self.evaluate(right);
        if (self.cursor, self.edges.len()) == before {
            let not = condition.clone().not();
            return lefts.under(&condition).and_also(rights.under(&not));
        }
        // Evaluating one of them took steps, which must not be taken for the other one.
        self.edges.truncate(before.1);
        self.infos.truncate(before.1);
        let start = before.0;
        let result = self.temporary(ty);
        let end = self.node();
        let not = condition.clone().not();
        for (guard, expr) in [(condition, left), (not, right)] {
            self.cursor = start;
            let next = self.node();
            self.step(next, guard, Vec::new());
            self.cursor = next;
            let value = self.evaluate(expr);
            for (guard, value) in self.without_limits(value) {
                let write = (recurva_model::Place::Scalar(result), value);
                self.step(end, guard, vec![write]);
            }
        }
        self.cursor = end;
        Cases::one(super::read(result, ty))
    }
}

/// Whether a number is one by which values of a type can be shifted.
fn is_shift(amount: &Value, shifted: Type) -> Value {
    let wide = Type::unsigned(amount.ty().bits());
    let bits = u64::from(shifted.bits());
    match wide.mask() < bits {
        true => {
            let zero = Value::constant(0, amount.ty());
            amount.clone().binary(Binary::GreaterEqual, zero)
        }
        false => (amount.clone().convert(wide)).binary(Binary::Less, Value::constant(bits, wide)),
    }
}

fn model_operator(operator: COp) -> Binary {
    match operator {
        COp::Add => Binary::Add,
        COp::Subtract => Binary::Subtract,
        COp::Multiply => Binary::Multiply,
        COp::Divide => Binary::Divide,
        COp::Remainder => Binary::Remainder,
        COp::ShiftLeft => Binary::ShiftLeft,
        COp::ShiftRight => Binary::ShiftRight,
        COp::And => Binary::And,
        COp::Or => Binary::Or,
        COp::Xor => Binary::Xor,
        COp::Equal => Binary::Equal,
        COp::NotEqual => Binary::NotEqual,
        COp::Less => Binary::Less,
        COp::LessEqual => Binary::LessEqual,
        COp::Greater => Binary::Greater,
        COp::GreaterEqual => Binary::GreaterEqual,
    }
}

/// Whether the exact result does not fit the type of the operands.
fn overflows(operator: COp, left: Value, right: Value) -> Value {
    let ty = left.ty();
    let bits = ty.bits();
    let wide = |extra: u8| Type::Int {
        bits: bits + extra,
        signed: ty.is_signed(),
    };
    let in_wide = |wide: Type, operator: Binary, left: &Value, right: &Value| {
        let exact = (left.clone().convert(wide)).binary(operator, right.clone().convert(wide));
        let narrow = left.clone().binary(operator, right.clone()).convert(wide);
        exact.binary(Binary::NotEqual, narrow)
    };
    let zero = Value::constant(0, ty);
    let is_negative = |it: Value| it.binary(Binary::Less, zero.clone());
    match operator {
        COp::Add if bits < 64 => in_wide(wide(1), Binary::Add, &left, &right),
        COp::Subtract if bits < 64 && ty.is_signed() => {
            in_wide(wide(1), Binary::Subtract, &left, &right)
        }
        COp::Add if ty.is_signed() => {
            let sum = left.clone().add(right.clone());
            let changed = |it: Value| it.binary(Binary::Xor, sum.clone());
            is_negative(changed(left).and(changed(right)))
        }
        COp::Add => {
            let sum = left.clone().add(right);
            sum.binary(Binary::Less, left)
        }
        COp::Subtract if ty.is_signed() => {
            let difference = left.clone().subtract(right.clone());
            let differ = left.clone().binary(Binary::Xor, right);
            is_negative(differ.and(left.binary(Binary::Xor, difference)))
        }
        COp::Subtract => left.binary(Binary::Less, right),
        COp::Multiply if bits <= 32 => in_wide(wide(bits), Binary::Multiply, &left, &right),
        COp::Multiply => {
            let product = left.clone().binary(Binary::Multiply, right.clone());
            let is_zero = left.clone().equal(zero.clone());
            let wrong = (product.binary(Binary::Divide, left.clone()))
                .binary(Binary::NotEqual, right.clone());
            let least = Value::constant(1 << (bits - 1), ty);
            let minus_one = Value::constant(u64::MAX, ty);
            let special = match ty.is_signed() {
                true => left.equal(minus_one).and(right.equal(least)),
                false => Value::boolean(false),
            };
            is_zero.not().and(special.or(wrong))
        }
        COp::Divide | COp::Remainder if ty.is_signed() => {
            let least = Value::constant(1 << (bits - 1), ty);
            let minus_one = Value::constant(u64::MAX, ty);
            left.equal(least).and(right.equal(minus_one))
        }
        COp::ShiftLeft => {
            let shifted = left.clone().binary(Binary::ShiftLeft, right.clone());
            let back = shifted.binary(Binary::ShiftRight, right.clone());
            let in_range = {
                let amount = right.ty();
                let most = Value::constant(u64::from(bits), amount);
                right.clone().binary(Binary::GreaterEqual, most)
            };
            let is_nonzero = left.clone().nonzero();
            in_range
                .and(is_nonzero)
                .or(back.binary(Binary::NotEqual, left))
        }
        _ => Value::boolean(false),
    }
}

/// Operators on the bits of a number.
fn bits(operator: CUnary, value: &Value, ty: Type) -> Value {
    let wide = Type::unsigned(ty.bits());
    let value = value.clone().convert(wide);
    let number = |it: u64| Value::constant(it, wide);
    let count = |conditions: Vec<Value>| {
        let sum = conditions
            .into_iter()
            .fold(number(0), |sum, it| sum.add(it.convert(wide)));
        sum.convert(ty)
    };
    let all = u64::from(ty.bits());
    match operator {
        CUnary::LeadingZeros => count(
            (0..all)
                .map(|bit| value.clone().binary(Binary::Less, number(1 << bit)))
                .collect(),
        ),
        CUnary::TrailingZeros => count(
            (1..=all)
                .map(|bit| {
                    let mask = number(u64::MAX >> (64 - bit));
                    value.clone().and(mask).equal(number(0))
                })
                .collect(),
        ),
        CUnary::CountOnes => count(
            (0..all)
                .map(|bit| value.clone().and(number(1 << bit)).nonzero())
                .collect(),
        ),
        CUnary::SwapBytes => {
            let bytes = all / 8;
            let mut swapped = number(0);
            for byte in 0..bytes {
                let amount = |it: u64| Value::constant(it * 8, Type::unsigned(7));
                let own = (value.clone())
                    .binary(Binary::ShiftRight, amount(byte))
                    .and(number(0xff))
                    .binary(Binary::ShiftLeft, amount(bytes - 1 - byte));
                swapped = own.or(swapped);
            }
            swapped.convert(ty)
        }
        CUnary::Negate | CUnary::Not => value.convert(ty),
    }
}

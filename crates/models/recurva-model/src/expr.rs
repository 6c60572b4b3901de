//! Expressions: flat, typed, in postfix order.
//!
//! An expression is a sequence of operators, operands first. There is no tree: nothing that
//! walks, copies or drops an expression recurses, so a formula a million levels deep costs
//! memory and nothing else.
//!
//! Evaluation goes from left to right. The logical `&`, `|` and `=>` decide early: when the
//! left operand settles the result, a fault on the right (a division by zero, an index out
//! of range) does not count.

use crate::{Type, program::VarRef};

/// A well-typed expression in postfix order: a flat list, operands before their operators.
///
/// Evaluation goes from left to right. The logical `&`, `|` and `=>` decide early: when the
/// left operand settles the result, a fault on the right does not count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    ops: Box<[Op]>,
}

/// One operator or operand of an [`Expr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of a type, already reduced to the type's bits.
    Const(u64, Type),
    /// The value of a scalar variable.
    Read(VarRef),
    /// The value that the step is about to give a scalar variable (`'x`); only in the
    /// constraint of an assignment.
    ReadNext(VarRef),
    /// Pops an index, pushes that element of an array. Faults out of range.
    Index(VarRef),
    /// As [`Op::Index`], of the array after the step; only in a constraint.
    IndexNext(VarRef),
    /// Any value of the type: `*`. The number tells the choices of one edge apart.
    Any(Type, u32),
    /// Pops one operand of the type.
    Unary(Unary, Type),
    /// Pops two operands of the type (the shift amount may have its own).
    Binary(Binary, Type),
    /// Pops a value of the first type, pushes the same bits cut or extended to the second.
    Convert(Type, Type),
    /// Pops an operand, pushes whether its evaluation faulted.
    Faults,
    /// A value of the type that is not there to be read: a fault. Stands for a local
    /// variable of a procedure that is not running, in an observation.
    Undefined(Type),
    /// As [`Op::Undefined`], for an element of an array: pops the index.
    UndefinedElement(Type),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Logical negation on booleans, bitwise complement on integers.
    Not,
    /// Arithmetic negation modulo 2^n.
    Negate,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Logical or bitwise conjunction.
    And,
    /// Logical or bitwise disjunction.
    Or,
    /// Logical or bitwise exclusive or.
    Xor,
    /// Implication between booleans.
    Implies,
    /// Equality; the result is a boolean.
    Equal,
    /// Inequality; the result is a boolean.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// Sum modulo 2^n.
    Add,
    /// Difference modulo 2^n.
    Subtract,
    /// Product modulo 2^n.
    Multiply,
    /// Quotient, towards zero. Faults on a zero divisor.
    Divide,
    /// Remainder with the sign of the dividend. Faults on a zero divisor.
    Remainder,
    /// Shift left; an amount of n or more gives 0.
    ShiftLeft,
    /// Shift right, arithmetic on signed types.
    ShiftRight,
}

impl Binary {
    /// Whether the result is a boolean whatever the operands are.
    pub const fn is_comparison(self) -> bool {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(
            self,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
        )
    }

    /// The type of the result for operands of type `ty`.
    pub const fn result(self, ty: Type) -> Type {
        if self.is_comparison() { Type::Bool } else { ty }
    }

    /// The boolean left operand that settles the result without a look at the right one,
    /// and the result then.
    pub const fn early(self, ty: Type) -> Option<(u64, u64)> {
        match (self, ty) {
            (Binary::And, Type::Bool) => Some((0, 0)),
            (Binary::Or, Type::Bool) => Some((1, 1)),
            (Binary::Implies, Type::Bool) => Some((0, 1)),
            _ => None,
        }
    }

    /// The operator applied to two values of type `ty`; `None` is a fault.
    pub fn apply(self, ty: Type, left: u64, right: u64) -> Option<u64> {
        let order = || {
            if ty.is_signed() {
                ty.sign_extend(left).cmp(&ty.sign_extend(right))
            } else {
                left.cmp(&right)
            }
        };
        let raw = match self {
            Binary::And => left & right,
            Binary::Or => left | right,
            Binary::Xor => left ^ right,
            Binary::Implies => !left | right,
            Binary::Equal => return Some(u64::from(left == right)),
            Binary::NotEqual => return Some(u64::from(left != right)),
            Binary::Less => return Some(u64::from(order().is_lt())),
            Binary::LessEqual => return Some(u64::from(order().is_le())),
            Binary::Greater => return Some(u64::from(order().is_gt())),
            Binary::GreaterEqual => return Some(u64::from(order().is_ge())),
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide | Binary::Remainder if right == 0 => return None,
            Binary::Divide if ty.is_signed() => {
                ty.sign_extend(left).wrapping_div(ty.sign_extend(right)) as u64
            }
            Binary::Divide => left / right,
            Binary::Remainder if ty.is_signed() => {
                ty.sign_extend(left).wrapping_rem(ty.sign_extend(right)) as u64
            }
            Binary::Remainder => left % right,
            Binary::ShiftLeft if right >= u64::from(ty.bits()) => 0,
            Binary::ShiftLeft => left << right,
            Binary::ShiftRight if ty.is_signed() => (ty.sign_extend(left) >> right.min(63)) as u64,
            Binary::ShiftRight if right >= u64::from(ty.bits()) => 0,
            Binary::ShiftRight => left >> right,
        };
        Some(ty.wrap(raw))
    }
}

impl Unary {
    /// The operator applied to a value of type `ty`.
    pub const fn apply(self, ty: Type, value: u64) -> u64 {
        ty.wrap(match self {
            Unary::Not => !value,
            Unary::Negate => value.wrapping_neg(),
        })
    }
}

/// The bits of a value of type `from` as a value of type `to`, sign-extended if `from` is
/// signed.
pub const fn convert(from: Type, to: Type, value: u64) -> u64 {
    to.wrap(if from.is_signed() {
        from.sign_extend(value) as u64
    } else {
        value
    })
}

impl Expr {
    /// An expression from its postfix form. [`Program::new`](crate::Program::new) checks it.
    pub fn new(ops: impl Into<Box<[Op]>>) -> Self {
        Expr { ops: ops.into() }
    }

    /// A constant.
    pub fn constant(value: u64, ty: Type) -> Self {
        Expr::new([Op::Const(ty.wrap(value), ty)])
    }

    /// The boolean constant true, the guard of an edge that is always open.
    pub fn truth() -> Self {
        Expr::constant(1, Type::Bool)
    }

    /// The value of a variable.
    pub fn read(variable: VarRef) -> Self {
        Expr::new([Op::Read(variable)])
    }

    /// The operators, operands first.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Whether the expression is the constant true.
    pub fn is_truth(&self) -> bool {
        *self.ops == [Op::Const(1, Type::Bool)]
    }

    /// Whether the expression is nothing but `*`.
    pub fn is_any(&self) -> bool {
        matches!(*self.ops, [Op::Any(..)])
    }

    /// The variable, if the expression is nothing but its value.
    pub fn as_read(&self) -> Option<VarRef> {
        match *self.ops {
            [Op::Read(variable)] => Some(variable),
            _ => None,
        }
    }

    /// This expression with an operator behind it.
    pub fn then(self, op: Op) -> Self {
        let mut ops = self.ops.into_vec();
        ops.push(op);
        Expr::new(ops)
    }

    /// The negation of a boolean expression.
    pub fn negate(self) -> Self {
        self.then(Op::Unary(Unary::Not, Type::Bool))
    }

    /// Two expressions joined by an operator on type `ty`.
    pub fn join(self, operator: Binary, ty: Type, right: &Expr) -> Self {
        let mut ops = self.ops.into_vec();
        ops.extend_from_slice(&right.ops);
        ops.push(Op::Binary(operator, ty));
        Expr::new(ops)
    }

    /// Conjunction of boolean expressions; true is left out.
    pub fn and(self, right: Expr) -> Self {
        if self.is_truth() {
            right
        } else if right.is_truth() {
            self
        } else {
            self.join(Binary::And, Type::Bool, &right)
        }
    }

    /// The type of a well-typed expression, when `variable` gives that of a variable: its last
    /// operator tells.
    pub fn type_with(&self, variable: impl Fn(VarRef) -> Type) -> Type {
        match self.ops.last() {
            Some(&(Op::Read(v) | Op::ReadNext(v) | Op::Index(v) | Op::IndexNext(v))) => variable(v),
            Some(&(Op::Const(_, ty) | Op::Any(ty, _) | Op::Unary(_, ty) | Op::Convert(_, ty))) => {
                ty
            }
            Some(&(Op::Undefined(ty) | Op::UndefinedElement(ty))) => ty,
            Some(&Op::Binary(operator, ty)) => operator.result(ty),
            Some(Op::Faults) | None => Type::Bool,
        }
    }

    /// Whether evaluation can fault at all.
    pub fn can_fault(&self) -> bool {
        self.ops.iter().any(|op| {
            matches!(
                op,
                Op::Index(_)
                    | Op::IndexNext(_)
                    | Op::Undefined(_)
                    | Op::UndefinedElement(_)
                    | Op::Binary(Binary::Divide | Binary::Remainder, _)
            )
        })
    }

    /// Evaluates by the definition: `read` gives the value of a variable (element 0 for a
    /// scalar), now or after the step, or `None` out of range; `choices` the value of each
    /// `*`. `None` is a fault.
    ///
    /// This is the reference; engines compile expressions to something faster and are
    /// tested against it.
    pub fn eval(
        &self,
        choices: &[u64],
        read: &dyn Fn(VarRef, Moment, u64) -> Option<u64>,
    ) -> Option<u64> {
        let mut stack: Vec<Option<u64>> = Vec::with_capacity(8);
        for &op in &*self.ops {
            let mut pop = || stack.pop().flatten();
            let value = match op {
                Op::Const(value, _) => Some(value),
                Op::Read(variable) => read(variable, Moment::Now, 0),
                Op::ReadNext(variable) => read(variable, Moment::Next, 0),
                Op::Index(array) => pop().and_then(|index| read(array, Moment::Now, index)),
                Op::IndexNext(array) => pop().and_then(|index| read(array, Moment::Next, index)),
                Op::Any(ty, which) => choices.get(which as usize).map(|&v| ty.wrap(v)),
                Op::Unary(operator, ty) => pop().map(|value| operator.apply(ty, value)),
                Op::Convert(from, to) => pop().map(|value| convert(from, to, value)),
                Op::Faults => Some(u64::from(pop().is_none())),
                Op::Undefined(_) => None,
                Op::UndefinedElement(_) => pop().and(None),
                Op::Binary(operator, ty) => {
                    let (right, left) = (pop(), pop());
                    left.and_then(|left| match operator.early(ty) {
                        Some((decides, result)) if left == decides => Some(result),
                        _ => right.and_then(|right| operator.apply(ty, left, right)),
                    })
                }
            };
            stack.push(value);
        }
        stack.pop().flatten()
    }
}

/// Which side of a step a variable is read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before the step.
    Now,
    /// After the step.
    Next,
}

//! Names and types of expressions.
//!
//! Numbers and `*` have no type of their own: they take it from the other operand or from
//! where the expression stands. [One pass](super::typing) finds the types, a second one
//! writes the typed operators.

use recurva_model::{Binary, Op, Type, Unary};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};

use super::{
    Dialect, Expr, Item, Leaf, What,
    reading::show,
    typing::{Typing, is_shift},
};

/// What names in an expression stand for.
pub(crate) trait Scope {
    /// The operators that come out.
    type Op: Clone;

    /// An operator that needs no scope.
    fn plain(&self, op: Op) -> Self::Op;

    /// Looks a name up; reports it if it stands for nothing.
    fn find(
        &self,
        leaf: Leaf,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found<Self::Op>>;

    /// Reports `*` where there is nothing to choose; whether it did.
    fn refuse_choice(&self, span: Span, diagnostics: &mut Diagnostics) -> bool;
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Found<O> {
    /// Reads the scalar, or the element whose index was popped.
    pub(crate) op: O,
    /// The type of the scalar or element.
    pub(crate) ty: Type,
    /// The length of an array.
    pub(crate) len: Option<u32>,
    /// The declaration, if it is in the same source.
    pub(crate) declared: Option<Span>,
}

/// What is wanted of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Want<'a> {
    /// Any type will do.
    Free,
    /// An index into an array of that length.
    Index(u32),
    /// A boolean.
    Condition,
    /// A value for something declared.
    Value {
        ty: Type,
        of: For<'a>,
        declared: Option<Span>,
    },
}

/// What a value is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum For<'a> {
    Variable(&'a str),
    Parameter(&'a str),
    /// The result at a position, from 1.
    Result(usize),
}

/// The state shared by the checks of one edge.
pub(crate) struct Checker<'c, S> {
    pub(crate) source: &'c Source,
    pub(crate) scope: &'c S,
    pub(crate) dialect: Dialect,
    /// The number of the edge's next choice.
    pub(crate) choices: &'c mut u32,
    pub(crate) diagnostics: &'c mut Diagnostics,
}

impl<S: Scope> Checker<'_, S> {
    /// The expression with its type, or `None` if it has none, which has been reported.
    pub(crate) fn check(&mut self, expr: &Expr, want: Want<'_>) -> Option<(Vec<S::Op>, Type)> {
        let Some(other) = &expr.other else {
            return self.items(&expr.items, want);
        };
        // The text has two readings. Types may leave only one; if not, the user should know.
        let choices = *self.choices;
        let mut first = self.diagnostics.attempt();
        let reading = self.attempt(&expr.items, want, &mut first);
        let after = std::mem::replace(self.choices, choices);
        let mut second = self.diagnostics.attempt();
        let other_reading = self.attempt(other, want, &mut second);
        if reading.is_some() {
            *self.choices = after;
            if other_reading.is_some() {
                self.warn_of_readings(expr, other);
            }
            self.diagnostics.append(first);
            return reading;
        }
        let fewer = second.errors() < first.errors();
        self.diagnostics.append(if fewer { second } else { first });
        other_reading
    }

    fn attempt(
        &mut self,
        items: &[Item],
        want: Want<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Vec<S::Op>, Type)> {
        Checker {
            source: self.source,
            scope: self.scope,
            dialect: self.dialect,
            choices: self.choices,
            diagnostics,
        }
        .items(items, want)
    }

    fn warn_of_readings(&mut self, expr: &Expr, other: &[Item]) {
        let (source, dialect) = (self.source, self.dialect);
        self.diagnostics.warn(|| {
            let message = "tools disagree on how this expression groups";
            let ours = show(source, &expr.items);
            let theirs = show(source, other);
            let readers = dialect.other().readers();
            let warning = Diagnostic::warning(message, expr.span);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => warning
                    .label(format!("read as `{ours}`; {readers} read `{theirs}`"))
                    .help("write the parentheses that say which is meant"),
                _ => warning
                    .label(format!(
                        "{readers} rank `=` and `!=` against `&`, `|`, `^`, `=>` in another way"
                    ))
                    .help("put each comparison with `=` or `!=` in parentheses"),
            }
        });
    }

    fn items(&mut self, items: &[Item], want: Want<'_>) -> Option<(Vec<S::Op>, Type)> {
        let typing = Typing::new(self.source, self.scope, self.diagnostics, items);
        let (types, leaves) = typing.run(want)?;
        Some(self.emit(items, &types, leaves))
    }

    /// The typed operators; every number and choice has a type by now.
    fn emit(
        &mut self,
        items: &[Item],
        types: &[Option<Type>],
        leaves: Vec<(S::Op, Type)>,
    ) -> (Vec<S::Op>, Type) {
        let wide = Type::signed(64);
        let mut leaves = leaves.into_iter();
        let mut ops = Vec::with_capacity(items.len());
        let mut stack: Vec<Type> = Vec::new();
        let plain = |op| self.scope.plain(op);
        for (item, &ty) in items.iter().zip(types) {
            let ty = ty.unwrap_or(Type::Bool);
            let result = match item.what {
                What::Number(value) => {
                    ops.push(plain(Op::Const(ty.wrap(value), ty)));
                    ty
                }
                What::Truth(value) => {
                    ops.push(plain(Op::Const(u64::from(value), Type::Bool)));
                    Type::Bool
                }
                What::Any => {
                    ops.push(plain(Op::Any(ty, *self.choices)));
                    *self.choices += 1;
                    ty
                }
                What::Leaf(_) | What::Element(_) => {
                    if let What::Element(_) = item.what {
                        // A negative index must stay out of range.
                        if let Some(from) = stack.pop().filter(|t| t.is_signed() && *t != wide) {
                            ops.push(plain(Op::Convert(from, wide)));
                        }
                    }
                    let Some((op, ty)) = leaves.next() else {
                        continue;
                    };
                    ops.push(op);
                    ty
                }
                What::Not | What::Negate => {
                    let operator = match item.what {
                        What::Not => Unary::Not,
                        _ => Unary::Negate,
                    };
                    let ty = stack.pop().unwrap_or(ty);
                    ops.push(plain(Op::Unary(operator, ty)));
                    ty
                }
                What::Convert(to) => {
                    let from = stack.pop().unwrap_or(to);
                    if from != to {
                        ops.push(plain(Op::Convert(from, to)));
                    }
                    to
                }
                What::Schoose => {
                    stack.truncate(stack.len().saturating_sub(2));
                    // a | (!b & *)
                    ops.push(plain(Op::Unary(Unary::Not, Type::Bool)));
                    ops.push(plain(Op::Any(Type::Bool, *self.choices)));
                    *self.choices += 1;
                    ops.push(plain(Op::Binary(Binary::And, Type::Bool)));
                    ops.push(plain(Op::Binary(Binary::Or, Type::Bool)));
                    Type::Bool
                }
                What::Binary(operator) => {
                    let (right, left) = (stack.pop(), stack.pop());
                    let left = left.unwrap_or(ty);
                    if is_shift(operator)
                        && let Some(from) = right.filter(|t| t.is_signed() && *t != wide)
                    {
                        // A negative amount is a very large one, whatever its width.
                        ops.push(plain(Op::Convert(from, wide)));
                    }
                    ops.push(plain(Op::Binary(operator, left)));
                    operator.result(left)
                }
                What::Parenthesis => continue,
            };
            stack.push(result);
        }
        (ops, stack.pop().unwrap_or(Type::Bool))
    }
}

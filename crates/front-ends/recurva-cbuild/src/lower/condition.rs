//! Truth: conditions as `Bool`s, and branches by them.

use recurva_cir::{Binary as CirBinary, Expr, ExprKind as Cir, NodeId, Scalar};
use recurva_ctype::typed::{Binary, ExprId, ExprKind, Unary};

use super::Lower;
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// Whether an expression is not zero.
    pub(super) fn condition(&mut self, id: ExprId) -> Expr {
        let expr = self.unit.expr(id);
        match &expr.kind {
            ExprKind::Binary(operator, left, right) if comparison(*operator).is_some() => {
                let (left, right) = self.two_values(*left, *right);
                let truth = compare(comparison(*operator), left, right);
                match self.facts.is_deep(id) {
                    true => self.save(truth, self.origin_of(id)),
                    false => truth,
                }
            }
            ExprKind::Unary(Unary::Not, operand) => exprs::negate(self.condition(*operand)),
            ExprKind::And(left, right) if self.is_plain(id, *right) => {
                let left = self.condition(*left);
                exprs::and(left, self.condition(*right))
            }
            ExprKind::Or(left, right) if self.is_plain(id, *right) => {
                let left = self.condition(*left);
                exprs::or(left, self.condition(*right))
            }
            ExprKind::Convert { operand, .. } if self.keeps_truth(*operand, id) => {
                self.condition(*operand)
            }
            _ => {
                let value = self.value(id);
                is_not_zero(value)
            }
        }
    }

    /// Whether the right operand can be computed whatever the left one is.
    pub(super) fn is_plain(&self, id: ExprId, right: ExprId) -> bool {
        !self.facts.has_edges(right) && !self.facts.is_deep(id)
    }

    /// Whether the operand of a conversion is zero just where the result is.
    fn keeps_truth(&mut self, operand: ExprId, result: ExprId) -> bool {
        let from = self.unit.expr(operand).ty.ty;
        let to = self.unit.expr(result).ty.ty;
        if matches!(self.unit.types.get(to), recurva_ctype::Type::Bool) {
            return self.scalar(from).is_some();
        }
        match (self.scalar(from), self.scalar(to)) {
            (Some(Scalar::Int(from)), Some(Scalar::Int(to))) => from.bits <= to.bits,
            (Some(Scalar::Pointer), Some(Scalar::Pointer)) => true,
            _ => false,
        }
    }

    /// Goes to one of two nodes, by what is not zero.
    pub(super) fn branch(&mut self, id: ExprId, yes: NodeId, no: NodeId) {
        let origin = self.origin_of(id);
        match &self.unit.expr(id).kind {
            ExprKind::Unary(Unary::Not, operand) => self.branch(*operand, no, yes),
            ExprKind::And(left, right) => {
                let more = self.graph.node(origin);
                self.branch(*left, more, no);
                self.graph.continue_at(more);
                self.branch(*right, yes, no);
            }
            ExprKind::Or(left, right) => {
                let more = self.graph.node(origin);
                self.branch(*left, yes, more);
                self.graph.continue_at(more);
                self.branch(*right, yes, no);
            }
            ExprKind::Conditional(condition, Some(then), other) if self.facts.has_edges(id) => {
                let [first, second] = [(); 2].map(|()| self.graph.node(origin));
                self.branch(*condition, first, second);
                self.graph.continue_at(first);
                self.branch(*then, yes, no);
                self.graph.continue_at(second);
                self.branch(*other, yes, no);
            }
            ExprKind::Convert { operand, .. } if self.keeps_truth(*operand, id) => {
                self.branch(*operand, yes, no);
            }
            ExprKind::Comma(list) if !list.is_empty() => {
                let (last, first) = (list[list.len() - 1], &list[..list.len() - 1]);
                first.iter().for_each(|&it| self.discard(it));
                self.branch(last, yes, no);
            }
            _ => {
                let condition = self.condition(id);
                self.graph.split(condition, yes, no, origin);
            }
        }
    }
}

/// Whether a value is not zero.
pub(super) fn is_not_zero(value: Expr) -> Expr {
    match (&value.kind, value.ty) {
        (_, Scalar::Bool) => value,
        (Cir::Const(number), _) => exprs::boolean(*number != 0),
        // What was a `Bool` before it became a number.
        (Cir::Convert(inner), Scalar::Int(_)) if inner.ty == Scalar::Bool => (**inner).clone(),
        (_, Scalar::Float(_)) => {
            let zero = Expr {
                kind: Cir::Float(0.0),
                ty: value.ty,
            };
            exprs::binary(CirBinary::NotEqual, value, zero)
        }
        (_, ty) => exprs::binary(CirBinary::NotEqual, value, Expr::constant(0, ty)),
    }
}

/// A comparison; `Bool`s that became numbers are compared with 0 as what they were.
fn compare(operator: Option<CirBinary>, left: Expr, right: Expr) -> Expr {
    let operator = operator.unwrap_or(CirBinary::Equal);
    let was_bool = |value: &Expr| match &value.kind {
        Cir::Convert(inner) if inner.ty == Scalar::Bool => Some((**inner).clone()),
        _ => None,
    };
    if let (Some(truth), Some(0)) = (was_bool(&left), exprs::number(&right)) {
        match operator {
            CirBinary::Equal => return exprs::negate(truth),
            CirBinary::NotEqual => return truth,
            _ => {}
        }
    }
    exprs::binary(operator, left, right)
}

/// An operator of the source that compares.
fn comparison(operator: Binary) -> Option<CirBinary> {
    Some(match operator {
        Binary::Equal => CirBinary::Equal,
        Binary::NotEqual => CirBinary::NotEqual,
        Binary::Less => CirBinary::Less,
        Binary::LessEqual => CirBinary::LessEqual,
        Binary::Greater => CirBinary::Greater,
        Binary::GreaterEqual => CirBinary::GreaterEqual,
        _ => return None,
    })
}

//! Assignments, and values that go straight to where they are stored.

use recurva_cir::{Base, Binary, Expr, ExprKind as Cir, Operation, Origin, Place, Scalar, Step};
use recurva_ctype::{
    self as ctype,
    typed::{Binary as Operator, ExprId, ExprKind},
};

use super::{Lower, condition::is_not_zero};
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// `place = value`, and its value.
    pub(super) fn assign(&mut self, place: ExprId, value: ExprId, id: ExprId) -> Expr {
        let origin = self.origin_of(id);
        let to = self.place(place);
        let to = self.keep_place(to, &[value], origin);
        if is_plain(&to) {
            self.access(&to, origin);
            self.store_into(value, &to, origin);
            return self.load(to);
        }
        let value = self.value(value);
        self.access(&to, origin);
        if to.bits.is_some() {
            let to = self.pin(to, origin);
            self.store(&to, value, origin);
            return self.load(to);
        }
        let value = self.outlasting(value, &to, origin);
        self.store(&to, value.clone(), origin);
        value
    }

    /// `place = value` for what it does.
    pub(super) fn assign_only(&mut self, place: ExprId, value: ExprId, id: ExprId) {
        if self.is_record(self.unit.expr(place).ty.ty) {
            self.assign_record(place, value, id);
            return;
        }
        let origin = self.origin_of(id);
        let to = self.place(place);
        let to = self.keep_place(to, &[value], origin);
        if is_plain(&to) {
            self.access(&to, origin);
            self.store_into(value, &to, origin);
            return;
        }
        let value = self.value(value);
        self.access(&to, origin);
        self.store(&to, value, origin);
    }

    /// `place = value` of records; the place.
    pub(super) fn assign_record(&mut self, place: ExprId, value: ExprId, id: ExprId) -> Place {
        let origin = self.origin_of(id);
        let to = self.place(place);
        let to = self.keep_place(to, &[value], origin);
        self.access(&to, origin);
        match is_plain(&to) {
            true => self.store_into(value, &to, origin),
            false => {
                let from = self.record(value);
                self.copy(&to, from, origin);
            }
        }
        to
    }

    /// Copies a record.
    pub(super) fn copy(&mut self, to: &Place, from: Place, origin: Origin) {
        if *to != from {
            self.graph.emit(Operation::Copy(to.clone(), from), origin);
        }
    }

    /// A value that storing it in a place does not change.
    fn outlasting(&mut self, value: Expr, to: &Place, origin: Origin) -> Expr {
        let reads = exprs::reads(&value);
        match reads.iter().any(|read| self.may_overlap(read, to)) {
            true => self.save(value, origin),
            false => value,
        }
    }

    /// A value that nothing changes any more.
    pub(super) fn stable(&mut self, value: Expr, origin: Origin) -> Expr {
        match exprs::reads(&value).is_empty() {
            true => value,
            false => self.save(value, origin),
        }
    }

    /// Stores a value of the place's type, which may be a record, in a plain place. Nothing on the
    /// way sees the place changed too early: the store comes last on every way.
    pub(super) fn into(&mut self, id: ExprId, place: &Place) {
        self.store_into(id, place, self.origin_of(id));
    }

    fn store_into(&mut self, id: ExprId, place: &Place, origin: Origin) {
        let expr = self.unit.expr(id);
        match &expr.kind {
            ExprKind::Call(callee, arguments) if place.bits.is_none() => {
                self.call(id, *callee, arguments, Some(place));
            }
            ExprKind::VaArg(list) => {
                let list = self.va_list(*list);
                let operation = Operation::VaArg {
                    list,
                    result: place.clone(),
                };
                self.graph.emit(operation, origin);
            }
            ExprKind::Conditional(condition, Some(yes), no)
                if self.facts.has_edges(id) || self.is_record(expr.ty.ty) =>
            {
                let [then, other, end] = [(); 3].map(|()| self.graph.node(origin));
                self.branch(*condition, then, other);
                for (start, value) in [(then, yes), (other, no)] {
                    self.graph.continue_at(start);
                    self.store_into(*value, place, origin);
                    self.graph.jump(end, origin);
                }
                self.graph.continue_at(end);
            }
            ExprKind::Conditional(condition, None, no) => {
                let [then, other, end] = [(); 3].map(|()| self.graph.node(origin));
                let value = self.value(*condition);
                let value = self.stable(value, origin);
                self.graph
                    .split(is_not_zero(value.clone()), then, other, origin);
                self.graph.continue_at(then);
                let value = self.convert(value, expr.ty.ty, origin);
                self.store(place, value, origin);
                self.graph.jump(end, origin);
                self.graph.continue_at(other);
                self.store_into(*no, place, origin);
                self.graph.jump(end, origin);
                self.graph.continue_at(end);
            }
            ExprKind::And(_, right) | ExprKind::Or(_, right) if !self.is_plain(id, *right) => {
                let [then, other, end] = [(); 3].map(|()| self.graph.node(origin));
                self.branch(id, then, other);
                let ty = self.scalar_of(id);
                for (start, value) in [(then, 1), (other, 0)] {
                    self.graph.continue_at(start);
                    self.store(place, Expr::constant(value, ty), origin);
                    self.graph.jump(end, origin);
                }
                self.graph.continue_at(end);
            }
            ExprKind::Comma(list) if !list.is_empty() => {
                let (last, first) = (list[list.len() - 1], &list[..list.len() - 1]);
                first.iter().for_each(|&it| self.discard(it));
                self.store_into(last, place, origin);
            }
            ExprKind::Block(statement, Some(value)) => {
                self.statement(*statement);
                self.store_into(*value, place, origin);
            }
            ExprKind::Unsupported(what) => self.unsupported(what.0, origin),
            _ if self.is_record(expr.ty.ty) => {
                let from = self.record(id);
                self.copy(place, from, origin);
            }
            _ => {
                let value = self.value(id);
                self.store(place, value, origin);
            }
        }
    }

    /// `op=` and `++`, and the value: that before the change of a postfix operator, or the one that
    /// was stored.
    pub(super) fn assign_operator(&mut self, id: ExprId) -> Expr {
        let (place, _) = self.changed(id, false);
        place
    }

    /// `++` and `--`, and the value.
    pub(super) fn step(&mut self, id: ExprId) -> Expr {
        let is_postfix = matches!(
            self.unit.expr(id).kind,
            ExprKind::Step {
                is_postfix: true,
                ..
            }
        );
        let (after, before) = self.changed(id, is_postfix);
        before.unwrap_or(after)
    }

    /// `op=` and `++` for what they do.
    pub(super) fn change(&mut self, id: ExprId) {
        let origin = self.origin_of(id);
        let (to, before, after) = self.computed_change(id, false);
        drop(before);
        self.store(&to, after, origin);
    }

    /// Changes a place; what is in it now, and what was before if that is wanted.
    fn changed(&mut self, id: ExprId, wants_before: bool) -> (Expr, Option<Expr>) {
        let origin = self.origin_of(id);
        let (to, before, after) = self.computed_change(id, wants_before);
        if wants_before || is_plain(&to) {
            self.store(&to, after, origin);
            return (self.load(to), before);
        }
        if to.bits.is_some() {
            let to = self.pin(to, origin);
            self.store(&to, after, origin);
            return (self.load(to), None);
        }
        let after = self.outlasting(after, &to, origin);
        self.store(&to, after.clone(), origin);
        (after, None)
    }

    /// The place of an `op=` or `++`, what is in it (kept if wanted), and what will be.
    fn computed_change(&mut self, id: ExprId, wants_before: bool) -> (Place, Option<Expr>, Expr) {
        let origin = self.origin_of(id);
        let (place, operator, value, computed) = match self.unit.expr(id).kind {
            ExprKind::AssignOperator {
                operator,
                place,
                value,
                computed,
            } => (place, operator, Some(value), computed),
            ExprKind::Step {
                place,
                is_decrement,
                computed,
                ..
            } => {
                let operator = match is_decrement {
                    true => Operator::Subtract,
                    false => Operator::Add,
                };
                (place, operator, None, computed)
            }
            _ => unreachable!("only assignments are changes"),
        };
        // The right side comes first: what it calls may change the place.
        let value = value.map(|value| {
            let computed = self.value(value);
            self.keep(computed, &[place], origin)
        });
        let to = self.place(place);
        self.read(&to, origin);
        let mut before = self.load(to.clone());
        if wants_before {
            before = self.save(before, origin);
        }
        let kept = wants_before.then(|| before.clone());
        let place_type = self.unit.expr(place).ty.ty;
        let after = self.apply(operator, before, value, place_type, computed, origin);
        (to, kept, after)
    }

    /// The new value of a place: the operator in the type `computed`, and back.
    fn apply(
        &mut self,
        operator: Operator,
        before: Expr,
        value: Option<Expr>,
        place_type: ctype::TypeId,
        computed: ctype::TypeId,
        origin: Origin,
    ) -> Expr {
        if let ctype::Type::Pointer(to) = *self.unit.types.get(computed) {
            let index = value.unwrap_or_else(|| exprs::int(1, recurva_cir::Int::INT));
            return self.step_pointer(before, index, to.ty, operator == Operator::Subtract);
        }
        let ty = self.scalar(computed).unwrap_or(before.ty);
        let is_step = value.is_none();
        let value = value.unwrap_or(match ty {
            Scalar::Float(_) => Expr {
                kind: Cir::Float(1.0),
                ty,
            },
            _ => Expr::constant(1, ty),
        });
        let narrow = is_step && is_narrower(before.ty, ty);
        let left = self.convert_scalar(before, ty, origin);
        let after = match narrow {
            // A narrow number plus one always fits the wider type.
            true => {
                let operator = match operator {
                    Operator::Subtract => Binary::Subtract,
                    _ => Binary::Add,
                };
                exprs::binary(operator, left, value)
            }
            false => self.operate(operator, left, value, origin),
        };
        self.convert(after, place_type, origin)
    }

    /// The list of arguments that an expression means: a place, or what a pointer points to.
    pub(super) fn va_list(&mut self, id: ExprId) -> Place {
        let list = self.program.types.number(recurva_cir::Type::VaList);
        let mut id = id;
        loop {
            let expr = self.unit.expr(id);
            match &expr.kind {
                ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Address(inner)
                    if !matches!(self.unit.types.get(expr.ty.ty), ctype::Type::Pointer(_))
                        || self.is_va_list(*inner) =>
                {
                    id = *inner;
                }
                ExprKind::Convert { operand, .. } => id = *operand,
                _ if self.is_va_list(id) => {
                    let place = self.place(id);
                    self.access(&place, self.origin_of(id));
                    return place;
                }
                _ => {
                    let pointer = self.value(id);
                    let place = super::place::deref(&self.program.types.types, pointer, list);
                    self.access(&place, self.origin_of(id));
                    return place;
                }
            }
        }
    }

    fn is_va_list(&self, id: ExprId) -> bool {
        matches!(
            self.unit.types.get(self.unit.expr(id).ty.ty),
            ctype::Type::VaList
        )
    }
}

/// Whether a place is a variable or a fixed part of one, so that nothing else says where it is.
pub(super) fn is_plain(place: &Place) -> bool {
    let is_fixed = |step: &Step| match step {
        Step::Field(..) => true,
        Step::Index(index) => exprs::number(index).is_some(),
    };
    matches!(place.base, Base::Var(_)) && place.path.iter().all(is_fixed)
}

fn is_narrower(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Int(from), Scalar::Int(to)) => from.bits < to.bits,
        _ => false,
    }
}

//! Values.

use recurva_cir::{Expr, ExprKind as Cir, Int, Operation, Place, Scalar, Type, Unary as CirUnary};
use recurva_ctype::{
    self as ctype,
    typed::{Binary, Constant, ExprId, ExprKind, Unary},
};

use super::Lower;
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// The value of an expression that is a scalar.
    pub(super) fn value(&mut self, id: ExprId) -> Expr {
        let edges = self.graph.edges.len();
        let value = self.plain_value(id);
        let is_as_foreseen = self.facts.has_edges(id) || self.graph.edges.len() == edges;
        debug_assert!(is_as_foreseen, "{:?}", self.unit.expr(id).kind);
        match self.facts.is_deep(id) && !matches!(value.kind, Cir::Const(_) | Cir::Float(_)) {
            true => self.save(value, self.origin_of(id)),
            false => value,
        }
    }

    fn plain_value(&mut self, id: ExprId) -> Expr {
        let expr = self.unit.expr(id);
        match &expr.kind {
            ExprKind::Load(place) => {
                let place = self.place(*place);
                self.read(&place, self.origin_of(id));
                self.load(place)
            }
            ExprKind::Decay(place) => {
                let place = self.place(*place);
                exprs::address(place)
            }
            ExprKind::Address(place) => self.address_of(*place),
            ExprKind::Function(function) => {
                let function = self.program.function(self.index, *function);
                Expr {
                    kind: Cir::Function(function),
                    ty: Scalar::Pointer,
                }
            }
            ExprKind::Constant(constant) => self.constant(*constant, expr.ty.ty),
            ExprKind::Convert { operand, .. } => self.converted(*operand, expr.ty.ty),
            ExprKind::Unary(Unary::Not, _)
            | ExprKind::Binary(
                Binary::Equal
                | Binary::NotEqual
                | Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual,
                ..,
            ) => {
                let ty = self.scalar_of(id);
                exprs::convert(self.condition(id), ty)
            }
            ExprKind::Unary(operator, operand) => {
                let value = self.value(*operand);
                if *operator == Unary::Negate {
                    self.check_negation(&value, self.origin_of(id));
                }
                let operator = match operator {
                    Unary::Negate => CirUnary::Negate,
                    Unary::Complement | Unary::Not => CirUnary::Not,
                };
                exprs::unary(operator, value)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = self.two_values(*left, *right);
                self.operate(*operator, left, right, self.origin_of(id))
            }
            ExprKind::PointerAdd(pointer, index) => self.pointer_step(*pointer, *index, false),
            ExprKind::PointerSubtract(pointer, index) => self.pointer_step(*pointer, *index, true),
            ExprKind::PointerDifference(left, right) => self.difference(id, *left, *right),
            ExprKind::And(_, right) | ExprKind::Or(_, right) if self.is_plain(id, *right) => {
                let ty = self.scalar_of(id);
                exprs::convert(self.condition(id), ty)
            }
            ExprKind::Conditional(condition, Some(yes), no)
                if !self.facts.has_edges(*yes) && !self.facts.has_edges(*no) =>
            {
                let condition = self.condition(*condition);
                let (yes, no) = (self.value(*yes), self.value(*no));
                match condition.kind {
                    Cir::Const(0) => no,
                    Cir::Const(_) => yes,
                    _ => Expr {
                        ty: yes.ty,
                        kind: Cir::If(Box::new(condition), Box::new(yes), Box::new(no)),
                    },
                }
            }
            ExprKind::Assign(place, value) => self.assign(*place, *value, id),
            ExprKind::AssignOperator { .. } => self.assign_operator(id),
            ExprKind::Step { .. } => self.step(id),
            ExprKind::Comma(list) => {
                let Some((last, first)) = list.split_last() else {
                    return exprs::int(0, Int::INT);
                };
                first.iter().for_each(|&it| self.discard(it));
                self.value(*last)
            }
            ExprKind::Block(statement, Some(value)) => {
                self.statement(*statement);
                self.value(*value)
            }
            ExprKind::SizeofVariable(ty) => {
                let size = self.variable_size(*ty);
                let ty = self.scalar_of(id);
                exprs::convert(size, ty)
            }
            ExprKind::LabelAddress(label) => {
                Expr::constant(u64::from(label.0) + 1, Scalar::Pointer)
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, id),
            ExprKind::Unsupported(what) => {
                self.unsupported(what.0, self.origin_of(id));
                self.anything(id)
            }
            ExprKind::Block(_, None) => {
                self.discard(id);
                self.anything(id)
            }
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Conditional(..)
            | ExprKind::Call(..)
            | ExprKind::VaArg(_) => self.through_temporary(id),
            // A place stands where a value should: take what is in it.
            ExprKind::Object(_)
            | ExprKind::Local(_)
            | ExprKind::Text(_)
            | ExprKind::Compound(..)
            | ExprKind::Deref(_)
            | ExprKind::Member(..) => {
                let place = self.place(id);
                match self.program.types.types.get(place.ty) {
                    Type::Array(..) => exprs::address(place),
                    _ => {
                        self.read(&place, self.origin_of(id));
                        self.load(place)
                    }
                }
            }
        }
    }

    /// The value of an expression that is stored on the way.
    fn through_temporary(&mut self, id: ExprId) -> Expr {
        if self.is_void(self.unit.expr(id).ty.ty) {
            self.discard(id);
            return exprs::int(0, Int::INT);
        }
        let ty = self.type_of(id);
        let place = self.graph.temporary(ty, self.origin_of(id));
        self.into(id, &place);
        self.load(place)
    }

    /// Some value, behind what has none.
    pub(super) fn anything(&mut self, id: ExprId) -> Expr {
        match self.scalar_of(id) {
            Scalar::Float(float) => Expr {
                kind: Cir::Float(0.0),
                ty: Scalar::Float(float),
            },
            ty => Expr::constant(0, ty),
        }
    }

    /// Both operands, the left one first.
    pub(super) fn two_values(&mut self, left: ExprId, right: ExprId) -> (Expr, Expr) {
        let value = self.value(left);
        let value = self.keep(value, &[right], self.origin_of(left));
        (value, self.value(right))
    }

    fn address_of(&mut self, id: ExprId) -> Expr {
        match &self.unit.expr(id).kind {
            ExprKind::Function(_) => self.value(id),
            ExprKind::Deref(pointer) => self.value(*pointer),
            _ => {
                let place = self.place(id);
                exprs::address(place)
            }
        }
    }

    pub(super) fn constant(&mut self, constant: Constant, ty: ctype::TypeId) -> Expr {
        let ty = self.scalar(ty).unwrap_or(Scalar::Int(Int::INT));
        match (constant, ty) {
            (Constant::Int(value), Scalar::Int(ty)) => exprs::int(value, ty),
            (Constant::Int(value), Scalar::Float(_)) => Expr {
                kind: Cir::Float(value as f64),
                ty,
            },
            (Constant::Int(value), _) => {
                let word = self.program.types.word();
                Expr::constant(exprs::cut(value as u64, word), ty)
            }
            (Constant::Float(value), _) => Expr {
                kind: Cir::Float(value),
                ty,
            },
        }
    }

    fn converted(&mut self, operand: ExprId, to: ctype::TypeId) -> Expr {
        if self.is_void(to) || self.is_void(self.unit.expr(operand).ty.ty) {
            self.discard(operand);
            return exprs::int(0, Int::INT);
        }
        // What is true or false already needs no comparison.
        if matches!(self.unit.types.get(to), ctype::Type::Bool) {
            let truth = self.condition(operand);
            return exprs::convert(truth, Scalar::Int(Int::BYTE));
        }
        let value = self.value(operand);
        self.convert(value, to, self.origin_of(operand))
    }

    fn pointer_step(&mut self, pointer: ExprId, index: ExprId, is_backward: bool) -> Expr {
        let pointee = self.pointee(pointer);
        // GNU C and the tree allow `i + p`, in which the pointer comes second.
        let (pointer, index) = self.two_values(pointer, index);
        self.step_pointer(pointer, index, pointee, is_backward)
    }

    /// What an expression points to.
    pub(super) fn pointee(&self, pointer: ExprId) -> ctype::TypeId {
        self.pointee_of(self.unit.expr(pointer).ty.ty)
    }

    pub(super) fn pointee_of(&self, pointer: ctype::TypeId) -> ctype::TypeId {
        match self.unit.types.get(pointer) {
            ctype::Type::Pointer(to) => to.ty,
            ctype::Type::Array(element, _) => element.ty,
            _ => pointer,
        }
    }

    fn difference(&mut self, id: ExprId, left: ExprId, right: ExprId) -> Expr {
        let pointee = self.pointee(left);
        let (left, right) = self.two_values(left, right);
        let ty = self.scalar_of(id);
        let Scalar::Int(int) = ty else {
            return self.anything(id);
        };
        // Addresses of labels are numbers.
        if let (Cir::Const(left), Cir::Const(right)) = (&left.kind, &right.kind) {
            return exprs::int(i128::from(*left) - i128::from(*right), int);
        }
        let is_variable = self.is_variable(pointee);
        let size = match is_variable {
            true => 1,
            false => self.unit.types.size(pointee).unwrap_or(1).max(1),
        };
        let bytes = Expr {
            kind: Cir::Distance {
                left: Box::new(left),
                right: Box::new(right),
                size,
            },
            ty,
        };
        match is_variable {
            true => {
                let size = exprs::convert(self.variable_size(pointee), ty);
                exprs::binary(recurva_cir::Binary::Divide, bytes, size)
            }
            false => bytes,
        }
    }

    /// A record: the place that has it. What is made on the way is in a temporary.
    pub(super) fn record(&mut self, id: ExprId) -> Place {
        match &self.unit.expr(id).kind {
            ExprKind::Load(place) => {
                let place = self.place(*place);
                self.access(&place, self.origin_of(id));
                place
            }
            ExprKind::Assign(place, value) => self.assign_record(*place, *value, id),
            ExprKind::Convert { operand, .. } => self.record(*operand),
            ExprKind::Comma(list) if !list.is_empty() => {
                let (last, first) = (list[list.len() - 1], &list[..list.len() - 1]);
                first.iter().for_each(|&it| self.discard(it));
                self.record(last)
            }
            ExprKind::Member(..)
            | ExprKind::Object(_)
            | ExprKind::Local(_)
            | ExprKind::Compound(..)
            | ExprKind::Deref(_) => self.place(id),
            _ => {
                let ty = self.type_of(id);
                let place = self.graph.temporary(ty, self.origin_of(id));
                self.into(id, &place);
                place
            }
        }
    }

    /// Evaluates an expression for what it does.
    pub(super) fn discard(&mut self, id: ExprId) {
        let expr = self.unit.expr(id);
        let origin = self.origin_of(id);
        match &expr.kind {
            ExprKind::Convert { operand, .. } => self.discard(*operand),
            ExprKind::Call(callee, arguments) => {
                self.call(id, *callee, arguments, None);
            }
            ExprKind::Comma(list) => list.iter().for_each(|&it| self.discard(it)),
            ExprKind::Block(statement, value) => {
                self.statement(*statement);
                value.iter().for_each(|&it| self.discard(it));
            }
            ExprKind::Conditional(condition, yes, no) if self.facts.has_edges(id) => {
                let [then, other, end] = [(); 3].map(|()| self.graph.node(origin));
                self.branch(*condition, then, other);
                self.graph.continue_at(then);
                yes.iter().for_each(|&it| self.discard(it));
                self.graph.jump(end, origin);
                self.graph.continue_at(other);
                self.discard(*no);
                self.graph.jump(end, origin);
                self.graph.continue_at(end);
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) if self.facts.has_edges(id) => {
                let [more, end] = [(); 2].map(|()| self.graph.node(origin));
                match &expr.kind {
                    ExprKind::And(..) => self.branch(*left, more, end),
                    _ => self.branch(*left, end, more),
                }
                self.graph.continue_at(more);
                self.discard(*right);
                self.graph.jump(end, origin);
                self.graph.continue_at(end);
            }
            ExprKind::Assign(place, value) => self.assign_only(*place, *value, id),
            ExprKind::AssignOperator { .. } | ExprKind::Step { .. } => self.change(id),
            ExprKind::Unsupported(what) => self.unsupported(what.0, origin),
            _ if !self.facts.has_edges(id) => {}
            _ if self.is_record(expr.ty.ty) => {
                self.record(id);
            }
            _ => {
                self.value(id);
            }
        }
    }

    /// Whether values of a type are copied as bytes.
    pub(super) fn is_record(&mut self, id: ctype::TypeId) -> bool {
        !self.is_void(id) && self.scalar(id).is_none()
    }

    /// Stores a value of the same type in a place.
    pub(super) fn store(&mut self, place: &Place, value: Expr, origin: recurva_cir::Origin) {
        self.graph
            .emit(Operation::Assign(place.clone(), value), origin);
    }
}

//! What the analysis found.

use recurva_cir::{
    Base, Binary, Expr, ExprKind, FunctionId, Module, Place, Scalar, Step, Type, Unary,
};
use rustc_hash::FxHashMap;

use super::{ANYWHERE, SOMEWHERE, Shift, Target, shift_of, solver::shifted};
use crate::objects::Objects;

/// Where pointers may point to, and which functions may run.
#[derive(Debug)]
pub(crate) struct PointsTo {
    pub(super) cells: FxHashMap<Target, Vec<Target>>,
    /// Which functions may run.
    pub(crate) reachable: Vec<bool>,
    /// The functions that each function may call, sorted.
    pub(crate) calls: Vec<Vec<FunctionId>>,
}

/// A module with its objects, to ask about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) module: &'a Module,
    pub(crate) objects: &'a Objects,
    pub(crate) points_to: &'a PointsTo,
}

impl PointsTo {
    /// What is stored where something points to.
    pub(crate) fn stored(&self, target: Target) -> &[Target] {
        let (object, spot) = target;
        let spot = if spot == ANYWHERE { SOMEWHERE } else { spot };
        let cell = self.cells.get(&(object, spot));
        let cell = cell.or_else(|| self.cells.get(&(target.0, ANYWHERE)));
        cell.map_or(&[], |targets| targets)
    }

    /// All that pointers to or in it are stored in.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (&Target, &Vec<Target>)> {
        self.cells.iter()
    }
}

impl Scene<'_> {
    /// Where the value of an expression of a function may point to, sorted.
    pub(crate) fn targets(self, function: FunctionId, expr: &Expr) -> Vec<Target> {
        let mut found = self.collect(function, expr);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(self, function: FunctionId, expr: &Expr) -> Vec<Target> {
        let objects = self.objects;
        match &expr.kind {
            ExprKind::Load(place) => {
                let mut found = Vec::new();
                for target in self.places(function, place) {
                    found.extend_from_slice(self.points_to.stored(target));
                }
                found
            }
            ExprKind::Address(place) => self.places(function, place),
            ExprKind::Function(id) => vec![(objects.function(*id), 0)],
            ExprKind::Convert(inner) => self.collect(function, inner),
            ExprKind::Unary(Unary::Negate | Unary::Not, inner) => {
                let found = self.collect(function, inner);
                self.shift(found, Shift::Anywhere)
            }
            ExprKind::Binary(operator, left, right) if makes_numbers(*operator) => {
                let mut found = self.collect(function, left);
                found.extend(self.collect(function, right));
                self.shift(found, Shift::Anywhere)
            }
            ExprKind::Offset {
                pointer,
                index,
                size,
            } => {
                let found = self.collect(function, pointer);
                self.shift(found, shift_of(index, *size))
            }
            ExprKind::If(_, left, right) => {
                let mut found = self.collect(function, left);
                found.extend(self.collect(function, right));
                found
            }
            _ => Vec::new(),
        }
    }

    /// Where a place may be, sorted.
    pub(crate) fn places(self, function: FunctionId, place: &Place) -> Vec<Target> {
        let (mut found, ty) = match &place.base {
            Base::Var(var) => {
                let object = self.objects.variable(function, *var);
                let ty = self.objects.shapes[object.index()].ty;
                (vec![(object, 0)], ty)
            }
            Base::Deref(pointer, ty) => (self.targets(function, pointer), Some(*ty)),
        };
        let Some(mut at) = ty else {
            return found;
        };
        for step in &place.path {
            let (shift, next) = step_shift(self.module, at, step);
            found = self.shift(found, shift);
            at = next;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn shift(self, mut found: Vec<Target>, shift: Shift) -> Vec<Target> {
        for target in &mut found {
            *target = shifted(self.objects, &self.module.types, *target, shift);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether an operator makes a number of numbers.
pub(super) fn makes_numbers(operator: Binary) -> bool {
    !matches!(
        operator,
        Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
    )
}

/// How far a step goes in something of a type, and the type of what is there.
pub(crate) fn step_shift(
    module: &Module,
    at: recurva_cir::TypeId,
    step: &Step,
) -> (Shift, recurva_cir::TypeId) {
    let types = &module.types;
    match step {
        Step::Field(record, field) => {
            let field = &types.record(*record).fields[*field as usize];
            (Shift::Bytes(field.offset as i64), field.ty)
        }
        Step::Index(index) => match *types.get(at) {
            Type::Array(element, _) => (shift_of(index, types.size(element)), element),
            _ => (Shift::Anywhere, at),
        },
    }
}

/// Whether values of a type may be pointers, if pointers are made numbers somewhere.
pub(super) fn may_point(ty: Scalar, follows_integers: bool, pointer_bytes: u64) -> bool {
    match ty {
        Scalar::Pointer => true,
        Scalar::Int(int) => follows_integers && u64::from(int.bits) >= pointer_bytes * 8,
        Scalar::Bool | Scalar::Float(_) => false,
    }
}

//! Variables of the model that hold parts of objects.

use recurva_model::{Binary, Place, Type, VarRef};

use super::{Body, Write, read};
use crate::{
    LimitReason,
    cases::Cases,
    objects::ObjectId,
    plan::{Home, Leaf},
    uses::Kind,
    value::Value,
};

/// One variable, or one element of an array.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) variable: VarRef,
    pub(crate) ty: Type,
    pub(crate) index: Option<Value>,
}

impl Cell {
    pub(crate) fn read(&self) -> Value {
        match &self.index {
            None => read(self.variable, self.ty),
            Some(index) => Value::element(self.variable, self.ty, index.clone()),
        }
    }

    pub(crate) fn write(self, value: Value) -> Write {
        let place = match self.index {
            None => Place::Scalar(self.variable),
            Some(index) => Place::Element(self.variable, index.into_expr()),
        };
        (place, value)
    }
}

impl Body<'_, '_> {
    /// The variable of a leaf, and how many values it holds.
    pub(super) fn leaf_variable(&mut self, object: ObjectId, leaf: usize) -> (VarRef, u64) {
        let planned = self.lowering.plan.object(object);
        let total = planned.leaves[leaf].count() * u64::from(planned.slots);
        let variable = match planned.home {
            Home::Frame => self.leaves[&(object, leaf)],
            Home::Static | Home::Slots => self.lowering.global_leaf(object, leaf),
        };
        (variable, total)
    }

    /// The element of a leaf with that number in its object, in a slot if it has slots.
    pub(super) fn cell(
        &mut self,
        object: ObjectId,
        leaf: usize,
        element: Value,
        slot: Option<&Value>,
    ) -> Cell {
        let planned: &Leaf = &self.lowering.plan.object(object).leaves[leaf];
        let (ty, count) = (planned.ty, planned.count());
        let (variable, total) = self.leaf_variable(object, leaf);
        if total == 1 {
            return Cell {
                variable,
                ty,
                index: None,
            };
        }
        let index = match slot {
            None => element,
            Some(slot) => combine(slot.clone(), count, element),
        };
        Cell {
            variable,
            ty,
            index: Some(index),
        }
    }

    /// Bits as they are kept, as those of another kind. A number that becomes a pointer must be
    /// one that pointers can have.
    pub(super) fn recast(&self, value: Value, to: Type, to_pointer: bool) -> Cases<Value> {
        let from = value.ty();
        if to_pointer && from.bits() > to.bits() {
            return self.cut_pointer(value);
        }
        Cases::one(value.convert(to))
    }

    /// A number as a pointer.
    pub(super) fn cut_pointer(&self, value: Value) -> Cases<Value> {
        let pointer = self.lowering.plan.pointer;
        let wide = Type::unsigned(value.ty().bits());
        let value = value.convert(wide);
        if wide.bits() <= pointer.bits() {
            return Cases::one(value.convert(pointer));
        }
        let fits = value
            .clone()
            .binary(Binary::LessEqual, Value::constant(pointer.mask(), wide));
        let mut cases = Cases::none();
        cases.push(fits.clone(), Ok(value.convert(pointer)));
        cases.push(fits.not(), Err(LimitReason::Address));
        cases
    }

    /// The type in which a leaf is kept, and whether it is a pointer.
    pub(super) fn kept_as(&self, object: ObjectId, leaf: usize) -> (Type, bool) {
        let leaf = &self.lowering.plan.object(object).leaves[leaf];
        (leaf.ty, leaf.kind == Kind::Pointer)
    }
}

/// The number of an element in an array of arrays.
pub(super) fn combine(outer: Value, count: u64, inner: Value) -> Value {
    match (outer.as_const(), count) {
        (Some(0), _) => inner,
        (_, 1) => outer,
        _ => {
            let ty = Type::unsigned(32);
            outer
                .convert(ty)
                .binary(Binary::Multiply, Value::constant(count, ty))
                .add(inner.convert(ty))
        }
    }
}

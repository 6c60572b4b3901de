//! Pointers: where they come from, how far they were moved, and whether they stay in their object.

use recurva_cir::{Base, Expr, ExprKind, Place, Scalar, Step};
use recurva_model::{Binary, Type};

use super::{Body, cell::Cell};
use crate::{
    LimitReason,
    cases::Cases,
    objects::ObjectId,
    plan::{Home, Planned},
    pointers::{ANYWHERE, Shift, shift_of},
    value::Value,
};

/// A pointer as another one that was moved.
pub(crate) struct Split<'e> {
    /// Where it began.
    pub(crate) root: &'e Expr,
    /// By so many bytes.
    pub(crate) bytes: i64,
    /// And by so many times a size.
    pub(crate) terms: Vec<(&'e Expr, u64)>,
}

/// The values that make up a pointer.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) root: Value,
    /// Each with the size of what it counts.
    pub(crate) indices: Vec<(Value, u64)>,
    /// All of it, modulo the range of pointers.
    pub(crate) address: Value,
}

impl<'e> Split<'e> {
    pub(crate) fn new(pointer: &'e Expr) -> Self {
        let mut split = Split {
            root: pointer,
            bytes: 0,
            terms: Vec::new(),
        };
        loop {
            match &split.root.kind {
                ExprKind::Offset {
                    pointer,
                    index,
                    size,
                } => {
                    match shift_of(index, *size) {
                        Shift::Bytes(bytes) => split.bytes = split.bytes.wrapping_add(bytes),
                        _ => split.terms.push((index, *size)),
                    }
                    split.root = pointer;
                }
                ExprKind::Convert(inner) if inner.ty == Scalar::Pointer => split.root = inner,
                _ => return split,
            }
        }
    }

    pub(crate) fn is_moved(&self) -> bool {
        self.bytes != 0 || !self.terms.is_empty()
    }
}

impl Body<'_, '_> {
    /// The objects that the pointer may point to which another one was made of.
    pub(super) fn root_objects(&self, split: &Split<'_>) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = self
            .scene()
            .targets(self.function, split.root)
            .into_iter()
            .map(|(object, _)| object)
            .filter(|&object| self.lowering.plan.object(object).base.is_some())
            .collect();
        objects.dedup();
        objects
    }

    /// The values that a pointer is made of.
    pub(super) fn split_value(&mut self, split: &Split<'_>) -> Cases<Parts> {
        let pointer = self.lowering.plan.pointer;
        let mut cases = self.evaluate_few(split.root).map(|root| Parts {
            address: root
                .clone()
                .add(Value::constant(split.bytes as u64, pointer)),
            root,
            indices: Vec::new(),
        });
        for &(index, size) in &split.terms {
            let values = self.evaluate_few(index);
            cases = cases.with(&values).map(|(mut parts, index)| {
                let bytes = index.clone().convert(pointer).times(size);
                parts.address = parts.address.add(bytes);
                parts.indices.push((index, size));
                parts
            });
        }
        cases
    }

    /// Which slot something is in that many bytes behind the first one, how far into it, and the
    /// condition that it is in one of them.
    pub(super) fn slot_at(
        &self,
        planned: &Planned,
        distance: Value,
    ) -> (Option<Value>, Value, Value) {
        if planned.home != Home::Slots {
            return (None, distance, Value::truth());
        }
        let ty = distance.ty();
        let all = planned.stride * u64::from(planned.slots);
        let inside = match all > ty.mask() {
            true => Value::truth(),
            false => distance
                .clone()
                .binary(Binary::Less, Value::constant(all, ty)),
        };
        if planned.slots == 1 {
            let first = Value::constant(0, self.lowering.slot_type());
            return (Some(first), distance, inside);
        }
        let slot = distance.clone().divided(planned.stride);
        (Some(slot), distance.modulo(planned.stride), inside)
    }

    /// Whether a pointer points into an object or just behind it, dead or alive.
    pub(super) fn contains(&self, object: ObjectId, pointer: &Value) -> Value {
        self.reaches_into(object, pointer, 0)
    }

    /// Whether so many bytes behind a pointer lie in an object, dead or alive.
    pub(super) fn reaches_into(&self, object: ObjectId, pointer: &Value, size: u64) -> Value {
        let planned = self.lowering.plan.object(object);
        let (Some(base), Some(last)) = (planned.base, planned.shape.size.checked_sub(size)) else {
            return Value::boolean(false);
        };
        let ty = pointer.ty();
        let distance = pointer.clone().subtract(Value::constant(base, ty));
        let (_, inner, in_slots) = self.slot_at(planned, distance);
        if last == 0 && planned.home != Home::Slots {
            return pointer.clone().equal(Value::constant(base, ty));
        }
        in_slots.and(inner.binary(Binary::LessEqual, Value::constant(last, ty)))
    }

    /// Whether what a pointer was moved by is no more than an object's size: then nothing wraps.
    pub(super) fn small_indices(&self, object: ObjectId, parts: &Parts) -> Value {
        let size = self.lowering.plan.object(object).shape.size;
        let mut all = Value::truth();
        for (index, unit) in &parts.indices {
            let most = i128::from(size / (*unit).max(1));
            let ty = index.ty();
            if let Some(most) = ty.from_number(most) {
                let most = Value::constant(most, ty);
                all = all.and(index.clone().binary(Binary::LessEqual, most));
            }
            if let Some(least) = ty.from_number(-most).filter(|_| ty.is_signed()) {
                let least = Value::constant(least, ty);
                all = all.and(index.clone().binary(Binary::GreaterEqual, least));
            }
        }
        all
    }

    /// The slot of the object that is at an address, as an element of its flags.
    pub(super) fn flag_at(
        &self,
        flags: (recurva_model::VarRef, Type),
        planned: &Planned,
        pointer: &Value,
    ) -> Value {
        let ty = pointer.ty();
        let base = Value::constant(planned.base.unwrap_or(0), ty);
        let (slot, ..) = self.slot_at(planned, pointer.clone().subtract(base));
        let index = match planned.slots {
            1 => None,
            _ => slot,
        };
        Cell {
            variable: flags.0,
            ty: flags.1,
            index,
        }
        .read()
    }

    /// The value of a pointer that was moved. It must stay in its object, or just behind it.
    pub(super) fn moved_pointer(&mut self, pointer: &Expr) -> Cases<Value> {
        let split = Split::new(pointer);
        let objects = self.root_objects(&split);
        let values = self.split_value(&split);
        let is_plain = split.terms.is_empty() && self.stays(&split);
        values.then(|parts| {
            if !split.is_moved() || is_plain {
                return Cases::one(parts.address);
            }
            let mut cases = Cases::none();
            let mut other = Value::truth();
            for &object in &objects {
                let own = match objects.len() {
                    1 => Value::truth(),
                    _ => self.contains(object, &parts.root),
                };
                let own = own.and(self.small_indices(object, &parts));
                let guard = own
                    .and(self.contains(object, &parts.address))
                    .and(self.same_slot(object, &parts));
                other = other.and(guard.clone().not());
                cases.push(guard, Ok(parts.address.clone()));
            }
            // Near null there are no objects: what is computed there is no address.
            let lowest = Value::constant(self.lowering.plan.lowest, parts.root.ty());
            let is_low = |it: &Value| it.clone().binary(Binary::Less, lowest.clone());
            let low = is_low(&parts.root).and(is_low(&parts.address));
            let low = other.clone().and(low);
            cases.push(low.clone(), Ok(parts.address.clone()));
            cases.push(other.and(low.not()), Err(LimitReason::Address));
            cases
        })
    }

    fn same_slot(&self, object: ObjectId, parts: &Parts) -> Value {
        let planned = self.lowering.plan.object(object);
        if planned.slots == 1 {
            return Value::truth();
        }
        let ty = parts.root.ty();
        let base = Value::constant(planned.base.unwrap_or(0), ty);
        let slot = |it: &Value| {
            let distance = it.clone().subtract(base.clone());
            distance.divided(planned.stride)
        };
        slot(&parts.root).equal(slot(&parts.address))
    }

    /// Whether a pointer that was moved by a constant stays in its object in any case.
    fn stays(&self, split: &Split<'_>) -> bool {
        let targets = self.scene().targets(self.function, split.root);
        let types = &self.scene().module.types;
        !targets.is_empty()
            && targets.iter().all(|&(object, spot)| {
                let shape = &self.scene().objects.shapes[object.index()];
                let end = spot.checked_add_signed(split.bytes);
                spot != ANYWHERE
                    && split.bytes >= 0
                    && end.is_some_and(|end| end <= shape.size)
                    && shape.spot(types, spot).dims.is_empty()
            })
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, place: &Place) -> Cases<Value> {
        match &place.base {
            Base::Var(_) => {
                let spots = self.resolve_address(place);
                let pointer = self.lowering.plan.pointer;
                spots.map(|spot| {
                    let planned = self.lowering.plan.object(spot.object);
                    let base = Value::constant(planned.base.unwrap_or(0), pointer);
                    let start = match &spot.slot {
                        Some(slot) if planned.slots > 1 => slot
                            .clone()
                            .convert(pointer)
                            .times(planned.stride)
                            .add(base),
                        _ => base,
                    };
                    spot.distance(pointer).add(start)
                })
            }
            Base::Deref(pointer, ty) => {
                let moved = self.with_path(pointer, *ty, &place.path);
                self.moved_pointer(&moved)
            }
        }
    }

    /// A place by the pointer it begins with, as a pointer that was moved.
    pub(super) fn with_path(&self, pointer: &Expr, ty: recurva_cir::TypeId, path: &[Step]) -> Expr {
        let types = &self.scene().module.types;
        let mut made = pointer.clone();
        let mut at = ty;
        let move_by = |pointer: Expr, index: Expr, size: u64| Expr {
            kind: ExprKind::Offset {
                pointer: Box::new(pointer),
                index: Box::new(index),
                size,
            },
            ty: Scalar::Pointer,
        };
        for step in path {
            match step {
                Step::Field(record, field) => {
                    let field = &types.record(*record).fields[*field as usize];
                    let int = recurva_cir::Int {
                        bits: 64,
                        is_signed: true,
                    };
                    let offset = Expr::constant(field.offset, Scalar::Int(int));
                    if field.offset != 0 {
                        made = move_by(made, offset, 1);
                    }
                    at = field.ty;
                }
                Step::Index(index) => {
                    if let recurva_cir::Type::Array(element, _) = *types.get(at) {
                        made = move_by(made, (**index).clone(), types.size(element));
                        at = element;
                    }
                }
            }
        }
        made
    }
}

//! What can be asked of pointers.

use recurva_cir::{Base, Expr, ExprKind, Storage};
use recurva_model::{Binary, Type};

use super::{
    Body,
    address::{Parts, Split},
};
use crate::{
    LimitReason,
    cases::Cases,
    objects::{ObjectId, What},
    plan::Home,
    pointers::{ANYWHERE, Target},
    value::Value,
};

/// Wide enough for all that can be computed of offsets.
const WIDE: Type = Type::signed(64);

impl Body<'_, '_> {
    /// Whether so many bytes can be accessed where a pointer points to; none: whether it points
    /// into something alive or just behind it.
    pub(super) fn is_valid(&mut self, pointer: &Expr, size: u64) -> Cases<Value> {
        let split = Split::new(pointer);
        if let ExprKind::Address(place) = &split.root.kind
            && matches!(place.base, Base::Var(_))
        {
            return self.is_inside_variable(&split, place, size);
        }
        let moved;
        let split = match &split.root.kind {
            // A field of what a pointer points to.
            ExprKind::Address(place) => {
                moved = self.flattened(pointer, place);
                Split::new(&moved)
            }
            _ => split,
        };
        let targets = self.scene().targets(self.function, split.root);
        let exact = self.scene().targets(self.function, pointer);
        let roots = self.root_objects(&split);
        let values = self.split_value(&split);
        values.map(|parts| {
            let mut any = Value::boolean(false);
            for &object in &roots {
                any = any.or(self.is_valid_in(object, &parts, &split, &targets, &exact, size));
            }
            any
        })
    }

    fn is_valid_in(
        &self,
        object: ObjectId,
        parts: &Parts,
        split: &Split<'_>,
        targets: &[Target],
        exact: &[Target],
        size: u64,
    ) -> Value {
        let planned = self.lowering.plan.object(object);
        let function = matches!(self.scene().objects.what[object.index()], What::Function(_));
        let Some(base) = planned.base.filter(|_| !function) else {
            return Value::boolean(false);
        };
        // One spot, no arrays: the pointer is there or it is not.
        let own: Vec<u64> = (exact.iter())
            .filter(|target| target.0 == object)
            .map(|target| target.1)
            .collect();
        let types = &self.scene().module.types;
        let is_plain = planned.home != Home::Slots && split.terms.is_empty();
        if let [spot] = own[..]
            && is_plain
            && spot != ANYWHERE
            && planned.shape.spot(types, spot).dims.is_empty()
        {
            if spot + size > planned.shape.size {
                return Value::boolean(false);
            }
            let there = Value::constant(base + spot, parts.address.ty());
            return parts
                .address
                .clone()
                .equal(there)
                .and(self.is_alive(object, &parts.address));
        }
        let mut valid = match split.is_moved() {
            false => Value::truth(),
            true => {
                let objects = targets.iter().filter(|it| it.0 != object).count();
                let root = match objects {
                    0 if planned.slots == 1 => self.contains(object, &parts.root),
                    _ => self
                        .contains(object, &parts.root)
                        .and(self.same_slot_as(object, parts)),
                };
                root.and(self.small_indices(object, parts))
            }
        };
        valid = valid.and(self.reaches_into(object, &parts.address, size));
        if planned.has_size {
            valid = valid.and(self.is_in_size(object, &parts.address, size));
        }
        valid.and(self.is_alive(object, &parts.address))
    }

    fn same_slot_as(&self, object: ObjectId, parts: &Parts) -> Value {
        let planned = self.lowering.plan.object(object);
        if planned.slots == 1 {
            return Value::truth();
        }
        let ty = parts.root.ty();
        let base = Value::constant(planned.base.unwrap_or(0), ty);
        let slot = |it: &Value| it.clone().subtract(base.clone()).divided(planned.stride);
        slot(&parts.root).equal(slot(&parts.address))
    }

    /// Whether so many bytes lie in an object that has a size of its own.
    fn is_in_size(&self, object: ObjectId, address: &Value, size: u64) -> Value {
        let planned = self.lowering.plan.object(object);
        let Some(&(variable, ty)) = self.lowering.sizes.get(&object) else {
            return Value::truth();
        };
        let own = self.flag_at((variable, ty), planned, address);
        let base = Value::constant(planned.base.unwrap_or(0), address.ty());
        let (_, inner, _) = self.slot_at(planned, address.clone().subtract(base));
        let wide = Type::unsigned(32);
        let end = inner.convert(wide).add(Value::constant(size, wide));
        end.binary(Binary::LessEqual, own.convert(wide))
    }

    /// Whether an object that a pointer is known to point into is alive.
    pub(super) fn is_alive(&self, object: ObjectId, address: &Value) -> Value {
        let planned = self.lowering.plan.object(object);
        match self.lowering.alive.get(&object) {
            Some(&flags) if planned.can_die => self.flag_at((flags, Type::Bool), planned, address),
            _ => Value::truth(),
        }
    }

    /// A pointer made of the address of a field.
    fn flattened(&self, pointer: &Expr, _place: &recurva_cir::Place) -> Expr {
        let mut work = pointer.clone();
        self.flatten(&mut work);
        work
    }

    fn flatten(&self, pointer: &mut Expr) {
        match &mut pointer.kind {
            ExprKind::Offset { pointer, .. } => self.flatten(pointer),
            ExprKind::Convert(inner) if inner.ty == recurva_cir::Scalar::Pointer => {
                self.flatten(inner);
            }
            ExprKind::Address(place) => {
                if let Base::Deref(inner, ty) = &place.base {
                    let mut made = self.with_path(inner, *ty, &place.path);
                    self.flatten(&mut made);
                    *pointer = made;
                }
            }
            _ => {}
        }
    }

    /// Whether so many bytes at an offset from part of a variable lie inside it.
    fn is_inside_variable(
        &mut self,
        split: &Split<'_>,
        place: &recurva_cir::Place,
        size: u64,
    ) -> Cases<Value> {
        let Base::Var(var) = place.base else {
            return Cases::unknown(LimitReason::Pointer);
        };
        let object = self.scene().objects.variable(self.function, var);
        let shape = self.scene().objects.shapes[object.index()];
        let mut sum = Cases::one(Value::constant(split.bytes as u64, WIDE));
        let mut at = shape.ty;
        let mut terms: Vec<(&Expr, u64)> = split.terms.clone();
        let mut bytes = 0;
        for step in &place.path {
            let Some(ty) = at else {
                return Cases::unknown(LimitReason::Pointer);
            };
            let (_, next) = crate::pointers::step_shift(self.scene().module, ty, step);
            match step {
                recurva_cir::Step::Field(record, field) => {
                    let record = self.scene().module.types.record(*record);
                    bytes += record.fields[*field as usize].offset;
                }
                recurva_cir::Step::Index(index) => {
                    terms.push((index, self.scene().module.types.size(next)));
                }
            }
            at = Some(next);
        }
        sum = sum.map(|sum| sum.add(Value::constant(bytes, WIDE)));
        let mut guard = Cases::one(Value::truth());
        for (index, unit) in terms {
            let values = self.evaluate_few(index);
            sum = sum
                .with(&values)
                .map(|(sum, index)| index.convert(WIDE).times(unit).add(sum));
            // Nothing wraps if each index is small.
            if self.repr(index.ty).bits() == 64 {
                let most = Value::constant(1 << 40, self.repr(index.ty));
                guard = guard.with(&values).map(|(all, index)| {
                    let least = most.clone().negate();
                    let low = match index.ty().is_signed() {
                        true => index.clone().binary(Binary::GreaterEqual, least),
                        false => Value::truth(),
                    };
                    all.and(low)
                        .and(index.binary(Binary::LessEqual, most.clone()))
                });
            }
        }
        let last = i128::from(shape.size) - i128::from(size);
        let last = Value::constant(last as u64, WIDE);
        let zero = Value::constant(0, WIDE);
        sum.with(&guard).map(|(sum, guard)| {
            guard
                .and((sum.clone()).binary(Binary::GreaterEqual, zero.clone()))
                .and(sum.binary(Binary::LessEqual, last.clone()))
        })
    }

    /// Whether a pointer can be freed.
    pub(super) fn is_freeable(&mut self, pointer: &Expr) -> Cases<Value> {
        let objects = self.heap_objects(pointer);
        let values = self.evaluate_few(pointer);
        values.map(|value| {
            let null = Value::constant(0, value.ty());
            let mut any = value.clone().equal(null);
            for &object in &objects {
                any = any.or(self
                    .is_start(object, &value)
                    .and(self.is_alive(object, &value)));
            }
            any
        })
    }

    /// The objects on the heap that a pointer may point to.
    pub(super) fn heap_objects(&self, pointer: &Expr) -> Vec<ObjectId> {
        let targets = self.scene().targets(self.function, pointer);
        let mut objects: Vec<ObjectId> = (targets.into_iter())
            .map(|(object, _)| object)
            .filter(|object| {
                let what = self.scene().objects.what[object.index()];
                matches!(what, What::Site(_, _, Storage::Heap))
            })
            .collect();
        objects.dedup();
        objects
    }

    /// Whether a pointer is the address of one of a site's objects.
    pub(super) fn is_start(&self, object: ObjectId, pointer: &Value) -> Value {
        let planned = self.lowering.plan.object(object);
        let Some(base) = planned.base else {
            return Value::boolean(false);
        };
        let ty = pointer.ty();
        let distance = pointer.clone().subtract(Value::constant(base, ty));
        let zero = Value::constant(0, ty);
        if planned.slots == 1 {
            return distance.equal(zero);
        }
        let (_, inner, in_slots) = self.slot_at(planned, distance);
        in_slots.and(inner.equal(zero))
    }

    /// Whether a pointer is the address of a function.
    pub(super) fn is_function(&mut self, pointer: &Expr) -> Cases<Value> {
        let targets = self.scene().targets(self.function, pointer);
        let values = self.evaluate_few(pointer);
        values.map(|value| {
            let mut any = Value::boolean(false);
            for &(object, _) in &targets {
                let is_function =
                    matches!(self.scene().objects.what[object.index()], What::Function(_));
                if let Some(base) = self
                    .lowering
                    .plan
                    .object(object)
                    .base
                    .filter(|_| is_function)
                {
                    let base = Value::constant(base, value.ty());
                    any = any.or(value.clone().equal(base));
                }
            }
            any
        })
    }
}

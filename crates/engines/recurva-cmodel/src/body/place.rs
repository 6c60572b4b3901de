//! Places: which part of which object a place is.

use recurva_cir::{Base, Expr, ExprKind, Place, Step, Type as CType, TypeId};
use recurva_model::{Binary, Type};

use super::{Body, address::Split, read};
use crate::{
    LimitReason,
    cases::Cases,
    layout::Dim,
    objects::ObjectId,
    plan::{Form, Home},
    pointers::{ANYWHERE, Target},
    value::Value,
};

/// Part of an object: a spot, and an index for each array around it.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) object: ObjectId,
    /// The number of the slot, if the object has slots.
    pub(crate) slot: Option<Value>,
    /// In bytes.
    pub(crate) offset: u64,
    pub(crate) indices: Vec<(Dim, Value)>,
}

impl Spot {
    /// How many bytes from the start of the object: a number of that type, which is wide enough.
    pub(crate) fn distance(&self, ty: Type) -> Value {
        let start = Value::constant(self.offset, ty);
        self.indices.iter().fold(start, |sum, (dim, index)| {
            index.clone().convert(ty).times(dim.stride).add(sum)
        })
    }
}

/// What a pointer is taken to point to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// Something of a type.
    Type(TypeId),
    /// So many bytes.
    Region(u64),
}

/// The numbers of bytes in an object are of this type.
pub(crate) const BYTES: Type = Type::unsigned(32);

impl Body<'_, '_> {
    /// Which part of which object a place is, by cases.
    pub(super) fn resolve(&mut self, place: &Place) -> Cases<Spot> {
        self.resolve_up_to(place, 0)
    }

    /// The same for a place of which only the address counts: just behind an array is fine.
    pub(super) fn resolve_address(&mut self, place: &Place) -> Cases<Spot> {
        self.resolve_up_to(place, 1)
    }

    fn resolve_up_to(&mut self, place: &Place, slack: u64) -> Cases<Spot> {
        let (start, ty) = match &place.base {
            Base::Var(var) => {
                let object = self.scene().objects.variable(self.function, *var);
                let ty = self.scene().objects.shapes[object.index()].ty;
                (Cases::one(self.start_of(object)), ty)
            }
            Base::Deref(pointer, ty) => (self.pointees(pointer, Wanted::Type(*ty)), Some(*ty)),
        };
        match ty {
            Some(ty) => self.follow(start, ty, &place.path, slack),
            None => start,
        }
    }

    /// All of a variable.
    fn start_of(&mut self, object: ObjectId) -> Spot {
        let slot = match self.lowering.plan.object(object).home {
            Home::Slots => Some(self.slot_of(object)),
            Home::Frame | Home::Static => None,
        };
        Spot {
            object,
            slot,
            offset: 0,
            indices: Vec::new(),
        }
    }

    /// The slot of a variable of this function.
    pub(super) fn slot_of(&self, object: ObjectId) -> Value {
        read(self.slots[&object], self.lowering.slot_type())
    }

    /// Goes from a spot along a path. A last index may be too large by a little.
    fn follow(
        &mut self,
        mut spots: Cases<Spot>,
        ty: TypeId,
        path: &[Step],
        slack: u64,
    ) -> Cases<Spot> {
        let mut at = ty;
        let mut in_union = false;
        for (position, step) in path.iter().enumerate() {
            let slack = if position + 1 == path.len() { slack } else { 0 };
            match step {
                Step::Field(record, field) => {
                    let record = self.scene().module.types.record(*record);
                    let field = &record.fields[*field as usize];
                    in_union |= record.is_union;
                    at = field.ty;
                    let offset = field.offset;
                    spots = spots.map(|spot| Spot {
                        offset: spot.offset + offset,
                        ..spot
                    });
                }
                Step::Index(index) => {
                    let CType::Array(element, count) = *self.scene().module.types.get(at) else {
                        return Cases::unknown(LimitReason::Pointer);
                    };
                    let is_checked = self.is_checked_index(index);
                    let values = self.evaluate_few(index);
                    let stride = self.scene().module.types.size(element).max(1);
                    spots = spots.then(|spot| {
                        let count = match count {
                            0 => self.room(&spot) / stride,
                            count => count,
                        };
                        let dim = Dim { count, stride };
                        let how = Entered {
                            dim,
                            limit: count + slack,
                            in_union,
                            is_checked: is_checked && slack == 0,
                        };
                        values.clone().then(|value| enter(&spot, how, value))
                    });
                    at = element;
                }
            }
        }
        spots
    }

    /// How many bytes there are behind a spot.
    fn room(&self, spot: &Spot) -> u64 {
        let planned = self.lowering.plan.object(spot.object);
        planned.shape.size.saturating_sub(spot.offset)
    }

    /// What a pointer points to, by cases.
    pub(super) fn pointees(&mut self, pointer: &Expr, wanted: Wanted) -> Cases<Spot> {
        let split = Split::new(pointer);
        if let Some(spots) = self.direct_pointees(&split, pointer) {
            return spots;
        }
        let size = match wanted {
            Wanted::Type(ty) => self.scene().module.types.size(ty),
            Wanted::Region(size) => size,
        };
        let is_checked = self.is_checked_pointer(pointer);
        let targets = self.scene().targets(self.function, pointer);
        let targets: Vec<Target> = (targets.into_iter())
            .filter(|&(object, _)| self.lowering.plan.object(object).base.is_some())
            .collect();
        let roots = self.root_objects(&split);
        let values = self.split_value(&split);
        values.then(|value| {
            let mut cases = Cases::none();
            let mut other = Value::truth();
            // What was checked to be valid, and can only be in one place, is there.
            let is_sure = is_checked && targets.len() == 1 && targets[0].1 != ANYWHERE;
            for &target in &targets {
                let own = match split.is_moved() && roots.len() > 1 && !is_checked {
                    true => self.contains(target.0, &value.root),
                    false => Value::truth(),
                };
                let own = match is_checked {
                    true => own,
                    false => own.and(self.small_indices(target.0, &value)),
                };
                for (guard, spot) in self.candidates(target, &value.address, wanted, size) {
                    let guard = if is_sure {
                        Value::truth()
                    } else {
                        own.clone().and(guard)
                    };
                    other = other.and(guard.clone().not());
                    cases.push(guard, Ok(spot));
                }
            }
            if !is_sure || cases.list.is_empty() {
                cases.push(other, Err(LimitReason::Pointer));
            }
            cases
        })
    }

    /// Where in an object a pointer may point to, each with the condition that it does.
    fn candidates(
        &mut self,
        (object, spot): Target,
        address: &Value,
        wanted: Wanted,
        size: u64,
    ) -> Vec<(Value, Spot)> {
        let planned = self.lowering.plan.object(object).clone();
        let Some(base) = planned.base else {
            return Vec::new();
        };
        let pointer = self.lowering.plan.pointer;
        let distance = address.clone().subtract(Value::constant(base, pointer));
        let (slot, inner, in_slots) = self.slot_at(&planned, distance);
        let make = |offset: u64, indices: Vec<(Dim, Value)>| Spot {
            object,
            slot: slot.clone(),
            offset,
            indices,
        };
        let types = &self.scene().module.types;
        let spot_of = |offset: u64| match wanted {
            Wanted::Type(ty) => planned.shape.spot_of(types, offset, ty),
            Wanted::Region(size) => planned.shape.region(types, offset, size),
        };
        if planned.form != Form::Parts || spot == ANYWHERE && planned.is_constant {
            let Some(last) = planned.shape.size.checked_sub(size) else {
                return Vec::new();
            };
            let last = Value::constant(last, pointer);
            let inside = inner.clone().binary(Binary::LessEqual, last);
            let dim = Dim {
                count: planned.shape.size.max(1),
                stride: 1,
            };
            return vec![(in_slots.and(inside), make(0, vec![(dim, inner)]))];
        }
        if spot != ANYWHERE {
            let position = spot_of(spot);
            let (guard, indices) = decode(inner, position.offset, &position.dims, true);
            return vec![(in_slots.and(guard), make(position.offset, indices))];
        }
        let mut found = Vec::new();
        let mut seen = Vec::new();
        for leaf in &planned.leaves {
            let offset = leaf.start / 8;
            let position = spot_of(offset);
            if seen.contains(&position.offset) {
                continue;
            }
            seen.push(position.offset);
            let (guard, indices) = decode(inner.clone(), position.offset, &position.dims, false);
            let guard = in_slots.clone().and(guard);
            found.push((guard, make(position.offset, indices)));
        }
        found
    }

    /// A pointer made of the address of a variable, if its arrays can be followed by that.
    fn direct_pointees(&mut self, split: &Split<'_>, pointer: &Expr) -> Option<Cases<Spot>> {
        let ExprKind::Address(place) = &split.root.kind else {
            return None;
        };
        if !matches!(place.base, Base::Var(_)) {
            return None;
        }
        if !split.is_moved() {
            return Some(self.resolve(place));
        }
        let [(index, size)] = split.terms[..] else {
            return None;
        };
        if split.bytes != 0 {
            return None;
        }
        // The address of an array is that of its first element.
        let types = &self.scene().module.types;
        let (element, count) = match *types.get(place.ty) {
            CType::Array(element, count) => (element, Some(count)),
            _ => (place.ty, None),
        };
        if types.size(element) != size {
            return None;
        }
        let is_checked = self.is_checked_pointer(pointer) || self.is_checked_index(index);
        let spots = self.resolve(place);
        let values = self.evaluate_few(index);
        Some(spots.then(|spot| {
            let mut spot = spot;
            let (dim, start) = match count {
                Some(0) => return Cases::unknown(LimitReason::Pointer),
                Some(count) => (
                    Dim {
                        count,
                        stride: size,
                    },
                    None,
                ),
                None => match spot.indices.pop() {
                    Some((dim, start)) if dim.stride == size => (dim, Some(start)),
                    _ => (
                        Dim {
                            count: 1,
                            stride: size,
                        },
                        None,
                    ),
                },
            };
            let is_one = count.is_none() && start.is_none();
            values.clone().then(|value| {
                if is_one {
                    // A variable is an array of one.
                    let zero = Value::constant(0, value.ty());
                    let is_first = value.clone().equal(zero);
                    let mut cases = Cases::none();
                    cases.push(is_first.clone(), Ok(spot.clone()));
                    cases.push(is_first.not(), Err(LimitReason::Pointer));
                    return cases;
                }
                let wide = Type::signed(64);
                let value = match &start {
                    Some(start) if start.as_const() != Some(0) => {
                        start.clone().convert(wide).add(value.convert(wide))
                    }
                    _ => value,
                };
                let how = Entered {
                    dim,
                    limit: dim.count,
                    in_union: false,
                    is_checked,
                };
                enter(&spot, how, value)
            })
        }))
    }
}

/// How an array is gone into.
#[derive(Clone, Copy)]
struct Entered {
    dim: Dim,
    /// Indices are smaller.
    limit: u64,
    in_union: bool,
    /// Whether the index is known to be inside.
    is_checked: bool,
}

/// Goes into an array.
fn enter(spot: &Spot, how: Entered, value: Value) -> Cases<Spot> {
    let Entered {
        dim,
        limit,
        in_union,
        is_checked,
    } = how;
    let inside = |value: Value| {
        let mut spot = spot.clone();
        match value.as_const() {
            Some(index) if in_union => spot.offset += index * dim.stride,
            _ => spot.indices.push((dim, value)),
        }
        spot
    };
    let mut cases = Cases::none();
    match value.as_number() {
        Some(index) if (0..i128::from(limit)).contains(&index) => {
            return Cases::one(inside(Value::constant(index as u64, Type::unsigned(32))));
        }
        Some(_) => return Cases::unknown(LimitReason::Index),
        None => {}
    }
    let wide = Type::unsigned(value.ty().bits());
    let is_narrow = !value.ty().is_signed() && value.ty().mask() < limit;
    if is_checked || is_narrow {
        return Cases::one(inside(value));
    }
    if wide.mask() < limit {
        // Only a sign can lead outside.
        let is_negative = (value.clone()).binary(Binary::Less, Value::constant(0, value.ty()));
        cases.push(is_negative.clone().not(), Ok(inside(value)));
        cases.push(is_negative, Err(LimitReason::Index));
        return cases;
    }
    let count = Value::constant(limit, wide);
    let is_inside = value.clone().convert(wide).binary(Binary::Less, count);
    cases.push(is_inside.clone(), Ok(inside(value)));
    cases.push(is_inside.not(), Err(LimitReason::Index));
    cases
}

/// The indices of something that many bytes into an object, and the condition that it begins
/// there. Which offsets are possible may be known: those of elements.
fn decode(inner: Value, offset: u64, dims: &[Dim], is_known: bool) -> (Value, Vec<(Dim, Value)>) {
    let ty = inner.ty();
    let start = Value::constant(offset, ty);
    let Some(first) = dims.first() else {
        return (inner.equal(start), Vec::new());
    };
    let mut rest = inner.subtract(start);
    let room = first.count.saturating_mul(first.stride);
    let mut guard = match room > ty.mask() {
        true => Value::truth(),
        false => rest.clone().binary(Binary::Less, Value::constant(room, ty)),
    };
    let mut indices = Vec::with_capacity(dims.len());
    let mut around = u64::MAX;
    for dim in dims {
        if dim.count.saturating_mul(dim.stride) < around && around != u64::MAX && !is_known {
            let room = Value::constant(dim.count * dim.stride, ty);
            guard = guard.and(rest.clone().binary(Binary::Less, room));
        }
        indices.push((*dim, rest.clone().divided(dim.stride)));
        rest = rest.modulo(dim.stride);
        around = dim.stride;
    }
    if !is_known {
        guard = guard.and(rest.equal(Value::constant(0, ty)));
    }
    (guard, indices)
}

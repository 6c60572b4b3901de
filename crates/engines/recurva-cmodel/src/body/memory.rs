//! Reading and writing parts of objects.

use recurva_cir::{Bits, InitialValue, Scalar, TypeId};
use recurva_model::{Binary, Type};

use super::{
    Body, Write,
    cell::{Cell, combine},
    place::{BYTES, Spot},
};
use crate::{
    LimitReason,
    cases::Cases,
    layout::{Dim, scalar_bits},
    objects::{ObjectId, What},
    plan::{Form, Leaf},
    value::Value,
};

/// Some bits behind a spot, as something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) start: u64,
    pub(crate) width: u32,
    /// What they are in expressions.
    pub(crate) scalar: Scalar,
}

/// Tables of constants with up to so many elements become cases.
const SMALL_TABLE: u64 = 16;

impl Body<'_, '_> {
    /// How a scalar of a type is accessed.
    pub(super) fn access(&self, ty: TypeId, bits: Option<Bits>) -> Option<Access> {
        let types = &self.scene().module.types;
        let scalar = types.scalar(ty)?;
        let (start, width) = match bits {
            None => (0, scalar_bits(types, ty)?),
            Some(bits) => (u64::from(bits.start), bits.width),
        };
        Some(Access {
            start,
            width,
            scalar,
        })
    }

    /// The type of the bits themselves.
    fn bits_type(&self, access: Access) -> Type {
        let signed = match access.scalar {
            Scalar::Int(int) => int.is_signed,
            _ => false,
        };
        Type::Int {
            bits: access.width as u8,
            signed,
        }
    }

    /// The value of some bits.
    pub(super) fn load(&mut self, spot: &Spot, access: Access) -> Cases<Value> {
        let raw = match self.raw(spot, access) {
            Ok(raw) => raw,
            Err(reason) => return Cases::unknown(reason),
        };
        let repr = self.repr(access.scalar);
        let is_pointer = access.scalar == Scalar::Pointer;
        let bits = self.bits_type(access);
        raw.then(|raw| match is_pointer && raw.ty() == repr {
            true => Cases::one(raw),
            false if is_pointer => self.recast(raw, repr, true),
            // First the bits that are there, then by their sign.
            false => Cases::one(raw.convert(bits).convert(repr)),
        })
    }

    /// Some bits as they are kept: at least as many as asked for, unless the rest is zero.
    fn raw(&mut self, spot: &Spot, access: Access) -> Result<Cases<Value>, LimitReason> {
        let planned = self.lowering.plan.object(spot.object);
        if planned.is_constant {
            return self
                .constant(spot, access)
                .map(Ok)
                .unwrap_or_else(|| self.kept(spot, access).map(Cases::one));
        }
        self.kept(spot, access).map(Cases::one)
    }

    fn kept(&mut self, spot: &Spot, access: Access) -> Result<Value, LimitReason> {
        let planned = self.lowering.plan.object(spot.object);
        match planned.form {
            Form::Nothing => Err(LimitReason::Elements(self.lowering.options.elements)),
            Form::Bytes if self.is_beyond(spot, access) => Err(LimitReason::Pointer),
            Form::Bytes => Ok(self.composed(spot, access)),
            Form::Parts => {
                let (leaf, shift) = self.find(spot, access)?;
                let width = planned_leaf(self, spot.object, leaf).width;
                let value = self.leaf_cell(spot, leaf).read();
                if shift == 0 && width == access.width {
                    return Ok(value);
                }
                let wide = Type::unsigned(value.ty().bits());
                let shifted = value.convert(wide).binary(
                    Binary::ShiftRight,
                    Value::constant(shift, Type::unsigned(7)),
                );
                Ok(shifted.convert(Type::unsigned(access.width as u8)))
            }
        }
    }

    /// The leaf that has some bits, and how many bits of it come before.
    pub(super) fn find(&self, spot: &Spot, access: Access) -> Result<(usize, u64), LimitReason> {
        let leaves = &self.lowering.plan.object(spot.object).leaves;
        let start = spot.offset * 8 + access.start;
        let end = start + u64::from(access.width);
        let dims = || spot.indices.iter().map(|(dim, _)| dim);
        leaves
            .iter()
            .position(|leaf| {
                let holds = leaf.start <= start && end <= leaf.start + u64::from(leaf.width);
                holds && same_dims(&leaf.dims, dims())
            })
            .map(|index| (index, start - leaves[index].start))
            .ok_or(LimitReason::Pointer)
    }

    pub(super) fn leaf_cell(&mut self, spot: &Spot, leaf: usize) -> Cell {
        let element = flat_index(&spot.indices);
        self.cell(spot.object, leaf, element, spot.slot.as_ref())
    }

    /// Whether some bits are known to lie behind the end of their object.
    fn is_beyond(&self, spot: &Spot, access: Access) -> bool {
        let size = self.lowering.plan.object(spot.object).shape.size;
        let bytes = (access.start + u64::from(access.width)).div_ceil(8);
        let start = spot.distance(BYTES).as_const();
        start.is_some_and(|start| start + bytes > size)
    }

    /// One byte of an object that is kept as bytes.
    pub(super) fn byte(&mut self, spot: &Spot, number: u64) -> Cell {
        let element = match spot.indices.is_empty() {
            true => Value::constant(spot.offset + number, BYTES),
            false => spot.distance(BYTES).add(Value::constant(number, BYTES)),
        };
        self.cell(spot.object, 0, element, spot.slot.as_ref())
    }

    fn composed(&mut self, spot: &Spot, access: Access) -> Value {
        let end = access.start + u64::from(access.width);
        let (first, last) = (access.start / 8, end.div_ceil(8));
        let wide = Type::unsigned(((last - first) * 8).min(64) as u8);
        let mut all = Value::constant(0, wide);
        for number in first..last {
            let byte = self.byte(spot, number).read().convert(wide);
            let (up, down) = distance(number, access.start);
            let byte = shift(byte, Binary::ShiftLeft, up);
            all = shift(byte, Binary::ShiftRight, down).or(all);
        }
        all.convert(Type::unsigned(access.width as u8))
    }

    /// Writes some bits.
    pub(super) fn store(
        &mut self,
        spot: &Spot,
        access: Access,
        value: Value,
    ) -> Result<Vec<Write>, LimitReason> {
        let planned = self.lowering.plan.object(spot.object);
        if planned.is_constant {
            return Err(LimitReason::Constant);
        }
        match planned.form {
            Form::Nothing => Err(LimitReason::Elements(self.lowering.options.elements)),
            Form::Bytes if self.is_beyond(spot, access) => Err(LimitReason::Pointer),
            Form::Bytes => Ok(self.decomposed(spot, access, value)),
            Form::Parts => {
                let (leaf, shift) = self.find(spot, access)?;
                if shift != 0 || planned_leaf(self, spot.object, leaf).width != access.width {
                    return Err(LimitReason::Pointer);
                }
                let cell = self.leaf_cell(spot, leaf);
                let ty = cell.ty;
                Ok(vec![cell.write(value.convert(ty))])
            }
        }
    }

    fn decomposed(&mut self, spot: &Spot, access: Access, value: Value) -> Vec<Write> {
        let end = access.start + u64::from(access.width);
        let (first, last) = (access.start / 8, end.div_ceil(8));
        let wide = Type::unsigned(((last - first) * 8).min(64) as u8);
        let byte_type = Type::unsigned(8);
        let cut = Type::unsigned(access.width as u8);
        let value = value.convert(cut).convert(wide);
        let mut writes = Vec::new();
        for number in first..last {
            let cell = self.byte(spot, number);
            let (up, down) = distance(number, access.start);
            let own = cut.mask() >> up << down & 0xff;
            let mut byte = shift(value.clone(), Binary::ShiftRight, up);
            byte = shift(byte, Binary::ShiftLeft, down).convert(byte_type);
            if own != 0xff {
                let old = cell.read().and(Value::constant(!own, byte_type));
                byte = byte.or(old);
            }
            writes.push(cell.write(byte));
        }
        writes
    }

    /// Bits of something that never changes.
    fn constant(&mut self, spot: &Spot, access: Access) -> Option<Cases<Value>> {
        let dynamic: Vec<usize> = (0..spot.indices.len())
            .filter(|&at| spot.indices[at].1.as_const().is_none())
            .collect();
        let at = match dynamic[..] {
            [] => return Some(Cases::one(self.initial_bits(spot, access)?)),
            [at] => at,
            _ => return None,
        };
        let (dim, index) = spot.indices[at].clone();
        let count = dim.count;
        if count > SMALL_TABLE {
            return None;
        }
        // One case for each value, of all indices that have it.
        let mut found: Vec<(Value, Value)> = Vec::new();
        for number in 0..count {
            let mut one = spot.clone();
            one.indices[at].1 = Value::constant(number, BYTES);
            let Some(value) = self.initial_bits(&one, access) else {
                continue;
            };
            let guard = index.clone().equal(Value::constant(number, index.ty()));
            match found.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known = known.clone().or(guard),
                None => found.push((value, guard)),
            }
        }
        let mut cases = Cases::none();
        for (value, guard) in found {
            cases.push(guard, Ok(value));
        }
        Some(cases)
    }

    /// Bits of the initial value of a global, at a place that is known.
    fn initial_bits(&self, spot: &Spot, access: Access) -> Option<Value> {
        let offset = spot.distance(BYTES).as_const()?;
        let What::Global(_) = self.scene().objects.what[spot.object.index()] else {
            return None;
        };
        let start = offset * 8 + access.start;
        self.lowering.initial(spot.object, start, access.width)
    }
}

fn planned_leaf<'b>(body: &'b Body<'_, '_>, object: ObjectId, leaf: usize) -> &'b Leaf {
    &body.lowering.plan.object(object).leaves[leaf]
}

/// Whether the arrays around two things are the same.
fn same_dims<'d>(known: &[Dim], dims: impl Iterator<Item = &'d Dim>) -> bool {
    let mut count = 0;
    for dim in dims {
        if known.get(count) != Some(dim) {
            return false;
        }
        count += 1;
    }
    count == known.len()
}

/// The number of an element in all arrays around it.
pub(super) fn flat_index(indices: &[(Dim, Value)]) -> Value {
    let mut flat: Option<Value> = None;
    for (dim, index) in indices {
        flat = Some(match flat {
            None => index.clone(),
            Some(flat) => combine(flat, dim.count, index.clone()),
        });
    }
    flat.unwrap_or_else(|| Value::constant(0, BYTES))
}

impl crate::lower::Lowering<'_> {
    /// So many bits of the initial value of a global.
    pub(crate) fn initial(&self, object: ObjectId, start: u64, width: u32) -> Option<Value> {
        let What::Global(id) = self.scene.objects.what[object.index()] else {
            return None;
        };
        let global = self.scene.module.global(id);
        let (first, last) = (start / 8, (start + u64::from(width)).div_ceil(8));
        let ty = Type::unsigned(width as u8);
        let pointer_bytes = self.scene.module.types.pointer_bytes;
        let address = global
            .addresses
            .iter()
            .find(|(at, _)| *at < last && at + pointer_bytes > first);
        if let Some(&(at, value)) = address {
            let number = self.initial_address(value)?;
            let whole = at == first && u64::from(width) == pointer_bytes * 8;
            // As a pointer if it is looked at as one.
            return match whole {
                true => Some(Value::constant(number, self.plan.pointer)),
                false => {
                    let wide = u128::from(number) >> (start.checked_sub(at * 8)?);
                    Some(Value::constant(wide as u64, ty))
                }
            };
        }
        let byte = |at: u64| u128::from(global.bytes.get(at as usize).copied().unwrap_or(0));
        let bits = (first..last).fold(0, |all, at| all | byte(at) << ((at - first) * 8));
        Some(Value::constant((bits >> (start % 8)) as u64, ty))
    }

    /// The address that something has when the program begins.
    pub(crate) fn initial_address(&self, value: InitialValue) -> Option<u64> {
        let (object, offset) = match value {
            InitialValue::Global(global, offset) => (self.scene.objects.global(global), offset),
            InitialValue::Function(function) => (self.scene.objects.function(function), 0),
        };
        self.plan.object(object).base?.checked_add_signed(offset)
    }
}

/// How far the bits of a byte lie above those of an access that starts at a bit, or else below.
fn distance(byte: u64, start: u64) -> (u64, u64) {
    (
        (byte * 8).saturating_sub(start),
        start.saturating_sub(byte * 8),
    )
}

/// A number with its bits moved.
fn shift(value: Value, operator: Binary, amount: u64) -> Value {
    match amount {
        0 => value,
        _ => value.binary(operator, Value::constant(amount, Type::unsigned(7))),
    }
}

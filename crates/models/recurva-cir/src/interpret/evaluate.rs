//! What expressions and places mean. To evaluate one changes nothing.

use super::memory::{Area, Found, Location};
use super::number;
use super::state::{Frame, State};
use crate::{
    Base, Binary, Bits, Check, Expr, ExprKind, Float, Int, Place, Scalar, Step, TypeId, Var,
};

/// Why something has no value: what a check before it would have found.
pub(crate) type Fault = Check;

impl State<'_> {
    /// The value of an expression in a frame.
    pub(crate) fn value(&self, frame: &Frame, expr: &Expr) -> Result<u64, Fault> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Load(place) => {
                let value = self.load(frame, place)?;
                return Ok(match expr.ty {
                    Scalar::Int(int) => number::cut(value, u32::from(int.bits)),
                    _ => value,
                });
            }
            ExprKind::Binary(operator, left, right) => {
                return self.binary(frame, *operator, left, right);
            }
            ExprKind::Convert(inner) => {
                let value = self.value(frame, inner)?;
                number::convert(value, inner.ty, expr.ty, self.layout.pointer_bits)
            }
            ExprKind::Float(value) => match expr.ty {
                Scalar::Float(float) => number::from_f64(*value, float),
                _ => unreachable!("the module is valid: a float has a float's type"),
            },
            ExprKind::Address(place) => self.address(frame, place)?,
            ExprKind::Function(function) => self.layout.function_address(*function),
            ExprKind::Unary(operator, inner) => {
                number::unary(*operator, self.value(frame, inner)?, inner.ty)
            }
            ExprKind::Offset {
                pointer,
                index,
                size,
            } => {
                let distance = self.whole(frame, index)?.wrapping_mul(*size);
                let pointer = self.value(frame, pointer)?;
                number::cut(pointer.wrapping_add(distance), self.layout.pointer_bits)
            }
            ExprKind::Distance { left, right, size } => {
                let left = self.value(frame, left)?;
                let difference = left.wrapping_sub(self.value(frame, right)?);
                let difference = number::extend(difference, self.layout.pointer_bits);
                let distance = difference.wrapping_div((*size).max(1) as i64) as u64;
                number::convert(distance, Scalar::Int(WIDE), expr.ty, 64)
            }
            ExprKind::If(condition, yes, no) => {
                let chosen = if self.value(frame, condition)? != 0 {
                    yes
                } else {
                    no
                };
                self.value(frame, chosen)?
            }
            ExprKind::Overflows(operator, left, right) => {
                u64::from(self.overflows(frame, *operator, left, right)?)
            }
            ExprKind::OutOfRange(inner, int) => {
                let value = self.value(frame, inner)?;
                u64::from(number::out_of_range(number_of(value, inner.ty), *int))
            }
            ExprKind::IsValid(pointer, count) => {
                let found = self.target(frame, pointer)?;
                u64::from(found.is_some_and(|it| *count <= it.size - it.offset))
            }
            ExprKind::IsAlive(pointer) => u64::from(self.target(frame, pointer)?.is_some()),
            ExprKind::IsFreeable(pointer) => {
                let address = self.value(frame, pointer)?;
                u64::from(address == 0 || self.memory.freeable(address).is_some())
            }
            ExprKind::IsFunction(pointer) => {
                let address = self.value(frame, pointer)?;
                u64::from(self.layout.function_at(address).is_some())
            }
            ExprKind::IsInitialised(place) => {
                let (location, count) = self.extent(frame, place)?;
                let bytes = self.memory.bytes(location.area);
                let known = bytes.known(location.offset, count as usize);
                u64::from(known.iter().all(|&it| it))
            }
        })
    }

    /// The value of an integer as a number of 64 bits, extended by its sign.
    pub(crate) fn whole(&self, frame: &Frame, expr: &Expr) -> Result<u64, Fault> {
        let value = self.value(frame, expr)?;
        Ok(match expr.ty {
            Scalar::Int(int) if int.is_signed => number::extend(value, u32::from(int.bits)) as u64,
            _ => value,
        })
    }

    fn binary(
        &self,
        frame: &Frame,
        operator: Binary,
        left: &Expr,
        right: &Expr,
    ) -> Result<u64, Fault> {
        let first = self.value(frame, left)?;
        if left.ty == Scalar::Bool {
            // What the first operand decides: the other may have no value then.
            match (operator, first) {
                (Binary::And, 0) => return Ok(0),
                (Binary::Or, 1) => return Ok(1),
                _ => {}
            }
        }
        let second = match operator {
            Binary::ShiftLeft | Binary::ShiftRight => self.whole(frame, right)?,
            _ => self.value(frame, right)?,
        };
        match left.ty {
            Scalar::Int(int) => {
                number::integer(operator, first, second, int).ok_or(match operator {
                    Binary::Divide | Binary::Remainder => Check::Division,
                    _ => Check::Shift,
                })
            }
            Scalar::Float(float) => Ok(number::float(operator, first, second, float)),
            Scalar::Bool | Scalar::Pointer => Ok(number::plain(operator, first, second)),
        }
    }

    fn overflows(
        &self,
        frame: &Frame,
        operator: Binary,
        left: &Expr,
        right: &Expr,
    ) -> Result<bool, Fault> {
        let Scalar::Int(int) = left.ty else {
            unreachable!("the module is valid: integers overflow");
        };
        let (first, second) = (self.value(frame, left)?, self.value(frame, right)?);
        Ok(match (operator, right.ty) {
            (Binary::ShiftLeft, Scalar::Int(amount)) => {
                number::shift_overflows(first, number::wide(second, amount), int)
            }
            _ => number::overflows(operator, first, second, int),
        })
    }

    /// What a pointer points to, if it is alive. If the pointer is computed from another one, by an
    /// offset or an index, it must still point to the same object.
    fn target(&self, frame: &Frame, pointer: &Expr) -> Result<Option<Found>, Fault> {
        let found = self.memory.find(self.value(frame, pointer)?);
        let Some(found) = found else {
            return Ok(None);
        };
        let origin = match root(pointer) {
            Root::Pointer(root) if std::ptr::eq(root, pointer) => return Ok(Some(found)),
            Root::Pointer(root) => self.memory.find(self.value(frame, root)?),
            Root::Variable(var) => self.memory.find(self.variable_address(frame, var)),
        };
        let is_same = origin.is_some_and(|it| it.object == found.object);
        Ok(is_same.then_some(found))
    }

    fn variable_address(&self, frame: &Frame, var: Var) -> u64 {
        match var {
            Var::Global(global) => self.layout.globals[global.0 as usize].address,
            Var::Local(local) => frame.address + self.local(frame, local).address,
        }
    }

    /// How far into its base a place is, in bytes.
    fn distance(&self, frame: &Frame, place: &Place) -> Result<u64, Fault> {
        let types = &self.module.types;
        let mut distance = 0u64;
        let mut at = match &place.base {
            Base::Var(Var::Global(global)) => self.module.globals[global.0 as usize].ty,
            Base::Var(Var::Local(local)) => {
                self.module.function(frame.function).locals[local.0 as usize].ty
            }
            Base::Deref(_, ty) => *ty,
        };
        for step in &place.path {
            match step {
                Step::Field(record, field) => {
                    let field = &types.record(*record).fields[*field as usize];
                    distance = distance.wrapping_add(field.offset);
                    at = field.ty;
                }
                Step::Index(index) => {
                    let crate::Type::Array(element, _) = *types.get(at) else {
                        unreachable!("the module is valid: an array has an index");
                    };
                    let index = self.whole(frame, index)?;
                    distance = distance.wrapping_add(index.wrapping_mul(self.layout.size(element)));
                    at = element;
                }
            }
        }
        Ok(distance)
    }

    pub(crate) fn address(&self, frame: &Frame, place: &Place) -> Result<u64, Fault> {
        let distance = match place.path.is_empty() {
            true => 0,
            false => self.distance(frame, place)?,
        };
        let base = match &place.base {
            Base::Var(var) => self.variable_address(frame, *var),
            Base::Deref(pointer, _) => self.value(frame, pointer)?,
        };
        let bits = self.layout.pointer_bits;
        Ok(number::cut(base.wrapping_add(distance), bits))
    }

    /// Where so many bytes of a place are.
    pub(crate) fn location(
        &self,
        frame: &Frame,
        place: &Place,
        count: u64,
    ) -> Result<Location, Fault> {
        let distance = match place.path.is_empty() {
            true => 0,
            false => self.distance(frame, place)?,
        };
        let (area, start, size) = match &place.base {
            Base::Var(Var::Local(local)) => {
                let place = self.local(frame, *local);
                (Area::Stack, frame.bytes + place.offset, place.size)
            }
            Base::Var(Var::Global(global)) => {
                let place = self.layout.globals[global.0 as usize];
                (Area::Globals, place.offset, place.size)
            }
            Base::Deref(pointer, _) => {
                let address = self.value(frame, pointer)?.wrapping_add(distance);
                let address = number::cut(address, self.layout.pointer_bits);
                return self.memory.locate(address, count);
            }
        };
        match distance.checked_add(count) {
            Some(end) if end <= size => Ok(Location {
                area,
                offset: start + distance as usize,
            }),
            _ => Err(Check::Bounds),
        }
    }

    /// The same for bytes that will change.
    pub(crate) fn location_to_write(
        &self,
        frame: &Frame,
        place: &Place,
        count: u64,
    ) -> Result<Location, Fault> {
        let location = self.location(frame, place, count)?;
        if location.area == Area::Globals {
            self.memory.check_writable(location, count)?;
        }
        Ok(location)
    }

    /// Where a place is, and how many bytes it has.
    pub(crate) fn extent(&self, frame: &Frame, place: &Place) -> Result<(Location, u64), Fault> {
        let count = match place.bits {
            Some(bits) => bits.bytes(),
            None => self.layout.size(place.ty),
        };
        Ok((self.location(frame, place, count)?, count))
    }

    fn load(&self, frame: &Frame, place: &Place) -> Result<u64, Fault> {
        let (location, count) = self.extent(frame, place)?;
        Ok(self.load_at(location, count, place.ty, place.bits))
    }

    /// The scalar at a location.
    pub(crate) fn load_at(
        &self,
        location: Location,
        count: u64,
        ty: TypeId,
        bits: Option<Bits>,
    ) -> u64 {
        let bytes = self.memory.bytes(location.area);
        match bits {
            // Of a `long double` only the first eight bytes count.
            None => bytes.number(location.offset, (count as usize).min(8)),
            Some(bits) => {
                let value = bytes.bit_field(location.offset, bits);
                match self.module.types.scalar(ty) {
                    Some(Scalar::Int(int)) if int.is_signed => {
                        let value = number::extend(value, bits.width) as u64;
                        number::cut(value, u32::from(int.bits))
                    }
                    _ => value,
                }
            }
        }
    }
}

const WIDE: Int = Int {
    bits: 64,
    is_signed: true,
};

fn number_of(value: u64, ty: Scalar) -> f64 {
    match ty {
        Scalar::Float(float) => number::to_f64(value, float),
        _ => number::to_f64(value, Float::Double),
    }
}

/// What a pointer is computed from.
enum Root<'a> {
    Pointer(&'a Expr),
    Variable(Var),
}

fn root(mut pointer: &Expr) -> Root<'_> {
    loop {
        match &pointer.kind {
            ExprKind::Offset { pointer: inner, .. } => pointer = inner,
            ExprKind::Convert(inner) if inner.ty == Scalar::Pointer => pointer = inner,
            ExprKind::Address(place) => match &place.base {
                Base::Var(var) => return Root::Variable(*var),
                Base::Deref(inner, _) => pointer = inner,
            },
            _ => return Root::Pointer(pointer),
        }
    }
}

//! Initial values of variables with static storage: bytes, and addresses among them.

use recurva_cir::{Bits, Float, GlobalId, InitialValue, Scalar, Type, TypeId};
use recurva_ctype::{
    self as ctype,
    typed::{
        Binary, Constant, Definition, ExprId, ExprKind, InitStep, Initial, ObjectId, TextId, Unary,
    },
};
use recurva_syntax::Diagnostic;

use super::{Loaded, MOST_BYTES, Program};
use crate::exprs;

/// A value that is known before the program runs.
#[derive(Clone, Copy, Debug)]
enum Known {
    Int(i128),
    Float(f64),
    Address(InitialValue),
}

/// A part of a variable.
#[derive(Clone, Copy, Debug)]
struct Part {
    offset: u64,
    ty: TypeId,
    bits: Option<Bits>,
}

impl Program<'_> {
    /// Gives a variable its initial value.
    pub(super) fn initialise(&mut self, id: GlobalId, unit: usize, object: ObjectId) {
        let loaded = self.units[unit].clone();
        if let Some(init) = &loaded.unit.object(object).init {
            let all = Part {
                offset: 0,
                ty: self.global_type(id),
                bits: None,
            };
            self.initial(id, unit, &loaded, all, init);
        }
    }

    fn initial(&mut self, id: GlobalId, unit: usize, loaded: &Loaded, all: Part, init: &Initial) {
        for part in &init.parts {
            let to = self.part(unit, all, &part.path);
            let end = to.offset.saturating_add(self.types.types.size(to.ty));
            if end > MOST_BYTES {
                return self.too_far(unit, loaded, part.value);
            }
            self.initial_part(id, unit, loaded, to, part.value);
        }
    }

    fn part(&mut self, unit: usize, mut part: Part, path: &[InitStep]) -> Part {
        for step in path {
            match *step {
                InitStep::Field(record, field) => {
                    let record = self.record(unit, record);
                    let field = &self.types.types.record(record).fields[field as usize];
                    part = Part {
                        offset: part.offset.saturating_add(field.offset),
                        ty: field.ty,
                        bits: field.bits,
                    };
                }
                InitStep::Index(index) => {
                    if let Type::Array(element, _) = *self.types.types.get(part.ty) {
                        part.ty = element;
                        let distance = index.saturating_mul(self.types.types.size(element));
                        part.offset = part.offset.saturating_add(distance);
                    }
                }
            }
        }
        part
    }

    fn initial_part(
        &mut self,
        id: GlobalId,
        unit: usize,
        loaded: &Loaded,
        to: Part,
        value: ExprId,
    ) {
        match &loaded.unit.expr(value).kind {
            ExprKind::Text(text) => return self.initial_text(id, loaded, to, *text),
            ExprKind::Load(inner) | ExprKind::Convert { operand: inner, .. }
                if self.types.types.scalar(to.ty).is_none() =>
            {
                return self.initial_part(id, unit, loaded, to, *inner);
            }
            ExprKind::Object(object) if self.types.types.scalar(to.ty).is_none() => {
                let object = loaded.unit.object(*object);
                if object.definition == Definition::Elsewhere {
                    return self.refuse(unit, loaded, value);
                }
                if let Some(init) = &object.init {
                    self.initial(id, unit, loaded, to, init);
                }
                return;
            }
            _ => {}
        }
        match self.known(unit, loaded, value) {
            Some(known) => self.write(id, to, known),
            None => self.refuse(unit, loaded, value),
        }
    }

    fn refuse(&mut self, unit: usize, loaded: &Loaded, value: ExprId) {
        let span = loaded.unit.expr(value).span;
        let text = "this initial value is not known before the program runs";
        self.error(unit, Diagnostic::error(text, span));
    }

    fn too_far(&mut self, unit: usize, loaded: &Loaded, value: ExprId) {
        let span = loaded.unit.expr(value).span;
        let text = "this initial value lies too far behind the start of its variable";
        let help = format!("variables of the program have at most {MOST_BYTES} bytes");
        self.error(unit, Diagnostic::error(text, span).help(help));
    }

    fn initial_text(&mut self, id: GlobalId, loaded: &Loaded, to: Part, text: TextId) {
        let bytes = &loaded.unit.texts[text.0 as usize].bytes;
        let size = match *self.types.types.get(to.ty) {
            // The last field of a structure, which goes on behind its end.
            Type::Array(_, 0) => bytes.len(),
            _ => self.types.types.size(to.ty) as usize,
        };
        let count = bytes.len().min(size);
        self.clear(id, to.offset, size);
        let start = to.offset as usize;
        self.globals[id.0 as usize].bytes[start..start + count].copy_from_slice(&bytes[..count]);
    }

    /// Makes room, and forgets what was there.
    fn clear(&mut self, id: GlobalId, offset: u64, size: usize) {
        let end = offset as usize + size;
        let pointer_bytes = self.types.types.pointer_bytes;
        let global = &mut self.globals[id.0 as usize];
        if global.bytes.len() < end {
            global.bytes.resize(end, 0);
        }
        global.bytes[offset as usize..end].fill(0);
        // They are sorted.
        let addresses = &mut global.addresses;
        let first = addresses.partition_point(|(at, _)| at + pointer_bytes <= offset);
        let last = addresses.partition_point(|(at, _)| *at < end as u64);
        if first < last {
            addresses.drain(first..last);
        }
    }

    fn write(&mut self, id: GlobalId, to: Part, known: Known) {
        let scalar = self.types.types.scalar(to.ty);
        if let (Some(bits), Known::Int(value)) = (to.bits, known) {
            self.write_bits(id, to.offset, bits, value as u64);
            return;
        }
        let size = self.types.types.size(to.ty) as usize;
        self.clear(id, to.offset, size);
        let number = match known {
            Known::Address(address) => {
                let addresses = &mut self.globals[id.0 as usize].addresses;
                let position = addresses.partition_point(|(at, _)| *at < to.offset);
                addresses.insert(position, (to.offset, address));
                return;
            }
            Known::Int(value) => match scalar {
                Some(Scalar::Float(float)) => bits_of(value as f64, float),
                _ => value as u64,
            },
            Known::Float(value) => match scalar {
                Some(Scalar::Float(float)) => bits_of(value, float),
                _ => value as i128 as u64,
            },
        };
        let count = size.min(8);
        let start = to.offset as usize;
        self.globals[id.0 as usize].bytes[start..start + count]
            .copy_from_slice(&number.to_le_bytes()[..count]);
    }

    fn write_bits(&mut self, id: GlobalId, offset: u64, bits: Bits, value: u64) {
        let bytes = &mut self.globals[id.0 as usize].bytes;
        for number in 0..bits.width {
            let position = bits.start + number;
            let Some(byte) = bytes.get_mut(offset as usize + position as usize / 8) else {
                return;
            };
            let mask = 1 << (position % 8);
            *byte &= !mask;
            if value >> number & 1 == 1 {
                *byte |= mask;
            }
        }
    }

    /// The value of an expression, if it is known to the linker.
    fn known(&mut self, unit: usize, loaded: &Loaded, id: ExprId) -> Option<Known> {
        let expr = loaded.unit.expr(id);
        Some(match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Known::Int(*value),
            ExprKind::Constant(Constant::Float(value)) => Known::Float(*value),
            ExprKind::Address(place) | ExprKind::Decay(place) => {
                self.address(unit, loaded, *place)?
            }
            ExprKind::Function(function) => {
                Known::Address(InitialValue::Function(self.function(unit, *function)))
            }
            ExprKind::Text(_) => self.address(unit, loaded, id)?,
            ExprKind::LabelAddress(label) => Known::Int(i128::from(label.0) + 1),
            ExprKind::Convert { operand, .. } => {
                let value = self.known(unit, loaded, *operand)?;
                self.converted(unit, value, expr.ty.ty)?
            }
            ExprKind::PointerAdd(pointer, index) => {
                self.moved(unit, loaded, *pointer, *index, 1)?
            }
            ExprKind::PointerSubtract(pointer, index) => {
                self.moved(unit, loaded, *pointer, *index, -1)?
            }
            ExprKind::PointerDifference(left, right) => {
                let size = pointee_size(loaded, *left)?;
                let bytes = self.distance(unit, loaded, *left, *right)?;
                Known::Int(bytes / size)
            }
            ExprKind::Unary(Unary::Negate, operand) => match self.known(unit, loaded, *operand)? {
                Known::Int(value) => self.converted(unit, Known::Int(-value), expr.ty.ty)?,
                Known::Float(value) => Known::Float(-value),
                Known::Address(_) => return None,
            },
            ExprKind::Binary(Binary::Add, left, right) => {
                let [left, right] = [*left, *right].map(|it| self.known(unit, loaded, it));
                match (left?, right?) {
                    (Known::Int(left), Known::Int(right)) => Known::Int(left + right),
                    (Known::Address(address), Known::Int(offset))
                    | (Known::Int(offset), Known::Address(address)) => further(address, offset)?,
                    _ => return None,
                }
            }
            ExprKind::Binary(Binary::Subtract, left, right) => {
                match self.known(unit, loaded, *right)? {
                    Known::Int(offset) => match self.known(unit, loaded, *left)? {
                        Known::Address(address) => further(address, -offset)?,
                        Known::Int(value) => Known::Int(value - offset),
                        Known::Float(_) => return None,
                    },
                    _ => Known::Int(self.distance(unit, loaded, *left, *right)?),
                }
            }
            ExprKind::Conditional(condition, Some(yes), no) => {
                match self.known(unit, loaded, *condition)? {
                    Known::Int(0) => self.known(unit, loaded, *no)?,
                    _ => self.known(unit, loaded, *yes)?,
                }
            }
            ExprKind::Comma(list) => self.known(unit, loaded, *list.last()?)?,
            _ => return None,
        })
    }

    fn converted(&mut self, unit: usize, value: Known, to: ctype::TypeId) -> Option<Known> {
        let ty = self.ty(unit, to);
        let is_bool = matches!(self.types.types.get(ty), Type::Bool);
        let word = self.types.word();
        Some(match (value, self.types.types.scalar(ty)?) {
            (Known::Int(value), Scalar::Int(_)) if is_bool => Known::Int(i128::from(value != 0)),
            (Known::Int(value), Scalar::Int(int)) => {
                Known::Int(exprs::meaning(exprs::cut(value as u64, int), int))
            }
            (Known::Int(value), Scalar::Float(_)) => Known::Float(value as f64),
            (Known::Int(value), _) => Known::Int(i128::from(exprs::cut(value as u64, word))),
            (Known::Float(value), Scalar::Int(_)) => Known::Int(value as i128),
            (Known::Float(value), Scalar::Float(Float::Single)) => {
                Known::Float(f64::from(value as f32))
            }
            (Known::Float(value), _) => Known::Float(value),
            (Known::Address(_), Scalar::Int(_)) if is_bool => Known::Int(1),
            (Known::Address(_), Scalar::Int(int)) if int.bits != word.bits => return None,
            (Known::Address(_), Scalar::Float(_)) => return None,
            (address, _) => address,
        })
    }

    /// A pointer moved by elements.
    fn moved(
        &mut self,
        unit: usize,
        loaded: &Loaded,
        pointer: ExprId,
        index: ExprId,
        sign: i128,
    ) -> Option<Known> {
        let size = pointee_size(loaded, pointer)?;
        let Known::Int(index) = self.known(unit, loaded, index)? else {
            return None;
        };
        let bytes = sign * index * size;
        match self.known(unit, loaded, pointer)? {
            Known::Int(address) => Some(Known::Int(address + bytes)),
            Known::Address(address) => further(address, bytes),
            Known::Float(_) => None,
        }
    }

    /// The bytes between two addresses in one variable.
    fn distance(
        &mut self,
        unit: usize,
        loaded: &Loaded,
        left: ExprId,
        right: ExprId,
    ) -> Option<i128> {
        let left = self.known(unit, loaded, left)?;
        let right = self.known(unit, loaded, right)?;
        match (left, right) {
            (Known::Int(left), Known::Int(right)) => Some(left - right),
            (
                Known::Address(InitialValue::Global(first, left)),
                Known::Address(InitialValue::Global(second, right)),
            ) if first == second => Some(i128::from(left) - i128::from(right)),
            _ => None,
        }
    }

    /// The address of a place.
    fn address(&mut self, unit: usize, loaded: &Loaded, place: ExprId) -> Option<Known> {
        match &loaded.unit.expr(place).kind {
            ExprKind::Object(object) => {
                let global = self.global(unit, *object);
                Some(Known::Address(InitialValue::Global(global, 0)))
            }
            ExprKind::Text(text) => {
                let global = self.text_global(unit, *text);
                Some(Known::Address(InitialValue::Global(global, 0)))
            }
            ExprKind::Function(_) => self.known(unit, loaded, place),
            ExprKind::Deref(pointer) => self.known(unit, loaded, *pointer),
            ExprKind::Member(base, record, field) => {
                let record = self.record(unit, *record);
                let offset = self.types.types.record(record).fields[*field as usize].offset;
                match self.address(unit, loaded, *base)? {
                    Known::Int(address) => Some(Known::Int(address + i128::from(offset))),
                    Known::Address(address) => further(address, i128::from(offset)),
                    Known::Float(_) => None,
                }
            }
            _ => None,
        }
    }
}

/// The bytes of what an expression points to.
fn pointee_size(loaded: &Loaded, pointer: ExprId) -> Option<i128> {
    let types = &loaded.unit.types;
    match types.get(loaded.unit.expr(pointer).ty.ty) {
        ctype::Type::Pointer(to) => types.size(to.ty).map(|size| i128::from(size.max(1))),
        _ => None,
    }
}

/// An address so many bytes further on.
fn further(address: InitialValue, bytes: i128) -> Option<Known> {
    match address {
        InitialValue::Global(global, offset) => {
            let offset = i64::try_from(i128::from(offset) + bytes).ok()?;
            Some(Known::Address(InitialValue::Global(global, offset)))
        }
        InitialValue::Function(_) if bytes == 0 => Some(Known::Address(address)),
        InitialValue::Function(_) => None,
    }
}

/// The bytes of a floating-point number. A `long double` lies in the first eight as a `double`.
fn bits_of(value: f64, float: Float) -> u64 {
    match float {
        Float::Single => u64::from((value as f32).to_bits()),
        Float::Double | Float::Extended => value.to_bits(),
    }
}

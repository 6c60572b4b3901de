//! Variables that begin to live, and their initial values.

use recurva_cir::{
    LocalId as CirLocal, Operation, Origin, Place, Scalar, Step, Storage, Type, TypeId, Unknown,
    Var,
};
use recurva_ctype::typed::{ExprId, ExprKind, InitStep, Initial, InitialPart, LocalId, TextId};

use super::{Lower, place::LONG};
use crate::exprs;

/// Texts up to this many bytes are stored one by one; longer ones are copied from a variable.
const SHORT_TEXT: usize = 64;

impl Lower<'_, '_, '_> {
    /// A variable begins to live.
    pub(super) fn declare(&mut self, local: LocalId, init: Option<&Initial>, origin: Origin) {
        if self.variable_lengths.get(local.0 as usize) == Some(&true) {
            self.allocate_array(local, origin);
            return;
        }
        match init {
            Some(init) => self.initialise(local, init, origin),
            None => {
                let place = self.local_place(CirLocal(local.0));
                let unknown = Unknown::Uninitialised;
                self.graph.emit(Operation::Havoc(place, unknown), origin);
            }
        }
    }

    /// An array of variable length: what is allocated lives until the function returns.
    fn allocate_array(&mut self, local: LocalId, origin: Origin) {
        let pointer = self.local_place(CirLocal(local.0));
        let Type::Pointer(_) = *self.program.types.types.get(pointer.ty) else {
            return;
        };
        let ty = self.local_types[local.0 as usize];
        let size = self.variable_size(ty);
        let operation = Operation::Allocate {
            result: pointer,
            size,
            storage: Storage::Stack,
            is_zeroed: false,
        };
        self.graph.emit(operation, origin);
    }

    /// The length of an array is computed.
    pub(super) fn array_length(&mut self, local: LocalId, length: ExprId, origin: Origin) {
        let place = self.local_place(CirLocal(local.0));
        let value = self.value(length);
        let ty = self.local_types[local.0 as usize];
        let value = self.convert(value, ty, origin);
        self.store(&place, value, origin);
    }

    /// A variable is given its initial value.
    pub(super) fn initialise(&mut self, local: LocalId, init: &Initial, origin: Origin) {
        let place = self.local_place(CirLocal(local.0));
        if !init.is_whole && !self.is_covered(&place, init) {
            self.graph.emit(Operation::Zero(place.clone()), origin);
        }
        for part in &init.parts {
            let to = self.part(&place, &part.path);
            self.initialise_part(&to, part, origin);
        }
    }

    fn initialise_part(&mut self, to: &Place, part: &InitialPart, origin: Origin) {
        let is_array = matches!(self.program.types.types.get(to.ty), Type::Array(..));
        let mut value = part.value;
        if let ExprKind::Load(inner) = self.unit.expr(value).kind {
            value = inner;
        }
        match self.unit.expr(value).kind {
            ExprKind::Text(text) if is_array => self.initialise_text(to, text, origin),
            ExprKind::Compound(..) if is_array => {
                let from = self.place(value);
                self.copy(to, from, origin);
            }
            _ => self.into(part.value, to),
        }
    }

    /// A text, cut to the array's length or followed by zeros.
    fn initialise_text(&mut self, to: &Place, text: TextId, origin: Origin) {
        let Type::Array(element, _) = *self.program.types.types.get(to.ty) else {
            return;
        };
        let size = self.size(to.ty) as usize;
        let width = self.size(element).max(1) as usize;
        let mut bytes = self.unit.texts[text.0 as usize].bytes.clone();
        bytes.resize(size, 0);
        if size > SHORT_TEXT * width {
            let global = self.program.hidden_global(to.ty, bytes);
            let from = Place::whole(Var::Global(global), to.ty);
            self.copy(to, from, origin);
            return;
        }
        let Some(scalar @ Scalar::Int(int)) = self.program.types.types.scalar(element) else {
            return;
        };
        let last = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |it| it / width + 1);
        if last < size / width {
            self.graph.emit(Operation::Zero(to.clone()), origin);
        }
        for (number, chunk) in bytes.chunks_exact(width).enumerate().take(last) {
            let mut wide = [0; 8];
            wide[..width.min(8)].copy_from_slice(&chunk[..width.min(8)]);
            let value = exprs::cut(u64::from_le_bytes(wide), int);
            if value == 0 && last < size / width {
                continue;
            }
            let mut place = to.clone();
            let index = exprs::int(number as i128, LONG);
            place.path.push(Step::Index(Box::new(index)));
            place.ty = element;
            self.store(&place, recurva_cir::Expr::constant(value, scalar), origin);
        }
    }

    /// A part of a place.
    fn part(&mut self, whole: &Place, path: &[InitStep]) -> Place {
        let mut place = whole.clone();
        for step in path {
            match *step {
                InitStep::Field(record, field) => {
                    let record = self.program.record(self.index, record);
                    let into = &self.program.types.types.record(record).fields[field as usize];
                    (place.ty, place.bits) = (into.ty, into.bits);
                    place.path.push(Step::Field(record, field));
                }
                InitStep::Index(index) => {
                    if let Type::Array(element, _) = *self.program.types.types.get(place.ty) {
                        place.ty = element;
                    }
                    let index = exprs::int(i128::from(index), LONG);
                    place.path.push(Step::Index(Box::new(index)));
                }
            }
        }
        place
    }

    /// Whether the parts give all of the variable a value.
    fn is_covered(&mut self, place: &Place, init: &Initial) -> bool {
        let mut paths: Vec<&[InitStep]> = init.parts.iter().map(|part| &*part.path).collect();
        paths.sort_by_key(|path| format!("{path:?}"));
        paths.dedup();
        let mut given = 0;
        for path in paths {
            let part = self.part(place, path);
            given += match part.bits {
                Some(bits) => u64::from(bits.width),
                None => self.bits_with_value(part.ty),
            };
        }
        given >= self.bits_with_value(place.ty)
    }

    /// The bits of a type without padding; of a union those of all its bytes.
    fn bits_with_value(&self, ty: TypeId) -> u64 {
        let types = &self.program.types.types;
        match *types.get(ty) {
            Type::Array(element, length) => self.bits_with_value(element).saturating_mul(length),
            Type::Record(record) if !types.record(record).is_union => {
                let fields = types.record(record).fields.iter();
                let bits = fields.map(|field| match field.bits {
                    Some(bits) => u64::from(bits.width),
                    None => self.bits_with_value(field.ty),
                });
                bits.sum()
            }
            _ => types.size(ty).saturating_mul(8),
        }
    }
}

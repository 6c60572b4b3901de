//! Places: what can be assigned to, and whose address can be taken.

use recurva_cir::{Base, Expr, ExprKind as Cir, Int, LocalId, Place, Scalar, Step, Type, TypeId};
use recurva_ctype::{
    self as ctype, Length,
    typed::{ExprId, ExprKind, LocalId as TypedLocal},
};

use super::Lower;
use crate::exprs;

/// What sizes and indices are computed in.
pub(super) const LONG: Int = Int {
    bits: 64,
    is_signed: true,
};

impl Lower<'_, '_, '_> {
    /// The place that an expression is. Nothing is checked: that is for whoever reads or writes it.
    pub(super) fn place(&mut self, id: ExprId) -> Place {
        let expr = self.unit.expr(id);
        match &expr.kind {
            ExprKind::Object(object) => {
                let global = self.program.global(self.index, *object);
                self.global_place(global)
            }
            ExprKind::Local(local) => self.variable(*local),
            ExprKind::Text(text) => {
                let global = self.program.text_global(self.index, *text);
                self.global_place(global)
            }
            ExprKind::Compound(local, init) => {
                self.initialise(*local, init, self.origin_of(id));
                self.variable(*local)
            }
            ExprKind::Deref(pointer) => {
                let ty = self.type_of(id);
                let pointer = self.value(*pointer);
                deref(&self.program.types.types, pointer, ty)
            }
            ExprKind::Member(base, record, field) => {
                let mut place = self.place(*base);
                let record = self.program.record(self.index, *record);
                let into = &self.program.types.types.record(record).fields[*field as usize];
                place.ty = into.ty;
                place.bits = into.bits;
                place.path.push(Step::Field(record, *field));
                place
            }
            _ => self.record(id),
        }
    }

    /// A variable of the source.
    pub(super) fn variable(&mut self, local: TypedLocal) -> Place {
        let place = self.local_place(LocalId(local.0));
        match *self.program.types.types.get(place.ty) {
            Type::Pointer(array) if self.is_variable_local(local, array) => {
                let pointer = self.load(place);
                Place {
                    base: Base::Deref(Box::new(pointer), array),
                    path: Vec::new(),
                    ty: array,
                    bits: None,
                }
            }
            _ => place,
        }
    }

    /// Whether a variable is an array of variable length, which we made a pointer to it.
    fn is_variable_local(&self, local: TypedLocal, pointee: TypeId) -> bool {
        let is_array = matches!(self.program.types.types.get(pointee), Type::Array(..));
        is_array
            && self
                .variable_lengths
                .get(local.0 as usize)
                .copied()
                .unwrap_or(false)
    }

    /// `pointer + index`, or `-`, by elements of a type.
    pub(super) fn step_pointer(
        &mut self,
        pointer: Expr,
        index: Expr,
        pointee: ctype::TypeId,
        is_backward: bool,
    ) -> Expr {
        let index = match is_backward {
            true => {
                let index = exprs::convert(index, Scalar::Int(LONG));
                exprs::binary(recurva_cir::Binary::Subtract, exprs::int(0, LONG), index)
            }
            false => index,
        };
        if self.is_variable(pointee) {
            let index = exprs::convert(index, Scalar::Int(LONG));
            let size = exprs::convert(self.variable_size(pointee), Scalar::Int(LONG));
            let bytes = exprs::binary(recurva_cir::Binary::Multiply, index, size);
            return exprs::offset(pointer, bytes, 1);
        }
        let size = self.unit.types.size(pointee).unwrap_or(1);
        let ty = self.ty(pointee);
        match pointer.kind {
            Cir::Address(mut place) if element(&self.program.types.types, place.ty) == Some(ty) => {
                place.path.push(Step::Index(Box::new(index)));
                place.ty = ty;
                exprs::address(*place)
            }
            _ => exprs::offset(pointer, index, size),
        }
    }

    /// The bytes of a type, which is computed if arrays of variable length are in it.
    pub(super) fn variable_size(&mut self, id: ctype::TypeId) -> Expr {
        let word = self.program.types.word();
        match *self.unit.types.get(id) {
            ctype::Type::Array(inner, length) if self.is_variable(id) => {
                let length = match length {
                    Length::Known(length) => exprs::int(i128::from(length), word),
                    Length::Unknown => exprs::int(0, word),
                    Length::Variable(local) => {
                        let place = self.local_place(LocalId(local));
                        exprs::convert(self.load(place), Scalar::Int(word))
                    }
                };
                let size = self.variable_size(inner.ty);
                exprs::binary(recurva_cir::Binary::Multiply, length, size)
            }
            _ => exprs::int(i128::from(self.unit.types.size(id).unwrap_or(0)), word),
        }
    }
}

/// Where a pointer points to. Known addresses become the places they are of.
pub(super) fn deref(types: &recurva_cir::Types, pointer: Expr, ty: TypeId) -> Place {
    match pointer.kind {
        Cir::Address(place) if place.ty == ty => *place,
        Cir::Address(mut place) if element(types, place.ty) == Some(ty) => {
            place.path.push(Step::Index(Box::new(exprs::int(0, LONG))));
            place.ty = ty;
            *place
        }
        kind => Place {
            base: Base::Deref(
                Box::new(Expr {
                    kind,
                    ty: Scalar::Pointer,
                }),
                ty,
            ),
            path: Vec::new(),
            ty,
            bits: None,
        },
    }
}

/// The type of an array's elements.
fn element(types: &recurva_cir::Types, array: TypeId) -> Option<TypeId> {
    match *types.get(array) {
        Type::Array(element, _) => Some(element),
        _ => None,
    }
}

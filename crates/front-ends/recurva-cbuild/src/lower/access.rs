//! What must hold before memory is read or written.

use recurva_cir::{
    Base, Binary, Check, Expr, ExprKind, Int, Origin, Place, Scalar, Step, Type, Var,
};

use super::{Lower, condition::is_not_zero, place::LONG};
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// Before a scalar is read.
    pub(super) fn read(&mut self, place: &Place, origin: Origin) {
        self.access(place, origin);
        if self.program.options.has(Check::Uninitialised) && self.may_lack_value(place) {
            let kind = ExprKind::IsInitialised(Box::new(place.clone()));
            self.check(Check::Uninitialised, exprs::predicate(kind), origin);
        }
    }

    fn may_lack_value(&self, place: &Place) -> bool {
        match place.base {
            Base::Var(Var::Local(local)) => !self.graph.is_temporary(local),
            Base::Var(Var::Global(_)) => false,
            Base::Deref(..) => true,
        }
    }

    /// Before a place is read or written.
    pub(super) fn access(&mut self, place: &Place, origin: Origin) {
        let is_pointed_to = matches!(place.base, Base::Deref(..));
        let mut needs_address = false;
        let mut is_fixed = true;
        let mut at = match &place.base {
            Base::Var(Var::Local(local)) => self.graph.locals[local.0 as usize].ty,
            Base::Var(Var::Global(global)) => self.program.global_type(*global),
            Base::Deref(_, ty) => *ty,
        };
        let mut end = 0;
        for (position, step) in place.path.iter().enumerate() {
            match step {
                Step::Field(record, field) => {
                    let field = &self.program.types.types.record(*record).fields[*field as usize];
                    end += field.offset;
                    at = field.ty;
                }
                Step::Index(index) => {
                    let Type::Array(element, length) = *self.program.types.types.get(at) else {
                        continue;
                    };
                    let length = match self.is_open(place, position, length) {
                        true => None,
                        false => Some(length),
                    };
                    match (exprs::number(index), length) {
                        (Some(number), Some(length))
                            if number >= 0 && (number as u128) < u128::from(length) =>
                        {
                            end += number as u64 * self.size(element);
                        }
                        (_, Some(length)) => {
                            is_fixed = false;
                            let index = (**index).clone();
                            self.check(Check::Bounds, below(index, length), origin);
                        }
                        (_, None) => {
                            needs_address = true;
                            is_fixed = false;
                        }
                    }
                    at = element;
                }
            }
        }
        let bytes = match place.bits {
            Some(bits) => u64::from((bits.start + bits.width).div_ceil(8)),
            None => self.size(place.ty),
        };
        match &place.base {
            Base::Deref(pointer, _) => {
                let pointer = (**pointer).clone();
                let area = match is_fixed {
                    true => (pointer.clone(), end + bytes),
                    false => (start_of(place), bytes),
                };
                self.check_pointer(&pointer, area, origin);
            }
            Base::Var(_) if needs_address && !is_pointed_to => {
                let kind = ExprKind::IsValid(Box::new(start_of(place)), bytes);
                self.check(Check::Bounds, exprs::predicate(kind), origin);
            }
            Base::Var(_) => {}
        }
    }

    /// A pointer that is used: not null, to something alive, with so many bytes from somewhere.
    pub(super) fn check_pointer(&mut self, pointer: &Expr, area: (Expr, u64), origin: Origin) {
        if !matches!(pointer.kind, ExprKind::Address(_)) {
            self.check(Check::Null, is_not_zero(pointer.clone()), origin);
            let kind = ExprKind::IsAlive(Box::new(pointer.clone()));
            self.check(Check::Lifetime, exprs::predicate(kind), origin);
        }
        let kind = ExprKind::IsValid(Box::new(area.0), area.1);
        self.check(Check::Bounds, exprs::predicate(kind), origin);
    }

    /// Whether an array may go on behind its length: one without a length, or one at the end of
    /// what a pointer points to with at most one element, as was usual before `[]`.
    fn is_open(&self, place: &Place, position: usize, length: u64) -> bool {
        let is_last = |step: &Step| match step {
            Step::Field(record, field) => {
                let record = self.program.types.types.record(*record);
                record.is_union || *field as usize + 1 == record.fields.len()
            }
            Step::Index(_) => false,
        };
        let is_pointed_to = matches!(place.base, Base::Deref(..));
        let before = &place.path[..position];
        length == 0
            || (length == 1 && is_pointed_to && !before.is_empty() && before.iter().all(is_last))
    }
}

/// The address of a place, a bit-field's first byte too.
fn start_of(place: &Place) -> Expr {
    exprs::address(Place {
        bits: None,
        ..place.clone()
    })
}

/// Whether an index is inside an array: one comparison, as a negative number is a large one.
fn below(index: Expr, length: u64) -> Expr {
    let bits = match index.ty {
        Scalar::Int(int) if length < 1 << 31 => int.bits.max(32),
        _ => 64,
    };
    let widened = match index.ty {
        Scalar::Int(int) => exprs::convert(
            index,
            Scalar::Int(Int {
                bits,
                is_signed: int.is_signed,
            }),
        ),
        _ => exprs::convert(index, Scalar::Int(LONG)),
    };
    let unsigned = Int {
        bits,
        is_signed: false,
    };
    let index = exprs::convert(widened, Scalar::Int(unsigned));
    exprs::binary(
        Binary::Less,
        index,
        exprs::int(i128::from(length), unsigned),
    )
}

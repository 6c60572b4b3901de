//! Where pointers may point to: an inclusion-based analysis that ignores the order of steps.
//!
//! What is followed are pairs of an object and a [spot](crate::layout) in it. Offsets are added along the
//! way and functions turn out to be called only while sets grow, neither of which is a grammar over
//! labels known at the start; so this is a work list of its own and not a question for the
//! crate for context-free reachability.
//!
//! Too small a set is harmless: an access that goes elsewhere than expected comes to a limit.

mod gather;
mod query;
mod solver;

pub(crate) use query::{PointsTo, Scene, step_shift};

use recurva_cir::{Expr, ExprKind, Scalar};

use crate::objects::ObjectId;

/// A spot that is not known: anywhere in the object.
pub(crate) const ANYWHERE: u64 = u64::MAX;

/// Stands for all spots of an object when something is read from any of them.
const SOMEWHERE: u64 = u64::MAX - 1;

/// Where a pointer points to.
pub(crate) type Target = (ObjectId, u64);

/// What becomes of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shift {
    /// So many bytes further on.
    Bytes(i64),
    /// Any number of elements of that size further on.
    Elements(u64),
    /// Something else in the same object.
    Anywhere,
}

/// How far an offset goes.
pub(crate) fn shift_of(index: &Expr, size: u64) -> Shift {
    match (&index.kind, index.ty) {
        (ExprKind::Const(value), Scalar::Int(int)) => {
            let unused = 64 - u32::from(int.bits);
            let value = match int.is_signed {
                true => ((value << unused) as i64) >> unused,
                false => *value as i64,
            };
            match value.checked_mul(size as i64) {
                Some(bytes) => Shift::Bytes(bytes),
                None => Shift::Anywhere,
            }
        }
        _ => Shift::Elements(size),
    }
}

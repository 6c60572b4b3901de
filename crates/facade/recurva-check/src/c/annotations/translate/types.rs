//! Types of C, as arithmetic has them.

use recurva_acsl::Number;
use recurva_model::Type;

/// `int`.
pub(super) const INT: Type = Type::signed(32);

/// The type of a number in C.
pub(super) fn number_type(number: Number, long: u8) -> Type {
    let types = [(32, 0), (long, 1), (64, 2)];
    let mut candidates = Vec::new();
    for (bits, longs) in types {
        if longs >= number.longs {
            if !number.is_unsigned {
                candidates.push(Type::signed(bits));
            }
            if number.is_unsigned || number.is_bits {
                candidates.push(Type::unsigned(bits));
            }
        }
    }
    let holds = |ty: &Type| ty.to_number(ty.wrap(number.value as u64)) == number.value;
    candidates
        .into_iter()
        .find(holds)
        .unwrap_or(Type::unsigned(64))
}

/// What C computes with instead of a small type.
pub(super) fn promoted(ty: Type) -> Type {
    if ty.bits() < 32 { INT } else { ty }
}

/// The type to which C converts two operands.
pub(super) fn common(left: Type, right: Type) -> Type {
    let (left, right) = (promoted(left), promoted(right));
    match left.bits().cmp(&right.bits()) {
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Equal => match left.is_signed() {
            true => right,
            false => left,
        },
    }
}

/// Whether all values of a type are values of another.
pub(super) fn fits(from: Type, to: Type) -> bool {
    match (from.is_signed(), to.is_signed()) {
        (true, false) => false,
        (false, true) => from.bits() < to.bits(),
        _ => from.bits() <= to.bits(),
    }
}

/// A type that has all values of two.
pub(super) fn without_loss(left: Type, right: Type) -> Option<Type> {
    let candidates = [left, right, INT, Type::signed(64)];
    candidates
        .into_iter()
        .find(|it| fits(left, *it) && fits(right, *it))
}

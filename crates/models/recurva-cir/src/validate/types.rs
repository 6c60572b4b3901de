//! Types that fit together.

use super::{Checked, ensure};
use crate::{Int, Type, TypeId, Types};

/// Whether an index of a type is in range.
pub(super) fn in_range(types: &Types, ty: TypeId) -> Checked {
    ensure((ty.0 as usize) < types.list.len(), || {
        format!("there is no type {}", ty.0)
    })
}

/// Whether two types are the same as far as bytes can tell.
pub(super) fn same(types: &Types, left: TypeId, right: TypeId) -> bool {
    left == right
        || match (types.get(left), types.get(right)) {
            (Type::Record(left), Type::Record(right)) => left == right,
            (Type::VaList, Type::VaList) => true,
            (Type::Array(..), Type::Array(..)) => types.size(left) == types.size(right),
            _ => types.scalar(left).is_some() && types.scalar(left) == types.scalar(right),
        }
}

pub(super) fn check(types: &Types) -> Checked {
    ensure(matches!(types.pointer_bytes, 4 | 8), || {
        format!("pointers have {} bytes", types.pointer_bytes)
    })?;
    ensure((8..=16).contains(&types.extended_bytes), || {
        format!("`long double` has {} bytes", types.extended_bytes)
    })?;
    for (index, ty) in types.list.iter().enumerate() {
        check_type(types, ty).map_err(|message| format!("type {index}: {message}"))?;
    }
    check_arrays(types)?;
    for record in &types.records {
        let of_record = |message| format!("record `{}`: {message}", record.name);
        for field in &record.fields {
            check_field(types, record, field).map_err(of_record)?;
        }
    }
    Ok(())
}

fn check_int(int: Int) -> Checked {
    ensure(matches!(int.bits, 1..=64), || {
        format!("an integer has {} bits", int.bits)
    })
}

fn check_type(types: &Types, ty: &Type) -> Checked {
    match *ty {
        Type::Int(int) => check_int(int),
        Type::Char(int) => {
            check_int(int)?;
            ensure(int.bits == 8, || "a character has not 8 bits".to_owned())
        }
        Type::Enum(int, id) => {
            check_int(int)?;
            ensure((id.0 as usize) < types.enums.len(), || {
                format!("there is no enumeration {}", id.0)
            })
        }
        Type::Pointer(ty) | Type::Array(ty, _) => in_range(types, ty),
        Type::Record(id) => ensure((id.0 as usize) < types.records.len(), || {
            format!("there is no record {}", id.0)
        }),
        Type::Void | Type::Bool | Type::Float(_) | Type::Function | Type::VaList => Ok(()),
    }
}

/// No array has itself as an element: sizes are finite.
fn check_arrays(types: &Types) -> Checked {
    for index in 0..types.list.len() {
        let mut at = index;
        for _ in 0..types.list.len() {
            match types.list[at] {
                Type::Array(element, _) => at = element.0 as usize,
                _ => break,
            }
        }
        ensure(!matches!(types.list[at], Type::Array(..)), || {
            format!("type {index} is an array of itself")
        })?;
    }
    Ok(())
}

fn check_field(types: &Types, record: &crate::Record, field: &crate::Field) -> Checked {
    in_range(types, field.ty)?;
    let size = match field.bits {
        Some(bits) => {
            let fits = bits.width <= 64 && bits.start <= 7;
            let width = match types.scalar(field.ty) {
                Some(crate::Scalar::Int(int)) => u32::from(int.bits),
                _ => 0,
            };
            ensure(fits && bits.width <= width, || {
                format!("bit-field `{}` does not fit its type", field.name)
            })?;
            bits.bytes()
        }
        None => types.size(field.ty),
    };
    let end = field.offset.checked_add(size);
    ensure(end.is_some_and(|end| end <= record.size), || {
        format!("field `{}` lies outside", field.name)
    })
}

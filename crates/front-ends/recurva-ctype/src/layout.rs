//! Where the fields of records lie, as the System V ABI has it and GCC does it.

use crate::{Bits, Field, Layout, Qualified, Target};
use recurva_syntax::Span;

/// A field before its place is known.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) name: Option<Box<str>>,
    pub(crate) ty: Qualified,
    pub(crate) span: Span,
    /// The bytes of its type; 0 for an array without a length.
    pub(crate) size: u64,
    /// The alignment of its type as a field.
    pub(crate) align: u64,
    /// The alignment that is asked for at the field itself.
    pub(crate) asked: Option<u64>,
    /// `packed`, at the field or at its record.
    pub(crate) is_packed: bool,
    /// The width of a bit-field.
    pub(crate) width: Option<u32>,
}

/// What is said of a record as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) is_union: bool,
    /// `aligned`, at least.
    pub(crate) align: Option<u64>,
    /// `#pragma pack`, in bytes; 0 is none.
    pub(crate) pack: u64,
}

/// Places fields. Bit-fields without a name are placed and then left out: nobody can read them.
/// `None` if the record is larger than any memory.
pub(crate) fn lay_out(shape: Shape, drafts: Vec<Draft>, target: Target) -> Option<Layout> {
    // In bits.
    let mut position: u64 = 0;
    let mut size: u64 = 0;
    // In bytes.
    let mut align = shape.align.unwrap_or(1);
    let mut fields = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let start = match shape.is_union {
            true => 0,
            false => place(&draft, shape.pack, position)?,
        };
        align = align.max(record_align(&draft, shape.pack));
        let bits = match draft.width {
            Some(width) => u64::from(width),
            None => draft.size.checked_mul(8)?,
        };
        position = start.checked_add(bits)?;
        size = size.max(position);
        if draft.width.is_some() && draft.name.is_none() {
            continue;
        }
        let (offset, bits) = match draft.width {
            None => (start / 8, None),
            Some(width) => {
                let (offset, first) = unit(start, u64::from(width), &draft);
                let first = first as u32;
                (
                    offset,
                    Some(Bits {
                        start: first,
                        width,
                    }),
                )
            }
        };
        fields.push(Field {
            name: draft.name,
            ty: draft.ty,
            offset,
            bits,
            span: draft.span,
        });
    }
    let size = size.div_ceil(8).checked_next_multiple_of(align)?;
    let most = match target.pointer_bytes {
        4 => u64::from(u32::MAX >> 1),
        _ => u64::MAX >> 1,
    };
    (size <= most).then_some(Layout {
        size,
        align,
        fields,
    })
}

/// Limits an alignment to that of `#pragma pack`.
fn limited(align: u64, pack: u64) -> u64 {
    match pack {
        0 => align,
        pack => align.min(pack),
    }
}

/// The alignment of a field in its record, in bits.
fn field_align(draft: &Draft, pack: u64) -> u64 {
    match draft.width {
        // A width of zero is about what follows, and neither packing has a say in it.
        Some(0) => 8 * draft.align.max(draft.asked.unwrap_or(1)),
        Some(_) => draft.asked.map_or(1, |asked| 8 * limited(asked, pack)),
        None => {
            let align = match (draft.is_packed, draft.asked) {
                (true, asked) => asked.unwrap_or(1),
                (false, asked) => draft.align.max(asked.unwrap_or(1)),
            };
            8 * limited(align, pack)
        }
    }
}

/// How a field aligns its record, in bytes. Bit-fields without a name do not.
fn record_align(draft: &Draft, pack: u64) -> u64 {
    if draft.width.is_none() {
        return field_align(draft, pack) / 8;
    }
    if draft.name.is_none() {
        return 1;
    }
    let by_type = match (pack, draft.is_packed) {
        (0, true) => 1,
        _ => limited(draft.align, pack),
    };
    by_type.max(field_align(draft, pack) / 8)
}

/// The first bit of a field that may begin at `position`.
fn place(draft: &Draft, pack: u64, position: u64) -> Option<u64> {
    let start = position.checked_next_multiple_of(field_align(draft, pack))?;
    let Some(width) = draft.width.filter(|&it| it > 0) else {
        return Some(start);
    };
    if draft.is_packed || pack != 0 {
        return Some(start);
    }
    // A bit-field may not touch more units of its type's alignment than its type does.
    let align = 8 * draft.align;
    let touched = (start % align + u64::from(width)).div_ceil(align);
    match touched > (8 * draft.size).div_ceil(align) {
        true => start.checked_next_multiple_of(align),
        false => Some(start),
    }
}

/// The byte from which the bits of a bit-field are counted, and the first of them: the unit of
/// its type that has them all, otherwise a later byte from which at most 64 bits are enough.
fn unit(start: u64, width: u64, draft: &Draft) -> (u64, u64) {
    let candidates = [8 * draft.size, 8 * draft.align, 8];
    for unit in candidates {
        let unit = unit.max(8);
        let first = start % unit;
        if first + width <= (8 * draft.size).max(8) {
            return (start / unit * (unit / 8), first);
        }
    }
    (start / 8, start % 8)
}

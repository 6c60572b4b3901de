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
    // In bits, of which the largest record has more than 64 bits can count.
    let mut position: u128 = 0;
    let mut size: u128 = 0;
    // In bytes.
    let mut align = shape.align.unwrap_or(1);
    let mut fields = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let start = match shape.is_union {
            true => 0,
            false => place(&draft, shape.pack, position),
        };
        align = align.max(record_align(&draft, shape.pack));
        let bits = match draft.width {
            Some(width) => u128::from(width),
            None => 8 * u128::from(draft.size),
        };
        position = start + bits;
        size = size.max(position);
        if draft.width.is_some() && draft.name.is_none() {
            continue;
        }
        let (offset, bits) = match draft.width {
            None => (u64::try_from(start / 8).ok()?, None),
            Some(width) => {
                let (offset, first) = unit(start, width, &draft);
                let offset = u64::try_from(offset).ok()?;
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
    let size = u64::try_from(size.div_ceil(8)).ok()?;
    let size = size.checked_next_multiple_of(align)?;
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
fn place(draft: &Draft, pack: u64, position: u128) -> u128 {
    let start = position.next_multiple_of(u128::from(field_align(draft, pack)));
    let Some(width) = draft.width.filter(|&it| it > 0) else {
        return start;
    };
    if draft.is_packed || pack != 0 {
        return start;
    }
    // A bit-field may not touch more units of its type's alignment than its type does.
    let align = 8 * u128::from(draft.align);
    let touched = (start % align + u128::from(width)).div_ceil(align);
    match touched > (8 * u128::from(draft.size)).div_ceil(align) {
        true => start.next_multiple_of(align),
        false => start,
    }
}

/// The byte from which the bits of a bit-field are counted, and the first of them: the unit of
/// its type that has them all, otherwise a later byte from which at most 64 bits are enough.
fn unit(start: u128, width: u32, draft: &Draft) -> (u128, u32) {
    let own = 8 * draft.size as u32;
    for unit in [own, 8 * draft.align as u32, 8] {
        let first = (start % u128::from(unit)) as u32;
        if first + width <= own {
            return (start / u128::from(unit) * u128::from(unit / 8), first);
        }
    }
    (start / 8, (start % 8) as u32)
}

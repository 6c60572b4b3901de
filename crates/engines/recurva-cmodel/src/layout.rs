//! Where things lie in objects: offsets from which the indices of arrays have been taken out.
//!
//! All elements of an array share one *spot*, the offset of the first one. A spot comes with the
//! arrays around it; an index for each of them names one place.

use recurva_cir::{Type, TypeId, Types};

/// An array around a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dim {
    pub(crate) count: u64,
    /// The bytes from one element to the next.
    pub(crate) stride: u64,
}

/// What an object is made of: so many of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// `None` is bytes.
    pub(crate) ty: Option<TypeId>,
    /// More than one of the type: an array of them.
    pub(crate) count: u64,
    /// All its bytes.
    pub(crate) size: u64,
}

/// A spot and the arrays around it, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) offset: u64,
    pub(crate) dims: Vec<Dim>,
}

impl Shape {
    /// A variable.
    pub(crate) fn variable(types: &Types, ty: TypeId, size: u64) -> Self {
        Shape {
            ty: Some(ty),
            count: 1,
            size: size.max(types.size(ty)),
        }
    }

    /// The spot of an offset, which arrays are around it, and the indices in them. It ends at a
    /// scalar, or at something that `is_end` takes by its type. Unions are not looked into.
    pub(crate) fn locate(
        &self,
        types: &Types,
        offset: u64,
        mut is_end: impl FnMut(TypeId, u64) -> bool,
    ) -> (Position, Vec<u64>) {
        let mut position = Position {
            offset: 0,
            dims: Vec::new(),
        };
        let mut indices = Vec::new();
        let mut rest = offset;
        let Some(mut at) = self.ty else {
            position.offset = offset;
            return (position, indices);
        };
        let mut enter = |rest: &mut u64, count: u64, stride: u64, position: &mut Position| {
            position.dims.push(Dim { count, stride });
            indices.push(*rest / stride);
            *rest %= stride;
        };
        if self.count > 1 {
            let stride = types.size(at).max(1);
            enter(&mut rest, self.count, stride, &mut position);
        }
        while !is_end(at, rest) {
            match *types.get(at) {
                Type::Array(element, count) => {
                    let stride = types.size(element);
                    if stride == 0 {
                        break;
                    }
                    let count = match count {
                        // An array at the end of its object has all that is left.
                        0 => self.size.saturating_sub(position.offset) / stride,
                        _ => count,
                    };
                    enter(&mut rest, count, stride, &mut position);
                    at = element;
                }
                Type::Record(record) if !types.record(record).is_union => {
                    let fields = &types.record(record).fields;
                    let found = fields
                        .iter()
                        .filter(|field| field.bits.is_none())
                        .find(|it| {
                            let size = types.size(it.ty);
                            let is_open = size == 0 && it.offset <= rest;
                            it.offset <= rest && rest < it.offset + size || is_open
                        });
                    let Some(field) = found else {
                        break;
                    };
                    position.offset += field.offset;
                    rest -= field.offset;
                    at = field.ty;
                }
                _ => break,
            }
        }
        position.offset += rest;
        (position, indices)
    }

    /// The spot of an offset.
    pub(crate) fn spot(&self, types: &Types, offset: u64) -> Position {
        self.locate(types, offset, |_, _| false).0
    }

    /// Where something of that type begins at an offset: the arrays around it, not those in it.
    pub(crate) fn spot_of(&self, types: &Types, offset: u64, ty: TypeId) -> Position {
        let is_end = |at: TypeId, rest: u64| rest == 0 && types.same(at, ty);
        let (position, _) = self.locate(types, offset, is_end);
        position
    }
}

impl Shape {
    /// Where so many bytes begin at an offset: the arrays around the largest thing that begins
    /// there and is not larger.
    pub(crate) fn region(&self, types: &Types, offset: u64, size: u64) -> Position {
        let is_end = |at: TypeId, rest: u64| rest == 0 && types.size(at) <= size;
        self.locate(types, offset, is_end).0
    }
}

/// A scalar in something of a type: from which bit on, how many bits, in which arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// The first bit, relative to the start; of an array that of the first element.
    pub(crate) start: u64,
    pub(crate) width: u32,
    pub(crate) ty: TypeId,
    pub(crate) dims: Vec<Dim>,
}

/// All scalars in something of a type. Those in unions are left out.
pub(crate) fn scalars(types: &Types, ty: TypeId) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut work = vec![(ty, 0u64, Vec::<Dim>::new())];
    while let Some((at, offset, dims)) = work.pop() {
        match *types.get(at) {
            Type::Array(element, count) => {
                let stride = types.size(element);
                let mut dims = dims;
                dims.push(Dim { count, stride });
                work.push((element, offset, dims));
            }
            Type::Record(record) => {
                let record = types.record(record);
                if record.is_union {
                    continue;
                }
                for field in record.fields.iter().rev() {
                    match field.bits {
                        None => work.push((field.ty, offset + field.offset, dims.clone())),
                        Some(bits) => found.push(Scalar {
                            start: (offset + field.offset) * 8 + u64::from(bits.start),
                            width: bits.width,
                            ty: field.ty,
                            dims: dims.clone(),
                        }),
                    }
                }
            }
            _ => {
                if let Some(width) = scalar_bits(types, at) {
                    found.push(Scalar {
                        start: offset * 8,
                        width,
                        ty: at,
                        dims,
                    });
                }
            }
        }
    }
    found
}

/// The bits of a scalar in memory that count.
pub(crate) fn scalar_bits(types: &Types, ty: TypeId) -> Option<u32> {
    use recurva_cir::{Float, Scalar};
    Some(match types.scalar(ty)? {
        Scalar::Bool => 8,
        Scalar::Int(int) => u32::from(int.bits),
        Scalar::Float(Float::Single) => 32,
        Scalar::Float(Float::Double | Float::Extended) => 64,
        Scalar::Pointer => types.pointer_bytes as u32 * 8,
    })
}

/// Whether two types have the same layout, by a look at their heads.
trait Same {
    fn same(&self, left: TypeId, right: TypeId) -> bool;
}

impl Same for Types {
    fn same(&self, left: TypeId, right: TypeId) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (Type::Record(left), Type::Record(right)) => left == right,
            (Type::Array(left, m), Type::Array(right, n)) => {
                m == n && self.size(*left) == self.size(*right)
            }
            _ => match (self.scalar(left), self.scalar(right)) {
                (Some(_), Some(_)) => self.size(left) == self.size(right),
                _ => false,
            },
        }
    }
}

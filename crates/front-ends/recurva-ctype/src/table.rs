//! All types of a unit, each once, and what is computed from them.

use rustc_hash::FxHashMap;

use crate::{
    Enum, EnumId, FloatKind, Foreign, IntKind, Length, Record, RecordId, Target, Type, TypeId,
};

/// The types of a unit.
#[derive(Debug)]
pub struct Types {
    target: Target,
    list: Vec<Type>,
    numbers: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enum>,
}

impl Types {
    /// No types yet.
    pub fn new(target: Target) -> Self {
        Types {
            target,
            list: Vec::new(),
            numbers: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
        }
    }

    /// The number of a type.
    pub fn number(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.numbers.get(&ty) {
            return id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    /// A new record, whose fields are not known yet.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(self.records.len() as u32 - 1)
    }

    /// A new enumeration.
    pub fn add_enum(&mut self, enumeration: Enum) -> EnumId {
        self.enums.push(enumeration);
        EnumId(self.enums.len() as u32 - 1)
    }

    /// What a type is.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// A record, to complete it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// All enumerations.
    pub fn enumerations(&self) -> impl Iterator<Item = EnumId> + use<> {
        (0..self.enums.len() as u32).map(EnumId)
    }

    /// An enumeration, to complete it.
    pub fn enumeration_mut(&mut self, id: EnumId) -> &mut Enum {
        &mut self.enums[id.0 as usize]
    }

    /// The bits of an integer, and whether it has a sign; enumerations and `_Bool` (8, no) too.
    pub fn integer(&self, id: TypeId) -> Option<(u32, bool)> {
        match *self.get(id) {
            Type::Bool => Some((8, false)),
            Type::Int(kind) => Some((self.bits(kind), self.is_signed(kind))),
            Type::Wide { bits, is_signed } => Some((bits, is_signed)),
            Type::Enum(id) => {
                let kind = self.enumeration(id).kind.unwrap_or(IntKind::UnsignedInt);
                Some((self.bits(kind), self.is_signed(kind)))
            }
            _ => None,
        }
    }

    /// The bits of an integer.
    pub fn bits(&self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 8,
            IntKind::Short | IntKind::UnsignedShort => 16,
            IntKind::Int | IntKind::UnsignedInt => 32,
            IntKind::Long | IntKind::UnsignedLong => 8 * self.target.pointer_bytes as u32,
            IntKind::LongLong | IntKind::UnsignedLongLong => 64,
        }
    }

    /// Whether an integer has a sign.
    pub fn is_signed(&self, kind: IntKind) -> bool {
        match kind {
            IntKind::Char => self.target.is_char_signed,
            IntKind::SignedChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong => true,
            _ => false,
        }
    }

    /// The bytes of a type; `None` if it is not complete, is a function, or has a variable length.
    /// `void` and functions count as one byte, as in GNU C, where a pointer to them is stepped.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Bool | Type::Int(_) | Type::Enum(_) => u64::from(self.integer(id)?.0 / 8),
            Type::Wide { .. } => 8,
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::LongDouble) => self.target.long_double_bytes,
            Type::Pointer(_) => self.target.pointer_bytes,
            Type::Array(element, Length::Known(length)) => {
                self.size(element.ty)?.checked_mul(*length)?
            }
            Type::Array(..) => return None,
            Type::Record(id) => self.record(*id).layout.as_ref()?.size,
            Type::VaList => match self.target.pointer_bytes {
                4 => 4,
                _ => 24,
            },
            Type::Foreign(foreign) => match *foreign {
                Foreign::Int128 { .. } | Foreign::Complex | Foreign::Decimal => 16,
                Foreign::Float128 => 16,
                Foreign::Float16 => 2,
                Foreign::Vector { bytes } => bytes,
            },
        })
    }

    /// The alignment of a type in bytes, as that of a field.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) => self.align(element.ty),
            Type::Record(id) => self.record(*id).layout.as_ref().map_or(1, |it| it.align),
            Type::Float(FloatKind::LongDouble) => match self.target.long_double_bytes {
                12 => 4,
                bytes => bytes,
            },
            Type::VaList => self.target.pointer_bytes,
            _ => match self.size(id).unwrap_or(1) {
                8 => self.target.wide_align,
                size => size.max(1),
            },
        }
    }
}

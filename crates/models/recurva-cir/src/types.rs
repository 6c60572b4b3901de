//! Types: what is in memory. Layouts are fixed.

/// A type of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A structure or a union of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enumeration of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// An integer: two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int {
    /// 1 to 64. In memory it has as many bytes as the next power of two of them has room for.
    pub bits: u8,
    /// Whether it has a sign.
    pub is_signed: bool,
}

/// A floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Float {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
    /// `long double`: computed as 64 bits, which differs from the machine's; whoever uses it says so.
    Extended,
}

/// The type of a value that expressions compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// True or false. Never in memory: C's `_Bool` is an integer of 8 bits that is 0 or 1.
    Bool,
    /// An integer.
    Int(Int),
    /// A floating-point number.
    Float(Float),
    /// An address: of an object with an offset, of a function, null, or a bare number.
    Pointer,
}

/// What lies in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nothing: what a `void *` points to.
    Void,
    /// `_Bool`: a byte that is 0 or 1.
    Bool,
    /// An integer.
    Int(Int),
    /// An integer whose values have names.
    Enum(Int, EnumId),
    /// `char`: an integer of 8 bits that is shown as a character.
    Char(Int),
    /// A floating-point number.
    Float(Float),
    /// A pointer to something of that type.
    Pointer(TypeId),
    /// So many of a type. Of unknown length: 0.
    Array(TypeId, u64),
    /// A structure or a union.
    Record(RecordId),
    /// A function: what a pointer points to.
    Function,
    /// A list of further arguments.
    VaList,
}

/// A structure or a union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag; empty if it has none.
    pub name: Box<str>,
    /// Whether its fields lie on each other.
    pub is_union: bool,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for a record without one.
    pub name: Box<str>,
    /// Its type.
    pub ty: TypeId,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Of a bit-field: its bits, counted from the lowest one of the byte at `offset`, in little-endian
    /// order. The first byte has one of them.
    pub bits: Option<Bits>,
}

/// The bits of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The lowest one.
    pub start: u32,
    /// How many there are.
    pub width: u32,
}

impl Bits {
    /// The bytes that they touch, from the one with the lowest.
    pub fn bytes(self) -> u64 {
        u64::from(self.start + self.width).div_ceil(8)
    }
}

/// The names of an enumeration's values.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its tag; empty if it has none.
    pub name: Box<str>,
    /// Its constants.
    pub constants: Vec<(Box<str>, i64)>,
}

/// The types of a module.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// The types.
    pub list: Vec<Type>,
    /// The structures and unions.
    pub records: Vec<Record>,
    /// The enumerations.
    pub enums: Vec<Enumeration>,
    /// The bytes of a pointer: 4 or 8.
    pub pointer_bytes: u64,
    /// The bytes of a `long double`.
    pub extended_bytes: u64,
}

impl Types {
    /// What a type is.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    /// A structure or a union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The bytes of a type; of an incomplete one none.
    pub fn size(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Void | Type::Function => 0,
            Type::Bool => 1,
            Type::Int(int) | Type::Enum(int, _) | Type::Char(int) => int.bytes(),
            Type::Float(Float::Single) => 4,
            Type::Float(Float::Double) => 8,
            Type::Float(Float::Extended) => self.extended_bytes,
            Type::Pointer(_) => self.pointer_bytes,
            Type::Array(element, length) => self.size(element).saturating_mul(length),
            Type::Record(record) => self.record(record).size,
            Type::VaList => match self.pointer_bytes {
                4 => 4,
                _ => 24,
            },
        }
    }

    /// What a value of this type is in an expression; `None` for arrays and records, which are
    /// only copied.
    pub fn scalar(&self, id: TypeId) -> Option<Scalar> {
        match *self.get(id) {
            Type::Bool => Some(Scalar::Int(Int::BYTE)),
            Type::Int(int) | Type::Enum(int, _) | Type::Char(int) => Some(Scalar::Int(int)),
            Type::Float(float) => Some(Scalar::Float(float)),
            Type::Pointer(_) => Some(Scalar::Pointer),
            _ => None,
        }
    }
}

impl Int {
    /// The bytes that it has in memory.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits).div_ceil(8).next_power_of_two()
    }

    /// A byte without a sign.
    pub const BYTE: Int = Int {
        bits: 8,
        is_signed: false,
    };

    /// `int`
    pub const INT: Int = Int {
        bits: 32,
        is_signed: true,
    };
}

//! The types of a unit.

use recurva_syntax::Span;

/// A type of a unit, without qualifiers: equal types have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A structure or a union of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enumeration of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A type with its qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Qualified {
    /// The type.
    pub ty: TypeId,
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
}

impl Qualified {
    /// A type without qualifiers.
    pub const fn plain(ty: TypeId) -> Self {
        Qualified {
            ty,
            is_const: false,
            is_volatile: false,
        }
    }

    /// Another type with the same qualifiers.
    #[must_use]
    pub const fn of(self, ty: TypeId) -> Self {
        Qualified { ty, ..self }
    }

    /// With the qualifiers of another one as well.
    #[must_use]
    pub const fn and(self, other: Qualified) -> Self {
        Qualified {
            ty: self.ty,
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
        }
    }
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer.
    Int(IntKind),
    /// What GCC computes with where a bit-field is wider than `int` and narrower than its declared
    /// type: an integer of 33 to 63 bits.
    Wide {
        /// How many bits it has.
        bits: u32,
        /// Whether it has a sign.
        is_signed: bool,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Pointer(Qualified),
    /// An array.
    Array(Qualified, Length),
    /// A function.
    Function(FunctionType),
    /// A structure or a union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// `__builtin_va_list`
    VaList,
    /// One that programs may name but not compute with here: complex and decimal numbers, vectors,
    /// numbers of 128 bits.
    Foreign(Foreign),
}

/// Integers of the language. `char` is a type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
}

/// Floating-point numbers of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
}

/// Types without a meaning here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// `__int128`, signed or not.
    Int128 {
        /// Whether it has a sign.
        is_signed: bool,
    },
    /// `_Complex`
    Complex,
    /// `_Decimal64` and the like
    Decimal,
    /// `__float128`
    Float128,
    /// `_Float16`
    Float16,
    /// `__attribute__((vector_size(n)))`
    Vector {
        /// How many bytes.
        bytes: u64,
    },
}

/// The length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many elements.
    Known(u64),
    /// Not known yet, or never: `extern int a[];`, the last field of a structure.
    Unknown,
    /// Computed when the declaration is reached, into this local variable of the function.
    Variable(u32),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Qualified,
    /// Its parameters, arrays and functions as pointers already.
    pub parameters: Vec<Qualified>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// Whether nothing is known of its parameters: `int f();`.
    pub is_old_style: bool,
}

/// A structure or a union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, or the name of the first `typedef` of one without.
    pub name: Option<Box<str>>,
    /// Whether its fields lie on each other.
    pub is_union: bool,
    /// Where it is declared.
    pub span: Span,
    /// What is known of it once its fields are.
    pub layout: Option<Layout>,
}

/// Where the fields of a record are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Its fields. Records without a name are fields without one.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Option<Box<str>>,
    /// Its type; of a bit-field, the one that is declared.
    pub ty: Qualified,
    /// Where it begins, in bytes. Of a bit-field, where the unit of its declared type begins.
    pub offset: u64,
    /// Of a bit-field, its bits within that unit, counted from the lowest.
    pub bits: Option<Bits>,
    /// Where it is declared.
    pub span: Span,
}

/// The bits of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The lowest one. May be beyond the unit's first byte.
    pub start: u32,
    /// How many there are.
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its tag, or the name of the first `typedef` of one without.
    pub name: Option<Box<str>>,
    /// The integer that it is; `None` before its constants are known.
    pub kind: Option<IntKind>,
    /// Its constants with their values.
    pub constants: Vec<(Box<str>, i128)>,
    /// Where it is declared.
    pub span: Span,
}

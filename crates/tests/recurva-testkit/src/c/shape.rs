//! What variables are, and the types they have.

/// The integer types by the names that C has for them; the enumerations have the program's number.
pub(super) const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An integer of that type.
    Integer(String),
    /// `float` or `double`.
    Float(&'static str),
    /// So many integers, a power of two.
    Array(String, usize),
    /// Rows and columns of integers, both powers of two.
    Matrix(String, usize, usize),
    /// A structure or a union.
    Record(usize),
    /// So many of them, a power of two.
    Records(usize, usize),
    /// A pointer to an integer.
    Pointer(String),
    /// A pointer to the first of so many integers.
    Into(String, usize),
    /// A pointer to a structure or a union.
    ToRecord(usize),
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// It never changes.
    pub(super) is_frozen: bool,
    /// Only its function changes it, and only by its name.
    pub(super) is_private: bool,
    /// It is there as long as the program runs.
    pub(super) is_static: bool,
}

/// A structure or a union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// `struct r1` or `union r2`.
    pub(super) name: String,
    pub(super) is_union: bool,
    /// Its integers, those of records in it too.
    pub(super) leaves: Vec<Leaf>,
}

/// An integer in a record, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Where it is: `.a.b`.
    pub(super) path: String,
    /// The length if it is an array, a power of two.
    pub(super) length: Option<usize>,
    pub(super) is_bit_field: bool,
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    /// The variable, if it is a whole private one.
    pub(super) private: Option<String>,
    /// What is assigned does not depend on what else an assignment does.
    pub(super) is_fixed: bool,
}

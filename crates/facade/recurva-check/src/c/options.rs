//! How C is read.

use recurva_cir::Check;
use recurva_syntax::Source;

/// How a C program is read and what counts as an error in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct COptions {
    /// Further units, by which the program is whole.
    pub units: Vec<Source>,
    /// Options of the compiler: `-Iinclude`, `-DX`.
    pub compiler: Vec<String>,
    /// The widths of `long` and of pointers, if they are not the compiler's own.
    pub machine: Option<DataModel>,
    /// The function where runs begin; `main` if none is given.
    pub entry: Option<String>,
    /// What else must not happen.
    pub checks: Vec<CCheck>,
    /// How many objects that one place allocates may be there at a time. What has more is not
    /// decided.
    pub objects: u32,
    /// Whether a violation is compiled and executed.
    pub execute: bool,
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            units: Vec::new(),
            compiler: Vec::new(),
            machine: None,
            entry: None,
            checks: Vec::new(),
            objects: 4,
            execute: true,
        }
    }
}

/// The widths of `long` and of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 32 bits.
    Ilp32,
    /// 64 bits.
    Lp64,
}

impl DataModel {
    /// The option of the compiler that chooses it.
    pub(super) fn option(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}

/// What must not happen in a C program, if that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CCheck {
    /// A signed result that does not fit its type.
    Overflow,
    /// A division by zero.
    Division,
    /// A shift by too much.
    Shift,
    /// An index or a pointer outside its object.
    Bounds,
    /// The use of a null pointer.
    Null,
    /// The use of an object that is gone, and wrong calls of `free`.
    Free,
    /// Memory that is not freed.
    Leak,
    /// The use of a value that was never given.
    Uninitialised,
}

impl CCheck {
    /// All of them.
    pub const ALL: [CCheck; 8] = [
        CCheck::Overflow,
        CCheck::Division,
        CCheck::Shift,
        CCheck::Bounds,
        CCheck::Null,
        CCheck::Free,
        CCheck::Leak,
        CCheck::Uninitialised,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            CCheck::Overflow => "overflow",
            CCheck::Division => "division",
            CCheck::Shift => "shift",
            CCheck::Bounds => "bounds",
            CCheck::Null => "null",
            CCheck::Free => "free",
            CCheck::Leak => "leak",
            CCheck::Uninitialised => "uninitialised",
        }
    }

    /// The checks of the program that it stands for.
    pub(super) fn checks(self) -> &'static [Check] {
        match self {
            CCheck::Overflow => &[Check::Overflow],
            CCheck::Division => &[Check::Division],
            CCheck::Shift => &[Check::Shift],
            CCheck::Bounds => &[Check::Bounds],
            CCheck::Null => &[Check::Null],
            CCheck::Free => &[Check::Free, Check::Lifetime],
            CCheck::Leak => &[Check::Leak],
            CCheck::Uninitialised => &[Check::Uninitialised],
        }
    }
}

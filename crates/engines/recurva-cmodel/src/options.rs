//! What is asked, and how large the model may become.

use recurva_cir::Check;

/// What counts as an error.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Whether errors of the program itself count: failed assertions and calls of error functions.
    pub errors: bool,
    /// The kinds of checks that count. A run goes on behind any other check only where it holds.
    pub checks: Vec<Check>,
    /// Labels of the source that must not be reached, by name.
    pub labels: Vec<Box<str>>,
    /// Functions that must not be called, by name.
    pub functions: Vec<Box<str>>,
}

impl Wanted {
    /// Failed assertions and calls of error functions.
    pub fn errors() -> Self {
        Wanted {
            errors: true,
            ..Wanted::default()
        }
    }

    /// Whether a kind of check counts.
    pub fn has(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }
}

/// How large the model may become, and what is done to make it small.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// How many objects of one allocation site, or instances of one local variable of a recursive
    /// function whose address is taken, can be alive at a time. More lead to a limit.
    pub objects: u32,
    /// How many bytes an object has whose size is not known; a larger one leads to a limit.
    pub bytes: u64,
    /// How many elements an array may have. Accesses to a larger one lead to a limit.
    pub elements: u64,
    /// How memory is kept.
    pub memory: Memory,
    /// Whether numbers that are only compared with constants are replaced by the class they are in.
    pub classes: bool,
    /// Whether variables that never change are replaced by their values.
    pub constants: bool,
}

/// How memory is kept. Anything but the default is for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Each object by its fields; as bytes only where somebody looks at bytes.
    #[default]
    Fields,
    /// Every variable as if its address were taken.
    Addressed,
    /// Every object as bytes.
    Bytes,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            objects: 4,
            bytes: 64,
            elements: 1 << 17,
            memory: Memory::Fields,
            classes: true,
            constants: true,
        }
    }
}

//! What can be asked of a build.

use recurva_cir::Check;

/// How a program is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where runs begin.
    pub entry: Entry,
    /// Which functions are built.
    pub scope: Scope,
    /// Kinds of checks that are put in besides those without which an operation has no meaning:
    /// [`Check::Overflow`], [`Check::Shift`], [`Check::Uninitialised`], [`Check::Conversion`].
    /// Checks of divisions, pointers, indices, calls and `free` are always there. [`Check::Leak`]
    /// adds nothing: whoever runs the program looks at its memory when it ends.
    pub checks: Vec<Check>,
    /// Functions whose calls are errors, besides `reach_error` and `__VERIFIER_error`.
    pub error_functions: Vec<String>,
    /// What `abort()` is.
    pub abort: Abort,
    /// What calls of functions without a body are.
    pub externals: Externals,
    /// Whether `malloc` and its like may return null.
    pub allocation: Allocation,
    /// What `main` is given.
    pub arguments: Arguments,
    /// Which models of the library are used.
    pub library: Library,
    /// Places that are to have a node, for those who say something about them.
    pub marks: Vec<Mark>,
}

/// A place of a unit that is to have a node, where all runs come that come to the place, and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark {
    /// The number of the unit's text.
    pub text: usize,
    /// An offset in it.
    pub offset: u32,
    /// What is there.
    pub kind: MarkKind,
}

/// What a marked place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// A place between statements: before the one that begins there, or at the end of a block.
    Between,
    /// The head of the loop that begins there: where its condition is tested, or, of `do`, where its body
    /// begins.
    LoopHead,
}

/// Where runs begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// At `main`.
    Main,
    /// At a function, which is called with any arguments: numbers are unknown, pointers are null or
    /// point to an unknown object of their own. Globals have their initial values.
    Function(String),
}

/// Which functions are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those that the entry may reach by calls and by addresses that are taken on the way.
    Reachable,
    /// All. The program may lack an entry then; a function that does nothing stands for it.
    All,
}

/// What `abort()` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abort {
    /// The end of the program.
    End,
    /// An error.
    Error,
}

/// What calls of functions without a body are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Externals {
    /// Any value of the result's type; nothing else changes.
    Unknown,
    /// Calls, for whoever runs the program to carry out.
    Called,
}

/// Whether memory runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Never.
    Succeeds,
    /// At any time.
    MayFail,
}

/// What `main` is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Up to so many arguments (the program's name counts), of up to so many characters.
    Unknown {
        /// How many arguments at most.
        count: u32,
        /// How many characters at most.
        length: u32,
    },
    /// These.
    Fixed(Vec<String>),
}

/// Which models of the library are used, for functions that the program calls and does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// All.
    All,
    /// Those of functions that only compute; not those for input and output, which whoever runs
    /// the program provides.
    Computing,
    /// None.
    None,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            entry: Entry::Main,
            scope: Scope::Reachable,
            checks: Vec::new(),
            error_functions: Vec::new(),
            abort: Abort::End,
            externals: Externals::Unknown,
            allocation: Allocation::Succeeds,
            arguments: Arguments::Unknown {
                count: 2,
                length: 7,
            },
            library: Library::All,
            marks: Vec::new(),
        }
    }
}

impl BuildOptions {
    /// Whether a kind of check was asked for.
    pub fn has(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }
}

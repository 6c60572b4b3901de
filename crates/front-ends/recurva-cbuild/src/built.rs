//! What a build gives.

use recurva_cir::{FunctionId, Module, NodeId, Origin};

/// A program that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program.
    pub module: Module,
    /// What had to be assumed, each once.
    pub assumed: Vec<Assumed>,
    /// The nodes of the places that were marked, in their order; none where no run can come.
    pub marked: Vec<Option<(FunctionId, NodeId)>>,
}

/// Something that an answer about the program depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// What it is.
    pub what: Assumption,
    /// Where the program first relies on it.
    pub origin: Origin,
}

/// What is assumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// A function without a body returns any value and changes nothing.
    ExternalFunction(Box<str>),
    /// A function without a body does not return.
    ExternalStops(Box<str>),
    /// A variable that is defined nowhere has any value at first.
    ExternalVariable(Box<str>),
    /// A function of the library does what our model of it does.
    Model(Box<str>),
    /// The program gets no more than so many arguments, of no more than so many characters.
    Arguments {
        /// How many arguments.
        count: u32,
        /// How many characters.
        length: u32,
    },
    /// The function where runs begin gets pointers that are null or point to one unknown object
    /// of their own.
    Inputs(Box<str>),
    /// Memory does not run out.
    AllocationSucceeds,
}

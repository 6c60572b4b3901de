//! What edges do.

use crate::{Expr, FunctionId, Place};

/// What an edge does. If it cannot be done, the edge cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// Goes on only where a `Bool` is true.
    Assume(Expr),
    /// Something must hold here, or the program has an error of that kind. If nobody asked for that
    /// kind, a run goes on only where it holds: what happens otherwise is undefined.
    Check(Check, Expr),
    /// The program has failed: a call of an error function, a failed assertion. Nothing follows.
    Error(ErrorKind),
    /// Gives a scalar a value of its type.
    Assign(Place, Expr),
    /// Copies a record or an array; the two are the same, or do not overlap.
    Copy(Place, Place),
    /// Fills a place with zero bytes.
    Zero(Place),
    /// Gives a place any value of its type.
    Havoc(Place, Unknown),
    /// Calls a function. Control goes on at the edge's target when it returns.
    Call {
        /// Which one.
        callee: Callee,
        /// The arguments; beyond the parameters, those of `...`.
        arguments: Vec<Argument>,
        /// Where the result goes. It has the type of the function's result.
        result: Option<Place>,
    },
    /// Makes a new object of so many bytes and stores its address.
    Allocate {
        /// Where the address goes.
        result: Place,
        /// How many bytes.
        size: Expr,
        /// What kind of object.
        storage: Storage,
        /// Whether all bytes are zero at first; otherwise they have any value.
        is_zeroed: bool,
    },
    /// Ends the life of an object on the heap; nothing if the pointer is null.
    Free(Expr),
    /// Copies so many bytes from where one pointer points to to where another does, as if through a
    /// buffer.
    CopyBytes {
        /// To where.
        to: Expr,
        /// From where.
        from: Expr,
        /// How many.
        count: Expr,
    },
    /// Sets so many bytes to a value.
    FillBytes {
        /// Where.
        to: Expr,
        /// The value, an integer that is cut to 8 bits.
        value: Expr,
        /// How many.
        count: Expr,
    },
    /// Begins a list of the arguments behind the parameters.
    VaStart(Place),
    /// Stores the next argument of a list, which must have the place's type.
    VaArg {
        /// The list.
        list: Place,
        /// Where it goes.
        result: Place,
    },
    /// Copies a list as far as it has got.
    VaCopy {
        /// To.
        to: Place,
        /// From.
        from: Place,
    },
    /// The program ends with an exit code, as by `exit`.
    Exit(Expr),
    /// The program ends without having failed in what was asked: `abort`, a trap.
    Abort,
    /// What has no meaning here. Whoever asks something that can reach it is told so.
    Unsupported(Box<str>),
}

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// A signed result fits its type.
    Overflow,
    /// A divisor is not zero.
    Division,
    /// An amount of shift is in range, and what is shifted left is not negative.
    Shift,
    /// An index is inside its array; a pointer stays inside its object.
    Bounds,
    /// A pointer that is used is not null.
    Null,
    /// A pointer that is used points to something alive: not to what is freed or gone.
    Lifetime,
    /// What is freed can be freed.
    Free,
    /// Everything allocated is freed at the end of the program.
    Leak,
    /// A value that is used has been given one.
    Uninitialised,
    /// A function pointer points to a function, and arguments fit.
    Call,
    /// A floating-point number that becomes an integer fits it.
    Conversion,
}

/// How a program fails by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// `assert(e)`: the text of the condition.
    Assertion(Box<str>),
    /// A call of a function that stands for an error: `reach_error`, `__VERIFIER_error`.
    Call(Box<str>),
    /// `abort()`, where that was asked for.
    Abort,
}

/// Why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// The program asked for any value: `__VERIFIER_nondet_int`.
    Nondet(Box<str>),
    /// A variable was not given a value.
    Uninitialised,
    /// A function without a body returned it.
    External(Box<str>),
    /// Whether there is memory for an object.
    Memory,
    /// An argument of the function where the program begins, or what the system gives.
    Input,
    /// A computation with floating-point numbers, or another one, that is not carried out.
    NotComputed,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function.
    Function(FunctionId),
    /// Whatever a pointer points to.
    Pointer(Expr),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A scalar.
    Value(Expr),
    /// A record, which is copied.
    Record(Place),
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the function returns: `alloca`, arrays of variable length.
    Stack,
}

/// What a function without a body does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum External {
    /// Returns any value and changes nothing.
    Unknown,
    /// Never returns, and fails in nothing that was asked.
    Stops,
}

/// A value that a run was free to choose: the bytes given to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The bytes.
    pub bytes: Vec<u8>,
}

//! What comes out: a program, and what its parts stand for.

use std::{fmt, sync::Arc};

use recurva_cir::{Check, ErrorKind, FunctionId, GlobalId, LocalId, Origin};
use recurva_model::{EdgeId, Malformed, Point, ProcId, Program, Stop, VarRef};

/// The label of all nodes that are errors.
pub const ERROR: &str = "(error)";

/// The label of all nodes where the model ends although the program may go on.
pub const LIMIT: &str = "(limit)";

/// A C program as a program of the model.
///
/// A run to one of [`Self::errors`] counts after it was replayed on C. That no error is reachable
/// counts only if none of [`Self::limits`] is reachable either and no note
/// [leaves runs out](Note::leaves_out_runs).
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program. All errors have the label [`ERROR`], all limits [`LIMIT`]; labels of the
    /// source have their own names.
    pub program: Arc<Program>,
    /// The nodes that are errors.
    pub errors: Vec<Failed>,
    /// The nodes where the model ends.
    pub limits: Vec<Limit>,
    /// Where the model differs from the program.
    pub notes: Vec<Note>,
    /// For each procedure the function it stands for; none for the one that begins a run, which
    /// gives globals their initial values and calls the entry.
    pub functions: Vec<Option<FunctionId>>,
    /// What the program's variables are in C.
    pub shown: Vec<Shown>,
    /// The variables that pointers can point to.
    pub addressed: Vec<Addressed>,
    pub(crate) edges: Vec<Vec<EdgeInfo>>,
    /// Where each source begins when all of them stand behind each other.
    pub(crate) sources: Vec<u32>,
}

/// A node that is an error.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The node.
    pub point: Point,
    /// Why.
    pub kind: Failure,
    /// What fails.
    pub origin: Origin,
}

/// Why a node is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program says so.
    Error(ErrorKind),
    /// A check does not hold.
    Check(Check),
    /// A label of that name is reached.
    Label(Box<str>),
    /// A function of that name is called.
    Function(Box<str>),
}

/// A node where the model ends although the program may go on.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The node.
    pub point: Point,
    /// Why.
    pub reason: LimitReason,
    /// What is not modelled.
    pub origin: Origin,
}

/// Why the model ends somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LimitReason {
    /// An operation without a meaning.
    Unsupported(Box<str>),
    /// A pointer that points to nothing the model knows of, or not to a part of that type.
    Pointer,
    /// A pointer that leaves its object, or a number as a pointer.
    Address,
    /// An index outside its array.
    Index,
    /// More objects at a time than there may be.
    Objects(u32),
    /// An object with more bytes than there may be.
    Bytes(u64),
    /// An array with more elements than there may be.
    Elements(u64),
    /// Further arguments of a call.
    Variadic,
    /// A call whose arguments do not fit.
    Arguments,
    /// Whether memory has been given a value is not followed.
    Initialised,
    /// A constant object is written.
    Constant,
    /// A value with more cases than are told apart.
    Cases,
}

impl fmt::Display for LimitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitReason::Unsupported(what) => write!(f, "{what} is not supported"),
            LimitReason::Pointer => f.write_str("a pointer to something that is not modelled"),
            LimitReason::Address => f.write_str("a pointer outside its object"),
            LimitReason::Index => f.write_str("an index outside its array"),
            LimitReason::Objects(most) => write!(f, "more than {most} objects at a time"),
            LimitReason::Bytes(most) => write!(f, "an object of more than {most} bytes"),
            LimitReason::Elements(most) => write!(f, "an array of more than {most} elements"),
            LimitReason::Variadic => f.write_str("arguments behind the parameters"),
            LimitReason::Arguments => f.write_str("a call whose arguments do not fit"),
            LimitReason::Initialised => {
                f.write_str("whether memory has been given a value is not followed")
            }
            LimitReason::Constant => f.write_str("a constant is changed"),
            LimitReason::Cases => f.write_str("a value that depends on too many pointers"),
        }
    }
}

/// A difference between the model and the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What differs.
    pub kind: NoteKind,
    /// Where.
    pub origin: Origin,
}

/// What differs between the model and the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A computation with floating-point numbers has any result.
    Float,
    /// A function without a body returns any value and changes nothing.
    External,
    /// Addresses are reused as soon as an object is gone, so a pointer to it may seem to be alive.
    Reused,
    /// An unknown pointer is null or one of few numbers that are no addresses.
    UnknownPointer,
    /// A program computes with addresses, which are others than in a real run.
    Addresses,
}

impl Note {
    /// Whether the model may lack runs of the program: then "holds" does not count.
    pub fn leaves_out_runs(&self) -> bool {
        match self.kind {
            NoteKind::Float | NoteKind::External | NoteKind::Reused => false,
            NoteKind::UnknownPointer | NoteKind::Addresses => true,
        }
    }
}

/// How the model's runs compare with the program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// They are the same, as far as no limit is reached.
    Exact,
    /// The model may have more: a violation must be confirmed on C.
    Over,
    /// The model may have fewer: "holds" does not count.
    Under,
    /// Both.
    Neither,
}

/// What a variable of the program is in C.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The procedure whose local it is; `None` for a global.
    pub procedure: Option<ProcId>,
    /// The variable.
    pub variable: VarRef,
    /// What it stands for.
    pub what: ShownAs,
}

/// A variable that pointers can point to.
#[derive(Clone, Debug)]
pub struct Addressed {
    /// The variable, a global.
    pub variable: VarRef,
    /// The number that a pointer to it is, or to its first element.
    pub address: u64,
    /// Its bits, or those of each element.
    pub width: u32,
    /// Whether these are pointers.
    pub is_pointer: bool,
    /// The arrays that its elements are in, outermost first: how many elements they have, and how many
    /// bytes lie from one to the next. Objects that are there several times are an array of them.
    pub arrays: Vec<(u64, u64)>,
}

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownAs {
    /// Part of a variable with static storage: so many bits from that bit on; of an array that
    /// of the first element.
    Global(GlobalId, u64, u32),
    /// Part of a function's variable.
    Local(FunctionId, LocalId, u64, u32),
    /// Part of the objects that an edge of a function allocates.
    Heap(FunctionId, u32, u64, u32),
    /// Made up.
    Hidden,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nobody waited for it.
    Stopped,
    /// A wanted label or function is not in the program.
    NotFound(Box<str>),
    /// The function where runs begin has no body.
    NoEntry,
    /// The module or this lowering is wrong.
    Wrong(Malformed),
}

impl From<Stop> for Refused {
    fn from(_: Stop) -> Self {
        Refused::Stopped
    }
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Self {
        Refused::Wrong(malformed)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Stopped => f.write_str("stopped before it was done"),
            Refused::NotFound(name) => write!(f, "there is no {name} in the program"),
            Refused::NoEntry => f.write_str("the function where runs begin has no body"),
            Refused::Wrong(malformed) => malformed.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// What an edge of the program comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeInfo {
    /// The index of the edge in its function.
    pub(crate) edge: Option<u32>,
    /// What it chooses, in order.
    pub(crate) chosen: Vec<Chosen>,
}

/// The bytes that a step chose for a place, or for a new object.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Whether they are those of a new object.
    pub(crate) is_allocation: bool,
    /// How many.
    pub(crate) size: u64,
    /// Which choices of the step make them; all other bits are 0.
    pub(crate) parts: Vec<ChosenPart>,
}

/// Some bits of what was chosen.
#[derive(Clone, Debug)]
pub(crate) struct ChosenPart {
    /// The number of the choice on its edge.
    pub(crate) which: u32,
    /// The lowest bit that it gives.
    pub(crate) start: u64,
    /// How many bits.
    pub(crate) width: u32,
    /// The number that each value of the choice stands for, if it is not itself.
    pub(crate) table: Option<Arc<[u64]>>,
}

impl Lowered {
    /// The function that an edge of the program comes from, and the index of its edge there; `None`
    /// if it was made up.
    pub fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(FunctionId, usize)> {
        let info = &self.edges[procedure.index()][edge.index()];
        let function = self.functions[procedure.index()]?;
        info.edge.map(|index| (function, index as usize))
    }

    /// The place in C of a place of the program, in which all sources stand behind each other.
    pub fn origin(&self, origin: recurva_model::Origin) -> Origin {
        let source = self.sources.partition_point(|&start| start <= origin.start);
        let source = source.saturating_sub(1);
        let start = self.sources.get(source).copied().unwrap_or(0);
        Origin {
            source: recurva_cir::SourceId(source as u32),
            start: origin.start - start,
            end: origin.end.saturating_sub(start),
        }
    }

    /// The points that are errors.
    pub fn error_points(&self) -> Vec<Point> {
        self.errors.iter().map(|failed| failed.point).collect()
    }

    /// The points where the model ends.
    pub fn limit_points(&self) -> Vec<Point> {
        self.limits.iter().map(|limit| limit.point).collect()
    }

    /// How the model's runs compare with the program's.
    pub fn precision(&self) -> Precision {
        let under = self.notes.iter().any(Note::leaves_out_runs);
        let over = self.notes.iter().any(|note| !note.leaves_out_runs());
        match (over, under) {
            (false, false) => Precision::Exact,
            (true, false) => Precision::Over,
            (false, true) => Precision::Under,
            (true, true) => Precision::Neither,
        }
    }
}

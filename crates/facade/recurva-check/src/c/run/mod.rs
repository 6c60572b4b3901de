//! A run of a C program as people follow it: statement by statement, with the values that change in
//! C's own terms.
//!
//! The interpreter of `cir` executes the run with a real stack, and what it does is recorded: the steps
//! of one statement are one, what our models of the library do belongs to the statement that calls
//! them, and variables that nobody wrote do not show. Of a very long run the beginning and the end are
//! kept, and how much lies between.

mod fold;
mod record;
mod statements;

pub use fold::{CFolding, CShown};
pub(super) use record::{Recorder, Tap, Window};
pub(super) use statements::Statements;

use recurva_model::Origin;

/// A run of a C program.
#[derive(Clone, Debug)]
pub struct CRun {
    /// The program's variables at the beginning.
    pub globals: Vec<CValue>,
    /// What happened, in order.
    pub steps: Vec<CStep>,
    /// How many statements were executed, calls and returns counted, those too that are not kept.
    pub length: u64,
    /// Where it has got to.
    pub end: CEnd,
}

/// A statement that was executed, or part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CStep {
    /// What kind of step it is.
    pub kind: CKind,
    /// Where, in the user's files.
    pub origin: Origin,
    /// Whether a statement or a declaration begins there, not only a part of one.
    pub is_beginning: bool,
    /// How many calls were under way.
    pub depth: usize,
    /// The function that was running.
    pub function: Box<str>,
    /// If it is a condition: whether it was true.
    pub truth: Option<bool>,
    /// What functions without a body returned, and variables without a definition began with.
    pub inputs: Vec<CInput>,
    /// What else is to be said: `malloc#1 is freed`.
    pub notes: Vec<String>,
    /// What it changed.
    pub changes: Vec<CChange>,
}

/// What kind of step it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CKind {
    /// The program begins, with these arguments.
    Start(Vec<CValue>),
    /// A statement, or part of one.
    Statement,
    /// A call.
    Call {
        /// Which one: its return has the same number.
        call: u64,
        /// The function.
        callee: Box<str>,
        /// What it is given.
        arguments: Vec<CValue>,
        /// The expression that calls it.
        place: Origin,
    },
    /// A return.
    Return {
        /// The call that it ends.
        call: u64,
        /// The function that returns.
        callee: Box<str>,
        /// What it returns.
        value: Option<String>,
    },
    /// Steps that are not kept.
    Gap {
        /// How many.
        steps: u64,
    },
}

/// A value that came from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CInput {
    /// Who gave it: a function without a body, or a variable without a definition.
    pub from: Box<str>,
    /// Whether it is a function.
    pub is_call: bool,
    /// The expression that calls it, or where the variable is declared.
    pub place: Origin,
    /// The value.
    pub value: String,
}

/// A part of memory with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CValue {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A part of memory that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CChange {
    /// What is called what there, and its new value: `a[3]`, `malloc#1.next`.
    pub part: CValue,
    /// The whole variable with its new value, if it is one.
    pub whole: Option<CValue>,
    /// Whose it is.
    pub owner: COwner,
}

/// Whose variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum COwner {
    /// The program's; of static storage, or allocated.
    Program,
    /// That of a call, by how many calls were under way below it.
    Call(usize),
}

/// Where a run has got to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CEnd {
    /// The calls that have not returned, the innermost last. Of a deep stack only those at its ends.
    pub stack: Vec<CFrame>,
    /// How many calls are left out.
    pub hidden: usize,
    /// How many of those before them are in the list.
    pub before: usize,
    /// The program's variables.
    pub globals: Vec<CValue>,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CFrame {
    /// The function.
    pub function: Box<str>,
    /// Where it has got to.
    pub origin: Origin,
    /// Its variables; the parameters first.
    pub locals: Vec<CValue>,
    /// How many of them are parameters.
    pub parameters: usize,
}

impl CRun {
    /// Where it ends.
    pub fn end_place(&self) -> Origin {
        self.end
            .stack
            .last()
            .map_or_else(Origin::default, |frame| frame.origin)
    }
}

impl CStep {
    /// How many statements it stands for.
    pub fn steps(&self) -> u64 {
        match self.kind {
            CKind::Gap { steps } => steps,
            CKind::Start(_) => 0,
            _ => 1,
        }
    }

    /// Of a call, or of the beginning of the program: the function with its arguments, `f(x=1)`.
    pub fn invocation(&self) -> Option<String> {
        match &self.kind {
            CKind::Start(arguments) => Some(invocation(&self.function, arguments)),
            CKind::Call {
                callee, arguments, ..
            } => Some(invocation(callee, arguments)),
            _ => None,
        }
    }

    /// What came from outside and is not to be seen in what changed.
    pub fn unseen_inputs(&self) -> impl Iterator<Item = &CInput> {
        let is_seen = |input: &&CInput| {
            let mut changes = self.changes.iter();
            !changes.any(|change| change.part.value == input.value)
        };
        self.inputs.iter().filter(is_seen)
    }

    /// What is to be said besides what changed: whether a condition was true, what was called, what
    /// came from outside.
    pub fn remarks(&self) -> Vec<String> {
        let mut out = Vec::new();
        out.extend(self.truth.map(|truth| format!("({truth})")));
        if let (CKind::Call { .. }, Some(invocation)) = (&self.kind, self.invocation()) {
            out.push(format!("→ {invocation}"));
        }
        out.extend(self.unseen_inputs().map(CInput::to_string));
        out.extend(self.notes.iter().cloned());
        out
    }
}

impl std::fmt::Display for CInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let call = if self.is_call { "()" } else { "" };
        write!(f, "{}{call}={}", self.from, self.value)
    }
}

impl std::fmt::Display for CValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl CFrame {
    /// The call as it is written: `f(x=1)`.
    pub fn invocation(&self) -> String {
        invocation(&self.function, &self.locals[..self.parameters])
    }
}

/// A call with its arguments: `f(x=1)`.
fn invocation(callee: &str, arguments: &[CValue]) -> String {
    let arguments: Vec<String> = arguments.iter().map(CValue::to_string).collect();
    format!("{callee}({})", arguments.join(", "))
}

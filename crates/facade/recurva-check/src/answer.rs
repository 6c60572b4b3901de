//! What comes out of a question: one kind of answer for every kind of model and engine.

use std::time::Duration;

use recurva_evidence::{Mismatch, Replayed};
use recurva_logic::automaton::TooLarge;
use recurva_model::{Origin, Stack};
use recurva_slice::Dropped;

pub use recurva_ctest::Files as TestFiles;

use crate::{c::CRun, evidence::Evidence};

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not. [`Answer::evidence`] shows why, or [`Answer::unfinished`] says which limit
    /// kept it from being spelled out.
    Violated,
    /// A limit was hit first.
    Unknown(Limit),
}

impl Verdict {
    /// The verdict in one word, as every report has it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Which limit ended the work on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time given was used up.
    Time(Duration),
    /// More than this many bytes were held.
    Memory(u64),
    /// The search ran out of 32-bit numbers for its path edges.
    PathEdges,
    /// The symbolic search ran out of numbers for the nodes of its decision diagrams.
    Nodes,
    /// The program's variables have more bits than decision diagrams can have variables.
    Bits,
    /// The formula's automaton is too large.
    Automaton(TooLarge),
    /// The program has more states than this.
    States(u64),
    /// There are more Boolean functions than this.
    Functions(u64),
    /// The strategy has more steps than this.
    Claims(u64),
    /// The game has more positions than this.
    Positions(u64),
    /// A position of the game depends on more sets of exits than this.
    Sets(u64),
    /// Every technique used up this much work.
    Work(u64),
    /// A proof would need more letters than this.
    Letters(u32),
    /// The program does something that is not modelled exactly: notes say what.
    NotModelled,
    /// No run was found and no proof, by any of the engines.
    NotProved,
    /// The watcher said stop.
    Interrupted,
}

/// What the work on a question took, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Distinct states (control point and values, no stack).
    pub states: u64,
    /// Distinct path edges: a state together with the entry state of its invocation.
    pub path_edges: u64,
    /// Pairs of an entry and an exit state found to be connected.
    pub summaries: u64,
    /// The most nodes of decision diagrams there were at a time; 0 where there are none.
    pub nodes: u64,
    /// What only one engine counts, with a short name in the plural.
    pub more: Vec<(&'static str, u64)>,
    /// Wall-clock seconds, replay included.
    pub seconds: f64,
    /// The most bytes that were held at a time.
    pub peak_bytes: u64,
}

/// Which infinite runs violate a property, as far as is known. Each is `None` if it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Whether there are some whose stack stays bounded.
    pub finite: Option<bool>,
    /// Whether there are some whose stack diverges: more and more calls never return.
    pub diverging: Option<bool>,
}

/// Something that should be known besides the verdict, such as that a proof is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub text: String,
    /// What can be done about it.
    pub help: Option<String>,
    /// Where in the text of the model, if it is about a place.
    pub place: Option<Origin>,
}

impl Note {
    /// A remark without a place.
    pub fn new(text: impl Into<String>) -> Self {
        Note {
            text: text.into(),
            help: None,
            place: None,
        }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same about a place.
    #[must_use]
    pub fn at(mut self, place: Origin) -> Self {
        self.place = Some(place).filter(|place| !place.is_none());
        self
    }
}

/// The whole answer to a question.
#[derive(Debug)]
pub struct Answer<'m> {
    /// Whether the property holds.
    pub verdict: Verdict,
    /// What shows it.
    pub evidence: Option<Evidence<'m>>,
    /// Of a violation without evidence: the limit that was hit after the search had found it.
    pub unfinished: Option<Limit>,
    /// The numbers.
    pub stats: Stats,
    /// The engine that answered, or could not.
    pub engine: &'static str,
    /// Of a property of infinite runs: which runs it was asked of.
    pub stack: Option<Stack>,
    /// Of a violated property of infinite runs: which violating runs there are, if others were
    /// looked for.
    pub kinds: Option<Kinds>,
    /// What was dropped before the search, if the program was sliced.
    pub dropped: Option<Dropped>,
    /// What else should be known.
    pub notes: Vec<Note>,
    /// Of a violation in a C program: the run as a test case that can be compiled.
    pub test_case: Option<TestFiles>,
    /// Of a violation in a C program: the run as the interpreter of C executed it.
    pub c_run: Option<CRun>,
}

impl<'m> Answer<'m> {
    /// An answer with nothing but a verdict.
    pub fn new(verdict: Verdict, engine: &'static str) -> Self {
        Answer {
            verdict,
            evidence: None,
            unfinished: None,
            stats: Stats::default(),
            engine,
            stack: None,
            kinds: None,
            dropped: None,
            notes: Vec::new(),
            test_case: None,
            c_run: None,
        }
    }

    /// Whether the property is violated.
    pub fn is_violated(&self) -> bool {
        self.verdict == Verdict::Violated
    }

    /// Whether the property holds.
    pub fn holds(&self) -> bool {
        self.verdict == Verdict::Holds
    }

    /// The run of a program that violates the property, if that is what shows it.
    pub fn run(&self) -> Option<&Replayed<'m>> {
        match self.evidence.as_ref()? {
            Evidence::Run(replayed) => Some(replayed),
            _ => None,
        }
    }

    /// The same run, by value.
    pub fn into_run(self) -> Option<Replayed<'m>> {
        match self.evidence? {
            Evidence::Run(replayed) => Some(*replayed),
            _ => None,
        }
    }

    /// The limit that was hit, if one was.
    pub fn limit(&self) -> Option<Limit> {
        match self.verdict {
            Verdict::Unknown(limit) => Some(limit),
            Verdict::Holds | Verdict::Violated => self.unfinished,
        }
    }
}

/// A fault of the checker itself: never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum InternalError {
    /// The engine's trace does not replay on the semantics.
    #[error("the counterexample found does not replay: {0}")]
    Replay(#[from] Mismatch),
    /// The engine's witness could not be turned into a trace.
    #[error("the counterexample found cannot be spelled out: {0}")]
    Witness(String),
    /// The run found satisfies the property after all.
    #[error("the run found does not violate the property")]
    NoViolation,
    /// Two engines give different answers.
    #[error("two engines disagree about this model")]
    Disagreement,
    /// A proof, or looking for one, went wrong.
    #[error("a proof went wrong: {0}")]
    Proof(String),
    /// The thread of an engine ended without a word.
    #[error("an engine died")]
    Died,
    /// The automaton does not fit the program.
    #[error("the property does not fit the program: {0}")]
    Property(#[from] recurva_model::Malformed),
}

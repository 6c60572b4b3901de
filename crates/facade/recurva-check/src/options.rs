//! How questions are answered: the engine, what is searched, which runs count, and the limits.

pub use recurva_explicit::{Order, program::Reductions};
pub use recurva_model::Stack;

use crate::Limits;

/// Which engine answers. Not every engine knows every question: see [`Engine::works_on`] and `Question::fits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// What is best for the question; two engines side by side where there are two.
    #[default]
    Auto,
    /// On-the-fly search over explicit states.
    Explicit,
    /// Search with decision diagrams.
    Symbolic,
    /// C programs: proofs by what a search over explicit states has seen.
    States,
    /// C programs: proofs by guessed invariants.
    Candidates,
    /// C programs: proofs by Horn clauses, which z3 solves.
    Horn,
    /// C programs: proofs by predicates.
    Predicates,
    /// C programs: loops and calls unrolled, for bugs.
    Unroll,
    /// Flat machines as a whole.
    Flat,
    /// Systems of any size: the first sizes one by one, which refutes and never proves.
    Finite,
    /// Systems of any size: the column construction for the whole transition relation.
    Columns,
    /// Systems of any size: the column construction for each action by itself.
    Actions,
    /// Systems of any size: the column construction with bounded local depth.
    Bounded,
    /// Systems of any size: exact widening.
    Widening,
    /// Systems of any size: abstraction with refinement.
    Abstraction,
}

/// What an engine works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorksOn {
    /// Any model.
    Anything,
    /// Programs, and machines as programs.
    Programs,
    /// C programs.
    C,
    /// Flat machines.
    Machines,
    /// Systems of any size.
    Systems,
}

impl Engine {
    /// All of them, in the order in which they are listed for users.
    pub const ALL: [Engine; 15] = [
        Engine::Auto,
        Engine::Explicit,
        Engine::Symbolic,
        Engine::States,
        Engine::Candidates,
        Engine::Horn,
        Engine::Predicates,
        Engine::Unroll,
        Engine::Flat,
        Engine::Finite,
        Engine::Columns,
        Engine::Actions,
        Engine::Bounded,
        Engine::Widening,
        Engine::Abstraction,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
            Engine::States => "states",
            Engine::Candidates => "candidates",
            Engine::Horn => "horn",
            Engine::Predicates => "predicates",
            Engine::Unroll => "unroll",
            Engine::Flat => "flat",
            Engine::Finite => "finite",
            Engine::Columns => "columns",
            Engine::Actions => "actions",
            Engine::Bounded => "bounded",
            Engine::Widening => "widening",
            Engine::Abstraction => "abstraction",
        }
    }

    /// The engine of that name.
    pub fn named(name: &str) -> Option<Self> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// What users should know of it, in a sentence or two.
    pub fn about(self) -> &'static str {
        match self {
            Engine::Auto => {
                "What is best for the question: for programs the next two side by side, of which \
                 the first answer counts, for C programs proofs beside them. With --order bfs only \
                 the first of them, which can find a shortest counterexample"
            }
            Engine::Explicit => "On-the-fly search over explicit states",
            Engine::Symbolic => {
                "Search with decision diagrams: for proofs over much data that is open. Not for CaRet"
            }
            Engine::States => {
                "C programs: a proof of all that a search over explicit states has seen"
            }
            Engine::Candidates => {
                "C programs: a proof by invariants that are guessed, and dropped until they are inductive"
            }
            Engine::Horn => "C programs: a proof by Horn clauses with summaries, which z3 solves",
            Engine::Predicates => "C programs: a proof by predicates that are found step by step",
            Engine::Unroll => {
                "C programs: loops and calls are unrolled more and more, which finds deep bugs; where that comes to an end, what was seen is a proof"
            }
            Engine::Flat => {
                "Flat machines as a whole, in time O(n·θ²): for .rsm, .pds and .nsm, not for monitors \
                 and CaRet. A run that violates the property comes from the explicit engine"
            }
            Engine::Finite => {
                "Systems of any size: the first sizes one by one, which refutes and never proves"
            }
            Engine::Columns => {
                "Systems of any size: the column construction for the whole transition relation"
            }
            Engine::Actions => {
                "Systems of any size: the column construction for each action by itself"
            }
            Engine::Bounded => {
                "Systems of any size: the column construction with bounded local depth"
            }
            Engine::Widening => "Systems of any size: exact widening",
            Engine::Abstraction => "Systems of any size: abstraction with refinement",
        }
    }

    /// Whether it proves that nodes of a program are not reached, by itself or among others.
    pub(crate) fn proves(self) -> bool {
        self == Engine::Auto || self.works_on() == WorksOn::C
    }

    /// What it works on.
    pub fn works_on(self) -> WorksOn {
        match self {
            Engine::Auto => WorksOn::Anything,
            Engine::Explicit | Engine::Symbolic => WorksOn::Programs,
            Engine::States
            | Engine::Candidates
            | Engine::Horn
            | Engine::Predicates
            | Engine::Unroll => WorksOn::C,
            Engine::Flat => WorksOn::Machines,
            Engine::Finite
            | Engine::Columns
            | Engine::Actions
            | Engine::Bounded
            | Engine::Widening
            | Engine::Abstraction => WorksOn::Systems,
        }
    }
}

/// How [`Engine::Auto`] lets two engines work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// They take turns, measured in work and not in time: the same question is answered by the
    /// same engine every time.
    One,
    /// They work at the same time.
    #[default]
    Two,
}

/// Which runs count as infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// As is usual for the model: [`Runs::Stutter`] for programs, [`Runs::Infinite`] for flat
    /// machines.
    #[default]
    Usual,
    /// Also those that return from the main procedure: they stay in their last state for ever.
    Stutter,
    /// Only those that take steps for ever.
    Infinite,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// Whether two engines work at the same time.
    pub threads: Threads,
    /// The order of the search, if it is explicit.
    pub order: Order,
    /// Whether what cannot influence the property is dropped before the search (it is, by
    /// default).
    pub slice: bool,
    /// Which reductions are on (all, by default).
    pub reductions: Reductions,
    /// For formulas about branching: whether states that the formula cannot tell apart are merged
    /// first (they are, by default).
    pub merge: bool,
    /// For formulas about branching: how many states a program may have.
    pub max_states: u64,
    /// Which infinite runs a property of infinite runs is about.
    pub stack: Stack,
    /// What counts as an infinite run.
    pub runs: Runs,
    /// Of C programs: how long is waited for a proof that can be checked, if a search says that the
    /// property holds.
    pub certify: Certify,
    /// When to give up.
    pub limits: Limits,
}

/// How long is waited for a proof that can be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certify {
    /// Not at all.
    #[default]
    Never,
    /// As long again as the search took, and two seconds.
    Briefly,
    /// Until a limit is hit.
    Always,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::default(),
            threads: Threads::default(),
            order: Order::default(),
            slice: true,
            reductions: Reductions::default(),
            merge: true,
            max_states: 5_000_000,
            stack: Stack::default(),
            runs: Runs::default(),
            certify: Certify::default(),
            limits: Limits::default(),
        }
    }
}

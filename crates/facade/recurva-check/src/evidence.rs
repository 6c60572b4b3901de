//! What shows that a verdict is right, and what can be done with it.

use recurva_draw::Drawing;
use recurva_evidence::Replayed;

use crate::{branching::Refutation, proofs::Certified};

/// What shows a verdict. Everything in it has been checked by code that shares nothing with the
/// engine that found it.
#[derive(Debug)]
pub enum Evidence<'m> {
    /// A run of a program that violates the property, finite or infinite.
    Run(Box<Replayed<'m>>),
    /// Why a formula about branching fails: a proof of its negation.
    Strategy(Box<Refutation<'m>>),
    /// A run of a system of any size: words that follow each other.
    Words(Words),
    /// A proof that a program never comes to some nodes.
    Proof(Box<Certified>),
    /// A set of words that holds at first, is kept by every step, and has no bad word.
    Invariant(Invariant),
    /// What can be reached, and that no fair loop is among it.
    NoFairLoop(NoFairLoop),
}

/// What can be done with a piece of evidence. All of it can be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// It can be kept in a trace file, which `replay` checks on the model of that day.
    pub saved: bool,
    /// It can be drawn.
    pub drawn: bool,
    /// It can be walked through on the page.
    pub explored: bool,
}

impl Evidence<'_> {
    /// What it is called in reports for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Evidence::Run(replayed) if replayed.lasso().is_some() => "lasso",
            Evidence::Run(_) => "trace",
            Evidence::Strategy(_) => "strategy",
            Evidence::Words(words) if words.turn.is_some() => "lasso",
            Evidence::Words(_) => "run",
            Evidence::Invariant(_) => "invariant",
            Evidence::Proof(_) => "proof",
            Evidence::NoFairLoop(_) => "no fair loop",
        }
    }

    /// What can be done with it.
    pub fn uses(&self) -> Uses {
        let (saved, drawn, explored) = match self {
            Evidence::Run(_) | Evidence::Words(_) | Evidence::Strategy(_) => (true, true, true),
            Evidence::Invariant(_) => (false, true, true),
            Evidence::Proof(_) | Evidence::NoFairLoop(_) => (false, false, false),
        };
        Uses {
            saved,
            drawn,
            explored,
        }
    }
}

/// A run of a system of any size. Letters are given by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The words from the first to the last one, or up to where the turn starts.
    pub stem: Vec<Vec<String>>,
    /// Of an infinite run the words that are repeated for ever.
    pub turn: Option<Vec<Vec<String>>>,
    /// Of a finite run the actions between its words.
    pub actions: Vec<String>,
    /// The process that the formula is about, counted from 1, if it is about one.
    pub process: Option<usize>,
    /// Whether all smaller sizes are known to have no such run.
    pub is_smallest: bool,
}

impl Words {
    /// How many letters each word has.
    pub fn size(&self) -> usize {
        let turn = self.turn.iter().flatten();
        self.stem.iter().chain(turn).next().map_or(0, Vec::len)
    }
}

/// A word as text.
pub fn spelled(word: &[String]) -> String {
    match word.is_empty() {
        true => "ε".to_owned(),
        false => word.join(" "),
    }
}

/// A set of words that proves a property for every size.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// As a regular expression, if that is not too long.
    pub expression: Option<String>,
    /// The states of its automaton.
    pub states: usize,
    /// The edges of its automaton.
    pub edges: usize,
    /// Whether it is exactly what can be reached, or all that cannot reach a bad word.
    pub exact: bool,
    /// Whether it was found from the initial words or from the bad ones.
    pub direction: Direction,
    /// Its automaton.
    pub drawing: Drawing,
}

/// Where the search for an invariant began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// With the initial words.
    Forward,
    /// With the bad words.
    Backward,
}

/// A proof that no fair run violates a formula, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFairLoop {
    /// The states of the automaton of what can be reached.
    pub reachable: usize,
    /// The states of the automaton of what may become a loop.
    pub loops: usize,
}

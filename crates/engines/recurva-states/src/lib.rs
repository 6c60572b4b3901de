//! Proofs from searches: what a program can be in at its nodes, as formulas.
//!
//! [`prove`] searches the states of a program, one by one, as `recurva-explicit` does. If none of them is
//! at a target, they are a proof: at each node that needs a formula, the states found there, with what
//! was known when their invocation was entered, are gathered into as few ranges and equations as will do.
//!
//! # Why the formulas are inductive
//!
//! A state that leaves a variable open stands for all its values. What a node's formula says of
//! invocations entered with some values must cover all that a call with these values can come back with,
//! and it says so for each entry state by itself. So whoever calls with an entry state goes on with the
//! exits of *all* entry states that have values in common with it; where that leads to a target, the
//! values that one of them has and another leaves open are told apart from the start, and the search
//! begins again. Without such entry states the search is that of `recurva-explicit`.
//!
//! Variables whose value does not matter any more are open. That needs no care: no step looks at them.

mod contexts;
mod entries;
mod factor;
mod formulas;
mod ranges;
mod relation;
mod search;

use std::ops::ControlFlow;

use recurva_certificate::Proof;
use recurva_explicit::program::{Ending, Inline, Observer, Prepared, Reductions, Words};
use recurva_model::{Patience, Point, Program, Stop};

use entries::Settled;
use search::{End, Search};

/// How far to go for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The largest number of path edges: states with the entry state of their invocation.
    pub max_path_edges: usize,
    /// Stop when the search holds more than about this many bytes.
    pub max_bytes: Option<u64>,
    /// The largest number of operators and operands of all formulas, each counted as often as it
    /// would be written down.
    pub max_size: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_path_edges: 50_000,
            max_bytes: None,
            max_size: 200_000,
        }
    }
}

/// What became of a search for a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No target is reached, and this shows it.
    Proof(Proof),
    /// A target is reached: there is no proof.
    Reachable,
    /// There may be a proof, but not within the limits.
    TooLarge(Limit),
    /// The caller said stop.
    Stopped,
}

/// Which limit was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Config::max_path_edges`].
    PathEdges,
    /// [`Config::max_bytes`].
    Memory,
    /// A step has so many choices that trying them all, one by one, would take for ever.
    Choices,
    /// [`Config::max_size`].
    Size,
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug)]
enum Failed {
    Reachable,
    TooLarge(Limit),
    Stopped,
}

impl From<Stop> for Failed {
    fn from(Stop: Stop) -> Self {
        Failed::Stopped
    }
}

/// Searches all states of a program, and if none is at a target, says so in a proof. `ask` is called now
/// and then and can stop it.
pub fn prove(
    program: &Program,
    targets: &[Point],
    config: &Config,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Outcome {
    let mut patience = Patience::new(ask);
    match attempt(program, targets, config, &mut patience) {
        Ok(proof) => Outcome::Proof(proof),
        Err(Failed::Reachable) => Outcome::Reachable,
        Err(Failed::TooLarge(limit)) => Outcome::TooLarge(limit),
        Err(Failed::Stopped) => Outcome::Stopped,
    }
}

fn attempt(
    program: &Program,
    targets: &[Point],
    config: &Config,
    patience: &mut Patience<'_>,
) -> Result<Proof, Failed> {
    let prepared = Prepared::with_patience(
        program,
        Observer::Nobody,
        Reductions::default(),
        Ending::Stops,
        patience,
    )?;
    match prepared.words_needed() {
        ..=1 => with_words::<Inline<1>>(program, prepared, targets, config, patience),
        2 => with_words::<Inline<2>>(program, prepared, targets, config, patience),
        3..=6 => with_words::<Inline<6>>(program, prepared, targets, config, patience),
        _ => with_words::<Box<[u64]>>(program, prepared, targets, config, patience),
    }
}

fn with_words<W: Words>(
    program: &Program,
    prepared: Prepared<'_>,
    targets: &[Point],
    config: &Config,
    patience: &mut Patience<'_>,
) -> Result<Proof, Failed> {
    let system = prepared.with_words::<W>();
    let targets = system.point_set(targets.iter().copied());
    let mut settled = Settled::default();
    loop {
        let mut search = Search::new(program, &system, &settled, config);
        match search.run(&targets, patience) {
            Ok(()) => {
                let needed = search.needed_at_entries(patience)?;
                return search.proof(&needed, config.max_size, patience);
            }
            // Each time something is settled that was not.
            Err(End::Reached) if search.has_mixed() => {
                let open = search.into_open();
                settled.add(open);
            }
            Err(End::Reached) => return Err(Failed::Reachable),
            Err(End::TooLarge(limit)) => return Err(Failed::TooLarge(limit)),
            Err(End::Stopped) => return Err(Failed::Stopped),
        }
    }
}

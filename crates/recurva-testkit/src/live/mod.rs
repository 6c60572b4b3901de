//! References for properties of infinite runs: does a Büchi automaton accept one?
//!
//! Two answers, by different arguments, both over the product of a program and an automaton
//! whose data is enumerated in full:
//!
//! - [`accepted`]: the relation *Erase* by a naive fixpoint, then cycles of the R-graph
//!   (resource-constrained paper, Propositions 1–4; analysis of recursive state machines, §3.2);
//! - [`by_saturation`]: heads that come back to themselves (Theorems 1 and 2 of the former),
//!   each looked for on its own with the textbook post* of a pushdown system. No summaries and
//!   no components. Much slower.
//!
//! A run *diverges* if it leaves behind more and more calls that never return: for every depth
//! it is from some time on deeper than that. The other infinite runs come back to some depth
//! again and again; if one of those is accepted, so is one whose stack stays bounded.

mod cycles;
mod erase;
mod saturation;

use recurva_model::{
    Automaton, Letter,
    semantics::{Configuration, Machine},
};

pub use erase::accepted;
pub use saturation::by_saturation;

/// How far a reference may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of heads: states of the product without the stack below.
    pub heads: usize,
    /// The largest size of the relation Erase, or of the automaton of one saturation.
    pub facts: usize,
    /// The largest number of choices of one step.
    pub choices: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            heads: 5_000,
            facts: 200_000,
            choices: 1 << 10,
        }
    }
}

/// Which infinite runs an automaton accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// One whose stack stays bounded (L_b is not empty).
    pub finite: bool,
    /// One whose stack diverges (L_u is not empty).
    pub diverging: bool,
}

impl Accepted {
    /// Any at all (L is not empty).
    pub fn any(self) -> bool {
        self.finite || self.diverging
    }
}

/// The answers for both readings of a run that returns from the outermost main procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// It stays in its last configuration for ever, and the automaton goes on reading that.
    pub stutter: Accepted,
    /// It is no infinite run.
    pub infinite: Accepted,
}

/// What an automaton can do on a configuration: the marks and the end of every edge that is
/// open there.
fn read(
    machine: &Machine<'_>,
    automaton: &Automaton,
    state: u32,
    configuration: &Configuration,
) -> Vec<(u32, u32)> {
    let point = configuration.top().point();
    let mut letter: Letter = 0;
    for (bit, guard) in automaton.conditions().iter().enumerate() {
        // A condition that faults does not hold.
        let holds = machine.observe(configuration, &guard.at(point)) == Some(1);
        letter |= Letter::from(holds) << bit;
    }
    let open = automaton
        .edges()
        .iter()
        .filter(|edge| edge.from == state && edge.cubes.iter().any(|cube| cube.holds(letter)));
    let mut found: Vec<_> = open
        .map(|edge| (edge.marks & automaton.acceptance(), edge.to))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

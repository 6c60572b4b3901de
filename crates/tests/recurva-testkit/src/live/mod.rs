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
    Automaton, Guard, Letter, NestedAutomaton,
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

/// An automaton that reads runs. It is at a *head* before it reads a configuration and in a state
/// after that; for an automaton over plain words the two are the same.
pub trait Reads {
    /// The marks that an accepting run passes again and again.
    fn acceptance(&self) -> u32;

    /// The head where runs begin.
    fn initial(&self) -> u32;

    /// The marks and the state of every edge that is open at a head, on a configuration.
    fn read(
        &self,
        machine: &Machine<'_>,
        head: u32,
        configuration: &Configuration,
    ) -> Vec<(u32, u32)>;

    /// The head after a step within a procedure, if there may be one.
    fn after_step(&self, state: u32) -> Option<u32> {
        Some(state)
    }

    /// The head after a call, if there may be one.
    fn after_call(&self, state: u32) -> Option<u32> {
        Some(state)
    }

    /// What of the state in which a call is made the return looks back at.
    fn remembered(&self, _: u32) -> u32 {
        0
    }

    /// The head after a return, from the state at the exit and what was remembered.
    fn after_return(&self, exit: u32, _: u32) -> Option<u32> {
        Some(exit)
    }
}

impl Reads for Automaton {
    fn acceptance(&self) -> u32 {
        self.acceptance()
    }

    fn initial(&self) -> u32 {
        self.initial()
    }

    fn read(
        &self,
        machine: &Machine<'_>,
        head: u32,
        configuration: &Configuration,
    ) -> Vec<(u32, u32)> {
        let letter = letter(machine, self.conditions(), configuration);
        let open = self
            .edges()
            .iter()
            .filter(|edge| edge.from == head && edge.cubes.iter().any(|cube| cube.holds(letter)));
        let found = open.map(|edge| (edge.marks & self.acceptance(), edge.to));
        sorted(found.collect())
    }
}

impl Reads for NestedAutomaton {
    fn acceptance(&self) -> u32 {
        self.parts().acceptance
    }

    fn initial(&self) -> u32 {
        self.parts().initial
    }

    fn read(
        &self,
        machine: &Machine<'_>,
        head: u32,
        configuration: &Configuration,
    ) -> Vec<(u32, u32)> {
        let letter = letter(machine, self.conditions(), configuration);
        let edges = self.parts().edges_from(head).iter();
        let open = edges.filter(|edge| edge.cubes.iter().any(|cube| cube.holds(letter)));
        let found = open.map(|edge| {
            let marks = self.parts().states[edge.to as usize].marks;
            (marks & self.parts().acceptance, edge.to)
        });
        sorted(found.collect())
    }

    fn after_step(&self, state: u32) -> Option<u32> {
        self.parts().states[state as usize].step
    }

    fn after_call(&self, state: u32) -> Option<u32> {
        self.parts().states[state as usize].call
    }

    fn remembered(&self, state: u32) -> u32 {
        state
    }

    fn after_return(&self, exit: u32, call: u32) -> Option<u32> {
        let states = &self.parts().states;
        self.parts()
            .returned(states[exit as usize], states[call as usize])
    }
}

/// What is observed of a configuration.
fn letter(machine: &Machine<'_>, conditions: &[Guard], configuration: &Configuration) -> Letter {
    let point = configuration.top().point();
    let mut letter: Letter = 0;
    for (bit, guard) in conditions.iter().enumerate() {
        // A condition that faults does not hold.
        let holds = machine.observe(configuration, &guard.at(point)) == Some(1);
        letter |= Letter::from(holds) << bit;
    }
    letter
}

fn sorted(mut found: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    found.sort_unstable();
    found.dedup();
    found
}

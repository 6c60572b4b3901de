//! Büchi automata that read the letters of a machine.

use std::fmt;

use recurva_model::rsm::Letter;

use crate::Marks;

/// The letters with which an edge can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letters {
    /// All of them.
    All,
    /// These.
    Only(Vec<Letter>),
}

impl Letters {
    /// Whether a letter is among them.
    pub fn contains(&self, letter: Letter) -> bool {
        match self {
            Letters::All => true,
            Letters::Only(list) => list.contains(&letter),
        }
    }
}

impl From<Letter> for Letters {
    fn from(letter: Letter) -> Self {
        Letters::Only(vec![letter])
    }
}

/// An edge of a [`LetterAutomaton`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterEdge {
    /// The state where it starts.
    pub from: u32,
    /// What it reads.
    pub letters: Letters,
    /// The state where it leads.
    pub to: u32,
    /// The acceptance marks that it passes.
    pub marks: Marks,
}

/// A generalised Büchi automaton with marks on its edges. It accepts an infinite word of
/// letters if one of its runs on it passes every mark again and again; without marks, if it
/// has a run at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterAutomaton {
    states: u32,
    initial: Vec<u32>,
    edges: Vec<LetterEdge>,
    marks: u32,
    /// For each state, where its edges begin; one more at the end.
    starts: Vec<usize>,
}

/// Why an automaton or a product cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// A state that there is not.
    State(u32),
    /// A mark that there is not.
    Mark,
    /// More than 32 marks, those of the automaton and of the machine together.
    TooManyMarks(u32),
    /// More vertices, edges or nodes than can be numbered.
    TooLarge,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::State(state) => write!(f, "there is no state {state}"),
            Unfit::Mark => f.write_str("an edge with a mark that there is not"),
            Unfit::TooManyMarks(count) => write!(f, "{count} marks, more than 32"),
            Unfit::TooLarge => f.write_str("too large a product"),
        }
    }
}

impl std::error::Error for Unfit {}

impl LetterAutomaton {
    /// Checks that all parts fit together.
    pub fn new(
        states: u32,
        initial: Vec<u32>,
        mut edges: Vec<LetterEdge>,
        marks: u32,
    ) -> Result<Self, Unfit> {
        if marks > Marks::MOST {
            return Err(Unfit::TooManyMarks(marks));
        }
        let ends = edges.iter().flat_map(|edge| [edge.from, edge.to]);
        if let Some(state) = ends.chain(initial.iter().copied()).find(|&s| s >= states) {
            return Err(Unfit::State(state));
        }
        let all = Marks::all(marks);
        if edges.iter().any(|edge| !all.contains(edge.marks)) {
            return Err(Unfit::Mark);
        }
        edges.sort_by_key(|edge| edge.from);
        let first = |state: u32| edges.partition_point(|edge| edge.from < state);
        let starts = (0..=states).map(first).collect();
        Ok(LetterAutomaton {
            states,
            initial,
            edges,
            marks,
            starts,
        })
    }

    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// The initial states.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// How many marks there are.
    pub fn marks(&self) -> u32 {
        self.marks
    }

    /// The edges, by the state they start in.
    pub fn edges(&self) -> &[LetterEdge] {
        &self.edges
    }

    /// The edges that start in a state.
    pub fn edges_from(&self, state: u32) -> &[LetterEdge] {
        let state = state as usize;
        &self.edges[self.starts[state]..self.starts[state + 1]]
    }
}

//! Büchi automata that watch a program: what property translations hand to engines.

use crate::{Guard, Malformed, Program, observe::check_guard};

/// The conditions that hold at one position of a run: bit `i` for condition `i`.
pub type Letter = u64;

/// A conjunction of conditions and negated conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The conditions that must hold, as bits.
    pub positive: Letter,
    /// The conditions that must not hold, as bits.
    pub negative: Letter,
}

impl Cube {
    /// Whether a letter is as the cube says.
    pub const fn holds(self, letter: Letter) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

/// An edge of an [`Automaton`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonEdge {
    /// The state it leaves.
    pub from: u32,
    /// The state it leads to.
    pub to: u32,
    /// It may be taken on the letters of any of these.
    pub cubes: Box<[Cube]>,
    /// Its acceptance marks, as bits.
    pub marks: u32,
}

/// A generalised Büchi automaton with marks on its edges that watches a program. It reads
/// every configuration once, the first one included, and takes an edge each time; a run that
/// cannot go on is no run. It accepts if each mark is passed again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    conditions: Vec<Guard>,
    states: u32,
    initial: u32,
    acceptance: u32,
    edges: Vec<AutomatonEdge>,
}

impl Automaton {
    /// Checks that the parts fit each other and the program. `acceptance` has a bit for each
    /// mark that must be passed again and again.
    pub fn new(
        program: &Program,
        conditions: Vec<Guard>,
        states: u32,
        initial: u32,
        acceptance: u32,
        edges: Vec<AutomatonEdge>,
    ) -> Result<Self, Malformed> {
        let bad = |reason: &str| Err(Malformed::new("automaton", reason));
        if conditions.len() > Letter::BITS as usize {
            return bad("there are more than 64 conditions");
        }
        let fits = |edge: &AutomatonEdge| edge.from < states && edge.to < states;
        if initial >= states || !edges.iter().all(fits) {
            return bad("there is no such state");
        }
        let known = match conditions.len() as u32 {
            Letter::BITS => Letter::MAX,
            count => (1 << count) - 1,
        };
        let mut cubes = edges.iter().flat_map(|edge| &*edge.cubes);
        if cubes.any(|cube| (cube.positive | cube.negative) & !known != 0) {
            return bad("there is no such condition");
        }
        for guard in &conditions {
            check_guard(program, guard)?;
        }
        Ok(Automaton {
            conditions,
            states,
            initial,
            acceptance,
            edges,
        })
    }

    /// The conditions: the first is bit 0 of letters.
    pub fn conditions(&self) -> &[Guard] {
        &self.conditions
    }

    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// The state before the first configuration is read.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The marks that an accepting run passes again and again.
    pub fn acceptance(&self) -> u32 {
        self.acceptance
    }

    /// The edges.
    pub fn edges(&self) -> &[AutomatonEdge] {
        &self.edges
    }
}

//! Generalised Büchi automata with marks on their transitions.
//!
//! [`translate`] turns a formula of linear-time temporal logic into a small automaton that
//! accepts its models; [`Tgba::degeneralise`] gives the classical Büchi automaton that SPIN's
//! never claims are. The page `README.md` beside this file tells how and why.
//!
//! ```
//! use recurva_logic::{automaton::{self, Config}, ltl};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("formula", "G(request -> F grant)")?;
//! let formula = ltl::parse(&source).formula.expect("no errors");
//! let automaton = automaton::translate(&formula, &Config::default()).expect("it is small");
//! assert_eq!(automaton.states(), 2);
//! // Bit 0 is `request` and bit 1 is `grant`.
//! assert!(automaton.accepts(&[0b01], &[0b00, 0b10]));
//! assert!(!automaton.accepts(&[0b01], &[0b00]));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod components;
mod degeneralise;
mod expand;
mod graph;
mod letters;
mod member;
mod never;
mod observe;
mod quotient;
mod reduce;
mod translate;

pub use components::components;
pub(crate) use expand::{Expander, Terms};
pub use letters::MAX_ATOMS;
pub(crate) use letters::{Letters, Set};
pub use translate::{Config, TooLarge, translate};

pub use recurva_model::{Cube, Letter};

/// The letters an edge can be taken on: those of any of its cubes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    cubes: Box<[Cube]>,
}

impl Label {
    /// The letters of some cubes.
    pub fn new(cubes: impl Into<Box<[Cube]>>) -> Self {
        Label {
            cubes: cubes.into(),
        }
    }

    /// The cubes; none of them can be left out.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether the edge can be taken on a letter.
    pub fn holds(&self, letter: Letter) -> bool {
        self.cubes.iter().any(|cube| cube.holds(letter))
    }
}

/// A set of acceptance marks: bit `i` is mark `i`.
pub type Marks = u32;

/// How many acceptance sets an automaton may have.
pub const MAX_SETS: u32 = Marks::BITS;

/// An edge of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leads.
    pub target: u32,
    /// Its acceptance marks.
    pub marks: Marks,
    /// The letters it can be taken on.
    pub label: Label,
}

/// A transition-based generalised Büchi automaton: it accepts a word if some run on it passes
/// edges with each of the acceptance marks infinitely often. There is always a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tgba {
    atoms: Box<[Box<str>]>,
    initial: u32,
    sets: u32,
    edges: Vec<Vec<Edge>>,
}

/// Why parts do not make an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(&'static str);

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unfit {}

impl Tgba {
    /// An automaton from its parts: the texts of the atoms, the initial state, the number of
    /// acceptance sets, and the edges that leave each state.
    pub fn new(
        atoms: impl Into<Box<[Box<str>]>>,
        initial: u32,
        sets: u32,
        edges: Vec<Vec<Edge>>,
    ) -> Result<Self, Unfit> {
        let atoms = atoms.into();
        if atoms.len() > MAX_ATOMS {
            return Err(Unfit("the automaton has more than 64 atoms"));
        }
        if sets > MAX_SETS {
            return Err(Unfit("the automaton has more than 32 acceptance sets"));
        }
        let all = all_marks(sets);
        let exists = |state: u32| (state as usize) < edges.len();
        let fits = |edge: &Edge| exists(edge.target) && edge.marks & !all == 0;
        if !exists(initial) || !edges.iter().flatten().all(fits) {
            return Err(Unfit("there is no such state or acceptance set"));
        }
        Ok(Tgba {
            atoms,
            initial,
            sets,
            edges,
        })
    }

    /// The texts of the atoms: the first is bit 0 of letters.
    pub fn atoms(&self) -> &[Box<str>] {
        &self.atoms
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The state every run begins in.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// How many acceptance sets there are. With none, every infinite run accepts.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// All acceptance marks.
    pub fn all_marks(&self) -> Marks {
        all_marks(self.sets)
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: u32) -> &[Edge] {
        self.edges.get(state as usize).map_or(&[], |edges| edges)
    }

    /// Whether marks are on states: all edges that leave a state have the same ones.
    pub fn is_state_based(&self) -> bool {
        self.edges
            .iter()
            .all(|edges| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks))
    }
}

const fn all_marks(sets: u32) -> Marks {
    if sets >= Marks::BITS {
        Marks::MAX
    } else {
        (1 << sets) - 1
    }
}

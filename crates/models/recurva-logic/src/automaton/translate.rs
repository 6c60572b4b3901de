//! From formulas to automata.

use std::{fmt, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    MAX_ATOMS, Tgba, all_marks,
    degeneralise::count_out,
    expand::{Expander, Terms},
    graph::{Arc, Graph},
    letters::Letters,
    reduce::{Marking, reduce},
};
use crate::ltl::{Formula, FormulaId, Formulas, Operator};

/// How to translate, and how much the result may cost.
#[derive(Clone, Copy)]
pub struct Config<'s> {
    /// Simplify the formula first.
    pub simplify: bool,
    /// Make the automaton smaller.
    pub reduce: bool,
    /// The most states there may be before the automaton is made smaller.
    pub states: usize,
    /// The most edges there may be before the automaton is made smaller, and the most cubes one
    /// label may have.
    pub edges: usize,
    /// Asked now and then; the work stops when it says yes.
    pub stop: &'s dyn Fn() -> bool,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Config {
            simplify: true,
            reduce: true,
            states: 200_000,
            edges: 1_000_000,
            stop: &|| false,
        }
    }
}

impl fmt::Debug for Config<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("simplify", &self.simplify)
            .field("reduce", &self.reduce)
            .field("states", &self.states)
            .field("edges", &self.edges)
            .finish_non_exhaustive()
    }
}

impl Config<'_> {
    pub(crate) fn check(&self) -> Result<(), TooLarge> {
        if (self.stop)() {
            Err(TooLarge::Stopped)
        } else {
            Ok(())
        }
    }
}

/// Why there is no automaton: the limit that was hit, with its figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The formula has more atoms than that.
    Atoms(usize),
    /// More acceptance sets than that would be needed.
    Sets(u32),
    /// More states than that would be needed.
    States(usize),
    /// More edges than that would be needed.
    Edges(usize),
    /// A label would need more cubes than that.
    Label(usize),
    /// The labels together are too complicated.
    Labels,
    /// The formula is about calls, which an automaton over plain words does not see.
    Calls,
    /// The caller asked to stop.
    Stopped,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, limit) = match *self {
            TooLarge::Atoms(limit) => ("the formula has more than {} atoms", limit),
            TooLarge::Sets(limit) => (
                "the automaton would need more than {} acceptance sets",
                limit as usize,
            ),
            TooLarge::States(limit) => ("the automaton would have more than {} states", limit),
            TooLarge::Edges(limit) => ("the automaton would have more than {} edges", limit),
            TooLarge::Label(limit) => (
                "an edge of the automaton would need more than {} cubes",
                limit,
            ),
            TooLarge::Labels => ("the labels of the automaton are too complicated", 0),
            TooLarge::Calls => ("the formula is about calls, which words do not have", 0),
            TooLarge::Stopped => ("the translation was stopped", 0),
        };
        f.write_str(&what.replace("{}", &limit.to_string()))
    }
}

impl std::error::Error for TooLarge {}

/// An automaton that accepts the words on which a formula holds. Its atoms are those of the
/// formula's arena, in their order.
pub fn translate(formula: &Formula, config: &Config<'_>) -> Result<Tgba, TooLarge> {
    let mut formulas = formula.formulas.clone();
    if formulas.atoms().len() > MAX_ATOMS {
        return Err(TooLarge::Atoms(MAX_ATOMS));
    }
    let parts = formulas.subformulas(formula.root);
    let is_along = |&id: &FormulaId| matches!(formulas.operator(id), Operator::Along(..));
    if parts.iter().any(is_along) {
        return Err(TooLarge::Calls);
    }
    let mut letters = Letters::default();
    let plain = formulas.negation_normal_form(formula.root);
    let graph = if config.simplify {
        let simple = formulas.simplify(formula.root);
        let graph = build(&formulas, simple, &mut letters, config)?;
        if config.reduce && simple != plain {
            better(graph, &formulas, plain, &mut letters, config)?
        } else {
            graph
        }
    } else {
        build(&formulas, plain, &mut letters, config)?
    };
    let atoms = formulas.atoms().iter().map(|atom| atom.text.clone());
    graph.automaton(atoms.collect(), &mut letters, config.edges)
}

/// Now and then a formula that looks more complicated has the smaller automaton: what is made
/// of the formula as it was written, if that is small enough to try and smaller than `graph`.
fn better(
    graph: Graph,
    formulas: &Formulas,
    plain: FormulaId,
    letters: &mut Letters,
    config: &Config<'_>,
) -> Result<Graph, TooLarge> {
    if graph.states() < 2 {
        return Ok(graph);
    }
    let quick = Config {
        states: config.states.min(128),
        edges: config.edges.min(1_000),
        ..*config
    };
    let size = |graph: &Graph| (graph.states(), graph.arc_count(), graph.sets);
    match build(formulas, plain, letters, &quick) {
        Ok(other) if size(&other) < size(&graph) => Ok(other),
        Err(TooLarge::Stopped) => Err(TooLarge::Stopped),
        _ => Ok(graph),
    }
}

/// The automaton of a formula in negation normal form.
fn build(
    formulas: &Formulas,
    root: FormulaId,
    letters: &mut Letters,
    config: &Config<'_>,
) -> Result<Graph, TooLarge> {
    let start = match formulas.operator(root) {
        Operator::And => formulas.parts(root).into(),
        _ => [root].into(),
    };
    let expander = Expander::new(formulas, config);
    let mut graph = Tableau::new(expander, config).build(&start, letters)?;
    if config.reduce {
        graph = reduce(graph, letters, Marking::Transitions, config)?;
        graph = count_out(graph, letters, config)?;
    }
    if letters.overflowed() {
        return Err(TooLarge::Labels);
    }
    Ok(graph)
}

impl Tgba {
    /// A smaller automaton that accepts the same words.
    pub fn reduce(&self, config: &Config<'_>) -> Result<Tgba, TooLarge> {
        let mut letters = Letters::default();
        let graph = Graph::of(self, &mut letters);
        let mut small = reduce(graph.clone(), &mut letters, Marking::Transitions, config)?;
        if self.is_state_based() {
            // The mark of a state may as well be on the edges that lead to it.
            let moved = graph.with_marks_on_entry();
            let other = reduce(moved, &mut letters, Marking::Transitions, config)?;
            if other.states() < small.states() {
                small = other;
            }
        }
        small.automaton(self.atoms.clone(), &mut letters, config.edges)
    }
}

/// The automaton while it grows. A state is a set of formulas that all hold there; sets with the
/// same terms are one state.
struct Tableau<'f> {
    expander: Expander<'f>,
    config: &'f Config<'f>,
    states: FxHashMap<Rc<[FormulaId]>, u32>,
    by_terms: FxHashMap<Terms, u32>,
    terms: Vec<Terms>,
}

impl<'f> Tableau<'f> {
    fn new(expander: Expander<'f>, config: &'f Config<'f>) -> Self {
        Tableau {
            expander,
            config,
            states: FxHashMap::default(),
            by_terms: FxHashMap::default(),
            terms: Vec::new(),
        }
    }

    fn build(mut self, start: &Rc<[FormulaId]>, letters: &mut Letters) -> Result<Graph, TooLarge> {
        let initial = self.state(start, letters)?;
        let mut arcs: Vec<Vec<Arc>> = Vec::new();
        let mut count = 0;
        while let Some(terms) = self.terms.get(arcs.len()).cloned() {
            let mut list = Vec::with_capacity(terms.len());
            for term in &*terms {
                list.push(Arc {
                    target: self.state(&term.next, letters)?,
                    marks: term.promises,
                    label: term.label,
                });
            }
            count += list.len();
            if count > self.config.edges {
                return Err(TooLarge::Edges(self.config.edges));
            }
            arcs.push(list);
        }
        // A mark says that a promise was kept or not made.
        let sets = self.expander.promises();
        for arc in arcs.iter_mut().flatten() {
            arc.marks = all_marks(sets) & !arc.marks;
        }
        let mut graph = Graph {
            initial,
            sets,
            arcs,
        };
        graph.join(letters);
        Ok(graph)
    }

    fn state(&mut self, parts: &Rc<[FormulaId]>, letters: &mut Letters) -> Result<u32, TooLarge> {
        if let Some(&state) = self.states.get(parts) {
            return Ok(state);
        }
        let terms = self.expander.conjunction(parts, letters)?;
        let fresh = self.terms.len() as u32;
        let state = *self.by_terms.entry(terms.clone()).or_insert(fresh);
        if state == fresh {
            if self.terms.len() >= self.config.states {
                return Err(TooLarge::States(self.config.states));
            }
            self.terms.push(terms);
        }
        self.states.insert(parts.clone(), state);
        Ok(state)
    }
}

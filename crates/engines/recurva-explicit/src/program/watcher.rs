//! Who watches a program: a monitor or a Büchi automaton, in one form.

use std::collections::HashMap;

use recurva_model::{Automaton, Cube, Guard, Monitor, NestedAutomaton};

use crate::fair::Marks;

/// Who watches a program.
#[derive(Clone, Copy, Debug, Default)]
pub enum Observer<'o> {
    /// Nobody.
    #[default]
    Nobody,
    /// A monitor: where none of its edges is open it stays where it is.
    Monitor(&'o Monitor),
    /// A Büchi automaton: where none of its edges is open the run is not followed.
    Automaton(&'o Automaton),
    /// A Büchi automaton that sees calls and returns.
    Nested(&'o NestedAutomaton),
}

impl<'o> From<Option<&'o Monitor>> for Observer<'o> {
    fn from(monitor: Option<&'o Monitor>) -> Self {
        monitor.map_or(Observer::Nobody, Observer::Monitor)
    }
}

/// A conjunction: conditions by number, and whether they must hold.
pub(crate) type Literals = Box<[(u32, bool)]>;

/// An edge of a [`Watcher`].
#[derive(Debug)]
pub(crate) struct WatcherEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// It is open where one of these holds.
    pub(crate) label: Vec<Literals>,
}

/// A state of a [`Watcher`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WatcherState {
    pub(crate) target: bool,
    pub(crate) marks: Marks,
    /// Which steps it expects.
    pub(crate) expects: Steps,
}

/// Kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Steps {
    pub(crate) internal: bool,
    pub(crate) call: bool,
    pub(crate) back: bool,
}

impl Steps {
    /// Whether there is a kind in both.
    pub(crate) fn meet(self, other: Steps) -> bool {
        self.internal && other.internal || self.call && other.call || self.back && other.back
    }
}

impl Default for Steps {
    fn default() -> Self {
        Steps {
            internal: true,
            call: true,
            back: true,
        }
    }
}

/// A monitor or an automaton, with its marks on states: a state of an automaton is told apart
/// by the marks of the edge that led to it.
///
/// Edges lead from *heads* to states. A head is where the watcher is about to read; for all but
/// nested automata it is the state in which it was.
#[derive(Debug)]
pub(crate) struct Watcher {
    pub(crate) conditions: Vec<Guard>,
    pub(crate) states: Vec<WatcherState>,
    /// How many heads there are.
    pub(crate) heads: usize,
    /// The head where runs begin.
    pub(crate) initial: u32,
    /// How steps lead from states to heads, if it matters.
    nested: Option<NestedAutomaton>,
    /// Sorted by where they start.
    pub(crate) edges: Vec<WatcherEdge>,
    pub(crate) acceptance: Marks,
    /// Whether it stays where it is if no edge is open.
    pub(crate) stays: bool,
}

impl Watcher {
    pub(crate) fn new(observer: Observer<'_>) -> Option<Self> {
        match observer {
            Observer::Nobody => None,
            Observer::Monitor(monitor) => Some(Self::of_monitor(monitor)),
            Observer::Automaton(automaton) => Some(Self::of_automaton(automaton)),
            Observer::Nested(automaton) => Some(Self::of_nested(automaton)),
        }
    }

    /// What of the steps that lead from a point it cares about.
    pub(crate) fn distinguishes(&self, steps: Steps) -> Steps {
        match self.nested {
            None => Steps::default(),
            Some(_) => steps,
        }
    }

    /// The head after a step within a procedure; `None` if there must not be one.
    pub(crate) fn after_step(&self, state: u32) -> Option<u32> {
        match &self.nested {
            None => Some(state),
            Some(nested) => nested.parts().states[state as usize].step,
        }
    }

    /// The head after a call.
    pub(crate) fn after_call(&self, state: u32) -> Option<u32> {
        match &self.nested {
            None => Some(state),
            Some(nested) => nested.parts().states[state as usize].call,
        }
    }

    /// The head after a return: from the state at the exit and that in which the call was made.
    pub(crate) fn after_return(&self, exit: u32, call: u32) -> Option<u32> {
        let Some(nested) = &self.nested else {
            return Some(exit);
        };
        let states = &nested.parts().states;
        nested
            .parts()
            .returned(states[exit as usize], states[call as usize])
    }

    fn of_monitor(monitor: &Monitor) -> Self {
        let mut numbers: HashMap<&Guard, u32> = HashMap::new();
        let mut conditions = Vec::new();
        let mut number = |guard| {
            *numbers.entry(guard).or_insert_with(|| {
                conditions.push(guard.clone());
                conditions.len() as u32 - 1
            })
        };
        let edges = monitor.edges().iter().map(|edge| WatcherEdge {
            from: edge.from,
            to: edge.to,
            label: vec![[(number(&edge.guard), true)].into()],
        });
        let edges = edges.collect();
        let states = monitor.states().iter().map(|state| WatcherState {
            target: state.target,
            marks: Marks(u32::from(state.repeating)),
            expects: Steps::default(),
        });
        Watcher {
            conditions,
            heads: monitor.states().len(),
            states: states.collect(),
            initial: monitor.initial(),
            nested: None,
            edges,
            acceptance: Marks::all(1),
            stays: true,
        }
    }

    fn of_automaton(automaton: &Automaton) -> Self {
        let mut leaving = vec![Vec::new(); automaton.states() as usize];
        for edge in automaton.edges() {
            leaving[edge.from as usize].push(edge);
        }
        let mut pairs = vec![(automaton.initial(), 0)];
        let mut numbers = HashMap::from([(pairs[0], 0)]);
        let mut edges = Vec::new();
        let mut next = 0;
        while let Some(&(state, _)) = pairs.get(next) {
            for edge in &leaving[state as usize] {
                let marks = edge.marks & automaton.acceptance();
                let to = *numbers.entry((edge.to, marks)).or_insert_with(|| {
                    pairs.push((edge.to, marks));
                    pairs.len() as u32 - 1
                });
                edges.push(WatcherEdge {
                    from: next as u32,
                    to,
                    label: label(&edge.cubes),
                });
            }
            next += 1;
        }
        let states = pairs.iter().map(|&(_, marks)| WatcherState {
            marks: Marks(marks),
            ..WatcherState::default()
        });
        Watcher {
            conditions: automaton.conditions().to_vec(),
            heads: pairs.len(),
            states: states.collect(),
            initial: 0,
            nested: None,
            edges,
            acceptance: Marks(automaton.acceptance()),
            stays: false,
        }
    }

    fn of_nested(automaton: &NestedAutomaton) -> Self {
        let parts = automaton.parts();
        let states = parts.states.iter().map(|state| WatcherState {
            target: false,
            marks: Marks(state.marks),
            expects: Steps {
                internal: state.step.is_some(),
                call: state.call.is_some(),
                back: state.exit.is_some(),
            },
        });
        let mut edges = Vec::new();
        for (head, leaving) in (0..).zip(&parts.heads) {
            edges.extend(leaving.iter().map(|edge| WatcherEdge {
                from: head,
                to: edge.to,
                label: label(&edge.cubes),
            }));
        }
        Watcher {
            conditions: automaton.conditions().to_vec(),
            states: states.collect(),
            heads: parts.heads.len(),
            initial: parts.initial,
            nested: Some(automaton.clone()),
            edges,
            acceptance: Marks(parts.acceptance),
            stays: false,
        }
    }
}

/// The conjunctions that cubes say. A cube may contradict itself: no letter is as it says.
fn label(cubes: &[Cube]) -> Vec<Literals> {
    let cubes = cubes.iter();
    let cubes = cubes.filter(|cube| cube.positive & cube.negative == 0);
    cubes.map(literals).collect()
}

fn literals(cube: &Cube) -> Literals {
    let bits = 0..u64::BITS;
    let wanted = |bit: u32| match (cube.positive >> bit & 1, cube.negative >> bit & 1) {
        (0, 0) => None,
        (positive, _) => Some((bit, positive == 1)),
    };
    bits.filter_map(wanted).collect()
}

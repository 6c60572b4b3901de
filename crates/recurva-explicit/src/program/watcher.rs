//! Who watches a program: a monitor or a Büchi automaton, in one form.

use std::collections::HashMap;

use recurva_model::{Automaton, Cube, Guard, Monitor};

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
}

/// A monitor or an automaton, with its marks on states: a state of an automaton is told apart
/// by the marks of the edge that led to it.
#[derive(Debug)]
pub(crate) struct Watcher {
    pub(crate) conditions: Vec<Guard>,
    pub(crate) states: Vec<WatcherState>,
    pub(crate) initial: u32,
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
        }
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
        });
        Watcher {
            conditions,
            states: states.collect(),
            initial: monitor.initial(),
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
                // A cube may contradict itself: no letter is as it says.
                let cubes = edge.cubes.iter();
                let cubes = cubes.filter(|cube| cube.positive & cube.negative == 0);
                let to = *numbers.entry((edge.to, marks)).or_insert_with(|| {
                    pairs.push((edge.to, marks));
                    pairs.len() as u32 - 1
                });
                edges.push(WatcherEdge {
                    from: next as u32,
                    to,
                    label: cubes.map(literals).collect(),
                });
            }
            next += 1;
        }
        let states = pairs.iter().map(|&(_, marks)| WatcherState {
            target: false,
            marks: Marks(marks),
        });
        Watcher {
            conditions: automaton.conditions().to_vec(),
            states: states.collect(),
            initial: 0,
            edges,
            acceptance: Marks(automaton.acceptance()),
            stays: false,
        }
    }
}

fn literals(cube: &Cube) -> Literals {
    let bits = 0..u64::BITS;
    let wanted = |bit: u32| match (cube.positive >> bit & 1, cube.negative >> bit & 1) {
        (0, 0) => None,
        (positive, _) => Some((bit, positive == 1)),
    };
    bits.filter_map(wanted).collect()
}

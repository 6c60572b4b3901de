//! Automata that watch programs, and monitors as automata.

use recurva_model::{Automaton, AutomatonEdge, Cube, Guard, Letter, Malformed, Monitor, Program};
use rustc_hash::FxHashMap;

use super::{Edge, Label, MAX_ATOMS, Tgba, Unfit};

impl Tgba {
    /// The automaton as it watches a program, with a condition for each atom.
    pub fn watching(&self, program: &Program, guards: Vec<Guard>) -> Result<Automaton, Malformed> {
        let mut edges = Vec::with_capacity(self.edge_count());
        for (from, leaving) in self.edges.iter().enumerate() {
            edges.extend(leaving.iter().map(|edge| AutomatonEdge {
                from: from as u32,
                to: edge.target,
                cubes: edge.label.cubes().into(),
                marks: edge.marks,
            }));
        }
        let states = self.states() as u32;
        Automaton::new(
            program,
            guards,
            states,
            self.initial,
            self.all_marks(),
            edges,
        )
    }

    /// The automaton that reads only positions where one more atom holds, and stays where it is
    /// at all others. It accepts no run that has only finitely many such positions.
    pub fn skipping(&self, atom: &str) -> Result<Self, Unfit> {
        if self.atoms.len() == MAX_ATOMS {
            return Err(Unfit("the automaton has more than 63 atoms"));
        }
        let bit: Letter = 1 << self.atoms.len();
        // Without a mark of its own it would accept by staying for ever.
        let (sets, reads) = match self.sets {
            0 => (1, 1),
            sets => (sets, 0),
        };
        let mut edges = self.edges.clone();
        for (state, leaving) in edges.iter_mut().enumerate() {
            for edge in &mut *leaving {
                let read = |cube: &Cube| Cube {
                    positive: cube.positive | bit,
                    ..*cube
                };
                edge.label = Label::new(edge.label.cubes().iter().map(read).collect::<Vec<_>>());
                edge.marks |= reads;
            }
            leaving.push(Edge {
                target: state as u32,
                marks: 0,
                label: Label::new([Cube {
                    positive: 0,
                    negative: bit,
                }]),
            });
        }
        let atoms = self.atoms.iter().cloned().chain([atom.into()]);
        Tgba::new(atoms.collect::<Vec<_>>(), self.initial, sets, edges)
    }

    /// The runs on which a monitor is in one of its repeating states again and again, and the
    /// conditions that its edges have.
    pub fn of_monitor(monitor: &Monitor) -> Result<(Self, Vec<Guard>), Unfit> {
        let mut numbers: FxHashMap<&Guard, u32> = FxHashMap::default();
        let mut guards: Vec<Guard> = Vec::new();
        for edge in monitor.edges() {
            numbers.entry(&edge.guard).or_insert_with(|| {
                guards.push(edge.guard.clone());
                guards.len() as u32 - 1
            });
        }
        if guards.len() > MAX_ATOMS {
            return Err(Unfit("the monitor has more than 64 different conditions"));
        }
        let mut edges = Vec::with_capacity(monitor.states().len());
        for state in 0..monitor.states().len() as u32 {
            let mut leaving = Vec::new();
            let mut none: Letter = 0;
            let edge = |target: u32, cube: Cube| Edge {
                target,
                marks: u32::from(monitor.states()[target as usize].repeating),
                label: Label::new([cube]),
            };
            for taken in monitor.edges_from(state) {
                let bit: Letter = 1 << numbers[&taken.guard];
                none |= bit;
                let cube = Cube {
                    positive: bit,
                    negative: 0,
                };
                leaving.push(edge(taken.to, cube));
            }
            let stay = Cube {
                positive: 0,
                negative: none,
            };
            leaving.push(edge(state, stay));
            edges.push(leaving);
        }
        let names = (0..guards.len()).map(|index| format!("guard{index}").into());
        let names: Box<[Box<str>]> = names.collect();
        Ok((Tgba::new(names, monitor.initial(), 1, edges)?, guards))
    }
}

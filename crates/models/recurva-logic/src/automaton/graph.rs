//! Automata while they are worked on.

use super::{
    Edge, Label, Marks, Tgba, all_marks,
    components::components,
    letters::{Letters, Set},
    translate::TooLarge,
};

/// An edge whose label is a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Arc {
    pub(super) target: u32,
    pub(super) marks: Marks,
    pub(super) label: Set,
}

/// An automaton whose labels are sets.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) initial: u32,
    pub(super) sets: u32,
    pub(super) arcs: Vec<Vec<Arc>>,
}

/// The components of a graph and what is known of them.
#[derive(Debug)]
pub(super) struct Components {
    pub(super) of: Vec<u32>,
    /// Whether there is an accepting run in it.
    pub(super) accepting: Vec<bool>,
}

impl Components {
    /// Whether an arc can be passed again and again.
    pub(super) fn inside(&self, from: u32, to: u32) -> bool {
        self.of[from as usize] == self.of[to as usize]
    }

    pub(super) fn accepts(&self, state: u32) -> bool {
        let component = self.of[state as usize] as usize;
        self.accepting
            .get(component)
            .is_some_and(|&accepts| accepts)
    }
}

impl Graph {
    /// Without any run.
    pub(super) fn empty(sets: u32) -> Self {
        Graph {
            initial: 0,
            sets,
            arcs: vec![Vec::new()],
        }
    }

    pub(super) fn of(automaton: &Tgba, letters: &mut Letters) -> Self {
        let mut arcs = Vec::with_capacity(automaton.states());
        for edges in &automaton.edges {
            let mut list = Vec::with_capacity(edges.len());
            for edge in edges {
                list.push(Arc {
                    target: edge.target,
                    marks: edge.marks,
                    label: letters.of_cubes(edge.label.cubes()),
                });
            }
            arcs.push(list);
        }
        let mut graph = Graph {
            initial: automaton.initial,
            sets: automaton.sets,
            arcs,
        };
        graph.join(letters);
        graph
    }

    /// As an automaton; too large if a label needs more than `limit` cubes.
    pub(super) fn automaton(
        &self,
        atoms: Box<[Box<str>]>,
        letters: &mut Letters,
        limit: usize,
    ) -> Result<Tgba, TooLarge> {
        let mut edges = Vec::with_capacity(self.arcs.len());
        for arcs in &self.arcs {
            let mut list = Vec::with_capacity(arcs.len());
            for arc in arcs {
                let cubes = letters
                    .cubes(arc.label, limit)
                    .ok_or(TooLarge::Label(limit))?;
                list.push(Edge {
                    target: arc.target,
                    marks: arc.marks,
                    label: Label::new(cubes),
                });
            }
            edges.push(list);
        }
        if letters.overflowed() {
            return Err(TooLarge::Labels);
        }
        Ok(Tgba {
            atoms,
            initial: self.initial,
            sets: self.sets,
            edges,
        })
    }

    pub(super) fn all_marks(&self) -> Marks {
        all_marks(self.sets)
    }

    pub(super) fn states(&self) -> usize {
        self.arcs.len()
    }

    pub(super) fn arc_count(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// Joins arcs that differ only in their labels and drops those that cannot be taken.
    pub(super) fn join(&mut self, letters: &mut Letters) {
        for arcs in &mut self.arcs {
            arcs.sort_unstable();
            let mut list: Vec<Arc> = Vec::with_capacity(arcs.len());
            for &arc in arcs.iter().filter(|arc| !arc.label.is_empty()) {
                match list.last_mut() {
                    Some(last) if (last.target, last.marks) == (arc.target, arc.marks) => {
                        last.label = letters.or(last.label, arc.label);
                    }
                    _ => list.push(arc),
                }
            }
            *arcs = list;
        }
    }

    /// The same with the marks of states, which are on the arcs that leave them, on the arcs
    /// that lead to them: a run passes as many.
    pub(super) fn with_marks_on_entry(mut self) -> Self {
        let marks: Vec<Marks> = self
            .arcs
            .iter()
            .map(|arcs| arcs.first().map_or(0, |arc| arc.marks))
            .collect();
        for arc in self.arcs.iter_mut().flatten() {
            arc.marks = marks[arc.target as usize];
        }
        self
    }

    /// The components of what can be reached.
    pub(super) fn components(&self) -> Components {
        let successors = |state: u32| self.arcs[state as usize].iter().map(|arc| arc.target);
        let of = components(self.states(), [self.initial], successors);
        let count = of.iter().filter(|&&c| c != u32::MAX).max();
        let count = count.map_or(0, |&last| last as usize + 1);
        let mut marks: Vec<Option<Marks>> = vec![None; count];
        for (state, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs {
                if of[state] != u32::MAX && of[state] == of[arc.target as usize] {
                    *marks[of[state] as usize].get_or_insert(0) |= arc.marks;
                }
            }
        }
        let all = self.all_marks();
        let accepting = marks.iter().map(|&marks| marks == Some(all)).collect();
        Components { of, accepting }
    }

    /// Keeps the states for which `keep` holds, in their order. If the initial state goes,
    /// nothing stays.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        if !keep[self.initial as usize] {
            *self = Graph::empty(self.sets);
            return;
        }
        let mut names = vec![u32::MAX; self.states()];
        let kept = names.iter_mut().zip(keep).filter(|(_, keep)| **keep);
        for ((name, _), number) in kept.zip(0..) {
            *name = number;
        }
        let mut kept = keep.iter();
        self.arcs.retain(|_| kept.next().is_some_and(|&keep| keep));
        for arcs in &mut self.arcs {
            arcs.retain(|arc| keep[arc.target as usize]);
            for arc in arcs {
                arc.target = names[arc.target as usize];
            }
        }
        self.initial = names[self.initial as usize];
    }
}

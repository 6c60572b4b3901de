//! Automata edge by edge.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Classes, Letter, Meter, Nfa, Stop};

/// Puts an automaton together, edge by edge.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    initial: Vec<u32>,
    accepting: Vec<bool>,
    edges: Vec<(u32, usize, u32)>,
    sets: Vec<Vec<Letter>>,
    known: FxHashMap<Vec<Letter>, usize>,
}

impl Builder {
    /// A new state.
    pub fn state(&mut self, accepting: bool) -> u32 {
        self.accepting.push(accepting);
        self.accepting.len() as u32 - 1
    }

    /// Makes a state initial.
    pub fn initial(&mut self, state: u32) {
        self.initial.push(state);
    }

    /// Makes a state accepting.
    pub fn accept(&mut self, state: u32) {
        self.accepting[state as usize] = true;
    }

    /// An edge on any of some letters.
    pub fn edge(&mut self, from: u32, letters: &[Letter], to: u32) {
        if letters.is_empty() {
            return;
        }
        let set = match self.known.get(letters) {
            Some(&set) => set,
            None => {
                self.sets.push(letters.to_vec());
                self.known.insert(letters.to_vec(), self.sets.len() - 1);
                self.sets.len() - 1
            }
        };
        self.edges.push((from, set, to));
    }

    /// The automaton.
    pub fn finish(self) -> Nfa {
        let (classes, of_set) = Classes::of_sets(&self.sets);
        self.put_together(classes, &of_set)
    }

    /// The automaton, unless it is too large: an edge becomes one for each class of its letters.
    pub(crate) fn finish_within(self, meter: &mut Meter<'_>) -> Result<Nfa, Stop> {
        let letters: usize = self.sets.iter().map(Vec::len).sum();
        meter.pass(letters as u64)?;
        let (classes, of_set) = Classes::of_sets(&self.sets);
        let edges: usize = self.edges.iter().map(|edge| of_set[edge.1].len()).sum();
        let level = meter.level();
        meter.hold(level, 32 * edges + 24 * self.accepting.len() + 32 * letters)?;
        meter.pass(edges as u64)?;
        let nfa = self.put_together(classes, &of_set);
        meter.release(level);
        Ok(nfa)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.accepting.capacity() + 16 * self.edges.capacity()
    }

    fn put_together(self, classes: Classes, of_set: &[Vec<u32>]) -> Nfa {
        let mut edges = vec![Vec::new(); self.accepting.len()];
        for (from, set, to) in self.edges {
            edges[from as usize].extend(of_set[set].iter().map(|&class| (class, to)));
        }
        let mut nfa = Nfa {
            classes: Rc::new(classes),
            initial: self.initial,
            accepting: self.accepting,
            edges,
        };
        nfa.tidy();
        nfa
    }
}

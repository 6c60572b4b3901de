//! Inclusion of nondeterministic automata by antichains: sets of states that a smaller set makes
//! superfluous are never looked at again.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::{Letter, Meter, Nfa, Stop, meter::heap};

/// One pair of the search, and how it was reached.
struct Node {
    state: u32,
    set: Vec<u32>,
    before: usize,
    letter: Letter,
}

impl Nfa {
    /// A word of this automaton that the other does not accept, if there is one.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn word_outside(
        &self,
        other: &Nfa,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Letter>>, Stop> {
        let (classes, parts) = self.classes.join(&other.classes);
        let mut sample: Vec<Letter> = vec![0; classes.count()];
        for &(letter, class) in classes.letters().iter().rev() {
            sample[class as usize] = letter;
        }
        let mut split: Vec<Vec<(u32, Option<u32>)>> = vec![Vec::new(); self.classes.count()];
        for (class, &(a, b)) in parts.iter().enumerate() {
            if let Some(a) = a {
                split[a as usize].push((class as u32, b));
            }
        }
        let mut nodes: Vec<Node> = Vec::new();
        // For each state of this automaton the sets that no smaller set was met for.
        let mut minimal: FxHashMap<u32, Vec<Vec<u32>>> = FxHashMap::default();
        let mut todo: VecDeque<usize> = VecDeque::new();
        let mut add = |node: Node, nodes: &mut Vec<Node>, todo: &mut VecDeque<usize>| {
            let known = minimal.entry(node.state).or_default();
            if known.iter().any(|set| is_subset(set, &node.set)) {
                return;
            }
            known.retain(|set| !is_subset(&node.set, set));
            known.push(node.set.clone());
            todo.push_back(nodes.len());
            nodes.push(node);
        };
        for &state in &self.initial {
            let node = Node {
                state,
                set: other.initial.clone(),
                before: usize::MAX,
                letter: 0,
            };
            add(node, &mut nodes, &mut todo);
        }
        let level = meter.level();
        let mut held = 0;
        while let Some(at) = todo.pop_front() {
            let (state, set) = (nodes[at].state, nodes[at].set.clone());
            if self.is_accepting(state) && !set.iter().any(|&s| other.is_accepting(s)) {
                meter.release(level);
                return Ok(Some(word(&nodes, at)));
            }
            for &(class, to) in self.edges(state) {
                for &(part, theirs) in &split[class as usize] {
                    let mut next: Vec<u32> = Vec::new();
                    for &s in &set {
                        let out = other.edges(s).iter().filter(|&&(c, _)| Some(c) == theirs);
                        next.extend(out.map(|&(_, to)| to));
                    }
                    meter.work(next.len() as u64 + set.len() as u64 + 1)?;
                    next.sort_unstable();
                    next.dedup();
                    let node = Node {
                        state: to,
                        set: next,
                        before: at,
                        letter: sample[part as usize],
                    };
                    let (before, size) = (nodes.len(), heap(4 * node.set.len()));
                    add(node, &mut nodes, &mut todo);
                    // Each set is in the list and among the minimal ones.
                    held += (nodes.len() - before) * (2 * size + 72);
                    meter.hold(level, held)?;
                }
            }
        }
        meter.release(level);
        Ok(None)
    }

    /// Whether the other accepts all that this one does.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn is_included(&self, other: &Nfa, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        Ok(self.word_outside(other, meter)?.is_none())
    }
}

/// The letters that led to a node.
fn word(nodes: &[Node], mut at: usize) -> Vec<Letter> {
    let mut word = Vec::new();
    while nodes[at].before != usize::MAX {
        word.push(nodes[at].letter);
        at = nodes[at].before;
    }
    word.reverse();
    word
}

/// Whether one sorted list is part of another.
fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|x| rest.any(|y| x == y))
}

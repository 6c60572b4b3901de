//! Whether an automaton accepts a word that ends in a loop.

use super::{Letter, Tgba, components::components};

impl Tgba {
    /// Whether the automaton accepts the word that begins with `stem` and then repeats `cycle`
    /// for ever. No if `cycle` is empty.
    pub fn accepts(&self, stem: &[Letter], cycle: &[Letter]) -> bool {
        let length = stem.len() + cycle.len();
        if cycle.is_empty() {
            return false;
        }
        let letter = |at: usize| match stem.get(at) {
            Some(&letter) => letter,
            None => cycle[at - stem.len()],
        };
        let next = |at: usize| if at + 1 < length { at + 1 } else { stem.len() };
        // A node is a state at a position of the word.
        let node = |state: u32, at: usize| (state as usize * length + at) as u32;
        let successors = |from: u32| {
            let (state, at) = (from as usize / length, from as usize % length);
            self.edges[state]
                .iter()
                .filter(move |edge| edge.label.holds(letter(at)))
                .map(move |edge| (node(edge.target, next(at)), edge.marks))
        };
        let nodes = self.states() * length;
        let of = components(nodes, [node(self.initial, 0)], |from| {
            successors(from).map(|(to, _)| to)
        });
        let mut marks = vec![None; nodes];
        for from in 0..nodes as u32 {
            let component = of[from as usize];
            if component == u32::MAX {
                continue;
            }
            for (to, passed) in successors(from) {
                if of[to as usize] == component {
                    *marks[component as usize].get_or_insert(0) |= passed;
                }
            }
        }
        marks.contains(&Some(self.all_marks()))
    }
}

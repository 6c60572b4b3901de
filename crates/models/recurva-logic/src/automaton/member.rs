//! Whether an automaton accepts a word that ends in a loop.

use recurva_model::{Item, Patience, Stop, Word};

use super::{Letter, Marks, Tgba, components::components};

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

    /// Whether the automaton accepts a word, which may be too long to be spelled out: each of
    /// its pieces is worked out once, as what it does from every state.
    pub fn accepts_word(&self, word: &Word) -> bool {
        let accepts = self.accepts_word_with_patience(word, &mut Patience::endless());
        accepts.expect("patience has no end")
    }

    /// The same for those who may not want to wait for it.
    ///
    /// # Errors
    ///
    /// If patience ends before the word does.
    pub fn accepts_word_with_patience(
        &self,
        word: &Word,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let mut pieces: Vec<Passage> = Vec::with_capacity(word.pieces().len());
        for items in word.pieces() {
            let passage = self.passage(items, &pieces, patience)?;
            pieces.push(passage);
        }
        let stem = self.passage(word.stem(), &pieces, patience)?;
        let turn = self.passage(word.turn(), &pieces, patience)?;
        let roots = stem[self.initial as usize].iter().map(|&(to, _)| to);
        let of = components(self.states(), roots, |from| {
            turn[from as usize].iter().map(|&(to, _)| to)
        });
        let mut marks = vec![None; self.states()];
        for (from, passed) in turn.iter().enumerate() {
            for &(to, more) in passed {
                if of[from] != u32::MAX && of[from] == of[to as usize] {
                    *marks[of[from] as usize].get_or_insert(0) |= more;
                }
            }
        }
        Ok(marks.contains(&Some(self.all_marks())))
    }

    /// Where some items lead from every state, and with which marks.
    fn passage(
        &self,
        items: &[Item],
        pieces: &[Passage],
        patience: &mut Patience<'_>,
    ) -> Result<Passage, Stop> {
        patience.work(self.states() as u64)?;
        let mut passage: Passage = (0..self.states() as u32)
            .map(|state| vec![(state, 0)])
            .collect();
        for item in items {
            for reached in &mut passage {
                patience.work(8 + 8 * reached.len() as u64)?;
                let mut next = Vec::new();
                for &(state, marks) in &*reached {
                    match item {
                        Item::Letter(letter) => {
                            let open = self.edges[state as usize].iter();
                            let open = open.filter(|edge| edge.label.holds(*letter));
                            next.extend(open.map(|edge| (edge.target, marks | edge.marks)));
                        }
                        Item::Piece(piece) => {
                            let open = pieces[piece.index()][state as usize].iter();
                            next.extend(open.map(|&(to, more)| (to, marks | more)));
                        }
                        Item::Into => next.push((state, marks)),
                    }
                }
                next.sort_unstable();
                next.dedup();
                *reached = next;
            }
        }
        Ok(passage)
    }
}

/// For each state where a stretch of a word leads, and with which marks.
type Passage = Vec<Vec<(u32, Marks)>>;

//! Nondeterministic automata without silent steps.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    Builder, Classes, Dfa, Letter, Meter, Stop,
    meter::{heap, table as table_bytes},
    minimise::minimal,
};

/// A nondeterministic automaton. Its edges are labelled with classes of letters.
#[derive(Clone, Debug, Default)]
pub struct Nfa {
    pub(crate) classes: Rc<Classes>,
    pub(crate) initial: Vec<u32>,
    pub(crate) accepting: Vec<bool>,
    /// For each state: class and target.
    pub(crate) edges: Vec<Vec<(u32, u32)>>,
}

impl Nfa {
    /// The empty set of words.
    pub fn empty() -> Nfa {
        Nfa::default()
    }

    /// The set of the empty word.
    pub fn epsilon() -> Nfa {
        let mut builder = Builder::default();
        let state = builder.state(true);
        builder.initial(state);
        builder.finish()
    }

    /// The words of one of some letters.
    pub fn letter(letters: &[Letter]) -> Nfa {
        let mut builder = Builder::default();
        let (from, to) = (builder.state(false), builder.state(true));
        builder.initial(from);
        builder.edge(from, letters, to);
        builder.finish()
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The classes of letters.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The states in which it begins.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Whether a state accepts.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The edges of a state: class and target.
    pub fn edges(&self, state: u32) -> &[(u32, u32)] {
        &self.edges[state as usize]
    }

    /// Sorts, and drops what is there twice.
    pub(crate) fn tidy(&mut self) {
        self.initial.sort_unstable();
        self.initial.dedup();
        for list in &mut self.edges {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let edges = self.edges.iter().map(|list| 24 + heap(8 * list.capacity()));
        edges.sum::<usize>() + self.accepting.len() + self.classes.bytes()
    }

    /// Whether it accepts the empty word.
    pub fn accepts_empty(&self) -> bool {
        self.initial.iter().any(|&s| self.is_accepting(s))
    }

    /// Whether it accepts a word.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut now: Vec<u32> = self.initial.clone();
        for &letter in word {
            let Some(class) = self.classes.class(letter) else {
                return false;
            };
            let mut next: Vec<u32> = Vec::new();
            for &state in &now {
                let out = self.edges(state).iter().filter(|&&(c, _)| c == class);
                next.extend(out.map(|&(_, to)| to));
            }
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        now.iter().any(|&s| self.is_accepting(s))
    }

    /// The words read backwards.
    #[must_use]
    pub fn reversed(&self) -> Nfa {
        let mut edges = vec![Vec::new(); self.states()];
        for (from, list) in self.edges.iter().enumerate() {
            for &(class, to) in list {
                edges[to as usize].push((class, from as u32));
            }
        }
        let mut accepting = vec![false; self.states()];
        for &state in &self.initial {
            accepting[state as usize] = true;
        }
        let mut nfa = Nfa {
            classes: Rc::clone(&self.classes),
            initial: self.accepting_states().collect(),
            accepting,
            edges,
        };
        nfa.tidy();
        nfa
    }

    pub(crate) fn accepting_states(&self) -> impl Iterator<Item = u32> {
        (0..self.states() as u32).filter(|&s| self.is_accepting(s))
    }

    /// Which states are met from some, along the edges.
    fn met(&self, from: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut met = vec![false; self.states()];
        let mut todo: Vec<u32> = Vec::new();
        for state in from {
            if !std::mem::replace(&mut met[state as usize], true) {
                todo.push(state);
            }
        }
        while let Some(state) = todo.pop() {
            for &(_, to) in self.edges(state) {
                if !std::mem::replace(&mut met[to as usize], true) {
                    todo.push(to);
                }
            }
        }
        met
    }

    /// Without states that no accepted word passes, and the old number of each state.
    pub(crate) fn trimmed(&self) -> (Nfa, Vec<u32>) {
        let from = self.met(self.initial.iter().copied());
        let to = self.reversed().met(self.accepting_states());
        let kept: Vec<u32> = (0..self.states() as u32)
            .filter(|&s| from[s as usize] && to[s as usize])
            .collect();
        let mut new = vec![u32::MAX; self.states()];
        for (number, &state) in kept.iter().enumerate() {
            new[state as usize] = number as u32;
        }
        let is_kept = |&s: &u32| new[s as usize] != u32::MAX;
        let nfa = Nfa {
            classes: Rc::clone(&self.classes),
            initial: self
                .initial
                .iter()
                .copied()
                .filter(is_kept)
                .map(|s| new[s as usize])
                .collect(),
            accepting: kept.iter().map(|&s| self.is_accepting(s)).collect(),
            edges: kept
                .iter()
                .map(|&s| {
                    let out = self.edges(s).iter().filter(|(_, to)| is_kept(to));
                    out.map(|&(class, to)| (class, new[to as usize])).collect()
                })
                .collect(),
        };
        (nfa, kept)
    }

    /// Without states that no accepted word passes.
    #[must_use]
    pub fn trim(&self) -> Nfa {
        self.trimmed().0
    }

    /// Whether it accepts no word.
    pub fn is_empty(&self) -> bool {
        let met = self.met(self.initial.iter().copied());
        !self.accepting_states().any(|s| met[s as usize])
    }

    /// Both automata side by side with classes in common.
    fn beside(&self, other: &Nfa) -> Nfa {
        let (classes, parts) = self.classes.join(&other.classes);
        let mut split: [Vec<Vec<u32>>; 2] = [
            vec![Vec::new(); self.classes.count()],
            vec![Vec::new(); other.classes.count()],
        ];
        for (class, &(a, b)) in parts.iter().enumerate() {
            for (side, part) in [a, b].into_iter().enumerate() {
                if let Some(part) = part {
                    split[side][part as usize].push(class as u32);
                }
            }
        }
        let offset = self.states() as u32;
        let mut edges = Vec::new();
        for (side, nfa, shift) in [(0, self, 0), (1, other, offset)] {
            for list in &nfa.edges {
                let mut out: Vec<(u32, u32)> = Vec::new();
                for &(class, to) in list {
                    let parts: &Vec<u32> = &split[side][class as usize];
                    out.extend(parts.iter().map(|&part| (part, to + shift)));
                }
                edges.push(out);
            }
        }
        let accepting = [&self.accepting[..], &other.accepting[..]].concat();
        let mut nfa = Nfa {
            classes: Rc::new(classes),
            initial: self.initial.clone(),
            accepting,
            edges,
        };
        nfa.initial.extend(other.initial.iter().map(|s| s + offset));
        nfa.tidy();
        nfa
    }

    /// The words of either.
    #[must_use]
    pub fn union(&self, other: &Nfa) -> Nfa {
        self.beside(other)
    }

    /// The words of the one, each followed by a word of the other.
    #[must_use]
    pub fn concat(&self, other: &Nfa) -> Nfa {
        let mut nfa = self.beside(other);
        let offset = self.states() as u32;
        let (first, second): (Vec<u32>, Vec<u32>) =
            nfa.initial.iter().copied().partition(|&s| s < offset);
        let entry: Vec<(u32, u32)> = second
            .iter()
            .flat_map(|&s| nfa.edges[s as usize].clone())
            .collect();
        for state in 0..self.states() {
            if self.accepting[state] {
                nfa.edges[state].extend(&entry);
                nfa.accepting[state] = other.accepts_empty();
            }
        }
        nfa.initial = first;
        if self.accepts_empty() {
            nfa.initial.extend(second);
        }
        nfa.tidy();
        nfa
    }

    /// The edges with which words begin.
    fn entry(&self) -> Vec<(u32, u32)> {
        let initial = self.initial.iter();
        initial
            .flat_map(|&s| self.edges[s as usize].iter().copied())
            .collect()
    }

    /// One word or more in a row. It has no more states than this.
    #[must_use]
    pub fn plus(&self) -> Nfa {
        let mut nfa = self.clone();
        let entry = self.entry();
        for state in self.accepting_states() {
            nfa.edges[state as usize].extend(&entry);
        }
        nfa.tidy();
        nfa
    }

    /// Any number of words in a row.
    #[must_use]
    pub fn star(&self) -> Nfa {
        let mut nfa = self.plus();
        let entry = self.entry();
        // The empty word is accepted by a state of its own, to which nothing leads.
        nfa.initial = vec![nfa.states() as u32];
        nfa.accepting.push(true);
        nfa.edges.push(entry);
        nfa.tidy();
        nfa
    }

    /// The words that both accept.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn intersect(&self, other: &Nfa, meter: &mut Meter<'_>) -> Result<Nfa, Stop> {
        let level = meter.level();
        let (classes, parts) = self.classes.join(&other.classes);
        let fixed = classes.bytes() + 64 * parts.len();
        let mut edges = 0;
        let mut common: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for (class, part) in parts.iter().enumerate() {
            if let &(Some(a), Some(b)) = part {
                common.entry((a, b)).or_default().push(class as u32);
            }
        }
        let mut pairs = Pairs::default();
        let mut nfa = Nfa {
            classes: Rc::new(classes),
            ..Nfa::default()
        };
        for &a in &self.initial {
            for &b in &other.initial {
                nfa.initial.push(pairs.number((a, b)));
            }
        }
        while let Some((a, b)) = pairs.todo.pop_front() {
            let mut out = Vec::new();
            meter.work((self.edges(a).len() * other.edges(b).len()) as u64 + 1)?;
            for &(ca, ta) in self.edges(a) {
                for &(cb, tb) in other.edges(b) {
                    if let Some(list) = common.get(&(ca, cb)) {
                        let to = pairs.number((ta, tb));
                        out.extend(list.iter().map(|&class| (class, to)));
                    }
                }
            }
            edges += 24 + heap(8 * out.capacity());
            meter.hold(level, fixed + edges + pairs.bytes())?;
            nfa.edges.push(out);
            nfa.accepting
                .push(self.is_accepting(a) && other.is_accepting(b));
        }
        // What is kept of it is a copy.
        meter.hold(level, fixed + 2 * edges + pairs.bytes())?;
        meter.pass(edges as u64 / 4)?;
        nfa.tidy();
        let trimmed = nfa.trim();
        meter.release(level);
        Ok(trimmed)
    }

    /// The smallest deterministic automaton.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn determinise(&self, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        let level = meter.level();
        let own = self.bytes();
        meter.hold(level, 2 * own)?;
        meter.pass(own as u64 / 8)?;
        let trimmed = self.trim();
        let classes = trimmed.classes.count();
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut todo: VecDeque<Vec<u32>> = VecDeque::new();
        let mut table: Vec<u32> = Vec::new();
        let mut accepting: Vec<bool> = Vec::new();
        let mut start = trimmed.initial.clone();
        start.sort_unstable();
        // The sets of states are kept once as keys and once while they wait.
        let mut sets = 2 * heap(4 * start.len());
        numbers.insert(start.clone(), 0);
        todo.push_back(start);
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); classes];
        while let Some(set) = todo.pop_front() {
            let mut looked = classes as u64 + 1;
            for &state in &set {
                looked += trimmed.edges(state).len() as u64;
                for &(class, to) in trimmed.edges(state) {
                    successors[class as usize].push(to);
                }
            }
            meter.work(looked)?;
            for list in &mut successors {
                if list.is_empty() {
                    table.push(Dfa::NONE);
                    continue;
                }
                list.sort_unstable();
                list.dedup();
                let next = numbers.len() as u32;
                let number = match numbers.get(&*list) {
                    Some(&number) => number,
                    None => {
                        sets += 2 * heap(4 * list.len());
                        numbers.insert(list.clone(), next);
                        todo.push_back(list.clone());
                        next
                    }
                };
                table.push(number);
                list.clear();
            }
            accepting.push(set.iter().any(|&s| trimmed.is_accepting(s)));
            sets -= heap(4 * set.len());
            let waiting = 24 * todo.capacity() + table_bytes(numbers.len(), 32);
            meter.hold(level, own + sets + waiting + 4 * table.capacity())?;
        }
        meter.work(table.len() as u64)?;
        drop((numbers, todo));
        meter.hold(level, own + 4 * table.capacity() + accepting.capacity())?;
        let smallest = minimal(&trimmed.classes, &table, &accepting, meter)?;
        meter.release(level);
        Ok(smallest)
    }
}

/// Pairs of states, numbered as they are met.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    numbers: FxHashMap<(u32, u32), u32>,
    pub(crate) todo: VecDeque<(u32, u32)>,
}

impl Pairs {
    pub(crate) fn number(&mut self, pair: (u32, u32)) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.todo.push_back(pair);
        }
        number
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        table_bytes(self.numbers.len(), 12) + 8 * self.todo.capacity()
    }
}

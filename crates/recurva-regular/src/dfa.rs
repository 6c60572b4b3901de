//! Minimal deterministic automata: equal languages are equal values.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{Classes, Letter, Meter, Nfa, Stop, meter::heap, minimise::minimal, nfa::Pairs};

/// The minimal deterministic automaton of a set of words, with edges only where some accepted
/// word goes on. State 0 is initial. States and classes are numbered in one way only, so two of
/// them are equal exactly if they accept the same words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    classes: Rc<Classes>,
    /// For each state and class the target or [`Dfa::NONE`].
    table: Vec<u32>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// No target.
    pub(crate) const NONE: u32 = u32::MAX;

    pub(crate) fn from_parts(classes: Classes, table: Vec<u32>, accepting: Vec<bool>) -> Dfa {
        Dfa {
            classes: Rc::new(classes),
            table,
            accepting,
        }
    }

    /// The empty set of words; it has one state.
    pub fn empty() -> Dfa {
        Dfa::from_parts(Classes::default(), Vec::new(), vec![false])
    }

    /// All words over the letters below `letters`.
    pub fn all(letters: u32) -> Dfa {
        let classes = Classes::numbered((0..letters).map(|letter| (letter, 0)).collect());
        let table = vec![0; classes.count()];
        Dfa::from_parts(classes, table, vec![true])
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.table.capacity() + self.accepting.capacity() + self.classes.bytes()
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// How many edges there are, one for each class.
    pub fn edge_count(&self) -> usize {
        self.table.iter().filter(|&&to| to != Dfa::NONE).count()
    }

    /// The classes of letters.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Whether a state accepts.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// Where a class leads.
    pub fn next(&self, state: u32, class: u32) -> Option<u32> {
        let to = self.table[state as usize * self.classes.count() + class as usize];
        (to != Dfa::NONE).then_some(to)
    }

    /// The edges of a state: class and target.
    pub fn edges(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let width = self.classes.count();
        let row = &self.table[state as usize * width..(state as usize + 1) * width];
        let edges = row.iter().enumerate();
        edges.filter_map(|(class, &to)| (to != Dfa::NONE).then_some((class as u32, to)))
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        self.accepting == [false]
    }

    /// Whether a word is accepted.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut state = 0;
        for &letter in word {
            let class = self.classes.class(letter);
            match class.and_then(|class| self.next(state, class)) {
                Some(to) => state = to,
                None => return false,
            }
        }
        self.is_accepting(state)
    }

    /// The same as a nondeterministic automaton.
    pub fn nfa(&self) -> Nfa {
        let states = 0..self.states() as u32;
        Nfa {
            classes: Rc::clone(&self.classes),
            initial: vec![0],
            accepting: self.accepting.clone(),
            edges: states.map(|state| self.edges(state).collect()).collect(),
        }
    }

    /// The words accepted on the way from one state to others.
    pub(crate) fn between(&self, from: u32, accepting: impl Fn(u32) -> bool) -> Nfa {
        let mut nfa = self.nfa();
        nfa.initial = vec![from];
        nfa.accepting = (0..self.states() as u32).map(accepting).collect();
        nfa
    }

    /// Words for which `keep` holds of "in the one" and "in the other"; `keep(false, false)` is
    /// false.
    fn combine(
        &self,
        other: &Dfa,
        meter: &mut Meter<'_>,
        keep: impl Fn(bool, bool) -> bool,
    ) -> Result<Dfa, Stop> {
        let level = meter.level();
        meter.pass((self.classes.letters().len() + other.classes.letters().len()) as u64)?;
        let (classes, parts) = self.classes.join(&other.classes);
        let fixed = classes.bytes();
        let mut pairs = Pairs::default();
        let (mut table, mut accepting) = (Vec::new(), Vec::new());
        pairs.number((0, 0));
        while let Some((a, b)) = pairs.todo.pop_front() {
            meter.work(parts.len() as u64 + 1)?;
            for &(ca, cb) in &parts {
                let go = |dfa: &Dfa, state: u32, class: Option<u32>| match class {
                    Some(class) if state != Dfa::NONE => {
                        dfa.next(state, class).unwrap_or(Dfa::NONE)
                    }
                    _ => Dfa::NONE,
                };
                let to = (go(self, a, ca), go(other, b, cb));
                table.push(match to {
                    (Dfa::NONE, Dfa::NONE) => Dfa::NONE,
                    _ => pairs.number(to),
                });
            }
            let accepts = |dfa: &Dfa, state: u32| state != Dfa::NONE && dfa.is_accepting(state);
            accepting.push(keep(accepts(self, a), accepts(other, b)));
            meter.hold(level, fixed + pairs.bytes() + 4 * table.capacity())?;
        }
        drop(pairs);
        meter.hold(level, fixed + 4 * table.capacity() + accepting.capacity())?;
        let smallest = minimal(&classes, &table, &accepting, meter)?;
        meter.release(level);
        Ok(smallest)
    }

    /// The words of either.
    ///
    /// # Errors
    ///
    /// As all operations with a meter: if it says stop.
    pub fn union(&self, other: &Dfa, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        self.combine(other, meter, |a, b| a || b)
    }

    /// The words of both.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn intersect(&self, other: &Dfa, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        self.combine(other, meter, |a, b| a && b)
    }

    /// The words of the one that are not words of the other.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn minus(&self, other: &Dfa, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        self.combine(other, meter, |a, b| a && !b)
    }

    /// The words over the letters below `letters` that are not accepted.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn complement(&self, letters: u32, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        Dfa::all(letters).minus(self, meter)
    }

    /// The words read backwards.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn reversed(&self, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        self.nfa().reversed().determinise(meter)
    }

    /// A shortest accepted word, the first of them in the order of the letters.
    pub fn shortest(&self) -> Option<Vec<Letter>> {
        let mut first: Vec<Option<Letter>> = vec![None; self.classes.count()];
        for &(letter, class) in self.classes.letters() {
            first[class as usize].get_or_insert(letter);
        }
        let mut from: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut todo = VecDeque::from([0]);
        while let Some(state) = todo.pop_front() {
            if self.is_accepting(state) {
                let mut word = Vec::new();
                let mut now = state;
                while let Some(&(before, class)) = from.get(&now) {
                    word.extend(first[class as usize]);
                    now = before;
                }
                word.reverse();
                return Some(word);
            }
            for (class, to) in self.edges(state) {
                if to != 0 && !from.contains_key(&to) {
                    from.insert(to, (state, class));
                    todo.push_back(to);
                }
            }
        }
        None
    }

    /// For each number of letters up to `length` the states from which a word of that length is
    /// accepted.
    pub(crate) fn viable(&self, length: usize) -> Vec<Vec<bool>> {
        let mut rows = vec![self.accepting.clone()];
        for _ in 0..length {
            let before = &rows[rows.len() - 1];
            let row = (0..self.states() as u32)
                .map(|state| self.edges(state).any(|(_, to)| before[to as usize]))
                .collect();
            rows.push(row);
        }
        rows
    }

    /// All accepted words of a length, in the order of the letters.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn words(&self, length: usize, meter: &mut Meter<'_>) -> Result<Vec<Vec<Letter>>, Stop> {
        let viable = self.viable(length);
        let mut words: Vec<(Vec<Letter>, u32)> = Vec::new();
        if viable[length][0] {
            words.push((Vec::new(), 0));
        }
        let level = meter.level();
        for done in 0..length {
            let left = &viable[length - done - 1];
            let mut longer: Vec<(Vec<Letter>, u32)> = Vec::new();
            let one = 32 + heap(4 * (done + 4));
            let before = words.len() * one;
            for (word, state) in words {
                meter.work(self.classes.letters().len() as u64 + length as u64)?;
                meter.hold(level, before + longer.capacity() * 32 + longer.len() * one)?;
                for &(letter, class) in self.classes.letters() {
                    if let Some(to) = self.next(state, class).filter(|&to| left[to as usize]) {
                        let mut word = word.clone();
                        word.push(letter);
                        longer.push((word, to));
                    }
                }
            }
            words = longer;
        }
        meter.release(level);
        Ok(words.into_iter().map(|(word, _)| word).collect())
    }
}

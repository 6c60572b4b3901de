//! Small automata of expressions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{
    CallId, Letter,
    solve::{Regex, RegexId},
};

/// A finite automaton with one final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// How many states there are.
    pub(crate) states: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// From, what is read (nothing if `None`), to.
    pub(crate) moves: Vec<(u32, Option<Letter>, u32)>,
}

/// Beyond this many states an automaton is left nondeterministic.
const MOST_STATES: usize = 256;

impl Automaton {
    pub(super) fn new(regexes: &[Regex], regex: RegexId) -> Self {
        let loose = expand(regexes, regex);
        match determinise(&loose) {
            Some(table) => minimise(&table),
            None => loose,
        }
    }

    /// Whether silent moves lead from the start to the end. A call may also read the empty word:
    /// that is not looked for.
    pub(crate) fn accepts_nothing(&self) -> bool {
        let mut reached = vec![self.start];
        let mut at = 0;
        while at < reached.len() {
            for &(from, letter, to) in &self.moves {
                if from == reached[at] && letter.is_none() && !reached.contains(&to) {
                    reached.push(to);
                }
            }
            at += 1;
        }
        reached.contains(&self.end)
    }

    /// The calls it makes.
    pub(super) fn calls(&self) -> impl Iterator<Item = CallId> {
        self.moves
            .iter()
            .filter_map(|&(_, letter, _)| match letter {
                Some(Letter::Call(call)) => Some(call),
                _ => None,
            })
    }

    pub(super) fn rename_calls(&mut self, renamed: &FxHashMap<CallId, CallId>) {
        for (_, letter, _) in &mut self.moves {
            if let Some(Letter::Call(call)) = letter {
                *call = renamed[call];
            }
        }
    }
}

/// An automaton with silent moves, part by part.
fn expand(regexes: &[Regex], regex: RegexId) -> Automaton {
    let mut automaton = Automaton {
        states: 2,
        start: 0,
        end: 1,
        moves: Vec::new(),
    };
    let mut open = vec![(regex, 0, 1)];
    while let Some((regex, from, to)) = open.pop() {
        match &regexes[regex as usize] {
            &Regex::Letter(letter) => automaton.moves.push((from, Some(letter), to)),
            Regex::Sequence(parts) => {
                let mut at = from;
                for &part in parts {
                    let next = automaton.states;
                    automaton.states += 1;
                    open.push((part, at, next));
                    at = next;
                }
                automaton.moves.push((at, None, to));
            }
            Regex::Choice(parts) => open.extend(parts.iter().map(|&part| (part, from, to))),
            &Regex::Star(part) => {
                let here = automaton.states;
                automaton.states += 1;
                automaton.moves.push((from, None, here));
                automaton.moves.push((here, None, to));
                open.push((part, here, here));
            }
            &Regex::Plus(part) => {
                let (begin, end) = (automaton.states, automaton.states + 1);
                automaton.states += 2;
                automaton.moves.push((from, None, begin));
                automaton.moves.push((end, None, begin));
                automaton.moves.push((end, None, to));
                open.push((part, begin, end));
            }
        }
    }
    automaton
}

/// A deterministic automaton: the successors of each state, and whether it is final.
struct Table {
    rows: Vec<BTreeMap<Letter, usize>>,
    is_final: Vec<bool>,
}

fn determinise(loose: &Automaton) -> Option<Table> {
    let mut outgoing: Vec<Vec<(Option<Letter>, u32)>> = vec![Vec::new(); loose.states as usize];
    for &(from, letter, to) in &loose.moves {
        outgoing[from as usize].push((letter, to));
    }
    let closure = |mut set: Vec<u32>| {
        let mut at = 0;
        while at < set.len() {
            for &(letter, to) in &outgoing[set[at] as usize] {
                if letter.is_none() && !set.contains(&to) {
                    set.push(to);
                }
            }
            at += 1;
        }
        set.sort_unstable();
        set
    };
    let first = closure(vec![loose.start]);
    let mut index: FxHashMap<Vec<u32>, usize> = FxHashMap::from_iter([(first.clone(), 0)]);
    let mut sets = vec![first];
    let mut table = Table {
        rows: Vec::new(),
        is_final: Vec::new(),
    };
    while table.rows.len() < sets.len() {
        let set = sets[table.rows.len()].clone();
        let mut targets: BTreeMap<Letter, Vec<u32>> = BTreeMap::new();
        for &state in &set {
            for &(letter, to) in &outgoing[state as usize] {
                if let Some(letter) = letter {
                    let list = targets.entry(letter).or_default();
                    if !list.contains(&to) {
                        list.push(to);
                    }
                }
            }
        }
        let mut row = BTreeMap::new();
        for (letter, targets) in targets {
            let target = closure(targets);
            let next = sets.len();
            let number = *index.entry(target.clone()).or_insert(next);
            if number == next {
                sets.push(target);
            }
            row.insert(letter, number);
        }
        table.is_final.push(set.contains(&loose.end));
        table.rows.push(row);
        if sets.len() > MOST_STATES.max(2 * loose.states as usize) {
            return None;
        }
    }
    Some(table)
}

/// Merges states that accept the same, and gives the result one final state.
fn minimise(table: &Table) -> Automaton {
    let mut class: Vec<usize> = table
        .is_final
        .iter()
        .map(|&is_final| is_final.into())
        .collect();
    let mut count = 0;
    loop {
        let mut index: BTreeMap<(usize, Vec<(Letter, usize)>), usize> = BTreeMap::new();
        let mut finer = Vec::with_capacity(class.len());
        for (state, row) in table.rows.iter().enumerate() {
            let row = row
                .iter()
                .map(|(&letter, &to)| (letter, class[to]))
                .collect();
            let next = index.len();
            finer.push(*index.entry((class[state], row)).or_insert(next));
        }
        let done = index.len() == count;
        count = index.len();
        class = finer;
        if done {
            break;
        }
    }
    let mut moves: Vec<(u32, Option<Letter>, u32)> = Vec::new();
    for (state, row) in table.rows.iter().enumerate() {
        let step = |(&letter, &to): (&Letter, &usize)| {
            (class[state] as u32, Some(letter), class[to] as u32)
        };
        moves.extend(row.iter().map(step));
    }
    let mut finals: Vec<u32> = Vec::new();
    for (state, &is_final) in table.is_final.iter().enumerate() {
        if is_final {
            finals.push(class[state] as u32);
        }
    }
    finals.sort_unstable();
    finals.dedup();
    let mut states = count as u32;
    let end = match *finals {
        [one] => one,
        _ => {
            states += 1;
            moves.extend(finals.iter().map(|&state| (state, None, states - 1)));
            states - 1
        }
    };
    moves.sort_unstable();
    moves.dedup();
    Automaton {
        states,
        start: class[0] as u32,
        end,
        moves,
    }
}

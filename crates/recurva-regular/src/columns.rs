//! The column construction: runs of a transducer one above the other are read column by column.
//! See the page `README.md` of this crate.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Builder, Classes, Dfa, Letter, Meter, Nfa, Relation, Stop, pair, parts};

/// What the construction gives.
#[derive(Clone, Debug)]
pub struct Constructed {
    /// The closure as an automaton over pairs, or the set that is reached.
    pub dfa: Dfa,
    /// How many sets of columns there were.
    pub subsets: usize,
}

/// How high columns may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Without a bound: the result is exact.
    Any,
    /// At most so many states of a column neither follow nor precede copying only: the result is
    /// exact if it is closed, and otherwise too small.
    Local(usize),
}

/// A transducer that is deterministic when it is read backwards: its states are told apart by
/// what may still come, which keeps sets of columns few.
struct Transducer {
    initial: Vec<u32>,
    accepting: Vec<bool>,
    /// For each state and left letter: right letter and target.
    rows: Vec<FxHashMap<Letter, Vec<(Letter, u32)>>>,
    /// States from which only copying is possible.
    copying: Vec<bool>,
    /// States before which only copying was possible.
    copied: Vec<bool>,
}

impl Transducer {
    fn new(relation: &Relation, meter: &mut Meter<'_>) -> Result<Transducer, Stop> {
        let nfa = relation.dfa().reversed(meter)?.nfa().reversed();
        let members = nfa.classes().members();
        let copies: Vec<bool> = members
            .iter()
            .map(|class| class.iter().all(|&l| parts(l).0 == parts(l).1))
            .collect();
        let rows = (0..nfa.states() as u32).map(|state| {
            let mut row: FxHashMap<Letter, Vec<(Letter, u32)>> = FxHashMap::default();
            for &(class, to) in nfa.edges(state) {
                for &letter in &members[class as usize] {
                    let (a, b) = parts(letter);
                    row.entry(a).or_default().push((b, to));
                }
            }
            row
        });
        Ok(Transducer {
            initial: nfa.initial().to_vec(),
            accepting: (0..nfa.states() as u32)
                .map(|s| nfa.is_accepting(s))
                .collect(),
            rows: rows.collect(),
            copying: only_copies(&nfa, &copies),
            copied: only_copies(&nfa.reversed(), &copies),
        })
    }

    fn states(&self) -> u32 {
        self.rows.len() as u32
    }
}

/// For each state whether all edges that can be met from it copy.
fn only_copies(nfa: &Nfa, copies: &[bool]) -> Vec<bool> {
    let mut only = vec![true; nfa.states()];
    let mut changed = true;
    while changed {
        changed = false;
        for state in 0..nfa.states() {
            let mut edges = nfa.edges(state as u32).iter();
            let fine = edges.all(|&(class, to)| copies[class as usize] && only[to as usize]);
            if only[state] && !fine {
                only[state] = false;
                changed = true;
            }
        }
    }
    only
}

/// A set of columns is a minimal automaton over the states of the transducer; in front of them
/// stands, for reachability, a state of the automaton of the first words.
struct Columns<'a> {
    transducer: &'a Transducer,
    /// The automaton of the first words; its states are numbered behind the transducer's.
    first: Option<Nfa>,
    depth: Depth,
    /// All states as letters.
    classes: Rc<Classes>,
}

/// A graph of partial columns under construction: a state of the set, the letter that the last
/// row wrote, and how many states that do not copy there are.
type Node = (u32, Letter, usize);

#[derive(Default)]
struct Graph {
    numbers: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    edges: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    fn number(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
            self.edges.push(Vec::new());
        }
        number
    }
}

/// The letter of the node in front of all columns.
const NO_LETTER: Letter = Letter::MAX;

impl Columns<'_> {
    fn new(transducer: &Transducer, first: Option<Nfa>, depth: Depth) -> Columns<'_> {
        let more = first.as_ref().map_or(0, Nfa::states) as u32;
        let letters = transducer.states() + more;
        Columns {
            transducer,
            first,
            depth,
            classes: Rc::new(Classes::numbered((0..letters).map(|l| (l, l)).collect())),
        }
    }

    /// Columns of initial states.
    fn start(&self, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        let initial = Nfa::letter(&self.transducer.initial);
        let columns = match &self.first {
            None => initial.concat(&initial.star()),
            Some(first) => {
                let shift = self.transducer.states();
                let begin: Vec<Letter> = first.initial().iter().map(|s| s + shift).collect();
                Nfa::letter(&begin).concat(&initial.star())
            }
        };
        let columns = columns.determinise(meter)?;
        let Depth::Local(most) = self.depth else {
            return self.saturated(&columns.nfa(), meter);
        };
        // Count with the graph of no step at all.
        let mut graph = Graph::default();
        graph.number((0, NO_LETTER, 0));
        let mut at = 0;
        while at < graph.nodes.len() {
            let (state, _, count) = graph.nodes[at];
            for (class, to) in columns.edges(state) {
                for &letter in &columns.classes().members()[class as usize] {
                    let count = count + usize::from(self.counts(letter));
                    if count <= most {
                        let to = graph.number((to, NO_LETTER, count));
                        graph.edges[at].push((letter, to));
                    }
                }
            }
            at += 1;
        }
        let accepting = graph
            .nodes
            .iter()
            .map(|n| columns.is_accepting(n.0))
            .collect();
        self.saturated(&self.part(&graph, &[0], accepting), meter)
    }

    /// Whether a state counts towards the local depth.
    fn counts(&self, letter: Letter) -> bool {
        let at = letter as usize;
        at < self.transducer.rows.len()
            && !self.transducer.copying[at]
            && !self.transducer.copied[at]
    }

    /// A graph as an automaton.
    fn part(&self, graph: &Graph, initial: &[u32], accepting: Vec<bool>) -> Nfa {
        Nfa {
            classes: Rc::clone(&self.classes),
            initial: initial.to_vec(),
            accepting,
            edges: graph.edges.clone(),
        }
    }

    /// With all columns that are only repetitions of copying away from one of the set.
    fn saturated(&self, columns: &Nfa, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
        let mut nfa = columns.trim();
        let is_copying = |letter: Letter| {
            self.transducer
                .copying
                .get(letter as usize)
                .copied()
                .unwrap_or(false)
        };
        // Edges of copying states again and again: two in a row are as good as one.
        let members = nfa.classes.members();
        let mut builder = Builder::default();
        for state in 0..nfa.states() as u32 {
            builder.state(nfa.is_accepting(state));
        }
        nfa.initial.iter().for_each(|&s| builder.initial(s));
        let mut by_letter: FxHashMap<Letter, Vec<(u32, u32)>> = FxHashMap::default();
        for state in 0..nfa.states() as u32 {
            for &(class, to) in nfa.edges(state) {
                for &letter in &members[class as usize] {
                    by_letter.entry(letter).or_default().push((state, to));
                }
            }
        }
        for (letter, list) in &mut by_letter {
            if is_copying(*letter) {
                close(list, nfa.states(), meter)?;
            }
            for &(from, to) in &*list {
                builder.edge(from, &[*letter], to);
            }
        }
        let copying: Vec<Letter> = (0..self.transducer.states())
            .filter(|&q| is_copying(q))
            .collect();
        for state in 0..nfa.states() as u32 {
            // Nothing comes before the state of the first words.
            if self.first.is_none() || !nfa.initial.contains(&state) {
                builder.edge(state, &copying, state);
            }
        }
        let level = meter.level();
        meter.hold(level, nfa.bytes() + builder.bytes())?;
        nfa = builder.finish_within(meter)?;
        let dfa = nfa.determinise(meter)?;
        meter.release(level);
        Ok(dfa)
    }

    /// Whether a column of the set is accepting all through.
    fn accepts(&self, set: &Dfa) -> bool {
        let members = set.classes().members();
        let shift = self.transducer.rows.len();
        let good = |&letter: &Letter| match (&self.first, (letter as usize).checked_sub(shift)) {
            (Some(first), Some(state)) => first.is_accepting(state as u32),
            _ => self.transducer.accepting[letter as usize],
        };
        let usable: Vec<bool> = members.iter().map(|class| class.iter().any(good)).collect();
        let mut met = vec![false; set.states()];
        met[0] = true;
        let mut todo = vec![0];
        while let Some(state) = todo.pop() {
            if set.is_accepting(state) {
                return true;
            }
            for (class, to) in set.edges(state) {
                if usable[class as usize] && !std::mem::replace(&mut met[to as usize], true) {
                    todo.push(to);
                }
            }
        }
        false
    }

    /// All that the rows below can do from nodes that are there.
    fn grow(&self, set: &Dfa, graph: &mut Graph, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let members = set.classes().members();
        let level = meter.level();
        let mut bytes = 0;
        let mut at = 0;
        while at < graph.nodes.len() {
            let (state, letter, count) = graph.nodes[at];
            at += 1;
            if letter == NO_LETTER {
                continue;
            }
            // An automaton for each letter copies the edges.
            meter.hold(level, 2 * bytes + 100 * graph.nodes.len())?;
            for (class, to) in set.edges(state) {
                for &q in &members[class as usize] {
                    let Some(row) = self.transducer.rows.get(q as usize) else {
                        continue;
                    };
                    let edges = row.get(&letter).map_or(&[][..], |list| list);
                    meter.work(edges.len() as u64 + 1)?;
                    for &(written, next) in edges {
                        let count = match self.depth {
                            Depth::Any => 0,
                            Depth::Local(_) => count + usize::from(self.counts(next)),
                        };
                        if matches!(self.depth, Depth::Local(most) if count > most) {
                            continue;
                        }
                        let target = graph.number((to, written, count));
                        graph.edges[at - 1].push((next, target));
                        bytes += 12;
                    }
                }
            }
        }
        meter.release(level);
        Ok(())
    }

    /// The sets to which a set leads, with the letters.
    fn successors(&self, set: &Dfa, meter: &mut Meter<'_>) -> Result<Vec<(Letter, Dfa)>, Stop> {
        let mut list = Vec::new();
        match &self.first {
            None => {
                let mut letters: Vec<Letter> = self
                    .transducer
                    .rows
                    .iter()
                    .flat_map(|row| row.keys().copied())
                    .collect();
                letters.sort_unstable();
                letters.dedup();
                for letter in letters {
                    let mut graph = Graph::default();
                    let start = graph.number((0, letter, 0));
                    self.grow(set, &mut graph, meter)?;
                    self.by_letter(set, &graph, start, &mut list, |b| pair(letter, b), meter)?;
                }
            }
            Some(first) => {
                let shift = self.transducer.states();
                let mut graph = Graph::default();
                let start = graph.number((0, NO_LETTER, 0));
                let members = first.classes().members();
                for (class, to) in set.edges(0) {
                    for &p in &set.classes().members()[class as usize] {
                        let Some(state) = p.checked_sub(shift) else {
                            continue;
                        };
                        for &(class, next) in first.edges(state) {
                            for &letter in &members[class as usize] {
                                let node = graph.number((to, letter, 0));
                                graph.edges[start as usize].push((next + shift, node));
                            }
                        }
                    }
                }
                self.grow(set, &mut graph, meter)?;
                self.by_letter(set, &graph, start, &mut list, |b| b, meter)?;
            }
        }
        Ok(list)
    }

    /// The columns of a graph, by the letter that their last row wrote.
    fn by_letter(
        &self,
        set: &Dfa,
        graph: &Graph,
        start: u32,
        list: &mut Vec<(Letter, Dfa)>,
        label: impl Fn(Letter) -> Letter,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let is_end = |node: &&Node| node.1 != NO_LETTER && set.is_accepting(node.0);
        let mut letters: Vec<Letter> = graph.nodes.iter().filter(is_end).map(|n| n.1).collect();
        letters.sort_unstable();
        letters.dedup();
        for letter in letters {
            let ends = |node: &Node| node.1 == letter && set.is_accepting(node.0);
            let accepting = graph.nodes.iter().map(ends).collect();
            meter.work(graph.nodes.len() as u64)?;
            let columns = self.part(graph, &[start], accepting);
            let columns = self.saturated(&columns, meter)?;
            if !columns.is_empty() {
                list.push((label(letter), columns));
            }
        }
        Ok(())
    }

    fn construct(&self, meter: &mut Meter<'_>) -> Result<Constructed, Stop> {
        let mut builder = Builder::default();
        let mut numbers: FxHashMap<Dfa, u32> = FxHashMap::default();
        let level = meter.level();
        let mut held = 0;
        let start = self.start(meter)?;
        let mut todo = vec![start.clone()];
        let state = builder.state(self.accepts(&start));
        builder.initial(state);
        numbers.insert(start, state);
        while let Some(set) = todo.pop() {
            meter.progress.states = numbers.len() as u64;
            let from = numbers.get(&set).copied().unwrap_or_default();
            for (letter, next) in self.successors(&set, meter)? {
                let to = match numbers.get(&next) {
                    Some(&to) => to,
                    None => {
                        let to = builder.state(self.accepts(&next));
                        // It is in the table and in the list.
                        held += 2 * (next.bytes() + size_of::<Dfa>() + 48);
                        numbers.insert(next.clone(), to);
                        todo.push(next);
                        to
                    }
                };
                builder.edge(from, &[letter], to);
            }
            meter.hold(level, held + builder.bytes())?;
        }
        let subsets = numbers.len();
        drop((numbers, todo));
        meter.hold(level, builder.bytes())?;
        let dfa = builder.finish_within(meter)?.determinise(meter)?;
        meter.release(level);
        Ok(Constructed { dfa, subsets })
    }
}

/// The transitive closure of a relation on states, as lists of pairs.
fn close(list: &mut Vec<(u32, u32)>, states: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); states];
    for &(from, to) in &*list {
        out[from as usize].push(to);
    }
    let sources: Vec<u32> = (0..states as u32)
        .filter(|&s| !out[s as usize].is_empty())
        .collect();
    list.clear();
    for &source in &sources {
        let mut met = vec![false; states];
        let mut todo = vec![source];
        while let Some(state) = todo.pop() {
            meter.work(out[state as usize].len() as u64 + 1)?;
            for &to in &out[state as usize] {
                if !std::mem::replace(&mut met[to as usize], true) {
                    list.push((source, to));
                    todo.push(to);
                }
            }
        }
    }
    Ok(())
}

/// The transitive closure of a relation, if the construction ends.
///
/// # Errors
///
/// If the meter says stop.
pub fn closure(
    relation: &Relation,
    depth: Depth,
    meter: &mut Meter<'_>,
) -> Result<Constructed, Stop> {
    let transducer = Transducer::new(relation, meter)?;
    Columns::new(&transducer, None, depth).construct(meter)
}

/// What can be reached from a set of words, these included, if the construction ends.
///
/// # Errors
///
/// If the meter says stop.
pub fn reach(
    set: &Dfa,
    relation: &Relation,
    depth: Depth,
    meter: &mut Meter<'_>,
) -> Result<Constructed, Stop> {
    let transducer = Transducer::new(relation, meter)?;
    let first = set.reversed(meter)?.nfa().reversed();
    Columns::new(&transducer, Some(first), depth).construct(meter)
}

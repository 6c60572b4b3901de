//! The textbook's way, plain and slow: the product as a pushdown system, reachable heads by
//! post* (Esparza, Hansel, Rossmanith, Schwoon), erasing by pre*, and cycles in the graph of
//! heads: repeating ones for L, those without pushes for L_b, those with one for L_u.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use recurva_flat::LetterAutomaton;
use recurva_model::{
    pds::{Head, Pds},
    rsm::Rsm,
};

/// A control location, a state of the automaton, the number of marks seen in this round, and
/// whether the last step completed a round.
type State = (u32, u32, u32, bool);
type Symbol = u32;

/// A rule of the product.
#[derive(Clone, Debug)]
struct Rewrite {
    to: State,
    word: Vec<Symbol>,
}

struct Product<'p> {
    pds: &'p Pds,
    /// The rules' numbers by head.
    rules: BTreeMap<Head, Vec<usize>>,
    /// Without it silent rules are steps like others.
    automaton: Option<&'p LetterAutomaton>,
}

impl Product<'_> {
    /// The marks in a row: the heads' own, then that a letter is read, then the automaton's.
    fn marks(&self) -> u32 {
        match self.automaton {
            None => 1,
            Some(automaton) => 2 + automaton.marks(),
        }
    }

    fn rewrites(&self, state: State, symbol: Symbol) -> Vec<Rewrite> {
        let (control, reader, level, _) = state;
        let head = Head {
            control: recurva_model::pds::Control(control),
            symbol: recurva_model::pds::StackSymbol(symbol),
        };
        let accepting = self.pds.parts().accept.is_empty() || self.pds.is_accepting(head);
        let own = u64::from(accepting);
        let mut rewrites = Vec::new();
        for &number in self.rules.get(&head).into_iter().flatten() {
            let rule = &self.pds.rules()[number];
            let mut push = |reader: u32, marks: u64| {
                let mut level = level;
                while level < self.marks() && marks >> level & 1 == 1 {
                    level += 1;
                }
                let done = level == self.marks();
                rewrites.push(Rewrite {
                    to: (rule.to.0, reader, if done { 0 } else { level }, done),
                    word: rule.word.symbols().map(|s| s.0).collect(),
                });
            };
            match (self.automaton, rule.letter) {
                (Some(automaton), Some(letter)) => {
                    for edge in automaton.edges() {
                        if edge.from == reader && edge.letters.contains(letter) {
                            push(edge.to, own | 2 | u64::from(edge.marks.0) << 2);
                        }
                    }
                }
                _ => push(reader, own),
            }
        }
        rewrites
    }
}

/// A state of the automaton that recognises what is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Recogniser {
    Control(State),
    Pushed(State, Symbol),
    Final,
}

/// The heads reachable from some, and the rules that apply in them.
fn post_star(
    product: &Product<'_>,
    initial: &[(State, Symbol)],
) -> BTreeMap<(State, Symbol), Vec<Rewrite>> {
    type Transition = (State, Option<Symbol>, Recogniser);
    let mut known: BTreeSet<Transition> = BTreeSet::new();
    let mut queue: VecDeque<Transition> = VecDeque::new();
    // Transitions that start at pushed states, by where they start.
    let mut deeper: BTreeMap<Recogniser, BTreeSet<(Symbol, Recogniser)>> = BTreeMap::new();
    let mut silent: BTreeMap<Recogniser, BTreeSet<State>> = BTreeMap::new();
    let mut heads = BTreeMap::new();
    for &(state, symbol) in initial {
        queue.push_back((state, Some(symbol), Recogniser::Final));
    }
    while let Some(transition) = queue.pop_front() {
        if !known.insert(transition) {
            continue;
        }
        let (state, symbol, end) = transition;
        let Some(symbol) = symbol else {
            silent.entry(end).or_default().insert(state);
            for &(symbol, next) in deeper.get(&end).into_iter().flatten() {
                queue.push_back((state, Some(symbol), next));
            }
            continue;
        };
        let rewrites = product.rewrites(state, symbol);
        for Rewrite { to, word } in &rewrites {
            match word[..] {
                [] => queue.push_back((*to, None, end)),
                [symbol] => queue.push_back((*to, Some(symbol), end)),
                [top, below, ..] => {
                    let pushed = Recogniser::Pushed(*to, top);
                    queue.push_back((*to, Some(top), pushed));
                    deeper.entry(pushed).or_default().insert((below, end));
                    for &state in silent.get(&pushed).into_iter().flatten() {
                        queue.push_back((state, Some(below), end));
                    }
                }
            }
        }
        heads.insert((state, symbol), rewrites);
    }
    heads
}

/// From a head, with a completed round on the way or without, to a state.
type Erased = BTreeMap<(State, Symbol), BTreeSet<(State, bool)>>;

/// Saturates until nothing changes. The flag does not count the state at the end.
fn pre_star(heads: &BTreeMap<(State, Symbol), Vec<Rewrite>>) -> Erased {
    let mut erased = Erased::new();
    loop {
        let mut new = Vec::new();
        for (&(state, symbol), rewrites) in heads {
            for rewrite in rewrites {
                let mut ends = BTreeSet::from([(rewrite.to, state.3)]);
                for &symbol in &rewrite.word {
                    let mut next = BTreeSet::new();
                    for (middle, good) in ends {
                        for &(end, more) in erased.get(&(middle, symbol)).into_iter().flatten() {
                            next.insert((end, good || more));
                        }
                    }
                    ends = next;
                }
                let known = erased.get(&(state, symbol));
                let is_new = |end: &(State, bool)| known.is_none_or(|known| !known.contains(end));
                new.extend(
                    ends.into_iter()
                        .filter(is_new)
                        .map(|end| (state, symbol, end)),
                );
            }
        }
        if new.is_empty() {
            return erased;
        }
        for (state, symbol, end) in new {
            erased.entry((state, symbol)).or_default().insert(end);
        }
    }
}

/// Whether L, L_b and L_u are not empty.
pub(crate) fn runs(pds: &Pds, automaton: Option<&LetterAutomaton>) -> [bool; 3] {
    let mut rules: BTreeMap<Head, Vec<usize>> = BTreeMap::new();
    for (number, rule) in pds.rules().iter().enumerate() {
        rules.entry(rule.from).or_default().push(number);
    }
    let product = Product {
        pds,
        rules,
        automaton,
    };
    let head = pds.initial();
    let readers = automaton.map_or(vec![0], |automaton| automaton.initial().to_vec());
    let initial: Vec<(State, Symbol)> = readers
        .into_iter()
        .map(|reader| ((head.control.0, reader, 0, false), head.symbol.0))
        .collect();
    let heads = post_star(&product, &initial);
    let erased = pre_star(&heads);
    let numbers: BTreeMap<(State, Symbol), usize> =
        heads.keys().enumerate().map(|(n, &h)| (h, n)).collect();
    // From, to, good, pushes.
    let mut edges: BTreeSet<(usize, usize, bool, bool)> = BTreeSet::new();
    for (&(state, symbol), rewrites) in &heads {
        let from = numbers[&(state, symbol)];
        for rewrite in rewrites {
            if let [top, rest @ ..] = &rewrite.word[..] {
                let to = numbers[&(rewrite.to, *top)];
                edges.insert((from, to, state.3, !rest.is_empty()));
                let ends = erased.get(&(rewrite.to, *top)).into_iter().flatten();
                for (&below, &(end, good)) in rest.iter().flat_map(|b| {
                    let ends = ends.clone();
                    ends.map(move |end| (b, end))
                }) {
                    let to = numbers[&(end, below)];
                    edges.insert((from, to, state.3 || good, false));
                }
            }
        }
    }
    let all: Vec<_> = edges.iter().copied().collect();
    let level: Vec<_> = all.iter().copied().filter(|edge| !edge.3).collect();
    let joined = |edges: &[(usize, usize, bool, bool)], pushing: bool| {
        let mut after = vec![Vec::new(); heads.len()];
        edges.iter().for_each(|edge| after[edge.0].push(edge.1));
        let good = edges.iter().filter(|edge| edge.2);
        let mut good = good.filter(|edge| {
            let there = reach(&after, edge.1);
            there[edge.0]
                && (!pushing
                    || edges
                        .iter()
                        .any(|push| push.3 && there[push.0] && reach(&after, push.1)[edge.0]))
        });
        good.next().is_some()
    };
    [
        joined(&all, false),
        joined(&level, false),
        joined(&all, true),
    ]
}

fn reach(after: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; after.len()];
    let mut queue = vec![from];
    while let Some(at) = queue.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            queue.extend(&after[at]);
        }
    }
    seen
}

/// The same of a machine.
pub(crate) fn runs_of_rsm(rsm: &Rsm, automaton: Option<&LetterAutomaton>) -> [bool; 3] {
    runs(&rsm.to_pds().pds, automaton)
}

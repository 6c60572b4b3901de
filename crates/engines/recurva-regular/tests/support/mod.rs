//! What the tests share: random automata and everything about short words, by enumeration.
#![allow(dead_code, reason = "each test uses its part")]

use recurva_regular::{Builder, Dfa, Letter, Meter, Nfa, Relation, pair, parts};
use recurva_testkit::rng::Rng;

/// A meter that never stops.
pub(crate) fn free() -> Meter<'static> {
    Meter::new(u64::MAX)
}

/// All words of a length.
pub(crate) fn words(letters: u32, length: usize) -> Vec<Vec<Letter>> {
    let mut list = vec![Vec::new()];
    for _ in 0..length {
        let longer = |word: &Vec<Letter>| {
            let word = word.clone();
            (0..letters).map(move |letter| [&word[..], &[letter]].concat())
        };
        list = list.iter().flat_map(longer).collect();
    }
    list
}

/// A random automaton over some letters.
pub(crate) fn random(rng: &mut Rng, letters: &[Letter], states: usize, edges: usize) -> Nfa {
    let mut builder = Builder::default();
    for _ in 0..states {
        builder.state(rng.chance(40));
    }
    builder.initial(rng.below(states) as u32);
    if rng.chance(20) {
        builder.initial(rng.below(states) as u32);
    }
    for _ in 0..edges {
        let label: Vec<Letter> = letters.iter().copied().filter(|_| rng.chance(40)).collect();
        let (from, to) = (rng.below(states) as u32, rng.below(states) as u32);
        builder.edge(from, &label, to);
    }
    builder.finish()
}

/// A random relation that copies most of a word, as protocols do.
pub(crate) fn random_relation(rng: &mut Rng, letters: u32) -> Relation {
    let mut builder = Builder::default();
    let copies = |rng: &mut Rng| -> Vec<Letter> {
        (0..letters)
            .filter(|_| rng.chance(75))
            .map(|a| pair(a, a))
            .collect()
    };
    let changes = |rng: &mut Rng| -> Vec<Letter> {
        let all = (0..letters).flat_map(|a| (0..letters).map(move |b| pair(a, b)));
        all.filter(|_| rng.chance(30)).collect()
    };
    for _ in 0..1 + rng.below(2) {
        // Copy, change one or two letters or a whole stretch, copy.
        let (first, last) = (builder.state(false), builder.state(true));
        builder.initial(first);
        builder.edge(first, &copies(rng), first);
        builder.edge(last, &copies(rng), last);
        match rng.below(4) {
            0 => builder.edge(first, &changes(rng), last),
            1 => {
                let middle = builder.state(false);
                builder.edge(first, &changes(rng), middle);
                builder.edge(middle, &changes(rng), last);
                if rng.chance(50) {
                    builder.edge(middle, &copies(rng), middle);
                }
            }
            2 => {
                builder.edge(first, &changes(rng), last);
                builder.edge(last, &changes(rng), last);
            }
            _ => {
                let middle = builder.state(rng.chance(30));
                builder.edge(first, &changes(rng), middle);
                builder.edge(middle, &changes(rng), middle);
                builder.edge(middle, &changes(rng), last);
            }
        }
    }
    Relation::new(builder.finish().determinise(&mut free()).expect("no limit"))
}

/// The steps between words of a length: for each word, in the order of [`words`], the indices of
/// those to which a step leads.
pub(crate) fn steps(relation: &Relation, letters: u32, words: &[Vec<Letter>]) -> Vec<Vec<usize>> {
    let nfa = relation.dfa().nfa();
    let members = nfa.classes().members();
    // Each edge by its left letter: right letter and target.
    let mut edges: Vec<Vec<(Letter, Letter, u32)>> = Vec::new();
    for state in 0..nfa.states() as u32 {
        let mut list = Vec::new();
        for &(class, to) in nfa.edges(state) {
            list.extend(
                members[class as usize]
                    .iter()
                    .map(|&l| (parts(l).0, parts(l).1, to)),
            );
        }
        edges.push(list);
    }
    let next = |word: &Vec<Letter>| -> Vec<usize> {
        let mut now: Vec<(u32, usize)> = nfa.initial().iter().map(|&state| (state, 0)).collect();
        for &a in word {
            let mut then = Vec::new();
            for (state, index) in now {
                let fitting = edges[state as usize].iter().filter(|edge| edge.0 == a);
                then.extend(fitting.map(|&(_, b, to)| (to, index * letters as usize + b as usize)));
            }
            now = then;
        }
        now.retain(|&(state, _)| nfa.is_accepting(state));
        now.into_iter().map(|(_, index)| index).collect()
    };
    words.iter().map(next).collect()
}

/// What can be reached from some, by enumeration.
pub(crate) fn reachable(steps: &[Vec<usize>], from: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut met = vec![false; steps.len()];
    let mut todo: Vec<usize> = from.collect();
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut met[at], true) {
            todo.extend(&steps[at]);
        }
    }
    met
}

/// Whether an automaton accepts exactly some words of a list.
pub(crate) fn accepts_exactly(dfa: &Dfa, words: &[Vec<Letter>], wanted: &[bool]) -> bool {
    words
        .iter()
        .zip(wanted)
        .all(|(word, &wanted)| dfa.accepts(word) == wanted)
}

//! Claims are checked here, by code that shares no operation on automata with the engines: it
//! follows letters one at a time and knows neither minimal automata nor classes of its own.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::{Dfa, Letter, Relation, parts};

/// Why a claim is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An initial word is not in the invariant, or not the first of the run.
    Initial(Vec<Letter>),
    /// A step leaves the invariant: from one word to another; or the run has a step that is none.
    Step(Vec<Letter>, Vec<Letter>),
    /// A bad word is in the invariant, or the run does not end in one.
    Bad(Vec<Letter>),
    /// There is no word in the run.
    Empty,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Initial(word) => write!(f, "the initial word {word:?} does not fit"),
            Fault::Step(from, to) => write!(f, "the step from {from:?} to {to:?} does not fit"),
            Fault::Bad(word) => write!(f, "the bad word {word:?} does not fit"),
            Fault::Empty => f.write_str("the run is empty"),
        }
    }
}

impl std::error::Error for Fault {}

/// What an automaton does, letter by letter.
fn go(dfa: &Dfa, state: Option<u32>, letter: Letter) -> Option<u32> {
    dfa.next(state?, dfa.classes().class(letter)?)
}

fn accepts(dfa: &Dfa, state: Option<u32>) -> bool {
    state.is_some_and(|state| dfa.is_accepting(state))
}

/// Follows words of `driver` through states of any kind; the first word, if any, at whose end
/// `wrong` holds.
fn hunt<S: Clone + Eq + std::hash::Hash>(
    driver: &Dfa,
    start: S,
    step: impl Fn(&S, Letter) -> Vec<(S, Letter)>,
    wrong: impl Fn(u32, &S) -> bool,
) -> Option<Vec<Letter>> {
    let members = driver.classes().members();
    let mut seen: FxHashSet<(u32, S)> = FxHashSet::default();
    let mut list: Vec<(u32, S, usize, Letter)> = vec![(0, start.clone(), usize::MAX, 0)];
    seen.insert((0, start));
    let mut at = 0;
    while at < list.len() {
        let (state, other, ..) = list[at].clone();
        if wrong(state, &other) {
            let mut word = Vec::new();
            let mut now = at;
            while list[now].2 != usize::MAX {
                word.push(list[now].3);
                now = list[now].2;
            }
            word.reverse();
            return Some(word);
        }
        for (class, to) in driver.edges(state) {
            for &letter in &members[class as usize] {
                for (next, shown) in step(&other, letter) {
                    if seen.insert((to, next.clone())) {
                        list.push((to, next, at, shown));
                    }
                }
            }
        }
        at += 1;
    }
    None
}

/// Checks that a set of words is an inductive invariant that excludes the bad words: the initial
/// words are in it, no step leaves it, no bad word is in it.
///
/// # Errors
///
/// Words that show that it is none.
pub fn check_invariant(
    invariant: &Dfa,
    initial: &Dfa,
    steps: &[&Relation],
    bad: &Dfa,
) -> Result<(), Fault> {
    let follow = |dfa: &Dfa, state: &Option<u32>, letter| vec![(go(dfa, *state, letter), letter)];
    let outside = hunt(
        initial,
        Some(0),
        |state, letter| follow(invariant, state, letter),
        |state, other| initial.is_accepting(state) && !accepts(invariant, *other),
    );
    if let Some(word) = outside {
        return Err(Fault::Initial(word));
    }
    let common = hunt(
        bad,
        Some(0),
        |state, letter| follow(invariant, state, letter),
        |state, other| bad.is_accepting(state) && accepts(invariant, *other),
    );
    if let Some(word) = common {
        return Err(Fault::Bad(word));
    }
    for relation in steps {
        let steps = relation.dfa();
        let left = hunt(
            steps,
            (Some(0), Some(0)),
            |&(from, to): &(Option<u32>, Option<u32>), letter| {
                let (a, b) = parts(letter);
                // A step from a word outside may go anywhere.
                match go(invariant, from, a) {
                    Some(from) => vec![((Some(from), go(invariant, to, b)), letter)],
                    None => Vec::new(),
                }
            },
            |state, &(from, to)| {
                steps.is_accepting(state) && accepts(invariant, from) && !accepts(invariant, to)
            },
        );
        if let Some(word) = left {
            let (from, to) = word.iter().map(|&letter| parts(letter)).unzip();
            return Err(Fault::Step(from, to));
        }
    }
    Ok(())
}

/// Replays a run: it begins in an initial word, takes steps, and ends in a bad word. Gives back
/// which of the relations each step is in.
///
/// # Errors
///
/// Where it is no such run.
pub fn replay(
    run: &[Vec<Letter>],
    initial: &Dfa,
    steps: &[&Relation],
    bad: &Dfa,
) -> Result<Vec<usize>, Fault> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return Err(Fault::Empty);
    };
    let holds = |dfa: &Dfa, word: &mut dyn Iterator<Item = Letter>| {
        let mut state = Some(0);
        for letter in word {
            state = go(dfa, state, letter);
        }
        accepts(dfa, state)
    };
    if !holds(initial, &mut first.iter().copied()) {
        return Err(Fault::Initial(first.clone()));
    }
    if !holds(bad, &mut last.iter().copied()) {
        return Err(Fault::Bad(last.clone()));
    }
    let mut taken = Vec::new();
    for window in run.windows(2) {
        let (from, to) = (&window[0], &window[1]);
        let is_step = |relation: &&Relation| {
            let mut pairs = from.iter().zip(to).map(|(&a, &b)| crate::pair(a, b));
            from.len() == to.len() && holds(relation.dfa(), &mut pairs)
        };
        match steps.iter().position(is_step) {
            Some(action) => taken.push(action),
            None => return Err(Fault::Step(from.clone(), to.clone())),
        }
    }
    Ok(taken)
}

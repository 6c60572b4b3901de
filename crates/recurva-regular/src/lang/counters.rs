//! Counters before and after a step, as an automaton over pairs of letters.
//!
//! Each counter has two tracks, before and after the step, in unary notation: a track is on for as
//! many letters as the counter counts, and off from then on. So a pair of letters says which tracks
//! are still on, and that is all that a state has to know of them, beside how long ago one of two
//! tracks that are compared went off. States are made only as they are met, and only such pairs are
//! tried as leave each comparison a chance: a step that changes one counter of many has few of them.

use rustc_hash::FxHashMap;

use super::token::Kind;
use crate::{Builder, Letter, Meter, Nfa, Stop, pair};

/// A counter before or after a step, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Track {
    Before(usize),
    After(usize),
    Zero,
}

impl Track {
    /// Its bit in a pair of letters: tracks of one counter are beside each other.
    fn bit(self) -> Option<usize> {
        match self {
            Track::Before(counter) => Some(2 * counter),
            Track::After(counter) => Some(2 * counter + 1),
            Track::Zero => None,
        }
    }
}

/// `left - right` compared with a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) left: Track,
    pub(super) right: Track,
    pub(super) order: Kind,
    pub(super) number: i64,
}

impl Difference {
    /// Beyond this on either side nothing changes.
    fn bound(&self) -> i64 {
        self.number.abs() + 1
    }

    fn holds(&self, difference: i64) -> bool {
        match self.order {
            Kind::Equal => difference == self.number,
            Kind::NotEqual => difference != self.number,
            Kind::Less => difference < self.number,
            Kind::AtMost => difference <= self.number,
            Kind::Greater => difference > self.number,
            _ => difference >= self.number,
        }
    }

    /// The difference one letter further on.
    fn next(&self, difference: i64, on: u64) -> i64 {
        let step = i64::from(is_on(self.left, on)) - i64::from(is_on(self.right, on));
        (difference + step).clamp(-self.bound(), self.bound())
    }

    /// Whether it may hold in the end: a difference only grows while only the left track is on.
    fn may_hold(&self, difference: i64, on: u64) -> bool {
        let bound = self.bound();
        match (is_on(self.left, on), is_on(self.right, on)) {
            (false, false) => self.holds(difference),
            (true, false) => (difference..=bound).any(|it| self.holds(it)),
            (false, true) => (-bound..=difference).any(|it| self.holds(it)),
            (true, true) => self.left != self.right || self.holds(difference),
        }
    }
}

/// Whether a track is on in a set of tracks.
fn is_on(track: Track, on: u64) -> bool {
    track.bit().is_some_and(|bit| on >> bit & 1 == 1)
}

/// A state: the tracks that are on, and the difference of each test.
type State = (u64, Vec<i64>);

/// The pairs of words of counters whose differences are as the tests say; a counter that no test
/// gives a value keeps its own. `first` is the letter of all counters zero.
pub(super) fn compare(
    counters: usize,
    first: Letter,
    tests: &[Difference],
    meter: &mut Meter<'_>,
) -> Result<Nfa, Stop> {
    let mut tests = tests.to_vec();
    for counter in 0..counters {
        let after = Track::After(counter);
        let given = |test: &Difference| test.left == after && test.order == Kind::Equal;
        if !tests.iter().any(given) {
            tests.push(Difference {
                left: after,
                right: Track::Before(counter),
                order: Kind::Equal,
                number: 0,
            });
        }
    }
    let base = meter.level();
    let mut builder = Builder::default();
    let mut numbers: FxHashMap<State, u32> = FxHashMap::default();
    let all = (1u64 << (2 * counters)) - 1;
    let mut todo: Vec<State> = vec![(all, vec![0; tests.len()])];
    let accepts = |(_, differences): &State| {
        let both = tests.iter().zip(differences);
        both.into_iter().all(|(test, &it)| test.holds(it))
    };
    let start = builder.state(accepts(&todo[0]));
    builder.initial(start);
    numbers.insert(todo[0].clone(), start);
    let mut edges = 0usize;
    let mut found: Vec<State> = Vec::new();
    while let Some(state) = todo.pop() {
        let from = numbers.get(&state).copied().unwrap_or_default();
        successors(counters, &tests, &state, &mut found, meter)?;
        edges += found.len();
        for next in found.drain(..) {
            let letter = letters(counters, first, next.0);
            let to = match numbers.get(&next) {
                Some(&to) => to,
                None => {
                    let to = builder.state(accepts(&next));
                    numbers.insert(next.clone(), to);
                    todo.push(next);
                    to
                }
            };
            builder.edge(from, &[letter], to);
        }
        let states = 2 * numbers.len() * (64 + 8 * tests.len());
        meter.hold(base, states + 64 * edges)?;
    }
    let nfa = builder.finish_within(meter)?.trim();
    meter.release(base);
    Ok(nfa)
}

/// The pair of letters in which these tracks are on.
fn letters(counters: usize, first: Letter, on: u64) -> Letter {
    let (mut before, mut after) = (0, 0);
    for counter in 0..counters {
        before |= ((on >> (2 * counter) & 1) as Letter) << counter;
        after |= ((on >> (2 * counter + 1) & 1) as Letter) << counter;
    }
    pair(first + before, first + after)
}

/// The states one letter further on. Tracks are chosen one by one; a choice that makes a comparison
/// fail whose tracks are all chosen is not followed.
fn successors(
    counters: usize,
    tests: &[Difference],
    (on, differences): &State,
    found: &mut Vec<State>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    // The tests that are decided with each track; those without a track fail at the start if ever.
    let last = |test: &Difference| test.left.bit().max(test.right.bit());
    let mut open: Vec<(u64, usize)> = vec![(0, 0)];
    while let Some((chosen, bit)) = open.pop() {
        meter.work(1 + tests.len() as u64)?;
        let mut decided = tests.iter().zip(differences);
        let lost = decided.any(|(test, &it)| {
            last(test).map_or(0, |last| last + 1) == bit
                && !test.may_hold(test.next(it, chosen), chosen)
        });
        if lost {
            continue;
        }
        if bit == 2 * counters {
            let next = tests.iter().zip(differences);
            let next = next.map(|(test, &it)| test.next(it, chosen)).collect();
            found.push((chosen, next));
            continue;
        }
        open.push((chosen, bit + 1));
        // A track that is off stays off.
        if on >> bit & 1 == 1 {
            open.push((chosen | 1 << bit, bit + 1));
        }
    }
    Ok(())
}

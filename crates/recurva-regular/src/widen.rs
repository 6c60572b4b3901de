//! Widening: what a step adds to a set is guessed to be added again and again. The guess is then
//! checked (conditions C1 and C2 of the paper), and is exact for relations that never come back.

use rustc_hash::FxHashMap;

use crate::{Dfa, Letter, Meter, Relation, Stop, parts};

/// Automata with more states are not searched for cuts.
const MAX_CUT: usize = 24;

/// What an iteration with widening ends in.
#[derive(Clone, Debug)]
pub struct Widened {
    /// The set: closed under steps.
    pub set: Dfa,
    /// Whether it has only what can be reached.
    pub exact: bool,
}

/// The languages between the initial state and each state, and between each state and acceptance.
fn halves(dfa: &Dfa, meter: &mut Meter<'_>) -> Result<Vec<(Dfa, Dfa)>, Stop> {
    let level = meter.level();
    let mut held = 0;
    let mut list = Vec::new();
    for state in 0..dfa.states() as u32 {
        let before = dfa.between(0, |s| s == state).determinise(meter)?;
        let behind = dfa
            .between(state, |s| dfa.is_accepting(s))
            .determinise(meter)?;
        held += before.bytes() + behind.bytes();
        meter.hold(level, held)?;
        list.push((before, behind));
    }
    meter.release(level);
    Ok(list)
}

/// The limits that `set` and `image`, its image, suggest: for each cut of the one into φ₁ φ₂ and of
/// the other into φ₁ Λ φ₂ the set φ₁ Λ* φ₂.
fn guesses(set: &Dfa, image: &Dfa, meter: &mut Meter<'_>) -> Result<Vec<Dfa>, Stop> {
    let mut list = Vec::new();
    if set.states() > MAX_CUT || image.states() > MAX_CUT || image.is_empty() {
        return Ok(list);
    }
    let cuts = halves(image, meter)?;
    for (first, second) in halves(set, meter)? {
        let whole = first.nfa().concat(&second.nfa()).determinise(meter)?;
        if whole != *set {
            continue;
        }
        for (u, (before, _)) in cuts.iter().enumerate() {
            if *before != first {
                continue;
            }
            for (v, (_, behind)) in cuts.iter().enumerate() {
                if *behind != second {
                    continue;
                }
                let middle = image.between(u as u32, |s| s == v as u32);
                let parts = [first.nfa().concat(&middle), middle.star()];
                if parts[0].concat(&second.nfa()).determinise(meter)? != *image {
                    continue;
                }
                let limit = first.nfa().concat(&parts[1]).concat(&second.nfa());
                let limit = limit.determinise(meter)?;
                if !list.contains(&limit) {
                    list.push(limit);
                }
            }
        }
    }
    Ok(list)
}

/// One step of widening: a limit for which both conditions hold, where `step` is the operation
/// that is iterated.
fn widen(
    set: &Dfa,
    step: &mut impl FnMut(&Dfa, &mut Meter<'_>) -> Result<Dfa, Stop>,
    meter: &mut Meter<'_>,
) -> Result<Option<Dfa>, Stop> {
    let image = step(set, meter)?;
    for limit in guesses(set, &image, meter)? {
        if step(&limit, meter)?.union(set, meter)? == limit {
            return Ok(Some(limit));
        }
    }
    Ok(None)
}

/// What can be reached from `initial` by the actions, if the iteration ends.
///
/// # Errors
///
/// If the meter says stop.
pub fn reach(initial: &Dfa, actions: &[Relation], meter: &mut Meter<'_>) -> Result<Widened, Stop> {
    let simple: Vec<bool> = {
        let checked = actions.iter().map(|action| never_comes_back(action, meter));
        checked.collect::<Result<_, _>>()?
    };
    let mut set = initial.clone();
    let mut exact = true;
    // What was new in the last round is tried too: growth shows there before it does in the whole.
    let mut fresh = initial.clone();
    let level = meter.level();
    loop {
        meter.hold(level, 2 * set.bytes() + fresh.bytes())?;
        meter.progress.round += 1;
        meter.progress.states = set.states() as u64;
        let before = set.clone();
        for (action, &simple) in actions.iter().zip(&simple) {
            for base in [fresh.clone(), set.clone()] {
                let mut step = |set: &Dfa, meter: &mut Meter<'_>| action.image(set, meter);
                if let Some(limit) = widen(&base, &mut step, meter)? {
                    let wider = set.union(&limit, meter)?;
                    exact &= simple || wider == set;
                    set = wider;
                }
            }
            set = set.union(&action.image(&set, meter)?, meter)?;
        }
        if set == before {
            meter.release(level);
            return Ok(Widened { set, exact });
        }
        fresh = set.minus(&before, meter)?;
    }
}

/// The transitive closure of a relation by widening of its powers, if the iteration ends.
///
/// # Errors
///
/// If the meter says stop.
pub fn closure(relation: &Relation, meter: &mut Meter<'_>) -> Result<Widened, Stop> {
    let simple = never_comes_back(relation, meter)?;
    let mut set = relation.dfa().clone();
    let mut power = set.clone();
    let mut exact = true;
    let level = meter.level();
    loop {
        meter.hold(level, 2 * set.bytes() + power.bytes())?;
        meter.progress.round += 1;
        meter.progress.states = set.states() as u64;
        let before = set.clone();
        let mut step = |set: &Dfa, meter: &mut Meter<'_>| {
            let longer = Relation::new(set.clone()).then(relation, meter)?;
            Ok(longer.dfa().clone())
        };
        for base in [power.clone(), set.clone()] {
            if let Some(limit) = widen(&base, &mut step, meter)? {
                let wider = set.union(&limit, meter)?;
                exact &= simple || wider == set;
                set = wider;
            }
        }
        power = step(&power, meter)?;
        let more = step(&set, meter)?;
        set = set.union(&more, meter)?;
        if set == before {
            meter.release(level);
            return Ok(Widened { set, exact });
        }
    }
}

/// Whether a relation is simple, which implies that no word ever comes back: each step changes one
/// letter, and the changes of letters have no cycle; or it swaps two neighbours, and none back.
///
/// # Errors
///
/// If the meter says stop.
pub fn never_comes_back(relation: &Relation, meter: &mut Meter<'_>) -> Result<bool, Stop> {
    let (nfa, members) = (relation.dfa().nfa(), relation.dfa().classes().members());
    // Ways through the automaton by what has been changed so far.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum Changed {
        Nothing,
        /// One letter, just now or earlier.
        Now(Letter),
        Once(Letter),
        Twice(Letter, Letter),
    }
    let mut seen: FxHashMap<(u32, Changed), ()> = FxHashMap::default();
    let mut todo: Vec<(u32, Changed)> = nfa
        .initial()
        .iter()
        .map(|&s| (s, Changed::Nothing))
        .collect();
    let mut single: Vec<(Letter, Letter)> = Vec::new();
    let mut swaps: Vec<(Letter, Letter)> = Vec::new();
    while let Some((state, changed)) = todo.pop() {
        if seen.insert((state, changed), ()).is_some() {
            continue;
        }
        if nfa.is_accepting(state) {
            match changed {
                Changed::Nothing => return Ok(false),
                Changed::Now(p) | Changed::Once(p) => single.push(parts(p)),
                Changed::Twice(p, q) => {
                    let ((a, b), (c, d)) = (parts(p), parts(q));
                    if (a, b) != (d, c) {
                        return Ok(false);
                    }
                    swaps.push((a, b));
                }
            }
        }
        for &(class, to) in nfa.edges(state) {
            meter.work(members[class as usize].len() as u64)?;
            for &letter in &members[class as usize] {
                let copies = parts(letter).0 == parts(letter).1;
                let next = match (changed, copies) {
                    (Changed::Now(p), true) => Changed::Once(p),
                    (other, true) => other,
                    (Changed::Nothing, false) => Changed::Now(letter),
                    (Changed::Now(p), false) => Changed::Twice(p, letter),
                    (Changed::Once(_) | Changed::Twice(..), false) => return Ok(false),
                };
                todo.push((to, next));
            }
        }
    }
    let back = |&(a, b): &(Letter, Letter)| swaps.contains(&(b, a));
    Ok(!swaps.iter().any(back) && !has_cycle(&single))
}

/// Whether changes of letters have a cycle.
fn has_cycle(changes: &[(Letter, Letter)]) -> bool {
    let mut left: Vec<(Letter, Letter)> = changes.to_vec();
    loop {
        // A change to a letter that is never changed is on no cycle.
        let before = left.len();
        let sources: Vec<Letter> = left.iter().map(|&(a, _)| a).collect();
        left.retain(|(_, b)| sources.contains(b));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

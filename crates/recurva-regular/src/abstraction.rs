//! Abstraction: automata whose states are merged if they accept the same words up to a length.
//! There are only finitely many such automata, so every iteration ends; what it ends in includes
//! all that can be reached.

use rustc_hash::FxHashMap;

use crate::{Builder, Dfa, Meter, Relation, Stop};

/// The automaton with states merged that accept the same words of up to `depth` letters.
fn merged(dfa: &Dfa, depth: usize, meter: &mut Meter<'_>) -> Result<Dfa, Stop> {
    let states = dfa.states() as u32;
    let mut block: Vec<u32> = (0..states).map(|s| dfa.is_accepting(s).into()).collect();
    let mut count = 0;
    for _ in 0..depth {
        let mut numbers: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(block.len());
        for state in 0..states {
            let row: Vec<(u32, u32)> = dfa
                .edges(state)
                .map(|(class, to)| (class, block[to as usize]))
                .collect();
            meter.work(row.len() as u64 + 1)?;
            let next = numbers.len() as u32;
            let key = (block[state as usize], row);
            finer.push(*numbers.entry(key).or_insert(next));
        }
        block = finer;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let members = dfa.classes().members();
    let mut builder = Builder::default();
    for _ in 0..block.iter().max().map_or(0, |most| most + 1) {
        builder.state(false);
    }
    builder.initial(block[0]);
    for state in 0..states {
        let from = block[state as usize];
        if dfa.is_accepting(state) {
            builder.accept(from);
        }
        for (class, to) in dfa.edges(state) {
            builder.edge(from, &members[class as usize], block[to as usize]);
        }
    }
    builder.finish_within(meter)?.determinise(meter)
}

/// A set that includes all that can be reached from `initial`, at some depth of the abstraction;
/// `None` if it has a word of `bad`.
///
/// # Errors
///
/// If the meter says stop.
pub fn over_approximation(
    (initial, relation, bad): (&Dfa, &Relation, &Dfa),
    depth: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Dfa>, Stop> {
    let level = meter.level();
    let mut set = merged(initial, depth, meter)?;
    loop {
        meter.hold(level, set.bytes())?;
        meter.progress.round += 1;
        meter.progress.states = set.states() as u64;
        if !set.intersect(bad, meter)?.is_empty() {
            meter.release(level);
            return Ok(None);
        }
        let image = relation.image(&set, meter)?;
        let next = set.union(&image, meter)?;
        if next == set {
            meter.release(level);
            return Ok(Some(set));
        }
        set = merged(&next, depth, meter)?;
    }
}

//! Ranks that fell in all rounds that were seen.

use crate::{Pool, Rank, Ranks, Seen};

/// The most ranks of one loop.
const MOST: usize = 6;

/// Ranks of a pool that fell in all rounds, in an order in which they did. `skipped` are not taken as the first
/// one. `None` if there are none.
///
/// A rank is taken if it never rose in the rounds that are left, and fell in some of them; those
/// are done with. Of several it is the one that fell in most rounds.
pub fn choose(pool: &Pool, seen: &[Seen], skipped: &[Rank]) -> Option<Ranks> {
    let mut left: Vec<&Seen> = seen.iter().collect();
    let mut taken: Vec<usize> = Vec::new();
    while !left.is_empty() {
        if taken.len() == MOST {
            return None;
        }
        let mut best: Option<(usize, usize)> = None;
        for index in 0..pool.len() {
            if taken.is_empty() && skipped.contains(pool.rank(index)) {
                continue;
            }
            let rises = left.iter().any(|it| it.after[index] > it.before[index]);
            let fell = left.iter().filter(|it| it.after[index] < it.before[index]);
            let fell = fell.count();
            let is_better = best.is_none_or(|(most, _)| fell > most);
            if !rises && fell > 0 && is_better {
                best = Some((fell, index));
            }
        }
        let (_, index) = best?;
        taken.push(index);
        left.retain(|it| it.after[index] >= it.before[index]);
    }
    // What was taken first may be of no use any more.
    for place in (0..taken.len()).rev() {
        let mut fewer = taken.clone();
        fewer.remove(place);
        let is_first_skipped = fewer
            .first()
            .is_some_and(|&it| skipped.contains(pool.rank(it)));
        if !is_first_skipped && seen.iter().all(|it| has_fallen(it, &fewer)) {
            taken = fewer;
        }
    }
    let ranks = taken.into_iter().map(|index| pool.rank(index).clone());
    Some(ranks.collect())
}

/// Whether some ranks of the pool fell in a round: the first of them that changed.
fn has_fallen(seen: &Seen, ranks: &[usize]) -> bool {
    let mut changed = ranks
        .iter()
        .filter(|&&it| seen.before[it] != seen.after[it]);
    changed
        .next()
        .is_some_and(|&it| seen.after[it] < seen.before[it])
}

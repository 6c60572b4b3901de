//! The search for a better order of the variables: sifting.
//!
//! One group of variables after the other, the largest first, moves to both ends of the order
//! and stays where the diagrams were smallest. A way that lets them grow too much is not
//! followed further, and all ways together may only take so long.

use std::{cmp::Reverse, ops::Range};

use crate::{
    space::{Res, VarNo},
    swap::Diagrams,
};

/// A group turns round when the diagrams have grown by a quarter since they were smallest;
/// while two groups are being exchanged they may grow to twice their size.
const GROWN: (usize, usize) = (5, 4);
const GROWN_BETWEEN: usize = 2;
/// For each node of the diagrams so many may be looked at.
const EFFORT: u64 = 64;
/// All groups are moved at most so many times.
const ROUNDS: usize = 4;

/// Moves groups of variables, each given with its variables from the top down, to where the
/// diagrams are small. Returns the order of all groups. `ask` is asked again and again whether
/// to go on.
pub(crate) fn sift(
    diagrams: &mut Diagrams,
    groups: &[Range<VarNo>],
    ask: &mut dyn FnMut() -> Res<()>,
) -> Res<Vec<usize>> {
    let nodes = |diagrams: &Diagrams, group: usize| -> usize {
        let vars = groups[group].clone();
        vars.map(|var| diagrams.size_of(var)).sum()
    };
    // Groups that do not occur follow the one they stand behind.
    let all = 0..groups.len();
    let order: Vec<usize> = all.filter(|&group| nodes(diagrams, group) > 0).collect();
    let mut sifter = Sifter {
        most_effort: diagrams.effort() + EFFORT * diagrams.size() as u64,
        diagrams,
        groups,
        order,
        ask,
    };
    for _ in 0..ROUNDS {
        let before = sifter.diagrams.size();
        let mut candidates = sifter.order.clone();
        candidates.sort_by_key(|&group| Reverse(nodes(sifter.diagrams, group)));
        for group in candidates {
            sifter.find_place(group)?;
        }
        let after = sifter.diagrams.size();
        if sifter.is_tired() || after > before - before / 16 {
            break;
        }
    }
    let mut sorted = sifter.order.clone();
    sorted.sort_unstable();
    // Those in front of the first one that occurs stay in front.
    let first = sorted.first().copied().unwrap_or(groups.len());
    let moved = sifter.order.iter().flat_map(|&group| {
        let next = sorted.partition_point(|&other| other <= group);
        group..sorted.get(next).copied().unwrap_or(groups.len())
    });
    Ok((0..first).chain(moved).collect())
}

struct Sifter<'a> {
    diagrams: &'a mut Diagrams,
    groups: &'a [Range<VarNo>],
    /// The groups that occur, from the top down.
    order: Vec<usize>,
    most_effort: u64,
    ask: &'a mut dyn FnMut() -> Res<()>,
}

impl Sifter<'_> {
    fn is_tired(&self) -> bool {
        self.diagrams.effort() > self.most_effort
    }

    /// Moves one group to the best place that can be seen from where it is.
    fn find_place(&mut self, group: usize) -> Res<()> {
        let Some(home) = self.order.iter().position(|&other| other == group) else {
            return Ok(());
        };
        let last = self.order.len() - 1;
        let ends = if home > last / 2 {
            [last, 0]
        } else {
            [0, last]
        };
        let mut best = (self.diagrams.size(), home);
        let mut at = home;
        for end in ends {
            while at != end && !self.is_tired() {
                let Some(next) = self.step(at, end)? else {
                    break;
                };
                at = next;
                let size = self.diagrams.size();
                best = best.min((size, at));
                if size > best.0 / GROWN.1 * GROWN.0 {
                    break;
                }
            }
            at = self.go(at, home)?;
        }
        self.go(at, best.1)?;
        Ok(())
    }

    /// Goes back to a place where the group has been.
    fn go(&mut self, mut at: usize, to: usize) -> Res<usize> {
        while at != to {
            let upper = if to > at { at } else { at - 1 };
            self.exchange(upper, usize::MAX)?;
            at = if to > at { at + 1 } else { at - 1 };
        }
        Ok(at)
    }

    /// Moves a group past one other, towards an end; `None` if the diagrams grow too much.
    fn step(&mut self, at: usize, end: usize) -> Res<Option<usize>> {
        let most = self.diagrams.size().saturating_mul(GROWN_BETWEEN);
        let (upper, next) = if end > at {
            (at, at + 1)
        } else {
            (at - 1, at - 1)
        };
        Ok(self.exchange(upper, most)?.then_some(next))
    }

    /// Exchanges a group with the one below it, unless there are more nodes than `most` on
    /// the way. Whether it was done.
    fn exchange(&mut self, position: usize, most: usize) -> Res<bool> {
        let [upper, lower] =
            [position, position + 1].map(|position| self.groups[self.order[position]].clone());
        let swaps = lower.flat_map(|below| upper.clone().rev().map(move |above| (above, below)));
        let mut done = Vec::new();
        for (above, below) in swaps {
            (self.ask)()?;
            self.diagrams.swap(above, below);
            done.push((above, below));
            if self.diagrams.size() > most {
                for (above, below) in done.into_iter().rev() {
                    self.diagrams.swap(below, above);
                }
                return Ok(false);
            }
        }
        self.order.swap(position, position + 1);
        Ok(true)
    }
}

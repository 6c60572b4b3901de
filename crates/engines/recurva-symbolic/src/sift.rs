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
/// For each node that there was at first so many may be looked at, and for each one that was
/// saved so many more: most often there is little to save, and that shows soon.
const EFFORT: u64 = 16;
const EFFORT_IF_SAVED: u64 = 64;
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
        size_at_first: diagrams.size(),
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
    size_at_first: usize,
    ask: &'a mut dyn FnMut() -> Res<()>,
}

impl Sifter<'_> {
    fn is_tired(&self) -> bool {
        let saved = self.size_at_first.saturating_sub(self.diagrams.size());
        let most = EFFORT * self.size_at_first as u64 + EFFORT_IF_SAVED * saved as u64;
        self.diagrams.effort() > most
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{space::Halt, swap::tests::build};

    /// x0 = y0 & x1 = y1 & x2 = y2, with all x above all y and one variable that does not
    /// occur below them.
    fn pairs() -> Diagrams {
        let holds = |valuation: u64| valuation & 7 == valuation >> 3;
        let valuations = (0..64).filter(|&valuation| holds(valuation));
        let table = valuations.fold(0, |table, valuation| table | 1 << valuation);
        let mut diagrams = Diagrams::new(7);
        build(&mut diagrams, table, &[0, 1, 2, 3, 4, 5], 0, 0);
        diagrams
    }

    fn singles() -> Vec<Range<VarNo>> {
        (0..7).map(|var| var..var + 1).collect()
    }

    #[test]
    fn partners_become_neighbours() {
        let mut diagrams = pairs();
        let before = diagrams.size();
        let order = sift(&mut diagrams, &singles(), &mut || Ok(())).expect("nobody says stop");
        assert!(diagrams.size() < before);
        let place = |group: usize| order.iter().position(|&other| other == group);
        for (x, y) in [(0, 3), (1, 4), (2, 5)] {
            // The one that does not occur has stayed behind its neighbour, perhaps in between.
            let between = order.iter().filter(|&&group| group != 6);
            let between: Vec<_> = between.skip_while(|&&g| g != x && g != y).take(2).collect();
            assert!(between.contains(&&x) && between.contains(&&y), "{order:?}");
        }
        assert_eq!(place(6), place(5).map(|place| place + 1), "{order:?}");
    }

    /// Two groups of three are as good in one order as in the other.
    #[test]
    fn groups_stay_together() {
        let mut diagrams = pairs();
        let before = diagrams.size();
        let groups = [0..3, 3..6, 6..7];
        let order = sift(&mut diagrams, &groups, &mut || Ok(())).expect("nobody says stop");
        assert_eq!(order, [0, 1, 2]);
        assert_eq!(diagrams.size(), before);
    }

    #[test]
    fn it_can_be_stopped_at_any_time() {
        let mut swaps = 0;
        let mut count = || {
            swaps += 1;
            Ok(())
        };
        assert!(sift(&mut pairs(), &singles(), &mut count).is_ok());
        for most in 0..swaps {
            let mut left = most;
            let stopped = sift(&mut pairs(), &singles(), &mut || {
                left -= 1;
                if left < 0 { Err(Halt::Asked) } else { Ok(()) }
            });
            assert_eq!(stopped, Err(Halt::Asked));
        }
    }
}

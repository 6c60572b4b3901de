//! Items that are to be in one straight line, moved as one.
//!
//! A block is a run of linked items in successive layers. Blocks do not cross each other: then
//! "left of" has no cycle, and there are positions in which every block is straight. Blocks that
//! are pushed to the right until nothing overlaps, and those that are pushed to the left, are two
//! such positions, and so is the middle between them.

use std::collections::BTreeMap;

use super::{
    across::{distance, pull},
    chains::{Layered, Way},
};

/// An item of a block, and its distance from the block's line.
type Member = (u32, f64);

/// Moves blocks to where the edges between them are short, that many times. In the end all blocks
/// are straight and nothing overlaps.
pub(super) fn straighten(layered: &Layered, at: &mut [f64], rounds: usize) {
    let blocks = Blocks::new(layered);
    let Some(order) = blocks.order() else {
        debug_assert!(
            false,
            "blocks that do not cross are left of each other in a cycle"
        );
        return;
    };
    for _ in 0..rounds {
        let wanted: Vec<f64> = (0..blocks.members.len())
            .map(|block| blocks.wanted(layered, block, at))
            .collect();
        let mut right = wanted.clone();
        for &block in &order {
            for &(next, distance) in &blocks.behind[block] {
                right[next] = right[next].max(right[block] + distance);
            }
        }
        let mut left = wanted;
        for &block in order.iter().rev() {
            for &(next, distance) in &blocks.behind[block] {
                left[block] = left[block].min(left[next] - distance);
            }
        }
        for (block, members) in blocks.members.iter().enumerate() {
            // Whole numbers, so that rounding bends no line later.
            let line = ((left[block] + right[block]) / 2.0).floor();
            for &(item, shift) in members {
                at[item as usize] = line + shift;
            }
        }
    }
}

struct Blocks {
    members: Vec<Vec<Member>>,
    /// The block of each item, and its distance from the block's line.
    of: Vec<(usize, f64)>,
    /// For each block those that stand behind it somewhere, with the least distance.
    behind: Vec<Vec<(usize, f64)>>,
}

impl Blocks {
    fn new(layered: &Layered) -> Self {
        let mut members = chosen(layered);
        let mut of = vec![(usize::MAX, 0.0); layered.items.len()];
        for (block, list) in members.iter().enumerate() {
            for &(item, shift) in list {
                of[item as usize] = (block, shift);
            }
        }
        for (item, of) in of.iter_mut().enumerate() {
            if of.0 == usize::MAX {
                *of = (members.len(), 0.0);
                members.push(vec![(item as u32, 0.0)]);
            }
        }
        let mut behind = vec![Vec::new(); members.len()];
        for layer in &layered.layers {
            for pair in layer.windows(2) {
                let (before, left) = of[pair[0] as usize];
                let (after, right) = of[pair[1] as usize];
                let least = distance(layered, pair[0], pair[1]) + left - right;
                behind[before].push((after, least));
            }
        }
        Blocks {
            members,
            of,
            behind,
        }
    }

    /// The blocks from left to right; `None` if there is a cycle.
    fn order(&self) -> Option<Vec<usize>> {
        let mut missing = vec![0usize; self.members.len()];
        for &(block, _) in self.behind.iter().flatten() {
            missing[block] += 1;
        }
        let mut order: Vec<usize> = (0..missing.len()).filter(|&b| missing[b] == 0).collect();
        let mut next = 0;
        while let Some(&block) = order.get(next) {
            next += 1;
            for &(after, _) in &self.behind[block] {
                missing[after] -= 1;
                if missing[after] == 0 {
                    order.push(after);
                }
            }
        }
        (order.len() == missing.len()).then_some(order)
    }

    /// Where the line of a block wants to be: at the mean of what is linked with it.
    fn wanted(&self, layered: &Layered, block: usize, at: &[f64]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for &(item, shift) in &self.members[block] {
            for (other, wanted, weight) in pull(layered, item, at) {
                if self.of[other as usize].0 != block {
                    sum += weight * (wanted - shift);
                    weights += weight;
                }
            }
        }
        let (first, shift) = self.members[block][0];
        match weights > 0.0 {
            true => sum / weights,
            false => at[first as usize] - shift,
        }
    }
}

/// Runs of at least two items, none of which cross: the longest first, and of later ones what is
/// left.
fn chosen(layered: &Layered) -> Vec<Vec<Member>> {
    let mut place = vec![0u32; layered.items.len()];
    for layer in &layered.layers {
        for (index, &item) in layer.iter().enumerate() {
            place[item as usize] = index as u32;
        }
    }
    let mut runs = runs(layered);
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    let mut taken = vec![false; layered.items.len()];
    // For each layer the links of runs to the next one, by their upper ends.
    let mut links: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); layered.layers.len()];
    let mut chosen = Vec::new();
    for run in runs {
        let mut current: Vec<Member> = Vec::new();
        for (item, shift) in run {
            let index = item as usize;
            if std::mem::replace(&mut taken[index], true) {
                chosen.push(std::mem::take(&mut current));
                continue;
            }
            if let Some(&(upper, _)) = current.last() {
                let (from, to) = (place[upper as usize], place[index]);
                let known = &mut links[layered.items[upper as usize].layer as usize];
                let before = known.range(..from).next_back();
                let behind = known.range(from..).next();
                let fits = before.is_none_or(|(_, &other)| other < to)
                    && behind.is_none_or(|(_, &other)| other > to);
                match fits {
                    true => {
                        known.insert(from, to);
                    }
                    false => chosen.push(std::mem::take(&mut current)),
                }
            }
            current.push((item, shift));
        }
        chosen.push(current);
    }
    chosen.retain(|run| run.len() > 1);
    chosen
}

/// What would like to be straight: items that follow each other by the only link between them,
/// and the bends of each edge.
fn runs(layered: &Layered) -> Vec<Vec<Member>> {
    let only = |&(item, shift): &Member| -> Option<Member> {
        let [link] = layered.down[item as usize][..] else {
            return None;
        };
        let link = &layered.links[link as usize];
        let alone = layered.up[link.lower as usize].len() == 1;
        alone.then(|| (link.lower, shift + f64::from(link.upper_at - link.lower_at)))
    };
    let mut follows = vec![false; layered.items.len()];
    for item in 0..layered.items.len() as u32 {
        if let Some((next, _)) = only(&(item, 0.0)) {
            follows[next as usize] = true;
        }
    }
    let heads = (0..layered.items.len() as u32).filter(|&item| !follows[item as usize]);
    let run = |head: u32| std::iter::successors(Some((head, 0.0)), only).collect();
    let mut runs: Vec<Vec<Member>> = heads.map(run).collect();
    for way in &layered.ways {
        if let Way::Down(bends) | Way::Up { bends, .. } = way {
            runs.push(bends.iter().map(|&bend| (bend, 0.0)).collect());
        }
    }
    runs
}

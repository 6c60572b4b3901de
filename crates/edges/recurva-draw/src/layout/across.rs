//! The position of each item in its layer, with straight edges.
//!
//! In every sweep each item wants to be where its neighbours in the next layer are. What comes
//! nearest to all wishes of a layer, by the sum of squares, with the order and the room of the
//! items kept, is a monotone regression: neighbours that want to be too close become one block,
//! at the mean of their wishes. [`straighten`] does the rest.

use super::{
    blocks::straighten,
    chains::{Item, Layered},
};

/// The room between two things in a layer.
const GAP: i32 = 14;

/// So much work is done on a graph, measured in links and items looked at.
const WORK: usize = 900_000;

/// The position of each item's middle.
pub(super) fn across(layered: &Layered) -> Vec<i32> {
    let mut at: Vec<f64> = vec![0.0; layered.items.len()];
    for layer in &layered.layers {
        let mut next = 0.0;
        for &item in layer {
            let Item { before, after, .. } = layered.items[item as usize];
            at[item as usize] = next + f64::from(before);
            next += f64::from(before + after + GAP);
        }
    }
    let size = layered.links.len() + layered.items.len() + 1;
    let rounds = (WORK / size).clamp(4, 40);
    for round in 0..rounds {
        // At first neighbours on one side pull, so that things get near quickly.
        let side = match (round < rounds / 2, round % 2 == 0) {
            (true, true) => Side::Before,
            (true, false) => Side::Behind,
            (false, _) => Side::Both,
        };
        let count = layered.layers.len();
        for step in 0..count {
            let layer = if round % 2 == 0 {
                step
            } else {
                count - 1 - step
            };
            settle(layered, layer, &mut at, side);
        }
    }
    straighten(layered, &mut at, rounds / 2);
    let least = |(item, at): (&Item, &f64)| at.round() as i32 - item.before;
    let first = layered.items.iter().zip(&at).map(least).min().unwrap_or(0);
    at.iter().map(|at| at.round() as i32 - first).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    Both,
}

/// The least distance between the middles of two neighbours.
pub(super) fn distance(layered: &Layered, left: u32, right: u32) -> f64 {
    let left = layered.items[left as usize].after;
    f64::from(left + layered.items[right as usize].before + GAP)
}

/// Who wants an item to be where, and how much.
pub(super) fn pull(
    layered: &Layered,
    item: u32,
    at: &[f64],
) -> impl Iterator<Item = (u32, f64, f64)> {
    pull_from(layered, item, Side::Both, at)
}

fn pull_from(
    layered: &Layered,
    item: u32,
    side: Side,
    at: &[f64],
) -> impl Iterator<Item = (u32, f64, f64)> {
    let index = item as usize;
    let none: &[u32] = &[];
    let up = if side == Side::Behind {
        none
    } else {
        &layered.up[index]
    };
    let down = if side == Side::Before {
        none
    } else {
        &layered.down[index]
    };
    let from_upper = up.iter().map(move |&link| {
        let link = &layered.links[link as usize];
        let wanted = at[link.upper as usize] + f64::from(link.upper_at - link.lower_at);
        (link.upper, wanted, link.weight)
    });
    let from_lower = down.iter().map(move |&link| {
        let link = &layered.links[link as usize];
        let wanted = at[link.lower as usize] + f64::from(link.lower_at - link.upper_at);
        (link.lower, wanted, link.weight)
    });
    let beside = layered.anchor[index].map(|anchor| {
        let wanted = match at[anchor as usize] < at[index] {
            true => at[anchor as usize] + distance(layered, anchor, item),
            false => at[anchor as usize] - distance(layered, item, anchor),
        };
        (anchor, wanted, 2.0)
    });
    from_upper.chain(from_lower).chain(beside)
}

/// Where an item wants to be, and how much.
fn wish(layered: &Layered, item: u32, side: Side, at: &[f64]) -> (f64, f64) {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (_, wanted, weight) in pull_from(layered, item, side, at) {
        sum += weight * wanted;
        weights += weight;
    }
    match weights > 0.0 {
        true => (sum / weights, weights),
        // Nobody pulls: it stays, but makes way.
        false => (at[item as usize], 0.01),
    }
}

/// A run of neighbours that touch each other.
struct Block {
    /// The mean of the wishes, measured as if nothing had any room.
    mean: f64,
    weight: f64,
    count: usize,
}

/// Brings a layer as near to its wishes as it can get.
fn settle(layered: &Layered, layer: usize, at: &mut [f64], side: Side) {
    let items = &layered.layers[layer];
    let mut blocks: Vec<Block> = Vec::with_capacity(items.len());
    let mut offsets: Vec<f64> = Vec::with_capacity(items.len());
    let mut offset = 0.0;
    for (index, &item) in items.iter().enumerate() {
        if index > 0 {
            offset += distance(layered, items[index - 1], item);
        }
        offsets.push(offset);
        let (wanted, weight) = wish(layered, item, side, at);
        blocks.push(Block {
            mean: wanted - offset,
            weight,
            count: 1,
        });
        while let [.., before, last] = &mut blocks[..]
            && before.mean > last.mean
        {
            let weight = before.weight + last.weight;
            before.mean = (before.mean * before.weight + last.mean * last.weight) / weight;
            before.weight = weight;
            before.count += last.count;
            blocks.pop();
        }
    }
    let means = blocks
        .iter()
        .flat_map(|block| std::iter::repeat_n(block.mean, block.count));
    for ((&item, offset), mean) in items.iter().zip(&offsets).zip(means) {
        at[item as usize] = mean + offset;
    }
}

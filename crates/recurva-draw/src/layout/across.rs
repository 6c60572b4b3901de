//! The position of each item in its layer, with straight edges.
//!
//! In every sweep each item wants to be where its neighbours in the next layer are. What comes
//! nearest to all wishes of a layer, by the sum of squares, with the order and the room of the
//! items kept, is a monotone regression: neighbours that want to be too close become one block,
//! at the mean of their wishes.

use super::chains::{Item, Layered};

/// The room between two things in a layer.
const GAP: i32 = 14;

/// So much work is done on a graph, measured in links and items looked at.
const WORK: usize = 3_000_000;

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
            settle(layered, layer, side, &mut at);
        }
    }
    straighten(layered, &mut at);
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
fn distance(layered: &Layered, left: u32, right: u32) -> f64 {
    let left = layered.items[left as usize].after;
    f64::from(left + layered.items[right as usize].before + GAP)
}

/// Where an item wants to be, and how much.
fn wish(layered: &Layered, item: u32, side: Side, at: &[f64]) -> (f64, f64) {
    let index = item as usize;
    let (mut sum, mut weights) = (0.0, 0.0);
    if side != Side::Behind {
        for &link in &layered.up[index] {
            let link = &layered.links[link as usize];
            let wanted = at[link.upper as usize] + f64::from(link.upper_at - link.lower_at);
            sum += link.weight * wanted;
            weights += link.weight;
        }
    }
    if side != Side::Before {
        for &link in &layered.down[index] {
            let link = &layered.links[link as usize];
            let wanted = at[link.lower as usize] + f64::from(link.lower_at - link.upper_at);
            sum += link.weight * wanted;
            weights += link.weight;
        }
    }
    if let Some(anchor) = layered.anchor[index] {
        let wanted = match at[anchor as usize] < at[index] {
            true => at[anchor as usize] + distance(layered, anchor, item),
            false => at[anchor as usize] - distance(layered, item, anchor),
        };
        sum += 2.0 * wanted;
        weights += 2.0;
    }
    match weights > 0.0 {
        true => (sum / weights, weights),
        // Nobody pulls: it stays, but makes way.
        false => (at[index], 0.01),
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
fn settle(layered: &Layered, layer: usize, side: Side, at: &mut [f64]) {
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

/// Makes the bends of an edge one straight line where there is room for it.
fn straighten(layered: &Layered, at: &mut [f64]) {
    let mut place = vec![0usize; layered.items.len()];
    for layer in &layered.layers {
        for (index, &item) in layer.iter().enumerate() {
            place[item as usize] = index;
        }
    }
    for chain in layered.straight() {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &item in &chain {
            let layer = &layered.layers[layered.items[item as usize].layer as usize];
            let index = place[item as usize];
            if let Some(&left) = index.checked_sub(1).and_then(|index| layer.get(index)) {
                low = low.max(at[left as usize] + distance(layered, left, item));
            }
            if let Some(&right) = layer.get(index + 1) {
                high = high.min(at[right as usize] - distance(layered, item, right));
            }
            let (wanted, weight) = wish(layered, item, Side::Both, at);
            sum += wanted * weight;
            weights += weight;
        }
        if low <= high {
            let line = (sum / weights).clamp(low, high);
            for &item in &chain {
                at[item as usize] = line;
            }
        }
    }
}

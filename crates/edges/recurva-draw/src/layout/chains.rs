//! Edges as chains of bends, one in each layer that they pass.

use super::size::{LabelSize, NodeSize};
use crate::graph::{Direction, Edge};

/// Something in a layer: a node, or a bend of an edge. Nodes come first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) layer: u32,
    /// The room before its middle, along the layer. The middle of a bend is the edge itself.
    pub(super) before: i32,
    /// The room behind its middle.
    pub(super) after: i32,
    /// The room from layer to layer.
    pub(super) along: i32,
}

/// A piece of an edge between neighbouring layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) upper: u32,
    pub(super) lower: u32,
    /// Where it starts, measured from the middle.
    pub(super) upper_at: i32,
    /// Where it ends, measured from the middle.
    pub(super) lower_at: i32,
    /// How much it wants to be straight.
    pub(super) weight: f64,
}

/// The way of an edge. Bends are listed from earlier layers to later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From a node without ports to itself.
    Ear,
    /// To a later layer.
    Down(Vec<u32>),
    /// To an earlier layer or to the same one.
    Up {
        bends: Vec<u32>,
        /// It leaves by an exit: round its node, past the first bend.
        from_exit: bool,
        /// It arrives at an entry: round its node, past the last bend.
        to_entry: bool,
    },
    /// Too long for bends: round all nodes.
    Channel,
}

/// An ear, measured from the outline of its node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ear {
    /// On which side of the node: 1 behind it in its layer, -1 before it.
    pub(super) side: i32,
    /// How far it stands out.
    pub(super) reach: i32,
    /// Half of how wide it is.
    pub(super) half: i32,
}

/// All items in their layers.
#[derive(Debug, Default)]
pub(super) struct Layered {
    pub(super) items: Vec<Item>,
    pub(super) layers: Vec<Vec<u32>>,
    pub(super) links: Vec<Link>,
    /// For each item the links to the layer before.
    pub(super) up: Vec<Vec<u32>>,
    /// For each item the links to the layer behind.
    pub(super) down: Vec<Vec<u32>>,
    /// For a bend beside a node that its edge goes round: that node.
    pub(super) anchor: Vec<Option<u32>>,
    /// For each edge.
    pub(super) ways: Vec<Way>,
    /// For each edge the bend with its text.
    pub(super) label_at: Vec<Option<u32>>,
    /// For each edge that is one.
    pub(super) ears: Vec<Ear>,
}

/// There may be this many bends for each node and edge, and some more.
const BENDS: usize = 3;

/// What the layers are made of.
pub(super) struct Input<'a> {
    pub(super) direction: Direction,
    pub(super) sizes: &'a [NodeSize],
    pub(super) edges: &'a [&'a Edge],
    pub(super) ends: &'a [(u32, u32)],
    pub(super) labels: &'a [LabelSize],
    pub(super) layer: &'a [i32],
}

/// The room before and behind an edge that its text takes, and the room from layer to layer.
fn room(label: &LabelSize, direction: Direction) -> (i32, i32, i32) {
    match direction {
        _ if label.lines.is_empty() => (3, 3, 0),
        Direction::Down => (3, label.w + 8, label.h),
        Direction::Right => (label.h + 4, 3, label.w + 8),
    }
}

/// Puts everything into layers.
pub(super) fn chains(input: &Input<'_>) -> Layered {
    let mut out = Layered {
        label_at: vec![None; input.edges.len()],
        ears: vec![Ear::default(); input.edges.len()],
        ..Layered::default()
    };
    for (size, &layer) in input.sizes.iter().zip(input.layer) {
        out.push(Item {
            layer: layer as u32,
            before: size.across / 2,
            after: size.across / 2,
            along: size.along,
        });
    }
    let channelled = channelled(input);
    for (index, edge) in input.edges.iter().enumerate() {
        let (from, to) = input.ends[index];
        let way = if channelled[index] {
            Way::Channel
        } else if from == to && edge.exit.is_none() && edge.entry.is_none() {
            ear(&mut out, input, index);
            Way::Ear
        } else if input.layer[from as usize] < input.layer[to as usize] {
            down(&mut out, input, index)
        } else {
            up(&mut out, input, index)
        };
        out.ways.push(way);
    }
    out.finish();
    out
}

/// The layers in which an edge has a bend.
fn span(input: &Input<'_>, index: usize) -> std::ops::Range<i32> {
    let (from, to) = input.ends[index];
    let (from, to) = (input.layer[from as usize], input.layer[to as usize]);
    let edge = input.edges[index];
    match from < to {
        true => from + 1..to,
        false => {
            let first = to + i32::from(edge.entry.is_none());
            let end = from + i32::from(edge.exit.is_some());
            // Of an edge from a node to itself with a port at one end only.
            if input.ends[index].0 == input.ends[index].1 {
                from..from + 1
            } else {
                first..end
            }
        }
    }
}

/// The longest edges if there would be too many bends.
fn channelled(input: &Input<'_>) -> Vec<bool> {
    let mut order: Vec<usize> = (0..input.edges.len()).collect();
    order.sort_by_key(|&index| span(input, index).len());
    let mut left = 2_000 + BENDS * (input.edges.len() + input.sizes.len());
    let mut channelled = vec![false; input.edges.len()];
    for index in order {
        let bends = span(input, index).len();
        match left.checked_sub(bends) {
            Some(rest) => left = rest,
            None => channelled[index] = true,
        }
    }
    channelled
}

/// Makes room for an edge from a node to itself, outside of those that the node has.
fn ear(out: &mut Layered, input: &Input<'_>, index: usize) {
    let node = input.ends[index].0 as usize;
    let label = &input.labels[index];
    let (label_across, label_along) = match input.direction {
        Direction::Down => (label.w, label.h),
        Direction::Right => (label.h, label.w),
    };
    let half_node = input.sizes[node].across / 2;
    let item = &mut out.items[node];
    // Two ears go to different sides; more go round those that are there.
    let side = if item.after > item.before { -1 } else { 1 };
    let room = if side > 0 {
        &mut item.after
    } else {
        &mut item.before
    };
    let taken = *room - half_node;
    let half = match taken {
        0 => 12,
        _ => item.along / 2 + 6,
    };
    let reach = taken + 18;
    out.ears[index] = Ear { side, reach, half };
    *room = half_node + reach + label_across + 8;
    item.along = item.along.max(2 * half).max(label_along);
}

fn down(out: &mut Layered, input: &Input<'_>, index: usize) -> Way {
    let (edge, (from, to)) = (input.edges[index], input.ends[index]);
    let bends = bends(out, input, index);
    let exits = &input.sizes[from as usize].exits;
    let entries = &input.sizes[to as usize].entries;
    let upper_at = edge.exit.map_or(0, |port| exits[port as usize]);
    let lower_at = edge.entry.map_or(0, |port| entries[port as usize]);
    out.link_all((Some(from), upper_at), &bends, (Some(to), lower_at));
    Way::Down(bends)
}

fn up(out: &mut Layered, input: &Input<'_>, index: usize) -> Way {
    let (edge, (from, to)) = (input.edges[index], input.ends[index]);
    let bends = bends(out, input, index);
    let (from_exit, to_entry) = match from == to {
        true => (true, true),
        false => (edge.exit.is_some(), edge.entry.is_some()),
    };
    if let (true, Some(&first)) = (to_entry, bends.first()) {
        out.anchor[first as usize] = Some(to);
    }
    if let (true, Some(&last)) = (from_exit, bends.last()) {
        out.anchor[last as usize] = Some(from);
    }
    let upper = (!to_entry).then_some(to);
    let lower = (!from_exit).then_some(from);
    out.link_all((upper, 0), &bends, (lower, 0));
    Way::Up {
        bends,
        from_exit,
        to_entry,
    }
}

/// The bends of an edge, with its text at the middle one.
fn bends(out: &mut Layered, input: &Input<'_>, index: usize) -> Vec<u32> {
    let layers = span(input, index);
    let label = &input.labels[index];
    let middle = layers.start + (layers.len() as i32 - 1) / 2;
    let mut bends = Vec::with_capacity(layers.len());
    for layer in layers {
        let (before, after, along) = match layer == middle {
            true => room(label, input.direction),
            false => (3, 3, 0),
        };
        let bend = out.push(Item {
            layer: layer as u32,
            before,
            after,
            along,
        });
        if layer == middle && !label.lines.is_empty() {
            out.label_at[index] = Some(bend);
        }
        bends.push(bend);
    }
    bends
}

impl Layered {
    fn push(&mut self, item: Item) -> u32 {
        self.items.push(item);
        self.anchor.push(None);
        self.items.len() as u32 - 1
    }

    /// Links a chain of bends to each other, and to the items at its ends if there are such.
    fn link_all(&mut self, upper: (Option<u32>, i32), bends: &[u32], lower: (Option<u32>, i32)) {
        let mut chain: Vec<(u32, i32, bool)> = Vec::with_capacity(bends.len() + 2);
        chain.extend(upper.0.map(|item| (item, upper.1, false)));
        chain.extend(bends.iter().map(|&bend| (bend, 0, true)));
        chain.extend(lower.0.map(|item| (item, lower.1, false)));
        for pair in chain.windows(2) {
            let (upper, upper_at, upper_bend) = pair[0];
            let (lower, lower_at, lower_bend) = pair[1];
            self.links.push(Link {
                upper,
                lower,
                upper_at,
                lower_at,
                weight: match (upper_bend, lower_bend) {
                    (true, true) => 8.0,
                    (false, false) => 1.0,
                    _ => 2.0,
                },
            });
        }
    }

    /// Leaves out empty layers and notes who is linked with whom.
    fn finish(&mut self) {
        let last = self.items.iter().map(|item| item.layer).max();
        let mut used = vec![false; last.map_or(0, |last| last as usize + 1)];
        for item in &self.items {
            used[item.layer as usize] = true;
        }
        let mut count = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&used| {
                count += u32::from(used);
                count.saturating_sub(1)
            })
            .collect();
        self.layers = vec![Vec::new(); count as usize];
        for (index, item) in self.items.iter_mut().enumerate() {
            item.layer = numbers[item.layer as usize];
            self.layers[item.layer as usize].push(index as u32);
        }
        self.up = vec![Vec::new(); self.items.len()];
        self.down = vec![Vec::new(); self.items.len()];
        for (index, link) in self.links.iter().enumerate() {
            self.down[link.upper as usize].push(index as u32);
            self.up[link.lower as usize].push(index as u32);
        }
    }
}

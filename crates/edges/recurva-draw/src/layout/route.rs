//! How high layers are, and the way of each edge.

use super::{
    chains::{Ear, Layered, Way},
    size::{LabelSize, NodeSize, half},
};
use crate::{
    graph::{Direction, Edge, Shape},
    placed::PORT,
};

/// The least space between two layers: room for an arrow.
const GAP: i32 = 26;

/// The space between two layers grows with how far edges go across it, up to this.
const MAX_GAP: i32 = 90;

/// How far an edge that goes round a node stands out of its layer.
const TURN: i32 = 14;

/// The space before the first and behind the last layer if edges go round there.
const OUTSIDE: i32 = 24;

/// A point: across, along.
type Point = (i32, i32);

/// A text beside an edge: its upper left corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelPlace {
    pub(super) corner: Point,
}

/// Everything with its place.
#[derive(Debug, Default)]
pub(super) struct Routed {
    /// The middle of each node.
    pub(super) nodes: Vec<Point>,
    /// The way of each edge: a point, and three for each curve.
    pub(super) edges: Vec<Vec<Point>>,
    /// Where the text of each edge is, if it has one.
    pub(super) labels: Vec<Option<LabelPlace>>,
    /// The size of it all.
    pub(super) size: Point,
    /// The middle of the first and of the last layer.
    pub(super) middles: (i32, i32),
}

/// What is to be routed.
pub(super) struct Input<'a> {
    pub(super) direction: Direction,
    pub(super) shapes: &'a [Shape],
    pub(super) sizes: &'a [NodeSize],
    pub(super) edges: &'a [&'a Edge],
    pub(super) ends: &'a [(u32, u32)],
    pub(super) labels: &'a [LabelSize],
    pub(super) layered: &'a Layered,
    /// The position of each item in its layer.
    pub(super) at: &'a [i32],
}

/// Finds the ways.
pub(super) fn route(input: &Input<'_>) -> Routed {
    let touches = touches(input);
    let bands = bands(input, &touches);
    let layered = input.layered;
    let rooms = layered.items.iter().zip(input.at);
    let width = rooms.map(|(item, at)| at + item.after).max().unwrap_or(0);
    let router = Router {
        input,
        touches: &touches,
        bands: &bands,
    };
    let (channels, width) = router.channels(width);
    let middle = |layer: Option<&(i32, i32)>| layer.map_or(0, |(top, bottom)| (top + bottom) / 2);
    let mut routed = Routed {
        size: (width, bands.end),
        middles: (middle(bands.layers.first()), middle(bands.layers.last())),
        ..Routed::default()
    };
    for node in 0..input.sizes.len() {
        routed.nodes.push((input.at[node], router.middle(node)));
    }
    for (index, way) in layered.ways.iter().enumerate() {
        let path = match way {
            Way::Ear => router.ear(index, layered.ears[index]),
            Way::Down(bends) => router.down(index, bends),
            Way::Up {
                bends,
                from_exit,
                to_entry,
            } => router.up(index, bends, *from_exit, *to_entry),
            Way::Channel => router.channel(index, channels[index]),
        };
        routed.edges.push(path.points);
        routed.labels.push(router.label(index, channels[index]));
    }
    routed
}

/// Where each edge touches its nodes, measured from their middles.
struct Touches {
    from: Vec<i32>,
    to: Vec<i32>,
}

/// On which side of its node an edge ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edging {
    Upper,
    Lower,
}

/// Ports decide; else the edges on one side of a node share it, in the order of where they come
/// from.
fn touches(input: &Input<'_>) -> Touches {
    let mut touches = Touches {
        from: vec![0; input.edges.len()],
        to: vec![0; input.edges.len()],
    };
    // Node, side, the neighbour's position, edge, whether it is the edge's start.
    let mut shared: Vec<(u32, Edging, i32, usize, bool)> = Vec::new();
    for (index, edge) in input.edges.iter().enumerate() {
        let (from, to) = input.ends[index];
        let at = |item: Option<&u32>, node: u32| input.at[*item.unwrap_or(&node) as usize];
        let (source, target) = match &input.layered.ways[index] {
            Way::Ear => continue,
            Way::Channel => ((Edging::Lower, i32::MAX), (Edging::Upper, i32::MAX)),
            Way::Down(bends) => (
                (Edging::Lower, at(bends.first(), to)),
                (Edging::Upper, at(bends.last(), from)),
            ),
            Way::Up {
                bends,
                from_exit,
                to_entry,
            } => {
                let source = if *from_exit {
                    Edging::Lower
                } else {
                    Edging::Upper
                };
                let target = if *to_entry {
                    Edging::Upper
                } else {
                    Edging::Lower
                };
                (
                    (source, at(bends.last(), to)),
                    (target, at(bends.first(), from)),
                )
            }
        };
        match edge.exit {
            Some(port) => touches.from[index] = input.sizes[from as usize].exits[port as usize],
            None => shared.push((from, source.0, source.1, index, true)),
        }
        match edge.entry {
            Some(port) => touches.to[index] = input.sizes[to as usize].entries[port as usize],
            None => shared.push((to, target.0, target.1, index, false)),
        }
    }
    shared.sort_unstable();
    for group in shared.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let room = input.sizes[group[0].0 as usize].across * 6 / 10;
        let last = group.len() as i32 - 1;
        for (place, &(_, _, _, index, is_start)) in group.iter().enumerate() {
            let step = (2 * place as i32 - last) * room.min(12 * last) / (2 * last.max(1));
            match is_start {
                true => touches.from[index] = step,
                false => touches.to[index] = step,
            }
        }
    }
    touches
}

/// Where layers begin and end.
struct Bands {
    layers: Vec<(i32, i32)>,
    end: i32,
}

fn bands(input: &Input<'_>, touches: &Touches) -> Bands {
    let layered = input.layered;
    let count = layered.layers.len();
    // The space before each layer, and behind the last one.
    let mut gaps = vec![GAP; count + 1];
    gaps[0] = 0;
    gaps[count] = 0;
    let mut wider = |gap: usize, far: i32| {
        let wanted = (GAP + far.abs() / 6).min(MAX_GAP);
        gaps[gap] = gaps[gap].max(wanted);
    };
    for link in &layered.links {
        let upper = input.at[link.upper as usize] + link.upper_at;
        let lower = input.at[link.lower as usize] + link.lower_at;
        let layer = layered.items[link.lower as usize].layer as usize;
        wider(layer, upper - lower);
    }
    for (index, way) in layered.ways.iter().enumerate() {
        let (from, to) = input.ends[index];
        let layer = |node: u32| layered.items[node as usize].layer as usize;
        let (from_exit, to_entry) = match way {
            Way::Ear | Way::Down(_) => (false, false),
            Way::Channel => (true, true),
            Way::Up {
                from_exit,
                to_entry,
                ..
            } => (*from_exit, *to_entry),
        };
        if from_exit {
            let gap = layer(from) + 1;
            gaps[gap] = gaps[gap].max(GAP.max(OUTSIDE) + touches.from[index].abs() / 12);
        }
        if to_entry {
            let gap = layer(to);
            gaps[gap] = gaps[gap].max(GAP.max(OUTSIDE) + touches.to[index].abs() / 12);
        }
    }
    let mut bands = Bands {
        layers: Vec::with_capacity(count),
        end: 0,
    };
    for (layer, items) in layered.layers.iter().enumerate() {
        bands.end += gaps[layer];
        let thickness = items.iter().map(|&item| layered.items[item as usize].along);
        let thickness = (thickness.max().unwrap_or(0) + 1) / 2 * 2;
        bands.layers.push((bands.end, bands.end + thickness));
        bands.end += thickness;
    }
    bands.end += gaps[count];
    bands
}

/// A way being made.
#[derive(Default)]
struct Path {
    points: Vec<Point>,
}

impl Path {
    fn start(point: Point) -> Self {
        Path {
            points: vec![point],
        }
    }

    fn end(&self) -> Point {
        self.points.last().copied().unwrap_or_default()
    }

    /// Goes on in a straight line; joins lines in the same direction.
    fn line(&mut self, to: Point) {
        let from = self.end();
        if from == to {
            return;
        }
        if let [.., before, first, second, last] = self.points[..]
            && before == first
            && second == last
            && before.0 == last.0
            && last.0 == to.0
            && (last.1 - before.1).signum() == (to.1 - last.1).signum()
        {
            self.points.truncate(self.points.len() - 3);
            self.points.extend([before, to, to]);
            return;
        }
        self.points.extend([from, to, to]);
    }

    /// Goes across to another layer.
    fn bend(&mut self, to: Point) {
        let from = self.end();
        if from.0 == to.0 {
            return self.line(to);
        }
        let half = (from.1 + to.1) / 2;
        self.points.extend([(from.0, half), (to.0, half), to]);
    }

    /// Turns round, away from the layer by that much, and comes back.
    fn turn(&mut self, to: Point, away: i32) {
        let from = self.end();
        let out = away * 4 / 3;
        self.points
            .extend([(from.0, from.1 + out), (to.0, to.1 + out), to]);
    }
}

struct Router<'a> {
    input: &'a Input<'a>,
    touches: &'a Touches,
    bands: &'a Bands,
}

impl Router<'_> {
    fn band(&self, item: usize) -> (i32, i32) {
        self.bands.layers[self.input.layered.items[item].layer as usize]
    }

    fn middle(&self, node: usize) -> i32 {
        let (top, bottom) = self.band(node);
        (top + bottom) / 2
    }

    /// A point on the outline of a node, or on a port.
    fn outline(&self, node: u32, at: i32, port: bool, side: Edging) -> Point {
        let node = node as usize;
        let size = &self.input.sizes[node];
        let half = match port {
            true => size.along / 2 + PORT,
            false => half(self.input.shapes[node], size.across, size.along, at),
        };
        let middle = self.middle(node);
        let along = match side {
            Edging::Upper => middle - half,
            Edging::Lower => middle + half,
        };
        (self.input.at[node] + at, along)
    }

    fn from(&self, index: usize, side: Edging) -> Point {
        let port = self.input.edges[index].exit.is_some();
        self.outline(
            self.input.ends[index].0,
            self.touches.from[index],
            port,
            side,
        )
    }

    fn to(&self, index: usize, side: Edging) -> Point {
        let port = self.input.edges[index].entry.is_some();
        self.outline(self.input.ends[index].1, self.touches.to[index], port, side)
    }

    fn down(&self, index: usize, bends: &[u32]) -> Path {
        let (from, to) = self.input.ends[index];
        let start = self.from(index, Edging::Lower);
        let end = self.to(index, Edging::Upper);
        let mut path = Path::start(start);
        path.line((start.0, self.band(from as usize).1.max(start.1)));
        for &bend in bends {
            let (top, bottom) = self.band(bend as usize);
            let across = self.input.at[bend as usize];
            path.bend((across, top));
            path.line((across, bottom));
        }
        path.bend((end.0, self.band(to as usize).0.min(end.1)));
        path.line(end);
        path
    }

    fn up(&self, index: usize, bends: &[u32], from_exit: bool, to_entry: bool) -> Path {
        let (from, to) = self.input.ends[index];
        let (from_band, to_band) = (self.band(from as usize), self.band(to as usize));
        let mut path;
        if from_exit {
            let start = self.from(index, Edging::Lower);
            path = Path::start(start);
            let edge = from_band.1.max(start.1);
            path.line((start.0, edge));
            if let Some(&bend) = bends.last() {
                path.turn((self.input.at[bend as usize], edge), TURN);
            }
        } else {
            let start = self.from(index, Edging::Upper);
            path = Path::start(start);
            path.line((start.0, from_band.0.min(start.1)));
        }
        for (place, &bend) in bends.iter().enumerate().rev() {
            let (top, bottom) = self.band(bend as usize);
            let across = self.input.at[bend as usize];
            match from_exit && place + 1 == bends.len() {
                true => path.line((across, bottom)),
                false => path.bend((across, bottom)),
            }
            path.line((across, top));
        }
        if to_entry {
            let end = self.to(index, Edging::Upper);
            let edge = to_band.0.min(end.1);
            path.line((path.end().0, edge));
            path.turn((end.0, edge), -TURN);
            path.line(end);
        } else {
            let end = self.to(index, Edging::Lower);
            path.bend((end.0, to_band.1.max(end.1)));
            path.line(end);
        }
        path
    }

    fn ear(&self, index: usize, ear: Ear) -> Path {
        let node = self.input.ends[index].0 as usize;
        let size = &self.input.sizes[node];
        let (across, middle) = (self.input.at[node], self.middle(node));
        let foot = (size.along / 5).min(6);
        let half = half(self.input.shapes[node], size.along, size.across, foot);
        let half = across + ear.side * half;
        let tip = across + ear.side * (size.across / 2 + ear.reach);
        let near = across + ear.side * (size.across / 2 + ear.reach / 2);
        Path {
            points: vec![
                (half, middle - foot),
                (near, middle - ear.half),
                (tip, middle - ear.half),
                (tip, middle),
                (tip, middle + ear.half),
                (near, middle + ear.half),
                (half, middle + foot),
            ],
        }
    }

    /// Positions for the edges that go round all nodes, and where that room ends. Edges that do
    /// not meet share a channel.
    fn channels(&self, width: i32) -> (Vec<i32>, i32) {
        let ways = &self.input.layered.ways;
        let mut channels = vec![0; ways.len()];
        let mut waiting: Vec<(i32, i32, usize)> = Vec::new();
        for (index, _) in ways
            .iter()
            .enumerate()
            .filter(|(_, way)| **way == Way::Channel)
        {
            let (from, to) = self.channel_ends(index);
            waiting.push((from.min(to), from.max(to), index));
        }
        waiting.sort_unstable();
        // For each channel its edges, the room it needs, and a queue of when each is free.
        let mut rooms: Vec<(Vec<usize>, i32)> = Vec::new();
        let mut free = std::collections::BinaryHeap::new();
        for (start, end, index) in waiting {
            let across = match self.input.direction {
                Direction::Down => self.input.labels[index].w,
                Direction::Right => self.input.labels[index].h,
            };
            let channel = match free.peek() {
                Some(&std::cmp::Reverse((until, channel))) if until < start => {
                    free.pop();
                    channel
                }
                _ => {
                    rooms.push((Vec::new(), 0));
                    rooms.len() - 1
                }
            };
            rooms[channel].0.push(index);
            rooms[channel].1 = rooms[channel].1.max(across);
            free.push(std::cmp::Reverse((end, channel)));
        }
        let mut at = width;
        for (edges, room) in rooms {
            at += 12;
            for index in edges {
                channels[index] = at;
            }
            at += room + if room > 0 { 6 } else { 0 };
        }
        (channels, at + i32::from(at > width) * 4)
    }

    /// Where an edge enters and leaves its channel.
    fn channel_ends(&self, index: usize) -> (i32, i32) {
        let (from, to) = self.input.ends[index];
        (
            self.band(from as usize).1 + TURN,
            self.band(to as usize).0 - TURN,
        )
    }

    fn channel(&self, index: usize, at: i32) -> Path {
        let (start, end) = (
            self.from(index, Edging::Lower),
            self.to(index, Edging::Upper),
        );
        let (first, last) = self.channel_ends(index);
        let mut path = Path::start(start);
        for corner in [
            (start.0, first),
            (at, first),
            (at, last),
            (end.0, last),
            end,
        ] {
            path.line(corner);
        }
        path
    }

    fn label(&self, index: usize, channel: i32) -> Option<LabelPlace> {
        let label = &self.input.labels[index];
        if label.lines.is_empty() {
            return None;
        }
        let layered = self.input.layered;
        let (across, along) = match self.input.direction {
            Direction::Down => (label.w, label.h),
            Direction::Right => (label.h, label.w),
        };
        let corner = match (&layered.ways[index], layered.label_at[index]) {
            (Way::Ear, _) => {
                let node = self.input.ends[index].0 as usize;
                let ear = layered.ears[index];
                let out = self.input.sizes[node].across / 2 + ear.reach + 4;
                let out = if ear.side > 0 { out } else { -(out + across) };
                (self.input.at[node] + out, self.middle(node) - along / 2)
            }
            (Way::Channel, _) => {
                let (first, last) = self.channel_ends(index);
                (channel + 4, (first + last) / 2 - along / 2)
            }
            (_, Some(bend)) => {
                let bend = bend as usize;
                let beside = match self.input.direction {
                    Direction::Down => 5,
                    Direction::Right => -(across + 3),
                };
                (self.input.at[bend] + beside, self.middle(bend) - along / 2)
            }
            (_, None) => return None,
        };
        Some(LabelPlace { corner })
    }
}

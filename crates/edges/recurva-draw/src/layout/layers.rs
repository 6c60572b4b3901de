//! The layer of each node.

/// An edge that leads to a later layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) from: u32,
    pub(super) to: u32,
    /// By at least this many layers.
    pub(super) length: i32,
}

/// Where a node has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pin {
    /// Anywhere.
    Free,
    /// In the first layer, with its like only; no arc leads here.
    First,
    /// In the last layer, with its like only; no arc starts here.
    Last,
}

/// How often nodes are moved to make edges shorter.
const ROUNDS: usize = 4;

/// A layer for each node, such that all arcs, which have no cycle, are long enough. Starts with
/// the earliest layers; then nodes with more edges down than up sink and the others rise.
pub(super) fn layers(pins: &[Pin], arcs: &[Arc]) -> Vec<i32> {
    let nodes = pins.len();
    let mut down: Vec<Vec<Arc>> = vec![Vec::new(); nodes];
    let mut up: Vec<Vec<Arc>> = vec![Vec::new(); nodes];
    for &arc in arcs {
        down[arc.from as usize].push(arc);
        up[arc.to as usize].push(arc);
    }
    let order = topological(&down, &up);
    let earliest_free = i32::from(pins.contains(&Pin::First));
    let mut layer = vec![0; nodes];
    let earliest = |layer: &[i32], node: usize| {
        let bounds = up[node]
            .iter()
            .map(|arc| layer[arc.from as usize] + arc.length);
        let bound = bounds.max().unwrap_or(0);
        match pins[node] {
            Pin::First => 0,
            Pin::Free | Pin::Last => bound.max(earliest_free),
        }
    };
    for &node in &order {
        layer[node] = earliest(&layer, node);
    }
    let free = |node: &usize| pins[*node] == Pin::Free;
    let last_free = order
        .iter()
        .copied()
        .filter(free)
        .map(|node| layer[node])
        .max();
    let last_pinned = order
        .iter()
        .copied()
        .filter(|node| pins[*node] == Pin::Last);
    let last_pinned = last_pinned.map(|node| layer[node]).max();
    if let Some(pinned) = last_pinned {
        let last = pinned.max(last_free.map_or(earliest_free, |last| last + 1));
        for node in 0..nodes {
            if pins[node] == Pin::Last {
                layer[node] = last;
            }
        }
    }
    for _ in 0..ROUNDS {
        let mut moved = false;
        for &node in order.iter().rev() {
            if pins[node] == Pin::Free && down[node].len() > up[node].len() {
                let bounds = down[node]
                    .iter()
                    .map(|arc| layer[arc.to as usize] - arc.length);
                let latest = bounds.min().unwrap_or(layer[node]);
                moved |= latest > layer[node];
                layer[node] = latest.max(layer[node]);
            }
        }
        for &node in &order {
            if pins[node] == Pin::Free && down[node].len() <= up[node].len() {
                let first = earliest(&layer, node);
                moved |= first < layer[node];
                layer[node] = first.min(layer[node]);
            }
        }
        if !moved {
            break;
        }
    }
    layer
}

/// The nodes such that arcs lead to later ones.
fn topological(down: &[Vec<Arc>], up: &[Vec<Arc>]) -> Vec<usize> {
    let mut missing: Vec<usize> = up.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..down.len()).filter(|&node| missing[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for arc in &down[node] {
            let to = arc.to as usize;
            missing[to] -= 1;
            if missing[to] == 0 {
                order.push(to);
            }
        }
    }
    order
}

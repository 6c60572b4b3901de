//! Runs: nodes below each other, each in a lane, as steps are in the depth of their calls.

use super::{
    part::{Part, frame, hint},
    size::{self, half},
};
use crate::{
    graph::{Direction, Graph},
    placed::{PlacedEdge, PlacedLabel, PlacedNode},
};

/// How far each lane is from the one before.
const INDENT: i32 = 40;

/// The space between two rows.
const GAP: i32 = 22;

/// Where steps leave and arrive, from the left of their nodes.
const STEP: i32 = 20;

/// Where lines go past the rows of deeper lanes, from the left of their nodes.
const PAST: i32 = 8;

/// The space between the lines that go round everything.
const CHANNEL: i32 = 16;

/// Whether a graph is a run.
pub(super) fn is_run(graph: &Graph) -> bool {
    !graph.nodes.is_empty() && graph.lanes.len() == graph.nodes.len()
}

/// Places a run.
pub(super) fn place(graph: &Graph) -> Part {
    let mut part = Part::default();
    let labels: Vec<size::LabelSize> = graph.edges.iter().map(size::label).collect();
    // The room below each row for the texts of the edges to the next one.
    let mut below = vec![0; graph.nodes.len()];
    for (edge, label) in graph.edges.iter().zip(&labels) {
        if edge.to == edge.from + 1 {
            let room = &mut below[edge.from as usize];
            *room = (*room).max(label.h);
        }
    }
    let mut y = 0;
    for (index, node) in graph.nodes.iter().enumerate() {
        let size = size::node(node, Direction::Down);
        part.nodes.push(PlacedNode {
            key: node.key.clone(),
            x: graph.lanes[index] as i32 * INDENT,
            y,
            w: size.across,
            h: size.along,
            shape: node.shape,
            left: true,
            hint: hint(&node.hint, &node.lines, &size.lines),
            lines: size.lines,
            classes: node.classes.clone(),
            ports: Vec::new(),
        });
        part.h = y + size.along;
        y = part.h + GAP + below[index];
    }
    part.w = part
        .nodes
        .iter()
        .map(|node| node.x + node.w)
        .max()
        .unwrap_or(0);
    let returns = next_at_most(&graph.lanes);
    for (edge, label) in graph.edges.iter().zip(labels) {
        let (from, to) = (edge.from as usize, edge.to as usize);
        let (source, target) = (&part.nodes[from], &part.nodes[to]);
        let same_lane = graph.lanes[from] == graph.lanes[to];
        let mut corner = None;
        let points = if to == from + 1 {
            let (start, end) = (at_bottom(source, STEP), at_top(target, STEP));
            corner = Some([start[0].max(end[0]) + 6, source.y + source.h + GAP / 2]);
            let middle = (start[1] + end[1]) / 2;
            vec![start, [start[0], middle], [end[0], middle], end]
        } else if to > from && same_lane && returns[from] == Some(to) {
            let (start, end) = (at_bottom(source, PAST), at_top(target, PAST));
            vec![start, start, end, end]
        } else {
            part.w += CHANNEL;
            let channel = part.w - CHANNEL / 2;
            let start = [source.x + source.w, source.y + source.h / 2];
            let end = [target.x + target.w, target.y + target.h / 2];
            corner = Some([channel + 4, (start[1] + end[1] - label.h) / 2]);
            part.w += label.w;
            let (first, last) = ([channel, start[1]], [channel, end[1]]);
            vec![
                start, start, first, first, first, last, last, last, end, end,
            ]
        };
        part.edges.push(PlacedEdge {
            key: edge.key.clone(),
            from: edge.from,
            to: edge.to,
            points,
            label: corner
                .filter(|_| !label.lines.is_empty())
                .map(|[x, y]| PlacedLabel {
                    x,
                    y,
                    w: label.w,
                    h: label.h,
                    lines: label.lines.clone(),
                }),
            hint: hint(&edge.hint, &edge.lines, &label.lines),
            line: edge.line,
            classes: edge.classes.clone(),
            back: to <= from,
        });
    }
    let labels = part.edges.iter().filter_map(|edge| edge.label.as_ref());
    let right = labels.map(|label| label.x + label.w).max();
    part.w = part.w.max(right.unwrap_or(0));
    frame(&mut part, graph, &[], (0, 0));
    part
}

/// For each row the next one whose lane is not deeper.
fn next_at_most(lanes: &[u32]) -> Vec<Option<usize>> {
    let mut next = vec![None; lanes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, &lane) in lanes.iter().enumerate() {
        while let Some(&last) = open.last()
            && lanes[last] >= lane
        {
            next[last] = Some(index);
            open.pop();
        }
        open.push(index);
    }
    next
}

fn at_bottom(node: &PlacedNode, from_left: i32) -> [i32; 2] {
    let (x, half) = on_side(node, from_left);
    [x, node.y + node.h / 2 + half]
}

fn at_top(node: &PlacedNode, from_left: i32) -> [i32; 2] {
    let (x, half) = on_side(node, from_left);
    [x, node.y + node.h / 2 - half]
}

/// A place on the upper and lower side of a node, and how far it is from the middle.
fn on_side(node: &PlacedNode, from_left: i32) -> (i32, i32) {
    // In narrow nodes both lines find their places in the left half.
    let from_left = from_left.min(node.w * from_left / (2 * STEP));
    let half = half(node.shape, node.w, node.h, from_left - node.w / 2);
    (node.x + from_left, half)
}

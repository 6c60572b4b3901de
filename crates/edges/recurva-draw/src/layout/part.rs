//! One graph with its frame.

use super::{
    across::across,
    chains::{self, chains},
    cycles::back_edges,
    lanes,
    layers::{Arc, Pin, layers},
    order::order,
    pack::shelves,
    route::{self, Routed, route},
    size::{self, LabelSize, NodeSize},
};
use crate::{
    graph::{Border, Direction, Edge, Graph, Node},
    placed::{PORT, PlacedEdge, PlacedLabel, PlacedNode, PlacedPort},
    text::{FONT, LINE, SMALL_FONT, fit, width},
};

/// The space between what is drawn and the frame around it.
const PADDING: i32 = 18;

/// The room for the name of a graph.
const NAME: i32 = 22;

/// A graph whose parts have places.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) nodes: Vec<PlacedNode>,
    pub(super) edges: Vec<PlacedEdge>,
    /// The frame: x, y, width, height.
    pub(super) frame: (i32, i32, i32, i32),
    /// Where the name begins, on the line that letters stand on.
    pub(super) name: (i32, i32),
    /// The size of it all.
    pub(super) w: i32,
    pub(super) h: i32,
}

impl Part {
    /// Moves everything.
    pub(super) fn shift(&mut self, x: i32, y: i32) {
        for node in &mut self.nodes {
            node.x += x;
            node.y += y;
            for port in &mut node.ports {
                port.x += x;
                port.y += y;
                port.label_x += x;
                port.label_y += y;
            }
        }
        for edge in &mut self.edges {
            for point in &mut edge.points {
                point[0] += x;
                point[1] += y;
            }
            if let Some(label) = &mut edge.label {
                label.x += x;
                label.y += y;
            }
        }
        self.frame.0 += x;
        self.frame.1 += y;
        self.name.0 += x;
        self.name.1 += y;
    }
}

/// Places a graph.
pub(super) fn place(graph: &Graph) -> Part {
    if lanes::is_run(graph) {
        return lanes::place(graph);
    }
    let whole = Whole::new(graph);
    let pieces = whole.pieces();
    let routed: Vec<Routed> = pieces.iter().map(|piece| whole.place(piece)).collect();
    let sizes: Vec<(i32, i32)> = routed
        .iter()
        .map(|routed| turned(graph.direction, routed.size))
        .collect();
    let (corners, (w, h)) = shelves(&sizes, PADDING);
    let mut part = Part {
        nodes: vec![PlacedNode::default(); graph.nodes.len()],
        edges: vec![PlacedEdge::default(); graph.edges.len()],
        w,
        h,
        ..Part::default()
    };
    for ((piece, routed), corner) in pieces.iter().zip(&routed).zip(corners) {
        whole.fill(&mut part, piece, routed, corner);
    }
    let middles = routed.first().map_or((0, 0), |routed| routed.middles);
    frame(&mut part, graph, &whole.pins, middles);
    part
}

fn turned(direction: Direction, (across, along): (i32, i32)) -> (i32, i32) {
    match direction {
        Direction::Down => (across, along),
        Direction::Right => (along, across),
    }
}

/// What is said about something on demand: what the caller says, or the text if it was cut.
pub(super) fn hint(given: &str, lines: &[String], shown: &[String]) -> String {
    const LONG: usize = 2_000;
    match given.is_empty() && lines != shown {
        true => lines.join("\n").chars().take(LONG).collect(),
        false => given.to_owned(),
    }
}

/// Puts a frame around the nodes; those on its border are in the middle of the line.
pub(super) fn frame(part: &mut Part, graph: &Graph, pins: &[Pin], middles: (i32, i32)) {
    let padding = if graph.framed { PADDING } else { 0 };
    let (mut left, mut top) = (-padding, -padding);
    let (mut right, mut bottom) = (part.w + padding, part.h + padding);
    if graph.framed {
        let (start, end) = match graph.direction {
            Direction::Down => (&mut top, &mut bottom),
            Direction::Right => (&mut left, &mut right),
        };
        if pins.contains(&Pin::First) {
            *start = middles.0;
        }
        if pins.contains(&Pin::Last) {
            *end = middles.1;
        }
    }
    let mut outer = (
        left.min(0),
        top.min(0),
        right.max(part.w),
        bottom.max(part.h),
    );
    part.frame = (left, top, right - left, bottom - top);
    if !graph.name.is_empty() {
        part.name = (left, outer.1 - 8);
        outer.1 -= NAME;
        // The name is in bold letters.
        let name = width(&fit(&graph.name), FONT + 2);
        outer.2 = outer.2.max(left + name);
    }
    (part.w, part.h) = (outer.2 - outer.0, outer.3 - outer.1);
    part.shift(-outer.0, -outer.1);
}

/// Some nodes and edges of a graph, by index.
#[derive(Debug, Default)]
struct Piece {
    nodes: Vec<u32>,
    edges: Vec<u32>,
}

struct Whole<'g> {
    graph: &'g Graph,
    sizes: Vec<NodeSize>,
    labels: Vec<LabelSize>,
    pins: Vec<Pin>,
}

impl<'g> Whole<'g> {
    fn new(graph: &'g Graph) -> Self {
        let mut arrives = vec![false; graph.nodes.len()];
        let mut leaves = vec![false; graph.nodes.len()];
        for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
            leaves[edge.from as usize] = true;
            arrives[edge.to as usize] = true;
        }
        let pin = |(index, node): (usize, &Node)| match node.border {
            Some(Border::Start) if !arrives[index] => Pin::First,
            Some(Border::End) if !leaves[index] => Pin::Last,
            _ => Pin::Free,
        };
        let direction = graph.direction;
        let sizes = graph.nodes.iter().map(|node| size::node(node, direction));
        Whole {
            graph,
            sizes: sizes.collect(),
            labels: graph.edges.iter().map(size::label).collect(),
            pins: graph.nodes.iter().enumerate().map(pin).collect(),
        }
    }

    /// The connected parts, in the order of their first nodes; all in one if there are borders.
    fn pieces(&self) -> Vec<Piece> {
        let nodes = self.graph.nodes.len();
        let mut root: Vec<u32> = (0..nodes as u32).collect();
        let find = |root: &mut [u32], mut node: u32| {
            while root[node as usize] != node {
                root[node as usize] = root[root[node as usize] as usize];
                node = root[node as usize];
            }
            node
        };
        if self.pins.iter().any(|&pin| pin != Pin::Free) {
            root.fill(0);
        } else {
            for edge in &self.graph.edges {
                let (from, to) = (find(&mut root, edge.from), find(&mut root, edge.to));
                root[from.max(to) as usize] = from.min(to);
            }
        }
        let mut number = vec![u32::MAX; nodes];
        let mut pieces: Vec<Piece> = Vec::new();
        for node in 0..nodes as u32 {
            let root = find(&mut root, node) as usize;
            if number[root] == u32::MAX {
                number[root] = pieces.len() as u32;
                pieces.push(Piece::default());
            }
            pieces[number[root] as usize].nodes.push(node);
        }
        for (index, edge) in self.graph.edges.iter().enumerate() {
            let root = find(&mut root, edge.from) as usize;
            pieces[number[root] as usize].edges.push(index as u32);
        }
        pieces
    }

    fn place(&self, piece: &Piece) -> Routed {
        let mut number = std::collections::HashMap::new();
        for (index, &node) in piece.nodes.iter().enumerate() {
            number.insert(node, index as u32);
        }
        let edges: Vec<&Edge> = piece
            .edges
            .iter()
            .map(|&edge| &self.graph.edges[edge as usize])
            .collect();
        let ends: Vec<(u32, u32)> = edges
            .iter()
            .map(|edge| (number[&edge.from], number[&edge.to]))
            .collect();
        let nodes = || piece.nodes.iter().map(|&node| node as usize);
        let sizes: Vec<NodeSize> = nodes().map(|node| self.sizes[node].clone()).collect();
        let shapes: Vec<_> = nodes().map(|node| self.graph.nodes[node].shape).collect();
        let pins: Vec<Pin> = nodes().map(|node| self.pins[node]).collect();
        let labels: Vec<LabelSize> = piece
            .edges
            .iter()
            .map(|&edge| self.labels[edge as usize].clone())
            .collect();
        let back = back_edges(sizes.len(), &ends, &roots(&ends, &pins));
        let mut arcs = Vec::with_capacity(ends.len());
        for (index, &(from, to)) in ends.iter().enumerate() {
            if from != to {
                let (from, to) = if back[index] { (to, from) } else { (from, to) };
                let length = if labels[index].lines.is_empty() { 1 } else { 2 };
                arcs.push(Arc { from, to, length });
            }
        }
        let layer = layers(&pins, &arcs);
        let mut layered = chains(&chains::Input {
            direction: self.graph.direction,
            sizes: &sizes,
            edges: &edges,
            ends: &ends,
            labels: &labels,
            layer: &layer,
        });
        order(&mut layered);
        let at = across(&layered);
        route(&route::Input {
            direction: self.graph.direction,
            shapes: &shapes,
            sizes: &sizes,
            edges: &edges,
            ends: &ends,
            labels: &labels,
            layered: &layered,
            at: &at,
        })
    }

    fn fill(&self, part: &mut Part, piece: &Piece, routed: &Routed, (left, top): (i32, i32)) {
        let direction = self.graph.direction;
        let move_to = |point: (i32, i32)| {
            let (x, y) = turned(direction, point);
            [x + left, y + top]
        };
        for (&node, &middle) in piece.nodes.iter().zip(&routed.nodes) {
            let size = &self.sizes[node as usize];
            let (w, h) = turned(direction, (size.across, size.along));
            let [x, y] = move_to(middle);
            let ports = self.ports(node, middle).map(|(point, label, port)| {
                let ([x, y], [label_x, label_y]) = (move_to(point), move_to(label));
                PlacedPort {
                    x,
                    y,
                    label: fit(&port.label),
                    label_x,
                    label_y,
                    classes: port.classes.clone(),
                }
            });
            let given = &self.graph.nodes[node as usize];
            part.nodes[node as usize] = PlacedNode {
                key: given.key.clone(),
                x: x - w / 2,
                y: y - h / 2,
                w,
                h,
                shape: given.shape,
                lines: size.lines.clone(),
                left: false,
                hint: hint(&given.hint, &given.lines, &size.lines),
                classes: given.classes.clone(),
                ports: ports.collect(),
            };
        }
        for (place, &edge) in piece.edges.iter().enumerate() {
            let given = &self.graph.edges[edge as usize];
            let label = &self.labels[edge as usize];
            let points: Vec<[i32; 2]> = routed.edges[place].iter().map(|&p| move_to(p)).collect();
            let (start, end) = (routed.edges[place].first(), routed.edges[place].last());
            part.edges[edge as usize] = PlacedEdge {
                key: given.key.clone(),
                from: given.from,
                to: given.to,
                points,
                label: routed.labels[place].map(|at| {
                    let [x, y] = move_to(at.corner);
                    PlacedLabel {
                        x,
                        y,
                        w: label.w,
                        h: label.h,
                        lines: label.lines.clone(),
                    }
                }),
                hint: hint(&given.hint, &given.lines, &label.lines),
                line: given.line,
                classes: given.classes.clone(),
                back: matches!((start, end), (Some(start), Some(end)) if start.1 >= end.1),
            };
        }
    }

    /// The ports of a node whose middle is known: where each is, and the middle of its text.
    fn ports(
        &self,
        node: u32,
        (across, along): (i32, i32),
    ) -> impl Iterator<Item = ((i32, i32), (i32, i32), &'g crate::graph::Port)> {
        let size = &self.sizes[node as usize];
        let given = &self.graph.nodes[node as usize];
        let direction = self.graph.direction;
        let half = size.along / 2;
        let port = move |at: i32, side: i32, port: &'g crate::graph::Port| {
            let inside = match direction {
                Direction::Down => PORT + LINE / 2,
                Direction::Right => PORT + 4 + width(&fit(&port.label), SMALL_FONT) / 2,
            };
            let point = (across + at, along + side * half);
            let label = (across + at, along + side * (half - inside));
            (point, label, port)
        };
        let entries = size.entries.clone().into_iter().zip(&given.entries);
        let exits = size.exits.clone().into_iter().zip(&given.exits);
        let entries = entries.map(move |(at, given)| port(at, -1, given));
        entries.chain(exits.map(move |(at, given)| port(at, 1, given)))
    }
}

/// Where the search for edges that lead back begins: on the border, then at nodes that no edge
/// leads to, then anywhere.
fn roots(ends: &[(u32, u32)], pins: &[Pin]) -> Vec<u32> {
    let mut arrives = vec![false; pins.len()];
    for &(from, to) in ends {
        arrives[to as usize] |= from != to;
    }
    let mut roots: Vec<u32> = (0..pins.len() as u32).collect();
    roots.sort_by_key(|&node| match pins[node as usize] {
        Pin::First => 0,
        _ if !arrives[node as usize] => 1,
        _ => 2,
    });
    roots
}

//! Random graphs, and a little geometry.

// Not every test uses everything.
#![allow(dead_code)]

use recurva_draw::{
    Border, Class, Direction, Edge, Graph, Node, Placed, Port, Shape,
    placed::{PlacedEdge, PlacedNode},
};
use recurva_testkit::rng::Rng;

/// Random graphs with their seeds.
pub(crate) fn graphs(count: u64) -> impl Iterator<Item = (u64, Graph)> {
    (0..count).map(|seed| (seed, graph(&mut Rng::new(seed))))
}

const TEXTS: [&str; 8] = [
    "",
    "x",
    "ready",
    "a -> b",
    "<&\"'>",
    "漢字",
    "a\\nb",
    "x := f(y, z) + 100",
];

fn text(rng: &mut Rng) -> String {
    rng.pick(&TEXTS).copied().unwrap_or_default().to_owned()
}

fn graph(rng: &mut Rng) -> Graph {
    let mut graph = Graph {
        name: if rng.chance(50) {
            text(rng)
        } else {
            String::new()
        },
        framed: rng.chance(50),
        direction: if rng.chance(50) {
            Direction::Down
        } else {
            Direction::Right
        },
        ..Graph::default()
    };
    let nodes = match rng.below(10) {
        0 => 1,
        1 => 20 + rng.below(30),
        _ => 1 + rng.below(9),
    };
    let borders = rng.chance(50);
    for index in 0..nodes {
        graph.add(node(rng, index, borders));
    }
    let edges = rng.below(2 * nodes + 2);
    for _ in 0..edges {
        let (from, to) = (rng.below(nodes), rng.below(nodes));
        let mut edge = Edge::new(from as u32, to as u32);
        for _ in 0..rng.below(3) {
            edge.lines.push(text(rng));
        }
        let port = |rng: &mut Rng, ports: usize| {
            (ports > 0 && rng.chance(80)).then(|| rng.below(ports) as u32)
        };
        edge.exit = port(rng, graph.nodes[from].exits.len());
        edge.entry = port(rng, graph.nodes[to].entries.len());
        if rng.chance(20) {
            edge = edge.dashed().with(Class::Taken);
        }
        graph.connect(edge);
    }
    graph
}

fn node(rng: &mut Rng, index: usize, borders: bool) -> Node {
    const SHAPES: [Shape; 6] = [
        Shape::Circle,
        Shape::Ellipse,
        Shape::Rounded,
        Shape::Box,
        Shape::Point,
        Shape::Plain,
    ];
    let shape = rng.pick(&SHAPES).copied().unwrap_or_default();
    let mut node = Node {
        shape,
        key: format!("n{index}"),
        ..Node::default()
    };
    if shape != Shape::Point {
        for _ in 0..1 + rng.below(2) {
            node.lines.push(text(rng));
        }
    }
    if shape == Shape::Box && rng.chance(60) {
        let ports = |rng: &mut Rng| (0..rng.below(4)).map(|_| Port::new(text(rng))).collect();
        node.entries = ports(rng);
        node.exits = ports(rng);
    }
    if borders && rng.chance(30) {
        node.border = Some(if rng.chance(50) {
            Border::Start
        } else {
            Border::End
        });
    }
    if rng.chance(20) {
        node.classes.push(Class::Accepting);
    }
    node
}

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect(i32, i32, i32, i32);

impl Rect {
    pub(crate) fn of_node(node: &PlacedNode) -> Self {
        Rect(node.x, node.y, node.x + node.w, node.y + node.h)
    }

    pub(crate) fn of_label(edge: &PlacedEdge) -> Option<Self> {
        let label = edge.label.as_ref()?;
        Some(Rect(label.x, label.y, label.x + label.w, label.y + label.h))
    }

    pub(crate) fn overlaps(&self, other: &Rect) -> bool {
        self.0 < other.2 && other.0 < self.2 && self.1 < other.3 && other.1 < self.3
    }

    pub(crate) fn is_inside(&self, placed: &Placed) -> bool {
        self.0 >= 0 && self.1 >= 0 && self.2 <= placed.width && self.3 <= placed.height
    }

    pub(crate) fn shrunk(&self, by: i32) -> Rect {
        Rect(self.0 + by, self.1 + by, self.2 - by, self.3 - by)
    }

    pub(crate) fn contains(&self, (x, y): (f64, f64)) -> bool {
        f64::from(self.0) < x
            && x < f64::from(self.2)
            && f64::from(self.1) < y
            && y < f64::from(self.3)
    }
}

/// Whether a point is on the outline of a node, up to the rounding of coordinates.
pub(crate) fn on_outline(node: &PlacedNode, [x, y]: [i32; 2]) -> bool {
    match node.shape {
        Shape::Circle | Shape::Ellipse | Shape::Point => {
            let (rx, ry) = (f64::from(node.w) / 2.0, f64::from(node.h) / 2.0);
            let dx = f64::from(x - node.x) - rx;
            let dy = f64::from(y - node.y) - ry;
            let radius = ((dx / rx).powi(2) + (dy / ry).powi(2)).sqrt();
            (radius - 1.0).abs() * rx.min(ry) <= 1.0
        }
        _ => {
            let inside =
                (node.x..=node.x + node.w).contains(&x) && (node.y..=node.y + node.h).contains(&y);
            let on_side = x == node.x || x == node.x + node.w;
            let on_top = y == node.y || y == node.y + node.h;
            inside && (on_side || on_top)
        }
    }
}

/// Whether a point is inside a node, by more than the rounding of coordinates.
pub(crate) fn is_inside(node: &PlacedNode, (x, y): (f64, f64)) -> bool {
    match node.shape {
        Shape::Circle | Shape::Ellipse | Shape::Point => {
            let (rx, ry) = (f64::from(node.w) / 2.0, f64::from(node.h) / 2.0);
            let dx = x - f64::from(node.x) - rx;
            let dy = y - f64::from(node.y) - ry;
            ((dx / rx).powi(2) + (dy / ry).powi(2)).sqrt() < 1.0 - 1.0 / rx.min(ry)
        }
        _ => Rect::of_node(node).shrunk(1).contains((x, y)),
    }
}

/// Points along the curves of an edge.
pub(crate) fn curve(points: &[[i32; 2]]) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    let mut start = points[0];
    for piece in points[1..].chunks(3) {
        for step in 0..=12 {
            let t = f64::from(step) / 12.0;
            let mix = |axis: usize| {
                let at = |point: [i32; 2]| f64::from(point[axis]);
                let s = 1.0 - t;
                s * s * s * at(start)
                    + 3.0 * s * s * t * at(piece[0])
                    + 3.0 * s * t * t * at(piece[1])
                    + t * t * t * at(piece[2])
            };
            out.push((mix(0), mix(1)));
        }
        start = piece[2];
    }
    out
}

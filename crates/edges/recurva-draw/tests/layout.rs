//! What every layout promises, on random graphs.

mod common;

use common::{Rect, curve, graphs};
use recurva_draw::{
    Direction, Drawing, Edge, Graph, Node, Placed, Refused, Shape,
    layout::{MAX_EDGES, MAX_NODES},
    place,
    placed::PORT,
};
use recurva_testkit::rng::Rng;

fn alone(graph: Graph) -> Drawing {
    Drawing {
        title: "graph".to_owned(),
        description: String::new(),
        graphs: vec![graph],
    }
}

fn placed(graph: &Graph) -> Placed {
    place(&alone(graph.clone())).expect("the graph is small")
}

/// Checks everything that a layout promises.
fn check(graph: &Graph, placed: &Placed) {
    let nodes: Vec<Rect> = placed.nodes.iter().map(Rect::of_node).collect();
    let labels: Vec<Rect> = placed.edges.iter().filter_map(Rect::of_label).collect();
    for (index, node) in nodes.iter().enumerate() {
        for (other, behind) in nodes.iter().enumerate().skip(index + 1) {
            assert!(!node.overlaps(behind), "nodes {index} and {other} overlap");
        }
        assert!(node.is_inside(placed), "node {index} is outside");
    }
    for (index, label) in labels.iter().enumerate() {
        assert!(label.is_inside(placed), "text {index} is outside");
        for (other, node) in nodes.iter().enumerate() {
            assert!(!label.overlaps(node), "text {index} lies on node {other}");
        }
        for other in &labels[index + 1..] {
            assert!(!label.overlaps(other), "text {index} lies on another one");
        }
    }
    assert_eq!(placed.edges.len(), graph.edges.len());
    for (index, (edge, given)) in placed.edges.iter().zip(&graph.edges).enumerate() {
        assert_eq!((edge.from, edge.to), (given.from, given.to));
        assert_eq!(edge.points.len() % 3, 1);
        assert!(edge.points.len() > 3);
        let from = &placed.nodes[edge.from as usize];
        let to = &placed.nodes[edge.to as usize];
        let start = edge.points[0];
        let end = edge.points[edge.points.len() - 1];
        match given.exit {
            Some(port) => {
                let port =
                    &from.ports[graph.nodes[edge.from as usize].entries.len() + port as usize];
                let far = (start[0] - port.x).abs() + (start[1] - port.y).abs();
                assert_eq!(far, PORT, "edge {index} does not start at its port");
            }
            None => assert!(
                common::on_outline(from, start),
                "edge {index} starts beside its node"
            ),
        }
        match given.entry {
            Some(port) => {
                let port = &to.ports[port as usize];
                let far = (end[0] - port.x).abs() + (end[1] - port.y).abs();
                assert_eq!(far, PORT, "edge {index} does not end at its port");
            }
            None => assert!(
                common::on_outline(to, end),
                "edge {index} ends beside its node"
            ),
        }
        let along = |point: [i32; 2]| match graph.direction {
            Direction::Down => point[1],
            Direction::Right => point[0],
        };
        if edge.from != edge.to {
            let forward = along([from.x, from.y]) + along([from.w, from.h]) <= along([to.x, to.y]);
            assert_eq!(edge.back, !forward, "edge {index}");
        }
        for point in curve(&edge.points) {
            let inside = (0.0..=f64::from(placed.width)).contains(&point.0)
                && (0.0..=f64::from(placed.height)).contains(&point.1);
            assert!(inside, "edge {index} leaves the picture");
            for (other, node) in placed.nodes.iter().enumerate() {
                let inside = common::is_inside(node, point);
                assert!(!inside, "edge {index} goes through node {other}");
            }
            if edge.from != edge.to {
                for (other, label) in placed.edges.iter().enumerate() {
                    let label = Rect::of_label(label).filter(|_| other != index);
                    let hit = label.is_some_and(|label| label.shrunk(1).contains(point));
                    assert!(!hit, "edge {index} goes through the text of edge {other}");
                }
            }
        }
    }
}

#[test]
fn nothing_overlaps_and_edges_end_where_they_should() {
    let count = if cfg!(debug_assertions) {
        3_000
    } else {
        30_000
    };
    for (seed, graph) in graphs(count) {
        let result = std::panic::catch_unwind(|| {
            let first = placed(&graph);
            check(&graph, &first);
            assert_eq!(first, placed(&graph), "not the same each time");
        });
        assert!(result.is_ok(), "seed {seed}: {graph:#?}");
    }
}

#[test]
fn runs_stand_below_each_other() {
    for (seed, mut graph) in graphs(1_000) {
        let mut rng = Rng::new(seed);
        graph.direction = Direction::Down;
        let mut lane = 0;
        for node in &mut graph.nodes {
            (node.entries, node.exits) = (Vec::new(), Vec::new());
            graph.lanes.push(lane as u32);
            lane = (lane + rng.below(3)).saturating_sub(rng.below(3));
        }
        for edge in &mut graph.edges {
            (edge.exit, edge.entry) = (None, None);
        }
        let result = std::panic::catch_unwind(|| {
            let first = placed(&graph);
            assert!(
                first
                    .nodes
                    .windows(2)
                    .all(|pair| pair[0].y + pair[0].h < pair[1].y)
            );
            for (node, lane) in first.nodes.iter().zip(&graph.lanes) {
                assert_eq!(node.x - first.nodes[0].x, 40 * *lane as i32);
            }
            for edge in &first.edges {
                let start = edge.points[0];
                let end = edge.points[edge.points.len() - 1];
                assert!(common::on_outline(&first.nodes[edge.from as usize], start));
                assert!(common::on_outline(&first.nodes[edge.to as usize], end));
                for point in curve(&edge.points) {
                    let hit = first
                        .nodes
                        .iter()
                        .any(|node| common::is_inside(node, point));
                    assert!(!hit, "{edge:?} goes through a node");
                }
                let label = Rect::of_label(edge);
                assert!(label.is_none_or(|label| label.is_inside(&first)));
            }
        });
        assert!(result.is_ok(), "seed {seed}: {graph:#?}");
    }
}

#[test]
fn several_graphs_do_not_overlap() {
    let all: Vec<Graph> = graphs(40).map(|(_, graph)| graph).collect();
    for some in all.chunks(8) {
        let drawing = Drawing {
            graphs: some.to_vec(),
            ..Drawing::default()
        };
        let placed = place(&drawing).expect("small");
        let nodes: Vec<Rect> = placed.nodes.iter().map(Rect::of_node).collect();
        for (index, node) in nodes.iter().enumerate() {
            assert!(node.is_inside(&placed));
            assert!(nodes[index + 1..].iter().all(|other| !node.overlaps(other)));
        }
        // Parts are where the graphs say.
        for (index, graph) in placed.graphs.iter().enumerate() {
            let first = graph.first_node as usize;
            let next = placed.graphs.get(index + 1);
            let end = next.map_or(placed.nodes.len(), |next| next.first_node as usize);
            assert_eq!(end - first, some[index].nodes.len());
        }
    }
}

#[test]
fn nothing_to_draw_is_drawn() {
    let empty = place(&Drawing::default()).expect("small");
    assert!(empty.nodes.is_empty() && empty.width > 0);
    let graph = placed(&Graph::default());
    assert!(graph.nodes.is_empty() && graph.graphs.len() == 1);
}

#[test]
fn edges_that_lead_nowhere_are_refused() {
    let mut graph = Graph::default();
    graph.add(Node::new(Shape::Box, "a"));
    graph.connect(Edge::new(0, 0));
    graph.connect(Edge::new(0, 1));
    assert_eq!(place(&alone(graph.clone())), Err(Refused::Dangling(1)));
    graph.edges.pop();
    graph.connect(Edge::new(0, 0).by(0));
    assert_eq!(place(&alone(graph)), Err(Refused::Dangling(1)));
}

/// A procedure as long ones are: a row of statements with loops and jumps.
fn long(nodes: u32, extra: u32) -> Graph {
    let mut rng = Rng::new(7);
    let mut graph = Graph::default();
    for index in 0..nodes {
        graph.add(Node::new(Shape::Rounded, index.to_string()));
    }
    for index in 1..nodes {
        graph.connect(Edge::new(index - 1, index).labelled("x := x + 1"));
    }
    for _ in 0..extra {
        let (from, to) = (rng.below(nodes as usize), rng.below(nodes as usize));
        graph.connect(Edge::new(from as u32, to as u32).labelled("jump"));
    }
    graph
}

#[test]
fn large_graphs_are_drawn() {
    for graph in [
        long(10_000, 0),
        long(10_000, 5_000),
        long(2, 9_000),
        long(10_000, 40_000),
    ] {
        let placed = placed(&graph);
        assert_eq!(placed.nodes.len(), graph.nodes.len());
        let nodes: Vec<Rect> = placed.nodes.iter().map(Rect::of_node).collect();
        assert!(nodes.iter().all(|node| node.is_inside(&placed)));
    }
    // All in one layer, and all from one node.
    let mut star = Graph::default();
    for index in 0..10_000 {
        star.add(Node::new(Shape::Circle, index.to_string()));
        star.connect(Edge::new(0, index));
    }
    assert_eq!(placed(&star).nodes.len(), 10_000);
    star.edges.clear();
    let apart = placed(&star);
    assert!(
        apart.width < 3 * apart.height,
        "isolated nodes stand in rows"
    );
}

#[test]
fn too_large_graphs_are_refused() {
    let nodes = long(MAX_NODES as u32 + 1, 0);
    let refused = place(&alone(nodes)).expect_err("too many nodes");
    assert_eq!(
        refused.to_string(),
        "20001 nodes are too many for a drawing: at most 20000 are drawn"
    );
    let edges = long(10, 100_000);
    assert!(matches!(
        place(&alone(edges)),
        Err(Refused::TooLarge {
            what: "edges",
            limit: MAX_EDGES,
            ..
        })
    ));
}

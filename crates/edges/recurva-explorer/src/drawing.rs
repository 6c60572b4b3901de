//! Drawings as the page shows them: laid out here, drawn there.

use recurva_draw::{self as draw, Class, Graph, Node, Placed, Shape, machines};
use recurva_model::{Action, ProcId, Program};
use recurva_report::parts::Lines;

use crate::document::{Drawing, DrawnEdge, DrawnLabel, DrawnNode, FoldedDrawing, Port, Procedure};

/// Procedures with more nodes have a folded drawing besides.
const LARGE: usize = 150;

/// Adds the drawings of a procedure. One that is too large for the layout has none.
pub(crate) fn draw(shown: &mut Procedure, program: &Program, id: ProcId, lines: &Lines<'_>) {
    let mut graph = machines::procedure(program, id, lines);
    // The page has a title of its own.
    graph.name.clear();
    graph.framed = false;
    let alone = |graph: Graph| draw::Drawing {
        graphs: vec![graph],
        ..draw::Drawing::default()
    };
    if shown.nodes.len() > LARGE {
        let (folded, shows) = fold(&graph, program, id);
        let drawing = laid_out(&alone(folded));
        shown.folded = drawing.map(|drawing| FoldedDrawing { drawing, shows });
    }
    shown.drawing = laid_out(&alone(graph));
}

/// A drawing with places; `None` if there is no room for it.
pub(crate) fn laid_out(drawing: &draw::Drawing) -> Option<Drawing> {
    draw::place(drawing).ok().map(convert)
}

fn convert(placed: Placed) -> Drawing {
    let names = |classes: &[Class]| classes.iter().map(|class| class.name()).collect();
    let middle = |start: i32, length: i32| f64::from(start) + f64::from(length) / 2.0;
    let nodes = placed.nodes.into_iter().map(|node| DrawnNode {
        id: match node.key.strip_prefix('c') {
            Some(edge) => format!("b{edge}"),
            None => node.key,
        },
        x: middle(node.x, node.w),
        y: middle(node.y, node.h),
        width: node.w.into(),
        height: node.h.into(),
        shape: match node.shape {
            _ if node.classes.contains(&Class::Accepting) => "double",
            Shape::Circle => "circle",
            Shape::Ellipse => "ellipse",
            Shape::Rounded | Shape::Plain => "rounded",
            Shape::Box => "box",
            Shape::Point => "point",
        },
        lines: node.lines,
        classes: names(&node.classes),
        ports: node
            .ports
            .into_iter()
            .map(|port| Port {
                x: port.x.into(),
                y: port.y.into(),
                label: port.label,
                kind: match port.classes.contains(&Class::Exit) {
                    true => "exit",
                    false => "entry",
                },
            })
            .collect(),
    });
    let edges = placed.edges.into_iter().map(|edge| DrawnEdge {
        // Both halves of a call are its edge.
        id: match edge.key.split_once('.') {
            Some((key, _)) => key.to_owned(),
            None => edge.key,
        },
        from: edge.from as usize,
        to: edge.to as usize,
        points: edge
            .points
            .iter()
            .map(|point| point.map(f64::from))
            .collect(),
        label: edge.label.map(|label| DrawnLabel {
            x: middle(label.x, label.w),
            y: middle(label.y, label.h),
            text: label.lines.join(" "),
        }),
        classes: names(&edge.classes),
    });
    Drawing {
        width: placed.width.into(),
        height: placed.height.into(),
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

/// The graph of a procedure with straight stretches of it as one node each, and for each node of
/// the procedure the node that shows it.
fn fold(graph: &Graph, program: &Program, id: ProcId) -> (Graph, Vec<usize>) {
    let procedure = program.procedure(id);
    let count = procedure.nodes.len();
    let (mut into, mut out) = (vec![0u32; count], vec![0u32; count]);
    for edge in &procedure.edges {
        out[edge.from.index()] += 1;
        into[edge.to.index()] += 1;
    }
    // The next node of a stretch: by the only edge, which no other joins.
    let mut next = vec![None; count];
    let mut inside = vec![false; count];
    for edge in &procedure.edges {
        let straight = matches!(edge.action, Action::Assign { .. })
            && out[edge.from.index()] == 1
            && into[edge.to.index()] == 1
            && edge.from != procedure.entry
            && edge.to != procedure.exit
            && edge.from != edge.to;
        if straight {
            next[edge.from.index()] = Some(edge.to.index());
            inside[edge.to.index()] = true;
        }
    }
    let mut folded = Graph {
        name: graph.name.clone(),
        framed: graph.framed,
        direction: graph.direction,
        ..Graph::default()
    };
    let mut shows = vec![usize::MAX; count];
    let follow = |first: usize, folded: &mut Graph, shows: &mut Vec<usize>| {
        let mut last = first;
        let mut length = 1;
        let index = folded.nodes.len();
        shows[first] = index;
        while let Some(node) = next[last].filter(|&node| shows[node] == usize::MAX) {
            shows[node] = index;
            last = node;
            length += 1;
        }
        let node = &graph.nodes[first];
        if length == 1 {
            folded.add(node.clone());
            return;
        }
        let line = |node: &Node| node.lines.first().cloned().unwrap_or_default();
        let lines = [line(node), line(&graph.nodes[last])];
        let range = match lines.iter().all(|line| !line.is_empty()) {
            true => lines.join("–"),
            false => lines.concat(),
        };
        folded.add(Node {
            key: format!("f{first}"),
            lines: vec![range, format!("{length} steps")],
            ..node.clone()
        });
    };
    for first in (0..count).filter(|&node| !inside[node]) {
        follow(first, &mut folded, &mut shows);
    }
    // What is left goes round in a circle that nothing enters.
    for first in 0..count {
        if shows[first] == usize::MAX {
            follow(first, &mut folded, &mut shows);
        }
    }
    let mut index: Vec<usize> = shows.clone();
    for called in &graph.nodes[count..] {
        index.push(folded.add(called.clone()) as usize);
    }
    for edge in &graph.edges {
        let (from, to) = (index[edge.from as usize], index[edge.to as usize]);
        let hidden = from == to && next.get(edge.from as usize) == Some(&Some(edge.to as usize));
        if !hidden {
            folded.connect(draw::Edge {
                from: from as u32,
                to: to as u32,
                ..edge.clone()
            });
        }
    }
    (folded, shows)
}

//! Programs: a frame for each procedure, boxes for calls.

use recurva_model::{Action, EdgeId, NodeId, Origin, Point, ProcId, Program};

use super::counted;
use crate::graph::{Border, Class, Drawing, Edge, Graph, Node, Port, Shape};

/// What is written on the nodes and edges of a program: its text, which this crate does not know.
pub trait Texts {
    /// The number of the line where something begins, as text.
    fn line(&self, origin: Origin) -> Option<String>;

    /// What an edge does, in one line; empty if nothing.
    fn edge(&self, program: &Program, procedure: ProcId, edge: EdgeId) -> String;
}

/// All procedures of a program.
pub fn program(program: &Program, texts: &dyn Texts, title: &str) -> Drawing {
    let procedures = program.procedures();
    let graphs: Vec<Graph> = (0..procedures.len() as u32)
        .map(|index| procedure(program, ProcId(index), texts))
        .collect();
    let nodes = procedures
        .iter()
        .map(|procedure| procedure.nodes.len())
        .sum();
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A program with {} and {}; it begins in {}.",
            counted(procedures.len(), "procedure"),
            counted(nodes, "node"),
            program.procedure(program.main()).name,
        ),
        graphs,
    }
}

/// One procedure. The first nodes of the graph are those of the procedure, in their order, with
/// the keys `n0`, `n1`, …; behind them comes a box for each call, with the key `c` and the number
/// of its edge. An edge has the key `e` with its number, and those of a call `e5.in` and `e5.out`.
pub fn procedure(program: &Program, id: ProcId, texts: &dyn Texts) -> Graph {
    let procedure = program.procedure(id);
    let mut graph = Graph {
        name: procedure.name.to_string(),
        framed: true,
        ..Graph::default()
    };
    for index in 0..procedure.nodes.len() as u32 {
        graph.add(node(program, id, NodeId(index), texts));
    }
    for label in program.labels() {
        if label.point.procedure == id {
            let node = &mut graph.nodes[label.point.node.index()];
            node.lines.push(label.name.to_string());
            if matches!(&*label.name, "ERROR" | "SLIC_ERROR") {
                node.classes.push(Class::Error);
            }
        }
    }
    for failure in program.failures() {
        if failure.point.procedure == id {
            let node = &mut graph.nodes[failure.point.node.index()];
            node.classes.push(Class::Error);
        }
    }
    for (index, edge) in procedure.edges.iter().enumerate() {
        let text = texts.edge(program, id, EdgeId(index as u32));
        let between = |from: NodeId, to: NodeId| Edge::new(from.0, to.0);
        match &edge.action {
            Action::Assign { .. } => {
                let made = between(edge.from, edge.to).labelled(text);
                graph.connect(made.keyed(format!("e{index}")));
            }
            Action::Call { callee, .. } => {
                let text = match text.is_empty() {
                    true => format!("{}()", program.procedure(*callee).name),
                    false => text,
                };
                let port = |class: Class| {
                    vec![Port {
                        classes: vec![class],
                        ..Port::default()
                    }]
                };
                let called = graph.add(Node {
                    key: format!("c{index}"),
                    lines: vec![text],
                    hint: format!("calls {}", program.procedure(*callee).name),
                    shape: Shape::Box,
                    classes: vec![Class::Call],
                    entries: port(Class::Entry),
                    exits: port(Class::Exit),
                    ..Node::default()
                });
                let into = Edge::new(edge.from.0, called).at(0);
                let back = Edge::new(called, edge.to.0).by(0);
                graph.connect(into.keyed(format!("e{index}.in")));
                graph.connect(back.keyed(format!("e{index}.out")));
            }
        }
    }
    graph
}

fn node(program: &Program, id: ProcId, node: NodeId, texts: &dyn Texts) -> Node {
    let procedure = program.procedure(id);
    let line = texts.line(procedure.nodes[node.index()].origin);
    let made = Node {
        key: format!("n{}", node.0),
        lines: line.into_iter().collect(),
        ..Node::default()
    };
    let point = Point {
        procedure: id,
        node,
    };
    if node == procedure.entry {
        let made = Node {
            lines: vec!["entry".to_owned()],
            ..made.with(Class::Entry).on(Border::Start)
        };
        match id == program.main() {
            true => made.with(Class::Initial),
            false => made,
        }
    } else if node == procedure.exit {
        Node {
            lines: vec!["exit".to_owned()],
            ..made.with(Class::Exit).on(Border::End)
        }
    } else if made.lines.is_empty() && program.edges_from(point).next().is_none() {
        Node {
            lines: vec!["end".to_owned()],
            ..made
        }
    } else {
        made
    }
}

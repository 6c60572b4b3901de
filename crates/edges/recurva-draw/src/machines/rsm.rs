//! Recursive state machines, as in Fig. 1 of *Analysis of Recursive State Machines*: a frame for
//! each component, with its entries on the left border and its exits on the right one, and boxes
//! with the entries and exits of what they stand for.

use std::collections::BTreeMap;

use recurva_model::rsm::{ComponentId, Place, Role, Rsm, Vertex};

use super::counted;
use crate::graph::{Border, Class, Direction, Drawing, Edge, Graph, Node, Port, Shape};

/// All components of a machine.
pub fn rsm(machine: &Rsm, title: &str) -> Drawing {
    let components = machine.components().len() as u32;
    let graphs: Vec<Graph> = (0..components)
        .map(|index| component(machine, ComponentId(index)))
        .collect();
    let count = graphs.iter().map(|graph| graph.edges.len()).sum();
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A recursive state machine with {} and {}.",
            counted(graphs.len(), "component"),
            counted(count, "edge"),
        ),
        graphs,
    }
}

/// The indices of the entries and exits of what a box stands for, in the order of its ports.
struct Ports {
    entries: Vec<u32>,
    exits: Vec<u32>,
}

/// One component of a machine. Nodes have the key `n` and boxes `b` with their index, edges `e`
/// with theirs.
pub fn component(machine: &Rsm, id: ComponentId) -> Graph {
    let component = &machine.components()[id.index()];
    let mut propositions: BTreeMap<Vertex, Vec<&str>> = BTreeMap::new();
    for label in &component.labels {
        propositions
            .entry(label.vertex)
            .or_default()
            .push(&label.name);
    }
    let classes = |vertex: Vertex, role: Role| {
        let mut classes = Vec::new();
        match role {
            Role::Entry => classes.push(Class::Entry),
            Role::Exit => classes.push(Class::Exit),
            Role::Inner => {}
        }
        let place = Place {
            component: id,
            vertex,
        };
        if let Some(number) = machine.vertex(place) {
            if machine.init().contains(&number) {
                classes.push(Class::Initial);
            }
            if machine.accept().contains(&number) {
                classes.push(Class::Accepting);
            }
        }
        classes
    };
    let shown = |vertex: Vertex| {
        let names = propositions.get(&vertex)?;
        Some(format!("{{{}}}", names.join(", ")))
    };
    let mut graph = Graph {
        name: component.name.to_string(),
        framed: true,
        direction: Direction::Right,
        ..Graph::default()
    };
    for (index, node) in component.nodes.iter().enumerate() {
        let vertex = Vertex::Node(index as u32);
        let mut lines = vec![node.name.to_string()];
        lines.extend(shown(vertex));
        let short = lines.len() == 1 && node.name.chars().count() <= 3;
        graph.add(Node {
            key: format!("n{index}"),
            lines,
            shape: if short { Shape::Circle } else { Shape::Ellipse },
            classes: classes(vertex, node.role),
            border: match node.role {
                Role::Entry => Some(Border::Start),
                Role::Exit => Some(Border::End),
                Role::Inner => None,
            },
            ..Node::default()
        });
    }
    let mut ports: Vec<Ports> = Vec::new();
    for (index, invocation) in component.boxes.iter().enumerate() {
        let callee = &machine.components()[invocation.component.index()];
        let with_role = |role: Role| -> (Vec<u32>, Vec<Port>) {
            let nodes: Vec<u32> = callee.with_role(role).collect();
            let port = |&node: &u32| {
                let vertex = Vertex::Port {
                    in_box: index as u32,
                    node,
                };
                let name = &callee.nodes[node as usize].name;
                let label = match shown(vertex) {
                    Some(propositions) => format!("{name} {propositions}"),
                    None => name.to_string(),
                };
                Port {
                    label,
                    classes: classes(vertex, role),
                }
            };
            let ports = nodes.iter().map(port).collect();
            (nodes, ports)
        };
        let (entry_nodes, entries) = with_role(Role::Entry);
        let (exit_nodes, exits) = with_role(Role::Exit);
        ports.push(Ports {
            entries: entry_nodes,
            exits: exit_nodes,
        });
        graph.add(Node {
            key: format!("b{index}"),
            lines: vec![format!("{} : {}", invocation.name, callee.name)],
            shape: Shape::Box,
            classes: vec![Class::Call],
            entries,
            exits,
            ..Node::default()
        });
    }
    let nodes = component.nodes.len() as u32;
    for (index, edge) in component.edges.iter().enumerate() {
        let end = |vertex: Vertex, which: fn(&Ports) -> &[u32]| match vertex {
            Vertex::Node(node) => (node, None),
            Vertex::Port { in_box, node } => {
                let known = which(&ports[in_box as usize]);
                let port = known.iter().position(|&other| other == node);
                (nodes + in_box, port.map(|port| port as u32))
            }
        };
        let (from, exit) = end(edge.from, |ports| &ports.exits);
        let (to, entry) = end(edge.to, |ports| &ports.entries);
        let letter = edge.letter.map_or("", |letter| machine.letter(letter));
        graph.connect(Edge {
            key: format!("e{index}"),
            exit,
            entry,
            ..Edge::new(from, to).labelled(letter)
        });
    }
    graph
}

//! Nested state machines: calls and returns have edges of their own kinds.

use recurva_model::nsm::{Kind, Nsm};

use super::{Merged, counted};
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// The states of a machine, with the propositions that are true in them. The text of a return is
/// the call that it answers.
pub fn nsm(machine: &Nsm, title: &str) -> Drawing {
    let mut graph = Graph {
        direction: Direction::Right,
        ..Graph::default()
    };
    for (index, state) in machine.states().iter().enumerate() {
        let mut lines = vec![state.name.to_string()];
        let propositions = state.propositions.iter();
        let names: Vec<&str> = propositions
            .map(|proposition| &*machine.propositions()[proposition.index()])
            .collect();
        if !names.is_empty() {
            lines.push(format!("{{{}}}", names.join(", ")));
        }
        let mut classes = Vec::new();
        match state.kind {
            Kind::Local => {}
            Kind::Call => classes.push(Class::Entry),
            Kind::Return => classes.push(Class::Exit),
        }
        if machine.init().index() == index {
            classes.push(Class::Initial);
        }
        graph.add(Node {
            key: format!("s{index}"),
            lines,
            hint: format!("{} state", state.kind.word()),
            shape: match state.kind {
                Kind::Local => Shape::Ellipse,
                Kind::Call | Kind::Return => Shape::Box,
            },
            classes,
            ..Node::default()
        });
    }
    let mut merged = Merged::default();
    for state in machine.ids() {
        for target in machine.locals(state) {
            merged.add(0, Edge::new(state.0, target.0));
        }
        for target in machine.calls(state) {
            merged.add(1, Edge::new(state.0, target.0).with(Class::Call));
        }
        for &(pending, target) in machine.returns(state) {
            let edge = Edge::new(state.0, target.0).dashed().with(Class::Return);
            merged.add(2, edge.labelled(machine.name(pending)));
        }
    }
    merged.into_graph(&mut graph);
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A nested state machine with {} and {}; returns are dashed and name their calls.",
            counted(machine.states().len(), "state"),
            counted(graph.edges.len(), "edge"),
        ),
        graphs: vec![graph],
    }
}

//! Pushdown systems: a node for each control location, and an edge for the rules between two.

use recurva_model::{Pds, pds::Rule};

use super::{Merged, counted};
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// The control locations of a system. A rule ⟨p, γ⟩ ↪ ⟨q, w⟩ is an edge from p to q with the
/// text `γ → w`, and its letter before a colon.
pub fn pds(system: &Pds, title: &str) -> Drawing {
    let parts = system.parts();
    let mut graph = Graph {
        direction: Direction::Right,
        ..Graph::default()
    };
    for (index, name) in parts.controls.iter().enumerate() {
        let mut node = Node::new(Shape::Ellipse, &**name).keyed(format!("p{index}"));
        if parts.initial.control.index() == index {
            node.classes.push(Class::Initial);
            let symbol = &parts.symbols[parts.initial.symbol.index()];
            node.hint = format!("runs begin here, with {symbol} on the stack");
        }
        let whole = parts.accept.iter().any(|heads| {
            let here = heads
                .control
                .is_some_and(|control| control.index() == index);
            here && heads.symbol.is_none()
        });
        if whole {
            node.classes.push(Class::Accepting);
        }
        graph.add(node);
    }
    let mut merged = Merged::default();
    for rule in system.rules() {
        let edge = Edge::new(rule.from.control.0, rule.to.0);
        merged.add(0, edge.labelled(text(system, rule)));
    }
    merged.into_graph(&mut graph);
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A pushdown system with {}, {} and {}.",
            counted(parts.controls.len(), "control location"),
            counted(parts.symbols.len(), "stack symbol"),
            counted(parts.rules.len(), "rule"),
        ),
        graphs: vec![graph],
    }
}

fn text(system: &Pds, rule: &Rule) -> String {
    let parts = system.parts();
    let symbols = rule.word.symbols();
    let written: Vec<&str> = symbols
        .map(|symbol| &*parts.symbols[symbol.index()])
        .collect();
    let written = match written.is_empty() {
        true => "ε".to_owned(),
        false => written.join(" "),
    };
    let read = &parts.symbols[rule.from.symbol.index()];
    match rule.letter {
        Some(letter) => format!("{}: {read} → {written}", parts.alphabet[letter.index()]),
        None => format!("{read} → {written}"),
    }
}

//! The R-graph and the Erase relation of a pushdown system.

use std::collections::BTreeMap;

use recurva_flat::resource::{Erase, RGraph, Resource};
use recurva_model::pds::{Control, Head, Pds};

use super::{Merged, counted};
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// The R-graph, and beside it the relation: from each head to the control locations where it can
/// be when its symbol is erased. Thick edges pass a good head, dashed ones leave the stack higher.
pub fn resource(system: &Pds, title: &str) -> Drawing {
    let erase = Erase::new(system);
    let graph = RGraph::new(system, &erase);
    let (edges, tuples) = (graph.edges().len(), erase.tuples().count());
    Drawing {
        title: title.to_owned(),
        description: format!(
            "The R-graph of a pushdown system with {}, and its Erase relation with {}.",
            counted(edges, "edge"),
            counted(tuples, "tuple"),
        ),
        graphs: vec![r_graph(system, &graph), relation(system, &erase)],
    }
}

/// Nodes for heads and control locations, each once.
struct Nodes<'a> {
    system: &'a Pds,
    heads: BTreeMap<Head, u32>,
    controls: BTreeMap<Control, u32>,
}

impl<'a> Nodes<'a> {
    fn new(system: &'a Pds) -> Self {
        Nodes {
            system,
            heads: BTreeMap::new(),
            controls: BTreeMap::new(),
        }
    }

    fn head(&mut self, graph: &mut Graph, head: Head) -> u32 {
        *self.heads.entry(head).or_insert_with(|| {
            let parts = self.system.parts();
            let control = &parts.controls[head.control.index()];
            let symbol = &parts.symbols[head.symbol.index()];
            let mut node = Node::new(Shape::Rounded, format!("{control}, {symbol}"));
            if head == self.system.initial() {
                node.classes.push(Class::Initial);
            }
            if self.system.is_accepting(head) {
                node.classes.push(Class::Accepting);
            }
            graph.add(node)
        })
    }

    fn control(&mut self, graph: &mut Graph, control: Control) -> u32 {
        *self.controls.entry(control).or_insert_with(|| {
            let name = &self.system.parts().controls[control.index()];
            graph.add(Node::new(Shape::Circle, &**name))
        })
    }
}

fn r_graph(system: &Pds, graph: &RGraph) -> Graph {
    let mut out = Graph {
        name: "R-graph".to_owned(),
        framed: true,
        direction: Direction::Right,
        ..Graph::default()
    };
    let mut nodes = Nodes::new(system);
    nodes.head(&mut out, system.initial());
    for edge in graph.edges() {
        let from = nodes.head(&mut out, edge.from);
        let to = nodes.head(&mut out, edge.to);
        let mut drawn = Edge::new(from, to);
        if edge.resource == Resource::Grows {
            drawn = drawn.dashed().labelled("+1");
        }
        if edge.good {
            drawn = drawn.with(Class::Accepting);
        }
        out.connect(drawn);
    }
    out
}

fn relation(system: &Pds, erase: &Erase) -> Graph {
    let mut out = Graph {
        name: "Erase".to_owned(),
        framed: true,
        direction: Direction::Right,
        ..Graph::default()
    };
    let mut nodes = Nodes::new(system);
    let mut merged = Merged::default();
    for tuple in erase.tuples() {
        let from = nodes.head(&mut out, tuple.from);
        let to = nodes.control(&mut out, tuple.to);
        let edge = Edge::new(from, to);
        merged.add(
            u32::from(tuple.good),
            match tuple.good {
                true => edge.with(Class::Accepting),
                false => edge,
            },
        );
    }
    merged.into_graph(&mut out);
    out
}

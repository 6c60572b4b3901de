//! Büchi automata.

use recurva_logic::automaton::{Label, Tgba};

use super::{Merged, counted};
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// An automaton. If its marks are on states, accepting states have two outlines; else edges with
/// all marks are thick, and with several acceptance sets the text of an edge names its marks.
pub fn buchi(automaton: &Tgba, title: &str) -> Drawing {
    let mut graph = Graph {
        direction: Direction::Right,
        ..Graph::default()
    };
    let (all, sets) = (automaton.all_marks(), automaton.sets());
    let on_states = automaton.is_state_based() && sets <= 1;
    for state in 0..automaton.states() as u32 {
        let node = Node::new(Shape::Circle, state.to_string()).keyed(format!("s{state}"));
        let edges = automaton.edges_from(state);
        let accepting = on_states && !edges.is_empty() && edges[0].marks == all;
        graph.add(if accepting {
            node.with(Class::Accepting)
        } else {
            node
        });
    }
    let start = graph.add(Node {
        shape: Shape::Point,
        ..Node::default()
    });
    graph.connect(Edge::new(start, automaton.initial()));
    let mut merged = Merged::default();
    for state in 0..automaton.states() as u32 {
        for edge in automaton.edges_from(state) {
            let mut text = label(automaton, &edge.label);
            let accepting = !on_states && sets > 0 && edge.marks == all;
            if sets > 1 && edge.marks != 0 {
                let marks = (0..sets).filter(|set| edge.marks >> set & 1 == 1);
                let marks: Vec<String> = marks.map(|set| set.to_string()).collect();
                text += &format!(" {{{}}}", marks.join(","));
            }
            let drawn = Edge::new(state, edge.target).labelled(text);
            merged.add(
                u32::from(accepting),
                match accepting {
                    true => drawn.with(Class::Accepting),
                    false => drawn,
                },
            );
        }
    }
    merged.into_graph(&mut graph);
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A Büchi automaton with {}, {} and {}.",
            counted(automaton.states(), "state"),
            counted(automaton.edge_count(), "edge"),
            counted(sets as usize, "acceptance set"),
        ),
        graphs: vec![graph],
    }
}

/// The letters of an edge: `a & !b | c`.
fn label(automaton: &Tgba, label: &Label) -> String {
    let cube = |cube: &recurva_logic::automaton::Cube| {
        let literal = |(index, atom): (usize, &str)| {
            let bit = 1 << index;
            match (cube.positive & bit != 0, cube.negative & bit != 0) {
                (true, _) => Some(atom.to_string()),
                (_, true) => Some(format!("!{atom}")),
                _ => None,
            }
        };
        let atoms = automaton.atoms().iter().map(|atom| &**atom);
        let literals: Vec<String> = atoms.enumerate().filter_map(literal).collect();
        match literals.is_empty() {
            true => "true".to_owned(),
            false => literals.join(" & "),
        }
    };
    match label.cubes() {
        [] => "false".to_owned(),
        cubes => cubes.iter().map(cube).collect::<Vec<_>>().join(" | "),
    }
}

//! Automata over words, such as those of a system of any size.

use std::collections::BTreeMap;

use recurva_regular::{Dfa, Letter, express::Alphabet, system::System};

use super::counted;
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// One automaton, with the letters between two states on one edge; without a name it has no frame.
pub fn words(dfa: &Dfa, alphabet: Alphabet<'_>, name: &str) -> Graph {
    let mut graph = Graph {
        name: name.to_owned(),
        framed: !name.is_empty(),
        direction: Direction::Right,
        ..Graph::default()
    };
    for state in 0..dfa.states() as u32 {
        let node = Node::new(Shape::Circle, state.to_string()).keyed(format!("s{state}"));
        graph.add(match dfa.is_accepting(state) {
            true => node.with(Class::Accepting),
            false => node,
        });
    }
    let members = dfa.classes().members();
    let mut between: BTreeMap<(u32, u32), Vec<Letter>> = BTreeMap::new();
    for state in 0..dfa.states() as u32 {
        for (class, to) in dfa.edges(state) {
            let letters = between.entry((state, to)).or_default();
            letters.extend(&members[class as usize]);
        }
    }
    if dfa.states() > 0 {
        let start = graph.add(Node {
            shape: Shape::Point,
            ..Node::default()
        });
        graph.connect(Edge::new(start, 0));
    }
    for ((from, to), mut letters) in between {
        letters.sort_unstable();
        let text = alphabet.set(&letters);
        graph.connect(Edge {
            lines: folded(&text),
            ..Edge::new(from, to)
        });
    }
    graph
}

/// A choice of several letters in lines that are not too long.
fn folded(text: &str) -> Vec<String> {
    const WIDE: usize = 24;
    let mut lines: Vec<String> = Vec::new();
    for (index, choice) in text.split('|').enumerate() {
        let bar = if index > 0 { "|" } else { "" };
        match lines.last_mut() {
            Some(line) if line.chars().count() + choice.chars().count() < WIDE => {
                line.push_str(bar);
                line.push_str(choice);
            }
            Some(line) => {
                line.push_str(bar);
                lines.push(choice.to_owned());
            }
            None => lines.push(choice.to_owned()),
        }
    }
    lines
}

/// The parts of a system that have a name, with their automata: `initial`, the actions, and what
/// must not be reached.
pub fn parts(system: &System) -> Vec<(String, &Dfa, Alphabet<'_>)> {
    let words = Alphabet::Letters(&system.letters);
    let pairs = Alphabet::Pairs(&system.letters);
    let mut parts = vec![("initial".to_owned(), &system.initial, words)];
    for action in &system.actions {
        let name = if action.name.is_empty() {
            "steps"
        } else {
            &action.name
        };
        parts.push((name.to_owned(), action.relation.dfa(), pairs));
    }
    let bad = system.bad.iter();
    parts.extend(bad.map(|bad| (bad.name.clone(), &bad.words, words)));
    parts
}

/// All automata of a system.
pub fn system(system: &System, title: &str) -> Drawing {
    let parts = parts(system).into_iter();
    let graphs: Vec<Graph> = parts
        .map(|(name, dfa, alphabet)| words(dfa, alphabet, &name))
        .collect();
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A system of any size as {} over {}.",
            counted(graphs.len(), "automaton").replace("automatons", "automata"),
            counted(system.letters.len(), "letter"),
        ),
        graphs,
    }
}

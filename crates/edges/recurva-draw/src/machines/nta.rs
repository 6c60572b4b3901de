//! Automata on nested trees.

use recurva_logic::{
    nta::{Alternating, Automaton, Child, Nondeterministic, Push, StateId, Term},
    ntmu::Modality,
};

use super::{Merged, counted};
use crate::graph::{Class, Direction, Drawing, Edge, Graph, Node, Shape};

/// An automaton on nested trees: a node for each state, with its priority. Of an alternating one
/// what a state does stands in its node, and its moves are edges; of a nondeterministic one each
/// child that a transition asks for is an edge.
pub fn nta(automaton: &Automaton, title: &str) -> Drawing {
    match automaton {
        Automaton::Alternating(automaton) => alternating(automaton, title),
        Automaton::Nondeterministic(automaton) => nondeterministic(automaton, title),
    }
}

/// Kinds of edges that are not merged with each other.
const LOCAL: u32 = 0;
const CALL: u32 = 1;
const RETURN: u32 = 2;
const SILENT: u32 = 3;

fn alternating(automaton: &Alternating, title: &str) -> Drawing {
    let mut graph = Graph {
        direction: Direction::Right,
        ..Graph::default()
    };
    let name = |state: StateId| &*automaton.states()[state.index()].name;
    for (index, state) in automaton.states().iter().enumerate() {
        let lines = [
            format!("{} ({})", state.name, state.priority),
            automaton.show_term(state.term),
        ];
        add(&mut graph, index, lines.into(), state.priority);
    }
    start(&mut graph, automaton.init());
    let mut merged = Merged::default();
    for (index, state) in automaton.states().iter().enumerate() {
        for term in automaton.subterms(state.term) {
            let bracketed = |modality, what: &str| match modality {
                Modality::Some => format!("<{what}>"),
                Modality::All => format!("[{what}]"),
            };
            let (kind, target, label) = match automaton.term(term) {
                Term::Silent(target) => (SILENT, target, "go".to_owned()),
                Term::Local(modality, target) => (LOCAL, target, bracketed(modality, "loc")),
                Term::Call(modality, target) => (CALL, target, bracketed(modality, "call")),
                Term::Return(modality, push, target) => {
                    let what = match push {
                        Push::Any => "ret".to_owned(),
                        Push::Only(pushed) => format!("ret, {}", name(pushed)),
                    };
                    (RETURN, target, bracketed(modality, &what))
                }
                _ => continue,
            };
            merged.add(kind, edge(index, target, kind).labelled(label));
        }
    }
    merged.into_graph(&mut graph);
    Drawing {
        title: title.to_owned(),
        description: format!(
            "An alternating automaton on nested trees with {}.",
            counted(automaton.states().len(), "state"),
        ),
        graphs: vec![graph],
    }
}

fn nondeterministic(automaton: &Nondeterministic, title: &str) -> Drawing {
    let mut graph = Graph {
        direction: Direction::Right,
        ..Graph::default()
    };
    for index in 0..automaton.states() {
        let state = StateId(index as u32);
        let priority = automaton.priority(state);
        let line = format!("{} ({priority})", automaton.name(state));
        add(&mut graph, index, vec![line], priority);
    }
    start(&mut graph, automaton.init());
    let mut merged = Merged::default();
    for transition in automaton.transitions() {
        let literal = |&(proposition, value): &(recurva_logic::ntmu::PropositionId, bool)| {
            let (text, _) = &automaton.propositions()[proposition.0 as usize];
            if value {
                text.to_string()
            } else {
                format!("!{text}")
            }
        };
        let guard: Vec<String> = transition.guard.iter().map(literal).collect();
        let guard = guard.join(" & ");
        for (side, child) in ["left", "right"].into_iter().zip(transition.children) {
            let (kind, target, back) = match child {
                Child::None => continue,
                Child::Down(state) => (LOCAL, state, String::new()),
                Child::Back { pushed, state } => {
                    let pushed = automaton.name(pushed);
                    (RETURN, state, format!(", return from {pushed}"))
                }
            };
            let label = format!("{guard} {side}{back}");
            let drawn = edge(transition.from.index(), target, kind);
            merged.add(kind, drawn.labelled(label.trim()));
        }
    }
    merged.into_graph(&mut graph);
    Drawing {
        title: title.to_owned(),
        description: format!(
            "A nondeterministic automaton on nested trees with {} and {}.",
            counted(automaton.states(), "state"),
            counted(automaton.transitions().len(), "transition"),
        ),
        graphs: vec![graph],
    }
}

/// A state. What recurs for ever is accepted if the largest priority is even: those are marked.
fn add(graph: &mut Graph, index: usize, lines: Vec<String>, priority: u32) {
    let node = Node {
        key: format!("s{index}"),
        lines,
        shape: Shape::Rounded,
        ..Node::default()
    };
    graph.add(match priority.is_multiple_of(2) {
        true => node.with(Class::Accepting),
        false => node,
    });
}

fn start(graph: &mut Graph, init: StateId) {
    let start = graph.add(Node {
        shape: Shape::Point,
        ..Node::default()
    });
    graph.connect(Edge::new(start, init.index() as u32));
}

fn edge(from: usize, to: StateId, kind: u32) -> Edge {
    let edge = Edge::new(from as u32, to.index() as u32);
    match kind {
        CALL => edge.with(Class::Call),
        RETURN => edge.with(Class::Return),
        SILENT => edge.dashed(),
        _ => edge,
    }
}

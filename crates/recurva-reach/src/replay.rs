//! Witnesses, walked once more.
//!
//! What an algorithm gives out as a path is a claim. Here it is followed edge by edge on the graph
//! or the machine as it was read, and its word is derived from the grammar's own rules. Nothing is
//! shared with the algorithms: not the products, not the structure of the grammar, not how
//! terminals find their edges.
//!
//! Parts that repeat are walked once. A word is derived if that takes no more than a fixed amount
//! of work; a longer one is a path of the graph for certain, and a word by the algorithm's word.

mod derive;
mod read;

use std::fmt;

use recurva_model::rsm::{Place, Role, Rsm, Vertex, VertexId};
use rustc_hash::FxHashMap;

use crate::{Context, Grammar, Graph, Hop, Step, Witness};

use derive::Derived;
use read::Reading;

/// Longer words are not derived.
const LONGEST: usize = 2_000;

/// Why a witness is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the witness does not replay: {}", self.0)
    }
}

impl std::error::Error for Mismatch {}

/// A witness that has been walked. Only [`replay`] and [`replay_rsm`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    witness: Witness,
    is_derived: bool,
}

impl Replayed {
    /// The witness. The labels of its edges are those of the graph, as they are written there.
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// Whether its word has been derived from the rules, too: it is not if that is too much
    /// work, and there is no word in a run of a machine.
    pub fn is_derived(&self) -> bool {
        self.is_derived
    }
}

/// Walks a witness along the edges of a graph, and derives its word.
///
/// # Errors
///
/// The first thing that is wrong with it: then the algorithm that found it is.
pub fn replay(
    witness: &Witness,
    graph: &Graph,
    grammar: &Grammar,
    ends: (u32, u32),
) -> Result<Replayed, Mismatch> {
    walk(witness, ends)?;
    let readings = read::readings(witness, graph);
    let mut labels: Vec<String> = Vec::new();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut parts = witness.parts().to_vec();
    for step in parts.iter_mut().flatten() {
        let Step::Edge(hop) = step else {
            continue;
        };
        let found = readings.get(hop).and_then(|list| list.first());
        let Some(reading) = found else {
            let (from, to) = (graph.name(hop.from), graph.name(hop.to));
            let label = &witness.labels()[hop.label as usize];
            let message = format!("there is no edge {from} -{label}-> {to}");
            return Err(Mismatch(message));
        };
        let next = labels.len() as u32;
        let label = reading.written(graph);
        hop.label = *numbers.entry(label).or_insert_with_key(|label| {
            labels.push(label.clone());
            next
        });
    }
    let word: Vec<&[Reading<'_>]> = witness
        .hops()
        .take(LONGEST + 1)
        .map(|hop| readings.get(&hop).map_or(&[][..], Vec::as_slice))
        .collect();
    let is_derived = match word.len() > LONGEST {
        true => false,
        false => match derive::derive(grammar, &word) {
            Derived::Yes => true,
            Derived::TooMuch => false,
            Derived::No => {
                let message = "its labels are no word of the language".to_owned();
                return Err(Mismatch(message));
            }
        },
    };
    Ok(Replayed {
        witness: Witness::of(labels, parts, witness.length().unwrap_or(u64::MAX)),
        is_derived,
    })
}

/// Walks a witness along the edges, calls and returns of a machine.
///
/// # Errors
///
/// The first thing that is wrong with it: then the algorithm that found it is.
pub fn replay_rsm(
    witness: &Witness,
    rsm: &Rsm,
    context: Context,
    ends: (u32, u32),
) -> Result<Replayed, Mismatch> {
    walk(witness, ends)?;
    for (number, part) in witness.parts().iter().enumerate() {
        let pending = run(witness, part, rsm)?;
        // What another part refers to is a whole call's body, or a piece of one.
        if pending > 0 && (number > 0 || context == Context::Same) {
            return Err(Mismatch("a call does not return".to_owned()));
        }
    }
    Ok(Replayed {
        witness: witness.clone(),
        is_derived: false,
    })
}

/// Takes the steps of a part; how many of its calls have not returned.
fn run(witness: &Witness, part: &[Step], rsm: &Rsm) -> Result<usize, Mismatch> {
    let place = |vertex: u32| {
        let exists = (vertex as usize) < rsm.len();
        exists.then(|| rsm.place(VertexId(vertex)))
    };
    // The box whose port is `port`, if `inside` is the node there that it stands for.
    let through = |port: Place, inside: Place, role: Role| {
        let Vertex::Port { in_box, node } = port.vertex else {
            return None;
        };
        let callee = rsm.components()[port.component.index()].boxes[in_box as usize].component;
        let expected = Place {
            component: callee,
            vertex: Vertex::Node(node),
        };
        (inside == expected && rsm.node(inside).role == role).then_some((port.component, in_box))
    };
    let mut calls = Vec::new();
    for step in part {
        let &Step::Edge(hop) = step else {
            continue;
        };
        let label = &*witness.labels()[hop.label as usize];
        let taken = match (label, place(hop.from), place(hop.to)) {
            ("step", Some(_), Some(_)) => {
                let edges = rsm.edges_from(VertexId(hop.from)).iter();
                edges.map(|edge| edge.to.0).any(|to| to == hop.to)
            }
            ("call", Some(from), Some(to)) => {
                let entered = through(from, to, Role::Entry);
                calls.extend(entered);
                entered.is_some()
            }
            ("return", Some(from), Some(to)) => {
                let left = through(to, from, Role::Exit);
                left.is_some() && calls.pop() == left
            }
            _ => false,
        };
        if !taken {
            let (from, to) = (hop.from, hop.to);
            let message = format!("there is no {label} from vertex {from} to vertex {to}");
            return Err(Mismatch(message));
        }
    }
    Ok(calls.len())
}

/// What is known of a part: where it begins and ends, if it has edges, and how many.
#[derive(Clone, Copy)]
struct Walked {
    ends: Option<(u32, u32)>,
    length: u64,
}

/// Checks that the edges follow each other from the first node to the last, that there are as many
/// as is said, and that no part is a part of itself.
fn walk(witness: &Witness, (from, to): (u32, u32)) -> Result<(), Mismatch> {
    let wrong = |message: &str| Err(Mismatch(message.to_owned()));
    let parts = witness.parts();
    let mut done: Vec<Option<Walked>> = vec![None; parts.len()];
    let mut is_open = vec![false; parts.len()];
    let mut stack = vec![0];
    while let Some(&number) = stack.last() {
        let Some(part) = parts.get(number) else {
            return wrong("a part does not exist");
        };
        if done[number].is_some() {
            stack.pop();
        } else if is_open[number] {
            // All that it refers to has been walked.
            done[number] = Some(joined(witness, part, &done)?);
        } else {
            is_open[number] = true;
            for step in part {
                let &Step::Part(inner) = step else {
                    continue;
                };
                let inner = inner as usize;
                match done.get(inner) {
                    None => return wrong("a part does not exist"),
                    Some(None) if is_open[inner] => return wrong("a part contains itself"),
                    Some(None) => stack.push(inner),
                    Some(Some(_)) => {}
                }
            }
        }
    }
    let whole = done.first().copied().flatten();
    let Some(Walked { ends, length }) = whole else {
        return wrong("there are no parts");
    };
    if ends.unwrap_or((from, from)) != (from, to) {
        return wrong("it does not lead from the first node to the second");
    }
    if length != witness.length().unwrap_or(u64::MAX) {
        return wrong("it has not as many edges as is said");
    }
    Ok(())
}

/// The steps of a part, put together. The parts that it refers to have been.
fn joined(witness: &Witness, part: &[Step], done: &[Option<Walked>]) -> Result<Walked, Mismatch> {
    let mut whole = Walked {
        ends: None,
        length: 0,
    };
    for step in part {
        let (ends, length) = match *step {
            Step::Edge(Hop { from, to, label }) => {
                if label as usize >= witness.labels().len() {
                    return Err(Mismatch("an edge has no label".to_owned()));
                }
                (Some((from, to)), 1)
            }
            Step::Part(inner) => {
                let inner = done.get(inner as usize).copied().flatten();
                let inner = inner.ok_or_else(|| Mismatch("a part does not exist".to_owned()))?;
                (inner.ends, inner.length)
            }
        };
        whole.length = whole.length.saturating_add(length);
        whole.ends = match (whole.ends, ends) {
            (Some((first, at)), Some((from, to))) if at == from => Some((first, to)),
            (Some(_), Some(_)) => {
                let message = "an edge does not begin where the one before it ends";
                return Err(Mismatch(message.to_owned()));
            }
            (one, other) => one.or(other),
        };
    }
    Ok(whole)
}

#[cfg(test)]
mod tests;

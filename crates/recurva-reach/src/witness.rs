//! Witnesses: a shortest path for a pair, with the parts that repeat stored once.
//!
//! Distances are found as in Knuth's generalisation of Dijkstra's algorithm: a fact "this entry
//! reaches that node by so many edges" is final when it is the nearest of all that are open, and
//! a call is as long as its brackets and the nearest facts about what it calls. Only entries
//! that the source leads to take part. Parts refer to facts that were final before them, so a
//! witness of 2^40 edges is a few parts, and spelling it out needs no recursion.

mod distances;
mod label;

use rustc_hash::FxHashMap;

use crate::{
    limits::Limits,
    machine::Product,
    solution::{Context, Origin, Solution},
    summaries::{self, Way},
};

use distances::{Problem, Why};
use label::Labels;

/// One edge of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop {
    /// Where it starts.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// Place in [`Witness::labels`].
    pub label: u32,
}

/// A step of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One edge.
    Edge(Hop),
    /// All of another part, by its number.
    Part(u32),
}

/// A path, and why its labels make a word of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    labels: Vec<String>,
    parts: Vec<Vec<Step>>,
    /// `u64::MAX` if that or more.
    length: u64,
}

impl Witness {
    /// The labels that occur; a label walked backwards begins with `^`.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The parts; the first is the whole path.
    pub fn parts(&self) -> &[Vec<Step>] {
        &self.parts
    }

    /// How many edges the path has when it is spelled out; `None` if 2^64 - 1 or more. Such
    /// lengths are not compared: the path need not be a shortest one then.
    pub fn length(&self) -> Option<u64> {
        Some(self.length).filter(|&length| length < u64::MAX)
    }

    /// A witness of its parts.
    pub(crate) fn of(labels: Vec<String>, parts: Vec<Vec<Step>>, length: u64) -> Self {
        Witness {
            labels,
            parts,
            length,
        }
    }

    /// The path, edge by edge. It may be very long: take what you need.
    pub fn hops(&self) -> impl Iterator<Item = Hop> + '_ {
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        std::iter::from_fn(move || {
            while let Some((part, place)) = stack.last_mut() {
                let step = self.parts[*part as usize].get(*place).copied();
                *place += 1;
                match step {
                    None => {
                        stack.pop();
                    }
                    Some(Step::Edge(hop)) => return Some(hop),
                    Some(Step::Part(inner)) => stack.push((inner, 0)),
                }
            }
            None
        })
    }
}

/// A shortest witness of a pair that is in the relation.
pub(crate) fn find(solution: &Solution, from: u32, to: u32) -> Option<Witness> {
    let limits = Limits {
        threads: 1,
        memory: u64::MAX,
    };
    let product;
    let (machine, pending, labels, ends) = match &solution.origin {
        Origin::Nothing => return None,
        Origin::Machine { machine, context } => {
            let pending = *context == Context::Any;
            (machine, pending, Labels::Machine, (from, to))
        }
        Origin::Grammar { structure, bound } => {
            product = Product::new(structure, bound)?;
            let ends = (product.start + from, product.end + to);
            let labels = Labels::grammar(structure, bound, &product, solution.names());
            (&product.machine, false, labels, ends)
        }
    };
    // Algorithms that do not work with summaries have left none.
    let found;
    let summaries = match solution.summaries.is_empty() {
        true => {
            found = summaries::summaries(machine, Way::Both, &limits).ok()?;
            &found
        }
        false => &solution.summaries,
    };
    let problem = Problem {
        machine,
        labels: &labels,
        pending,
    };
    let facts = problem.solve(summaries, ends.0, ends.1)?;
    let mut writer = Writer {
        labels: Vec::new(),
        index: FxHashMap::default(),
        part_of: FxHashMap::from_iter([((0, ends.1), 0)]),
        open: vec![(0, ends.1)],
    };
    let mut parts = Vec::new();
    while parts.len() < writer.open.len() {
        let (origin, node) = writer.open[parts.len()];
        let mut steps = Vec::new();
        let mut at = node;
        while let Some(fact) = facts.get(origin, at) {
            at = match fact.why {
                Why::Start => break,
                Why::Edge { before } => {
                    let hop = labels.edge(before, at);
                    writer.push(&mut steps, hop);
                    before
                }
                Why::Pending { before, call } => {
                    writer.push(
                        &mut steps,
                        labels.call(&machine.calls[call as usize], machine),
                    );
                    before
                }
                Why::Call {
                    before,
                    call,
                    exit,
                    callee,
                    arc,
                } => {
                    writer.push(
                        &mut steps,
                        labels.leave(&machine.returns[arc as usize], machine),
                    );
                    let part = writer.part(callee, exit);
                    steps.push(Step::Part(part));
                    writer.push(
                        &mut steps,
                        labels.call(&machine.calls[call as usize], machine),
                    );
                    before
                }
            };
        }
        steps.reverse();
        parts.push(steps);
    }
    let length = facts.get(0, ends.1).map_or(0, |fact| fact.distance);
    Some(Witness::of(writer.labels, parts, length))
}

/// A label and the two nodes it is between.
type Labelled = (u32, u32, String);

struct Writer {
    labels: Vec<String>,
    index: FxHashMap<String, u32>,
    /// Number of the part for a fact.
    part_of: FxHashMap<(u32, u32), u32>,
    /// The facts of the parts.
    open: Vec<(u32, u32)>,
}

impl Writer {
    fn push(&mut self, steps: &mut Vec<Step>, hop: Option<Labelled>) {
        let Some((from, to, label)) = hop else {
            return;
        };
        let next = self.labels.len() as u32;
        let label = *self.index.entry(label).or_insert_with_key(|label| {
            self.labels.push(label.clone());
            next
        });
        steps.push(Step::Edge(Hop { from, to, label }));
    }

    fn part(&mut self, origin: u32, node: u32) -> u32 {
        let next = self.open.len() as u32;
        let part = *self.part_of.entry((origin, node)).or_insert(next);
        if part == next {
            self.open.push((origin, node));
        }
        part
    }
}

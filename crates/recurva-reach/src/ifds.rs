//! Data flow problems over procedures: finite sets of facts, functions that treat each fact by
//! itself, and all valid paths (Reps, Horwitz and Sagiv; thesis, Fig. 6.1).
//!
//! A user describes procedures, facts and flow functions by [`Ifds`]; [`solve_ifds`] gives for
//! every node the facts that hold there after some path on which each return goes back to its
//! own call. The problem becomes reachability: a node for each fact at each point, and a node
//! for "no fact needed", which is [`None`] below.
//!
//! ```
//! use recurva_reach::{Flow, Ifds, Via, carry_on, solve_ifds};
//!
//! /// One procedure of three points; the fact "x has no value" dies between the first two.
//! struct Once;
//!
//! impl Ifds for Once {
//!     fn procedures(&self) -> u32 { 1 }
//!     fn main(&self) -> u32 { 0 }
//!     fn points(&self, _: u32) -> u32 { 3 }
//!     fn entry(&self, _: u32) -> u32 { 0 }
//!     fn exits(&self, _: u32) -> Vec<u32> { vec![2] }
//!     fn facts(&self, _: u32) -> u32 { 1 }
//!     fn edges(&self, _: u32) -> Vec<Flow> {
//!         vec![Flow { from: 0, to: 1, callee: None }, Flow { from: 1, to: 2, callee: None }]
//!     }
//!     fn at_start(&self) -> Vec<u32> { vec![0] }
//!     fn flow(&self, _: u32, edge: u32, _: Via, fact: Option<u32>) -> Vec<u32> {
//!         fact.filter(|_| edge == 1).into_iter().collect()
//!     }
//! }
//!
//! let solution = solve_ifds(&Once, u64::MAX, &mut carry_on)?;
//! assert_eq!(solution.at(0, 0), [0]);
//! assert!(solution.at(0, 1).is_empty());
//! # Ok::<(), recurva_reach::Error>(())
//! ```

use crate::{
    Error, Machine, Tick,
    closure::Arrows,
    machine::{Arcs, CallArc, ReturnArc},
    meter::{Account, Halt, Held, Meter},
    summaries::{self, Way},
};

/// An edge of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The point where it starts.
    pub from: u32,
    /// The point where it leads; for a call, where control comes back to.
    pub to: u32,
    /// The procedure that it calls.
    pub callee: Option<u32>,
}

/// Which way a flow function goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// Along an edge inside of a procedure; at a call, past what is called.
    Past,
    /// From a call into what is called: facts of the callee come out.
    Into,
    /// From an exit back to the caller: facts of the callee go in, facts of the caller come out.
    Back,
}

/// A data flow problem. Points and facts of each procedure are numbers from 0.
pub trait Ifds {
    /// How many procedures there are.
    fn procedures(&self) -> u32;
    /// Where runs begin.
    fn main(&self) -> u32;
    /// How many points a procedure has.
    fn points(&self, procedure: u32) -> u32;
    /// The point where a procedure begins.
    fn entry(&self, procedure: u32) -> u32;
    /// The points where it ends.
    fn exits(&self, procedure: u32) -> Vec<u32>;
    /// How many facts there are about a procedure's points.
    fn facts(&self, procedure: u32) -> u32;
    /// The edges of a procedure. Flow functions name them by their places in this list.
    fn edges(&self, procedure: u32) -> Vec<Flow>;
    /// The facts that hold at the entry of the first procedure.
    fn at_start(&self) -> Vec<u32>;
    /// The facts that hold behind an edge because a fact holds before it, or, if `fact` is
    /// `None`, whatever holds before it. That nothing is needed for nothing goes without saying.
    fn flow(&self, procedure: u32, edge: u32, via: Via, fact: Option<u32>) -> Vec<u32>;
}

/// The facts that hold at each point after some valid path.
#[derive(Clone, Debug)]
pub struct IfdsSolution {
    layout: Layout,
    reached: Vec<bool>,
    peak_bytes: u64,
}

impl IfdsSolution {
    /// The facts at a point, in order.
    pub fn at(&self, procedure: u32, point: u32) -> Vec<u32> {
        let facts = 0..self.layout.facts[procedure as usize];
        facts
            .filter(|&fact| self.holds(procedure, point, fact))
            .collect()
    }

    /// Whether a point is reached at all.
    pub fn is_reached(&self, procedure: u32, point: u32) -> bool {
        self.reached[self.layout.node(procedure, point, None) as usize]
    }

    /// Whether a fact holds at a point.
    pub fn holds(&self, procedure: u32, point: u32, fact: u32) -> bool {
        self.reached[self.layout.node(procedure, point, Some(fact)) as usize]
    }

    /// The most bytes that were held at a time. What the problem itself takes is not counted.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
}

/// Where the facts of each point are among the nodes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    first: Vec<u32>,
    facts: Vec<u32>,
}

impl Layout {
    pub(crate) fn node(&self, procedure: u32, point: u32, fact: Option<u32>) -> u32 {
        let width = self.facts[procedure as usize] + 1;
        self.first[procedure as usize] + point * width + fact.map_or(0, |fact| fact + 1)
    }
}

/// The machine whose runs are the flows of facts along valid paths.
pub(crate) fn explode(problem: &impl Ifds, meter: &Meter<'_>) -> Result<(Machine, Layout), Error> {
    let procedures = problem.procedures();
    let mut layout = Layout {
        first: Vec::new(),
        facts: Vec::new(),
    };
    let mut nodes = 0u32;
    for procedure in 0..procedures {
        let facts = problem.facts(procedure);
        layout.first.push(nodes);
        layout.facts.push(facts);
        let size = u64::from(problem.points(procedure)) * (u64::from(facts) + 1);
        let sum = u64::from(nodes) + size;
        nodes = u32::try_from(sum).map_err(|_| Error::TooLarge)?;
    }
    let mut held = meter.hold(0)?;
    let mut local: Vec<(u32, u32)> = Vec::new();
    let mut arcs = Arcs::new(meter)?;
    let mut keys = 0;
    // All that follows from a fact, or from nothing, along one way.
    let all = |procedure: u32, edge: u32, via: Via, facts: u32| {
        let from = std::iter::once(None).chain((0..facts).map(Some));
        from.flat_map(move |fact| {
            let nothing = fact.is_none().then_some(None);
            let more = problem
                .flow(procedure, edge, via, fact)
                .into_iter()
                .map(Some);
            nothing.into_iter().chain(more).map(move |to| (fact, to))
        })
    };
    for procedure in 0..procedures {
        let own = layout.facts[procedure as usize];
        for (number, edge) in problem.edges(procedure).iter().enumerate() {
            let number = number as u32;
            let past = all(procedure, number, Via::Past, own);
            meter.work(1 + u64::from(own))?;
            let Some(callee) = edge.callee else {
                for (before, after) in past {
                    let from = layout.node(procedure, edge.from, before);
                    held.room(&mut local)?;
                    local.push((from, layout.node(procedure, edge.to, after)));
                }
                continue;
            };
            let entry = problem.entry(callee);
            for (before, after) in all(procedure, number, Via::Into, own) {
                arcs.call(CallArc {
                    entry: layout.node(callee, entry, after),
                    key: keys,
                    site: layout.node(procedure, edge.from, before),
                })?;
            }
            let theirs = layout.facts[callee as usize];
            let exits = problem.exits(callee);
            for &exit in &exits {
                for (before, after) in all(procedure, number, Via::Back, theirs) {
                    arcs.back(ReturnArc {
                        exit: layout.node(callee, exit, before),
                        key: keys,
                        site: layout.node(procedure, edge.to, after),
                    })?;
                }
            }
            keys += 1;
            // What goes past a call goes only if control comes back: the callee gets through
            // without any fact, with a key for each fact that waits.
            let mut waiting = None;
            for (before, after) in past.filter(|(_, after)| after.is_some()) {
                if waiting != Some(before) {
                    waiting = Some(before);
                    keys += 1;
                    arcs.call(CallArc {
                        entry: layout.node(callee, entry, None),
                        key: keys - 1,
                        site: layout.node(procedure, edge.from, before),
                    })?;
                }
                for &exit in &exits {
                    arcs.back(ReturnArc {
                        exit: layout.node(callee, exit, None),
                        key: keys - 1,
                        site: layout.node(procedure, edge.to, after),
                    })?;
                }
            }
        }
    }
    let edges = Arrows::of_pairs(nodes, meter, &local)?;
    drop((local, held));
    let groups = vec![0; keys as usize];
    let machine = Machine::new(edges, arcs, groups, vec![vec![(0, 0)]], meter)?;
    Ok((machine, layout))
}

/// Marks all that some nodes lead to.
pub(crate) fn spread(
    arrows: &Arrows,
    mut open: Vec<u32>,
    meter: &Meter<'_>,
) -> Result<(Vec<bool>, Held), Halt> {
    let mut held = meter.hold(0)?;
    let mut reached = held.list(false, arrows.nodes() as usize)?;
    let mut scratch = meter.hold(4 * open.capacity())?;
    for &node in &open {
        reached[node as usize] = true;
    }
    while let Some(node) = open.pop() {
        meter.work(1 + arrows.from(node).len() as u64)?;
        meter.found(1);
        for &to in arrows.from(node) {
            if !std::mem::replace(&mut reached[to as usize], true) {
                scratch.room(&mut open)?;
                open.push(to);
            }
        }
    }
    Ok((reached, held))
}

/// Solves a data flow problem: the union over all valid paths from the entry of the first
/// procedure. At most `memory` bytes are held at a time.
pub fn solve_ifds(
    problem: &impl Ifds,
    memory: u64,
    tick: &mut Tick<'_>,
) -> Result<IfdsSolution, Error> {
    let account = Account::new(memory);
    let meter = &Meter::begin(&account, tick)?;
    let (machine, layout) = explode(problem, meter)?;
    let summaries = summaries::summaries(&machine, Way::Both, 1, meter)?;
    let arrows = machine.with_calls(&summaries.list, meter)?;
    let main = problem.main();
    let seeds = problem.at_start().into_iter().map(Some);
    let seeds = seeds
        .chain([None])
        .map(|fact| layout.node(main, problem.entry(main), fact));
    let (reached, _held) = spread(&arrows, seeds.collect(), meter)?;
    Ok(IfdsSolution {
        layout,
        reached,
        peak_bytes: account.peak(),
    })
}

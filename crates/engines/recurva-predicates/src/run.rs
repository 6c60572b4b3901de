//! An abstract run, step by step, with every call spelled out.

use recurva_explicit::{History, PathEdge, Reached, Witness};
use recurva_model::Action;

use crate::{
    abstraction::{Abstraction, State},
    cuts::{CutId, End, SegmentId},
};

/// Longer runs are not looked at.
const LONGEST: usize = 4000;

/// A move of an abstract run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    /// Along a segment to the next cut.
    Step(SegmentId),
    /// Along a segment and into the call at its end.
    Call(SegmentId),
    /// Back from a call.
    Return,
}

/// A part of a run that is still to be spelled out.
#[derive(Clone, Copy)]
enum Part {
    Step(PathEdge, PathEdge),
    Call(PathEdge, PathEdge),
    /// From the caller through the callee's exit to where it goes on.
    Through(PathEdge, PathEdge, PathEdge),
    Done(Move),
}

/// The moves of a run to the target of a search; `None` if there are too many.
pub(crate) fn moves(abstraction: &Abstraction<'_>, witness: &Witness<State>) -> Option<Vec<Move>> {
    let mut found = Vec::new();
    let mut open = back(witness, witness.target(), false);
    while let Some(part) = open.pop() {
        match part {
            Part::Done(one) => found.push(one),
            Part::Step(from, to) => {
                let (from, to) = (*witness.state(from), *witness.state(to));
                let segment = segment_to(abstraction, from.cut, to.cut)?;
                found.push(Move::Step(segment));
            }
            Part::Call(from, to) => {
                let (from, to) = (*witness.state(from), *witness.state(to));
                let segment = call(abstraction, &from, &to, None)?;
                found.push(Move::Call(segment));
            }
            Part::Through(caller, exit, to) => {
                let entry = witness.entry(exit);
                let states = [caller, entry, exit, to].map(|it| *witness.state(it));
                let back_to = Some((&states[2], &states[3]));
                let segment = call(abstraction, &states[0], &states[1], back_to)?;
                open.push(Part::Done(Move::Return));
                open.extend(back(witness, exit, true));
                open.push(Part::Done(Move::Call(segment)));
            }
        }
        if found.len() > LONGEST {
            return None;
        }
    }
    Some(found)
}

/// The way to a path edge from the beginning of its invocation or of the run, last part first.
fn back(witness: &Witness<State>, to: PathEdge, own: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut edge = to;
    loop {
        let (part, from) = match witness.reached(edge) {
            Reached::Initially => return parts,
            Reached::Call(_) if own => return parts,
            Reached::Step(from) | Reached::Refinement(from) => (Part::Step(from, edge), from),
            Reached::Call(from) => (Part::Call(from, edge), from),
            Reached::Return { caller, exit } => (Part::Through(caller, exit, edge), caller),
        };
        parts.push(part);
        edge = from;
    }
}

fn segment_to(abstraction: &Abstraction<'_>, from: CutId, to: CutId) -> Option<SegmentId> {
    let cuts = &abstraction.cuts;
    let mut starting = cuts.starting[from.index()].iter().copied();
    starting.find(|it| cuts.segments[it.index()].end == End::Cut(to))
}

/// The segment that ends with a call into `entry`, and comes back from `exit` to some state.
fn call(
    abstraction: &Abstraction<'_>,
    from: &State,
    entry: &State,
    back: Option<(&State, &State)>,
) -> Option<SegmentId> {
    let cuts = &abstraction.cuts;
    let callee = cuts.procedure(entry.cut);
    let procedure = cuts.procedure(from.cut);
    let mut starting = cuts.starting[from.cut.index()].iter().copied();
    starting.find(|&segment| {
        let End::Call(edge) = cuts.segments[segment.index()].end else {
            return false;
        };
        let action = &abstraction.program.edge(procedure, edge).action;
        let is_it = matches!(action, Action::Call { callee: it, .. } if *it == callee);
        is_it
            && abstraction.successors(from, segment).contains(entry)
            && back.is_none_or(|(exit, to)| abstraction.returned(from, segment, exit).contains(to))
    })
}

//! Segments as terms: what happens from a cut to the next.

use recurva_encode::{Call, Encoder, Held, Step, Store};
use recurva_model::{EdgeId, NodeId, Program, VarRef};
use recurva_smt::Term;
use rustc_hash::FxHashMap;

use crate::{
    cuts::{Cuts, End, Segment},
    fixed::Fixed,
};

/// The values at a cut: now, and when the running procedure was entered.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub(crate) now: Store,
    pub(crate) entry: Store,
}

/// An edge as it is taken in a block.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) edge: EdgeId,
    pub(crate) from: NodeId,
    /// That control is before it, and the step is possible.
    pub(crate) condition: Term,
    pub(crate) choices: Vec<Term>,
}

/// A segment from given values.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// That its end is reached.
    pub(crate) condition: Term,
    /// The values there; those before the call, if it ends with one.
    pub(crate) store: Store,
    /// The call, if it ends with one.
    pub(crate) call: Option<Call>,
    /// By where they lead, the edges on the way, as values are taken from them: the first that is taken
    /// counts. Those to the end are last.
    pub(crate) taken: FxHashMap<NodeId, Vec<Taken>>,
    /// Those that lead to the end.
    pub(crate) last: Vec<Taken>,
}

/// Any values at a cut of a procedure.
pub(crate) fn any_values(
    encoder: &mut Encoder<'_>,
    program: &Program,
    fixed: &Fixed,
    cuts: &Cuts,
    cut: crate::cuts::CutId,
) -> Values {
    let procedure = cuts.procedure(cut);
    let now = encoder.any_store(program, procedure);
    if cuts.points[cut.index()].node == program.procedure(procedure).entry {
        return Values {
            entry: now.clone(),
            now,
        };
    }
    let mut entry = encoder.any_store(program, procedure);
    for variable in variables(&now) {
        if fixed.contains(procedure, variable) {
            entry.set(variable, now.get(variable).clone());
        }
    }
    Values { now, entry }
}

/// All variables of a store.
pub(crate) fn variables(store: &Store) -> impl Iterator<Item = VarRef> + use<> {
    let globals = (0..store.globals.len() as u32).map(VarRef::Global);
    globals.chain((0..store.locals.len() as u32).map(VarRef::Local))
}

/// A segment from given values, as terms.
pub(crate) fn block(
    encoder: &mut Encoder<'_>,
    program: &Program,
    cuts: &Cuts,
    segment: &Segment,
    start: &Store,
) -> Block {
    let procedure = cuts.procedure(segment.from);
    let end = match segment.end {
        End::Cut(cut) => Some(cuts.points[cut.index()].node),
        End::Call(_) => None,
    };
    let mut taken: FxHashMap<NodeId, Vec<Taken>> = FxHashMap::default();
    let mut arriving: FxHashMap<NodeId, Vec<(Term, Store)>> = FxHashMap::default();
    let mut last = Vec::new();
    let mut ends = Vec::new();
    let mut made = None;
    let truth = encoder.terms.truth();
    let first = segment.nodes.first().copied();
    for &node in &segment.nodes {
        let (before, store) = match Some(node) == first {
            true => (truth, start.clone()),
            false => match arriving.remove(&node) {
                Some(ways) => merged(encoder, ways),
                None => continue,
            },
        };
        let point = recurva_model::Point { procedure, node };
        for (id, edge) in program.edges_from(point) {
            let is_call = segment.end == End::Call(id);
            let leads_on = Some(edge.to) == end || segment.nodes[1..].contains(&edge.to);
            let is_other_call = matches!(edge.action, recurva_model::Action::Call { .. });
            if !is_call && (!leads_on || is_other_call) {
                continue;
            }
            let types = edge.choices();
            let choices: Vec<Term> = types.iter().map(|&ty| encoder.any(ty, "any")).collect();
            let step = encoder.step_choosing(program, procedure, edge, &store, &choices);
            let possible = match &step {
                Step::Internal(it) => it.condition,
                Step::Call(it) => it.condition,
            };
            let condition = encoder.terms.and(&[before, possible]);
            let way = Taken {
                edge: id,
                from: node,
                condition,
                choices,
            };
            match step {
                Step::Call(call) => {
                    last.push(way);
                    ends.push((condition, store.clone()));
                    made = Some(call);
                }
                Step::Internal(step) if Some(edge.to) == end => {
                    last.push(way);
                    ends.push((condition, step.store));
                }
                Step::Internal(step) => {
                    taken.entry(edge.to).or_default().push(way);
                    let there = arriving.entry(edge.to).or_default();
                    there.push((condition, step.store));
                }
            }
        }
    }
    let (condition, store) = match ends.is_empty() {
        true => (encoder.terms.falsity(), start.clone()),
        false => merged(encoder, ends),
    };
    Block {
        condition,
        store,
        call: made,
        taken,
        last,
    }
}

/// One of some conditions, and the values that belong to the first that holds.
fn merged(encoder: &mut Encoder<'_>, mut ways: Vec<(Term, Store)>) -> (Term, Store) {
    let conditions: Vec<Term> = ways.iter().map(|it| it.0).collect();
    let Some((_, mut store)) = ways.pop() else {
        unreachable!("there is a way");
    };
    while let Some((condition, other)) = ways.pop() {
        for variable in variables(&store) {
            let (here, there) = (other.get(variable), store.get(variable));
            if here == there {
                continue;
            }
            let merged: Vec<Term> = here
                .terms()
                .iter()
                .zip(there.terms())
                .map(|(&here, &there)| encoder.terms.if_then_else(condition, here, there))
                .collect();
            let held = match here {
                Held::Scalar(_) => Held::Scalar(merged[0]),
                Held::Array(_) => Held::Array(merged[0]),
                Held::Elements(_) => Held::Elements(merged),
            };
            store.set(variable, held);
        }
    }
    (encoder.terms.or(&conditions), store)
}

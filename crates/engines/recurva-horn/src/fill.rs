//! Formulas between cuts: what has to hold at a node for the formulas at the next cuts to hold.
//!
//! What a step chooses may be anything, so what is said has to hold for all of it. That is said a little
//! too strongly: a comparison with what was chosen is not relied upon.

use recurva_certificate::formula::When;
use recurva_encode::{Encoder, Meaning, Meanings, Step, Store};
use recurva_model::{NodeId, Patience, Point, ProcId, Stop, VarRef};
use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    clause::{Predicate, conjuncts},
    make::Prepared,
    reduced::holds,
    scope::Scopes,
};

/// What holds at the nodes of a procedure, over values that have these meanings.
pub(crate) struct Filled {
    pub(crate) meanings: Meanings,
    pub(crate) formulas: Vec<(Point, Term)>,
}

/// The formulas at all joints of a procedure and at its cuts, from those at its cuts.
pub(crate) fn fill(
    prepared: &Prepared,
    encoder: &mut Encoder<'_>,
    procedure: ProcId,
    known: &dyn Fn(Point) -> Option<(Predicate, Term)>,
    patience: &mut Patience<'_>,
) -> Result<Filled, Stop> {
    let program = prepared.program();
    let declared = program.procedure(procedure);
    let now = encoder.any_store(program, procedure);
    let mut entry = encoder.any_store(program, procedure);
    for index in 0..program.globals().len() as u32 {
        keep(prepared, procedure, VarRef::Global(index), &now, &mut entry);
    }
    for index in 0..declared.parameters as u32 {
        keep(prepared, procedure, VarRef::Local(index), &now, &mut entry);
    }
    encoder.take_facts();
    let mut meanings = Meaning::of_store(&entry, program.globals(), &declared.locals, When::Entry);
    meanings.extend(Meaning::of_store(
        &now,
        program.globals(),
        &declared.locals,
        When::Now,
    ));
    let own: FxHashSet<Term> = meanings.keys().copied().collect();
    let mut filled = Filled {
        meanings,
        formulas: Vec::new(),
    };
    let mut found: FxHashMap<NodeId, Term> = FxHashMap::default();
    for node in order(prepared, procedure) {
        let at = Point { procedure, node };
        let is_possible = holds(&prepared.reduced.is_reached, at);
        let term = if holds(&prepared.reduced.is_target, at) || !is_possible {
            encoder.terms.falsity()
        } else if !Scopes::is_wanted(&prepared.reduced, at) {
            encoder.terms.truth()
        } else if prepared.is_cut(at) {
            match known(at) {
                Some((predicate, term)) => {
                    let here = with_values(&predicate, &entry, &now);
                    encoder.terms.replace(term, &here)
                }
                None => encoder.terms.truth(),
            }
        } else {
            let mut ways: Vec<(Term, Vec<Term>)> = Vec::new();
            for (_, edge) in program.edges_from(at) {
                patience.step()?;
                let Some(&after) = found.get(&edge.to) else {
                    continue;
                };
                let Step::Internal(step) = encoder.step(program, procedure, edge, &now) else {
                    continue;
                };
                let facts = encoder.take_facts();
                let next = stepped(&now, &step.store);
                let after = encoder.terms.replace(after, &next);
                let before = encoder.terms.and(&[&facts[..], &[step.condition]].concat());
                ways.push((before, conjuncts(encoder.terms, after)));
            }
            before(encoder.terms, ways, &own)
        };
        found.insert(node, term);
        let is_said = prepared.is_cut(at) || prepared.joints.contains(at);
        if is_said && !holds(&prepared.reduced.is_target, at) {
            filled.formulas.push((at, term));
        }
    }
    Ok(filled)
}

/// What has to hold where some ways go on, each under a condition, so that other things hold then.
fn before(terms: &mut Terms, mut ways: Vec<(Term, Vec<Term>)>, own: &FxHashSet<Term>) -> Term {
    let mut all = Vec::new();
    // What is wanted on either way is wanted, and said once: else formulas would double at each branch.
    if let [left, right] = &mut ways[..]
        && terms.not(left.0) == right.0
    {
        let common: FxHashSet<Term> = left
            .1
            .iter()
            .filter(|it| right.1.contains(it))
            .copied()
            .collect();
        left.1.retain(|it| !common.contains(it));
        right.1.retain(|it| !common.contains(it));
        all.extend(common);
        all.sort_unstable();
    }
    for (condition, wanted) in ways {
        let wanted = terms.and(&wanted);
        let implied = terms.implies(condition, wanted);
        all.push(implied);
    }
    let all = terms.and(&all);
    without(terms, all, own)
}

/// What is never changed has the value of now.
fn keep(prepared: &Prepared, procedure: ProcId, variable: VarRef, now: &Store, entry: &mut Store) {
    if !prepared.scopes.changes(procedure, variable) {
        entry.set(variable, now.get(variable).clone());
    }
}

/// A predicate's parameters as values.
fn with_values(predicate: &Predicate, entry: &Store, now: &Store) -> FxHashMap<Term, Term> {
    let values = predicate.slots.iter().flat_map(|slot| {
        let store = match slot.when {
            When::Entry => entry,
            When::Now => now,
        };
        store.get(slot.variable).terms().to_vec()
    });
    predicate.parameters.iter().copied().zip(values).collect()
}

/// The values after a step in place of those before.
fn stepped(now: &Store, next: &Store) -> FxHashMap<Term, Term> {
    let before = now.globals.iter().chain(&now.locals);
    let after = next.globals.iter().chain(&next.locals);
    let pairs = before.zip(after).flat_map(|(before, after)| {
        let terms = before.terms().iter().zip(after.terms());
        terms
            .map(|(&before, &after)| (before, after))
            .collect::<Vec<_>>()
    });
    pairs.filter(|(before, after)| before != after).collect()
}

/// The nodes of a procedure; those that are no cuts behind those that they lead to.
fn order(prepared: &Prepared, procedure: ProcId) -> Vec<NodeId> {
    let program = prepared.program();
    let nodes = program.procedure(procedure).nodes.len();
    let mut is_seen = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    for root in 0..nodes as u32 {
        let mut stack = vec![(NodeId(root), false)];
        while let Some((node, is_done)) = stack.pop() {
            if is_done {
                order.push(node);
                continue;
            }
            if std::mem::replace(&mut is_seen[node.index()], true) {
                continue;
            }
            stack.push((node, true));
            let at = Point { procedure, node };
            if !prepared.is_cut(at) {
                let edges = program.edges_from(at).map(|it| (it.1.to, false));
                stack.extend(edges.filter(|it| !is_seen[it.0.index()]));
            }
        }
    }
    order
}

/// Something stronger that speaks only of own variables.
fn without(terms: &mut Terms, root: Term, own: &FxHashSet<Term>) -> Term {
    if terms
        .variables_of(&[root])
        .iter()
        .all(|it| own.contains(it))
    {
        return root;
    }
    let (truth, falsity) = (terms.truth(), terms.falsity());
    // For each truth value one that is stronger and one that is weaker; the others may stay or not.
    let mut stays: FxHashSet<Term> = FxHashSet::default();
    let mut sides: FxHashMap<Term, (Term, Term)> = FxHashMap::default();
    for part in terms.parts(&[root]) {
        let node = terms.node(part).clone();
        let is_own = match &node {
            Node::Variable(_) => own.contains(&part),
            _ => terms.operands(part).iter().all(|it| stays.contains(it)),
        };
        if is_own {
            stays.insert(part);
            sides.insert(part, (part, part));
            continue;
        }
        let side = |it: &Term| sides.get(it).copied().unwrap_or((falsity, truth));
        let pair = match node {
            Node::Apply(Op::Not, of) => {
                let (strong, weak) = side(&of[0]);
                (terms.not(weak), terms.not(strong))
            }
            Node::Apply(op @ (Op::And | Op::Or), of) => {
                let (strong, weak): (Vec<Term>, Vec<Term>) = of.iter().map(side).unzip();
                (terms.apply(op, &strong), terms.apply(op, &weak))
            }
            Node::Apply(Op::If, of) if terms.sort(part) == Sort::Bool => {
                let (then, otherwise) = (side(&of[1]), side(&of[2]));
                match stays.contains(&of[0]) {
                    true => (
                        terms.if_then_else(of[0], then.0, otherwise.0),
                        terms.if_then_else(of[0], then.1, otherwise.1),
                    ),
                    false => (
                        terms.and(&[then.0, otherwise.0]),
                        terms.or(&[then.1, otherwise.1]),
                    ),
                }
            }
            _ if terms.sort(part) == Sort::Bool => (falsity, truth),
            _ => continue,
        };
        sides.insert(part, pair);
    }
    sides.get(&root).map_or(falsity, |it| it.0)
}

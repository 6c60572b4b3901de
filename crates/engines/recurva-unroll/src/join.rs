//! Runs that come to the same place, joined.

use recurva_encode::Held;
use recurva_smt::{Node, Op, Term, Terms};

use crate::unroll::State;

/// Runs that come to the same place as one. No two of their conditions are true at once.
pub(crate) fn joined(terms: &mut Terms, mut states: Vec<State>) -> Option<State> {
    let first = states.pop()?;
    if states.is_empty() {
        return Some(first);
    }
    let mut conditions = vec![first.condition];
    conditions.extend(states.iter().map(|it| it.condition));
    let common = common(terms, &conditions);
    let mut all = first;
    for state in states {
        // What holds of all of them does not decide between them.
        let decides = without(terms, state.condition, &common);
        all.depth = all.depth.min(state.depth);
        let mut pick = |theirs: &Held, ours: &mut Held| match (theirs, ours) {
            (Held::Scalar(theirs), Held::Scalar(ours))
            | (Held::Array(theirs), Held::Array(ours)) => {
                *ours = terms.if_then_else(decides, *theirs, *ours);
            }
            (Held::Elements(theirs), Held::Elements(ours)) => {
                for (&theirs, ours) in theirs.iter().zip(ours) {
                    *ours = terms.if_then_else(decides, theirs, *ours);
                }
            }
            _ => {}
        };
        let State { store, .. } = &mut all;
        for (theirs, ours) in state.store.globals.iter().zip(&mut store.globals) {
            pick(theirs, ours);
        }
        for (theirs, ours) in state.store.locals.iter().zip(&mut store.locals) {
            pick(theirs, ours);
        }
    }
    all.condition = any_of(terms, conditions);
    Some(all)
}

/// A disjunction. What all have in common stands in front of it, and two that only differ in that one
/// denies what the other says become one.
fn any_of(terms: &mut Terms, mut conditions: Vec<Term>) -> Term {
    'again: loop {
        for right in 1..conditions.len() {
            for left in 0..right {
                if let Some(both) = either(terms, conditions[left], conditions[right]) {
                    conditions.swap_remove(right);
                    conditions[left] = both;
                    continue 'again;
                }
            }
        }
        break;
    }
    let mut all = common(terms, &conditions);
    if all.is_empty() || conditions.len() == 1 {
        return terms.or(&conditions);
    }
    let rests: Vec<Term> = conditions
        .iter()
        .map(|&it| without(terms, it, &all))
        .collect();
    let rest = terms.or(&rests);
    all.push(rest);
    terms.and(&all)
}

/// What stands in all of some conditions.
fn common(terms: &Terms, conditions: &[Term]) -> Vec<Term> {
    let each = conditions.iter().map(|&it| conjuncts(terms, it));
    each.reduce(|left, right| left.into_iter().filter(|it| right.contains(it)).collect())
        .unwrap_or_default()
}

/// A condition without some of what stands in it.
fn without(terms: &mut Terms, condition: Term, known: &[Term]) -> Term {
    let rest = conjuncts(terms, condition).into_iter();
    let rest: Vec<Term> = rest.filter(|it| !known.contains(it)).collect();
    terms.and(&rest)
}

/// Two conditions as one that is no larger, if they differ in one conjunct that one of them denies.
fn either(terms: &mut Terms, left: Term, right: Term) -> Option<Term> {
    let (ours, theirs) = (conjuncts(terms, left), conjuncts(terms, right));
    if ours.len() != theirs.len() {
        return None;
    }
    let own: Vec<Term> = ours
        .iter()
        .copied()
        .filter(|it| !theirs.contains(it))
        .collect();
    let others: Vec<Term> = theirs
        .iter()
        .copied()
        .filter(|it| !ours.contains(it))
        .collect();
    match (&own[..], &others[..]) {
        ([], []) => Some(left),
        (&[own], &[other]) if terms.not(own) == other => {
            let common: Vec<Term> = ours.into_iter().filter(|&it| it != own).collect();
            Some(terms.and(&common))
        }
        _ => None,
    }
}

fn conjuncts(terms: &Terms, condition: Term) -> Vec<Term> {
    match terms.node(condition) {
        Node::Apply(Op::And, of) => of.to_vec(),
        Node::Bool(true) => Vec::new(),
        _ => vec![condition],
    }
}

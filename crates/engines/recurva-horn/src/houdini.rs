//! From what may be lemmas to those that are: what does not follow is dropped, until the rest does.

use std::ops::ControlFlow;

use recurva_certificate::check::Judge;
use recurva_model::Stop;
use recurva_smt::{Answer, Term, Terms, Unknown};
use rustc_hash::FxHashMap;

use crate::clause::{Application, Clause, Predicate, System};

/// For each predicate, terms over its parameters.
pub(crate) type Lemmas = Vec<Vec<Term>>;

/// Drops lemmas until those that are left follow from each other.
pub(crate) fn inductive(
    terms: &mut Terms,
    system: &System,
    mut lemmas: Lemmas,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Lemmas, Stop> {
    // The clauses that have to be looked at, those for heads first.
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.predicates.len()];
    for (number, clause) in system.clauses.iter().enumerate() {
        for application in &clause.body {
            users[application.predicate].push(number);
        }
    }
    let mut waits = vec![true; system.clauses.len()];
    let mut work: Vec<usize> = (0..system.clauses.len()).rev().collect();
    while let Some(number) = work.pop() {
        waits[number] = false;
        let clause = &system.clauses[number];
        let Some(head) = &clause.head else {
            continue;
        };
        let before = lemmas[head.predicate].len();
        if before == 0 {
            continue;
        }
        if follow(terms, system, clause, head, &mut lemmas, judge, ask).is_break() {
            return Err(Stop);
        }
        if lemmas[head.predicate].len() < before {
            for &user in &users[head.predicate] {
                if !std::mem::replace(&mut waits[user], true) {
                    work.push(user);
                }
            }
        }
    }
    Ok(lemmas)
}

/// Whether no target is reached where some lemmas hold.
pub(crate) fn are_enough(
    terms: &mut Terms,
    system: &System,
    lemmas: &Lemmas,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<bool, Stop> {
    for clause in system.clauses.iter().filter(|it| it.head.is_none()) {
        let facts = facts(terms, system, clause, lemmas);
        match judge.judge(terms, &facts, ask) {
            Answer::Unsatisfiable(_) => {}
            Answer::Unknown(Unknown::Stopped) => return Err(Stop),
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// What is known in the body of a clause.
fn facts(terms: &mut Terms, system: &System, clause: &Clause, lemmas: &Lemmas) -> Vec<Term> {
    let mut facts = vec![clause.condition];
    for application in &clause.body {
        let predicate = &system.predicates[application.predicate];
        for &lemma in &lemmas[application.predicate] {
            facts.push(said(terms, predicate, application, lemma));
        }
    }
    facts
}

/// A lemma about arguments.
pub(crate) fn said(
    terms: &mut Terms,
    predicate: &Predicate,
    application: &Application,
    lemma: Term,
) -> Term {
    let parameters = predicate.parameters.iter().copied();
    let with: FxHashMap<Term, Term> = parameters
        .zip(application.arguments.iter().copied())
        .collect();
    terms.replace(lemma, &with)
}

/// Keeps the lemmas of a head that follow from the body.
fn follow(
    terms: &mut Terms,
    system: &System,
    clause: &Clause,
    head: &Application,
    lemmas: &mut Lemmas,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<()> {
    let predicate = &system.predicates[head.predicate];
    let facts = facts(terms, system, clause, lemmas);
    let mut open: Vec<(Term, Term)> = Vec::new();
    for &lemma in &lemmas[head.predicate] {
        open.push((lemma, said(terms, predicate, head, lemma)));
    }
    // All at once first: what is false in one model goes at once.
    while !open.is_empty() {
        let all: Vec<Term> = open.iter().map(|it| it.1).collect();
        let all = terms.and(&all);
        let not_all = terms.not(all);
        let question = [&facts[..], &[not_all]].concat();
        match judge.judge(terms, &question, ask) {
            Answer::Unsatisfiable(_) => break,
            Answer::Unknown(Unknown::Stopped) => return ControlFlow::Break(()),
            Answer::Satisfiable(model) => {
                let count = open.len();
                open.retain(|it| model.value(terms, it.1).is_some_and(|it| it.is_true()));
                if open.len() == count {
                    open.clear();
                }
            }
            // One by one, in the hope that some are easy.
            Answer::Unknown(_) => {
                let mut shown = Vec::new();
                for (lemma, here) in open {
                    let not_here = terms.not(here);
                    let question = [&facts[..], &[not_here]].concat();
                    match judge.judge(terms, &question, ask) {
                        Answer::Unsatisfiable(_) => shown.push((lemma, here)),
                        Answer::Unknown(Unknown::Stopped) => return ControlFlow::Break(()),
                        _ => {}
                    }
                }
                open = shown;
                break;
            }
        }
    }
    lemmas[head.predicate] = open.into_iter().map(|it| it.0).collect();
    ControlFlow::Continue(())
}

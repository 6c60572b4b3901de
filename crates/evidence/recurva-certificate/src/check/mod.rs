//! The checker of proofs, with an encoder of its own.
//!
//! For each path between two nodes of which something is said there is one question to a solver: can
//! the facts of this path be true together, and what should follow not? No paths are merged and nothing
//! is remembered from one question to the next, so there is little that can be wrong.
//!
//! What is said of a node is its formula. Without one:
//!
//! - a target, the entry of a procedure, and the exit of one that is called anywhere are not reached: to
//!   be shown;
//! - the entry of the main procedure, and a node where two or more edges lead, lack a formula: the proof is
//!   not accepted;
//! - of any other node, what holds there follows from where control was before.
//!
//! A target with a formula is not reached if that formula is never true.

mod claims;
mod expression;
mod integer;
mod judge;
mod meaning;
mod obligation;
mod step;
mod values;
mod walk;

use std::ops::ControlFlow;

use recurva_model::{Point, Program, Type, Variable};
use recurva_smt::{Answer, Model, Term, Terms, Unknown, Value};

pub use judge::{Both, EmbeddedJudge, Judge, ProcessJudge};
pub use obligation::{
    Checked, Counterexample, Failed, Obligation, ObligationKind, Reading, Rejected, Why,
};

use crate::{
    Proof,
    formula::{Scope, When},
};
use claims::Claims;
use meaning::{Meanings, State};
use values::{Cells, Values};
use walk::{Goal, Question, walk};

/// The most elements of an array that a counterexample tells.
const ELEMENTS: u32 = 64;

/// Checks that a proof shows that none of the targets is ever reached.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use recurva_certificate::{Formula, Proof, check::{EmbeddedJudge, check}};
/// use recurva_model::*;
///
/// // main: entry 0, exit 1, and an edge to the target 2 that is never open.
/// let mut never = Edge::skip(NodeId(0), NodeId(2), Origin::default());
/// never.guard = Expr::constant(0, Type::Bool);
/// let main = Procedure {
///     name: "main".into(), locals: vec![], parameters: 0, results: vec![],
///     nodes: vec![Node::default(); 3], edges: vec![never], entry: NodeId(0), exit: NodeId(1),
///     origin: Origin::default(),
/// };
/// let program = Program::new(Parts {
///     globals: vec![], procedures: vec![main], main: ProcId(0), labels: vec![], failures: vec![],
/// })?;
/// let point = |node| Point { procedure: ProcId(0), node: NodeId(node) };
/// let mut proof = Proof::default();
/// proof.formulas.insert(point(0), Formula::truth());
/// let mut judge = EmbeddedJudge::default();
/// let mut ask = || ControlFlow::Continue(());
/// let checked = check(&program, &[point(2)], &proof, &mut judge, &mut ask).unwrap();
/// assert_eq!(checked.obligations, 2);
/// # Ok::<(), Malformed>(())
/// ```
///
/// # Errors
///
/// If something that has to be shown was not: the first such thing, and why.
pub fn check(
    program: &Program,
    targets: &[Point],
    proof: &Proof,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Checked, Box<Rejected>> {
    let claims = Claims::new(program, targets, proof);
    if let Some(rejected) = claims.misformed().into_iter().next() {
        return Err(Box::new(rejected));
    }
    let mut obligations = 0;
    let mut rejected = None;
    let end = walk(&claims, &mut |terms, question| {
        obligations += 1;
        let scope = claims.scope(question.obligation.to.procedure);
        let goal = match question.goal {
            Goal::Never => Ok(None),
            Goal::Holds(formula) => Meanings::new(terms, formula, scope, question.after)
                .truth(formula.root())
                .ok_or(Why::TooLarge)
                .map(Some),
        };
        let shown = goal.and_then(|goal| show(terms, question, goal, program, judge, ask));
        let Err(why) = shown else {
            return ControlFlow::Continue(());
        };
        let obligation = question.obligation.clone();
        rejected = Some(Box::new(Rejected { obligation, why }));
        ControlFlow::Break(())
    });
    match (end, rejected) {
        (ControlFlow::Continue(()), None) => Ok(Checked { obligations }),
        (_, Some(rejected)) => Err(rejected),
        // The walk only ends early when something was not shown.
        (ControlFlow::Break(()), None) => Err(Box::new(Rejected {
            obligation: Obligation {
                kind: ObligationKind::Form,
                from: None,
                to: claims.main_entry(),
                edges: Vec::new(),
            },
            why: Why::Unknown(Unknown::Stopped),
        })),
    }
}

/// All that was not shown of what has to be, each conjunct of a formula by itself: for those who look for
/// a proof. It is one if nothing failed. When it was told to stop, the last thing that failed says so.
pub fn failing(
    program: &Program,
    targets: &[Point],
    proof: &Proof,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Vec<Failed> {
    let claims = Claims::new(program, targets, proof);
    let mut failed: Vec<Failed> = Vec::new();
    for Rejected { obligation, why } in claims.misformed() {
        failed.push(Failed {
            obligation,
            conjunct: None,
            why,
        });
    }
    if !failed.is_empty() {
        return failed;
    }
    // How it ended is in the list.
    let _ = walk(&claims, &mut |terms, question| {
        let scope = claims.scope(question.obligation.to.procedure);
        let obligation = || question.obligation.clone();
        let Goal::Holds(formula) = question.goal else {
            if let Err(why) = show(terms, question, None, program, judge, ask) {
                let is_over = why == Why::Unknown(Unknown::Stopped);
                failed.push(Failed {
                    obligation: obligation(),
                    conjunct: None,
                    why,
                });
                return if is_over {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                };
            }
            return ControlFlow::Continue(());
        };
        let meanings = Meanings::new(terms, formula, scope, question.after);
        for (number, part) in formula.conjunct_parts().into_iter().enumerate() {
            let goal = meanings.truth(part).ok_or(Why::TooLarge);
            let shown =
                goal.and_then(|goal| show(terms, question, Some(goal), program, judge, ask));
            if let Err(why) = shown {
                let is_over = why == Why::Unknown(Unknown::Stopped);
                failed.push(Failed {
                    obligation: obligation(),
                    conjunct: Some((number, formula.part(part))),
                    why,
                });
                if is_over {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    failed
}

/// Shows that a goal follows from the facts, or without one that they cannot be true together.
fn show(
    terms: &mut Terms,
    question: &Question<'_>,
    goal: Option<Term>,
    program: &Program,
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), Why> {
    let mut facts = question.facts.clone()?.to_vec();
    if let Some(goal) = goal {
        facts.push(terms.not(goal));
    }
    let answer = judge.judge(terms, &facts, ask);
    match judge::confirmed(answer, terms, &facts) {
        Answer::Unsatisfiable(_) => Ok(()),
        Answer::Unknown(unknown) => Err(Why::Unknown(unknown)),
        Answer::Satisfiable(model) => {
            let read = |point: Point, state: &State| {
                let procedure = point.procedure;
                readings(terms, &model, Scope { program, procedure }, state)
            };
            let (from, before) = (question.obligation.from, question.before);
            Err(Why::Refuted(Counterexample {
                from: from
                    .zip(before)
                    .map_or_else(Vec::new, |(point, state)| read(point, state)),
                to: read(question.obligation.to, question.after),
            }))
        }
    }
}

/// The values of all variables in a model.
fn readings(terms: &Terms, model: &Model, scope: Scope<'_>, state: &State) -> Vec<Reading> {
    let mut found = Vec::new();
    let moments: [(When, &Values); 2] = [(When::Entry, &state.entry), (When::Now, &state.now)];
    for (when, values) in moments {
        for (variable, declared) in scope.variables() {
            let Some(cells) = values.get(variable) else {
                continue;
            };
            for (element, value) in cell_values(terms, model, cells, declared) {
                found.push(Reading {
                    variable,
                    when,
                    element,
                    value,
                });
            }
        }
    }
    found
}

fn cell_values(
    terms: &Terms,
    model: &Model,
    cells: &Cells,
    declared: &Variable,
) -> Vec<(Option<u32>, i128)> {
    let shown = |bits: u64| match declared.ty {
        Type::Bool => i128::from(bits),
        ty @ Type::Int { .. } => ty.to_number(bits),
    };
    let value = |term: Term| match model.value(terms, term)? {
        Value::Bool(value) => Some(shown(u64::from(value))),
        Value::Bits(bits) => Some(shown(bits as u64)),
        Value::Int(_) | Value::Array(_) => None,
    };
    match cells {
        Cells::One(term) => value(*term).into_iter().map(|it| (None, it)).collect(),
        Cells::Each(elements) => {
            let all = (0..).map(Some).zip(elements.iter());
            all.filter_map(|(place, &term)| Some((place, value(term)?)))
                .collect()
        }
        Cells::Map(array) => match model.value(terms, *array) {
            Some(Value::Array(array)) => (0..declared.len.unwrap_or(0).min(ELEMENTS))
                .map(|it| (Some(it), shown(array.get(i128::from(it)) as u64)))
                .collect(),
            _ => Vec::new(),
        },
    }
}

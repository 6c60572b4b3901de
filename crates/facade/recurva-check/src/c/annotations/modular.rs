//! The modular check: each function by itself, calls by what is said of their callees.

use std::{collections::BTreeMap, ops::ControlFlow};

use recurva_certificate::{
    Builder, Formula, Proof,
    check::{Counterexample, Failed, Judge, Obligation, ObligationKind, Why, failing},
    formula::{Part, Scope},
};
use recurva_model::{Action, Malformed, NodeId, Origin, Point, ProcId, Program};

use super::{
    ClaimKind, Claimed,
    automatic::{Changes, initial},
    unfold::{Unfolded, unfold},
};

/// What came of the check.
#[derive(Debug)]
pub(super) struct Modular {
    /// All that is said and what was found to hold besides, at the nodes of the program itself. Nodes where
    /// branches meet have no formula; a prover can find them.
    pub(super) candidate: Proof,
    /// For each claim why it was not shown; of one that was there is nothing.
    pub(super) failed: Vec<Vec<NotShown>>,
    /// Whether it follows that no target is reached.
    pub(super) excludes_targets: bool,
}

/// Why a claim was not shown.
#[derive(Clone, Debug)]
pub(super) struct NotShown {
    /// In which way.
    pub(super) how: How,
    /// The step behind which it should hold: a call, a `return`, the end of a loop's body.
    pub(super) place: Origin,
    /// Values for which it is wrong, in words, or why nobody knows.
    pub(super) why: String,
    /// Whether there are such values.
    pub(super) is_refuted: bool,
    /// Of which nothing is said, though it matters: functions that are called, loops on the way.
    pub(super) unsaid: Vec<Unsaid>,
}

/// In which way a claim was not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum How {
    /// A call does not establish what the function requires.
    Call,
    /// A function does not establish what it ensures.
    End,
    /// An invariant does not hold when the loop is reached.
    Established,
    /// The body of the loop does not keep the invariant.
    Kept,
    /// An assertion is not implied.
    Implied,
}

/// Something of which nothing is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// A function.
    Function(Box<str>),
    /// A loop.
    Loop(Origin),
}

/// One formula of those at a node.
struct Conjunct {
    formula: Formula,
    /// The claim that it is part of; what is not part of one is left out if it is wrong.
    claim: Option<usize>,
}

/// Checks all claims, and whether they exclude the targets.
pub(super) fn check(
    program: &Program,
    claims: &[Claimed],
    targets: &[Point],
    judge: &mut dyn Judge,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Modular, Malformed> {
    let points = claims.iter().map(|it| it.point);
    let Unfolded {
        program: unfolded,
        cuts,
    } = unfold(program, &points.chain(targets.iter().copied()).collect())?;
    let mut said = conjuncts(
        program,
        claims,
        &cuts.into_iter().collect::<Vec<_>>(),
        targets,
    );
    loop {
        let (proof, numbers) = proof(&said);
        let failed = failing(&unfolded, targets, &proof, judge, ask);
        let mut dropped: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
        for failed in &failed {
            for number in meant(failed, &numbers) {
                let conjunct = &said[&failed.obligation.to][number];
                let is_hint = conjunct
                    .claim
                    .is_none_or(|it| claims[it].kind == ClaimKind::Hint);
                if is_hint {
                    dropped
                        .entry(failed.obligation.to)
                        .or_default()
                        .push(number);
                }
            }
        }
        if dropped.is_empty() || ask().is_break() {
            return Ok(outcome(&unfolded, claims, &said, &proof, &failed, &numbers));
        }
        for (point, numbers) in dropped {
            if let Some(list) = said.get_mut(&point) {
                let mut number = 0;
                list.retain(|_| {
                    number += 1;
                    !numbers.contains(&(number - 1))
                });
            }
        }
    }
}

/// All that is said at each node that has to have a formula.
fn conjuncts(
    program: &Program,
    claims: &[Claimed],
    cuts: &[Point],
    targets: &[Point],
) -> BTreeMap<Point, Vec<Conjunct>> {
    let changes = Changes::new(program);
    let first = initial(program);
    let mut said: BTreeMap<Point, Vec<Conjunct>> = BTreeMap::new();
    for &point in cuts.iter().filter(|it| !targets.contains(it)) {
        let list = said.entry(point).or_default();
        let is_entry = point.node == program.procedure(point.procedure).entry;
        let automatic = match is_entry {
            true => first.get(&point).cloned().unwrap_or_default(),
            false => changes.frame(program, point.procedure),
        };
        list.extend(automatic.into_iter().map(|formula| Conjunct {
            formula,
            claim: None,
        }));
    }
    for (number, claim) in claims.iter().enumerate() {
        let list = said.entry(claim.point).or_default();
        list.extend(
            claim
                .formula
                .conjuncts()
                .into_iter()
                .map(|formula| Conjunct {
                    formula,
                    claim: Some(number),
                }),
        );
    }
    said
}

/// For each node, and each conjunct of its formula, which of those that are said it is.
type Numbers = BTreeMap<Point, Vec<Vec<usize>>>;

/// The conjunctions.
fn proof(said: &BTreeMap<Point, Vec<Conjunct>>) -> (Proof, Numbers) {
    let mut proof = Proof::default();
    let mut numbers = Numbers::new();
    for (&point, list) in said {
        let mut builder = Builder::default();
        let mut parts: Vec<(Part, Vec<usize>)> = Vec::new();
        let is_false = list.iter().any(|it| it.formula.is_falsity());
        for (number, conjunct) in list.iter().enumerate() {
            let is_all = is_false && !conjunct.formula.is_falsity();
            if conjunct.formula.is_truth() || is_all {
                continue;
            }
            let part = builder.copy(&conjunct.formula);
            match parts.iter_mut().find(|(own, _)| *own == part) {
                Some((_, numbers)) => numbers.push(number),
                None => parts.push((part, vec![number])),
            }
        }
        let all = builder.and_all(parts.iter().map(|(part, _)| *part));
        proof.formulas.insert(point, builder.finish(all));
        numbers.insert(
            point,
            parts.into_iter().map(|(_, numbers)| numbers).collect(),
        );
    }
    (proof, numbers)
}

/// What was not shown.
fn meant(failed: &Failed, numbers: &Numbers) -> Vec<usize> {
    let Some((conjunct, _)) = failed.conjunct else {
        return Vec::new();
    };
    let here = numbers.get(&failed.obligation.to);
    here.and_then(|it| it.get(conjunct))
        .cloned()
        .unwrap_or_default()
}

fn outcome(
    program: &Program,
    claims: &[Claimed],
    said: &BTreeMap<Point, Vec<Conjunct>>,
    proof: &Proof,
    failed: &[Failed],
    numbers: &Numbers,
) -> Modular {
    let mut modular = Modular {
        candidate: Proof::default(),
        failed: vec![Vec::new(); claims.len()],
        excludes_targets: failed.is_empty(),
    };
    // A hint that was left out was not shown, but that is nothing to tell.
    for (&point, formula) in &proof.formulas {
        if !formula.is_truth() {
            modular.candidate.formulas.insert(point, formula.clone());
        }
    }
    let unsaid = |point: Point| {
        let list = said.get(&point);
        !list.is_some_and(|it| it.iter().any(|it| it.claim.is_some()))
    };
    for failed in failed {
        for number in meant(failed, numbers) {
            let claim = said[&failed.obligation.to][number].claim;
            if let Some(claim) = claim {
                let why = not_shown(program, claims[claim].kind, failed, &unsaid);
                modular.failed[claim].push(why);
            }
        }
    }
    modular
}

fn not_shown(
    program: &Program,
    kind: ClaimKind,
    failed: &Failed,
    unsaid: &dyn Fn(Point) -> bool,
) -> NotShown {
    let obligation = &failed.obligation;
    let procedure = match obligation.from {
        Some(from) => from.procedure,
        None => obligation.to.procedure,
    };
    let last = obligation.edges.last();
    let last = last.map(|edge| program.edge(procedure, *edge));
    let how = match (obligation.kind, kind) {
        (ObligationKind::Call(_) | ObligationKind::Start, _) => How::Call,
        (_, ClaimKind::Ensures) => How::End,
        (_, ClaimKind::LoopInvariant) => match last {
            Some(edge) if is_inside(program, obligation.to, edge.from) => How::Kept,
            _ => How::Established,
        },
        _ => How::Implied,
    };
    let (why, is_refuted) = match &failed.why {
        Why::Refuted(Counterexample { to, .. }) => {
            let scope = Scope {
                program,
                procedure: obligation.to.procedure,
            };
            let named = |it: &recurva_certificate::check::Reading| {
                scope.variable(it.variable).is_some_and(|it| !it.hidden)
            };
            let readings: Vec<_> = to.iter().filter(|it| named(it)).copied().collect();
            (Counterexample::describe(&readings, scope), true)
        }
        other => (other.to_string(), false),
    };
    NotShown {
        how,
        place: last.map(|edge| edge.origin).unwrap_or_default(),
        why,
        is_refuted,
        unsaid: all_unsaid(program, obligation, procedure, unsaid),
    }
}

/// What matters on the way of an obligation, and is not said.
fn all_unsaid(
    program: &Program,
    obligation: &Obligation,
    procedure: ProcId,
    unsaid: &dyn Fn(Point) -> bool,
) -> Vec<Unsaid> {
    let mut found = Vec::new();
    if let Some(from) = obligation.from {
        let declared = program.procedure(procedure);
        let is_entry = from.node == declared.entry;
        if !is_entry && unsaid(from) {
            found.push(Unsaid::Loop(declared.nodes[from.node.index()].origin));
        }
    }
    // The last call of an obligation about a call does not return.
    let is_call = matches!(obligation.kind, ObligationKind::Call(_));
    let returning = obligation.edges.len() - usize::from(is_call && !obligation.edges.is_empty());
    for &edge in &obligation.edges[..returning] {
        let Action::Call { callee, .. } = program.edge(procedure, edge).action else {
            continue;
        };
        let declared = program.procedure(callee);
        let exit = Point {
            procedure: callee,
            node: declared.exit,
        };
        let it = Unsaid::Function(declared.name.clone());
        if unsaid(exit) && !found.contains(&it) {
            found.push(it);
        }
    }
    found
}

/// Whether a node is only reached by way of a loop's head.
fn is_inside(program: &Program, head: Point, node: NodeId) -> bool {
    let procedure = program.procedure(head.procedure);
    let mut seen = vec![false; procedure.nodes.len()];
    let mut open = vec![procedure.entry];
    while let Some(at) = open.pop() {
        if at == head.node || std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        let from = Point { node: at, ..head };
        open.extend(program.edges_from(from).map(|(_, edge)| edge.to));
    }
    node == head.node || !seen[node.index()]
}

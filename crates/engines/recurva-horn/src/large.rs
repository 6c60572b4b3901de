//! Clauses for blocks: all paths from one cut to the next are one clause, with choices by `ite`.

use std::collections::BTreeMap;

use recurva_encode::{Encoder, Held, Step, Store};
use recurva_model::{EdgeId, NodeId, Patience, Point, ProcId, Stop, VarRef, liveness::VarSet};
use recurva_smt::{Sort, Term};

use crate::{
    clause::{Application, Reason},
    make::{Maker, Place},
    reduced::holds,
    scope::Scopes,
};

/// The values in which a node is reached on some ways, and when they are.
struct Way {
    condition: Term,
    now: Store,
}

/// Adds all clauses.
pub(crate) fn add(maker: &mut Maker<'_, '_>, patience: &mut Patience<'_>) -> Result<(), Stop> {
    maker.start();
    for cut in cuts(maker) {
        block(maker, cut, patience)?;
    }
    Ok(())
}

/// The nodes of a block, each before those that come after it; the cuts that end it are among them.
fn order(maker: &Maker<'_, '_>, cut: Point) -> Vec<NodeId> {
    let (prepared, program) = (maker.prepared, maker.program());
    let goes_on = |node: NodeId| {
        let point = Point { node, ..cut };
        let is_within = !prepared.is_cut(point);
        is_within && !holds(&prepared.reduced.is_target, point)
    };
    let mut is_seen = vec![false; program.procedure(cut.procedure).nodes.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(NodeId, bool)> = vec![(cut.node, false)];
    while let Some((node, is_done)) = stack.pop() {
        if is_done {
            order.push(node);
            continue;
        }
        if std::mem::replace(&mut is_seen[node.index()], true) {
            continue;
        }
        stack.push((node, true));
        if node == cut.node || goes_on(node) {
            let from = Point { node, ..cut };
            let edges = program.edges_from(from).map(|it| (it.1.to, false));
            stack.extend(edges.filter(|it| !is_seen[it.0.index()]));
        }
    }
    order.reverse();
    order
}

fn block(maker: &mut Maker<'_, '_>, cut: Point, patience: &mut Patience<'_>) -> Result<(), Stop> {
    let (start, mut facts) = maker.place(cut);
    let first = maker.apply(cut, &start);
    let truth = maker.encoder.terms.truth();
    let mut ways: BTreeMap<NodeId, Vec<Way>> = BTreeMap::new();
    let mut calls: Vec<(Point, EdgeId, Term, Store)> = Vec::new();
    for node in order(maker, cut) {
        let at = Point { node, ..cut };
        let prepared = maker.prepared;
        let is_start = node == cut.node;
        let (condition, now) = match (is_start, ways.remove(&node)) {
            (true, _) => (truth, start.now.clone()),
            (false, None) => continue,
            (false, Some(ways)) => {
                let live = prepared.scopes.live(at);
                joined(&mut maker.encoder, ways, live)
            }
        };
        let body = [first.clone()];
        if !is_start {
            if holds(&prepared.reduced.is_target, at) {
                let conditions = [&facts[..], &[condition]].concat();
                maker.clause(&body, &conditions, None, Reason::Target(cut, at));
                continue;
            }
            if !Scopes::is_wanted(&prepared.reduced, at) {
                continue;
            }
            if prepared.is_cut(at) {
                let conditions = [&facts[..], &[condition]].concat();
                arrive(maker, &body, &conditions, (cut, at), &start.entry, now);
                continue;
            }
        }
        leave(
            maker,
            at,
            (condition, now),
            &mut facts,
            &mut ways,
            &mut calls,
            patience,
        )?;
    }
    // A loop's own head is reached again.
    if let Some(again) = ways.remove(&cut.node) {
        let live = maker.prepared.scopes.live(cut);
        let (condition, now) = joined(&mut maker.encoder, again, live);
        let conditions = [&facts[..], &[condition]].concat();
        arrive(
            maker,
            std::slice::from_ref(&first),
            &conditions,
            (cut, cut),
            &start.entry,
            now,
        );
    }
    for (from, edge_id, condition, now) in calls {
        call(
            maker,
            &first,
            &start.entry,
            &facts,
            cut,
            (from, edge_id, condition, &now),
        );
    }
    Ok(())
}

/// The clause that says that a cut is reached.
fn arrive(
    maker: &mut Maker<'_, '_>,
    body: &[Application],
    conditions: &[Term],
    (from, to): (Point, Point),
    entry: &Store,
    now: Store,
) {
    let place = Place {
        entry: entry.clone(),
        now,
    };
    let head = maker.apply(to, &place);
    maker.clause(body, conditions, Some(head), Reason::Steps(from, to));
}

/// Follows the edges of a node.
fn leave(
    maker: &mut Maker<'_, '_>,
    at: Point,
    (condition, now): (Term, Store),
    facts: &mut Vec<Term>,
    ways: &mut BTreeMap<NodeId, Vec<Way>>,
    calls: &mut Vec<(Point, EdgeId, Term, Store)>,
    patience: &mut Patience<'_>,
) -> Result<(), Stop> {
    let program = maker.program();
    let mut steps = Vec::new();
    for (edge_id, edge) in program.edges_from(at) {
        patience.step()?;
        let (step, more) = maker.step(at, edge, &now);
        facts.extend(more);
        match step {
            Step::Internal(step) => steps.push((edge.to, step.condition, step.store)),
            // Its condition is made again where the clauses of the call are.
            Step::Call(_) => calls.push((at, edge_id, condition, now.clone())),
        }
    }
    let terms = &mut maker.encoder.terms;
    // Ways have to exclude each other for `ite` to tell them apart.
    let excludes = match &steps[..] {
        [] | [_] => true,
        [left, right] => terms.not(left.1) == right.1,
        _ => false,
    };
    let mut none_before = Vec::new();
    let last = steps.len().saturating_sub(1);
    for (number, (to, guard, now)) in steps.into_iter().enumerate() {
        let mut all = vec![condition, guard];
        if !excludes {
            all.extend(&none_before);
            if number < last {
                let chosen = terms.fresh("chosen", Sort::Bool);
                all.push(chosen);
                none_before.push(terms.not(chosen));
            }
        }
        let condition = terms.and(&all);
        if condition != terms.falsity() {
            ways.entry(to).or_default().push(Way { condition, now });
        }
    }
    Ok(())
}

/// The clauses of a call, and of what is behind it.
fn call(
    maker: &mut Maker<'_, '_>,
    first: &Application,
    entry: &Store,
    facts: &[Term],
    cut: Point,
    (from, edge_id, condition, now): (Point, EdgeId, Term, &Store),
) {
    let edge = maker.program().edge(from.procedure, edge_id);
    let (Step::Call(call), more) = maker.step(from, edge, now) else {
        return;
    };
    let mut conditions = [facts, &more[..], &[condition, call.condition]].concat();
    let mut body = vec![first.clone()];
    maker.call(&call, now, &body, &conditions, (from, edge_id));
    let to = Point {
        node: edge.to,
        ..from
    };
    let Some((after, summary, known)) = maker.after(&call, now) else {
        return;
    };
    body.push(summary);
    conditions.extend(known);
    if holds(&maker.prepared.reduced.is_target, to) {
        maker.clause(&body, &conditions, None, Reason::Target(cut, to));
    } else if Scopes::is_wanted(&maker.prepared.reduced, to) {
        arrive(maker, &body, &conditions, (cut, to), entry, after);
    }
}

/// The values where ways meet. Those of variables that do not matter are those of any way.
fn joined(encoder: &mut Encoder<'_>, ways: Vec<Way>, live: VarSet<'_>) -> (Term, Store) {
    let mut ways = ways.into_iter().rev();
    let Some(last) = ways.next() else {
        return (
            encoder.terms.falsity(),
            Store {
                globals: Vec::new(),
                locals: Vec::new(),
            },
        );
    };
    let (mut condition, mut now) = (last.condition, last.now);
    for way in ways {
        let mut join = |variable: VarRef, there: &mut Held, here: &Held| {
            if there == here || !live.contains(variable) {
                return;
            }
            let mut others = there.terms().to_vec().into_iter();
            *there = here.map(|term| match others.next() {
                Some(other) => encoder.terms.if_then_else(way.condition, term, other),
                None => term,
            });
        };
        for (index, (there, here)) in (0..).zip(now.globals.iter_mut().zip(&way.now.globals)) {
            join(VarRef::Global(index), there, here);
        }
        for (index, (there, here)) in (0..).zip(now.locals.iter_mut().zip(&way.now.locals)) {
            join(VarRef::Local(index), there, here);
        }
        condition = encoder.terms.or(&[condition, way.condition]);
    }
    (condition, now)
}

/// The nodes with predicates.
fn cuts(maker: &Maker<'_, '_>) -> Vec<Point> {
    let prepared = maker.prepared;
    let mut cuts = Vec::new();
    for (index, procedure) in prepared.program().procedures().iter().enumerate() {
        let points = (0..procedure.nodes.len() as u32).map(|node| Point {
            procedure: ProcId(index as u32),
            node: NodeId(node),
        });
        cuts.extend(
            points.filter(|&it| Scopes::is_wanted(&prepared.reduced, it) && prepared.is_cut(it)),
        );
    }
    cuts
}

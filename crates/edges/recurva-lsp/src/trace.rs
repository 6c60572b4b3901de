//! The steps of a counterexample, as an editor lists them.

use std::collections::VecDeque;

use recurva_evidence::{Next, Part, Replayed, Walk};
use recurva_model::Origin;
use recurva_report::Snapshot;

/// At most so many steps are listed: the last ones, which lead to the violation.
const LISTED: usize = 100;

/// A step: where, and what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) origin: Origin,
    pub(crate) text: String,
}

/// The steps of a run. A call that returns is one step.
pub(crate) fn steps(replayed: &Replayed<'_>) -> Vec<Step> {
    let mut walk = replayed.walk();
    let mut list: VecDeque<Step> = VecDeque::new();
    let mut number = 0usize;
    while let Some(next) = walk.next() {
        let before = Snapshot::of(walk.configuration());
        let turn = walk.position().part == Part::Turn;
        let procedure = walk.configuration().top().procedure;
        let (edge, what) = match next {
            Next::Internal(edge) => (Some(edge), String::new()),
            Next::Call { edge, callee, .. } => {
                let name = &replayed.program().procedure(callee).name;
                (Some(edge), format!(", {name} is called"))
            }
            Next::Return => (None, String::new()),
        };
        if !advance(&mut walk, next) {
            break;
        }
        // A return that belongs to no call of the list is none of its steps.
        let Some(edge) = edge else { continue };
        number += 1;
        let changes = before.changes(replayed.machine(), walk.configuration());
        let changes = match changes.is_empty() {
            true => String::new(),
            false => format!(": {}", changes.join(", ")),
        };
        let ever = if turn { " (again and again)" } else { "" };
        if list.len() == LISTED {
            list.pop_front();
        }
        list.push_back(Step {
            origin: replayed.program().edge(procedure, edge).origin,
            text: format!("step {number}{ever}{what}{changes}"),
        });
    }
    list.into()
}

fn advance(walk: &mut Walk<'_, '_>, next: Next) -> bool {
    match next {
        Next::Call {
            through: Some(_), ..
        } => walk.step_over(),
        _ => walk.step_in(),
    }
}

/// The place where a run ends.
pub(crate) fn end(replayed: &Replayed<'_>) -> Origin {
    let program = replayed.program();
    let point = replayed.end().top().point();
    let failure = program.failures().iter().find(|it| it.point == point);
    let label = program.labels().iter().find(|it| it.point == point);
    let node = program
        .procedure(point.procedure)
        .nodes
        .get(point.node.0 as usize);
    let origin = failure.map(|it| it.origin).or(label.map(|it| it.origin));
    origin.or(node.map(|it| it.origin)).unwrap_or_default()
}

//! What a counterexample shows, in words.

use recurva_check::{Property, RunContext};
use recurva_evidence::{Lasso, Replayed};
use recurva_model::Origin;

use crate::{found::target_states, lines::Lines, numbers::counted};

/// Where and how a run violates its property.
#[derive(Debug)]
pub struct Failing {
    /// What happens there, with the text that fails.
    pub what: String,
    /// What the last line of the trace says.
    pub short: String,
    /// Where.
    pub origin: Origin,
}

/// What happens at the end of a run.
pub fn failing(run: &RunContext<'_>, replayed: &Replayed<'_>, lines: &Lines<'_>) -> Failing {
    let program = run.program;
    let point = replayed.end().top().point();
    let node = program.procedure(point.procedure).nodes[point.node.index()].origin;
    if let Some(lasso) = replayed.lasso() {
        return going_on(lasso, node);
    }
    if let Property::Monitor(monitor) = run.property {
        let state = target_states(monitor, replayed);
        let what = format!(
            "monitor `{}` is in its target state `{state}`",
            monitor.name()
        );
        return Failing {
            short: format!("! {what}"),
            what,
            origin: node,
        };
    }
    if let Some(failure) = program
        .failures()
        .iter()
        .find(|failure| failure.point == point)
    {
        let short = failure.kind.what();
        let what = match lines.excerpt(failure.origin) {
            Some(text) => format!("{short}: {text}"),
            None => short.to_owned(),
        };
        return Failing {
            what,
            short: format!("! {short}"),
            origin: failure.origin,
        };
    }
    let mut labels = program.labels().iter().filter(|l| l.point == point);
    let first = labels.next();
    let mut what = match first {
        Some(label) => format!("label `{}` is reached", label.name),
        None => "a node that must not be reached is reached".to_owned(),
    };
    // A node may have several; the user asked for one of them.
    for label in labels {
        what += &format!(", which is also `{}`", label.name);
    }
    let origin = match first {
        Some(label) if node.is_none() => label.origin,
        _ => node,
    };
    Failing {
        short: format!("! {what}"),
        what,
        origin,
    }
}

/// What happens at the end of the first turn of an infinite run.
fn going_on(lasso: &Lasso, origin: Origin) -> Failing {
    let (what, short) = match (lasso.length(), lasso.frames() as u64) {
        (0, _) => (
            "a run violates it that ends, and stays in its last state".to_owned(),
            "⟲ the run is over and stays here for ever".to_owned(),
        ),
        (_, 0) => (
            "an infinite run violates it whose stack stays finite".to_owned(),
            "⟲ back to where the turn began".to_owned(),
        ),
        (_, frames) => (
            "an infinite run violates it whose stack grows for ever".to_owned(),
            format!(
                "⟲ back to where the turn began, {} deeper",
                counted(frames, "frame")
            ),
        ),
    };
    Failing {
        what,
        short,
        origin,
    }
}

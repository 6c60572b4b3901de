//! Where a trace ends, and why one from elsewhere shows nothing.

use recurva_check::Unconfirmed;
use recurva_evidence::{Mismatch, Part, Reason, Replayed, Step, Trace, Via};
use recurva_model::{Action, Origin, ProcId, Program};

use crate::{Question, lines::Lines, verdict::failing};

/// What a run comes to, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What happens there, in words.
    pub what: String,
    /// The file.
    pub file: String,
    /// The line, if it is known.
    pub line: Option<usize>,
}

/// What a replayed run comes to.
pub fn ending(question: &Question<'_>, replayed: &Replayed<'_>) -> Ending {
    let lines = Lines::of(question);
    let failing = failing(question, replayed, &lines);
    at(&lines, question, failing.what, failing.origin)
}

fn at(lines: &Lines<'_>, question: &Question<'_>, what: String, origin: Origin) -> Ending {
    let file = lines.file(origin).unwrap_or(question.source.name());
    Ending {
        what,
        file: file.to_owned(),
        line: lines.number(origin),
    }
}

/// Why a trace does not show that a property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why, in words, and where that is in the text.
    pub why: Ending,
    /// The statement there, if there is one.
    pub statement: Option<String>,
}

impl Refusal {
    /// A refusal that has no place in the text.
    pub fn new(question: &Question<'_>, what: String) -> Self {
        let lines = Lines::of(question);
        Refusal {
            why: at(&lines, question, what, Origin::default()),
            statement: None,
        }
    }

    /// For people.
    pub fn text(&self, question: &Question<'_>) -> String {
        let (property, model) = (question.property.name(), question.source.name());
        let Ending { what, file, line } = &self.why;
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let statement = self.statement.iter().filter(|text| !text.is_empty());
        let statement: String = statement.map(|text| format!("    {text}\n")).collect();
        format!("not confirmed: {property} ({model})\n  {file}{line}: {what}\n{statement}")
    }

    /// For programs: an object on one line, like that of an outcome.
    pub fn json(&self, question: &Question<'_>) -> String {
        let Ending { what, file, line } = &self.why;
        let report = serde_json::json!({
            "verdict": "unknown",
            "property": question.property.name(),
            "model": question.source.name(),
            "engine": recurva_check::REPLAY,
            "limit": { "kind": "replay", "reason": what, "file": file, "line": line },
        });
        format!("{report}\n")
    }
}

/// Says why a trace, as it reads for the program, does not show what it should.
pub fn refusal(question: &Question<'_>, trace: &Trace, why: &Unconfirmed) -> Refusal {
    let lines = Lines::of(question);
    let model = question.source.name();
    let (what, origin) = match why {
        Unconfirmed::Mismatch(mismatch) if mismatch.reason == Reason::Claim => (
            "the run is possible, but nothing is wrong at its end".to_owned(),
            place(question.program, trace, mismatch),
        ),
        Unconfirmed::Mismatch(mismatch) => {
            let step = mismatch.step + 1;
            let step = match mismatch.part {
                Part::Stem => format!("step {step}"),
                Part::Turn => format!("step {step} of the turn"),
                Part::Body(body) => {
                    let procedure = trace.bodies[body.index()].procedure;
                    let name = &question.program.procedure(procedure).name;
                    format!("step {step} of a call of {name}")
                }
            };
            let reason = mismatch.reason;
            (
                format!("the trace is not a run of {model}: {step}: {reason}"),
                place(question.program, trace, mismatch),
            )
        }
        Unconfirmed::Satisfied => (
            "the run is possible, but the property is true of it".to_owned(),
            None,
        ),
        Unconfirmed::NotAsked => (
            "the run is possible, but none of those that the question is about".to_owned(),
            None,
        ),
    };
    let origin = origin.unwrap_or_default();
    Refusal {
        statement: lines.excerpt(origin),
        why: at(&lines, question, what, origin),
    }
}

/// Where a step is in the text, or where a list of steps ends.
fn place(program: &Program, trace: &Trace, mismatch: &Mismatch) -> Option<Origin> {
    let (mut procedure, steps) = match mismatch.part {
        Part::Stem => (program.main(), &trace.stem[..]),
        Part::Turn => (
            follow(program, program.main(), &trace.stem)?,
            trace.turn_steps(),
        ),
        Part::Body(body) => {
            let body = &trace.bodies[body.index()];
            (body.procedure, &body.steps[..])
        }
    };
    if let Some(step) = steps.get(mismatch.step) {
        procedure = follow(program, procedure, &steps[..mismatch.step])?;
        let edges = &program.procedure(procedure).edges;
        return Some(edges.get(step.edge.index())?.origin);
    }
    let (last, before) = steps.split_last()?;
    procedure = follow(program, procedure, before)?;
    let procedure = program.procedure(procedure);
    let end = procedure.edges.get(last.edge.index())?.to;
    Some(procedure.nodes.get(end.index())?.origin)
}

/// The procedure that is running behind some steps, of which some may be none.
fn follow(program: &Program, mut procedure: ProcId, steps: &[Step]) -> Option<ProcId> {
    for step in steps.iter().filter(|step| step.via == Via::Into) {
        let edge = program.procedure(procedure).edges.get(step.edge.index())?;
        match edge.action {
            Action::Call { callee, .. } => procedure = callee,
            Action::Assign { .. } => return None,
        }
    }
    Some(procedure)
}

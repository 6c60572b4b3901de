//! Outcomes as JSON.

use std::io;

use recurva_check::{Limit, Outcome, Stack, Verdict};
use recurva_evidence::{Replayed, Step, Via};
use recurva_model::{Action, ProcId, Program, Type, Variable, semantics::Frame};

use crate::{
    Question,
    data::{
        BodyData, End, Evidence, FrameData, KindsData, LimitData, Report, StatsData, StepData,
        Stream, TurnData, Value, Values, ViaData,
    },
    lines::Lines,
    verdict::failing,
};

/// At most this many frames of a call stack are listed.
const FRAMES: usize = 1000;

/// Writes an outcome as one JSON object on one line, for programs.
///
/// # Errors
///
/// Those of the writer.
pub fn json(
    out: &mut dyn io::Write,
    question: &Question<'_>,
    outcome: &Outcome<'_>,
) -> io::Result<()> {
    let lines = Lines::of(question);
    let (verdict, limit, evidence) = match &outcome.verdict {
        Verdict::Holds => ("holds", None, None),
        Verdict::Violated(violation) => (
            "violated",
            None,
            Some(evidence(question, &violation.replayed, &lines)),
        ),
        Verdict::Unfinished(limit) => ("violated", Some(limit_data(*limit)), None),
        Verdict::Unknown(limit) => ("unknown", Some(limit_data(*limit)), None),
    };
    let stats = outcome.stats;
    let kinds = match &outcome.verdict {
        Verdict::Violated(violation) => violation.kinds,
        Verdict::Holds | Verdict::Unfinished(_) | Verdict::Unknown(_) => None,
    };
    let report = Report {
        verdict,
        property: question.property.name(),
        model: question.source.name(),
        engine: outcome.engine,
        stack: outcome.stack.map(|stack| match stack {
            Stack::Any => "any",
            Stack::Finite => "finite",
            Stack::Diverging => "diverging",
        }),
        kinds: kinds.map(|kinds| KindsData {
            finite: kinds.finite,
            diverging: kinds.diverging,
        }),
        limit,
        stats: StatsData {
            states: stats.states,
            path_edges: stats.path_edges,
            summaries: stats.summaries,
            nodes: stats.nodes,
            seconds: stats.seconds,
            peak_bytes: stats.peak_bytes,
        },
        evidence,
    };
    serde_json::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

fn limit_data(limit: Limit) -> LimitData {
    match limit {
        Limit::Time(time) => LimitData::Time {
            seconds: time.as_secs_f64(),
        },
        Limit::Memory(bytes) => LimitData::Memory { bytes },
        Limit::PathEdges => LimitData::PathEdges,
        Limit::Nodes => LimitData::Nodes,
        Limit::Bits => LimitData::Bits,
        Limit::Automaton(cause) => LimitData::Automaton {
            reason: cause.to_string(),
        },
        Limit::Interrupted => LimitData::Interrupted,
    }
}

fn evidence<'a>(
    question: &Question<'a>,
    replayed: &'a Replayed<'_>,
    lines: &'a Lines<'a>,
) -> Evidence<'a> {
    let program = replayed.program();
    let trace = replayed.trace();
    let main = program.procedure(program.main());
    let bodies = move || -> Box<dyn Iterator<Item = BodyData<'a>> + 'a> {
        Box::new(trace.bodies.iter().map(move |body| BodyData {
            procedure: &program.procedure(body.procedure).name,
            steps: steps(program, lines, body.procedure, &body.steps),
        }))
    };
    let turn = replayed.lasso().map(|lasso| TurnData {
        length: lasso.length(),
        depth: lasso.depth(),
        frames: lasso.frames(),
        // It ends in the procedure in which it began.
        steps: steps(
            program,
            lines,
            replayed.end().top().procedure,
            trace.turn_steps(),
        ),
    });
    Evidence {
        kind: if turn.is_some() { "lasso" } else { "trace" },
        length: replayed.length(),
        globals: values(program.globals(), &trace.globals),
        locals: values(&main.locals, &trace.locals),
        bodies: Stream(Box::new(bodies)),
        stem: steps(program, lines, program.main(), &trace.stem),
        turn,
        end: end(question, replayed, lines),
    }
}

fn steps<'a>(
    program: &'a Program,
    lines: &'a Lines<'a>,
    first: ProcId,
    steps: &'a [Step],
) -> Stream<'a, StepData<'a>> {
    Stream(Box::new(move || {
        // A pending call goes on in the callee.
        let mut procedure = first;
        Box::new(steps.iter().map(move |step| {
            let edge = program.edge(procedure, step.edge);
            let callee = match edge.action {
                Action::Call { callee, .. } => Some(callee),
                Action::Assign { .. } => None,
            };
            let via = match step.via {
                Via::Internal => ViaData::Internal,
                Via::Into => ViaData::Into,
                Via::Through(body) => ViaData::Through(body.0),
            };
            if let (Via::Into, Some(callee)) = (step.via, callee) {
                procedure = callee;
            }
            StepData {
                edge: step.edge.0,
                line: lines.number(edge.origin),
                file: lines.file(edge.origin),
                choices: &step.choices,
                via,
                callee: callee.map(|callee| &*program.procedure(callee).name),
            }
        }))
    }))
}

fn end<'a>(question: &Question<'a>, replayed: &'a Replayed<'_>, lines: &Lines<'a>) -> End<'a> {
    let program = replayed.program();
    let end = replayed.end();
    let frame = end.top();
    let procedure = program.procedure(frame.procedure);
    let failing = failing(question, replayed, lines);
    let monitor = match question.property {
        recurva_check::Property::Monitor(monitor) => replayed.end_states().map(|states| {
            states
                .iter()
                .map(|&state| &*monitor.states()[state as usize].name)
                .collect()
        }),
        _ => None,
    };
    let origin = |frame: &Frame| match frame.pending {
        Some(edge) => program.edge(frame.procedure, edge).origin,
        None => failing.origin,
    };
    let stack = end
        .stack
        .iter()
        .skip(end.stack.len().saturating_sub(FRAMES));
    let stack = stack.map(|frame| FrameData {
        procedure: &program.procedure(frame.procedure).name,
        line: lines.number(origin(frame)),
        file: lines.file(origin(frame)),
    });
    End {
        procedure: &procedure.name,
        node: frame.node.0,
        line: lines.number(failing.origin),
        file: lines.file(failing.origin),
        globals: values(program.globals(), &end.globals),
        locals: values(&procedure.locals, &frame.locals),
        monitor,
        depth: end.stack.len(),
        stack: stack.collect(),
        what: failing.what,
    }
}

fn values<'a>(variables: &'a [Variable], values: &[u64]) -> Values<'a> {
    let mut rest = values;
    let mut out = Vec::with_capacity(variables.len());
    for variable in variables {
        let (own, others) = rest.split_at(variable.slots());
        rest = others;
        let value = match variable.len {
            None => value(variable.ty, own[0]),
            Some(_) => Value::Array(own.iter().map(|&raw| value(variable.ty, raw)).collect()),
        };
        out.push((&*variable.name, value));
    }
    Values(out)
}

fn value(ty: Type, raw: u64) -> Value {
    match ty {
        Type::Bool => Value::Bool(raw != 0),
        Type::Int { signed: false, .. } => Value::Unsigned(raw),
        Type::Int { signed: true, .. } => Value::Signed(ty.sign_extend(raw)),
    }
}

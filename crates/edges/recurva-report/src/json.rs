//! Answers as JSON.

use std::io;

use recurva_check::{
    About, Answer, Context, Direction, Evidence, Limit, LoopKind, Note, RunContext, Stack,
};
use recurva_evidence::{Replayed, Step, Via};
use recurva_model::{Action, ProcId, Program, Type, Variable, semantics::Frame};

use crate::{
    Detail, Layout,
    c_json::c_run_data,
    data::{
        BodyData, End, EvidenceData, FrameData, KindsData, Length, LimitData, NoteData, RanksData,
        Report, RunData, StatementData, StatsData, StepData, Stream, TurnData, Value, Values,
        ViaData,
    },
    found::summary,
    lines::Lines,
    proof::word,
    strategy::positions,
    verdict::failing,
};

/// At most this many frames of a call stack are listed.
const FRAMES: usize = 1000;

/// Writes an answer as one JSON object on one line, for programs. Of the layout only
/// [`Detail::None`] matters: it leaves the steps of runs out.
///
/// # Errors
///
/// Those of the writer.
pub fn json(
    out: &mut dyn io::Write,
    context: &Context<'_>,
    answer: &Answer<'_>,
    layout: Layout,
) -> io::Result<()> {
    let lines = Lines::in_context(context);
    let report = Report {
        verdict: answer.verdict.word(),
        summary: summary(context, answer),
        property: &context.name,
        model: context.source.name(),
        entry: context.entry,
        engine: answer.engine,
        stack: answer.stack.map(|stack| match stack {
            Stack::Any => "any",
            Stack::Finite => "finite",
            Stack::Diverging => "diverging",
        }),
        kinds: answer.kinds.map(|kinds| KindsData {
            finite: kinds.finite,
            diverging: kinds.diverging,
        }),
        limit: answer.limit().map(limit_data),
        notes: answer
            .notes
            .iter()
            .map(|note| note_data(context, &lines, note))
            .collect(),
        stats: StatsData(&answer.stats),
        evidence: (answer.evidence.as_ref())
            .and_then(|evidence| evidence_data(context, answer, evidence, &lines, layout.detail)),
    };
    serde_json::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

fn note_data<'a>(context: &Context<'a>, lines: &Lines<'a>, note: &'a Note) -> NoteData<'a> {
    let place = note.place;
    NoteData {
        text: &note.text,
        help: note.help.as_deref(),
        file: place.map(|place| lines.file(place).unwrap_or(context.source.name())),
        line: place.and_then(|place| lines.number(place)),
    }
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
        Limit::States(states) => LimitData::States { states },
        Limit::Functions(functions) => LimitData::Functions { functions },
        Limit::Claims(claims) => LimitData::Claims { claims },
        Limit::Positions(positions) => LimitData::Positions { positions },
        Limit::Sets(sets) => LimitData::Sets { sets },
        Limit::Work(work) => LimitData::Work { work },
        Limit::Letters(letters) => LimitData::Letters { letters },
        Limit::NotModelled => LimitData::NotModelled,
        Limit::NotProved => LimitData::NotProved,
        Limit::Interrupted => LimitData::Interrupted,
    }
}

fn evidence_data<'a>(
    context: &Context<'a>,
    answer: &'a Answer<'_>,
    evidence: &'a Evidence<'_>,
    lines: &'a Lines<'a>,
    detail: Detail,
) -> Option<EvidenceData<'a>> {
    let kind = evidence.name();
    Some(match evidence {
        Evidence::Run(replayed) => {
            let About::Runs(run) = &context.about else {
                return None;
            };
            if let Some(c_run) = &answer.c_run {
                let failing = failing(run, replayed, lines);
                let data = c_run_data(c_run, lines, &failing, detail);
                return Some(EvidenceData::CRun(Box::new(data)));
            }
            EvidenceData::Run(Box::new(run_data(run, replayed, lines, detail)))
        }
        Evidence::Strategy(refutation) => EvidenceData::Strategy {
            kind,
            positions: positions(refutation, lines),
        },
        Evidence::Words(words) => match &words.turn {
            None => EvidenceData::Words {
                kind,
                size: words.size(),
                words: &words.stem,
                actions: &words.actions,
            },
            Some(turn) => EvidenceData::Lasso {
                kind,
                size: words.size(),
                process: words.process,
                stem: &words.stem,
                turn,
            },
        },
        Evidence::Invariant(invariant) => EvidenceData::Invariant {
            kind,
            states: invariant.states,
            edges: invariant.edges,
            exact: invariant.exact,
            direction: match invariant.direction {
                Direction::Forward => "forward",
                Direction::Backward => "backward",
            },
            expression: invariant.expression.as_deref(),
            dot: recurva_draw::dot(&invariant.drawing),
        },
        Evidence::Proof(proof) => EvidenceData::Proof {
            kind,
            obligations: proof.obligations,
            checked_by: proof.solvers.iter().map(|it| &*it.name).collect(),
            statements: proof
                .statements
                .iter()
                .map(|it| StatementData {
                    kind: word(it.kind),
                    function: &it.function,
                    file: lines.file(it.place),
                    line: lines.number(it.place),
                    formula: &it.formula,
                })
                .collect(),
            ranks: proof.ranks.as_ref().map(|ranks| {
                let ranks = ranks.iter().map(|it| RanksData {
                    kind: match it.kind {
                        LoopKind::Loop => "loop",
                        LoopKind::Recursion => "recursion",
                        LoopKind::End => "end",
                    },
                    function: &it.function,
                    file: lines.file(it.place),
                    line: lines.number(it.place),
                    falls: it.numbers.iter().map(|it| &*it.text).collect(),
                });
                ranks.collect()
            }),
        },
        Evidence::NoFairLoop(proof) => EvidenceData::NoFairLoop {
            kind,
            reachable: proof.reachable,
            loops: proof.loops,
        },
    })
}

fn run_data<'a>(
    run: &RunContext<'a>,
    replayed: &'a Replayed<'_>,
    lines: &'a Lines<'a>,
    detail: Detail,
) -> RunData<'a> {
    let program = replayed.program();
    let trace = replayed.trace();
    let main = program.procedure(program.main());
    let bodies = move || -> Box<dyn Iterator<Item = BodyData<'a>> + 'a> {
        Box::new(trace.bodies.iter().map(move |body| BodyData {
            procedure: &program.procedure(body.procedure).name,
            steps: steps(program, lines, body.procedure, &body.steps),
        }))
    };
    let is_told = detail != Detail::None;
    let turn = replayed.lasso().map(|lasso| TurnData {
        length: Length::new(lasso.length()),
        depth: lasso.depth(),
        frames: lasso.frames(),
        // It ends in the procedure in which it began.
        steps: is_told.then(|| {
            let procedure = replayed.end().top().procedure;
            steps(program, lines, procedure, trace.turn_steps())
        }),
    });
    RunData {
        kind: if turn.is_some() { "lasso" } else { "trace" },
        length: Length::new(replayed.length()),
        globals: values(program.globals(), &trace.globals),
        locals: values(&main.locals, &trace.locals),
        bodies: is_told.then(|| Stream(Box::new(bodies))),
        stem: is_told.then(|| steps(program, lines, program.main(), &trace.stem)),
        turn,
        end: end(run, replayed, lines),
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

fn end<'a>(run: &RunContext<'a>, replayed: &'a Replayed<'_>, lines: &Lines<'a>) -> End<'a> {
    let program = replayed.program();
    let end = replayed.end();
    let frame = end.top();
    let procedure = program.procedure(frame.procedure);
    let failing = failing(run, replayed, lines);
    let monitor = match run.property {
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

//! Runs of C programs as JSON.

use recurva_check::{CKind, CRun, CStep, CValue};

use crate::{
    Detail,
    c_run::depth,
    data::{CEndData, CRunData, CStepData, FrameData, InputData, Length, Stream, Texts},
    lines::Lines,
    verdict::Failing,
};

/// A run, and what is wrong at its end. With [`Detail::None`] without its steps.
pub(crate) fn c_run_data<'a>(
    run: &'a CRun,
    lines: &'a Lines<'a>,
    failing: &Failing,
    detail: Detail,
) -> CRunData<'a> {
    let steps = move || -> Box<dyn Iterator<Item = CStepData<'a>> + 'a> {
        Box::new(run.steps.iter().map(move |step| step_data(step, lines)))
    };
    let top = run.end.stack.last();
    let stack = run.end.stack.iter().enumerate().map(|(index, frame)| {
        let origin = match index + 1 == run.end.stack.len() {
            true => failing.origin,
            false => frame.origin,
        };
        FrameData {
            procedure: &frame.function,
            line: lines.number(origin),
            file: lines.file(origin),
        }
    });
    CRunData {
        kind: "trace",
        language: "c",
        length: Length::new(run.length),
        steps: (detail != Detail::None).then(|| Stream(Box::new(steps))),
        end: CEndData {
            what: failing.what.clone(),
            procedure: top.map_or("", |frame| &frame.function),
            line: lines.number(failing.origin),
            file: lines.file(failing.origin),
            globals: texts(&run.end.globals),
            locals: texts(top.map_or(&[], |frame| &frame.locals)),
            depth: depth(run) + 1,
            stack: stack.collect(),
        },
    }
}

fn texts(values: &[CValue]) -> Texts<'_> {
    let values = values.iter();
    Texts(values.map(|it| (&*it.name, &*it.value)).collect())
}

fn step_data<'a>(step: &'a CStep, lines: &Lines<'a>) -> CStepData<'a> {
    let (mut callee, mut arguments, mut value, mut steps) = (None, None, None, None);
    let kind = match &step.kind {
        CKind::Start(given) => {
            arguments = Some(texts(given));
            "start"
        }
        CKind::Statement => "statement",
        CKind::Call {
            callee: called,
            arguments: given,
            ..
        } => {
            callee = Some(&**called);
            arguments = Some(texts(given));
            "call"
        }
        CKind::Return {
            callee: called,
            value: given,
            ..
        } => {
            callee = Some(&**called);
            value = given.as_deref();
            "return"
        }
        CKind::Gap { steps: count } => {
            steps = Some(*count);
            "gap"
        }
    };
    let changes = step.changes.iter();
    let changes: Vec<(&str, &str)> = changes
        .map(|it| (&*it.part.name, &*it.part.value))
        .collect();
    let inputs = step.inputs.iter();
    CStepData {
        kind,
        line: lines.number(step.origin),
        file: lines.file(step.origin),
        depth: step.depth,
        function: &step.function,
        text: lines
            .excerpt(step.origin)
            .filter(|_| !step.origin.is_none()),
        truth: step.truth,
        callee,
        arguments,
        value,
        inputs: inputs
            .map(|it| InputData {
                from: &it.from,
                value: &it.value,
            })
            .collect(),
        notes: &step.notes,
        changes: (!changes.is_empty()).then_some(Texts(changes)),
        steps,
    }
}

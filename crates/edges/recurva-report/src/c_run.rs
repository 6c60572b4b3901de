//! Runs of C programs: their steps, as all reports are told of them, and where they end.

use std::fmt::Write;

use recurva_check::{CFolding, CFrame, CKind, CRun, CShown, CStep};
use recurva_model::Origin;

use crate::{
    Detail, Layout,
    lines::Lines,
    numbers::counted,
    run::{FRAMES, wrapped},
    steps::TextSteps,
    trace::{Kind, Show, Shown},
    verdict::Failing,
};

/// Shows the steps of a run of a C program, one after the other.
pub(crate) fn show_c_run(
    show: &mut dyn Show,
    run: &CRun,
    lines: &Lines<'_>,
    layout: Layout,
    failing: &Failing,
) {
    let folding = CFolding {
        lines: match layout.detail {
            Detail::Full => layout.full_lines,
            _ => layout.lines,
        },
        calls_only: layout.detail == Detail::Calls,
    };
    let mut cut = 0u64;
    for shown in run.folded(folding) {
        match shown {
            CShown::Step(_, step) => show_step(show, step, lines),
            CShown::Folded {
                call,
                returned,
                steps,
            } => {
                cut += steps;
                show_folded(show, call, returned, steps, lines);
            }
            CShown::Gap {
                depth,
                steps,
                entered,
            } => {
                cut += steps;
                let mut text = format!("… {} folded", counted(steps, "step"));
                if entered > 0 {
                    let _ = write!(text, ", {} entered", counted(entered, "call"));
                }
                let nothing = nothing(Kind::Folded, Origin::default(), depth + 1);
                show.step(&Shown {
                    text: &text,
                    ..nothing
                });
            }
        }
    }
    show.step(&Shown {
        text: &failing.short,
        ..nothing(Kind::End, failing.origin, depth(run) + 1)
    });
    show.cut(cut);
}

/// How many calls are under way at the end.
pub(crate) fn depth(run: &CRun) -> usize {
    (run.end.stack.len() + run.end.hidden).saturating_sub(1)
}

fn nothing<'a>(kind: Kind, origin: Origin, depth: usize) -> Shown<'a> {
    Shown {
        kind,
        origin,
        depth,
        text: "",
        notes: &[],
        truth: None,
        inputs: &[],
        changes: &[],
        monitor: "",
    }
}

/// What a step says for itself, if that is not the text of its statement.
pub(crate) fn said(step: &CStep) -> Option<String> {
    match &step.kind {
        CKind::Start(_) => step.invocation(),
        CKind::Return { callee, value, .. } => Some(match value {
            Some(value) => format!("← {callee} returns {value}"),
            None => format!("← {callee} returns"),
        }),
        _ => None,
    }
}

/// The values that a step has changed: `x=4`.
pub(crate) fn changes(step: &CStep) -> Vec<String> {
    let changes = step.changes.iter();
    changes.map(|change| change.part.to_string()).collect()
}

fn show_step(show: &mut dyn Show, step: &CStep, lines: &Lines<'_>) {
    let (kind, depth) = match step.kind {
        CKind::Start(_) => (Kind::Start, 0),
        CKind::Call { .. } => (Kind::Call, step.depth + 1),
        CKind::Return { .. } => (Kind::Return, step.depth + 1),
        CKind::Statement | CKind::Gap { .. } => (Kind::Internal, step.depth + 1),
    };
    let text = said(step).or_else(|| lines.excerpt(step.origin));
    show.step(&Shown {
        text: &text.unwrap_or_default(),
        notes: &step.remarks(),
        truth: step.truth,
        inputs: &step.inputs,
        changes: &changes(step),
        ..nothing(kind, step.origin, depth)
    });
}

fn show_folded(show: &mut dyn Show, call: &CStep, returned: &CStep, steps: u64, lines: &Lines<'_>) {
    let invocation = call.invocation().unwrap_or_default();
    let mut note = format!("→ {invocation} … {} folded", counted(steps, "step"));
    if let CKind::Return {
        value: Some(value), ..
    } = &returned.kind
    {
        let _ = write!(note, ", returns {value}");
    }
    let text = lines.excerpt(call.origin).unwrap_or_default();
    let mut changed = changes(call);
    changed.extend(changes(returned));
    show.step(&Shown {
        text: &text,
        notes: &[note],
        truth: returned.truth,
        inputs: &call.inputs,
        changes: &changed,
        ..nothing(Kind::FoldedCall, call.origin, call.depth + 1)
    });
}

/// Appends the steps of a run and where it ends.
pub(crate) fn write_c_run(
    out: &mut String,
    run: &CRun,
    lines: &Lines<'_>,
    layout: Layout,
    failing: &Failing,
) {
    out.push('\n');
    if layout.detail != Detail::None {
        let _ = write!(out, "Trace, {}", counted(run.length, "step"));
        let pending = depth(run) as u64;
        if pending > 0 {
            let _ = write!(out, ", ending in {}", counted(pending, "pending call"));
        }
        out.push_str(":\n");
        let mut steps = TextSteps {
            out,
            lines,
            detail: layout.detail,
        };
        show_c_run(&mut steps, run, lines, layout, failing);
        out.push('\n');
    }
    write_end(out, run, lines, failing.origin);
    out.push('\n');
}

/// The call stack and the values at the end.
fn write_end(out: &mut String, run: &CRun, lines: &Lines<'_>, at: Origin) {
    let stack = &run.end.stack;
    let write_frame = |out: &mut String, (index, frame): (usize, &CFrame)| {
        let origin = match index + 1 == stack.len() {
            true => at,
            false => frame.origin,
        };
        let invocation = frame.invocation();
        let _ = match lines.label(origin) {
            Some(line) => writeln!(out, "{line:>6}  {invocation}"),
            None => writeln!(out, "        {invocation}"),
        };
    };
    out.push_str("Call stack at the end, innermost last:\n");
    let total = stack.len() + run.end.hidden;
    let frames = || stack.iter().enumerate();
    if total <= 2 * FRAMES {
        frames().for_each(|frame| write_frame(out, frame));
    } else {
        frames()
            .take(FRAMES)
            .for_each(|frame| write_frame(out, frame));
        let hidden = counted((total - 2 * FRAMES) as u64, "frame");
        let _ = writeln!(out, "        … {hidden}");
        let last = frames().skip(stack.len() - FRAMES);
        last.for_each(|frame| write_frame(out, frame));
    }
    let mut lists = vec![("Globals".to_owned(), &run.end.globals)];
    if let Some(frame) = stack.last() {
        lists.push((format!("Locals of {}", frame.function), &frame.locals));
    }
    for (name, list) in lists {
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        if !list.is_empty() {
            let _ = writeln!(out, "{name}:\n{}", wrapped(&list));
        }
    }
}

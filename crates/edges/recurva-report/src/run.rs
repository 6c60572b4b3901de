//! Runs of programs as text.

use std::fmt::Write;

use recurva_check::{CRun, RunContext};
use recurva_evidence::Replayed;
use recurva_model::{Origin, semantics::Frame};

use crate::{
    Detail, Layout, c_run::write_c_run, lines::Lines, numbers::counted, steps::TextSteps, table,
    trace::show_trace, values, verdict::failing,
};

/// How many frames are shown at each end of a deep call stack.
pub(crate) const FRAMES: usize = 8;

/// Lists of values are broken into lines of about this width.
const WIDTH: usize = 92;

/// Appends the steps of a run and where it ends.
pub(crate) fn write_run(
    out: &mut String,
    run: &RunContext<'_>,
    replayed: &Replayed<'_>,
    c_run: Option<&CRun>,
    layout: Layout,
) {
    let lines = Lines::of(run);
    let failing = failing(run, replayed, &lines);
    if let Some(c_run) = c_run {
        write_c_run(out, c_run, &lines, layout, &failing);
        return;
    }
    out.push('\n');
    if layout.detail != Detail::None {
        let (name, depth) = match replayed.lasso() {
            Some(lasso) => ("Stem", lasso.depth()),
            None => ("Trace", replayed.end().stack.len()),
        };
        let pending = depth as u64 - 1;
        let _ = write!(out, "{name}, {}", counted(replayed.length(), "step"));
        if pending > 0 {
            let _ = write!(out, ", ending in {}", counted(pending, "pending call"));
        }
        out.push_str(":\n");
        let mut steps = TextSteps {
            out,
            lines: &lines,
            detail: layout.detail,
        };
        show_trace(&mut steps, replayed, &lines, layout, &failing);
        out.push('\n');
    }
    write_end(out, replayed, &lines, failing.origin);
    if layout.subformulas {
        table::write_table(out, run, replayed, &lines);
    }
    out.push('\n');
}

/// The call stack and the values at the end.
fn write_end(out: &mut String, replayed: &Replayed<'_>, lines: &Lines<'_>, at: Origin) {
    let machine = replayed.machine();
    let end = replayed.end();
    let depth = end.stack.len();
    let write_frame = |out: &mut String, frame: &Frame| {
        let origin = match frame.pending {
            Some(edge) => replayed.program().edge(frame.procedure, edge).origin,
            None => at,
        };
        let invocation = values::invocation(machine, frame);
        let _ = match lines.label(origin) {
            Some(line) => writeln!(out, "{line:>6}  {invocation}"),
            None => writeln!(out, "        {invocation}"),
        };
    };
    let grown = replayed.lasso().map_or(0, recurva_evidence::Lasso::frames);
    if let Some(lasso) = replayed.lasso().filter(|_| grown > 0) {
        let frames = counted(grown as u64, "frame");
        let _ = writeln!(out, "Each turn leaves {frames} behind:");
        let left = &end.stack[lasso.depth() - 1..depth - 1];
        left.iter()
            .take(FRAMES)
            .for_each(|frame| write_frame(out, frame));
        if let Some(more) = grown.checked_sub(FRAMES).filter(|&more| more > 0) {
            let _ = writeln!(out, "        … {}", counted(more as u64, "frame"));
        }
    }
    out.push_str(match replayed.lasso() {
        Some(lasso) if lasso.length() > 0 => "Call stack after the first turn, innermost last:\n",
        _ => "Call stack at the end, innermost last:\n",
    });
    if depth <= 2 * FRAMES {
        end.stack.iter().for_each(|frame| write_frame(out, frame));
    } else {
        end.stack[..FRAMES]
            .iter()
            .for_each(|frame| write_frame(out, frame));
        let _ = writeln!(
            out,
            "        … {}",
            counted((depth - 2 * FRAMES) as u64, "frame")
        );
        end.stack[depth - FRAMES..]
            .iter()
            .for_each(|frame| write_frame(out, frame));
    }
    let frame = end.top();
    let procedure = machine.program().procedure(frame.procedure);
    let lists = [
        ("Globals".to_owned(), values::globals(machine, end)),
        (
            format!("Locals of {}", procedure.name),
            values::locals(machine, frame),
        ),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            let _ = writeln!(out, "{name}:\n{}", wrapped(&list));
        }
    }
}

/// Values side by side, in as many lines as they need.
pub(crate) fn wrapped(values: &[String]) -> String {
    let mut out = String::from("       ");
    let mut width = out.len();
    for (index, value) in values.iter().enumerate() {
        let more = value.chars().count() + 2;
        if index > 0 && width + more > WIDTH {
            out.push_str("\n       ");
            width = 7;
        }
        out.push(' ');
        out.push_str(value);
        if index + 1 < values.len() {
            out.push(',');
        }
        width += more;
    }
    out
}

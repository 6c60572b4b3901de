//! Outcomes as text.

use std::fmt::Write;

use recurva_check::{Limit, Outcome, Stats, Verdict};
use recurva_evidence::Replayed;
use recurva_model::{Origin, semantics::Frame};

use crate::{
    Detail, Layout, Question,
    lines::Lines,
    numbers::{bytes, counted, grouped, seconds},
    trace::write_trace,
    values,
    verdict::failing,
};

/// How many frames are shown at each end of a deep call stack.
const FRAMES: usize = 8;

/// Lists of values are broken into lines of about this width.
const WIDTH: usize = 92;

/// An outcome as text, for people.
pub fn text(question: &Question<'_>, outcome: &Outcome<'_>, layout: Layout) -> String {
    let mut out = String::new();
    let property = question.property.name();
    let model = question.source.name();
    // Writing to a string cannot fail.
    let _ = match &outcome.verdict {
        Verdict::Holds => writeln!(out, "holds: {property} ({model})"),
        Verdict::Violated(violation) => {
            let _ = writeln!(out, "violated: {property} ({model})");
            write_violation(&mut out, question, &violation.replayed, layout);
            Ok(())
        }
        Verdict::Unknown(limit) => {
            let _ = writeln!(out, "unknown: {property} ({model})");
            writeln!(out, "{}", explain(*limit, &outcome.stats))
        }
    };
    let _ = writeln!(out, "{}", statistics(&outcome.stats, outcome.engine));
    out
}

fn statistics(stats: &Stats, engine: &str) -> String {
    format!(
        "{}, {}, {}; {}, {} ({engine})",
        counted(stats.states, "state"),
        counted(stats.path_edges, "path edge"),
        match stats.summaries {
            1 => "1 summary".to_owned(),
            many => format!("{} summaries", grouped(many)),
        },
        seconds(stats.seconds),
        bytes(stats.peak_bytes),
    )
}

/// Which limit was hit, what was learned, and what could be raised.
fn explain(limit: Limit, stats: &Stats) -> String {
    let learned = format!(
        "  No violation among the {} searched so far.",
        counted(stats.path_edges, "path edge")
    );
    let (cause, advice) = match limit {
        Limit::Time(time) => (
            format!(
                "the time limit of {} was reached",
                seconds(time.as_secs_f64())
            ),
            "Raise it with --timeout.",
        ),
        Limit::Memory(most) => (
            format!("the search needs more than the {} it may use", bytes(most)),
            "Raise the limit with --memory, or make the variables narrower.",
        ),
        Limit::PathEdges => (
            "the search has used all its 32-bit numbers for path edges".to_owned(),
            "No option helps: make the variables narrower or the model smaller.",
        ),
        Limit::Interrupted => (
            "interrupted".to_owned(),
            "Run it again to search to the end.",
        ),
    };
    format!("  {cause}.\n{learned}\n  {advice}")
}

fn write_violation(
    out: &mut String,
    question: &Question<'_>,
    replayed: &Replayed<'_>,
    layout: Layout,
) {
    let lines = Lines::new(question.source);
    let failing = failing(question, replayed, &lines);
    let _ = writeln!(out, "  {}: {}\n", lines.place(failing.origin), failing.what);
    if layout.detail != Detail::None {
        let pending = replayed.end().stack.len() as u64 - 1;
        let _ = write!(out, "Trace, {}", counted(replayed.length(), "step"));
        if pending > 0 {
            let _ = write!(out, ", ending in {}", counted(pending, "pending call"));
        }
        out.push_str(":\n");
        write_trace(out, replayed, &lines, layout, &failing);
        out.push('\n');
    }
    write_end(out, replayed, &lines, failing.origin);
    out.push('\n');
}

/// The call stack and the values at the end.
fn write_end(out: &mut String, replayed: &Replayed<'_>, lines: &Lines<'_>, at: Origin) {
    let machine = replayed.machine();
    let end = replayed.end();
    out.push_str("Call stack at the end, innermost last:\n");
    let depth = end.stack.len();
    let write_frame = |out: &mut String, frame: &Frame| {
        let origin = match frame.pending {
            Some(edge) => replayed.program().edge(frame.procedure, edge).origin,
            None => at,
        };
        let invocation = values::invocation(machine, frame);
        let _ = match lines.number(origin) {
            Some(line) => writeln!(out, "{line:>6}  {invocation}"),
            None => writeln!(out, "        {invocation}"),
        };
    };
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
fn wrapped(values: &[String]) -> String {
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

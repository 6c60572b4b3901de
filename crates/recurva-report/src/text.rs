//! Outcomes as text.

use std::fmt::Write;

use recurva_check::{Kinds, Limit, Outcome, Stack, Stats, Verdict, Violation};
use recurva_evidence::Replayed;
use recurva_model::{Origin, semantics::Frame};

use crate::{
    Detail, Layout, Question,
    lines::Lines,
    numbers::{bytes, counted, grouped, seconds},
    steps::TextSteps,
    table,
    trace::show_trace,
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
        Verdict::Holds => {
            let _ = writeln!(out, "holds: {property} ({model})");
            out.push_str(only_asked_of(outcome.stack));
            Ok(())
        }
        Verdict::Violated(violation) => {
            let _ = writeln!(out, "violated: {property} ({model})");
            write_violation(&mut out, question, violation, outcome.stack, layout);
            Ok(())
        }
        Verdict::Unfinished(limit) => {
            let _ = writeln!(out, "violated: {property} ({model})");
            writeln!(out, "{}", unfinished(*limit))
        }
        Verdict::Unknown(limit) => {
            let _ = writeln!(out, "unknown: {property} ({model})");
            writeln!(out, "{}", explain(*limit, &outcome.stats))
        }
    };
    let _ = writeln!(out, "{}", statistics(&outcome.stats, outcome.engine));
    if let Some(dropped) = outcome.dropped.as_ref().filter(|_| layout.dropped) {
        let _ = writeln!(out, "dropped before the search: {dropped}");
    }
    out
}

/// What there is to say of a verdict besides the run that shows it: what is wrong where, which
/// limit was hit, which runs it was asked of.
pub fn message(question: &Question<'_>, outcome: &Outcome<'_>) -> String {
    let text = match &outcome.verdict {
        Verdict::Holds => only_asked_of(outcome.stack).to_owned(),
        Verdict::Violated(violation) => {
            let lines = Lines::of(question);
            let failing = failing(question, &violation.replayed, &lines);
            let kinds = violation.kinds.map_or("", |it| others(it, outcome.stack));
            let place = lines.place(failing.origin);
            format!("{place}: {}.\n{kinds}", failing.what)
        }
        Verdict::Unfinished(limit) => unfinished(*limit),
        Verdict::Unknown(limit) => explain(*limit, &outcome.stats),
    };
    let lines = text.lines().map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// What a check did, as names and numbers.
pub fn figures(stats: &Stats) -> Vec<(&'static str, String)> {
    let mut list = Vec::new();
    if stats.nodes == 0 || stats.path_edges > 0 {
        list.push(("states", grouped(stats.states)));
        list.push(("path edges", grouped(stats.path_edges)));
        list.push(("summaries", grouped(stats.summaries)));
    }
    if stats.nodes > 0 {
        list.push(("decision nodes", grouped(stats.nodes)));
    }
    list.push(("time", seconds(stats.seconds)));
    list.push(("memory", bytes(stats.peak_bytes)));
    list
}

fn statistics(stats: &Stats, engine: &str) -> String {
    if engine == recurva_check::REPLAY {
        return format!("replayed in {}", seconds(stats.seconds));
    }
    let mut parts = Vec::new();
    if stats.nodes == 0 || stats.path_edges > 0 {
        parts.push(counted(stats.states, "state"));
        parts.push(counted(stats.path_edges, "path edge"));
        parts.push(match stats.summaries {
            1 => "1 summary".to_owned(),
            many => format!("{} summaries", grouped(many)),
        });
    }
    if stats.nodes > 0 {
        parts.push(format!("{} at most", counted(stats.nodes, "decision node")));
    }
    format!(
        "{}; {}, {} ({engine})",
        parts.join(", "),
        seconds(stats.seconds),
        bytes(stats.peak_bytes),
    )
}

fn only_asked_of(stack: Option<Stack>) -> &'static str {
    match stack {
        None | Some(Stack::Any) => "",
        Some(Stack::Finite) => "  Asked only of runs whose stack stays finite.\n",
        Some(Stack::Diverging) => "  Asked only of runs whose stack grows for ever.\n",
    }
}

/// Which limit was hit, what was learned, and what could be raised.
pub(crate) fn explain(limit: Limit, stats: &Stats) -> String {
    let searched = format!(
        "among the {} searched so far",
        counted(stats.path_edges, "path edge")
    );
    let nodes = counted(stats.nodes, "node");
    let learned = match (stats.path_edges, stats.nodes) {
        (_, 0) => format!("  No violation {searched}."),
        (0, _) => format!("  No violation so far, with {nodes} of decision diagrams."),
        _ => format!("  No violation {searched}, nor with {nodes} of decision diagrams."),
    };
    let (cause, advice) = cause(limit);
    format!("  {cause}.\n{learned}\n  {advice}")
}

/// Which limit kept a violation from being spelled out, and what could be raised.
pub(crate) fn unfinished(limit: Limit) -> String {
    let (cause, advice) = cause(limit);
    format!("  Its trace was not finished: {cause}.\n  {advice}")
}

/// A limit in words, and what could be done about it.
fn cause(limit: Limit) -> (String, &'static str) {
    match limit {
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
        Limit::Nodes => (
            "the decision diagrams have used all numbers for their nodes".to_owned(),
            "Try --engine explicit, or make the variables narrower.",
        ),
        Limit::Bits => (
            "the variables have more bits than decision diagrams can have variables".to_owned(),
            "Try --engine explicit, or make the variables narrower.",
        ),
        Limit::Automaton(cause) => (
            cause.to_string(),
            "No option helps: make the formula simpler, or check its parts one by one.",
        ),
        Limit::Interrupted => (
            "interrupted".to_owned(),
            "Run it again to search to the end.",
        ),
    }
}

pub(crate) fn write_violation(
    out: &mut String,
    question: &Question<'_>,
    violation: &Violation<'_>,
    stack: Option<Stack>,
    layout: Layout,
) {
    let replayed = &violation.replayed;
    let lines = Lines::of(question);
    let failing = failing(question, replayed, &lines);
    let _ = writeln!(out, "  {}: {}", lines.place(failing.origin), failing.what);
    out.push_str(violation.kinds.map_or("", |kinds| others(kinds, stack)));
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
        table::write_table(out, question, replayed, &lines);
    }
    out.push('\n');
}

/// What is known of violating runs of the other kind.
fn others(kinds: Kinds, asked: Option<Stack>) -> &'static str {
    match (kinds.finite, kinds.diverging) {
        (Some(true), Some(true)) => "  Runs whose stack grows for ever violate it too.\n",
        (Some(false), Some(true)) => {
            "  Only runs whose stack grows for ever violate it: with --stack finite it holds.\n"
        }
        (None, Some(true)) if asked == Some(Stack::Any) => {
            "  Whether runs whose stack stays finite violate it too takes a longer search: ask with \
             --stack finite.\n"
        }
        _ => "",
    }
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

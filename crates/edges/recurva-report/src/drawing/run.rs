//! Runs of programs as drawings.

use recurva_check::{CRun, RunContext};
use recurva_draw::{Class, Drawing, Edge, Graph, Node, Shape};
use recurva_evidence::{Lasso, Replayed};

use crate::{
    Layout,
    c_run::show_c_run,
    lines::Lines,
    numbers::counted,
    steps::joined,
    trace::{Kind, Show, Shown, show_trace},
    verdict::failing,
};

/// Calls nested deeper are in the lane of this depth.
const LANES: usize = 24;

/// A row for each step, calls one lane to the right, folded as the layout says.
pub(super) fn draw(
    context: &RunContext<'_>,
    replayed: &Replayed<'_>,
    c_run: Option<&CRun>,
    title: String,
    layout: Layout,
) -> Drawing {
    let lines = Lines::of(context);
    let failing = failing(context, replayed, &lines);
    let mut run = Run {
        graph: Graph::default(),
        lines: &lines,
        calls: Vec::new(),
        before: None,
        turn: None,
        cut: 0,
    };
    match c_run {
        Some(c_run) => show_c_run(&mut run, c_run, &lines, layout, &failing),
        None => show_trace(&mut run, replayed, &lines, layout, &failing),
    }
    let length = c_run.map_or(replayed.length(), |run| run.length);
    let mut description = format!(
        "A run of {} in which {}.",
        counted(length, "step"),
        failing.what,
    );
    if run.cut > 0 {
        description += &format!(" {} are left out.", counted(run.cut, "step"));
    }
    Drawing {
        title,
        description,
        graphs: vec![run.graph],
    }
}

/// A run that is being drawn.
struct Run<'a> {
    graph: Graph,
    lines: &'a Lines<'a>,
    /// The rows of the calls that have not returned.
    calls: Vec<u32>,
    /// What the last row was about.
    before: Option<Kind>,
    /// The row where the turn begins.
    turn: Option<u32>,
    /// How many steps were folded.
    cut: u64,
}

impl Show for Run<'_> {
    fn turn(&mut self, _: &Lasso) {
        self.turn = Some(self.graph.nodes.len() as u32);
    }

    fn cut(&mut self, steps: u64) {
        self.cut = steps;
    }

    fn step(&mut self, row: &Shown<'_>) {
        let text = match self.lines.label(row.origin) {
            Some(line) if row.kind != Kind::Return => format!("{line}  {}", row.text),
            _ => row.text.to_owned(),
        };
        let mut lines = vec![text];
        let values = joined(row.notes, row.changes);
        lines.extend((!values.is_empty()).then_some(values));
        lines.extend((!row.monitor.is_empty()).then(|| row.monitor.to_owned()));
        let index = self.graph.nodes.len() as u32;
        let is_end = row.kind == Kind::End;
        let classes = match row.kind {
            Kind::Start => vec![Class::Entry, Class::Initial],
            Kind::Internal => Vec::new(),
            Kind::Call | Kind::FoldedCall => vec![Class::Entry],
            Kind::Return => vec![Class::Exit],
            Kind::Folded => vec![Class::Faint],
            Kind::End if self.turn.is_some() => vec![Class::Current],
            Kind::End => vec![Class::Error],
        };
        self.graph.add(Node {
            key: format!("r{index}"),
            lines,
            hint: self.lines.place(row.origin),
            shape: match row.kind {
                Kind::Call | Kind::FoldedCall => Shape::Box,
                Kind::Folded => Shape::Plain,
                _ => Shape::Rounded,
            },
            classes,
            ..Node::default()
        });
        self.graph.lanes.push(row.depth.min(LANES) as u32);
        if let Some(before) = index.checked_sub(1) {
            let step = Edge::new(before, index);
            self.graph.connect(match (self.before, row.kind) {
                (Some(Kind::Call), _) => step.with(Class::Call),
                (_, Kind::Return) => step.with(Class::Return),
                _ => step,
            });
        }
        match row.kind {
            Kind::Call => self.calls.push(index),
            Kind::Return => {
                if let Some(call) = self.calls.pop()
                    && index - call > 1
                {
                    let past = Edge::new(call, index).dashed();
                    self.graph.connect(past.with(Class::Faint));
                }
            }
            _ => {}
        }
        if let Some(turn) = self.turn.filter(|turn| is_end && *turn < index) {
            let again = Edge::new(index, turn).labelled("for ever");
            self.graph.connect(again.with(Class::Taken));
        }
        self.before = Some(row.kind);
    }
}

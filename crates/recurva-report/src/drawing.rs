//! Programs and traces as drawings, with the text of statements.

use recurva_draw::{
    Class, Drawing, Edge, Graph, Node, Shape,
    machines::{self, Texts},
};
use recurva_evidence::Replayed;
use recurva_model::{EdgeId, Origin, ProcId, Program};
use recurva_syntax::Source;

use crate::{
    Layout, Question,
    lines::Lines,
    numbers::counted,
    trace::{About, Row, Rows, branch, joined, walk_trace},
    verdict::failing,
};

/// Calls nested deeper are in the lane of this depth.
const LANES: usize = 24;

impl Texts for Lines<'_> {
    fn line(&self, origin: Origin) -> Option<String> {
        self.label(origin)
    }

    fn edge(&self, program: &Program, procedure: ProcId, edge: EdgeId) -> String {
        let origin = program.edge(procedure, edge).origin;
        let text = self.excerpt(origin).unwrap_or_default();
        match branch(program, procedure, edge) {
            Some(truth) => format!("{text} ({truth})"),
            None => text,
        }
    }
}

/// All procedures of a program; `monitor` is the text of a monitor that is part of it.
pub fn draw_program(source: &Source, monitor: Option<&Source>, program: &Program) -> Drawing {
    let lines = Lines::with_monitor(source, monitor);
    machines::program(program, &lines, source.name())
}

/// One procedure of a program.
pub fn draw_procedure(
    source: &Source,
    monitor: Option<&Source>,
    program: &Program,
    procedure: ProcId,
) -> Graph {
    let lines = Lines::with_monitor(source, monitor);
    machines::procedure(program, procedure, &lines)
}

/// A counterexample as a run: a row for each step, calls one lane to the right, folded as the
/// layout says.
pub fn draw_trace(question: &Question<'_>, replayed: &Replayed<'_>, layout: Layout) -> Drawing {
    let lines = Lines::of(question);
    let failing = failing(question, replayed, &lines);
    let mut run = Run {
        graph: Graph::default(),
        lines: &lines,
        calls: Vec::new(),
        before: None,
        turn: None,
    };
    let cut = walk_trace(&mut run, replayed, &lines, layout, &failing);
    let mut description = format!(
        "A run of {} in which {}.",
        counted(replayed.length(), "step"),
        failing.what,
    );
    if cut > 0 {
        description += &format!(" {} are left out.", counted(cut, "step"));
    }
    Drawing {
        title: format!("{}: {}", question.source.name(), failing.what),
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
    before: Option<About>,
    /// The row where the turn begins.
    turn: Option<u32>,
}

impl Rows for Run<'_> {
    fn turn(&mut self, _: u64) {
        self.turn = Some(self.graph.nodes.len() as u32);
    }

    fn row(&mut self, row: &Row<'_>) {
        let text = match self.lines.label(row.origin) {
            Some(line) if row.about != About::Return => format!("{line}  {}", row.text),
            _ => row.text.to_owned(),
        };
        let mut lines = vec![text];
        lines.extend((!row.values.is_empty()).then(|| joined(row.values)));
        lines.extend((!row.monitor.is_empty()).then(|| row.monitor.to_owned()));
        let index = self.graph.nodes.len() as u32;
        let is_end = row.about == About::End;
        let classes = match row.about {
            About::Start => vec![Class::Entry, Class::Initial],
            About::Step => Vec::new(),
            About::Call | About::FoldedCall => vec![Class::Entry],
            About::Return => vec![Class::Exit],
            About::Fold => vec![Class::Faint],
            About::End if self.turn.is_some() => vec![Class::Current],
            About::End => vec![Class::Error],
        };
        self.graph.add(Node {
            key: format!("r{index}"),
            lines,
            hint: self.lines.place(row.origin),
            shape: match row.about {
                About::Call | About::FoldedCall => Shape::Box,
                About::Fold => Shape::Plain,
                _ => Shape::Rounded,
            },
            classes,
            ..Node::default()
        });
        self.graph.lanes.push(row.depth.min(LANES) as u32);
        if let Some(before) = index.checked_sub(1) {
            let step = Edge::new(before, index);
            self.graph.connect(match (self.before, row.about) {
                (Some(About::Call), _) => step.with(Class::Call),
                (_, About::Return) => step.with(Class::Return),
                _ => step,
            });
        }
        match row.about {
            About::Call => self.calls.push(index),
            About::Return => {
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
        self.before = Some(row.about);
    }
}

//! A trace as text: a walk along the run, folded as planned.

use std::fmt::Write;

use recurva_evidence::{Next, Part, Replayed, Walk};
use recurva_model::{
    Action, Edge, EdgeId, Monitor, Op, Origin, Point, ProcId, Program, Type, Unary,
};

use crate::{
    Detail, Layout,
    lines::Lines,
    numbers::{counted, grouped},
    plan::{Plan, STEM, TURN},
    values::{self, Snapshot},
    verdict::Failing,
};

/// Calls nested deeper are not indented: their depth is given as a number.
const INDENTED: usize = 20;

/// The column where values begin.
const COLUMN: usize = 44;

/// At most this many characters of values on a line.
const VALUES: usize = 240;

/// What a line of a trace is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Where the run begins.
    Start,
    /// A step within a procedure.
    Step,
    /// A call that is entered.
    Call,
    /// A return.
    Return,
    /// A call with all of its steps.
    FoldedCall,
    /// Steps that are left out.
    Fold,
    /// Where the run ends, or begins its next turn.
    End,
}

/// A line of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    pub(crate) about: About,
    pub(crate) origin: Origin,
    pub(crate) depth: usize,
    pub(crate) text: &'r str,
    pub(crate) values: &'r [String],
    pub(crate) monitor: &'r str,
}

/// Where the lines of a trace go.
pub(crate) trait Rows {
    /// A line.
    fn row(&mut self, row: &Row<'_>);

    /// From here on everything is repeated for ever, after that many steps.
    fn turn(&mut self, steps: u64);
}

/// Appends the trace to `out`.
pub(crate) fn write_trace(
    out: &mut String,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
    layout: Layout,
    failing: &Failing,
) {
    let cut = walk_trace(&mut Text { out, lines }, replayed, lines, layout, failing);
    if cut > 0 && layout.detail == Detail::Full {
        let steps = counted(cut, "step");
        let _ = writeln!(out, "  (cut: {steps} not shown)");
    }
}

/// Gives out the lines of a trace, folded as planned, and says how many steps were left out.
pub(crate) fn walk_trace(
    out: &mut dyn Rows,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
    layout: Layout,
    failing: &Failing,
) -> u64 {
    let plan = Plan::new(replayed, layout);
    let printer = Printer {
        out,
        walk: replayed.walk(),
        lines,
        detail: layout.detail,
        plan: &plan,
        states: Vec::new(),
        cut: 0,
    };
    printer.run(failing)
}

struct Printer<'a, 'p> {
    out: &'a mut dyn Rows,
    walk: Walk<'a, 'p>,
    lines: &'a Lines<'a>,
    detail: Detail,
    plan: &'a Plan,
    /// The monitor's states when they were last shown.
    states: Vec<u32>,
    /// How many steps were folded.
    cut: u64,
}

impl Printer<'_, '_> {
    fn run(mut self, failing: &Failing) -> u64 {
        self.print_start();
        let mut open = vec![STEM];
        while let (Some(next), Some(&index)) = (self.walk.next(), open.last()) {
            if index == STEM && self.walk.position().part == Part::Turn {
                open[0] = TURN;
                self.print_turn();
                continue;
            }
            let opened = self.plan.opened(index);
            let step = self.walk.position().step;
            match next {
                Next::Return => {
                    self.print_return();
                    open.pop();
                }
                _ if opened.folds(step) => self.fold(opened.resume),
                Next::Internal(edge) => self.print_internal(edge),
                Next::Call {
                    edge,
                    through: None,
                    ..
                } => self.print_call(edge),
                Next::Call {
                    edge,
                    callee,
                    through: Some(_),
                    length,
                } => match opened.call(step) {
                    Some(call) => {
                        self.print_call(edge);
                        open.push(call);
                    }
                    None => self.print_folded_call(edge, callee, length),
                },
            }
        }
        let depth = self.depth();
        let short = &failing.short;
        self.print(About::End, failing.origin, depth + 1, short, &[], "");
        self.cut
    }

    fn print_turn(&mut self) {
        if let Some(lasso) = self.walk.replayed().lasso() {
            self.out.turn(lasso.length());
        }
    }

    fn print_start(&mut self) {
        let machine = self.walk.replayed().machine();
        let configuration = self.walk.configuration();
        let frame = configuration.top();
        let procedure = machine.program().procedure(frame.procedure);
        let mut values = values::globals(machine, configuration);
        values.extend(values::locals(machine, frame));
        let monitor = self.monitor_change();
        let head = format!("{}()", procedure.name);
        let origin = procedure.origin;
        self.print(About::Start, origin, 0, &head, &values, &monitor);
    }

    fn print_internal(&mut self, edge: EdgeId) {
        let before = Snapshot::of(self.walk.configuration());
        let (origin, depth) = (self.origin(edge), self.depth());
        let program = self.walk.replayed().program();
        let truth = branch(program, self.walk.configuration().top().procedure, edge);
        self.walk.step_in();
        let truth = truth.map(|truth| format!("({truth})"));
        let mut changes: Vec<String> = truth.into_iter().collect();
        changes.extend(self.changes(&before));
        let monitor = self.monitor_change();
        if self.detail == Detail::Calls && monitor.is_empty() {
            return;
        }
        match self.lines.excerpt(origin) {
            Some(text) => self.print(About::Step, origin, depth + 1, &text, &changes, &monitor),
            // A step that a translation made up is worth a line only for what it does.
            None if changes.is_empty() && monitor.is_empty() => {}
            None => self.print(About::Step, origin, depth + 1, "", &changes, &monitor),
        }
    }

    fn print_call(&mut self, edge: EdgeId) {
        let (origin, depth) = (self.origin(edge), self.depth());
        self.walk.step_in();
        let machine = self.walk.replayed().machine();
        let callee = values::invocation(machine, self.walk.configuration().top());
        let monitor = self.monitor_change();
        let text = self.lines.excerpt(origin).unwrap_or_default();
        let values = [format!("→ {callee}")];
        self.print(About::Call, origin, depth + 1, &text, &values, &monitor);
    }

    fn print_return(&mut self) {
        let configuration = self.walk.configuration();
        let machine = self.walk.replayed().machine();
        let callee = configuration.top();
        let procedure = machine.program().procedure(callee.procedure);
        let mut text = format!("← {} returns", procedure.name);
        if values::has_results(procedure) {
            let _ = write!(text, " {}", values::results(machine, callee));
        }
        let before = Snapshot::of_caller(configuration);
        let caller = configuration.stack.iter().nth_back(1);
        let origin = caller.and_then(|frame| {
            Some(
                machine
                    .program()
                    .edge(frame.procedure, frame.pending?)
                    .origin,
            )
        });
        self.walk.step_in();
        let changes = self.changes(&before);
        let monitor = self.monitor_change();
        let depth = self.depth();
        self.print(
            About::Return,
            origin.unwrap_or_default(),
            depth + 1,
            &text,
            &changes,
            &monitor,
        );
    }

    fn print_folded_call(&mut self, edge: EdgeId, callee: ProcId, length: u64) {
        let before = Snapshot::of(self.walk.configuration());
        let (origin, depth) = (self.origin(edge), self.depth());
        let procedure = self.walk.configuration().top().procedure;
        let machine = self.walk.replayed().machine();
        self.walk.step_in();
        let invocation = values::invocation(machine, self.walk.configuration().top());
        self.walk.step_out();
        let steps = length.saturating_sub(2);
        self.cut = self.cut.saturating_add(steps);
        let mut note = format!("→ {invocation} … {} folded", counted(steps, "step"));
        let program = machine.program();
        if values::has_results(program.procedure(callee))
            && let Action::Call { results, .. } = &program.edge(procedure, edge).action
        {
            let kept = values::kept_results(machine, results, self.walk.configuration());
            let _ = write!(note, ", returns {kept}");
        }
        let mut notes = vec![note];
        notes.extend(self.changes(&before));
        let monitor = self.monitor_change();
        let text = self.lines.excerpt(origin).unwrap_or_default();
        self.print(
            About::FoldedCall,
            origin,
            depth + 1,
            &text,
            &notes,
            &monitor,
        );
    }

    /// Steps over everything up to the step `resume` of the current list.
    fn fold(&mut self, resume: usize) {
        let before = Snapshot::of(self.walk.configuration());
        let depth = self.depth();
        let nesting = self.walk.position().nesting;
        let (mut steps, mut entered) = (0u64, 0u64);
        while self.walk.position().nesting == nesting && self.walk.position().step < resume {
            match self.walk.next() {
                Some(Next::Call { through: None, .. }) => {
                    entered += 1;
                    steps = steps.saturating_add(1);
                }
                Some(Next::Call { length, .. }) => steps = steps.saturating_add(length),
                _ => steps = steps.saturating_add(1),
            }
            if !self.walk.step_over() {
                break;
            }
        }
        self.cut = self.cut.saturating_add(steps);
        let mut text = format!("… {} folded", counted(steps, "step"));
        if entered > 0 {
            let _ = write!(text, ", {} entered", counted(entered, "call"));
        }
        let changes = self.changes(&before);
        let monitor = self.monitor_change();
        let origin = Origin::default();
        self.print(About::Fold, origin, depth + 1, &text, &changes, &monitor);
    }

    fn depth(&self) -> usize {
        self.walk.configuration().stack.len() - 1
    }

    fn origin(&self, edge: EdgeId) -> Origin {
        let procedure = self.walk.configuration().top().procedure;
        self.walk.replayed().program().edge(procedure, edge).origin
    }

    fn changes(&self, before: &Snapshot) -> Vec<String> {
        before.changes(self.walk.replayed().machine(), self.walk.configuration())
    }

    /// `[lock: idle → held]` if the monitor's states are not those last shown.
    fn monitor_change(&mut self) -> String {
        let Some((monitor, states)) = self.walk.monitor() else {
            return String::new();
        };
        if states == self.states {
            return String::new();
        }
        let now = show_states(monitor, states);
        let text = if self.states.is_empty() {
            format!("[{}: {now}]", monitor.name())
        } else {
            format!(
                "[{}: {} → {now}]",
                monitor.name(),
                show_states(monitor, &self.states)
            )
        };
        self.states = states.to_vec();
        text
    }

    fn print(
        &mut self,
        about: About,
        origin: Origin,
        depth: usize,
        text: &str,
        values: &[String],
        monitor: &str,
    ) {
        self.out.row(&Row {
            about,
            origin,
            depth,
            text,
            values,
            monitor,
        });
    }
}

/// A trace as text.
struct Text<'a> {
    out: &'a mut String,
    lines: &'a Lines<'a>,
}

impl Rows for Text<'_> {
    fn turn(&mut self, steps: u64) {
        let steps = counted(steps, "step");
        let _ = writeln!(self.out, "\nTurn, {steps}, repeated for ever:");
    }

    fn row(&mut self, row: &Row<'_>) {
        let &Row {
            origin,
            depth,
            text,
            values,
            monitor,
            ..
        } = row;
        let mut line = match self.lines.label(origin) {
            Some(label) => format!("{label:>6}  "),
            None => " ".repeat(8),
        };
        if depth <= INDENTED {
            line.extend(std::iter::repeat_n("  ", depth));
        } else {
            let _ = write!(line, "[{}] ", grouped(depth as u64 - 1));
        }
        line.push_str(text);
        if !values.is_empty() || !monitor.is_empty() {
            let width = line.chars().count();
            line.extend(std::iter::repeat_n(
                ' ',
                COLUMN.saturating_sub(width).max(2),
            ));
            line.push_str(&joined(values));
            if !values.is_empty() && !monitor.is_empty() {
                line.push_str("  ");
            }
            line.push_str(monitor);
        }
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }
}

/// Which side of a condition an edge is: its sibling has the same text behind it and the opposite
/// guard.
pub fn branch(program: &Program, procedure: ProcId, edge: EdgeId) -> Option<bool> {
    let taken = program.edge(procedure, edge);
    let point = Point {
        procedure,
        node: taken.from,
    };
    let mut siblings = program.edges_from(point).filter(|&(id, other)| {
        id != edge && other.origin == taken.origin && !taken.origin.is_none()
    });
    let (_, other) = siblings.next()?;
    let negates = |a: &Edge, b: &Edge| match a.guard.ops() {
        [Op::Const(value, Type::Bool)] => {
            matches!(b.guard.ops(), [Op::Const(other, Type::Bool)] if other != value) && *value == 0
        }
        [rest @ .., Op::Unary(Unary::Not, Type::Bool)] => rest == b.guard.ops(),
        _ => false,
    };
    match () {
        () if siblings.next().is_some() => None,
        () if negates(taken, other) => Some(false),
        () if negates(other, taken) => Some(true),
        () => None,
    }
}

/// A monitor's states: a name, or `{a, b}` if there may be several.
pub fn show_states(monitor: &Monitor, states: &[u32]) -> String {
    let names: Vec<&str> = states
        .iter()
        .map(|&state| &*monitor.states()[state as usize].name)
        .collect();
    match names[..] {
        [name] => name.to_owned(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

/// A list of values, cut if it is long.
pub(crate) fn joined(values: &[String]) -> String {
    let mut out = String::new();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
            if out.len() + value.len() > VALUES {
                let _ = write!(out, "… {} more", values.len() - index);
                break;
            }
        }
        out.push_str(value);
    }
    out
}

//! A walk along a run, folded as planned: what is shown of each step, in words.

use std::fmt::Write;

use recurva_check::CInput;
use recurva_evidence::{Lasso, Next, Part, Replayed, Walk};
use recurva_model::{
    Action, Edge, EdgeId, Monitor, Op, Origin, Point, ProcId, Program, Type, Unary,
};

use crate::{
    Detail, Layout,
    lines::Lines,
    numbers::counted,
    plan::{Plan, STEM, TURN},
    values::{self, Snapshot},
    verdict::Failing,
};

/// What a step that is shown does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The start of the run.
    Start,
    /// An internal step.
    Internal,
    /// A call.
    Call,
    /// A return.
    Return,
    /// A call that is one step here, with all that it does.
    FoldedCall,
    /// Several steps that are left out.
    Folded,
    /// What is wrong at the end, or that the turn is over.
    End,
}

/// A step that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) kind: Kind,
    pub(crate) origin: Origin,
    /// How many calls are pending.
    pub(crate) depth: usize,
    /// The statement, or what is to be said.
    pub(crate) text: &'a str,
    /// What is to be said besides: `(true)`, `→ f(x=1)`.
    pub(crate) notes: &'a [String],
    /// Which way a condition went.
    pub(crate) truth: Option<bool>,
    /// What functions of C without a body returned.
    pub(crate) inputs: &'a [CInput],
    /// The values that have changed: `x=4`.
    pub(crate) changes: &'a [String],
    /// `[lock: idle → held]`.
    pub(crate) monitor: &'a str,
}

/// Who is told of the steps.
pub(crate) trait Show {
    /// A step.
    fn step(&mut self, shown: &Shown<'_>);

    /// What follows is repeated for ever.
    fn turn(&mut self, lasso: &Lasso);

    /// So many steps were folded in all.
    fn cut(&mut self, steps: u64);
}

/// Shows the steps of a trace, one after the other.
pub(crate) fn show_trace(
    show: &mut dyn Show,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
    layout: Layout,
    failing: &Failing,
) {
    let plan = Plan::new(replayed, layout);
    let printer = Printer {
        show,
        walk: replayed.walk(),
        lines,
        detail: layout.detail,
        plan: &plan,
        states: Vec::new(),
        cut: 0,
        truth: None,
    };
    printer.run(failing);
}

struct Printer<'a, 'p> {
    show: &'a mut dyn Show,
    walk: Walk<'a, 'p>,
    lines: &'a Lines<'a>,
    detail: Detail,
    plan: &'a Plan,
    /// The monitor's states when they were last shown.
    states: Vec<u32>,
    /// How many steps were folded.
    cut: u64,
    /// Which way the condition went that is shown next.
    truth: Option<bool>,
}

impl Printer<'_, '_> {
    fn run(mut self, failing: &Failing) {
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
        let at = (Kind::End, failing.origin, self.depth() + 1);
        self.print(at, &failing.short, &[], &[], "");
        self.show.cut(self.cut);
    }

    fn print_turn(&mut self) {
        if let Some(lasso) = self.walk.replayed().lasso() {
            self.show.turn(lasso);
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
        // A procedure that a translation made up has a name that no text has.
        if procedure.name.starts_with('(') && monitor.is_empty() {
            return;
        }
        let head = format!("{}()", procedure.name);
        let at = (Kind::Start, procedure.origin, 0);
        self.print(at, &head, &[], &values, &monitor);
    }

    fn print_internal(&mut self, edge: EdgeId) {
        let before = Snapshot::of(self.walk.configuration());
        let (origin, depth) = (self.origin(edge), self.depth());
        let program = self.walk.replayed().program();
        let truth = branch(program, self.walk.configuration().top().procedure, edge);
        self.walk.step_in();
        let notes = truth.map(|truth| format!("({truth})"));
        let notes: Vec<String> = notes.into_iter().collect();
        self.truth = truth;
        let changes = self.changes(&before);
        let monitor = self.monitor_change();
        if self.detail == Detail::Calls && monitor.is_empty() {
            self.truth = None;
            return;
        }
        let at = (Kind::Internal, origin, depth + 1);
        match self.lines.excerpt(origin) {
            Some(text) => self.print(at, &text, &notes, &changes, &monitor),
            // A step that a translation made up is worth a line only for what it does.
            None if notes.is_empty() && changes.is_empty() && monitor.is_empty() => {
                self.truth = None;
            }
            None => self.print(at, "", &notes, &changes, &monitor),
        }
    }

    fn print_call(&mut self, edge: EdgeId) {
        let (origin, depth) = (self.origin(edge), self.depth());
        self.walk.step_in();
        let machine = self.walk.replayed().machine();
        let callee = values::invocation(machine, self.walk.configuration().top());
        let monitor = self.monitor_change();
        let text = self.lines.excerpt(origin).unwrap_or_default();
        let at = (Kind::Call, origin, depth + 1);
        self.print(at, &text, &[format!("→ {callee}")], &[], &monitor);
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
        let at = (Kind::Return, origin.unwrap_or_default(), self.depth() + 1);
        self.print(at, &text, &[], &changes, &monitor);
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
        let changes = self.changes(&before);
        let monitor = self.monitor_change();
        let text = self.lines.excerpt(origin).unwrap_or_default();
        let at = (Kind::FoldedCall, origin, depth + 1);
        self.print(at, &text, &[note], &changes, &monitor);
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
        let at = (Kind::Folded, Origin::default(), depth + 1);
        self.print(at, &text, &[], &changes, &monitor);
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
        (kind, origin, depth): (Kind, Origin, usize),
        text: &str,
        notes: &[String],
        changes: &[String],
        monitor: &str,
    ) {
        self.show.step(&Shown {
            kind,
            origin,
            depth,
            text,
            notes,
            truth: self.truth.take(),
            inputs: &[],
            changes,
            monitor,
        });
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

//! A replayed run as the page walks along it: what each step changes, calls that return as
//! segments that many may share.

use recurva_check::{Property, RunContext};
use recurva_evidence::{Next, Part, Replayed, Trace, Walk};
use recurva_model::{Action, EdgeId, ProcId, semantics::Configuration};
use recurva_report::parts::{
    Lines, branch, failing, grouped, invocation, kept_results, show_states, table,
};
use rustc_hash::FxHashMap;

use crate::{
    document::{
        Call, Change, End, Enter, FormulaTable, Gap, GapFrame, MonitorStart, Run, Segment, Step,
        TableRow, Turn,
    },
    machine::shown,
    places::Texts,
};

/// How many steps are kept at each end of a list that is longer than both together.
const KEPT: usize = 20_000;

/// Once so many steps are stored no more calls are opened.
const STORED: usize = 200_000;

/// How many of the frames are listed that a gap has entered.
const FRAMES: usize = 200;

/// What is kept of a list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    length: usize,
}

impl Cut {
    pub(crate) fn new(length: usize) -> Self {
        Cut { length }
    }

    /// The list that a part of a trace is.
    pub(crate) fn of(trace: &Trace, part: Part) -> Self {
        Cut::new(match part {
            Part::Stem => trace.stem.len(),
            Part::Turn => trace.turn_steps().len(),
            Part::Body(body) => trace.bodies[body.index()].steps.len(),
        })
    }

    /// The step at which the list goes on behind the gap, if it has one.
    fn resume(self) -> Option<usize> {
        // A gap of one step would gain nothing.
        (self.length > 2 * KEPT + 1).then(|| self.length - KEPT)
    }

    /// How many steps are stored, the gap counted as one.
    pub(crate) fn stored(self) -> usize {
        self.resume().map_or(self.length, |_| 2 * KEPT + 1)
    }

    /// Where a step is stored; that of the gap if it is not.
    pub(crate) fn to_stored(self, index: usize) -> usize {
        match self.resume() {
            Some(resume) if index >= resume => index - resume + KEPT + 1,
            Some(_) => index.min(KEPT),
            None => index,
        }
    }

    /// Which step is stored there.
    pub(crate) fn at_stored(self, index: usize) -> usize {
        match self.resume() {
            Some(resume) if index > KEPT => index - KEPT - 1 + resume,
            _ => index,
        }
    }
}

/// A replayed run of the program that a question is about.
pub(crate) fn run(
    about: &RunContext<'_>,
    replayed: &Replayed<'_>,
    lines: &Lines<'_>,
    texts: &Texts<'_>,
) -> Run {
    let machine = replayed.machine();
    let trace = replayed.trace();
    let failing = failing(about, replayed, lines);
    let start = replayed.walk();
    let monitor = start.monitor().map(|(monitor, states)| MonitorStart {
        name: monitor.name().to_owned(),
        start: show_states(monitor, states),
    });
    let first = start.configuration();
    let main = first.top();
    let mut builder = Builder::new(replayed.walk());
    builder.go();
    let mut turn = None;
    if let Some(lasso) = replayed.lasso() {
        let before = builder.turn_start.take();
        let after = Values::of(builder.walk.configuration());
        if builder.walk.turn_again() {
            builder.go();
        }
        let last = Values::of(builder.walk.configuration());
        let mut varies = Vec::new();
        if let Some(before) = before {
            for other in [&after, &last] {
                varies.extend(before.different(other, replayed));
            }
        }
        varies.sort_unstable();
        varies.dedup();
        turn = Some(Turn {
            start: Cut::of(trace, Part::Stem).stored(),
            length: Cut::of(trace, Part::Turn).stored(),
            frames: lasso.frames(),
            varies,
        });
    }
    let steps = builder.open.pop().map_or_else(Vec::new, |list| list.steps);
    Run {
        globals: shown(&first.globals, machine.global_types()),
        locals: shown(&main.locals, machine.local_types(main.procedure)),
        monitor,
        steps,
        segments: builder.segments,
        turn,
        length: grouped(replayed.length()),
        end: End {
            what: failing.what,
            place: texts.place(failing.origin),
        },
        table: formula_table(about.property, replayed),
    }
}

fn formula_table(property: &Property, replayed: &Replayed<'_>) -> Option<FormulaTable> {
    let table = table(property, replayed)?;
    let stem = Cut::of(replayed.trace(), Part::Stem);
    let turn = Cut::of(replayed.trace(), Part::Turn);
    let rows = table.rows.into_iter().map(|row| {
        let mut at = row.path;
        at[0] = match row.in_turn {
            // The run that is over stays where the stem ends.
            true => stem.stored() + turn.to_stored(at[0]) * usize::from(turn.stored() > 0),
            false => stem.to_stored(at[0]),
        };
        TableRow {
            at,
            holds: row.holds,
        }
    });
    let hidden = table.hidden.iter().sum::<u64>();
    let mut note = String::new();
    if let Some(why) = table.folded {
        note = format!("Calls that return are one step here{why}.");
    }
    if hidden > 0 {
        note = format!("{note} {} steps are left out.", grouped(hidden));
    }
    Some(FormulaTable {
        formulas: table.formulas,
        rows: rows.collect(),
        note: note.trim().to_owned(),
    })
}

/// Values in scope.
#[derive(Debug)]
struct Values {
    globals: Box<[u64]>,
    locals: Box<[u64]>,
    procedure: ProcId,
}

impl Values {
    fn of(configuration: &Configuration) -> Self {
        let frame = configuration.top();
        Values {
            globals: configuration.globals.clone(),
            locals: frame.locals.clone(),
            procedure: frame.procedure,
        }
    }

    /// The names of variables that have another value there.
    fn different(&self, other: &Values, replayed: &Replayed<'_>) -> Vec<String> {
        let program = replayed.program();
        let locals = &program.procedure(self.procedure).locals;
        let lists = [
            (program.globals(), &self.globals, &other.globals),
            (&locals[..], &self.locals, &other.locals),
        ];
        let mut names = Vec::new();
        for (variables, before, after) in lists {
            let mut slot = 0;
            for variable in variables {
                let range = slot..slot + variable.slots();
                slot = range.end;
                if before.get(range.clone()) != after.get(range) && !variable.hidden {
                    names.push(variable.name.to_string());
                }
            }
        }
        names
    }
}

/// A call on the way, or where it all begins.
#[derive(Debug)]
struct List {
    steps: Vec<Step>,
    /// The call that opened it.
    call: Option<Opened>,
}

#[derive(Debug)]
struct Opened {
    edge: EdgeId,
    before: Values,
    states: Option<String>,
    invocation: String,
    length: u64,
    segment: Segment,
    /// What its steps depend on, if other calls may share them.
    start: Option<Box<[u64]>>,
}

struct Builder<'a, 'p> {
    walk: Walk<'a, 'p>,
    /// The lists being filled, the innermost last.
    open: Vec<List>,
    segments: Vec<Segment>,
    known: FxHashMap<Box<[u64]>, usize>,
    stored: usize,
    /// The values where the first turn starts.
    turn_start: Option<Values>,
}

impl<'a, 'p> Builder<'a, 'p> {
    fn new(walk: Walk<'a, 'p>) -> Self {
        Builder {
            walk,
            open: vec![List {
                steps: Vec::new(),
                call: None,
            }],
            segments: Vec::new(),
            known: FxHashMap::default(),
            stored: 0,
            turn_start: None,
        }
    }

    /// To the end of the stem and the first turn, or of one more turn.
    fn go(&mut self) {
        while let Some(next) = self.walk.next() {
            let position = self.walk.position();
            if position.part == Part::Turn && self.turn_start.is_none() {
                self.turn_start = Some(Values::of(self.walk.configuration()));
            }
            let cut = Cut::of(self.walk.replayed().trace(), position.part);
            match next {
                Next::Return => self.close(),
                _ if position.step == KEPT && cut.resume().is_some() => self.gap(cut),
                Next::Internal(edge) => self.internal(edge),
                Next::Call {
                    edge,
                    through: None,
                    ..
                } => self.enter(edge),
                Next::Call {
                    edge,
                    callee,
                    through: Some(_),
                    length,
                } => self.call(edge, callee, length),
            }
        }
        // A run that is over has a turn without steps.
        if self.turn_start.is_none() {
            self.turn_start = Some(Values::of(self.walk.configuration()));
        }
    }

    fn push(&mut self, step: Step) {
        self.stored += 1;
        if let Some(list) = self.open.last_mut() {
            list.steps.push(step);
        }
    }

    fn states(&self) -> Option<String> {
        let (monitor, states) = self.walk.monitor()?;
        Some(show_states(monitor, states))
    }

    /// A step with what is different now, in the frame that was running before.
    fn step(&self, edge: EdgeId, before: &Values, states: Option<&str>) -> Step {
        let now = self.walk.configuration();
        let machine = self.walk.replayed().machine();
        let frame = now.top();
        let changes = |before: &[u64], now: &[u64], types: &[recurva_model::Type]| {
            let pairs = before.iter().zip(now).zip(types).enumerate();
            pairs
                .filter(|(_, ((before, now), _))| before != now)
                .map(|(slot, ((_, &now), ty))| (slot, ty.show(now)))
                .collect::<Vec<Change>>()
        };
        Step {
            edge: i64::from(edge.0),
            globals: changes(&before.globals, &now.globals, machine.global_types()),
            locals: changes(
                &before.locals,
                &frame.locals,
                machine.local_types(frame.procedure),
            ),
            monitor: self.states().filter(|now| Some(&**now) != states),
            ..Step::default()
        }
    }

    fn internal(&mut self, edge: EdgeId) {
        let before = Values::of(self.walk.configuration());
        let states = self.states();
        self.walk.step_in();
        let branch = branch(self.walk.replayed().program(), before.procedure, edge);
        let step = self.step(edge, &before, states.as_deref());
        self.push(Step { branch, ..step });
    }

    fn enter(&mut self, edge: EdgeId) {
        let states = self.states();
        self.walk.step_in();
        let machine = self.walk.replayed().machine();
        let frame = self.walk.configuration().top();
        let enter = Enter {
            invocation: invocation(machine, frame),
            locals: shown(&frame.locals, machine.local_types(frame.procedure)),
            monitor: self.states().filter(|now| Some(now) != states.as_ref()),
        };
        self.push(Step {
            edge: i64::from(edge.0),
            enter: Some(enter),
            ..Step::default()
        });
    }

    fn call(&mut self, edge: EdgeId, callee: ProcId, length: u64) {
        let before = Values::of(self.walk.configuration());
        let states = self.states();
        self.walk.step_in();
        let machine = self.walk.replayed().machine();
        let frame = self.walk.configuration().top();
        let opened = Opened {
            edge,
            before,
            states,
            invocation: invocation(machine, frame),
            length,
            segment: Segment {
                procedure: callee.0,
                locals: shown(&frame.locals, machine.local_types(callee)),
                monitor: self.states(),
                steps: Vec::new(),
            },
            start: self.walk.shared_start(),
        };
        let known = opened.start.as_ref().and_then(|it| self.known.get(it));
        let known = known.copied();
        if known.is_none() && self.stored < STORED {
            self.open.push(List {
                steps: Vec::new(),
                call: Some(opened),
            });
        } else {
            self.walk.step_out();
            self.returned(&opened, known);
        }
    }

    /// The end of a call that has been opened.
    fn close(&mut self) {
        let list = self.open.pop();
        self.walk.step_in();
        let Some((mut opened, steps)) = list.and_then(|list| Some((list.call?, list.steps))) else {
            return;
        };
        opened.segment.steps = steps;
        let index = self.segments.len();
        if let Some(start) = opened.start.take() {
            self.known.insert(start, index);
        }
        let segment = std::mem::take(&mut opened.segment);
        self.segments.push(segment);
        self.returned(&opened, Some(index));
    }

    /// A call that has returned.
    fn returned(&mut self, opened: &Opened, segment: Option<usize>) {
        let machine = self.walk.replayed().machine();
        let program = machine.program();
        let step = self.step(opened.edge, &opened.before, opened.states.as_deref());
        let results = match &program.edge(opened.before.procedure, opened.edge).action {
            Action::Call { results, .. } => {
                kept_results(machine, results, self.walk.configuration())
            }
            Action::Assign { .. } => String::new(),
        };
        self.push(Step {
            call: Some(Call {
                segment,
                invocation: opened.invocation.clone(),
                results,
                length: grouped(opened.length.saturating_sub(2)),
            }),
            ..step
        });
    }

    /// Steps over all that is not kept of the current list.
    fn gap(&mut self, cut: Cut) {
        let before = Values::of(self.walk.configuration());
        let states = self.states();
        let depth = self.walk.configuration().stack.len();
        let first = self.walk.position();
        let resume = cut.resume().unwrap_or(first.step);
        let mut steps = 0u64;
        while self.walk.position().step < resume {
            steps = steps.saturating_add(match self.walk.next() {
                Some(Next::Call { length, .. }) => length,
                _ => 1,
            });
            if !self.walk.step_over() {
                break;
            }
        }
        let machine = self.walk.replayed().machine();
        let stack = &self.walk.configuration().stack;
        // What changed in the frame that was running, which may have called others since.
        let mut step = self.step(EdgeId(0), &before, states.as_deref());
        step.edge = -1;
        if stack.len() > depth {
            let then = shown(&before.locals, machine.local_types(before.procedure));
            let now = shown(
                &stack[depth - 1].locals,
                machine.local_types(before.procedure),
            );
            let pairs = then.into_iter().zip(now).enumerate();
            step.locals = pairs
                .filter(|(_, (then, now))| then != now)
                .map(|(slot, (_, now))| (slot, now))
                .collect();
        }
        let entered = stack.len() - depth;
        let listed = entered.min(FRAMES);
        let frames = (stack.len() - listed..stack.len()).map(|index| GapFrame {
            procedure: stack[index].procedure.0,
            edge: stack[index - 1]
                .pending
                .map_or(-1, |edge| i64::from(edge.0)),
            locals: shown(
                &stack[index].locals,
                machine.local_types(stack[index].procedure),
            ),
        });
        step.gap = Some(Gap {
            steps: grouped(steps),
            hidden: entered - listed,
            frames: frames.collect(),
        });
        self.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_in_the_middle() {
        let short = Cut::new(2 * KEPT + 1);
        assert_eq!(short.resume(), None);
        assert_eq!(short.to_stored(KEPT + 5), KEPT + 5);
        let long = Cut::new(1_000_000);
        assert_eq!(long.stored(), 2 * KEPT + 1);
        assert_eq!(long.to_stored(KEPT - 1), KEPT - 1);
        assert_eq!(long.to_stored(500_000), KEPT);
        for raw in [0, KEPT, 1_000_000 - KEPT, 999_999, 1_000_000] {
            assert_eq!(long.at_stored(long.to_stored(raw)), raw);
        }
        assert_eq!(long.to_stored(1_000_000), long.stored());
    }
}

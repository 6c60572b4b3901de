//! Monitors run by the book: beside the program, with a stack of what each pending call knows.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use recurva_model::{
    Action, Edge, Expr, Op, Place, Program, VarRef,
    semantics::{Configuration, Machine},
};
use recurva_testkit::values;

use crate::monitor::{Code, Event, Monitor, Operand, Pattern, Statement, Target, Term, Ty, number};

/// What goes wrong in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    /// A guard or assertion, by its number.
    Check(usize),
    /// A value that does not fit, or cannot be computed.
    Range,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) wrong: BTreeSet<Wrong>,
    /// Nothing was left out.
    pub(crate) exhaustive: bool,
}

/// What a pending call, or a step, knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Record {
    event: usize,
    locals: Vec<i64>,
    /// Values of pattern variables; targets are looked up.
    bound: Vec<(u32, i64)>,
    target: Option<(u32, VarRef)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Item {
    configuration: Configuration,
    globals: Vec<i64>,
    /// For each frame below the top, what its pending call knows.
    pending: Vec<Option<Record>>,
}

const FRAMES: usize = 4;
const ITEMS: usize = 6_000;

/// Runs a program and a monitor in all ways, up to a bound.
pub(crate) fn run(program: &Program, monitor: &Monitor) -> Found {
    let machine = Machine::new(program);
    let mut search = Search {
        program,
        monitor,
        machine,
        seen: HashSet::new(),
        open: VecDeque::new(),
        found: Found {
            exhaustive: true,
            ..Found::default()
        },
    };
    search.start();
    while let Some(item) = search.open.pop_front() {
        search.expand(&item);
        if search.seen.len() > ITEMS {
            search.found.exhaustive = false;
            break;
        }
    }
    search.found
}

struct Search<'p> {
    program: &'p Program,
    monitor: &'p Monitor,
    machine: Machine<'p>,
    seen: HashSet<Item>,
    open: VecDeque<Item>,
    found: Found,
}

impl Search<'_> {
    fn start(&mut self) {
        let globals = self.machine.global_types().to_vec();
        let locals = self.machine.local_types(self.program.main()).to_vec();
        let all = [globals.clone(), locals].concat();
        for values in values::all(&all) {
            let (globals, locals) = values.split_at(globals.len());
            let configuration = self.machine.start(globals, locals).expect("right types");
            self.add(Item {
                configuration,
                globals: self.monitor.globals.iter().map(|it| it.1).collect(),
                pending: Vec::new(),
            });
        }
    }

    fn add(&mut self, item: Item) {
        if self.seen.insert(item.clone()) {
            self.open.push_back(item);
        }
    }

    fn expand(&mut self, item: &Item) {
        if self.machine.at_exit(&item.configuration) {
            let mut next = item.clone();
            if self.machine.step_return(&mut next.configuration).is_ok() {
                let record = next.pending.pop().flatten();
                if self.after(&mut next, record) {
                    self.add(next);
                }
            }
            return;
        }
        let point = item.configuration.top().point();
        let edges: Vec<_> = self.program.edges_from(point).map(|it| it.0).collect();
        for id in edges {
            let edge = self.program.edge(point.procedure, id);
            let types = self.machine.choices(point.procedure, id);
            for choices in values::all(&types) {
                let mut next = item.clone();
                if self
                    .machine
                    .step(&mut next.configuration, id, &choices)
                    .is_err()
                {
                    continue;
                }
                if matches!(edge.action, Action::Call { .. })
                    && item.configuration.stack.len() >= FRAMES
                {
                    self.found.exhaustive = false;
                    continue;
                }
                self.step(item, edge, &next);
            }
        }
    }

    /// A step from `item` by `edge`, which leads the program to the configuration of `next`.
    fn step(&mut self, item: &Item, edge: &Edge, next: &Item) {
        let mut records = Vec::new();
        match &edge.action {
            Action::Call { .. } => records.extend(self.called(item, edge, next)),
            Action::Assign { assigns, .. } => {
                for (place, value) in assigns {
                    records.extend(self.assigned(item, place, value, next));
                }
            }
        }
        let events = records.iter().map(|it| &self.monitor.events[it.event]);
        let arbitrary = events.flat_map(|it| &it.locals).filter(|it| it.1.is_none());
        for choices in 0..1_u32 << arbitrary.count() {
            self.step_with(item, edge, next.clone(), records.clone(), choices);
        }
    }

    /// The same with the values of arbitrary locals, a bit for each.
    fn step_with(
        &mut self,
        item: &Item,
        edge: &Edge,
        mut next: Item,
        mut records: Vec<Record>,
        mut choices: u32,
    ) {
        for record in &mut records {
            if !self.before(item, &mut next.globals, record, &mut choices) {
                return;
            }
        }
        if matches!(edge.action, Action::Call { .. }) {
            next.pending.push(records.pop());
        }
        for record in records {
            if !self.after(&mut next, Some(record)) {
                return;
            }
        }
        self.add(next);
    }

    fn name(&self, item: &Item, variable: VarRef) -> Option<String> {
        let procedure = item.configuration.top().procedure;
        let variable = self.program.variable(procedure, variable);
        (!variable.hidden).then(|| variable.name.to_string())
    }

    /// Whether an operand matches an expression.
    fn matches(&self, item: &Item, operand: &Operand, expr: &Expr) -> bool {
        match operand {
            Operand::Any | Operand::Bind(_) => true,
            Operand::Number(wanted) => {
                matches!(expr.ops(), [Op::Const(value, ty)] if number(*ty, *value) == *wanted)
            }
            Operand::Name(name) => expr
                .as_read()
                .is_some_and(|it| self.name(item, it).as_ref() == Some(name)),
        }
    }

    fn called(&self, item: &Item, edge: &Edge, next: &Item) -> Option<Record> {
        let Action::Call {
            callee,
            arguments,
            results,
        } = &edge.action
        else {
            return None;
        };
        let procedure = self.program.procedure(*callee);
        let fits = |event: &Event| {
            let Pattern::Call(target, name, wanted) = &event.pattern else {
                return false;
            };
            let stored = results.first().copied().flatten();
            let right_target = match target {
                None | Some(Operand::Any) => true,
                Some(Operand::Name(name)) => {
                    stored.is_some_and(|it| self.name(item, it).as_ref() == Some(name))
                }
                Some(_) => stored.is_some(),
            };
            let right_arguments = wanted.as_ref().is_none_or(|wanted| {
                let mut pairs = wanted.iter().zip(arguments);
                wanted.len() == arguments.len() && pairs.all(|(a, b)| self.matches(item, a, b))
            });
            *procedure.name == *name.as_str() && right_target && right_arguments
        };
        let event = self.monitor.events.iter().position(fits)?;
        let Pattern::Call(target, _, wanted) = &self.monitor.events[event].pattern else {
            return None;
        };
        let frame = next.configuration.top();
        let mut bound = Vec::new();
        for (position, operand) in wanted.iter().flatten().enumerate() {
            if let Operand::Bind(name) = operand {
                let ty = procedure.locals[position].ty;
                bound.push((*name, number(ty, frame.locals[position])));
            }
        }
        let stored = results.first().copied().flatten();
        let target = match (target, stored) {
            (Some(Operand::Bind(name)), Some(variable)) => Some((*name, variable)),
            _ => None,
        };
        Some(Record {
            event,
            locals: Vec::new(),
            bound,
            target,
        })
    }

    fn assigned(&self, item: &Item, place: &Place, value: &Expr, next: &Item) -> Option<Record> {
        let Place::Scalar(variable) = place else {
            return None;
        };
        let name = self.name(item, *variable)?;
        let made_up = |op: &Op| matches!(op, Op::Read(it) if self.name(item, *it).is_none());
        if value.ops().iter().any(made_up) {
            return None;
        }
        let fits = |event: &Event| match &event.pattern {
            Pattern::Assign(target, wanted) => {
                let right = match target {
                    Operand::Name(wanted) => *wanted == name,
                    _ => true,
                };
                right && self.matches(item, wanted, value)
            }
            Pattern::Call(..) => false,
        };
        let event = self.monitor.events.iter().position(fits)?;
        let Pattern::Assign(target, wanted) = &self.monitor.events[event].pattern else {
            return None;
        };
        let mut bound = Vec::new();
        if let Operand::Bind(name) = wanted {
            bound.push((*name, self.read(next, *variable)));
        }
        let target = match target {
            Operand::Bind(name) => Some((*name, *variable)),
            _ => None,
        };
        Some(Record {
            event,
            locals: Vec::new(),
            bound,
            target,
        })
    }

    fn read(&self, item: &Item, variable: VarRef) -> i64 {
        let frame = item.configuration.top();
        let slot = self.machine.slot(frame.procedure, variable);
        let ty = self.program.variable(frame.procedure, variable).ty;
        match variable {
            VarRef::Global(_) => number(ty, item.configuration.globals[slot]),
            VarRef::Local(_) => number(ty, frame.locals[slot]),
        }
    }

    /// Runs what comes before a step from `item`; whether the run goes on.
    fn before(
        &mut self,
        item: &Item,
        globals: &mut Vec<i64>,
        record: &mut Record,
        choices: &mut u32,
    ) -> bool {
        let monitor = self.monitor;
        let event = &monitor.events[record.event];
        let mut holes: HashMap<u32, i64> = record.bound.iter().copied().collect();
        if let Some((name, variable)) = record.target {
            holes.insert(name, self.read(item, variable));
        }
        let mut state = State {
            monitor,
            event,
            globals: globals.clone(),
            locals: Vec::new(),
            holes,
        };
        let mut result = Ok(());
        for (ty, value) in &event.locals {
            let value = match value {
                Some(value) => state.term(value),
                None => {
                    let bit = *choices & 1;
                    *choices >>= 1;
                    Some(i64::from(bit))
                }
            };
            match value.and_then(|it| ty.keep(it)) {
                Some(value) => state.locals.push(value),
                None => result = Err(Wrong::Range),
            }
            if result.is_err() {
                break;
            }
        }
        let result = result.and_then(|()| state.code(&event.before));
        record.locals = state.locals;
        *globals = state.globals;
        self.goes_on(result)
    }

    /// Runs what comes after the step that led to `item`; whether the run goes on.
    fn after(&mut self, item: &mut Item, record: Option<Record>) -> bool {
        let Some(record) = record else { return true };
        let monitor = self.monitor;
        let event = &monitor.events[record.event];
        let mut holes: HashMap<u32, i64> = record.bound.iter().copied().collect();
        if let Some((name, variable)) = record.target {
            holes.insert(name, self.read(item, variable));
        }
        let mut state = State {
            monitor,
            event,
            globals: item.globals.clone(),
            locals: record.locals,
            holes,
        };
        let result = state.code(&event.after);
        item.globals = state.globals;
        self.goes_on(result)
    }

    fn goes_on(&mut self, result: Result<(), Wrong>) -> bool {
        self.found.wrong.extend(result.err());
        result.is_ok()
    }
}

/// The values of a monitor in the midst of an event.
struct State<'m> {
    monitor: &'m Monitor,
    event: &'m Event,
    globals: Vec<i64>,
    locals: Vec<i64>,
    holes: HashMap<u32, i64>,
}

impl State<'_> {
    fn code(&mut self, code: &Code) -> Result<(), Wrong> {
        if let Some((check, guard)) = &code.guard {
            self.require(*check, guard)?;
        }
        self.statements(&code.action)
    }

    fn require(&self, check: usize, condition: &Term) -> Result<(), Wrong> {
        match self.term(condition) {
            None => Err(Wrong::Range),
            Some(0) => Err(Wrong::Check(check)),
            Some(_) => Ok(()),
        }
    }

    fn statements(&mut self, list: &[Statement]) -> Result<(), Wrong> {
        for statement in list {
            match statement {
                Statement::Assert(check, condition) => self.require(*check, condition)?,
                Statement::If(condition, then, otherwise) => {
                    let way = match self.term(condition) {
                        None => return Err(Wrong::Range),
                        Some(0) => otherwise,
                        Some(_) => then,
                    };
                    self.statements(way)?;
                }
                Statement::Assign(target, value) => {
                    let (ty, slot): (Ty, &mut i64) = match *target {
                        Target::Global(index) => {
                            let value = self.term(value).ok_or(Wrong::Range)?;
                            let ty = self.monitor.globals[index].0;
                            self.globals[index] = ty.keep(value).ok_or(Wrong::Range)?;
                            continue;
                        }
                        Target::Local(index) => {
                            let value = self.term(value).ok_or(Wrong::Range)?;
                            let ty = self.event.locals[index].0;
                            self.locals[index] = value;
                            (ty, &mut self.locals[index])
                        }
                    };
                    *slot = ty.keep(*slot).ok_or(Wrong::Range)?;
                }
            }
        }
        Ok(())
    }

    /// The value of a term; `None` if it cannot be computed.
    fn term(&self, term: &Term) -> Option<i64> {
        Some(match term {
            Term::Number(number) => *number,
            Term::Global(index) => self.globals[*index],
            Term::Local(index) => self.locals[*index],
            Term::Hole(name) => self.holes[name],
            Term::Not(inner) => i64::from(self.term(inner)? == 0),
            Term::Negate(inner) => -self.term(inner)?,
            Term::Binary("&&", left, right) => match self.term(left)? {
                0 => 0,
                _ => i64::from(self.term(right)? != 0),
            },
            Term::Binary("||", left, right) => match self.term(left)? {
                0 => i64::from(self.term(right)? != 0),
                _ => 1,
            },
            Term::Binary(operator, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                match *operator {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "/" => left.checked_div(right)?,
                    "%" => left.checked_rem(right)?,
                    "&" => left & right,
                    "|" => left | right,
                    "^" => left ^ right,
                    "==" => i64::from(left == right),
                    "!=" => i64::from(left != right),
                    "<" => i64::from(left < right),
                    "<=" => i64::from(left <= right),
                    ">" => i64::from(left > right),
                    ">=" => i64::from(left >= right),
                    other => panic!("unknown operator {other}"),
                }
            }
        })
    }
}

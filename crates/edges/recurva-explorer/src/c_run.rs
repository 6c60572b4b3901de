//! A run of a C program as the page walks along it: a machine whose procedures are the functions that
//! run, with a node for each statement, and what each step changes.

use recurva_check::{CChange, CKind, COwner, CRun, CStep, CValue};
use recurva_model::Origin;
use recurva_report::parts::{Failing, Lines, grouped};
use rustc_hash::FxHashMap;

use crate::{
    document::{
        Call, Change, End, Enter, Machine, MachineEdge, MachineNode, Procedure, Run, Segment, Slot,
        Step,
    },
    places::Texts,
};

/// The machine and the run; `None` of a run that is too long to be kept whole.
pub(crate) fn c_run(
    run: &CRun,
    failing: &Failing,
    lines: &Lines<'_>,
    texts: &Texts<'_>,
) -> Option<(Machine, Run)> {
    let is_gap = |step: &CStep| matches!(step.kind, CKind::Gap { .. });
    if run.steps.is_empty() || run.steps.iter().any(is_gap) {
        return None;
    }
    let mut builder = Builder::new(run, lines, texts);
    for step in &run.steps {
        builder.step(step);
    }
    Some(builder.finish(run, failing))
}

/// A function, as far as the run shows it.
#[derive(Debug, Default)]
struct Function {
    name: String,
    origin: Origin,
    parameters: usize,
    locals: Names,
    /// The statements: the nodes.
    statements: Vec<Origin>,
    /// From one statement to the next, or to the exit.
    edges: Vec<(usize, Option<usize>, Option<usize>)>,
}

/// Names with their numbers.
#[derive(Debug, Default)]
struct Names {
    list: Vec<String>,
    numbers: FxHashMap<String, usize>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len();
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn slots(&self) -> Vec<Slot> {
        let slot = |name: &String| Slot {
            name: name.clone(),
            ty: String::new(),
            hidden: false,
        };
        self.list.iter().map(slot).collect()
    }

    /// Values in the order of the slots.
    fn values(&self, values: &[CValue]) -> Vec<String> {
        let mut out = vec![String::new(); self.list.len()];
        for value in values {
            if let Some(&slot) = self.numbers.get(&value.name) {
                out[slot].clone_from(&value.value);
            }
        }
        out
    }
}

/// A call that has not returned.
#[derive(Debug)]
struct Frame {
    function: usize,
    /// What has changed in it since its caller was left, for when that goes on.
    outer: Vec<CChange>,
    /// The call, with what is to be said of it when it returns; none if it never does.
    opened: Option<Opened>,
    /// The step that leads on from the last statement: the list and the place in it.
    last: Option<(usize, usize, usize)>,
}

#[derive(Debug)]
struct Opened {
    call: CStep,
    locals: Vec<CValue>,
    before: u64,
}

/// How a call begins: its function and the values of its variables.
type Start = (usize, Vec<CValue>);

struct Builder<'a> {
    lines: &'a Lines<'a>,
    texts: &'a Texts<'a>,
    returns: FxHashMap<u64, ()>,
    globals: Names,
    functions: Vec<Function>,
    by_name: FxHashMap<Box<str>, usize>,
    frames: Vec<Frame>,
    /// The lists of steps: that of the run, then those of calls that return.
    lists: Vec<(Vec<Step>, Option<Start>)>,
    /// Which of them are being filled.
    open: Vec<usize>,
    passed: u64,
}

impl<'a> Builder<'a> {
    fn new(run: &CRun, lines: &'a Lines<'a>, texts: &'a Texts<'a>) -> Self {
        let returns = run.steps.iter().filter_map(|step| match step.kind {
            CKind::Return { call, .. } => Some((call, ())),
            _ => None,
        });
        let mut builder = Builder {
            lines,
            texts,
            returns: returns.collect(),
            globals: Names::default(),
            functions: Vec::new(),
            by_name: FxHashMap::default(),
            frames: Vec::new(),
            lists: vec![(Vec::new(), None)],
            open: vec![0],
            passed: 0,
        };
        builder.names(run);
        builder
    }

    /// Finds all functions and variables.
    fn names(&mut self, run: &CRun) {
        for value in run.globals.iter().chain(&run.end.globals) {
            self.globals.number(&value.name);
        }
        // The functions of the calls under way.
        let mut stack: Vec<usize> = Vec::new();
        for step in &run.steps {
            match &step.kind {
                CKind::Start(arguments) => {
                    let id = self.function(&step.function, arguments);
                    self.functions[id].origin = step.origin;
                    stack.push(id);
                }
                CKind::Call {
                    callee, arguments, ..
                } => {
                    let id = self.function(callee, arguments);
                    stack.truncate(step.depth + 1);
                    stack.push(id);
                }
                CKind::Return { .. } => stack.truncate(step.depth + 1),
                CKind::Statement | CKind::Gap { .. } => {}
            }
            for change in &step.changes {
                let name = slot_name(change);
                match change.owner {
                    COwner::Program => {
                        self.globals.number(name);
                    }
                    COwner::Call(depth) => {
                        if let Some(&id) = stack.get(depth) {
                            self.functions[id].locals.number(name);
                        }
                    }
                }
            }
        }
        for frame in &run.end.stack {
            let id = self.function(&frame.function, &[]);
            for value in &frame.locals {
                self.functions[id].locals.number(&value.name);
            }
        }
    }

    fn function(&mut self, name: &str, arguments: &[CValue]) -> usize {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let id = self.functions.len();
        let mut function = Function {
            name: name.to_owned(),
            parameters: arguments.len(),
            ..Function::default()
        };
        for argument in arguments {
            function.locals.number(&argument.name);
        }
        self.functions.push(function);
        self.by_name.insert(name.into(), id);
        id
    }

    fn push(&mut self, step: Step) -> (usize, usize) {
        let list = self.open.last().copied().unwrap_or_default();
        self.lists[list].0.push(step);
        (list, self.lists[list].0.len() - 1)
    }

    /// The edge from a statement to the next one.
    fn edge(&mut self, function: usize, edge: (usize, Option<usize>, Option<usize>)) -> i64 {
        let edges = &mut self.functions[function].edges;
        let known = edges.iter().position(|it| *it == edge);
        let number = known.unwrap_or(edges.len());
        if number == edges.len() {
            edges.push(edge);
        }
        number as i64
    }

    /// The node of a statement of the running function; the step before leads there.
    fn arrive(&mut self, origin: Origin) -> Option<usize> {
        let frame = self.frames.last()?;
        let function = frame.function;
        let statements = &mut self.functions[function].statements;
        let known = statements.iter().position(|it| *it == origin);
        let node = known.unwrap_or(statements.len());
        if node == statements.len() {
            statements.push(origin);
        }
        self.lead(Some(node));
        Some(node)
    }

    /// The last step of the running function leads to a statement, or to the exit.
    fn lead(&mut self, to: Option<usize>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let function = frame.function;
        let Some((list, at, from)) = frame.last.take() else {
            return;
        };
        let edge = self.lists[list].0[at].edge;
        let callee = self.functions[function].edges[edge as usize].2;
        let edge = self.edge(function, (from, to, callee));
        self.lists[list].0[at].edge = edge;
    }

    fn step(&mut self, step: &CStep) {
        match &step.kind {
            CKind::Start(arguments) => {
                let function = self.function(&step.function, arguments);
                self.frames.push(Frame {
                    function,
                    outer: Vec::new(),
                    opened: None,
                    last: None,
                });
            }
            CKind::Statement | CKind::Gap { .. } => {
                self.passed += 1;
                let Some(node) = self.arrive(step.origin) else {
                    return;
                };
                let shown = self.shown(step, node, None);
                self.stay(shown, node);
            }
            CKind::Call { call, .. } => {
                self.passed += 1;
                self.call(step, self.returns.contains_key(call));
            }
            CKind::Return { .. } => {
                self.passed += 1;
                self.back(step);
            }
        }
    }

    /// A step of the running function, which leads nowhere yet.
    fn stay(&mut self, step: Step, node: usize) {
        let (list, at) = self.push(step);
        if let Some(frame) = self.frames.last_mut() {
            frame.last = Some((list, at, node));
        }
    }

    /// What a step changes.
    fn shown(&mut self, step: &CStep, node: usize, callee: Option<usize>) -> Step {
        let function = self.frames.last().map_or(0, |it| it.function);
        let edge = self.edge(function, (node, Some(node), callee));
        let running = self.frames.len().saturating_sub(1);
        let (globals, locals) = self.changes(&step.changes, running);
        Step {
            edge,
            globals,
            locals,
            branch: step.truth,
            ..Step::default()
        }
    }

    /// Changes to the program's variables and to those of a call; others are kept for their own.
    fn changes(&mut self, changes: &[CChange], running: usize) -> (Vec<Change>, Vec<Change>) {
        let (mut globals, mut locals) = (Vec::new(), Vec::new());
        for change in changes {
            let value = change.whole.as_ref().unwrap_or(&change.part).value.clone();
            let name = slot_name(change);
            match change.owner {
                COwner::Program => globals.push((self.globals.number(name), value)),
                COwner::Call(depth) if depth == running => {
                    if let Some(frame) = self.frames.get(depth) {
                        let names = &mut self.functions[frame.function].locals;
                        locals.push((names.number(name), value));
                    }
                }
                COwner::Call(depth) => {
                    if let Some(frame) = self.frames.get_mut(depth) {
                        frame.outer.push(change.clone());
                    }
                }
            }
        }
        (globals, locals)
    }

    fn call(&mut self, step: &CStep, returns: bool) {
        let CKind::Call {
            callee, arguments, ..
        } = &step.kind
        else {
            return;
        };
        let function = self.function(callee, arguments);
        let Some(node) = self.arrive(step.origin) else {
            return;
        };
        if returns {
            self.open.push(self.lists.len());
            let start = Some((function, arguments.clone()));
            self.lists.push((Vec::new(), start));
            self.frames.push(Frame {
                function,
                outer: Vec::new(),
                opened: Some(Opened {
                    call: step.clone(),
                    locals: arguments.clone(),
                    before: self.passed,
                }),
                last: None,
            });
            return;
        }
        let mut shown = self.shown(step, node, Some(function));
        shown.enter = Some(Enter {
            invocation: step.invocation().unwrap_or_default(),
            locals: self.functions[function].locals.values(arguments),
            monitor: None,
        });
        self.push(shown);
        self.frames.push(Frame {
            function,
            outer: Vec::new(),
            opened: None,
            last: None,
        });
    }

    fn back(&mut self, step: &CStep) {
        self.lead(None);
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let Some(opened) = frame.opened else {
            return;
        };
        let Some(list) = self.open.pop() else { return };
        let Some(node) = self.arrive(opened.call.origin) else {
            return;
        };
        let mut shown = self.shown(&opened.call, node, Some(frame.function));
        // Whoever steps over the call sees what it did to the program's variables.
        let inside = self.lists[list].0.iter().flat_map(|it| &it.globals);
        shown.globals.extend(inside.cloned());
        let running = self.frames.len().saturating_sub(1);
        // What the callee has changed through pointers, then what is done with the result.
        let outer = self
            .frames
            .last_mut()
            .map(|it| std::mem::take(&mut it.outer));
        let outer = outer.unwrap_or_default();
        for changes in [&outer, &step.changes] {
            let (globals, locals) = self.changes(changes, running);
            shown.globals.extend(globals);
            shown.locals.extend(locals);
        }
        keep_last(&mut shown.globals);
        keep_last(&mut shown.locals);
        let value = match &step.kind {
            CKind::Return { value, .. } => value.clone().unwrap_or_default(),
            _ => String::new(),
        };
        shown.branch = step.truth;
        shown.call = Some(Call {
            // Segments are all lists but that of the run.
            segment: list.checked_sub(1),
            invocation: opened.call.invocation().unwrap_or_default(),
            results: value,
            length: grouped(self.passed.saturating_sub(opened.before + 1)),
        });
        if let Some((_, locals)) = &mut self.lists[list].1 {
            *locals = opened.locals;
        }
        self.stay(shown, node);
    }

    fn finish(mut self, run: &CRun, failing: &Failing) -> (Machine, Run) {
        let globals = self.globals.values(&run.globals);
        let main = run.steps.first();
        let main_locals = match main.map(|it| &it.kind) {
            Some(CKind::Start(arguments)) => self.functions[0].locals.values(arguments),
            _ => Vec::new(),
        };
        let lists = std::mem::take(&mut self.lists);
        let mut lists = lists.into_iter();
        let steps = lists.next().map_or_else(Vec::new, |it| it.0);
        let segments = lists.map(|(steps, start)| {
            let (function, locals) = start.unwrap_or_default();
            Segment {
                procedure: function as u32,
                locals: self.functions[function].locals.values(&locals),
                monitor: None,
                steps,
            }
        });
        let segments = segments.collect();
        let functions = self.functions.iter();
        let machine = Machine {
            globals: self.globals.slots(),
            procedures: functions.map(|it| self.procedure(it)).collect(),
            main: 0,
        };
        let run = Run {
            globals,
            locals: main_locals,
            monitor: None,
            steps,
            segments,
            turn: None,
            length: grouped(run.length),
            end: End {
                what: failing.what.clone(),
                place: self.texts.place(failing.origin),
            },
            table: None,
        };
        (machine, run)
    }

    fn procedure(&self, function: &Function) -> Procedure {
        let exit = function.statements.len();
        let statements = function.statements.iter();
        let node = |origin: &Origin| MachineNode {
            place: self.texts.place(*origin),
            labels: Vec::new(),
        };
        let mut nodes: Vec<MachineNode> = statements.map(node).collect();
        nodes.push(MachineNode {
            place: None,
            labels: Vec::new(),
        });
        let edges = function.edges.iter().map(|&(from, to, callee)| {
            let origin = function.statements[from];
            MachineEdge {
                from: from as u32,
                to: to.unwrap_or(exit) as u32,
                place: self.texts.place(origin),
                text: self.lines.excerpt(origin).unwrap_or_default(),
                callee: callee.map(|it| it as u32),
            }
        });
        let parameters = &function.locals.list[..function.parameters];
        Procedure {
            name: function.name.clone(),
            signature: format!("{}({})", function.name, parameters.join(", ")),
            place: self.texts.place(function.origin),
            locals: function.locals.slots(),
            parameters: function.parameters,
            entry: 0,
            exit: exit as u32,
            nodes,
            edges: edges.collect(),
            drawing: None,
            folded: None,
        }
    }
}

/// One change of each variable: the last.
fn keep_last(changes: &mut Vec<Change>) {
    let last: FxHashMap<usize, usize> = (0..)
        .zip(changes.iter())
        .map(|(at, &(slot, _))| (slot, at))
        .collect();
    let mut at = 0..;
    changes.retain(|(slot, _)| at.next() == last.get(slot).copied());
}

/// The variable that a change is part of, or the part of what was allocated.
fn slot_name(change: &CChange) -> &str {
    &change.whole.as_ref().unwrap_or(&change.part).name
}

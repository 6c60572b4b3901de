//! Recording a run while the interpreter executes it.

mod changes;
mod values;

use std::{cell::RefCell, ops::Range};

use recurva_cir::{
    FunctionId, Local, LocalKind, Module, Operation, Origin, Type, Unknown,
    interpret::{Change, Event, Happened, Observer, Owner, Position, View},
};
use recurva_syntax::Span;

use crate::c::rule::is_made_up;
use crate::c::run::{CInput, CKind, CRun, CStep, CValue, Statements};

/// How many steps of the interpreter are told in full at the beginning of a run, and at its end.
const TOLD: [u64; 2] = [20_000, 60_000];

/// Which steps of the interpreter are not told.
#[derive(Clone, Debug)]
pub(in crate::c) struct Window(Range<u64>);

impl Window {
    /// What is left out of a run of so many steps.
    pub(in crate::c) fn of(steps: u64) -> Self {
        Window(TOLD[0]..steps.saturating_sub(TOLD[1]))
    }
}

/// Is told of every step of a run.
pub(in crate::c) struct Recorder<'a, 'm> {
    module: &'m Module,
    statements: &'a mut Statements,
    place: &'a mut dyn FnMut(Origin) -> recurva_model::Origin,
    window: Window,
    /// How many steps of the interpreter there have been.
    taken: u64,
    /// Which functions and variables the user wrote.
    functions: Vec<bool>,
    variables: Vec<bool>,
    frames: Vec<Frame>,
    /// How many calls of the user's functions there have been.
    calls: u64,
    /// How variables of the function are called that is made up to call the first one.
    prefix: Option<String>,
    /// Whether the user's first function has been called.
    has_started: bool,
    /// What came from outside before that.
    before: Vec<CInput>,
    /// The program's variables at the beginning.
    first: Vec<CValue>,
    steps: Vec<CStep>,
    length: u64,
    open: Option<Open>,
}

/// A call that has not returned.
#[derive(Debug)]
struct Frame {
    /// Its number among the calls of the user's functions.
    call: u64,
    /// How many calls of the user's functions are under way below it.
    depth: usize,
    /// The statement and the edge of the caller, if that is the user's.
    from: Option<(u32, u32)>,
    /// Whether it is the user's.
    is_shown: bool,
    /// Whether its beginning is among the steps that are kept.
    is_told: bool,
    /// What it will return.
    result: Option<String>,
}

/// The statement that is being executed.
#[derive(Debug)]
struct Open {
    /// The frame.
    frame: usize,
    statement: u32,
    /// The edges that were taken.
    edges: Vec<u32>,
    /// Whether it is the last one of the steps.
    is_told: bool,
    /// Changes so far, by the variables that they are part of.
    changed: Vec<(Owner, Change)>,
}

impl<'a, 'm> Recorder<'a, 'm> {
    /// At the beginning of a run.
    pub(in crate::c) fn new(
        module: &'m Module,
        statements: &'a mut Statements,
        place: &'a mut dyn FnMut(Origin) -> recurva_model::Origin,
        window: Window,
    ) -> Self {
        let is_users = |origin: Origin| {
            let source = module.sources.get(origin.source.0 as usize);
            source.is_some_and(|it| !it.is_library)
        };
        // A function that is made up to call the first one has a name that none has.
        let functions = module.functions.iter();
        let functions = functions.map(|it| is_users(it.origin) && !it.name.contains(' '));
        let globals = module.globals.iter();
        let globals = globals.map(|it| is_users(it.origin) && !it.name.is_empty());
        let first = module.function(module.entry);
        let mut recorder = Recorder {
            prefix: first
                .name
                .contains(' ')
                .then(|| format!("{}::", first.name)),
            module,
            statements,
            place,
            window,
            taken: 0,
            functions: functions.collect(),
            variables: globals.collect(),
            frames: Vec::new(),
            calls: 0,
            has_started: false,
            before: Vec::new(),
            first: Vec::new(),
            steps: Vec::new(),
            length: 0,
            open: None,
        };
        let entry = module.entry;
        let is_shown = recorder.functions[entry.0 as usize];
        recorder.frames.push(Frame {
            call: 0,
            depth: 0,
            from: None,
            is_shown,
            is_told: true,
            result: None,
        });
        if is_shown {
            recorder.start(entry, Vec::new());
        }
        recorder
    }

    /// Looks at the program before its first step.
    pub(in crate::c) fn begin(&mut self, view: &View<'_, '_>) {
        self.first = self.globals(view);
    }

    /// The run, which has got to where the interpreter is; `failed` is the step that it could not
    /// take, if there is one.
    pub(in crate::c) fn finish(&mut self, view: &View<'_, '_>, failed: Option<Position>) -> CRun {
        let top = view.depth();
        if let Some(edge) = failed.and_then(|it| it.edge) {
            let position = view.position(top);
            if self.is_shown(position.function) {
                let statement = self
                    .statements
                    .of_edge(self.module, position.function, edge);
                self.open(top, position.function, statement, edge);
            }
        }
        let end = self.end(view);
        CRun {
            globals: std::mem::take(&mut self.first),
            steps: std::mem::take(&mut self.steps),
            length: self.length,
            end,
        }
    }

    fn is_shown(&self, function: FunctionId) -> bool {
        self.functions[function.0 as usize]
    }

    fn is_loud(&self) -> bool {
        !self.window.0.contains(&self.taken)
    }

    fn start(&mut self, function: FunctionId, arguments: Vec<CValue>) {
        self.has_started = true;
        let declared = self.module.function(function);
        let origin = (self.place)(declared.origin);
        let inputs = std::mem::take(&mut self.before);
        self.steps.push(CStep {
            inputs,
            ..step(CKind::Start(arguments), origin, 0, &declared.name)
        });
    }

    /// A step of the run; whether it is kept.
    fn push(
        &mut self,
        kind: CKind,
        frame: usize,
        function: FunctionId,
        origin: (Origin, bool),
    ) -> bool {
        self.length += 1;
        let name = &self.module.function(function).name;
        let depth = self.frames[frame].depth;
        if !self.is_loud() && !matches!(kind, CKind::Return { .. }) {
            match self.steps.last_mut().map(|it| &mut it.kind) {
                Some(CKind::Gap { steps }) => *steps += 1,
                _ => {
                    let nowhere = recurva_model::Origin::default();
                    let gap = CKind::Gap { steps: 1 };
                    self.steps.push(step(gap, nowhere, depth, name));
                }
            }
            return false;
        }
        let is_beginning = origin.1;
        let origin = (self.place)(origin.0);
        self.steps.push(CStep {
            is_beginning,
            ..step(kind, origin, depth, name)
        });
        true
    }

    /// Goes on with the statement that is being executed, or with another one.
    fn open(&mut self, frame: usize, function: FunctionId, statement: u32, edge: u32) {
        if let Some(open) = &mut self.open
            && open.frame == frame
            && open.statement == statement
            && !open.edges.contains(&edge)
        {
            open.edges.push(edge);
            return;
        }
        let origin = self.statements.statement(statement).place();
        let is_told = self.push(CKind::Statement, frame, function, origin);
        self.open = Some(Open {
            frame,
            statement,
            edges: vec![edge],
            is_told,
            changed: Vec::new(),
        });
    }

    /// The step of the statement that is being executed, if it is kept.
    fn told(&mut self) -> Option<&mut CStep> {
        let is_told = self.open.as_ref().is_some_and(|it| it.is_told);
        self.steps.last_mut().filter(|_| is_told)
    }

    fn called(&mut self, event: &Event<'_>, view: &View<'_, '_>, callee: FunctionId) {
        let caller = event.depth;
        let is_shown = self.is_shown(callee);
        let edge = event.edge.unwrap_or_default();
        let from_user = self.frames[caller].is_shown;
        let from = from_user.then(|| {
            let statement = self.statements.of_edge(self.module, event.function, edge);
            self.open(caller, event.function, statement, edge);
            (statement, edge)
        });
        let mut is_told = false;
        if is_shown {
            self.calls += 1;
            let declared = self.module.function(callee);
            let arguments = match self.is_loud() {
                true => self.locals(view, caller + 1, declared.parameters as usize),
                false => Vec::new(),
            };
            if !self.has_started {
                self.inputs(view, &arguments);
                self.start(callee, arguments);
            } else {
                let place = self.edge_origin(event);
                let place = (self.place)(place);
                let kind = CKind::Call {
                    call: self.calls,
                    callee: declared.name.clone(),
                    arguments,
                    place,
                };
                is_told = self.call(event, kind, from_user);
            }
            self.open = None;
        }
        let below = &self.frames[caller];
        self.frames.push(Frame {
            call: self.calls,
            depth: below.depth + usize::from(below.is_shown),
            from,
            is_shown,
            is_told,
            result: None,
        });
    }

    /// A call of one of the user's functions; whether it is kept.
    fn call(&mut self, event: &Event<'_>, kind: CKind, from_user: bool) -> bool {
        // Whether the statement that calls has just begun.
        let open = self.open.as_ref();
        let is_new = from_user && open.is_some_and(|it| it.edges.len() == 1);
        match self.told() {
            // A statement that calls twice is two steps.
            Some(step) if from_user && step.kind == CKind::Statement => {
                step.kind = kind;
                // What was true so far decides nothing.
                step.truth = None;
                true
            }
            None if is_new => false,
            _ => {
                let origin = match &self.open {
                    Some(open) if from_user => self.statements.statement(open.statement).place(),
                    _ => (self.edge_origin(event), false),
                };
                self.push(kind, event.depth, event.function, origin)
            }
        }
    }

    fn edge_origin(&self, event: &Event<'_>) -> Origin {
        let function = self.module.function(event.function);
        let edge = event.edge.and_then(|it| function.edges.get(it as usize));
        edge.map_or(function.origin, |it| it.origin)
    }

    fn returned(&mut self, event: &Event<'_>, view: &View<'_, '_>) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let Some(caller) = self.frames.len().checked_sub(1) else {
            return;
        };
        if frame.is_shown {
            let callee = self.module.function(event.function).name.clone();
            let kind = CKind::Return {
                call: frame.call,
                callee,
                value: frame.result,
            };
            let position = view.position(caller);
            let origin = frame.from.map(|it| self.statements.statement(it.0).place());
            let origin = origin.unwrap_or((position.origin, false));
            let is_told = match frame.is_told || self.is_loud() {
                true => self.push(kind, caller, position.function, origin),
                // The call is not kept either.
                false => self.push(CKind::Statement, caller, position.function, origin),
            };
            self.open = frame.from.map(|(statement, edge)| Open {
                frame: caller,
                statement,
                edges: vec![edge],
                is_told,
                changed: Vec::new(),
            });
        }
        self.change(event.changes, view, caller, false);
    }

    fn moved(&mut self, event: &Event<'_>, view: &View<'_, '_>, outside: Option<FunctionId>) {
        let Some(edge) = event.edge else { return };
        let function = self.module.function(event.function);
        let operation = &function.edges[edge as usize].operation;
        let (mut is_open, mut input, mut runs_out) = (true, None, false);
        match operation {
            Operation::Skip => return,
            Operation::Havoc(place, why) => match why {
                Unknown::Uninitialised => {
                    let ty = self.module.types.get(place.ty);
                    is_open = !matches!(ty, Type::Array(..) | Type::Record(_));
                }
                Unknown::Nondet(name) => input = Some((name.clone(), true)),
                Unknown::External(name) => {
                    input = Some((name.clone(), self.frames[event.depth].is_shown));
                }
                Unknown::Memory => runs_out = true,
                Unknown::Input | Unknown::NotComputed => {}
            },
            _ => {}
        }
        if let Some(id) = outside {
            input = Some((self.module.function(id).name.clone(), true));
        }
        if !is_open || (input.is_none() && self.is_made_up(event, view)) {
            return;
        }
        let is_shown = self.frames[event.depth].is_shown;
        if is_shown {
            let statement = self.statements.of_edge(self.module, event.function, edge);
            self.open(event.depth, event.function, statement, edge);
            if let Operation::Assume(_) = operation {
                self.branch(event.function, edge);
            }
        }
        if !self.is_loud() {
            return;
        }
        if let (Some((from, is_call)), Some(change)) = (input, event.changes.first()) {
            let value = view.show_change(view.depth(), change).value;
            let value = value.trim_end_matches(" (uninitialised)").to_owned();
            let place = self.edge_origin(event);
            let input = CInput {
                from,
                is_call,
                place: (self.place)(place),
                value,
            };
            if !self.has_started {
                self.before.push(input);
            } else if let Some(step) = self.told() {
                step.inputs.push(input);
            }
        }
        if let (true, Some(change)) = (runs_out, event.changes.first())
            && view.show_change(view.depth(), change).value == "false"
            && let Some(step) = self.told()
        {
            step.notes.push("there is no more memory".to_owned());
        }
        if let Operation::Free(pointer) = operation {
            self.freed(view, event.depth, pointer);
        }
        let is_open = matches!(operation, Operation::Havoc(_, Unknown::Uninitialised));
        self.change(event.changes, view, event.depth, is_open);
    }

    /// Whether a step does nothing but to set variables that nobody wrote.
    fn is_made_up(&self, event: &Event<'_>, view: &View<'_, '_>) -> bool {
        let mut changes = event.changes.iter();
        !event.changes.is_empty()
            && changes.all(|change| match view.owner(change) {
                Owner::Local(depth, local) => {
                    let function = self.module.function(view.position(depth).function);
                    is_made_up(&function.locals[local.0 as usize].name)
                }
                Owner::Global(_) | Owner::Allocated => false,
            })
    }

    /// Which way a condition went.
    fn branch(&mut self, function: FunctionId, edge: u32) {
        let declared = self.module.function(function);
        let taken = &declared.edges[edge as usize];
        let both = declared.outgoing(taken.from);
        // Of the two edges of a condition the first is for the case that it holds.
        if both.len() != 2 {
            return;
        }
        let is_true = both.start == edge as usize;
        let part = Span::new(taken.origin.start, taken.origin.end);
        let Some(open) = &self.open else { return };
        let statement = self.statements.statement(open.statement);
        if let (Some(truth), Some(step)) = (statement.truth(part, is_true), self.told()) {
            step.truth = Some(truth);
        }
    }
}

/// Whether somebody wrote a variable: the user, or who wrote the monitor.
fn is_written(local: &Local) -> bool {
    local.kind == LocalKind::User && !is_made_up(&local.name)
}

/// A step about which nothing is known yet.
fn step(kind: CKind, origin: recurva_model::Origin, depth: usize, function: &str) -> CStep {
    CStep {
        kind,
        origin,
        is_beginning: false,
        depth,
        function: function.into(),
        truth: None,
        inputs: Vec::new(),
        notes: Vec::new(),
        changes: Vec::new(),
    }
}

/// Tells a recorder, which is needed while it is told.
pub(in crate::c) struct Tap<'r, 'a, 'm>(pub(in crate::c) &'r RefCell<Recorder<'a, 'm>>);

impl Observer for Tap<'_, '_, '_> {
    fn step(&mut self, event: &Event<'_>, view: &View<'_, '_>) {
        let recorder = &mut *self.0.borrow_mut();
        match event.happened {
            Happened::Moved => recorder.moved(event, view, None),
            Happened::CalledOutside(id) => recorder.moved(event, view, Some(id)),
            Happened::Called(callee) => recorder.called(event, view, callee),
            Happened::Returned => recorder.returned(event, view),
        }
        recorder.taken += 1;
    }
}

//! One procedure while the monitor is woven into it.

use recurva_model::{
    Action, Edge, Expr, Failure, FailureKind, Node, NodeId, Op, Origin, Place, Point, ProcId,
    Procedure, Type, VarRef, Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::{
    prepare::{Code, Plan, Prepared},
    syntax::{Expression, Statement},
    types::CType,
    value::{Meaning, Scope, value},
};

/// A procedure under construction, with what all of them share.
pub(super) struct Body<'w> {
    pub(super) plan: &'w Plan<'w>,
    /// The program's globals; those of the monitor come behind them.
    pub(super) program_globals: &'w [Variable],
    /// What is added to places in the monitor's text to make them origins.
    pub(super) base: u32,
    pub(super) id: ProcId,
    pub(super) procedure: Procedure,
    pub(super) diagnostics: &'w mut Diagnostics,
    /// Nodes of failures, by check and by place.
    failed: FxHashMap<(FailureKind, Span), NodeId>,
    pub(super) failures: Vec<Failure>,
    /// Locals made so far: the first variable of each event, others by name and type.
    event_locals: FxHashMap<(usize, usize), u32>,
    named_locals: FxHashMap<(String, Type), u32>,
}

/// What names mean in the code of one event at one step.
pub(super) struct Site<'s> {
    pub(super) event: &'s Prepared<'s>,
    pub(super) index: usize,
    /// Which of the assignments that are made at once it is: each has variables of its own.
    pub(super) instance: usize,
    pub(super) bound: FxHashMap<u32, (Expr, Type)>,
}

impl<'w> Body<'w> {
    pub(super) fn new(
        plan: &'w Plan<'w>,
        program_globals: &'w [Variable],
        base: u32,
        (id, procedure): (ProcId, Procedure),
        diagnostics: &'w mut Diagnostics,
    ) -> Self {
        Body {
            plan,
            program_globals,
            base,
            id,
            procedure,
            diagnostics,
            failed: FxHashMap::default(),
            failures: Vec::new(),
            event_locals: FxHashMap::default(),
            named_locals: FxHashMap::default(),
        }
    }

    fn origin(&self, span: Span) -> Origin {
        Origin {
            start: self.base + span.start,
            end: self.base + span.end,
        }
    }

    pub(super) fn node(&mut self, origin: Origin) -> NodeId {
        self.procedure.nodes.push(Node { origin });
        NodeId(self.procedure.nodes.len() as u32 - 1)
    }

    pub(super) fn edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        guard: Expr,
        action: Action,
        origin: Origin,
    ) {
        self.procedure.edges.push(Edge {
            from,
            to,
            guard,
            action,
            origin,
        });
    }

    /// A local with that name and type; the same one each time.
    pub(super) fn named_local(&mut self, name: String, ty: Type, hidden: bool) -> VarRef {
        let locals = &mut self.procedure.locals;
        let index = *self
            .named_locals
            .entry((name, ty))
            .or_insert_with_key(|(name, _)| {
                let variable = Variable::scalar(name.as_str(), ty);
                locals.push(Variable { hidden, ..variable });
                locals.len() as u32 - 1
            });
        VarRef::Local(index)
    }

    /// The first local of an event; the others follow it.
    fn event_local(&mut self, site: &Site<'_>) -> u32 {
        let key = (site.index, site.instance);
        if let Some(&first) = self.event_locals.get(&key) {
            return first;
        }
        let first = self.procedure.locals.len() as u32;
        for variable in &site.event.locals {
            let taken = self
                .procedure
                .locals
                .iter()
                .any(|it| it.name == variable.name);
            let mut name = variable.name.to_string();
            if taken {
                name = format!("{}::{name}", site.event.event.title());
            }
            if site.instance > 0 {
                name = format!("{name} of {}", site.instance + 1);
            }
            let origin = self.origin(variable.place);
            self.procedure.locals.push(Variable {
                origin,
                ..Variable::scalar(name, variable.ty.ty)
            });
        }
        self.event_locals.insert(key, first);
        first
    }

    /// Locals of an event that have no initial value, made arbitrary; `choices` are those that
    /// the edge has already.
    pub(super) fn forget(&mut self, site: &Site<'_>, choices: usize) -> Vec<(Place, Expr)> {
        let first = self.event_local(site);
        let locals = site.event.locals.iter().enumerate();
        let arbitrary = locals.filter(|(_, it)| it.initial.is_none());
        let assigns = arbitrary.enumerate().map(|(choice, (position, variable))| {
            let any = Op::Any(variable.ty.ty, (choices + choice) as u32);
            let local = VarRef::Local(first + position as u32);
            (Place::Scalar(local), Expr::new([any]))
        });
        assigns.collect()
    }

    /// The code before a step, with the initial values of the event's variables.
    pub(super) fn before(&mut self, site: &Site<'_>, from: NodeId) -> Option<NodeId> {
        let mut at = from;
        let first = self.event_local(site);
        for (position, variable) in site.event.locals.iter().enumerate() {
            let Some(initial) = &variable.initial else {
                continue;
            };
            let target = VarRef::Local(first + position as u32);
            let next = self.node(self.origin(variable.place));
            let span = variable.place.to(initial.span);
            self.store(site, (target, variable.ty), initial, (at, next), span)?;
            at = next;
        }
        self.code(site, &site.event.before, at)
    }

    /// The code after a step.
    pub(super) fn after(&mut self, site: &Site<'_>, from: NodeId) -> Option<NodeId> {
        self.code(site, &site.event.after, from)
    }

    /// A guard and an action; gives where control is behind them.
    fn code(&mut self, site: &Site<'_>, code: &Code, from: NodeId) -> Option<NodeId> {
        let mut at = from;
        if let Some(guard) = &code.guard {
            let next = self.node(self.origin(guard.span));
            self.require(site, guard, (at, next), guard.span)?;
            at = next;
        }
        self.statements(site, &code.action, at)
    }

    fn statements(&mut self, site: &Site<'_>, list: &[Statement], from: NodeId) -> Option<NodeId> {
        let mut at = from;
        for statement in list {
            let next = self.node(Origin::default());
            match statement {
                Statement::Assign { name, value, span } => {
                    let target = self.written(site, &name.0, name.1)?;
                    self.store(site, target, value, (at, next), *span)?;
                }
                Statement::Assert { condition, span } => match condition {
                    Some(condition) => self.require(site, condition, (at, next), *span)?,
                    None => {
                        let failed = self.failure(FailureKind::Guard, *span);
                        let origin = self.origin(*span);
                        self.edge(at, failed, Expr::truth(), Action::skip(), origin);
                    }
                },
                Statement::If {
                    condition,
                    then,
                    otherwise,
                    span,
                } => {
                    let (yes, no) = self.branch(site, condition, at, *span)?;
                    for (start, list) in [(yes, then), (no, otherwise)] {
                        let end = self.statements(site, list, start)?;
                        self.edge(end, next, Expr::truth(), Action::skip(), Origin::default());
                    }
                }
                Statement::While {
                    condition,
                    body,
                    span,
                } => {
                    let head = self.node(self.origin(*span));
                    self.edge(at, head, Expr::truth(), Action::skip(), Origin::default());
                    let (yes, no) = self.branch(site, condition, head, *span)?;
                    let end = self.statements(site, body, yes)?;
                    self.edge(end, head, Expr::truth(), Action::skip(), Origin::default());
                    self.edge(no, next, Expr::truth(), Action::skip(), Origin::default());
                }
            }
            at = next;
        }
        Some(at)
    }

    /// The two ways behind a condition.
    fn branch(
        &mut self,
        site: &Site<'_>,
        condition: &Expression,
        from: NodeId,
        span: Span,
    ) -> Option<(NodeId, NodeId)> {
        let condition = self.translate(site, condition)?.condition();
        let origin = self.origin(span);
        self.faulting(&condition, from, span);
        let (yes, no) = (self.node(origin), self.node(origin));
        self.edge(from, yes, condition.clone(), Action::skip(), origin);
        self.edge(from, no, condition.negate(), Action::skip(), origin);
        Some((yes, no))
    }

    /// Goes on only where a condition holds; elsewhere the rule is violated.
    fn require(
        &mut self,
        site: &Site<'_>,
        condition: &Expression,
        (from, to): (NodeId, NodeId),
        span: Span,
    ) -> Option<()> {
        let condition = self.translate(site, condition)?.condition();
        let origin = self.origin(span);
        self.faulting(&condition, from, span);
        let failed = self.failure(FailureKind::Guard, span);
        self.edge(from, to, condition.clone(), Action::skip(), origin);
        self.edge(from, failed, condition.negate(), Action::skip(), origin);
        Some(())
    }

    /// Stores a value, where it fits.
    fn store(
        &mut self,
        site: &Site<'_>,
        (target, ty): (VarRef, CType),
        expression: &Expression,
        (from, to): (NodeId, NodeId),
        span: Span,
    ) -> Option<()> {
        let (stored, fits) = self.translate(site, expression)?.stored(ty);
        let origin = self.origin(span);
        self.faulting(&stored, from, span);
        if let Some(fits) = &fits {
            let failed = self.failure(FailureKind::Range, span);
            let outside = fits.clone().negate();
            // Without a place, so that a report does not take it for a condition of the user's.
            self.edge(from, failed, outside, Action::skip(), Origin::default());
        }
        let action = Action::Assign {
            assigns: vec![(Place::Scalar(target), stored)],
            constraint: None,
        };
        self.edge(from, to, fits.unwrap_or_else(Expr::truth), action, origin);
        Some(())
    }

    /// A step that cannot be computed is a failure, and does not just block.
    fn faulting(&mut self, expr: &Expr, from: NodeId, span: Span) {
        if expr.can_fault() {
            let failed = self.failure(FailureKind::Range, span);
            let faults = expr.clone().then(Op::Faults);
            self.edge(from, failed, faults, Action::skip(), Origin::default());
        }
    }

    fn failure(&mut self, kind: FailureKind, span: Span) -> NodeId {
        if let Some(&node) = self.failed.get(&(kind, span)) {
            return node;
        }
        let origin = self.origin(span);
        let node = self.node(origin);
        self.failed.insert((kind, span), node);
        self.failures.push(Failure {
            kind,
            point: Point {
                procedure: self.id,
                node,
            },
            origin,
        });
        node
    }

    fn translate(
        &mut self,
        site: &Site<'_>,
        expression: &Expression,
    ) -> Option<super::value::Value> {
        let first = self.event_local(site);
        let mut names = Names {
            plan: self.plan,
            program_globals: self.program_globals,
            site,
            first,
        };
        value(expression, &mut names, self.diagnostics)
    }

    /// The monitor variable of that name, to be written.
    fn written(&mut self, site: &Site<'_>, name: &str, place: Span) -> Option<(VarRef, CType)> {
        let first = self.event_local(site);
        let names = Names {
            plan: self.plan,
            program_globals: self.program_globals,
            site,
            first,
        };
        let found = names.monitor_variable(name);
        if found.is_none() {
            let known = names.all();
            self.diagnostics.report(|| {
                let message = format!("the monitor has no variable `{name}`");
                Diagnostic::error(message, place)
                    .help_if(did_you_mean(name, known.iter().copied()))
                    .help("a monitor watches: on a model it changes only its own variables")
            });
        }
        found
    }
}

/// What names mean.
struct Names<'a> {
    plan: &'a Plan<'a>,
    program_globals: &'a [Variable],
    site: &'a Site<'a>,
    /// The first local of the event.
    first: u32,
}

impl<'a> Names<'a> {
    fn monitor_variable(&self, name: &str) -> Option<(VarRef, CType)> {
        let locals = &self.site.event.locals;
        if let Some(position) = locals.iter().position(|it| *it.name == *name) {
            let local = VarRef::Local(self.first + position as u32);
            return Some((local, locals[position].ty));
        }
        let globals = &self.plan.globals;
        let position = globals.iter().position(|it| *it.name == *name)?;
        let global = self.program_globals.len() + position;
        Some((VarRef::Global(global as u32), globals[position].ty))
    }

    fn all(&self) -> Vec<&'a str> {
        let locals = self.site.event.locals.iter();
        let names = locals.chain(&self.plan.globals).map(|it| &*it.name);
        names.collect()
    }
}

impl Scope for Names<'_> {
    fn name(&mut self, name: &str, place: Span, diagnostics: &mut Diagnostics) -> Option<Meaning> {
        if let Some((variable, ty)) = self.monitor_variable(name) {
            return Some(Meaning::Read(Expr::read(variable), ty.ty, ty.unsigned));
        }
        if let Some(&number) = self.plan.constants.get(name) {
            return Some(Meaning::Constant(number));
        }
        let mut globals = self.program_globals.iter();
        let fits = |it: &Variable| *it.name == *name && it.len.is_none() && !it.hidden;
        if let Some(position) = globals.position(fits) {
            let ty = self.program_globals[position].ty;
            let read = Expr::read(VarRef::Global(position as u32));
            return Some(Meaning::Read(read, ty, false));
        }
        diagnostics.report(|| {
            let mut known = self.all();
            known.extend(self.plan.constants.keys().map(|it| &**it));
            known.extend(self.program_globals.iter().map(|it| &*it.name));
            let message = format!("neither the monitor nor the model has a global `{name}`");
            Diagnostic::error(message, place).help_if(did_you_mean(name, known))
        });
        None
    }

    fn variable(
        &mut self,
        number: u32,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Meaning> {
        let found = self.site.bound.get(&number);
        if found.is_none() {
            diagnostics
                .report(|| Diagnostic::error(format!("`${number}` is not in the pattern"), place));
        }
        let (expr, ty) = found?.clone();
        Some(Meaning::Read(expr, ty, false))
    }
}

//! From syntax to the model: the body of a procedure.

use recurva_model::{
    Action, Expr as Typed, Failure, FailureKind, NodeId, Op, ProcId, Type, VarRef, Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

use super::{
    ast::{self, Branch, Statement, StatementKind},
    scope::{NextValues, ProcedureScope, Shared},
};
use crate::{
    condition::{Condition, all_of, join_and},
    count::{count, count_are},
    expr::{
        Expr,
        check::{Checker, For, Want},
    },
    flow::{EXIT, Flow, Frame, Graph, Lists, warn_of_missing_return},
    names::Name,
    token::clip,
    variables::{Temporaries, origin},
};

pub(crate) struct Builder<'b, 'a> {
    pub(crate) shared: &'b Shared<'a>,
    pub(crate) syntax: &'b ast::Procedure,
    pub(crate) locals: Vec<Variable>,
    /// The first of the hidden locals for the results.
    pub(crate) first_result: u32,
    pub(crate) lists: &'b mut Lists,
    pub(crate) diagnostics: &'b mut Diagnostics,
    /// Hidden locals that results on their way to array elements pass through.
    pub(crate) temporaries: Temporaries,
    flow: Flow,
    /// The condition of `enforce`, and how many choices it has.
    enforce: Vec<Op>,
    enforce_choices: u32,
    /// The number of the next choice on the current edge.
    pub(crate) choices: u32,
}

impl<'b, 'a> Builder<'b, 'a> {
    pub(crate) fn new(
        shared: &'b Shared<'a>,
        id: ProcId,
        syntax: &'b ast::Procedure,
        locals: Vec<Variable>,
        first_result: u32,
        lists: &'b mut Lists,
        diagnostics: &'b mut Diagnostics,
    ) -> Self {
        Builder {
            shared,
            syntax,
            locals,
            first_result,
            flow: Flow::new(id, lists),
            lists,
            diagnostics,
            temporaries: Temporaries::default(),
            enforce: Vec::new(),
            enforce_choices: 0,
            choices: 0,
        }
    }

    /// The graph of the body, and the locals with those that were added.
    pub(crate) fn build(mut self, body: &[Statement]) -> (Graph, Vec<Variable>) {
        self.collect_labels(body);
        for expr in &self.syntax.enforce {
            if let Some((ops, _)) = self.check(expr, Want::Condition) {
                join_and(&mut self.enforce, ops);
            }
        }
        self.enforce_choices = self.choices;
        let head = self.node(body.first().map_or(self.syntax.end, |first| first.span));
        if body.is_empty() {
            self.step(head, EXIT, self.syntax.end);
        } else {
            self.block(body, head, EXIT);
        }
        let frame = Frame {
            head: self.syntax.head,
            end: self.syntax.end,
        };
        let guard = self.guard(Vec::new());
        let graph = self.flow.finish(head, frame, guard);
        let syntax = self.syntax;
        if graph.falls && !syntax.results.is_empty() && !syntax.incomplete {
            let name = self.shared.names.text(syntax.name.id);
            warn_of_missing_return(name, syntax.end, syntax.results_span, self.diagnostics);
        }
        (graph, self.locals)
    }

    fn collect_labels(&mut self, block: &[Statement]) {
        for statement in block {
            let names = self.shared.names;
            self.flow
                .declare(&statement.labels, self.lists, names, self.diagnostics);
            match &statement.kind {
                StatementKind::If {
                    branches,
                    otherwise,
                } => {
                    for branch in branches {
                        self.collect_labels(&branch.body);
                    }
                    self.collect_labels(otherwise);
                }
                StatementKind::While(branch) => self.collect_labels(&branch.body),
                _ => {}
            }
        }
    }

    /// A new node.
    pub(crate) fn node(&mut self, place: Span) -> NodeId {
        self.flow.node(place)
    }

    /// Lowers statements from node `at` to node `next`. There is at least one.
    fn block(&mut self, block: &[Statement], at: NodeId, next: NodeId) {
        let mut at = at;
        for (position, statement) in block.iter().enumerate() {
            let behind = match block.get(position + 1) {
                Some(following) => self.node(following.span),
                None => next,
            };
            let names = self.shared.names;
            self.flow
                .name_node(&statement.labels, at, self.lists, names);
            self.statement(statement, at, behind);
            at = behind;
        }
    }

    /// The node where a block begins, which is `next` if it is empty.
    fn branch(&mut self, block: &[Statement], next: NodeId) -> NodeId {
        let Some(first) = block.first() else {
            return next;
        };
        let start = self.node(first.span);
        self.block(block, start, next);
        start
    }

    fn statement(&mut self, statement: &Statement, at: NodeId, next: NodeId) {
        self.restart_choices();
        let place = statement.span;
        match &statement.kind {
            StatementKind::Skip | StatementKind::Broken => self.step(at, next, place),
            StatementKind::Print(values) => {
                for value in values {
                    self.check(value, Want::Free);
                }
                self.step(at, next, place);
            }
            StatementKind::Goto(labels) => {
                for &label in labels {
                    self.jump(label, at, place);
                }
            }
            StatementKind::Return(values) => self.return_statement(values, at, place),
            StatementKind::Assign {
                targets,
                values,
                constraint,
            } => {
                self.assignment(targets, values, constraint.as_ref(), (at, next), place);
            }
            StatementKind::Dead(names) => self.dead(names, (at, next), place),
            StatementKind::Call {
                targets,
                callee,
                arguments,
            } => {
                self.call(targets, *callee, arguments, (at, next), place);
            }
            StatementKind::If {
                branches,
                otherwise,
            } => {
                self.if_statement(branches, otherwise, at, next);
            }
            StatementKind::While(branch) => {
                let Some(condition) = self.condition(&branch.condition) else {
                    self.branch(&branch.body, at);
                    return;
                };
                let start = self.branch(&branch.body, at);
                self.guarded(at, start, condition.holds(), branch.head);
                self.guarded(at, next, condition.fails(), branch.head);
            }
            StatementKind::Assert(expr) => {
                let Some(condition) = self.condition(expr) else {
                    return;
                };
                let failure = self.node(place);
                self.lists.failures.push(Failure {
                    kind: FailureKind::Assertion,
                    point: self.flow.point(failure),
                    origin: origin(place),
                });
                self.guarded(at, next, condition.holds(), place);
                self.guarded(at, failure, condition.fails(), place);
            }
            StatementKind::Assume(expr) => {
                let Some(condition) = self.condition(expr) else {
                    return;
                };
                self.guarded(at, next, condition.holds(), place);
            }
            StatementKind::AbortIf(expr) => {
                let Some(condition) = self.condition(expr) else {
                    return;
                };
                self.guarded(at, next, condition.fails(), place);
            }
        }
    }

    fn if_statement(
        &mut self,
        branches: &[Branch],
        otherwise: &[Statement],
        at: NodeId,
        next: NodeId,
    ) {
        let mut at = at;
        for (position, branch) in branches.iter().enumerate() {
            self.restart_choices();
            let condition = self.condition(&branch.condition);
            let start = self.branch(&branch.body, next);
            let other = match branches.get(position + 1) {
                Some(following) => self.node(following.head),
                None => self.branch(otherwise, next),
            };
            if let Some(condition) = condition {
                self.guarded(at, start, condition.holds(), branch.head);
                self.guarded(at, other, condition.fails(), branch.head);
            }
            at = other;
        }
    }

    fn return_statement(&mut self, values: &[Expr], at: NodeId, place: Span) {
        let wanted = &self.syntax.results;
        if values.len() != wanted.len() {
            let (name, syntax) = (self.shared.names.text(self.syntax.name.id), self.syntax);
            self.diagnostics.report(|| {
                let given = count_are(values.len(), "value");
                let message = match wanted.len() {
                    0 => format!("`{}` has no results, but {given} returned", clip(name)),
                    n => format!(
                        "`{}` has {}, but {given} returned",
                        clip(name),
                        count(n, "result")
                    ),
                };
                Diagnostic::error(message, place)
                    .note(syntax.results_span, "the results are declared here")
            });
            return;
        }
        let mut assigns = Vec::with_capacity(values.len());
        for (position, (value, &ty)) in values.iter().zip(wanted).enumerate() {
            let of = For::Result(position + 1);
            let want = Want::Value {
                ty,
                of,
                declared: Some(self.syntax.results_span),
            };
            if let Some((ops, _)) = self.check(value, want) {
                let result = VarRef::Local(self.first_result + position as u32);
                assigns.push((recurva_model::Place::Scalar(result), Typed::new(ops)));
            }
        }
        self.edge(
            at,
            EXIT,
            Vec::new(),
            Action::Assign {
                assigns,
                constraint: None,
            },
            place,
        );
    }

    fn jump(&mut self, label: Name, at: NodeId, place: Span) {
        if self.flow.jump(label, self.lists) {
            self.step(at, EXIT, place);
        } else if !self.syntax.incomplete {
            // Otherwise the label may stand in the part that could not be read.
            let names = self.shared.names;
            Flow::no_label(label, self.lists, names, "procedure", self.diagnostics);
        }
    }

    fn condition(&mut self, expr: &Expr) -> Option<Condition> {
        if expr.is_any() {
            return Some(Condition::Any);
        }
        let (ops, _) = self.check(expr, Want::Condition)?;
        Some(Condition::Guard(ops))
    }

    /// Begins another edge: its choices are numbered anew.
    pub(crate) fn restart_choices(&mut self) {
        self.choices = self.enforce_choices;
    }

    pub(crate) fn check(&mut self, expr: &Expr, want: Want<'_>) -> Option<(Vec<Op>, Type)> {
        self.check_with(expr, want, NextValues::Forbidden)
    }

    pub(crate) fn check_with(
        &mut self,
        expr: &Expr,
        want: Want<'_>,
        next: NextValues,
    ) -> Option<(Vec<Op>, Type)> {
        let scope = ProcedureScope {
            shared: self.shared,
            locals: &self.locals,
            local_table: &self.lists.local_table,
            next,
        };
        Checker {
            source: self.shared.source,
            scope: &scope,
            dialect: self.shared.dialect,
            choices: &mut self.choices,
            diagnostics: self.diagnostics,
        }
        .check(expr, want)
    }

    /// An edge that does nothing.
    fn step(&mut self, from: NodeId, to: NodeId, place: Span) {
        self.fall(to);
        self.edge(from, to, Vec::new(), Action::skip(), place);
    }

    fn guarded(&mut self, from: NodeId, to: NodeId, guard: Vec<Op>, place: Span) {
        // A guard that is never open is no edge.
        if guard[..] == [Op::Const(0, Type::Bool)] {
            return;
        }
        self.fall(to);
        self.edge(from, to, guard, Action::skip(), place);
    }

    /// Notes that the next edge, if it leads to the exit, is not a `return`.
    pub(crate) fn fall(&mut self, to: NodeId) {
        self.flow.fall(to);
    }

    pub(crate) fn edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        guard: Vec<Op>,
        action: Action,
        place: Span,
    ) {
        let guard = self.guard(guard);
        self.flow.edge((from, to), guard, action, place);
    }

    /// A guard together with what `enforce` says.
    fn guard(&self, guard: Vec<Op>) -> Typed {
        let mut whole = self.enforce.clone();
        join_and(&mut whole, guard);
        all_of(whole)
    }
}

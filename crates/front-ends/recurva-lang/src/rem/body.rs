//! From syntax to the model: the body of a module.

use recurva_model::{
    Action, Binary, Expr as Typed, NodeId, Op, Place, ProcId, Type, Unary, VarRef, Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

use super::{
    assign::Step,
    ast::{Choice, Module, Statement, StatementKind, Value},
    expr::check::{Checker, Wanted},
    scope::{Entry, Scope, Shared},
};
use crate::{
    condition::all_of,
    expr::check::For,
    flow::{EXIT, Flow, Frame, Graph, Lists, warn_of_missing_return},
    names::NameId,
    token::clip,
    variables::Temporaries,
};

pub(crate) struct Builder<'b, 'a> {
    pub(crate) shared: &'b Shared<'a>,
    module: &'b Module,
    pub(crate) locals: Vec<Variable>,
    entries: Vec<Entry>,
    /// The first of the hidden locals for the results.
    first_result: u32,
    lists: &'b mut Lists,
    pub(crate) diagnostics: &'b mut Diagnostics,
    pub(crate) temporaries: Temporaries,
    pub(crate) flow: Flow,
    /// Where `break` leads, for each loop that is open.
    breaks: Vec<NodeId>,
}

impl<'b, 'a> Builder<'b, 'a> {
    pub(crate) fn new(
        shared: &'b Shared<'a>,
        id: ProcId,
        module: &'b Module,
        lists: &'b mut Lists,
        diagnostics: &'b mut Diagnostics,
    ) -> Self {
        Builder {
            shared,
            module,
            locals: Vec::new(),
            entries: Vec::new(),
            first_result: 0,
            flow: Flow::new(id, lists),
            lists,
            diagnostics,
            temporaries: Temporaries::default(),
            breaks: Vec::new(),
        }
    }

    /// The graph of the body, and the locals with those that were added.
    pub(crate) fn build(
        mut self,
        locals: Vec<Variable>,
        entries: Vec<Entry>,
        first_result: u32,
    ) -> (Graph, Vec<Variable>) {
        (self.locals, self.entries, self.first_result) = (locals, entries, first_result);
        let (head, body) = (&self.module.head, &self.module.body);
        self.collect_labels(&body.statements);
        let first = body.statements.first();
        let start = self.flow.node(first.map_or(body.end, |first| first.span));
        match first {
            Some(_) => self.block(&body.statements, start, EXIT),
            None => self.step(start, EXIT, body.end),
        }
        let frame = Frame {
            head: head.span,
            end: body.end,
        };
        let graph = self.flow.finish(start, frame, Typed::truth());
        if graph.falls && head.result.is_some() && !body.incomplete {
            let name = self.shared.names.text(head.name.id);
            warn_of_missing_return(name, body.end, head.result_span, self.diagnostics);
        }
        (graph, self.locals)
    }

    fn collect_labels(&mut self, block: &[Statement]) {
        for statement in block {
            let names = self.shared.names;
            self.flow
                .declare(&statement.labels, self.lists, names, self.diagnostics);
            if let StatementKind::If(choice) | StatementKind::Do(choice) = &statement.kind {
                for branch in &choice.branches {
                    self.collect_labels(&branch.body);
                }
                if let Some(otherwise) = &choice.otherwise {
                    self.collect_labels(&otherwise.body);
                }
            }
        }
    }

    /// Lowers statements from node `at` to node `next`. There is at least one.
    fn block(&mut self, block: &[Statement], at: NodeId, next: NodeId) {
        let mut at = at;
        for (position, statement) in block.iter().enumerate() {
            let behind = match block.get(position + 1) {
                Some(following) => self.flow.node(following.span),
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
        let start = self.flow.node(first.span);
        self.block(block, start, next);
        start
    }

    fn statement(&mut self, statement: &Statement, at: NodeId, next: NodeId) {
        let place = statement.span;
        match &statement.kind {
            StatementKind::Skip | StatementKind::Broken => self.step(at, next, place),
            StatementKind::Assume(condition) => {
                if let Some(guard) = self.checker(&[]).condition(condition) {
                    self.guarded(at, next, guard, place);
                }
            }
            StatementKind::Goto(label) => {
                if self.flow.jump(*label, self.lists) {
                    self.step(at, EXIT, place);
                } else if !self.module.body.incomplete {
                    // Otherwise the label may stand in the part that could not be read.
                    let names = self.shared.names;
                    Flow::no_label(*label, self.lists, names, "module", self.diagnostics);
                }
            }
            // One that is in no loop has been reported.
            StatementKind::Break => {
                let behind = self.breaks.last().copied().unwrap_or(next);
                self.step(at, behind, place);
            }
            StatementKind::Return(value) => self.return_statement(value.as_ref(), at, place),
            StatementKind::Assign(list) => self.assignment(list, (at, next), place),
            StatementKind::Call {
                target,
                callee,
                arguments,
            } => self.call(target.as_ref(), *callee, arguments, (at, next), place),
            StatementKind::If(choice) => self.choice(choice, at, next),
            StatementKind::Do(choice) => {
                self.breaks.push(next);
                self.choice(choice, at, at);
                self.breaks.pop();
            }
        }
    }

    /// The branches from a node; all of them lead to `next`.
    fn choice(&mut self, choice: &Choice, at: NodeId, next: NodeId) {
        let mut any: Option<Vec<Op>> = Some(Vec::new());
        for branch in &choice.branches {
            let guard = self.checker(&[]).condition(&branch.guard);
            let start = self.branch(&branch.body, next);
            let Some(guard) = guard else {
                any = None;
                continue;
            };
            if let Some(any) = &mut any {
                let first = any.is_empty();
                any.extend_from_slice(&guard);
                if !first {
                    any.push(Op::Binary(Binary::Or, Type::Bool));
                }
            }
            self.guarded(at, start, guard, branch.guard.span);
        }
        if let Some(otherwise) = &choice.otherwise {
            let start = self.branch(&otherwise.body, next);
            let Some(mut none) = any else { return };
            if !none.is_empty() {
                none.push(Op::Unary(Unary::Not, Type::Bool));
            }
            self.guarded(at, start, none, otherwise.word);
        }
    }

    fn return_statement(&mut self, value: Option<&Value>, at: NodeId, place: Span) {
        let head = &self.module.head;
        let mut step = Step::default();
        match (value, head.result) {
            (None, None) => {}
            (Some(value), Some(shape)) => {
                let Some(values) = self.spread(value, shape, &[]) else {
                    return;
                };
                let types = self.shared.structs.scalars(shape);
                for (position, (value, ty)) in (0..).zip(values.iter().zip(types)) {
                    let result = Place::Scalar(VarRef::Local(self.first_result + position));
                    let wanted = Wanted {
                        ty,
                        of: For::Result(1),
                        declared: head.result_span,
                    };
                    self.write(result, value, wanted, &[], &mut step);
                }
            }
            (value, _) => {
                let name = clip(self.shared.names.text(head.name.id));
                self.diagnostics.report(|| {
                    let message = match value {
                        Some(_) => format!("`{name}` has no result, but a value is returned"),
                        None => format!("`{name}` has a result, but no value is returned"),
                    };
                    Diagnostic::error(message, place)
                        .note(head.result_span, "the result is declared here")
                });
                return;
            }
        }
        let (guard, action) = step.finish();
        self.flow.edge((at, EXIT), guard, action, place);
    }

    pub(crate) fn checker<'x>(&'x mut self, fixed: &'x [(NameId, i64)]) -> Checker<'x, 'x> {
        Checker {
            scope: Scope {
                shared: self.shared,
                entries: &self.entries,
                table: &self.lists.local_table,
                fixed,
            },
            diagnostics: self.diagnostics,
        }
    }

    /// An edge that does nothing.
    fn step(&mut self, from: NodeId, to: NodeId, place: Span) {
        self.guarded(from, to, Vec::new(), place);
    }

    fn guarded(&mut self, from: NodeId, to: NodeId, guard: Vec<Op>, place: Span) {
        // A guard that is never open is no edge.
        if guard[..] == [Op::Const(0, Type::Bool)] {
            return;
        }
        self.flow.fall(to);
        self.flow
            .edge((from, to), all_of(guard), Action::skip(), place);
    }
}

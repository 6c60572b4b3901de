//! From syntax to the model: the body of a procedure.
//!
//! The node of a statement is the point before it. The node that control goes to behind the
//! last statement is the exit; its number is known only at the end, so until then edges lead
//! to [`EXIT`] instead. Jumps are filled in at the end as well, when all labels have nodes.

use recurva_model::{
    Action, Edge, Expr as Typed, Failure, FailureKind, Label, NodeId, Op, ProcId, Type, VarRef,
    Variable,
};
use recurva_syntax::{Diagnostic, Diagnostics, Span, did_you_mean};

use super::{
    ast::{self, Branch, Name, Statement, StatementKind},
    condition::{Condition, join_and},
    count::{count, count_are},
    lower::{point, twice},
    scope::{NextValues, ProcedureScope, Shared, origin},
};
use crate::{
    expr::{
        Expr,
        check::{Checker, For, Want},
    },
    names::{Names, Table},
    token::clip,
};

/// Stands for the exit node until its number is known.
const EXIT: NodeId = NodeId(u32::MAX);

/// What procedures add to, and tables that each of them fills anew.
pub(crate) struct Lists {
    pub(crate) labels: Vec<Label>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) local_table: Table,
    label_table: Table,
}

impl Lists {
    pub(crate) fn new(names: &Names<'_>) -> Self {
        Lists {
            labels: Vec::new(),
            failures: Vec::new(),
            local_table: Table::new(names),
            label_table: Table::new(names),
        }
    }
}

/// The body of a procedure as a graph.
pub(crate) struct Graph {
    pub(crate) locals: Vec<Variable>,
    pub(crate) nodes: Vec<Span>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) entry: NodeId,
    pub(crate) exit: NodeId,
}

/// A label of the procedure.
struct Target {
    span: Span,
    node: Option<NodeId>,
}

pub(crate) struct Builder<'b, 'a> {
    pub(crate) shared: &'b Shared<'a>,
    id: ProcId,
    pub(crate) syntax: &'b ast::Procedure,
    pub(crate) locals: Vec<Variable>,
    /// The first of the hidden locals for the results.
    pub(crate) first_result: u32,
    pub(crate) lists: &'b mut Lists,
    pub(crate) diagnostics: &'b mut Diagnostics,
    /// Hidden locals that results on their way to array elements pass through.
    pub(crate) temporaries: Vec<(Type, u32)>,
    targets: Vec<Target>,
    nodes: Vec<Span>,
    edges: Vec<Edge>,
    /// Edges that lead to a label.
    jumps: Vec<(usize, usize)>,
    /// Edges to the exit that are no `return`.
    falls: Vec<usize>,
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
            id,
            syntax,
            locals,
            first_result,
            lists,
            diagnostics,
            temporaries: Vec::new(),
            targets: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            jumps: Vec::new(),
            falls: Vec::new(),
            enforce: Vec::new(),
            enforce_choices: 0,
            choices: 0,
        }
    }

    pub(crate) fn build(mut self, body: &[Statement]) -> Graph {
        self.lists.label_table.clear();
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
        self.resolve_jumps();
        // Nothing may lead to the entry.
        let entry = if self.edges.iter().any(|edge| edge.to == head) {
            let entry = self.node(self.syntax.head);
            self.step(entry, head, self.syntax.head);
            entry
        } else {
            head
        };
        let exit = self.node(self.syntax.end);
        for edge in &mut self.edges {
            if edge.to == EXIT {
                edge.to = exit;
            }
        }
        self.warn_of_missing_return(entry);
        Graph {
            locals: self.locals,
            nodes: self.nodes,
            edges: self.edges,
            entry,
            exit,
        }
    }

    fn collect_labels(&mut self, block: &[Statement]) {
        for statement in block {
            for &label in &statement.labels {
                let index = self.targets.len();
                match self.lists.label_table.insert(label.id, index as u32) {
                    Ok(()) => self.targets.push(Target {
                        span: label.span,
                        node: None,
                    }),
                    Err(first) => {
                        let first = self.targets[first as usize].span;
                        // Some generators put a label twice before one statement.
                        let here = statement.labels[0].span;
                        if first.start < here.start {
                            twice(self.diagnostics, self.shared.names, "label", label, first);
                        }
                    }
                }
            }
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
        self.nodes.push(place);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Lowers statements from node `at` to node `next`. There is at least one.
    fn block(&mut self, block: &[Statement], at: NodeId, next: NodeId) {
        let mut at = at;
        for (position, statement) in block.iter().enumerate() {
            let behind = match block.get(position + 1) {
                Some(following) => self.node(following.span),
                None => next,
            };
            self.name_node(statement, at);
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

    fn name_node(&mut self, statement: &Statement, node: NodeId) {
        for label in &statement.labels {
            let target = self.lists.label_table.get(label.id);
            let Some(target) = target.and_then(|index| self.targets.get_mut(index as usize)) else {
                continue;
            };
            if target.node.is_none() {
                target.node = Some(node);
                self.lists.labels.push(Label {
                    name: self.shared.names.text(label.id).into(),
                    point: point(self.id, node),
                    origin: origin(label.span),
                });
            }
        }
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
                    point: point(self.id, failure),
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
        match self.lists.label_table.get(label.id) {
            Some(target) => {
                self.jumps.push((self.edges.len(), target as usize));
                self.step(at, EXIT, place);
            }
            // The label may stand in the part that could not be read.
            None if self.syntax.incomplete => {}
            None => {
                let (names, table) = (self.shared.names, &self.lists.label_table);
                let text = names.text(label.id);
                self.diagnostics.report(|| {
                    let labels = table.names().iter().map(|&id| names.text(id));
                    Diagnostic::error(
                        format!("there is no label `{}` in this procedure", clip(text)),
                        label.span,
                    )
                    .help_if(did_you_mean(text, labels))
                });
            }
        }
    }

    fn resolve_jumps(&mut self) {
        for &(edge, target) in &self.jumps {
            let node = self.targets.get(target).and_then(|target| target.node);
            if let (Some(edge), Some(node)) = (self.edges.get_mut(edge), node) {
                edge.to = node;
            }
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
        if to == EXIT {
            self.falls.push(self.edges.len());
        }
    }

    pub(crate) fn edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        guard: Vec<Op>,
        action: Action,
        place: Span,
    ) {
        let mut whole = self.enforce.clone();
        join_and(&mut whole, guard);
        let guard = if whole.is_empty() {
            Typed::truth()
        } else {
            Typed::new(whole)
        };
        self.edges.push(Edge {
            from,
            to,
            guard,
            action,
            origin: origin(place),
        });
    }

    /// Warns if control can come to the end of a procedure that has results.
    fn warn_of_missing_return(&mut self, entry: NodeId) {
        let jumps = &self.jumps;
        self.falls
            .retain(|edge| jumps.binary_search_by_key(edge, |&(jump, _)| jump).is_err());
        if self.syntax.results.is_empty() || self.falls.is_empty() || self.syntax.incomplete {
            return;
        }
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            outgoing[edge.from.index()].push(edge.to);
        }
        let mut reached = vec![false; self.nodes.len()];
        let mut work = vec![entry];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                work.extend(&outgoing[node.index()]);
            }
        }
        let falls = self.falls.iter().filter_map(|&edge| self.edges.get(edge));
        if falls.into_iter().any(|edge| reached[edge.from.index()]) {
            let (names, syntax) = (self.shared.names, self.syntax);
            self.diagnostics.warn(|| {
                let name = clip(names.text(syntax.name.id));
                Diagnostic::warning(format!("`{name}` can end without a `return`"), syntax.end)
                    .label("its results are arbitrary then")
                    .note(syntax.results_span, "the results are declared here")
            });
        }
    }
}

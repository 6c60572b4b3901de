//! Statements.

use recurva_cir::{Binary, Expr, NodeId, Operation, Origin, Scalar};
use recurva_ctype::typed::{ExprId, StmtId, StmtKind};

use super::Lower;
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// A statement; control goes on behind it.
    pub(super) fn statement(&mut self, id: StmtId) {
        let statement = self.unit.stmt(id);
        let origin = self.origin(statement.span);
        self.mark_between(statement.span.start, statement.span.start);
        match &statement.kind {
            StmtKind::Expr(expr) => self.discard(*expr),
            StmtKind::Block(list) => self.block(list, statement.span),
            StmtKind::Declare(local, init) => self.declare(*local, init.as_deref(), origin),
            StmtKind::ArrayLength(local, length) => self.array_length(*local, *length, origin),
            StmtKind::If(condition, yes, no) => self.conditional(*condition, *yes, *no, origin),
            StmtKind::Switch {
                value,
                cases,
                default,
                body,
            } => self.switch(*value, cases, *default, *body, origin),
            StmtKind::While(condition, body) => {
                let head = self.graph.node(self.origin_of(*condition));
                self.mark_head(statement.span.start, head);
                self.graph.jump(head, origin);
                self.repeat(head, head, Some(*condition), *body, None, origin);
            }
            StmtKind::DoWhile(body, condition) => {
                let [start, test, end] = [(); 3].map(|()| self.graph.node(origin));
                self.mark_head(statement.span.start, start);
                self.graph.jump(start, origin);
                self.graph.continue_at(start);
                self.body(*body, end, test);
                self.graph.jump(test, origin);
                self.graph.continue_at(test);
                self.branch(*condition, start, end);
                self.graph.continue_at(end);
            }
            StmtKind::For(first, condition, step, body) => {
                // It has the place of the whole loop.
                if let StmtKind::Block(list) = &self.unit.stmt(*first).kind {
                    list.iter().for_each(|&it| self.statement(it));
                }
                let head = self.graph.node(origin);
                self.mark_head(statement.span.start, head);
                let next = self.graph.node(origin);
                self.graph.jump(head, origin);
                self.repeat(head, next, *condition, *body, *step, origin);
            }
            StmtKind::Goto(label) => {
                let to = self.labels[label.0 as usize];
                self.graph.jump(to, origin);
            }
            StmtKind::GotoComputed(target) => self.goto_computed(*target, origin),
            StmtKind::Label(label) => {
                let node = self.labels[label.0 as usize];
                self.graph.jump(node, origin);
                self.graph.continue_at(node);
            }
            StmtKind::Break => self.leave(self.breaks.last().copied(), origin),
            StmtKind::Continue => self.leave(self.continues.last().copied(), origin),
            StmtKind::Return(value) => self.returns(*value, origin),
            StmtKind::Empty => {}
            StmtKind::Unsupported(what) => self.unsupported(what.0, origin),
        }
    }

    fn leave(&mut self, to: Option<NodeId>, origin: Origin) {
        if let Some(to) = to {
            self.graph.jump(to, origin);
        }
    }

    /// `if`, with all that follow in `else if`.
    fn conditional(&mut self, condition: ExprId, yes: StmtId, no: Option<StmtId>, origin: Origin) {
        let end = self.graph.node(origin);
        let (mut condition, mut yes, mut no, mut origin) = (condition, yes, no, origin);
        loop {
            let then = self.graph.node(origin);
            let other = match no {
                Some(_) => self.graph.node(origin),
                None => end,
            };
            self.branch(condition, then, other);
            self.graph.continue_at(then);
            self.statement(yes);
            self.graph.jump(end, origin);
            let Some(next) = no else {
                break;
            };
            self.graph.continue_at(other);
            let stmt = self.unit.stmt(next);
            self.mark_between(stmt.span.start, stmt.span.start);
            let StmtKind::If(next_condition, next_yes, next_no) = stmt.kind else {
                self.statement(next);
                self.graph.jump(end, origin);
                break;
            };
            (condition, yes, no) = (next_condition, next_yes, next_no);
            origin = self.origin(stmt.span);
        }
        self.graph.continue_at(end);
    }

    /// The body of a loop.
    fn body(&mut self, body: StmtId, end: NodeId, next: NodeId) {
        self.breaks.push(end);
        self.continues.push(next);
        self.statement(body);
        self.breaks.pop();
        self.continues.pop();
    }

    /// A loop that tests before its body. `next` is where `continue` leads: to the step, or to the
    /// head if there is none.
    fn repeat(
        &mut self,
        head: NodeId,
        next: NodeId,
        condition: Option<ExprId>,
        body: StmtId,
        step: Option<ExprId>,
        origin: Origin,
    ) {
        let [start, end] = [(); 2].map(|()| self.graph.node(origin));
        self.graph.continue_at(head);
        match condition {
            Some(condition) => self.branch(condition, start, end),
            None => self.graph.jump(start, origin),
        }
        self.graph.continue_at(start);
        self.body(body, end, next);
        self.graph.jump(next, origin);
        if next != head {
            self.graph.continue_at(next);
            step.iter().for_each(|&step| self.discard(step));
            self.graph.jump(head, origin);
        }
        self.graph.continue_at(end);
    }

    fn returns(&mut self, value: Option<ExprId>, origin: Origin) {
        match (value, self.result.clone()) {
            (Some(value), Some(result)) => self.into(value, &result),
            (Some(value), None) => self.discard(value),
            (None, Some(result)) => {
                let unknown = recurva_cir::Unknown::Uninitialised;
                self.graph.emit(Operation::Havoc(result, unknown), origin);
            }
            (None, None) => {}
        }
        let exit = self.exit;
        self.graph.jump(exit, origin);
    }

    /// `goto *e`: addresses of labels are numbers from 1.
    fn goto_computed(&mut self, target: ExprId, origin: Origin) {
        let value = self.value(target);
        let from = self.graph.cursor();
        for label in self.addressed.clone() {
            let address = Expr::constant(u64::from(label.0) + 1, Scalar::Pointer);
            let condition = exprs::binary(Binary::Equal, value.clone(), address);
            let to = self.labels[label.0 as usize];
            self.graph
                .edge(from, to, Operation::Assume(condition), origin);
        }
        let nowhere = self.graph.node(origin);
        self.graph.continue_at(nowhere);
    }
}

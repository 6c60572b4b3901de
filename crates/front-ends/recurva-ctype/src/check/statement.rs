//! Statements.

use recurva_c::ast::{
    Asm, BlockItem, ExprId as TreeId, Ident, StmtId as TreeStmt, StmtKind as Tree,
};
use recurva_syntax::{Diagnostic, Span};

use super::{Checker, Outcome, body::Switch, convert::Use};
use crate::{
    Type,
    typed::{Case, ExprId, StmtId, StmtKind, Unsupported},
};

impl<'u> Checker<'u> {
    /// Checks a statement and puts what it is into a list: a label and what follows it are two.
    pub(super) fn statement(&mut self, id: TreeStmt, out: &mut Vec<StmtId>) {
        // What is wrong has been reported; the statements around it are checked all the same.
        let _ = self.checked_statement(id, out);
    }

    fn checked_statement(&mut self, id: TreeStmt, out: &mut Vec<StmtId>) -> Outcome<()> {
        let stmt = self.unit.stmt(id);
        let span = stmt.span;
        let kind = match &stmt.kind {
            Tree::Expr(expr) => {
                let id = self.rvalue(*expr)?;
                StmtKind::Expr(id)
            }
            Tree::Empty => StmtKind::Empty,
            Tree::Block(items) => {
                self.scopes.enter();
                let block = self.block(items, span);
                self.scopes.leave();
                out.push(block);
                return Ok(());
            }
            Tree::If { .. } => return self.alternatives(id, out),
            Tree::Switch { value, body } => self.switch(*value, *body)?,
            Tree::While { condition, body } => {
                let condition = self.tested(*condition);
                let body = self.looped(*body);
                StmtKind::While(condition?, body)
            }
            Tree::DoWhile { body, condition } => {
                let body = self.looped(*body);
                let condition = self.tested(*condition)?;
                StmtKind::DoWhile(body, condition)
            }
            Tree::For {
                init,
                condition,
                step,
                body,
            } => {
                self.scopes.enter();
                let kind = self.for_loop(init.as_deref(), *condition, *step, *body, span);
                self.scopes.leave();
                kind?
            }
            Tree::Goto(ident) => {
                let text = self.name(ident.name);
                match &mut self.body {
                    Some(body) => StmtKind::Goto(body.label(*ident, text).id),
                    None => return Err(super::Wrong),
                }
            }
            Tree::GotoComputed(expr) => {
                let id = self.rvalue(*expr)?;
                let pointer = self.known.void_pointer;
                let id = self.assigned(id, pointer, Use::Assigned)?;
                StmtKind::GotoComputed(id)
            }
            Tree::Break => {
                self.check_inside(
                    |it| it.breaks,
                    "`break` stands in a loop or a `switch`",
                    span,
                )?;
                StmtKind::Break
            }
            Tree::Continue => {
                self.check_inside(|it| it.loops, "`continue` stands in a loop", span)?;
                StmtKind::Continue
            }
            Tree::Return(value) => self.return_value(*value, span)?,
            Tree::Label { name, body, .. } => {
                let outcome = self.define_label(*name, out);
                self.statement(*body, out);
                return outcome;
            }
            Tree::Case { from, to, body } => {
                let outcome = self.case(*from, *to, span, out);
                self.statement(*body, out);
                return outcome;
            }
            Tree::Default(body) => {
                let outcome = self.default(span, out);
                self.statement(*body, out);
                return outcome;
            }
            Tree::Asm(asm) => self.assembler(asm)?,
        };
        let id = self.push_stmt(span, kind);
        out.push(id);
        Ok(())
    }

    /// A condition.
    fn tested(&mut self, expr: TreeId) -> Outcome<ExprId> {
        let id = self.expression(expr)?;
        self.condition(id)
    }

    /// `if`, with all that follow in `else if`: there may be more of them than a stack has room for,
    /// so they are checked one by one and put together from the last.
    fn alternatives(&mut self, id: TreeStmt, out: &mut Vec<StmtId>) -> Outcome<()> {
        let mut branches = Vec::new();
        let mut last = None;
        let mut next = Some(id);
        while let Some(id) = next {
            let stmt = self.unit.stmt(id);
            let Tree::If {
                condition,
                then,
                other,
            } = &stmt.kind
            else {
                last = Some(self.inner(id));
                break;
            };
            self.scopes.enter();
            let condition = self.tested(*condition);
            let then = self.inner(*then);
            branches.push((stmt.span, condition, then));
            next = *other;
        }
        branches.iter().for_each(|_| self.scopes.leave());
        while let Some((span, condition, then)) = branches.pop() {
            let kind = StmtKind::If(condition?, then, last);
            last = Some(self.push_stmt(span, kind));
        }
        out.extend(last);
        Ok(())
    }

    /// A statement within another one.
    fn inner(&mut self, id: TreeStmt) -> StmtId {
        let span = self.unit.stmt(id).span;
        let mut list = Vec::new();
        self.scopes.enter();
        self.statement(id, &mut list);
        self.scopes.leave();
        self.joined(list, span)
    }

    /// One statement for a list.
    pub(super) fn joined(&mut self, list: Vec<StmtId>, span: Span) -> StmtId {
        match list.as_slice() {
            &[one] => one,
            _ => self.push_stmt(span, StmtKind::Block(list)),
        }
    }

    /// The body of a loop.
    fn looped(&mut self, id: TreeStmt) -> StmtId {
        if let Some(body) = &mut self.body {
            body.breaks += 1;
            body.loops += 1;
        }
        let id = self.inner(id);
        if let Some(body) = &mut self.body {
            body.breaks -= 1;
            body.loops -= 1;
        }
        id
    }

    fn for_loop(
        &mut self,
        init: Option<&'u BlockItem>,
        condition: Option<TreeId>,
        step: Option<TreeId>,
        body: TreeStmt,
        span: Span,
    ) -> Outcome<StmtKind> {
        let mut list = Vec::new();
        if let Some(init) = init {
            self.block_item(init, &mut list);
        }
        let condition = condition.map(|it| self.tested(it)).transpose();
        let step = step.map(|it| self.rvalue(it)).transpose();
        let body = self.looped(body);
        let first = self.push_stmt(span, StmtKind::Block(list));
        Ok(StmtKind::For(first, condition?, step?, body))
    }

    fn check_inside(
        &mut self,
        count: impl Fn(&super::body::Body) -> u32,
        message: &str,
        span: Span,
    ) -> Outcome<()> {
        match &self.body {
            Some(body) if count(body) > 0 => Ok(()),
            _ => Err(self.wrong(|_| message.to_string(), span)),
        }
    }

    fn return_value(&mut self, value: Option<TreeId>, span: Span) -> Outcome<StmtKind> {
        let Some(result) = self.body.as_ref().map(|it| it.result) else {
            return Err(super::Wrong);
        };
        let Some(value) = value else {
            return Ok(StmtKind::Return(None));
        };
        let id = self.rvalue(value)?;
        if result.ty == self.known.void {
            let void = self.known.void;
            if self.ty_id(id) != void {
                self.warn(
                    |_| "a function without a result returns a value".to_string(),
                    span,
                );
            }
            let id = match self.ty_id(id) == void {
                true => id,
                false => self.convert(id, void),
            };
            return Ok(StmtKind::Return(Some(id)));
        }
        let id = self.assigned(id, result.ty, Use::Returned)?;
        Ok(StmtKind::Return(Some(id)))
    }

    fn switch(&mut self, value: TreeId, body: TreeStmt) -> Outcome<StmtKind> {
        let value = self.rvalue(value).and_then(|id| {
            let ty = self.ty_id(id);
            if self.out.types.integer(ty).is_some() {
                return Ok(self.promote(id));
            }
            let span = self.span(id);
            if let Some(what) = self.foreign(ty) {
                let int = self.known.int();
                return Ok(self.push_unsupported(span, int, what));
            }
            Err(self.wrong(
                |types| format!("`switch` needs an integer, not `{}`", types.describe(ty)),
                span,
            ))
        });
        let ty = value.map_or(self.known.int(), |it| self.ty_id(it));
        if let Some(state) = &mut self.body {
            state.breaks += 1;
            state.switches.push(Switch {
                ty,
                cases: Vec::new(),
                default: None,
            });
        }
        let body = self.inner(body);
        let switch = self.body.as_mut().and_then(|state| {
            state.breaks -= 1;
            state.switches.pop()
        });
        let Some(switch) = switch else {
            return Err(super::Wrong);
        };
        self.check_cases(&switch.cases)?;
        Ok(StmtKind::Switch {
            value: value?,
            cases: switch.cases,
            default: switch.default.map(|it| it.0),
            body,
        })
    }

    /// No two cases may have a value in common.
    fn check_cases(&mut self, cases: &[Case]) -> Outcome<()> {
        let mut sorted: Vec<&Case> = cases.iter().collect();
        sorted.sort_by_key(|it| (it.from, it.span));
        for pair in sorted.windows(2) {
            if pair[1].from <= pair[0].to {
                let (first, second) = match pair[0].span < pair[1].span {
                    true => (pair[0].span, pair[1].span),
                    false => (pair[1].span, pair[0].span),
                };
                return Err(self.report(|_| {
                    Diagnostic::error("there are two cases for the same value", second)
                        .note(first, "this is the first one")
                }));
            }
        }
        Ok(())
    }

    fn case(
        &mut self,
        from: TreeId,
        to: Option<TreeId>,
        span: Span,
        out: &mut Vec<StmtId>,
    ) -> Outcome<()> {
        let (from, place) = self.constant(from)?;
        let to = match to {
            Some(to) => self.constant(to)?.0,
            None => from,
        };
        let ty = self
            .body
            .as_ref()
            .and_then(|it| it.switches.last())
            .map(|it| it.ty);
        let Some(ty) = ty else {
            return Err(self.wrong(|_| "`case` stands in a `switch`".to_string(), place));
        };
        let wrap = |value| self.out.width(ty).map_or(value, |it| it.wrap(value));
        let (from, to) = (wrap(from), wrap(to));
        let span = Span::new(span.start, place.end.max(span.start));
        let Some(body) = &mut self.body else {
            return Err(super::Wrong);
        };
        let name = match from == to {
            true => format!("case {from}"),
            false => format!("case {from} ... {to}"),
        };
        let label = body.add_label(name.into(), span);
        if from <= to {
            let case = Case {
                from,
                to,
                label,
                span,
            };
            if let Some(switch) = body.switches.last_mut() {
                switch.cases.push(case);
            }
        }
        out.push(self.push_stmt(span, StmtKind::Label(label)));
        Ok(())
    }

    fn default(&mut self, span: Span, out: &mut Vec<StmtId>) -> Outcome<()> {
        let span = Span::new(
            span.start,
            (span.start + "default".len() as u32).min(span.end),
        );
        let switch = self.body.as_ref().and_then(|it| it.switches.last());
        match switch.map(|it| it.default) {
            None => return Err(self.wrong(|_| "`default` stands in a `switch`".to_string(), span)),
            Some(Some((_, first))) => {
                return Err(self.report(|_| {
                    Diagnostic::error("there are two defaults", span)
                        .note(first, "this is the first one")
                }));
            }
            Some(None) => {}
        }
        let Some(body) = &mut self.body else {
            return Err(super::Wrong);
        };
        let label = body.add_label("default".into(), span);
        if let Some(switch) = body.switches.last_mut() {
            switch.default = Some((label, span));
        }
        out.push(self.push_stmt(span, StmtKind::Label(label)));
        Ok(())
    }

    fn define_label(&mut self, ident: Ident, out: &mut Vec<StmtId>) -> Outcome<()> {
        let text = self.name(ident.name);
        let Some(body) = &mut self.body else {
            return Err(super::Wrong);
        };
        let label = body.label(ident, text);
        let (id, before) = (label.id, label.defined.replace(ident.span));
        body.labels[id.0 as usize].span = ident.span;
        if let Some(first) = before {
            return Err(self.report(|_| {
                Diagnostic::error(format!("there are two labels `{text}`"), ident.span)
                    .note(first, "this is the first one")
            }));
        }
        out.push(self.push_stmt(ident.span, StmtKind::Label(id)));
        Ok(())
    }

    /// Assembler: without an instruction it does nothing.
    fn assembler(&mut self, asm: &'u Asm) -> Outcome<StmtKind> {
        for &expr in asm.outputs.iter().chain(&asm.inputs) {
            let mark = self.mark();
            self.expression(expr)?;
            self.forget(mark);
        }
        Ok(match asm.is_empty && asm.outputs.is_empty() {
            true => StmtKind::Empty,
            false => StmtKind::Unsupported(Unsupported("assembler")),
        })
    }

    /// The statements of a block.
    pub(super) fn block(&mut self, items: &'u [BlockItem], span: Span) -> StmtId {
        let mut list = Vec::with_capacity(items.len());
        let labels = self.block_items(items, &mut list);
        self.end_local_labels(labels);
        self.push_stmt(span, StmtKind::Block(list))
    }

    fn block_items(
        &mut self,
        items: &'u [BlockItem],
        out: &mut Vec<StmtId>,
    ) -> Vec<super::label::Hidden> {
        let mut labels = Vec::new();
        for item in items {
            if let BlockItem::LocalLabels(names) = item {
                self.begin_local_labels(names, &mut labels);
            }
            self.block_item(item, out);
        }
        labels
    }

    fn block_item(&mut self, item: &'u BlockItem, out: &mut Vec<StmtId>) {
        match item {
            BlockItem::Stmt(stmt) => self.statement(*stmt, out),
            // What is wrong has been reported.
            BlockItem::Declaration(declaration) => {
                let _ = self.declaration(declaration, out);
            }
            BlockItem::Function(function) => self.nested_function(function, out),
            BlockItem::LocalLabels(_) => {}
            BlockItem::StaticAssert(claim) => {
                let _ = self.static_assert(claim);
            }
        }
    }

    /// The items of a block whose last expression is its value; the value, unless it has none.
    pub(super) fn items_with_value(
        &mut self,
        items: &'u [BlockItem],
        out: &mut Vec<StmtId>,
    ) -> Outcome<Option<ExprId>> {
        let Some((BlockItem::Stmt(last), before)) = items.split_last() else {
            let labels = self.block_items(items, out);
            self.end_local_labels(labels);
            return Ok(None);
        };
        let labels = self.block_items(before, out);
        let value = self.last_value(*last, out);
        self.end_local_labels(labels);
        value
    }

    fn last_value(&mut self, last: TreeStmt, out: &mut Vec<StmtId>) -> Outcome<Option<ExprId>> {
        let mut last = last;
        loop {
            match &self.unit.stmt(last).kind {
                Tree::Label { name, body, .. } => {
                    self.define_label(*name, out)?;
                    last = *body;
                }
                Tree::Expr(expr) => {
                    let id = self.rvalue(*expr)?;
                    if *self.ty(id) != Type::Void {
                        return Ok(Some(id));
                    }
                    let span = self.unit.stmt(last).span;
                    out.push(self.push_stmt(span, StmtKind::Expr(id)));
                    return Ok(None);
                }
                _ => {
                    self.statement(last, out);
                    return Ok(None);
                }
            }
        }
    }
}

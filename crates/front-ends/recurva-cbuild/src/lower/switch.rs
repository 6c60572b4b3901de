//! `switch`: one edge per case out of one node, and one for all other values.

use recurva_cir::{Binary, Expr, ExprKind, Int, NodeId, Operation, Origin, Scalar};
use recurva_ctype::typed::{Case, ExprId, LabelId, StmtId};

use super::Lower;
use crate::exprs;

impl Lower<'_, '_, '_> {
    pub(super) fn switch(
        &mut self,
        value: ExprId,
        cases: &[Case],
        default: Option<LabelId>,
        body: StmtId,
        origin: Origin,
    ) {
        let end = self.graph.node(origin);
        let value = self.value(value);
        // Repeated in every edge, so short.
        let value = match value.kind {
            ExprKind::Load(_) | ExprKind::Const(_) => value,
            _ => self.save(value, origin),
        };
        let other = default.map_or(end, |label| self.labels[label.0 as usize]);
        match (value.ty, exprs::number(&value)) {
            (_, Some(number)) => {
                let holds = |case: &&Case| (case.from..=case.to).contains(&number);
                let to = cases
                    .iter()
                    .find(holds)
                    .map(|case| self.labels[case.label.0 as usize]);
                self.graph.jump(to.unwrap_or(other), origin);
            }
            (Scalar::Int(int), None) => self.cases(&value, int, cases, other, origin),
            _ => self.graph.jump(other, origin),
        }
        self.breaks.push(end);
        self.statement(body);
        self.breaks.pop();
        self.graph.jump(end, origin);
        self.graph.continue_at(end);
    }

    fn cases(&mut self, value: &Expr, int: Int, cases: &[Case], other: NodeId, origin: Origin) {
        let from = self.graph.cursor();
        let mut none = Vec::new();
        for case in cases {
            let Some(condition) = matches(value, int, case) else {
                continue;
            };
            none.push(exprs::negate(condition.clone()));
            let to = self.labels[case.label.0 as usize];
            let at = self.origin(case.span);
            self.graph.edge(from, to, Operation::Assume(condition), at);
        }
        let operation = match none.is_empty() {
            true => Operation::Skip,
            false => Operation::Assume(all(none)),
        };
        self.graph.edge(from, other, operation, origin);
        let nowhere = self.graph.node(origin);
        self.graph.continue_at(nowhere);
    }
}

/// Whether a value is the one of a case; `None` if the case has no values.
fn matches(value: &Expr, int: Int, case: &Case) -> Option<Expr> {
    if case.from > case.to {
        return None;
    }
    if case.from == case.to {
        let constant = exprs::int(case.from, int);
        return Some(exprs::binary(Binary::Equal, value.clone(), constant));
    }
    let [low, high] = [case.from, case.to].map(|bound| exprs::int(bound, int));
    let above = exprs::binary(Binary::GreaterEqual, value.clone(), low);
    let below = exprs::binary(Binary::LessEqual, value.clone(), high);
    Some(exprs::and(above, below))
}

/// All of them, as a tree that is as deep as it must be.
fn all(mut conditions: Vec<Expr>) -> Expr {
    while conditions.len() > 1 {
        let mut pairs = Vec::new();
        let mut rest = conditions.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => exprs::and(left, right),
                None => left,
            });
        }
        conditions = pairs;
    }
    conditions.pop().unwrap_or_else(|| exprs::boolean(true))
}

//! Conjunctions and disjunctions as they are made.

use super::{Node, Op, Sort, Term, Terms};

/// So often the operands of a conjunction are compared with each other when one has changed.
const ROUNDS: usize = 4;

impl Terms {
    /// A conjunction or disjunction: nested ones are taken apart, each operand is there once, and what
    /// others imply or contradict is left out.
    pub(super) fn junction(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        let decides = op == Op::Or;
        let mut flat = operands.to_vec();
        for round in 0.. {
            match self.flattened(op, &flat) {
                Some(new) => flat = new,
                None => return Some(self.bool(decides)),
            }
            if round == ROUNDS || !self.absorbed(op, &mut flat) {
                break;
            }
        }
        match &flat[..] {
            _ if flat == operands && flat.len() > 1 => None,
            _ => Some(self.joined(op, &flat)),
        }
    }

    /// Operands in order, each once and none of the same kind; `None` if they decide.
    fn flattened(&self, op: Op, operands: &[Term]) -> Option<Vec<Term>> {
        let decides = op == Op::Or;
        let mut flat: Vec<Term> = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.node(operand) {
                Node::Bool(value) if *value == decides => return None,
                Node::Bool(_) => {}
                Node::Apply(inner, of) if *inner == op => flat.extend(of.iter()),
                _ => flat.push(operand),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let opposite = |term: Term| match self.node(term) {
            Node::Apply(Op::Not, of) => flat.binary_search(&of[0]).is_ok(),
            _ => false,
        };
        let decided = flat.iter().any(|&it| opposite(it));
        (!decided).then_some(flat)
    }

    /// A disjunction among the operands of a conjunction (or the other way round) goes if an operand
    /// of its own is one of theirs, and loses what contradicts them. Whether anything changed.
    fn absorbed(&mut self, op: Op, flat: &mut Vec<Term>) -> bool {
        let dual = match op {
            Op::And => Op::Or,
            _ => Op::And,
        };
        let mut kept = Vec::with_capacity(flat.len());
        let mut has_changed = false;
        for &operand in flat.iter() {
            let of = match self.node(operand) {
                Node::Apply(inner, of) if *inner == dual => of,
                _ => {
                    kept.push(operand);
                    continue;
                }
            };
            let is_there = |it: &Term| flat.binary_search(it).is_ok();
            if of.iter().any(is_there) {
                has_changed = true;
                continue;
            }
            let is_denied = |it: &Term| match self.node(*it) {
                Node::Apply(Op::Not, inner) => is_there(&inner[0]),
                _ => self
                    .known
                    .get(&Node::Apply(Op::Not, [*it].into()))
                    .is_some_and(is_there),
            };
            let rest: Vec<Term> = of.iter().copied().filter(|it| !is_denied(it)).collect();
            if rest.len() == of.len() {
                kept.push(operand);
            } else {
                has_changed = true;
                kept.push(self.joined(dual, &rest));
            }
        }
        *flat = kept;
        has_changed
    }

    /// The term of operands that are in order.
    fn joined(&mut self, op: Op, flat: &[Term]) -> Term {
        match flat {
            [] => self.bool(op == Op::And),
            [one] => *one,
            _ => self.intern(Node::Apply(op, flat.into()), Sort::Bool),
        }
    }
}

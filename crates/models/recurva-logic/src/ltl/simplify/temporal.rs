//! Rules for temporal operators.

use super::{FormulaId, Make, Operator, Simplifier};

/// More `X` than this are not moved outwards.
const MOST_NEXT: usize = 64;

impl Simplifier<'_> {
    /// `X a`.
    pub(super) fn next(&mut self, a: FormulaId) -> FormulaId {
        if self.steady(a) {
            return a;
        }
        let operator = self.operator(a);
        if matches!(operator, Operator::And | Operator::Or) {
            let (steady, rest) = self.partition(a, operator, Self::steady);
            if !steady.is_empty() {
                let rest = self.make(operator, rest);
                let rest = self.next(rest);
                let steady = self.make(operator, steady);
                return self.make(operator, vec![steady, rest]);
            }
        }
        self.formulas.unary(Operator::Next, a)
    }

    /// `F a`.
    pub(super) fn finally(&mut self, a: FormulaId) -> FormulaId {
        use Operator::*;
        if self.eventual(a) {
            return a;
        }
        let (b, c) = self.formulas.pair(a);
        match self.operator(a) {
            Next => return self.outwards(Finally, a),
            Until => return self.unary(Finally, c),
            StrongRelease => {
                let both = self.and(b, c);
                return self.unary(Finally, both);
            }
            WeakUntil => {
                let always = self.unary(Globally, b);
                let either = self.or(always, c);
                return self.unary(Finally, either);
            }
            Release => {
                let (both, always) = (self.and(b, c), self.unary(Globally, c));
                let either = self.or(both, always);
                return self.unary(Finally, either);
            }
            And => {
                let (steady, rest) = self.partition(a, And, Self::steady);
                if !steady.is_empty() {
                    let rest = self.make(And, rest);
                    let rest = self.unary(Finally, rest);
                    let steady = self.make(And, steady);
                    return self.and(steady, rest);
                }
            }
            // `F (a | F b)` is `F (a | b)`.
            Or => {
                let parts = self.formulas.parts(a).to_vec();
                let inner = |this: &Self, part| match this.operator(part) {
                    Finally => this.formulas.pair(part).0,
                    Until => this.formulas.pair(part).1,
                    _ => part,
                };
                let bodies: Vec<_> = parts.iter().map(|&part| inner(self, part)).collect();
                if bodies != parts {
                    let body = self.make(Or, bodies);
                    return self.unary(Finally, body);
                }
            }
            _ => {}
        }
        self.formulas.unary(Finally, a)
    }

    /// `G a`.
    pub(super) fn globally(&mut self, a: FormulaId) -> FormulaId {
        use Operator::*;
        if self.universal(a) {
            return a;
        }
        let (b, c) = self.formulas.pair(a);
        match self.operator(a) {
            Next => return self.outwards(Globally, a),
            Release => return self.unary(Globally, c),
            WeakUntil => {
                let either = self.or(b, c);
                return self.unary(Globally, either);
            }
            StrongRelease => {
                let sometimes = self.unary(Finally, b);
                let both = self.and(sometimes, c);
                return self.unary(Globally, both);
            }
            Until => {
                let (either, sometimes) = (self.or(b, c), self.unary(Finally, c));
                let both = self.and(either, sometimes);
                return self.unary(Globally, both);
            }
            Or => {
                let (steady, rest) = self.partition(a, Or, Self::steady);
                if !steady.is_empty() {
                    let rest = self.make(Or, rest);
                    let rest = self.unary(Globally, rest);
                    let steady = self.make(Or, steady);
                    return self.or(steady, rest);
                }
            }
            // `G (a & G b)` is `G (a & b)`, and `G (a & F b)` is `G a & G F b`.
            And => {
                let parts = self.formulas.parts(a).to_vec();
                let inner = |this: &Self, part| match this.operator(part) {
                    Globally => this.formulas.pair(part).0,
                    Release => this.formulas.pair(part).1,
                    _ => part,
                };
                let bodies: Vec<_> = parts.iter().map(|&part| inner(self, part)).collect();
                if bodies != parts {
                    let body = self.make(And, bodies);
                    return self.unary(Globally, body);
                }
                let (apart, rest) = self.partition(a, And, Self::eventual);
                if !apart.is_empty() {
                    let rest = self.make(And, rest);
                    let mut all = vec![self.unary(Globally, rest)];
                    for part in apart {
                        all.push(self.unary(Globally, part));
                    }
                    return self.make(And, all);
                }
            }
            _ => {}
        }
        self.formulas.unary(Globally, a)
    }

    /// `a U b`.
    pub(super) fn until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        use Operator::*;
        if self.is_false(a) || self.eventual(b) || self.implies(a, b) {
            return b;
        }
        if self.is_true(a) || self.covers(b, a) {
            return self.unary(Finally, b);
        }
        if self.universal(a) {
            let sometimes = self.unary(Finally, b);
            let both = self.and(a, sometimes);
            return self.or(both, b);
        }
        let (c, _) = self.formulas.pair(b);
        match (self.operator(a), self.operator(b)) {
            (Next, Next) => {
                let inner = self.formulas.pair(a).0;
                let until = self.binary(Until, inner, c);
                return self.unary(Next, until);
            }
            (_, Until) if self.implies(a, c) => return b,
            (Until, _) if self.formulas.pair(a).1 == b => return a,
            (_, And) => {
                let (steady, rest) = self.partition(b, And, Self::steady);
                if !steady.is_empty() {
                    let rest = self.make(And, rest);
                    let until = self.binary(Until, a, rest);
                    let steady = self.make(And, steady);
                    return self.and(steady, until);
                }
            }
            _ => {}
        }
        match self.left_of_until(a, b) {
            Some(less) => self.binary(Until, less, b),
            None => self.formulas.binary(Until, a, b),
        }
    }

    /// `a W b`.
    pub(super) fn weak_until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        use Operator::*;
        if self.is_true(a) || self.is_true(b) || self.covers(a, b) {
            return self.constant(true);
        }
        if self.is_false(b) {
            return self.unary(Globally, a);
        }
        if self.is_false(a) || self.implies(a, b) {
            return b;
        }
        if self.universal(a) {
            return self.or(a, b);
        }
        if self.eventual(b) {
            let always = self.unary(Globally, a);
            return self.or(always, b);
        }
        let (c, _) = self.formulas.pair(b);
        match (self.operator(a), self.operator(b)) {
            (Next, Next) => {
                let inner = self.formulas.pair(a).0;
                let weak = self.binary(WeakUntil, inner, c);
                return self.unary(Next, weak);
            }
            (_, WeakUntil) if self.implies(a, c) => return b,
            _ => {}
        }
        match self.left_of_until(a, b) {
            Some(less) => self.binary(WeakUntil, less, b),
            None => self.formulas.binary(WeakUntil, a, b),
        }
    }

    /// `a R b`.
    pub(super) fn release(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        use Operator::*;
        if self.is_true(a) || self.universal(b) || self.implies(b, a) {
            return b;
        }
        if self.is_false(a) || self.excludes(b, a) {
            return self.unary(Globally, b);
        }
        if self.eventual(a) {
            let always = self.unary(Globally, b);
            let both = self.and(a, b);
            return self.or(always, both);
        }
        let (c, _) = self.formulas.pair(b);
        match (self.operator(a), self.operator(b)) {
            (Next, Next) => {
                let inner = self.formulas.pair(a).0;
                let release = self.binary(Release, inner, c);
                return self.unary(Next, release);
            }
            (_, Release) if self.implies(c, a) => return b,
            (Release, _) if self.formulas.pair(a).1 == b => return a,
            (_, Or) => {
                let (steady, rest) = self.partition(b, Or, Self::steady);
                if !steady.is_empty() {
                    let rest = self.make(Or, rest);
                    let release = self.binary(Release, a, rest);
                    let steady = self.make(Or, steady);
                    return self.or(steady, release);
                }
            }
            _ => {}
        }
        match self.left_of_release(a, b) {
            Some(less) => self.binary(Release, less, b),
            None => self.formulas.binary(Release, a, b),
        }
    }

    /// `a M b`.
    pub(super) fn strong_release(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        use Operator::*;
        if self.is_false(a) || self.is_false(b) || self.excludes(b, a) {
            return self.constant(false);
        }
        if self.is_true(b) {
            return self.unary(Finally, a);
        }
        if self.is_true(a) || self.implies(b, a) {
            return b;
        }
        if self.eventual(a) {
            return self.and(a, b);
        }
        if self.universal(b) {
            let sometimes = self.unary(Finally, a);
            return self.and(sometimes, b);
        }
        let (c, _) = self.formulas.pair(b);
        match (self.operator(a), self.operator(b)) {
            (Next, Next) => {
                let inner = self.formulas.pair(a).0;
                let strong = self.binary(StrongRelease, inner, c);
                return self.unary(Next, strong);
            }
            (_, StrongRelease) if self.implies(c, a) => return b,
            _ => {}
        }
        match self.left_of_release(a, b) {
            Some(less) => self.binary(StrongRelease, less, b),
            None => self.formulas.binary(StrongRelease, a, b),
        }
    }

    /// What is left of `a` in `a U b` or `a W b`, where it is only asked for while `b` is false.
    fn left_of_until(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        let operator = self.operator(a);
        let mut parts = self.split(operator, a);
        let before = parts.len();
        match operator {
            Operator::Or => parts.retain(|&part| !self.implies(part, b)),
            Operator::And => parts.retain(|&part| !self.covers(b, part)),
            _ => return None,
        }
        (parts.len() < before).then(|| self.make(operator, parts))
    }

    /// What is left of `a` in `a R b` or `a M b`, where it is only asked for while `b` is true.
    fn left_of_release(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        let operator = self.operator(a);
        let mut parts = self.split(operator, a);
        let before = parts.len();
        match operator {
            Operator::Or => parts.retain(|&part| !self.excludes(b, part)),
            Operator::And => parts.retain(|&part| !self.implies(b, part)),
            _ => return None,
        }
        (parts.len() < before).then(|| self.make(operator, parts))
    }

    /// The parts of `id` for which `wanted` holds, and the others.
    fn partition(
        &self,
        id: FormulaId,
        operator: Operator,
        wanted: fn(&Self, FormulaId) -> bool,
    ) -> (Vec<FormulaId>, Vec<FormulaId>) {
        let parts = self.split(operator, id);
        parts.into_iter().partition(|&part| wanted(self, part))
    }

    /// `F X a` is `X F a`, and `G X a` is `X G a`.
    fn outwards(&mut self, operator: Operator, id: FormulaId) -> FormulaId {
        let mut inner = id;
        let mut count = 0;
        while self.operator(inner) == Operator::Next {
            inner = self.formulas.pair(inner).0;
            count += 1;
            if count > MOST_NEXT {
                return self.formulas.unary(operator, id);
            }
        }
        let mut made = self.unary(operator, inner);
        for _ in 0..count {
            made = self.next(made);
        }
        made
    }
}

//! When one formula implies another, as far as their shapes tell.

use super::{FormulaId, Operator, Simplifier};

/// How deep formulas are compared.
const DEEPEST: u32 = 10;

impl Simplifier<'_> {
    /// Whether `f` implies `g` for sure. Both are in negation normal form.
    pub(super) fn implies(&mut self, f: FormulaId, g: FormulaId) -> bool {
        self.implies_within(f, g, DEEPEST)
    }

    /// Whether `f` and `g` exclude each other for sure.
    pub(super) fn excludes(&mut self, f: FormulaId, g: FormulaId) -> bool {
        match self.negation(g) {
            Some(negation) => self.implies(f, negation),
            None => false,
        }
    }

    /// Whether one of `f` and `g` holds for sure.
    pub(super) fn covers(&mut self, f: FormulaId, g: FormulaId) -> bool {
        match self.negation(f) {
            Some(negation) => self.implies(negation, g),
            None => false,
        }
    }

    fn implies_within(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        if f == g || self.is_false(f) || self.is_true(g) {
            return true;
        }
        if self.is_true(f) || self.is_false(g) || depth == 0 || self.budget == 0 {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        self.budget -= 1;
        let known = self.left_rules(f, g, depth - 1) || self.right_rules(f, g, depth - 1);
        // A "no" that only the depth is to blame for is not kept.
        if known || depth == DEEPEST {
            self.implications.insert((f, g), known);
        }
        known
    }

    /// Rules by the shape of the left formula.
    fn left_rules(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        use Operator::*;
        let (a, b) = self.formulas.pair(f);
        let eventual = self.eventual(g);
        match self.operator(f) {
            Or => {
                let parts = self.formulas.parts(f).to_vec();
                parts
                    .iter()
                    .all(|&part| self.implies_within(part, g, depth))
            }
            And => {
                let parts = self.formulas.parts(f).to_vec();
                parts
                    .iter()
                    .any(|&part| self.implies_within(part, g, depth))
            }
            Next | Finally => eventual && self.implies_within(a, g, depth),
            Globally => self.implies_within(a, g, depth),
            Until => {
                self.implies_within(b, g, depth) && (eventual || self.implies_within(a, g, depth))
            }
            WeakUntil => self.implies_within(a, g, depth) && self.implies_within(b, g, depth),
            Release => self.implies_within(b, g, depth),
            StrongRelease => {
                self.implies_within(b, g, depth) || (eventual && self.implies_within(a, g, depth))
            }
            _ => false,
        }
    }

    /// Rules by the shape of the right formula, and by both.
    fn right_rules(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        use Operator::*;
        let (c, d) = self.formulas.pair(g);
        let universal = self.universal(f);
        let found = match self.operator(g) {
            And => {
                let parts = self.formulas.parts(g).to_vec();
                parts
                    .iter()
                    .all(|&part| self.implies_within(f, part, depth))
            }
            Or => {
                let parts = self.formulas.parts(g).to_vec();
                parts
                    .iter()
                    .any(|&part| self.implies_within(f, part, depth))
            }
            Next | Globally => universal && self.implies_within(f, c, depth),
            Finally => self.implies_within(f, c, depth),
            Until => self.implies_within(f, d, depth),
            WeakUntil => {
                self.implies_within(f, d, depth) || (universal && self.implies_within(f, c, depth))
            }
            Release => {
                self.implies_within(f, d, depth) && (universal || self.implies_within(f, c, depth))
            }
            StrongRelease => self.implies_within(f, d, depth) && self.implies_within(f, c, depth),
            _ => false,
        };
        found || self.both_rules(f, g, depth)
    }

    /// Rules for two operators of a kind: both are monotone in their parts.
    fn both_rules(&mut self, f: FormulaId, g: FormulaId, depth: u32) -> bool {
        use Operator::*;
        let (a, b) = self.formulas.pair(f);
        let (c, d) = self.formulas.pair(g);
        match (self.operator(f), self.operator(g)) {
            (Next, Next) | (Finally, Finally) | (Globally, Globally) => {
                self.implies_within(a, c, depth)
            }
            (Until, Finally) => self.implies_within(b, c, depth),
            (Globally, WeakUntil) => self.implies_within(a, c, depth),
            (Globally, Release) => self.implies_within(a, d, depth),
            (Until, Until | WeakUntil)
            | (WeakUntil, WeakUntil)
            | (Release, Release)
            | (StrongRelease, StrongRelease | Release) => {
                self.implies_within(a, c, depth) && self.implies_within(b, d, depth)
            }
            // `a M b` is `b U (a & b)`, and `a R b` is `b W (a & b)`.
            (StrongRelease, Until | WeakUntil) | (Release, WeakUntil) => {
                self.implies_within(b, c, depth)
                    && (self.implies_within(a, d, depth) || self.implies_within(b, d, depth))
            }
            (StrongRelease, Finally) => {
                self.implies_within(a, c, depth) || self.implies_within(b, c, depth)
            }
            _ => false,
        }
    }
}

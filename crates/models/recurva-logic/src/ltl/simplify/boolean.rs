//! Rules for conjunctions and disjunctions.
//!
//! Everything is written for one of the two; the other is its dual. The *unit* of `&` is `1`
//! and its *zero* is `0`.

use rustc_hash::FxHashMap;

use super::{FormulaId, Make, Operator, Simplifier, WIDEST};

impl Simplifier<'_> {
    /// `a & b & …` or `a | b | …`.
    pub(super) fn connective(&mut self, operator: Operator, parts: Vec<FormulaId>) -> FormulaId {
        let conjunction = operator == Operator::And;
        let whole = self.formulas.nary(operator, parts);
        if self.operator(whole) != operator {
            return whole;
        }
        let zero = self.constant(!conjunction);
        let unit = self.constant(conjunction);
        let mut parts = self.formulas.parts(whole).to_vec();
        if parts.contains(&zero) {
            return zero;
        }
        parts.retain(|&part| part != unit);
        let mut parts = self.merge(operator, parts);
        if parts.len() <= WIDEST {
            if self.opposed(operator, &parts) {
                return zero;
            }
            self.absorb(operator, &mut parts);
            self.strengthen(operator, &mut parts);
            self.shrink(operator, &mut parts);
        }
        let made = self.formulas.nary(operator, parts);
        // What was merged may merge with something else now.
        if made != whole && self.operator(made) == operator {
            let parts = self.formulas.parts(made).to_vec();
            return self.make(operator, parts);
        }
        made
    }

    /// Joins parts whose operators distribute over this one: `X a & X b` is `X (a & b)`.
    fn merge(&mut self, operator: Operator, parts: Vec<FormulaId>) -> Vec<FormulaId> {
        use Operator::*;
        let conjunction = operator == And;
        // The key is the outer operator with the part that stays.
        let mut groups: FxHashMap<(Operator, Option<FormulaId>), Vec<FormulaId>> =
            FxHashMap::default();
        let mut order = Vec::new();
        let mut rest = Vec::new();
        for part in parts {
            let (a, b) = self.formulas.pair(part);
            let kind = self.operator(part);
            let key_and_body = match (kind, conjunction) {
                (Next, _) => Some((None, a)),
                (Globally, true) if !self.eventual(a) => Some((None, a)),
                (Finally, false) => Some((None, a)),
                (Finally, true) if self.universal(a) => Some((None, a)),
                (Globally, false) if self.eventual(a) => Some((None, a)),
                (Until | WeakUntil, true) | (Release | StrongRelease, false) => Some((Some(b), a)),
                (Until | WeakUntil, false) | (Release | StrongRelease, true) => Some((Some(a), b)),
                _ => None,
            };
            match key_and_body {
                Some((fixed, body)) => {
                    let group = groups.entry((kind, fixed)).or_default();
                    if group.is_empty() {
                        order.push((kind, fixed, part));
                    }
                    group.push(body);
                }
                None => rest.push(part),
            }
        }
        for (kind, fixed, part) in order {
            let bodies = groups.remove(&(kind, fixed)).unwrap_or_default();
            if bodies.len() < 2 {
                rest.push(part);
                continue;
            }
            let body = self.make(operator, bodies);
            let merged = match (fixed, kind, conjunction) {
                (None, ..) => self.unary(kind, body),
                (Some(fixed), Until | WeakUntil, true)
                | (Some(fixed), Release | StrongRelease, false) => self.binary(kind, body, fixed),
                (Some(fixed), ..) => self.binary(kind, fixed, body),
            };
            rest.push(merged);
        }
        rest
    }

    /// Whether two parts make the whole `0` or `1`.
    fn opposed(&mut self, operator: Operator, parts: &[FormulaId]) -> bool {
        let pairs = parts
            .iter()
            .enumerate()
            .flat_map(|(index, &f)| parts[index + 1..].iter().map(move |&g| (f, g)));
        for (f, g) in pairs {
            let opposed = match operator {
                Operator::And => self.excludes(f, g),
                _ => self.covers(f, g),
            };
            if opposed {
                return true;
            }
        }
        false
    }

    /// Leaves out parts that another one makes superfluous.
    fn absorb(&mut self, operator: Operator, parts: &mut Vec<FormulaId>) {
        let mut index = 0;
        while index < parts.len() {
            let part = parts[index];
            let superfluous = (0..parts.len()).any(|other| {
                other != index
                    && match operator {
                        Operator::And => self.implies(parts[other], part),
                        _ => self.implies(part, parts[other]),
                    }
            });
            if superfluous {
                parts.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// `(a W b) & F b` is `a U b`, `(a R b) & F a` is `a M b`; dually `(a U b) | G a` is `a W b`
    /// and `(a M b) | G b` is `a R b`.
    fn strengthen(&mut self, operator: Operator, parts: &mut Vec<FormulaId>) {
        use Operator::*;
        let mut index = 0;
        while index < parts.len() {
            let (a, b) = self.formulas.pair(parts[index]);
            let change = match (operator, self.operator(parts[index])) {
                (And, WeakUntil) => Some((Finally, b, Until)),
                (And, Release) => Some((Finally, a, StrongRelease)),
                (Or, Until) => Some((Globally, a, WeakUntil)),
                (Or, StrongRelease) => Some((Globally, b, Release)),
                _ => None,
            };
            index += 1;
            let Some((kind, body, becomes)) = change else {
                continue;
            };
            let wanted = self.formulas.unary(kind, body);
            if let Some(at) = parts.iter().position(|&part| part == wanted) {
                parts[index - 1] = self.formulas.binary(becomes, a, b);
                parts.remove(at);
                index = 0;
            }
        }
    }

    /// Leaves out of the parts what the other parts settle: `a | (!a & b)` is `a | b`.
    fn shrink(&mut self, operator: Operator, parts: &mut [FormulaId]) {
        let conjunction = operator == Operator::And;
        let dual = if conjunction {
            Operator::Or
        } else {
            Operator::And
        };
        for index in 0..parts.len() {
            if self.operator(parts[index]) != dual {
                continue;
            }
            let mut inner = self.formulas.parts(parts[index]).to_vec();
            if inner.len() > WIDEST {
                continue;
            }
            let before = inner.len();
            inner.retain(|&piece| {
                !(0..parts.len()).any(|other| {
                    other != index
                        && if conjunction {
                            self.excludes(parts[other], piece)
                        } else {
                            self.covers(piece, parts[other])
                        }
                })
            });
            if inner.len() < before {
                parts[index] = self.formulas.nary(dual, inner);
            }
        }
    }
}

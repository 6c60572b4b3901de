//! Negation normal form: `!` only before atoms, and no `->`, `<->` or `^`.

use rustc_hash::FxHashMap;

use super::{FormulaId, Formulas, Operator};

/// Makes formulas, perhaps simpler ones with the same models.
pub(super) trait Make {
    /// The arena.
    fn formulas(&mut self) -> &mut Formulas;

    /// A formula from its operator and its parts, which were made by this maker.
    fn make(&mut self, operator: Operator, parts: Vec<FormulaId>) -> FormulaId;
}

/// Makes formulas as they are.
impl Make for Formulas {
    fn formulas(&mut self) -> &mut Formulas {
        self
    }

    fn make(&mut self, operator: Operator, parts: Vec<FormulaId>) -> FormulaId {
        match (operator, &parts[..]) {
            (Operator::True | Operator::False, _) => self.constant(operator == Operator::True),
            (Operator::And | Operator::Or, _) => self.nary(operator, parts),
            (_, &[part]) => self.unary(operator, part),
            (_, &[left, .., right]) => self.binary(operator, left, right),
            // An atom is never made anew; see `Normaliser::build`.
            (_, []) => self.constant(false),
        }
    }
}

impl Formulas {
    /// The formula in negation normal form.
    pub fn negation_normal_form(&mut self, id: FormulaId) -> FormulaId {
        normalise(self, id, Sign::Plain)
    }

    /// The negation of a formula in negation normal form.
    pub fn negated_normal_form(&mut self, id: FormulaId) -> FormulaId {
        normalise(self, id, Sign::Negated)
    }
}

/// A formula itself or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Plain,
    Negated,
}

impl Sign {
    const fn flip(self) -> Self {
        match self {
            Sign::Plain => Sign::Negated,
            Sign::Negated => Sign::Plain,
        }
    }
}

/// Makes the negation normal form of a formula or of its negation, parts first.
pub(super) fn normalise(make: &mut impl Make, root: FormulaId, sign: Sign) -> FormulaId {
    let list = make.formulas().subformulas(root);
    // Which signs of which parts are needed: whole formulas come before their parts.
    let mut needed: FxHashMap<(FormulaId, Sign), Option<FormulaId>> = FxHashMap::default();
    needed.insert((root, sign), None);
    for &id in list.iter().rev() {
        for sign in [Sign::Plain, Sign::Negated] {
            if !needed.contains_key(&(id, sign)) {
                continue;
            }
            let formulas = make.formulas();
            let operator = formulas.operator(id);
            let (first, _) = formulas.pair(id);
            for &part in formulas.parts(id) {
                let signs: &[Sign] = match operator {
                    Operator::Equivalent | Operator::Xor => &[Sign::Plain, Sign::Negated],
                    Operator::Not => &[sign.flip()],
                    // In `a -> a` both signs are needed.
                    Operator::Implies if formulas.parts(id)[0] == formulas.parts(id)[1] => {
                        &[Sign::Plain, Sign::Negated]
                    }
                    Operator::Implies if part == first => &[sign.flip()],
                    _ => &[sign],
                };
                for &sign in signs {
                    needed.entry((part, sign)).or_insert(None);
                }
            }
        }
    }
    for &id in &list {
        for sign in [Sign::Plain, Sign::Negated] {
            if needed.contains_key(&(id, sign)) {
                let made = build(make, id, sign, &needed);
                needed.insert((id, sign), Some(made));
            }
        }
    }
    needed.get(&(root, sign)).copied().flatten().unwrap_or(root)
}

fn build(
    make: &mut impl Make,
    id: FormulaId,
    sign: Sign,
    made: &FxHashMap<(FormulaId, Sign), Option<FormulaId>>,
) -> FormulaId {
    use Operator::*;
    let get = |id: FormulaId, sign: Sign| made.get(&(id, sign)).copied().flatten().unwrap_or(id);
    let operator = make.formulas().operator(id);
    let (a, b) = make.formulas().pair(id);
    let plain = sign == Sign::Plain;
    let dual = match (operator, plain) {
        (Atom(_), true) => return id,
        (Atom(_), false) => return make.formulas().unary(Not, id),
        (Not, _) => return get(a, sign.flip()),
        (Implies, true) => {
            let parts = vec![get(a, Sign::Negated), get(b, Sign::Plain)];
            return make.make(Or, parts);
        }
        (Implies, false) => {
            let parts = vec![get(a, Sign::Plain), get(b, Sign::Negated)];
            return make.make(And, parts);
        }
        (Equivalent | Xor, _) => {
            let equal = (operator == Equivalent) == plain;
            let (same, other) = if equal {
                (Sign::Plain, Sign::Negated)
            } else {
                (Sign::Negated, Sign::Plain)
            };
            let both = make.make(And, vec![get(a, Sign::Plain), get(b, same)]);
            let neither = make.make(And, vec![get(a, Sign::Negated), get(b, other)]);
            return make.make(Or, vec![both, neither]);
        }
        (_, true) | (Next, false) => operator,
        (True, false) => False,
        (False, false) => True,
        (And, false) => Or,
        (Or, false) => And,
        (Finally, false) => Globally,
        (Globally, false) => Finally,
        (Until, false) => Release,
        (Release, false) => Until,
        (WeakUntil, false) => StrongRelease,
        (StrongRelease, false) => WeakUntil,
        (Along(chain, modality), false) => Along(chain, modality.dual()),
    };
    let parts = make.formulas().parts(id);
    let parts = parts.iter().map(|&part| get(part, sign)).collect();
    make.make(dual, parts)
}

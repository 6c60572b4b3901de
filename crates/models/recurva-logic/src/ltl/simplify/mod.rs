//! Simpler formulas with the same models.
//!
//! The rules are the well-known ones of Somenzi and Bloem (CAV 2000), Etessami and Holzmann
//! (CONCUR 2000) and Babiak and others (TACAS 2012), applied parts first: [`boolean`] has those
//! for `&` and `|`, [`temporal`] the others, [`implication`] tells when one formula implies
//! another by their shapes. A formula is *eventual* if it holds before every place where it
//! holds (`F a`), *universal* if it holds behind every such place (`G a`), and *steady* if it is
//! both (`G F a`): then it holds everywhere or nowhere.

mod boolean;
mod implication;
mod temporal;

use rustc_hash::FxHashMap;

use super::{
    FormulaId, Formulas, Operator,
    normal::{Make, Sign, normalise},
};

impl Formulas {
    /// A formula in negation normal form with the same models, usually a smaller one.
    pub fn simplify(&mut self, id: FormulaId) -> FormulaId {
        Simplifier::new(self).simplify(id, Sign::Plain)
    }

    /// A formula in negation normal form that holds where this one does not, usually smaller
    /// than `!` before it.
    pub fn simplify_negation(&mut self, id: FormulaId) -> FormulaId {
        Simplifier::new(self).simplify(id, Sign::Negated)
    }
}

/// How many rules may wait for one another.
const DEEPEST: u32 = 24;
/// In conjunctions and disjunctions with more parts, the parts are not compared with each other.
const WIDEST: usize = 48;
/// Formulas with more different parts than this are not negated to be compared.
const LARGEST: usize = 64;
/// How often the whole formula is gone over.
const ROUNDS: usize = 4;

/// Applies the rules; keeps what it has found out.
struct Simplifier<'f> {
    formulas: &'f mut Formulas,
    depth: u32,
    /// How many more comparisons of formulas may be made.
    budget: u64,
    implications: FxHashMap<(FormulaId, FormulaId), bool>,
    negations: FxHashMap<FormulaId, Option<FormulaId>>,
}

impl<'f> Simplifier<'f> {
    fn new(formulas: &'f mut Formulas) -> Self {
        Simplifier {
            formulas,
            depth: 0,
            budget: 5_000_000,
            implications: FxHashMap::default(),
            negations: FxHashMap::default(),
        }
    }

    fn simplify(&mut self, id: FormulaId, sign: Sign) -> FormulaId {
        let mut simple = normalise(self, id, sign);
        for _ in 1..ROUNDS {
            let again = normalise(self, simple, Sign::Plain);
            if again == simple {
                break;
            }
            simple = again;
        }
        simple
    }

    fn constant(&mut self, value: bool) -> FormulaId {
        self.formulas.constant(value)
    }

    fn operator(&self, id: FormulaId) -> Operator {
        self.formulas.operator(id)
    }

    fn is_true(&self, id: FormulaId) -> bool {
        self.operator(id) == Operator::True
    }

    fn is_false(&self, id: FormulaId) -> bool {
        self.operator(id) == Operator::False
    }

    fn eventual(&self, id: FormulaId) -> bool {
        self.formulas.traits(id).eventual
    }

    fn universal(&self, id: FormulaId) -> bool {
        self.formulas.traits(id).universal
    }

    /// Whether it holds everywhere or nowhere.
    fn steady(&self, id: FormulaId) -> bool {
        self.eventual(id) && self.universal(id)
    }

    fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        self.make(Operator::And, vec![left, right])
    }

    fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        self.make(Operator::Or, vec![left, right])
    }

    fn unary(&mut self, operator: Operator, part: FormulaId) -> FormulaId {
        self.make(operator, vec![part])
    }

    fn binary(&mut self, operator: Operator, left: FormulaId, right: FormulaId) -> FormulaId {
        self.make(operator, vec![left, right])
    }

    /// The negation, as it is, if the formula is small.
    fn negation(&mut self, id: FormulaId) -> Option<FormulaId> {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let small = self.is_small(id);
        let negation = small.then(|| self.formulas.negated_normal_form(id));
        self.negations.insert(id, negation);
        negation
    }

    fn is_small(&self, id: FormulaId) -> bool {
        let mut list = vec![id];
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            list.extend_from_slice(self.formulas.parts(id));
            if list.len() > LARGEST {
                return false;
            }
        }
        true
    }

    /// Takes the parts of a conjunction or disjunction, or the formula alone.
    fn split(&self, operator: Operator, id: FormulaId) -> Vec<FormulaId> {
        if self.operator(id) == operator {
            self.formulas.parts(id).to_vec()
        } else {
            vec![id]
        }
    }
}

impl Make for Simplifier<'_> {
    fn formulas(&mut self) -> &mut Formulas {
        self.formulas
    }

    fn make(&mut self, operator: Operator, parts: Vec<FormulaId>) -> FormulaId {
        if self.depth >= DEEPEST {
            return self.formulas.make(operator, parts);
        }
        self.depth += 1;
        let made = match (operator, &parts[..]) {
            (Operator::And | Operator::Or, _) => self.connective(operator, parts),
            (Operator::Next, &[a]) => self.next(a),
            (Operator::Finally, &[a]) => self.finally(a),
            (Operator::Globally, &[a]) => self.globally(a),
            (Operator::Until, &[a, b]) => self.until(a, b),
            (Operator::Release, &[a, b]) => self.release(a, b),
            (Operator::WeakUntil, &[a, b]) => self.weak_until(a, b),
            (Operator::StrongRelease, &[a, b]) => self.strong_release(a, b),
            _ => self.formulas.make(operator, parts),
        };
        self.depth -= 1;
        made
    }
}

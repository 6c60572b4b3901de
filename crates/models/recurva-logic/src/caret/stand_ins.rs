//! Formulas without the operators of CaRet: what they ask of other positions is left to atoms
//! that stand for it.
//!
//! `a U_a b` holds where `b` does, or where `a` does and `a U_a b` holds at the next position of
//! the same invocation. So it is `b | a & s`, and the stand-in `s` says that `b | a & s` holds
//! there. What is left is a formula of linear-time temporal logic.

use rustc_hash::FxHashMap;

use crate::ltl::{Chain, Formula, FormulaId, Formulas, Modality, Operator};

/// An atom that says that a formula holds at another position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StandIn {
    pub(super) chain: Chain,
    /// It does not hold if there is no such position.
    pub(super) strong: bool,
    /// What holds there.
    pub(super) target: FormulaId,
    /// The number of the promise that is not kept where this holds, if it is one: that of an
    /// operator whose goal has to be reached one day.
    pub(super) promise: Option<u32>,
}

/// A formula with stand-ins.
#[derive(Debug)]
pub(super) struct WithStandIns {
    /// The arena; its atoms are those of the formula, then the stand-ins.
    pub(super) formulas: Formulas,
    pub(super) root: FormulaId,
    /// The number of the first stand-in's atom.
    pub(super) first: u32,
    pub(super) stand_ins: Vec<StandIn>,
    /// How many promises there are.
    pub(super) promises: u32,
    /// What is asked of callers, each once.
    pub(super) called: Vec<FormulaId>,
}

impl WithStandIns {
    /// Takes a formula in negation normal form apart.
    pub(super) fn of(formula: &Formula) -> Self {
        let mut plain = Formulas::new();
        for atom in formula.formulas.atoms() {
            plain.atom_at(&atom.text, atom.span);
        }
        let mut this = WithStandIns {
            first: plain.atoms().len() as u32,
            root: plain.constant(true),
            formulas: plain,
            stand_ins: Vec::new(),
            promises: 0,
            called: Vec::new(),
        };
        let mut made: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for id in formula.formulas.subformulas(formula.root) {
            let parts = formula.formulas.parts(id).iter();
            let parts: Vec<FormulaId> = parts.map(|part| made[part]).collect();
            let plain = match (formula.formulas.operator(id), &parts[..]) {
                (Operator::Along(chain, modality), &[a]) => this.along(chain, modality, a, a),
                (Operator::Along(chain, modality), &[a, .., b]) => {
                    this.along(chain, modality, a, b)
                }
                (Operator::Atom(atom), _) => {
                    let text = formula.formulas.atoms()[atom.0 as usize].text.clone();
                    this.formulas.atom(&text)
                }
                (Operator::True, _) => this.formulas.constant(true),
                (operator @ (Operator::And | Operator::Or), _) => {
                    this.formulas.nary(operator, parts)
                }
                (operator, &[a]) => this.formulas.unary(operator, a),
                (operator, &[a, .., b]) => this.formulas.binary(operator, a, b),
                (_, []) => this.formulas.constant(false),
            };
            made.insert(id, plain);
        }
        this.root = made[&formula.root];
        let asked = this.stand_ins.iter().filter(|s| s.chain == Chain::Callers);
        this.called = asked.map(|stand_in| stand_in.target).collect();
        this.called.sort_unstable();
        this.called.dedup();
        this
    }

    /// Whether something is asked of positions of a chain.
    pub(super) fn uses(&self, chain: Chain) -> bool {
        self.stand_ins
            .iter()
            .any(|stand_in| stand_in.chain == chain)
    }

    fn along(&mut self, chain: Chain, modality: Modality, a: FormulaId, b: FormulaId) -> FormulaId {
        use Modality::*;
        let strong = matches!(modality, Next | Finally | Until | StrongRelease);
        // Callers are finitely many: what is put off is not put off for ever.
        let promise = match modality {
            Finally | Until | StrongRelease if chain == Chain::Local => {
                self.promises += 1;
                Some(self.promises - 1)
            }
            _ => None,
        };
        let number = self.stand_ins.len();
        // No atom that was read has such a name.
        let again = self.formulas.atom(&format!("\u{0}{number}"));
        self.stand_ins.push(StandIn {
            chain,
            strong,
            target: a,
            promise,
        });
        let f = &mut self.formulas;
        let made = match modality {
            Next | WeakNext => return again,
            Finally => f.binary(Operator::Or, a, again),
            Globally => f.binary(Operator::And, a, again),
            Until | WeakUntil => {
                let wait = f.binary(Operator::And, a, again);
                f.binary(Operator::Or, b, wait)
            }
            Release | StrongRelease => {
                let wait = f.binary(Operator::Or, a, again);
                f.binary(Operator::And, b, wait)
            }
        };
        self.stand_ins[number].target = made;
        made
    }
}

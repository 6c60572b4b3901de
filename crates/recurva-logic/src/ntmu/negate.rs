//! Negation (Theorem 1).

use super::{FormulaId, Formulas, Operator, VariableId};

impl Formulas {
    /// The negation of a formula if it has been made, as it has for all parts of a formula that
    /// was negated.
    pub fn negation_of(&self, id: FormulaId) -> Option<FormulaId> {
        self.negations.get(&id).copied()
    }

    /// The negation of a closed formula (Theorem 1). Of a formula that is not closed it is the
    /// dual: what it means is negated if its variables and markers are.
    pub fn negate(&mut self, root: FormulaId) -> FormulaId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let missing = |part: &&FormulaId| !self.negations.contains_key(part);
            let before = stack.len();
            if missing(&&id) {
                stack.extend(self.parts(id).iter().filter(missing).copied());
            }
            if stack.len() == before {
                stack.pop();
                if missing(&&id) {
                    let negation = self.negate_node(id);
                    self.negations.insert(id, negation);
                    self.negations.insert(negation, id);
                }
            }
        }
        self.negations[&root]
    }

    fn negate_node(&mut self, id: FormulaId) -> FormulaId {
        let parts = self.parts(id).iter().map(|part| self.negations[part]);
        let parts: Vec<FormulaId> = parts.collect();
        match (self.operator(id), &parts[..]) {
            (Operator::Fixpoint(fixpoint, variable), &[body]) => {
                let dual = self.dual(variable);
                self.fixpoint(fixpoint.dual(), dual, body)
            }
            (Operator::Variable(variable), _) => {
                let dual = self.dual(variable);
                self.variable(dual)
            }
            (operator, parts) => {
                let dual = match operator {
                    Operator::True => Operator::False,
                    Operator::False => Operator::True,
                    Operator::Proposition(p) => Operator::NotProposition(p),
                    Operator::NotProposition(p) => Operator::Proposition(p),
                    Operator::And => Operator::Or,
                    Operator::Or => Operator::And,
                    Operator::Call(modality) => Operator::Call(modality.dual()),
                    Operator::Local(modality) => Operator::Local(modality.dual()),
                    Operator::Return(modality, marker) => Operator::Return(modality.dual(), marker),
                    Operator::MayReturn => Operator::NoReturn,
                    Operator::NoReturn => Operator::MayReturn,
                    bound @ (Operator::Variable(_) | Operator::Fixpoint(..)) => bound,
                };
                self.intern(dual, parts)
            }
        }
    }

    fn dual(&mut self, variable: VariableId) -> VariableId {
        if let Some(dual) = self.known_dual(variable) {
            return dual;
        }
        let name = self.variable_name(variable).to_owned();
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let dual = self.new_variable(base);
        self.set_duals(variable, dual);
        dual
    }
}

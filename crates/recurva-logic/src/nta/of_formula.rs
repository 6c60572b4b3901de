//! From NT-µ to alternating automata (Theorem 12).
//!
//! A state stands for a subformula: one for each fixpoint, which has the priority; one for each
//! call, so that the state pushed at a call tells which return conditions it has; and one for
//! each formula that a move leads to. Other formulas are terms. The thesis lets the priorities
//! of all states count. Then a fixpoint that is unfolded in a callee would count for the caller
//! after the return, which it does not in the logic: only stairs count.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Alternating, Counting, Push, StateId, TermId};
use crate::ntmu::{Fixpoint, Formula, FormulaId, Formulas, Modality, Operator};

/// The automaton that accepts the trees that satisfy a formula.
pub fn of_formula(formula: &Formula) -> Alternating {
    let (formulas, root) = (formula.formulas(), formula.root());
    let list = formulas.subformulas(root);
    let mut translation = Translation {
        formulas,
        calls: callers(formulas, &list),
        automaton: Alternating::new(Counting::Stairs, "start", 0),
        states: FxHashMap::default(),
        nothing: None,
        everything: None,
    };
    translation.make_states(&list, root);
    translation.make_terms(&list);
    translation.automaton
}

struct Translation<'f> {
    formulas: &'f Formulas,
    /// For each return formula the calls in whose callees it may be reached.
    calls: FxHashMap<FormulaId, Vec<FormulaId>>,
    automaton: Alternating,
    states: FxHashMap<FormulaId, StateId>,
    /// A state that accepts nothing, if one is needed.
    nothing: Option<StateId>,
    /// A state that accepts everything, if one is needed.
    everything: Option<StateId>,
}

impl Translation<'_> {
    fn make_states(&mut self, list: &[FormulaId], root: FormulaId) {
        let priorities = priorities(self.formulas, list);
        let mut targets: FxHashSet<FormulaId> = FxHashSet::default();
        for &id in list {
            if let Operator::Call(_) | Operator::Local(_) = self.formulas.operator(id) {
                targets.extend(self.formulas.parts(id));
            }
        }
        for &id in list {
            let name = match self.formulas.operator(id) {
                Operator::Fixpoint(_, variable) => self.formulas.variable_name(variable),
                Operator::Call(_) => "call",
                // It is the state of its fixpoint.
                Operator::Variable(_) => continue,
                _ if targets.contains(&id) => "q",
                _ => continue,
            };
            let name = match name {
                "call" | "q" => format!("{name}{}", self.states.len()),
                name => name.to_owned(),
            };
            let state = self.automaton.add_state(&name, priorities[&id]);
            self.states.insert(id, state);
        }
        let init = self.automaton.init();
        self.states.entry(root).or_insert(init);
        self.automaton.set_init(self.states[&root]);
    }

    /// The state of a formula that has one.
    fn state(&self, id: FormulaId) -> StateId {
        let id = match self.formulas.operator(id) {
            Operator::Variable(variable) => self.formulas.binder(variable).unwrap_or(id),
            _ => id,
        };
        self.states[&id]
    }

    fn make_terms(&mut self, list: &[FormulaId]) {
        let mut terms: FxHashMap<FormulaId, TermId> = FxHashMap::default();
        for &id in list {
            let formulas = self.formulas;
            let parts = formulas.parts(id);
            let own = match (formulas.operator(id), parts) {
                (Operator::True, _) => self.automaton.constant(true),
                (Operator::False, _) => self.automaton.constant(false),
                (Operator::Proposition(p), _) => self.literal(p.0, true),
                (Operator::NotProposition(p), _) => self.literal(p.0, false),
                (Operator::And, &[left, right]) => self.automaton.and(terms[&left], terms[&right]),
                (Operator::Or, &[left, right]) => self.automaton.or(terms[&left], terms[&right]),
                (Operator::Local(modality), &[body]) => {
                    let target = self.state(body);
                    self.automaton.local(modality, target)
                }
                (Operator::Call(modality), &[body, ..]) => {
                    let target = self.state(body);
                    self.automaton.call(modality, target)
                }
                (Operator::Return(modality, marker), _) => self.ret(id, modality, marker),
                (Operator::MayReturn, _) => {
                    let target = self.everything();
                    self.automaton.ret(Modality::Some, Push::Any, target)
                }
                (Operator::NoReturn, _) => {
                    let target = self.nothing();
                    self.automaton.ret(Modality::All, Push::Any, target)
                }
                (Operator::Fixpoint(..), &[body]) => terms[&body],
                (Operator::Variable(_), _) => {
                    let target = self.state(id);
                    self.automaton.silent(target)
                }
                _ => self.automaton.constant(false),
            };
            if let Some(&state) = self.states.get(&id) {
                self.automaton.set_term(state, own);
            }
            // Elsewhere these are reached by their states.
            let inside = match formulas.operator(id) {
                Operator::Call(_) | Operator::Fixpoint(..) => {
                    let target = self.state(id);
                    self.automaton.silent(target)
                }
                _ => own,
            };
            terms.insert(id, inside);
        }
    }

    fn literal(&mut self, proposition: u32, value: bool) -> TermId {
        let text = &self.formulas.propositions()[proposition as usize].0;
        self.automaton.literal(text, value)
    }

    /// Where a return leads depends on the call that was made.
    fn ret(&mut self, id: FormulaId, modality: Modality, marker: u32) -> TermId {
        let mut term = self.automaton.constant(modality == Modality::All);
        for call in self.calls.get(&id).cloned().unwrap_or_default() {
            let condition = self.formulas.parts(call).get(marker as usize);
            let target = match (condition, modality) {
                (Some(&condition), _) => self.state(condition),
                // No return has a colour that the call does not give.
                (None, Modality::Some) => continue,
                (None, Modality::All) => self.nothing(),
            };
            let push = Push::Only(self.states[&call]);
            let one = self.automaton.ret(modality, push, target);
            term = self.automaton.join(modality, term, one);
        }
        term
    }

    fn nothing(&mut self) -> StateId {
        let automaton = &mut self.automaton;
        *self
            .nothing
            .get_or_insert_with(|| automaton.add_state("nothing", 0))
    }

    fn everything(&mut self) -> StateId {
        let automaton = &mut self.automaton;
        *self.everything.get_or_insert_with(|| {
            let state = automaton.add_state("everything", 0);
            let always = automaton.constant(true);
            automaton.set_term(state, always);
            state
        })
    }
}

/// The priorities of formulas: a fixpoint's is at least that of every one inside it.
fn priorities(formulas: &Formulas, list: &[FormulaId]) -> FxHashMap<FormulaId, u32> {
    let mut inside: FxHashMap<FormulaId, u32> = FxHashMap::default();
    let mut priorities = FxHashMap::default();
    for &id in list {
        let most = formulas.parts(id).iter().map(|part| inside[part]).max();
        let most = most.unwrap_or(0);
        let (own, most) = match formulas.operator(id) {
            Operator::Fixpoint(fixpoint, _) => {
                let parity = u32::from(fixpoint == Fixpoint::Least);
                let own = most + u32::from(most % 2 != parity);
                (own, own)
            }
            _ => (0, most),
        };
        priorities.insert(id, own);
        inside.insert(id, most);
    }
    priorities
}

/// For each return formula, the calls in whose callees it is evaluated, as far as one can see
/// without a tree.
fn callers(formulas: &Formulas, list: &[FormulaId]) -> FxHashMap<FormulaId, Vec<FormulaId>> {
    let mut callers: FxHashMap<FormulaId, Vec<FormulaId>> = FxHashMap::default();
    for &call in list {
        if !matches!(formulas.operator(call), Operator::Call(_)) {
            continue;
        }
        let mut stack = vec![formulas.parts(call)[0]];
        let mut seen: FxHashSet<FormulaId> = stack.iter().copied().collect();
        while let Some(id) = stack.pop() {
            let parts = formulas.parts(id);
            let next: Vec<FormulaId> = match formulas.operator(id) {
                Operator::Return(..) => {
                    callers.entry(id).or_default().push(call);
                    continue;
                }
                Operator::Variable(variable) => formulas.binder(variable).into_iter().collect(),
                // What is behind an inner call is evaluated in this callee again.
                Operator::Call(_) => parts[1..].to_vec(),
                _ => parts.to_vec(),
            };
            stack.extend(next.into_iter().filter(|&id| seen.insert(id)));
        }
    }
    callers
}

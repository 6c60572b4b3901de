//! Strategies: why a formula about branching fails, position by position.
//!
//! A strategy is a proof of the formula's negation. All claims of it about one state that follow
//! from each other without a move are one *position*: some formula fails there, because of what
//! can be seen (*facts*) and because of what can follow (*moves*). Where the formula asks for
//! all moves one that fails is enough; where it asks for some, all of them fail.

mod json;
mod text;
mod walk;

use recurva_check::nested::{
    Note, Ntmu, Refutation,
    proof::{Called, ClaimId, Reason},
};
use recurva_logic::ntmu::{FormulaId, Modality, Operator};
use recurva_model::nsm::{Kind, StateId};
use recurva_syntax::Source;

pub use json::{CallData, MoveData, PositionData, ReturnData, nested_json, positions};
pub use text::{nested_figures, nested_message, nested_text};
pub use walk::Walk;

use crate::lines::Lines;

/// What was asked about branching.
#[derive(Clone, Copy, Debug)]
pub struct NestedQuestion<'a> {
    /// The text of the model.
    pub source: &'a Source,
    /// The formula.
    pub property: &'a Ntmu,
}

/// Formulas are cut where they are longer.
const WIDTH: usize = 100;

/// What is the case at one state.
#[derive(Debug, Default)]
struct Position {
    /// The innermost formula that fails here and has a name or an abbreviation.
    fails: Option<FormulaId>,
    /// What can be seen.
    facts: Vec<String>,
    /// What can follow.
    moves: Vec<Move>,
}

/// What follows a position, and all of it fails.
#[derive(Clone, Debug)]
struct Move {
    kind: MoveKind,
    /// Whether there are several of which the formula asks for one.
    modality: Modality,
}

#[derive(Clone, Debug)]
enum MoveKind {
    Steps(Vec<ClaimId>),
    Calls(Vec<Called>),
    /// Returns to these states, with that marker.
    Returns(u32, Vec<StateId>),
}

/// A strategy that is looked at.
#[derive(Clone, Copy)]
struct Strategy<'a> {
    refutation: &'a Refutation<'a>,
    lines: &'a Lines<'a>,
}

impl<'a> Strategy<'a> {
    /// The formula that fails where its negation is claimed.
    fn failing(&self, claimed: FormulaId) -> FormulaId {
        let formulas = self.refutation.negation.formulas();
        formulas.negation_of(claimed).unwrap_or(claimed)
    }

    /// A formula as it was written, cut if it is long; for a variable its fixpoint.
    fn formula(&self, id: FormulaId) -> String {
        let formulas = self.refutation.negation.formulas();
        let whole = match formulas.operator(id) {
            Operator::Variable(variable) => formulas.binder(variable).unwrap_or(id),
            _ => id,
        };
        formulas.show_written(whole).clipped(WIDTH)
    }

    /// Whether a formula has a name or an abbreviation: itself, or what it negates.
    fn is_written(&self, id: FormulaId) -> bool {
        let formulas = self.refutation.negation.formulas();
        let id = match formulas.operator(id) {
            Operator::Variable(variable) => formulas.binder(variable).unwrap_or(id),
            _ => id,
        };
        let negation = formulas.negation_of(id);
        formulas.written(id).is_some()
            || negation.is_some_and(|negation| formulas.written(negation).is_some())
    }

    fn state(&self, claim: ClaimId) -> StateId {
        self.refutation.proof.claim(claim).state
    }

    /// What is the case where a claim is made.
    fn position(&self, claim: ClaimId) -> Position {
        let proof = &self.refutation.proof;
        let formulas = self.refutation.negation.formulas();
        let mut position = Position::default();
        let mut seen = Vec::new();
        let mut stack = vec![claim];
        while let Some(id) = stack.pop() {
            // A claim may rest on itself without a move, in a greatest fixpoint.
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let claim = proof.claim(id);
            let failing = self.failing(claim.formula);
            if self.is_written(failing) {
                position.fails = Some(failing);
            }
            let operator = formulas.operator(claim.formula);
            let kind = match (operator, &claim.reason) {
                (Operator::Local(_), Reason::Claims(list)) => MoveKind::Steps(list.clone()),
                (_, Reason::Claims(list)) => {
                    stack.extend(list.iter().rev());
                    continue;
                }
                (_, Reason::Calls(calls)) => MoveKind::Calls(calls.clone()),
                (Operator::Return(_, marker), Reason::Returns(list)) if !list.is_empty() => {
                    MoveKind::Returns(marker, list.clone())
                }
                _ => {
                    position.facts.extend(self.fact(claim.formula));
                    continue;
                }
            };
            let modality = match operator {
                Operator::Local(modality)
                | Operator::Call(modality)
                | Operator::Return(modality, _) => modality,
                _ => Modality::Some,
            };
            position.moves.push(Move { kind, modality });
        }
        position.facts.sort_unstable();
        position.facts.dedup();
        if position.facts.is_empty() && position.moves.is_empty() {
            position.facts.push("nothing follows".to_owned());
        }
        position
    }

    /// What can be seen, of a claim that rests on nothing else.
    fn fact(&self, claimed: FormulaId) -> Option<String> {
        let formulas = self.refutation.negation.formulas();
        let text = |p: recurva_logic::ntmu::PropositionId| {
            let text = &formulas.propositions()[p.0 as usize].0;
            text.to_string()
        };
        Some(match formulas.operator(claimed) {
            Operator::Proposition(p) => text(p),
            Operator::NotProposition(p) => format!("not {}", text(p)),
            Operator::MayReturn => "may return".to_owned(),
            // That there are no moves of some kind is the rule.
            _ => return None,
        })
    }

    fn note(&self, state: StateId) -> Option<&'a Note> {
        self.refutation.notes.get(&state)
    }

    /// The line of the source that a state stands for.
    fn line(&self, state: StateId) -> Option<usize> {
        let nsm = &self.refutation.nsm;
        self.lines.number(nsm.state(state).origin)
    }

    /// A state in words: its name or, if it is one of a program, the statement.
    fn place(&self, state: StateId) -> String {
        let nsm = &self.refutation.nsm;
        let own = nsm.state(state);
        let Some(note) = self.note(state) else {
            return own.name.to_string();
        };
        match self
            .lines
            .excerpt(own.origin)
            .filter(|text| !text.is_empty())
        {
            Some(text) => format!("{}: {text}", note.procedure),
            None => note.procedure.to_string(),
        }
    }

    fn values(&self, state: StateId) -> &'a [String] {
        self.note(state).map_or(&[], |note| &note.values)
    }

    /// The word for the kind of a state.
    fn kind(&self, state: StateId) -> &'static str {
        match self.refutation.nsm.kind(state) {
            Kind::Local => "local",
            Kind::Call => "call",
            Kind::Return => "return",
        }
    }
}

//! The positions of a strategy as plain data.

use std::collections::HashMap;

use recurva_check::branching::{Refutation, proof::ClaimId};
use recurva_logic::ntmu::{FormulaId, Modality};
use recurva_model::nsm::StateId;
use serde::Serialize;

use super::{MoveKind, Strategy};
use crate::lines::Lines;

/// A position of a strategy: a state, what fails there and why.
#[derive(Clone, Debug, Serialize)]
pub struct PositionData {
    /// The state in the machine.
    #[serde(skip)]
    pub id: StateId,
    /// The formula that fails, in the arena of the refutation's negation.
    #[serde(skip)]
    pub formula: FormulaId,
    /// The state's name.
    pub state: Box<str>,
    /// `local`, `call` or `return`.
    pub kind: &'static str,
    /// The line of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Of a program: the procedure that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure: Option<Box<str>>,
    /// Of a program: variables that matter, `x=4`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The innermost formula with a name or an abbreviation that fails here.
    pub fails: String,
    /// Propositions that hold, or do not, and matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// What follows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveData>,
}

/// What follows a position, and all of it fails. `all` says that the formula asked for some move
/// and there are no others.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "move", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "`docs/src/reference/json.md` describes the fields"
)]
pub enum MoveData {
    /// Local steps, to these positions.
    Step { all: bool, to: Vec<usize> },
    /// Calls.
    Call { all: bool, callees: Vec<CallData> },
    /// Returns, with a marker.
    Return {
        all: bool,
        marker: u32,
        states: Vec<Box<str>>,
    },
}

/// A call: the position in the callee, and those where it returns.
#[derive(Clone, Debug, Serialize)]
pub struct CallData {
    /// The position at the callee's entry.
    pub callee: usize,
    /// Where it may return, by marker.
    pub returns: Vec<ReturnData>,
}

/// Where a call returns.
#[derive(Clone, Debug, Serialize)]
pub struct ReturnData {
    /// The marker.
    pub marker: u32,
    /// The position there.
    pub to: usize,
}

/// The positions of a strategy; the first is the initial one.
pub fn positions(refutation: &Refutation<'_>, lines: &Lines<'_>) -> Vec<PositionData> {
    let strategy = Strategy { refutation, lines };
    let mut numbers = HashMap::from([(ClaimId::FIRST, 0)]);
    let mut found = vec![ClaimId::FIRST];
    let mut positions = Vec::new();
    while let Some(&claim) = found.get(positions.len()) {
        let mut number = |claim: ClaimId| {
            let next = found.len();
            let number = *numbers.entry(claim).or_insert(next);
            if number == next {
                found.push(claim);
            }
            number
        };
        let position = strategy.position(claim);
        let state = strategy.state(claim);
        let own = refutation.proof.claim(claim).formula;
        let fails = position.fails.unwrap_or_else(|| strategy.failing(own));
        let moves = position.moves.into_iter().map(|next| {
            let all = next.modality == Modality::All;
            match next.kind {
                MoveKind::Steps(list) => MoveData::Step {
                    all,
                    to: list.into_iter().map(&mut number).collect(),
                },
                MoveKind::Calls(calls) => {
                    let callees = calls.into_iter().map(|call| {
                        let callee = number(call.callee);
                        let returns = call.returns.into_iter();
                        let returns = returns.map(|(marker, claim)| ReturnData {
                            marker,
                            to: number(claim),
                        });
                        CallData {
                            callee,
                            returns: returns.collect(),
                        }
                    });
                    MoveData::Call {
                        all,
                        callees: callees.collect(),
                    }
                }
                MoveKind::Returns(marker, states) => {
                    let names = states.iter().map(|&to| refutation.nsm.name(to).into());
                    MoveData::Return {
                        all,
                        marker,
                        states: names.collect(),
                    }
                }
            }
        });
        let moves = moves.collect();
        positions.push(PositionData {
            id: state,
            formula: fails,
            state: refutation.nsm.name(state).into(),
            kind: strategy.kind(state),
            line: strategy.line(state),
            procedure: strategy.note(state).map(|note| note.procedure.clone()),
            values: strategy.values(state).to_vec(),
            fails: strategy.formula(fails),
            facts: position.facts,
            moves,
        });
    }
    positions
}

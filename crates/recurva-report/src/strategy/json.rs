//! Outcomes about branching as JSON.

use std::{collections::HashMap, io};

use recurva_check::nested::{
    NestedLimit, NestedOutcome, NestedVerdict, Refutation, proof::ClaimId,
};
use recurva_logic::ntmu::Modality;
use serde::Serialize;

use super::{MoveKind, NestedQuestion, Strategy};
use crate::lines::Lines;

/// One outcome. `docs/json.md` describes it for users: change both.
#[derive(Serialize)]
struct Report<'a> {
    verdict: &'static str,
    property: &'a str,
    model: &'a str,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<LimitData>,
    stats: Stats,
    evidence: Option<Evidence>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum LimitData {
    Time { seconds: f64 },
    Memory { bytes: u64 },
    States { states: u64 },
    Nodes { nodes: u64 },
    Claims { claims: u64 },
    Interrupted,
}

#[derive(Serialize)]
struct Stats {
    states: u64,
    merged: u64,
    pairs: u64,
    cells: u64,
    nodes: u64,
    evaluations: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Evidence {
    kind: &'static str,
    positions: Vec<PositionData>,
}

/// Position 0 is the initial one.
#[derive(Serialize)]
struct PositionData {
    state: Box<str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure: Option<Box<str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    fails: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveData>,
}

/// `all` says that the formula asked for some move and there are no others.
#[derive(Serialize)]
#[serde(tag = "move", rename_all = "snake_case")]
enum MoveData {
    Step {
        all: bool,
        to: Vec<usize>,
    },
    Call {
        all: bool,
        callees: Vec<CallData>,
    },
    Return {
        all: bool,
        marker: u32,
        states: Vec<Box<str>>,
    },
}

#[derive(Serialize)]
struct CallData {
    callee: usize,
    returns: Vec<ReturnData>,
}

#[derive(Serialize)]
struct ReturnData {
    marker: u32,
    to: usize,
}

/// Writes an outcome as one JSON object on one line, for programs.
///
/// # Errors
///
/// Those of the writer.
pub fn nested_json(
    out: &mut dyn io::Write,
    question: &NestedQuestion<'_>,
    outcome: &NestedOutcome<'_>,
) -> io::Result<()> {
    let (verdict, limit, evidence) = match &outcome.verdict {
        NestedVerdict::Holds => ("holds", None, None),
        NestedVerdict::Violated(refutation) => {
            let lines = Lines::new(question.source);
            ("violated", None, Some(evidence(refutation, &lines)))
        }
        NestedVerdict::Unknown(limit) => ("unknown", Some(limit_data(*limit)), None),
    };
    let stats = outcome.stats;
    let report = Report {
        verdict,
        property: &question.property.name,
        model: question.source.name(),
        engine: "nested",
        limit,
        stats: Stats {
            states: stats.states,
            merged: stats.merged,
            pairs: stats.pairs,
            cells: stats.cells,
            nodes: stats.functions,
            evaluations: stats.evaluations,
            seconds: stats.seconds,
        },
        evidence,
    };
    serde_json::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

fn limit_data(limit: NestedLimit) -> LimitData {
    match limit {
        NestedLimit::Time(time) => LimitData::Time {
            seconds: time.as_secs_f64(),
        },
        NestedLimit::Memory(bytes) => LimitData::Memory { bytes },
        NestedLimit::States(states) => LimitData::States { states },
        NestedLimit::Functions(nodes) => LimitData::Nodes { nodes },
        NestedLimit::Claims(claims) => LimitData::Claims { claims },
        NestedLimit::Interrupted => LimitData::Interrupted,
    }
}

fn evidence(refutation: &Refutation<'_>, lines: &Lines<'_>) -> Evidence {
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
    Evidence {
        kind: "strategy",
        positions,
    }
}

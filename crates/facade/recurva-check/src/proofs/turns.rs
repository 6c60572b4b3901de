//! One engine's turn.

use std::{ops::ControlFlow, time::Duration};

use recurva_smt::process::{Tool, ToolKind};

use super::engines::{Found, Task};
use crate::{Engine, Work};

/// So long for an engine that wants to know and may take as long as it likes.
const LONG: Duration = Duration::from_secs(3600);

/// So much memory for an engine if no limit is given.
const MEMORY: u64 = 4 << 30;

/// What users are told who have no z3.
const NO_Z3: &str = "z3 was not found: `apt install z3` or `pip install z3-solver` gives it";

/// Told how far an engine is, and able to end its turn.
type GoOn<'g> = dyn FnMut(Work) -> ControlFlow<()> + 'g;

/// Has an engine look for a proof for a while.
pub(super) fn take(engine: Engine, task: &Task<'_>, turn: Duration, go_on: &mut GoOn<'_>) -> Found {
    match engine {
        Engine::States => states(task, go_on),
        Engine::Candidates => candidates(task, go_on),
        Engine::Horn => horn(task, turn, go_on),
        Engine::Predicates => predicates(task, go_on),
        Engine::Unroll => unroll(task, go_on),
        _ => Found::Nothing("it does not look for proofs".to_owned()),
    }
}

fn memory(task: &Task<'_>) -> u64 {
    task.limits.memory.unwrap_or(MEMORY)
}

fn states(task: &Task<'_>, go_on: &mut GoOn<'_>) -> Found {
    use recurva_states::{Limit, Outcome};
    let config = recurva_states::Config {
        max_bytes: task.limits.memory,
        ..recurva_states::Config::default()
    };
    let work = Work {
        what: "states as a proof",
        ..Work::default()
    };
    let mut ask = || go_on(work);
    match recurva_states::prove(task.program, task.targets, &config, &mut ask) {
        Outcome::Proof(proof) => Found::Proof(proof),
        Outcome::Reachable => Found::nothing("an error, or a limit of the model, is reached"),
        Outcome::TooLarge(limit) => Found::nothing(match limit {
            Limit::PathEdges | Limit::Memory => "there are too many states",
            Limit::Choices => "there are too many values to choose from",
            Limit::Size => "its formulas would be too large",
        }),
        Outcome::Stopped => Found::Late,
    }
}

fn candidates(task: &Task<'_>, go_on: &mut GoOn<'_>) -> Found {
    use recurva_unroll::{GuessConfig, GuessProgress, Proved};
    let config = GuessConfig {
        max_bytes: memory(task),
        ..GuessConfig::default()
    };
    let mut ask = |now: &GuessProgress| {
        go_on(Work {
            what: "candidates",
            round: 0,
            number: now.guesses.saturating_sub(now.dropped),
            unit: "candidates",
            bytes: 0,
        })
    };
    match recurva_unroll::prove(task.program, task.targets, &config, &mut ask) {
        Proved::Proof(proof) => Found::Proof(*proof),
        Proved::Unknown => Found::nothing("no guess is an invariant that is strong enough"),
        Proved::Stopped => Found::Late,
    }
}

fn horn(task: &Task<'_>, turn: Duration, go_on: &mut GoOn<'_>) -> Found {
    use recurva_horn::Outcome;
    let Some(solver) = Tool::find(ToolKind::Z3) else {
        return Found::nothing(NO_Z3);
    };
    let left = task.limits.time.unwrap_or(LONG);
    let config = recurva_horn::Config {
        time: turn.min(left),
        memory: memory(task),
        ..recurva_horn::Config::new(solver)
    };
    let work = Work {
        what: "Horn clauses",
        ..Work::default()
    };
    let mut ask = || go_on(work);
    match recurva_horn::prove(task.program, task.targets, &config, &mut ask) {
        Outcome::Proof(proof, _) => Found::Proof(proof),
        Outcome::Reachable(_) => {
            Found::nothing("an error, or a limit of the model, seems to be reached")
        }
        // It may have had too little time.
        Outcome::Unknown(_) if turn < LONG => Found::Late,
        Outcome::Unknown(why) => Found::Nothing(why),
        Outcome::Stopped => Found::Late,
    }
}

fn predicates(task: &Task<'_>, go_on: &mut GoOn<'_>) -> Found {
    use recurva_predicates::{Outcome, Progress};
    let config = recurva_predicates::Config {
        memory: memory(task),
        ..recurva_predicates::Config::default()
    };
    let mut ask = |now: &Progress| {
        go_on(Work {
            what: "predicates",
            round: now.rounds as u64,
            number: now.predicates as u64,
            unit: "predicates",
            bytes: 0,
        })
    };
    match recurva_predicates::prove(task.program, task.targets, &config, &mut ask) {
        Outcome::Proof(proof) => Found::Proof(proof),
        Outcome::Run(trace) => found_run(task, trace),
        Outcome::Unknown(why) => Found::Nothing(why),
        Outcome::Stopped => Found::Late,
    }
}

fn unroll(task: &Task<'_>, go_on: &mut GoOn<'_>) -> Found {
    use recurva_unroll::{Outcome, Progress, Reason};
    let config = recurva_unroll::Config {
        max_bytes: memory(task),
        ..recurva_unroll::Config::default()
    };
    let mut ask = |now: &Progress| {
        go_on(Work {
            what: "unrolling",
            round: u64::from(now.depth),
            number: now.places,
            unit: "places",
            bytes: 0,
        })
    };
    let points = (task.errors, task.targets);
    match recurva_unroll::search_and_prove(task.program, points, &config, &mut ask) {
        Outcome::Run(trace) => Found::Run(*trace),
        Outcome::Proof(proof) => Found::Proof(*proof),
        Outcome::Bounded(_) | Outcome::Unknown(Reason::Large) => Found::nothing(
            "no run reaches an error, however far it is unrolled, but the formulas of a proof would be too large",
        ),
        Outcome::Unknown(Reason::Target) => Found::nothing("a run comes to what is not modelled"),
        Outcome::Unknown(Reason::Stopped) => Found::Late,
        Outcome::Unknown(Reason::Memory) => Found::nothing("it needs more memory"),
        Outcome::Unknown(Reason::Solver(why)) => Found::Nothing(why),
        Outcome::Unknown(Reason::Depth) => {
            Found::nothing("no run was found as deep as it may look")
        }
    }
}

/// A run to a target: it counts if that is an error.
fn found_run(task: &Task<'_>, trace: recurva_evidence::Trace) -> Found {
    let claim = recurva_evidence::Claim::Reaches(task.errors.to_vec());
    match recurva_evidence::replay(task.program, trace.clone(), &claim) {
        Ok(_) => Found::Run(trace),
        Err(_) => Found::nothing("a run comes to what is not modelled"),
    }
}

impl Found {
    fn nothing(why: &str) -> Self {
        Found::Nothing(why.to_owned())
    }
}

//! What the tests share: C is built, lowered, searched, and runs are repeated by the interpreter.
#![allow(dead_code, clippy::print_stdout)]

pub(crate) mod explain;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_cbuild::{BuildOptions, read};
use recurva_cir::{
    Check, Module, SourceText,
    interpret::{Checks, Machine, Options, Outcome, Replay},
};
use recurva_cmodel::{Choices, LowerOptions, Lowered, Wanted, choices, lower};
use recurva_ctype::Target;
use recurva_evidence::{Claim, Trace, replay};
use recurva_model::{Patience, Point, Program};
use recurva_slice::{Observed, Slice};

/// Builds a program of a text that needs no preprocessing.
pub(crate) fn build(text: &str, checks: &[Check]) -> Result<Module, String> {
    let source = SourceText {
        name: "test.c".into(),
        text: text.into(),
        is_library: false,
    };
    let options = BuildOptions {
        checks: checks.to_vec(),
        ..BuildOptions::default()
    };
    let built = read(vec![source], Target::ilp32(), &options);
    let built = built.map_err(|errors| {
        let first = errors.iter().flat_map(|(_, list)| list.iter()).next();
        first.map_or("no message".into(), |error| error.message().to_owned())
    })?;
    Ok(built.module)
}

/// What a search found.
#[derive(Debug)]
pub(crate) enum Found {
    /// A run to one of the points: in the whole program.
    Run(Box<Trace>),
    Nothing,
    Stopped,
}

/// Which engine searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Explicit,
    Symbolic,
}

/// Searches a slice of a program.
pub(crate) fn search(program: &Program, points: &[Point], engine: Engine, until: Instant) -> Found {
    let slice = Slice::new(program, &Observed::Points(points));
    let targets: Vec<Point> = points.iter().filter_map(|&it| slice.point(it)).collect();
    if targets.is_empty() {
        return Found::Nothing;
    }
    let found = match engine {
        Engine::Explicit => explain::reach(slice.program(), &targets, until),
        Engine::Symbolic => symbolic(slice.program(), &targets, until),
    };
    match found {
        Found::Run(trace) => {
            let mut ask = || match Instant::now() < until {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            match slice.trace(*trace, &mut Patience::new(&mut ask)) {
                Ok(trace) => Found::Run(Box::new(trace)),
                Err(_) => Found::Stopped,
            }
        }
        other => other,
    }
}

fn symbolic(program: &Program, targets: &[Point], until: Instant) -> Found {
    use recurva_symbolic::{Answer, Config, reach};
    let config = Config {
        max_nodes: Some(8 << 20),
        ..Config::default()
    };
    let tick = |_: &_| match Instant::now() < until {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    match reach(program, None, targets, &config, tick).answer {
        Answer::Unreachable => Found::Nothing,
        Answer::Reached(Some(trace)) => Found::Run(trace),
        _ => Found::Stopped,
    }
}

/// What is known of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Confirmed by the interpreter.
    Violated,
    /// Neither an error nor a limit can be reached.
    Holds,
    /// A limit can be reached.
    Limited(String),
    /// The model says so, but the interpreter does not.
    Spurious(String),
    /// It took too long.
    Unknown,
}

/// How a run of the model ends in C.
pub(crate) fn repeat(module: &Module, wanted: &Wanted, choices: Choices) -> Outcome {
    let mut world = Replay::new(choices.values).with_allocations(choices.allocations);
    let options = Options {
        errors: wanted.checks.iter().copied().collect::<Checks>(),
        steps: 50_000_000,
        ..Options::default()
    };
    Machine::new(module, &mut world, options).run()
}

/// Checks a module with one engine.
pub(crate) fn verdict(
    module: &Module,
    wanted: &Wanted,
    options: &LowerOptions,
    engine: Engine,
    seconds: u64,
) -> Verdict {
    verdict_within(
        module,
        wanted,
        options,
        engine,
        Duration::from_secs(seconds),
    )
}

/// Checks a module with one engine, which has so much time.
pub(crate) fn verdict_within(
    module: &Module,
    wanted: &Wanted,
    options: &LowerOptions,
    engine: Engine,
    patience: Duration,
) -> Verdict {
    let until = Instant::now() + patience;
    let lowered = lower(module, wanted, options, &mut Patience::endless());
    let lowered = lowered.unwrap_or_else(|refused| panic!("{refused}"));
    verdict_of(module, wanted, &lowered, engine, until)
}

pub(crate) fn verdict_of(
    module: &Module,
    wanted: &Wanted,
    lowered: &Lowered,
    engine: Engine,
    until: Instant,
) -> Verdict {
    let errors = lowered.error_points();
    match search(&lowered.program, &errors, engine, until) {
        Found::Run(trace) => confirm(module, wanted, lowered, *trace),
        Found::Stopped => Verdict::Unknown,
        Found::Nothing => {
            if let Some(note) = lowered.notes.iter().find(|it| it.leaves_out_runs()) {
                return Verdict::Limited(format!("{:?}", note.kind));
            }
            let limits = lowered.limit_points();
            match search(&lowered.program, &limits, engine, until) {
                Found::Nothing => Verdict::Holds,
                Found::Stopped => Verdict::Unknown,
                Found::Run(trace) => {
                    let claim = Claim::Reaches(limits);
                    let run = replay(&lowered.program, *trace, &claim).expect("it replays");
                    let end = run.end().top().point();
                    let limit = lowered.limits.iter().find(|it| it.point == end);
                    Verdict::Limited(limit.map_or(String::new(), |it| it.reason.to_string()))
                }
            }
        }
    }
}

fn confirm(module: &Module, wanted: &Wanted, lowered: &Lowered, trace: Trace) -> Verdict {
    let claim = Claim::Reaches(lowered.error_points());
    let run = replay(&lowered.program, trace, &claim).expect("the trace replays");
    let Ok(made) = choices(lowered, &run, 50_000_000, &mut Patience::endless()) else {
        return Verdict::Violated;
    };
    match repeat(module, wanted, made) {
        Outcome::Failed(..) | Outcome::CheckFailed(..) => Verdict::Violated,
        outcome => Verdict::Spurious(format!("{outcome:?}")),
    }
}

//! Systems of any size: reading them, and asking engines about their properties.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use recurva_regular::{
    Meter, Parsed, Progress,
    engine::{self, Outcome, Problem},
    json, lang,
    live::{self, Live, LiveOutcome, LiveVerdict},
    system::{Bad, System},
};
use recurva_report::sarif::Rule;
use recurva_syntax::{Source, did_you_mean};

use crate::{
    args::{Engine, QuestionArguments},
    exit::Exit,
    interrupt, load, output,
};

/// Whether a file has a system of any size.
pub(crate) fn is_system(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rmc" | "json"))
}

/// Reads a system, and gives its text too. On an error everything has been said.
pub(crate) fn read(path: &Path, quiet: bool) -> Result<(Source, System), Exit> {
    let source = load::open(path)?;
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    let Parsed { value, diagnostics } = match is_json {
        true => json::parse(&source),
        false => lang::parse(&source),
    };
    if diagnostics.has_errors() || (!diagnostics.is_empty() && !quiet) {
        output::diagnostics(&source, &diagnostics);
    }
    let system = value.ok_or(Exit::BadInput)?;
    Ok((source, system))
}

/// One of the properties of a system.
#[derive(Clone, Copy)]
pub(crate) enum Property<'s> {
    Safe(&'s Bad),
    Live(&'s Live),
}

impl Property<'_> {
    /// The kind of finding that a violation is.
    pub(crate) fn rule(&self) -> Rule {
        match self {
            Property::Safe(_) => Rule::Safety,
            Property::Live(_) => Rule::Liveness,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Property::Safe(bad) => &bad.name,
            Property::Live(live) => &live.name,
        }
    }
}

/// Refuses questions that are not for such systems. On an error everything has been said.
pub(crate) fn only_own(question: &QuestionArguments) -> Result<(), Exit> {
    let foreign = [
        (!question.reach.is_empty(), "--reach"),
        (!question.ltl.is_empty(), "--ltl"),
        (!question.caret.is_empty(), "--caret"),
        (!question.ntmu.is_empty(), "--ntmu"),
        (!question.repeat.is_empty(), "--repeat"),
        (question.spec.is_some(), "--spec"),
    ];
    if let Some((_, option)) = foreign.iter().find(|(given, _)| *given) {
        output::error(&format!(
            "{option} is not for systems of any size (.rmc and .json)"
        ));
        output::help("their properties are in the file: `bad …` and `live …`");
        return Err(Exit::BadInput);
    }
    Ok(())
}

/// The engine asked for. On an error everything has been said.
pub(crate) fn engine(engine: Engine) -> Result<engine::Engine, Exit> {
    Ok(match engine {
        Engine::Auto => engine::Engine::Auto,
        Engine::Finite => engine::Engine::Finite,
        Engine::Columns => engine::Engine::Columns,
        Engine::Actions => engine::Engine::Actions,
        Engine::Bounded => engine::Engine::Bounded,
        Engine::Widening => engine::Engine::Widening,
        Engine::Abstraction => engine::Engine::Abstraction,
        Engine::Explicit | Engine::Symbolic | Engine::Flat => {
            output::error("this engine is not for systems of any size (.rmc and .json)");
            output::help(
                "their engines are finite, columns, actions, bounded, widening and abstraction",
            );
            return Err(Exit::BadInput);
        }
    })
}

/// The properties, or the one that is wanted. On an error everything has been said.
pub(crate) fn properties<'s>(
    system: &'s System,
    wanted: Option<&str>,
) -> Result<Vec<Property<'s>>, Exit> {
    let bad = system.bad.iter().map(Property::Safe);
    let all: Vec<Property<'s>> = bad.chain(system.live.iter().map(Property::Live)).collect();
    let Some(wanted) = wanted else {
        if all.is_empty() {
            output::error("the system has no property");
            output::help("add one to the file: `bad …` or `live …`");
            return Err(Exit::BadInput);
        }
        return Ok(all);
    };
    let found: Vec<Property<'s>> = all.iter().copied().filter(|p| p.name() == wanted).collect();
    if found.is_empty() {
        output::error(&format!("there is no property `{wanted}`"));
        let near = did_you_mean(wanted, all.iter().map(Property::name));
        let names: Vec<&str> = all.iter().map(Property::name).collect();
        output::help(&near.unwrap_or_else(|| format!("there are: {}", names.join(", "))));
        return Err(Exit::BadInput);
    }
    Ok(found)
}

/// What an engine says of a property.
pub(crate) enum Answered {
    Safe(Outcome),
    Live(LiveOutcome),
}

/// Asks the engine, with somebody looking on who may stop it. What it says has been checked. On an error everything has been said.
pub(crate) fn answer(
    system: &System,
    property: Property<'_>,
    engine: engine::Engine,
    timeout: Option<Duration>,
    mut look: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Answered, Exit> {
    let started = Instant::now();
    let mut watch = |progress: &Progress| {
        let looked = look(progress);
        let late = timeout.is_some_and(|limit| started.elapsed() > limit);
        match late || interrupt::requested() {
            true => ControlFlow::Break(()),
            false => looked,
        }
    };
    let meter = &mut Meter::watched(&mut watch);
    let internal = |error: &dyn std::fmt::Display| {
        output::internal_error(&error.to_string());
        Exit::Internal
    };
    match property {
        Property::Safe(bad) => {
            let outcome = match Problem::new(system, &bad.words, meter) {
                Ok(problem) => engine::check(&problem, engine, meter),
                Err(stop) => Ok(Outcome::unknown(stop, 0, meter)),
            };
            let outcome = outcome.map_err(|error| internal(&error))?;
            Ok(Answered::Safe(outcome))
        }
        Property::Live(live) => {
            let outcome = live::check(system, live, engine, meter);
            let outcome = outcome.map_err(|error| internal(&error))?;
            if let LiveVerdict::Violated(lasso) = &outcome.verdict {
                live::check_lasso(system, live, lasso).map_err(|error| internal(&error))?;
            }
            Ok(Answered::Live(outcome))
        }
    }
}

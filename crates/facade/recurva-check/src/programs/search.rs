//! What the engines are asked, and how each of them answers.

use std::ops::ControlFlow;

use recurva_evidence::Trace;
use recurva_explicit::{
    Answer, Config, Finished, Stopped,
    program::{Ending, Inline, Observer, Prepared, ProgramSystem, Words},
    reach,
};
use recurva_model::{Monitor, Patience, Point, Program, Stop};

use super::{
    accepting::{Accepting, Watcher},
    spell_out::{Unexplained, explain},
};
use crate::{ExplicitProgress, InternalError, Options, SymbolicProgress};

/// Whether there is a run of a program as described. It owns what it needs, so that another
/// thread can do it.
#[derive(Debug)]
pub(crate) enum Search {
    /// The run comes to one of these nodes, or leads this monitor into a target state.
    Reaches(Vec<Point>, Option<Monitor>),
    /// The run is infinite, and accepted.
    Accepted(Accepting),
}

/// What a search found.
pub(crate) enum Finding<S> {
    /// There is no such run.
    Nothing,
    /// This one.
    Run(Trace),
    /// There is one, and this is why it was not spelled out.
    Unfinished(S),
}

impl<S> Finding<S> {
    /// The same with another reason.
    pub(crate) fn map<T>(self, why: impl FnOnce(S) -> T) -> Finding<T> {
        match self {
            Finding::Nothing => Finding::Nothing,
            Finding::Run(trace) => Finding::Run(trace),
            Finding::Unfinished(stopped) => Finding::Unfinished(why(stopped)),
        }
    }
}

/// What a search found, or why it ended early; and its numbers.
pub(crate) struct Searched<P, S> {
    /// What it found.
    pub(crate) found: Result<Finding<S>, S>,
    /// The numbers.
    pub(crate) progress: P,
}

/// How far the engine of explicit states is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It compiles the program.
    Prepares,
    /// It searches.
    Searches,
    /// It has found a run, and spells it out.
    SpellsOut,
}

/// Told how far the engine of explicit states is, and able to stop it.
pub(crate) type Tick<'t> = dyn FnMut(Stage, &ExplicitProgress) -> ControlFlow<()> + 't;

/// What a search over explicit states came to.
pub(crate) type Explicitly = Searched<ExplicitProgress, Stopped>;

/// What a search with decision diagrams came to.
pub(crate) type Symbolically = Searched<SymbolicProgress, recurva_symbolic::Stopped>;

impl Search {
    /// Whether decision diagrams can be asked. They do not know automata over nested words.
    pub(crate) fn suits_diagrams(&self) -> bool {
        match self {
            Search::Reaches(..) => true,
            Search::Accepted(accepted) => matches!(*accepted.watcher, Watcher::Plain(_)),
        }
    }

    /// Searches over explicit states.
    pub(crate) fn explicitly(
        &self,
        program: &Program,
        options: &Options,
        tick: &mut Tick<'_>,
    ) -> Result<Explicitly, InternalError> {
        let (points, monitor) = match self {
            Search::Reaches(points, monitor) => (points, monitor),
            Search::Accepted(accepted) => return accepted.explicitly(program, options, tick),
        };
        let observer = Observer::from(monitor.as_ref());
        let prepared = prepared(program, observer, options, Ending::Stops, tick);
        let Ok(prepared) = prepared else {
            return Ok(Explicitly::not_begun());
        };
        let work = &mut Reach {
            config: explicit_config(options),
            points,
            tick,
        };
        on_system(prepared, work)
    }

    /// Searches with decision diagrams. The callback is called after so many operations, or
    /// else some dozen times a second.
    pub(crate) fn symbolically(
        &self,
        program: &Program,
        options: &Options,
        tick_after: Option<u64>,
        tick: &mut dyn FnMut(&SymbolicProgress) -> ControlFlow<()>,
    ) -> Result<Symbolically, InternalError> {
        let (points, monitor) = match self {
            Search::Reaches(points, monitor) => (points, monitor),
            Search::Accepted(accepted) => {
                return accepted.symbolically(program, options, tick_after, tick);
            }
        };
        let config = symbolic_config(options, tick_after);
        let finished = recurva_symbolic::reach(program, monitor.as_ref(), points, &config, tick);
        let found = match finished.answer {
            recurva_symbolic::Answer::Unreachable => Ok(Finding::Nothing),
            recurva_symbolic::Answer::Reached(trace) => {
                let lost = || InternalError::Witness("a target without a trace".to_owned());
                Ok(Finding::Run(*trace.ok_or_else(lost)?))
            }
            recurva_symbolic::Answer::Unfinished(why) => Ok(Finding::Unfinished(why)),
            recurva_symbolic::Answer::Stopped(why) => Err(why),
        };
        Ok(Searched {
            found,
            progress: finished.progress,
        })
    }
}

impl Explicitly {
    /// It was stopped before it began.
    pub(crate) fn not_begun() -> Self {
        Searched {
            found: Err(Stopped::Asked),
            progress: ExplicitProgress::default(),
        }
    }
}

/// A program compiled for the search over explicit states.
pub(crate) fn prepared<'p>(
    program: &'p Program,
    observer: Observer<'_>,
    options: &Options,
    ending: Ending,
    tick: &mut Tick<'_>,
) -> Result<Prepared<'p>, Stop> {
    let mut ask = || tick(Stage::Prepares, &ExplicitProgress::default());
    let patience = &mut Patience::new(&mut ask);
    Prepared::with_patience(program, observer, options.reductions, ending, patience)
}

/// A run that was found, spelled out by `explain`.
pub(crate) fn spelled_out(
    tick: &mut Tick<'_>,
    progress: &ExplicitProgress,
    explain: impl FnOnce(&mut Patience<'_>) -> Result<Trace, Unexplained>,
) -> Result<Finding<Stopped>, InternalError> {
    let mut ask = || tick(Stage::SpellsOut, progress);
    match explain(&mut Patience::new(&mut ask)) {
        Ok(trace) => Ok(Finding::Run(trace)),
        Err(Unexplained::Stopped(Stop)) => Ok(Finding::Unfinished(Stopped::Asked)),
        Err(Unexplained::Wrong(cause)) => Err(cause),
    }
}

/// How to search over explicit states.
pub(crate) fn explicit_config(options: &Options) -> Config {
    Config {
        order: options.order,
        max_bytes: options.limits.memory,
    }
}

/// How to search with decision diagrams. The callback is called after so many operations, or
/// else some dozen times a second.
pub(crate) fn symbolic_config(
    options: &Options,
    tick_after: Option<u64>,
) -> recurva_symbolic::Config {
    recurva_symbolic::Config {
        max_bytes: options.limits.memory,
        liveness: options.reductions.liveness,
        tick_after,
        ..recurva_symbolic::Config::default()
    }
}

/// Work that does not care how wide the states of a program are.
pub(crate) trait OnSystem {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output;
}

/// Does work on a program with states of the width it needs: a handful of widths covers most
/// programs with states that need no allocation.
pub(crate) fn on_system<T: OnSystem>(prepared: Prepared<'_>, work: &mut T) -> T::Output {
    match prepared.words_needed() {
        0..=1 => work.run(&prepared.with_words::<Inline<1>>()),
        2 => work.run(&prepared.with_words::<Inline<2>>()),
        3..=4 => work.run(&prepared.with_words::<Inline<4>>()),
        5..=8 => work.run(&prepared.with_words::<Inline<8>>()),
        _ => work.run(&prepared.with_words::<Box<[u64]>>()),
    }
}

struct Reach<'a> {
    config: Config,
    points: &'a [Point],
    tick: &'a mut Tick<'a>,
}

impl OnSystem for Reach<'_> {
    type Output = Result<Explicitly, InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let targets = system.point_set(self.points.iter().copied());
        let is_target =
            |state: &W| system.is_at(state, &targets) || system.is_monitor_target(state);
        let tick = |now: &ExplicitProgress| (self.tick)(Stage::Searches, now);
        let Finished { answer, progress } = reach(system, &self.config, is_target, tick);
        let found = match answer {
            Answer::Unreachable => Ok(Finding::Nothing),
            Answer::Reached(witness) => Ok(spelled_out(self.tick, &progress, |patience| {
                explain(system, &witness, patience)
            })?),
            Answer::Stopped(why) => Err(why),
        };
        Ok(Searched { found, progress })
    }
}

//! What the engines are asked, and how each of them answers.

use std::ops::ControlFlow;

use recurva_evidence::Trace;
use recurva_explicit::{
    Answer, Config, Finished, Stopped,
    program::{Ending, Inline, Observer, Prepared, ProgramSystem, Words},
    reach,
};
use recurva_model::{Monitor, Point, Program};

use super::{
    accepting::{Accepting, Watcher},
    spell_out::explain,
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

/// What a search found, and its numbers.
pub(crate) struct Found<P, S> {
    /// A run, none, or why the search ended early.
    pub(crate) found: Result<Option<Trace>, S>,
    /// The numbers.
    pub(crate) progress: P,
}

/// What a search over explicit states came to.
pub(crate) type Explicitly = Found<ExplicitProgress, Stopped>;

/// What a search with decision diagrams came to.
pub(crate) type Symbolically = Found<SymbolicProgress, recurva_symbolic::Stopped>;

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
        tick: &mut dyn FnMut(&ExplicitProgress) -> ControlFlow<()>,
    ) -> Result<Explicitly, InternalError> {
        let (points, monitor) = match self {
            Search::Reaches(points, monitor) => (points, monitor),
            Search::Accepted(accepted) => return accepted.explicitly(program, options, tick),
        };
        let observer = Observer::from(monitor.as_ref());
        let prepared = Prepared::new(program, observer, options.reductions, Ending::Stops);
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
            recurva_symbolic::Answer::Unreachable => Ok(None),
            recurva_symbolic::Answer::Reached(trace) => {
                let lost = || InternalError::Witness("a target without a trace".to_owned());
                Ok(Some(*trace.ok_or_else(lost)?))
            }
            recurva_symbolic::Answer::Stopped(why) => Err(why),
        };
        Ok(Found {
            found,
            progress: finished.progress,
        })
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
    tick: &'a mut dyn FnMut(&ExplicitProgress) -> ControlFlow<()>,
}

impl OnSystem for Reach<'_> {
    type Output = Result<Explicitly, InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let targets = system.point_set(self.points.iter().copied());
        let is_target =
            |state: &W| system.is_at(state, &targets) || system.is_monitor_target(state);
        let Finished { answer, progress } = reach(system, &self.config, is_target, &mut self.tick);
        let found = match answer {
            Answer::Unreachable => Ok(None),
            Answer::Reached(witness) => Ok(Some(explain(system, &witness)?)),
            Answer::Stopped(why) => Err(why),
        };
        Ok(Found { found, progress })
    }
}

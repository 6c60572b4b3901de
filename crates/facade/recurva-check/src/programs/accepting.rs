//! The question whether an automaton accepts an infinite run, and how each engine answers it.

use std::{ops::ControlFlow, sync::Arc};

use recurva_explicit::{
    fair::{FairAnswer, FairFinished, fair_cycle},
    program::{Observer, ProgramSystem, Words},
};
use recurva_model::{Automaton, Ending, NestedAutomaton, Program, Stack};

use super::{
    search::{
        Explicitly, Finding, OnSystem, Searched, Stage, Symbolically, Tick, explicit_config,
        on_system, prepared, spelled_out, symbolic_config,
    },
    spell_out::explain_lasso,
};
use crate::{ExplicitProgress, InternalError, Options, SymbolicProgress};

/// An automaton that watches a program.
#[derive(Debug)]
pub(crate) enum Watcher {
    /// It reads the positions of a run one after the other.
    Plain(Automaton),
    /// At a return it also knows the state at the call.
    Nested(NestedAutomaton),
}

/// Whether there is an infinite run that an automaton accepts.
#[derive(Debug)]
pub(crate) struct Accepting {
    pub(crate) watcher: Arc<Watcher>,
    /// What the run does to its stack.
    pub(crate) stack: Stack,
    /// What becomes of runs that end.
    pub(crate) ending: Ending,
}

impl Accepting {
    /// Searches over explicit states.
    pub(crate) fn explicitly(
        &self,
        program: &Program,
        options: &Options,
        tick: &mut Tick<'_>,
    ) -> Result<Explicitly, InternalError> {
        let observer = match &*self.watcher {
            Watcher::Plain(automaton) => Observer::Automaton(automaton),
            Watcher::Nested(automaton) => Observer::Nested(automaton),
        };
        let Ok(prepared) = prepared(program, observer, options, self.ending, tick) else {
            return Ok(Explicitly::not_begun());
        };
        let work = &mut Fair {
            config: explicit_config(options),
            stack: self.stack,
            tick,
        };
        on_system(prepared, work)
    }

    /// Searches with decision diagrams. If the stack of the run found diverges, though it may
    /// be any, that of every such run does.
    pub(crate) fn symbolically(
        &self,
        program: &Program,
        options: &Options,
        tick_after: Option<u64>,
        tick: &mut dyn FnMut(&SymbolicProgress) -> ControlFlow<()>,
    ) -> Result<Symbolically, InternalError> {
        let config = symbolic_config(options, tick_after);
        let Watcher::Plain(automaton) = &*self.watcher else {
            let cause = "decision diagrams do not know automata over nested words";
            return Err(InternalError::Witness(cause.to_owned()));
        };
        let finished =
            recurva_symbolic::fair(program, automaton, self.stack, self.ending, &config, tick);
        let found = match finished.answer {
            recurva_symbolic::FairAnswer::Empty => Ok(Finding::Nothing),
            recurva_symbolic::FairAnswer::Found(trace) => {
                let lost = || InternalError::Witness("an infinite run without a trace".to_owned());
                Ok(Finding::Run(*trace.ok_or_else(lost)?))
            }
            recurva_symbolic::FairAnswer::Unfinished(why) => Ok(Finding::Unfinished(why)),
            recurva_symbolic::FairAnswer::Stopped(why) => Err(why),
        };
        Ok(Searched {
            found,
            progress: finished.progress,
        })
    }
}

struct Fair<'a> {
    config: recurva_explicit::Config,
    stack: Stack,
    tick: &'a mut Tick<'a>,
}

impl OnSystem for Fair<'_> {
    type Output = Result<Explicitly, InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let tick = |now: &ExplicitProgress| (self.tick)(Stage::Searches, now);
        let FairFinished { answer, progress } = fair_cycle(system, self.stack, &self.config, tick);
        let found = match answer {
            FairAnswer::Empty => Ok(Finding::Nothing),
            FairAnswer::Found(lasso) => Ok(spelled_out(self.tick, &progress, |patience| {
                explain_lasso(system, &lasso, patience)
            })?),
            FairAnswer::Unfinished(why) => Ok(Finding::Unfinished(why)),
            FairAnswer::Stopped(why) => Err(why),
        };
        Ok(Searched { found, progress })
    }
}

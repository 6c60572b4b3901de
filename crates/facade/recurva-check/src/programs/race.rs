//! Two engines at one question: the first answer counts.
//!
//! The search over explicit states runs on the caller's thread. The one with decision diagrams,
//! the [`Diagrams`], begins at once or as soon as the question turns out not to be a small one:
//! small questions do not pay for a thread.
//!
//! The two share one memory budget. When it is used up the larger one gives up, and the other
//! goes on with all of it.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use recurva_explicit::Stopped;
use recurva_model::Program;

use super::{
    Found, Run,
    diagrams::{self, Diagrams},
    search::{Finding, Search, Stage, Symbolically},
    size::favours_diagrams,
};
use crate::{Engine, ExplicitProgress, InternalError, Limit, Progress, SymbolicProgress, Threads};

/// The one with diagrams begins when the search over explicit states has come so far: in calls of its
/// callback, each a few thousand steps, and in time.
const HEAD_START: u64 = 4;
const HEAD_START_TIME: Duration = Duration::from_millis(8);

/// How long a turn is if the two take turns: in calls of the callback, some ten milliseconds
/// as a rule.
const TURN: u64 = 8;

/// Has both engines search.
pub(crate) fn race(
    run: &mut Run<'_>,
    program: &Arc<Program>,
    search: &Arc<Search>,
) -> Result<Found, InternalError> {
    let options = *run.options;
    let mut race = Race {
        run,
        program,
        search,
        diagrams: State::Waits,
        began: Instant::now(),
        calls: 0,
        is_over: false,
    };
    if favours_diagrams(program) {
        race.start();
    }
    let tick = &mut |stage: Stage, now: &ExplicitProgress| race.tick(stage, now);
    let explicit = search.explicitly(program, &options, tick)?;
    race.run.add_explicit(&explicit.progress);
    let (why, is_found) = match explicit.found {
        Ok(Finding::Nothing) => return Ok(Ok(race.answer(Finding::Nothing))),
        Ok(Finding::Run(trace)) => return Ok(Ok(race.answer(Finding::Run(trace)))),
        Ok(Finding::Unfinished(why)) => (why, true),
        Err(why) => (why, false),
    };
    let why = match why {
        Stopped::Asked if race.is_over => Stopped::Memory,
        why => why,
    };
    // Who watches said stop, if the one with diagrams has no answer.
    let go_on = match why {
        Stopped::Asked => ControlFlow::Continue(()),
        Stopped::Memory | Stopped::PathEdges => race.finish(),
    };
    race.add_diagrams();
    let limit = match go_on {
        ControlFlow::Continue(()) => race.run.limit(why),
        ControlFlow::Break(()) => race.run.limit(Stopped::Asked),
    };
    let diagrams_found = race
        .diagrams_progress()
        .is_some_and(|diagrams| diagrams.is_found);
    if let State::Ended(outcome) = race.diagrams {
        match outcome?.found {
            Ok(Finding::Run(trace)) => {
                race.run.answered(Engine::Symbolic);
                return Ok(Ok(Finding::Run(trace)));
            }
            // One of the two is wrong.
            Ok(Finding::Nothing) if is_found => return Err(InternalError::NoViolation),
            Ok(Finding::Nothing) => {
                race.run.answered(Engine::Symbolic);
                return Ok(Ok(Finding::Nothing));
            }
            Ok(Finding::Unfinished(_)) | Err(_) => {}
        }
    }
    race.run.answered(match (is_found, diagrams_found) {
        (true, false) => Engine::Explicit,
        (false, true) => Engine::Symbolic,
        (true, true) | (false, false) => Engine::Auto,
    });
    Ok(match is_found || diagrams_found {
        true => Ok(Finding::Unfinished(limit)),
        false => Err(limit),
    })
}

/// The other engine.
enum State {
    Waits,
    Works(Diagrams),
    Ended(diagrams::Outcome),
    /// There is no thread for it, or it has lost.
    Missing,
}

impl State {
    /// Whether it has an answer, or is at fault.
    fn is_done(&self) -> bool {
        match self {
            State::Ended(Ok(Symbolically { found, .. })) => {
                matches!(found, Ok(Finding::Nothing | Finding::Run(_)))
            }
            State::Ended(Err(_)) => true,
            State::Waits | State::Works(_) | State::Missing => false,
        }
    }
}

struct Race<'r, 'a> {
    run: &'r mut Run<'a>,
    program: &'r Arc<Program>,
    search: &'r Arc<Search>,
    diagrams: State,
    began: Instant,
    /// How often the callback was called.
    calls: u64,
    /// Whether the search over explicit states gave up because it was the larger one when the
    /// memory was used up.
    is_over: bool,
}

impl Race<'_, '_> {
    /// The search over explicit states has the answer.
    fn answer(&mut self, found: Finding<Limit>) -> Finding<Limit> {
        self.add_diagrams();
        self.run.answered(Engine::Explicit);
        found
    }

    /// The callback of the search over explicit states.
    fn tick(&mut self, stage: Stage, now: &ExplicitProgress) -> ControlFlow<()> {
        let takes_turns = self.run.options.threads == Threads::One;
        match stage {
            Stage::Prepares => {}
            Stage::Searches => self.calls += 1,
            Stage::SpellsOut => {
                // The one with diagrams has lost. What was found fits into memory.
                self.add_diagrams();
                self.diagrams = State::Missing;
                return self.run.tick(&now.into());
            }
        }
        if stage == Stage::Searches && matches!(self.diagrams, State::Waits) {
            let is_late = !takes_turns && self.began.elapsed() >= HEAD_START_TIME;
            if self.calls > HEAD_START || is_late {
                self.start();
            }
        }
        if let State::Works(diagrams) = &self.diagrams {
            diagrams.tell(now.bytes);
            if !takes_turns {
                let outcome = diagrams.look();
                self.end(outcome);
            } else if self.calls.is_multiple_of(TURN) {
                self.give_turn(Some(now))?;
            }
        }
        if self.diagrams.is_done() {
            return ControlFlow::Break(());
        }
        let most = self.run.options.limits.memory.unwrap_or(u64::MAX);
        let diagrams = match &self.diagrams {
            State::Works(diagrams) => diagrams.progress().peak_bytes,
            _ => 0,
        };
        self.is_over = now.bytes.saturating_add(diagrams) > most && now.bytes > diagrams;
        if self.is_over {
            return ControlFlow::Break(());
        }
        self.run.tick(&Progress {
            explicit: Some(*now),
            symbolic: self.diagrams_progress(),
            work: None,
        })
    }

    fn start(&mut self) {
        let diagrams = Diagrams::start(self.program, self.search, self.run.options);
        self.diagrams = diagrams.map_or(State::Missing, State::Works);
    }

    /// Waits until the one with diagrams is done, now that nobody else is searching.
    fn finish(&mut self) -> ControlFlow<()> {
        if matches!(self.diagrams, State::Waits) {
            self.start();
        }
        if let State::Works(diagrams) = &self.diagrams {
            diagrams.tell(0);
        }
        while matches!(self.diagrams, State::Works(_)) {
            self.give_turn(None)?;
        }
        ControlFlow::Continue(())
    }

    /// Waits until the one with diagrams's turn or its search is over.
    fn give_turn(&mut self, explicit: Option<&ExplicitProgress>) -> ControlFlow<()> {
        if let State::Works(diagrams) = &self.diagrams {
            let outcome = diagrams.wait(|| {
                let progress = Progress {
                    explicit: explicit.copied(),
                    symbolic: Some(diagrams.progress()),
                    work: None,
                };
                self.run.tick(&progress)
            })?;
            self.end(outcome);
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, outcome: Option<diagrams::Outcome>) {
        if let Some(outcome) = outcome {
            self.diagrams = State::Ended(outcome);
        }
    }

    fn add_diagrams(&mut self) {
        if let Some(progress) = self.diagrams_progress() {
            self.run.add_symbolic(&progress);
        }
    }

    fn diagrams_progress(&self) -> Option<SymbolicProgress> {
        match &self.diagrams {
            State::Works(diagrams) => Some(diagrams.progress()),
            State::Ended(Ok(searched)) => Some(searched.progress),
            State::Ended(Err(_)) | State::Waits | State::Missing => None,
        }
    }
}

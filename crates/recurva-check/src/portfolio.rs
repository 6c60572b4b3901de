//! Two engines at one question: the first answer counts.
//!
//! The search over explicit states runs on the caller's thread. The one with decision diagrams,
//! the [`Rival`], begins at once or as soon as the question turns out not to be a small one:
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

use crate::{
    Engine, ExplicitProgress, InternalError, Limit, Progress, SymbolicProgress, Threads,
    glance::favours_diagrams,
    question::{Finding, Question, Stage, Symbolically},
    rival::{self, Rival},
    run::{Found, Run},
};

/// The rival begins when the search over explicit states has come so far: in calls of its
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
    question: &Arc<Question>,
) -> Result<Found, InternalError> {
    let options = *run.options;
    let mut race = Race {
        run,
        program,
        question,
        rival: State::Waits,
        began: Instant::now(),
        calls: 0,
        is_over: false,
    };
    if favours_diagrams(program) {
        race.start();
    }
    let tick = &mut |stage: Stage, now: &ExplicitProgress| race.tick(stage, now);
    let explicit = question.explicitly(program, &options, tick)?;
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
    // Who watches said stop, if the rival has no answer.
    let go_on = match why {
        Stopped::Asked => ControlFlow::Continue(()),
        Stopped::Memory | Stopped::PathEdges => race.finish(),
    };
    race.add_rival();
    let limit = match go_on {
        ControlFlow::Continue(()) => race.run.limit(why),
        ControlFlow::Break(()) => race.run.limit(Stopped::Asked),
    };
    let rival_found = race.rival_progress().is_some_and(|rival| rival.is_found);
    if let State::Ended(outcome) = race.rival {
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
    race.run.answered(match (is_found, rival_found) {
        (true, false) => Engine::Explicit,
        (false, true) => Engine::Symbolic,
        (true, true) | (false, false) => Engine::Auto,
    });
    Ok(match is_found || rival_found {
        true => Ok(Finding::Unfinished(limit)),
        false => Err(limit),
    })
}

/// The other engine.
enum State {
    Waits,
    Works(Rival),
    Ended(rival::Outcome),
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
    question: &'r Arc<Question>,
    rival: State,
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
        self.add_rival();
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
                // The rival has lost.
                self.add_rival();
                self.rival = State::Missing;
            }
        }
        if stage == Stage::Searches && matches!(self.rival, State::Waits) {
            let is_late = !takes_turns && self.began.elapsed() >= HEAD_START_TIME;
            if self.calls > HEAD_START || is_late {
                self.start();
            }
        }
        if let State::Works(rival) = &self.rival {
            rival.tell(now.bytes);
            if !takes_turns {
                let outcome = rival.look();
                self.end(outcome);
            } else if self.calls.is_multiple_of(TURN) {
                self.give_turn(Some(now))?;
            }
        }
        if self.rival.is_done() {
            return ControlFlow::Break(());
        }
        let most = self.run.options.limits.memory.unwrap_or(u64::MAX);
        let rival = match &self.rival {
            State::Works(rival) => rival.progress().peak_bytes,
            _ => 0,
        };
        self.is_over = now.bytes.saturating_add(rival) > most && now.bytes > rival;
        if self.is_over {
            return ControlFlow::Break(());
        }
        self.run.tick(&Progress {
            explicit: Some(*now),
            symbolic: self.rival_progress(),
        })
    }

    fn start(&mut self) {
        let rival = Rival::start(self.program, self.question, self.run.options);
        self.rival = rival.map_or(State::Missing, State::Works);
    }

    /// Waits until the rival is done, now that nobody else is searching.
    fn finish(&mut self) -> ControlFlow<()> {
        if matches!(self.rival, State::Waits) {
            self.start();
        }
        if let State::Works(rival) = &self.rival {
            rival.tell(0);
        }
        while matches!(self.rival, State::Works(_)) {
            self.give_turn(None)?;
        }
        ControlFlow::Continue(())
    }

    /// Waits until the rival's turn or its search is over.
    fn give_turn(&mut self, explicit: Option<&ExplicitProgress>) -> ControlFlow<()> {
        if let State::Works(rival) = &self.rival {
            let outcome = rival.wait(|| {
                let progress = Progress {
                    explicit: explicit.copied(),
                    symbolic: Some(rival.progress()),
                };
                self.run.tick(&progress)
            })?;
            self.end(outcome);
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, outcome: Option<rival::Outcome>) {
        if let Some(outcome) = outcome {
            self.rival = State::Ended(outcome);
        }
    }

    fn add_rival(&mut self) {
        if let Some(progress) = self.rival_progress() {
            self.run.add_symbolic(&progress);
        }
    }

    fn rival_progress(&self) -> Option<SymbolicProgress> {
        match &self.rival {
            State::Works(rival) => Some(rival.progress()),
            State::Ended(Ok(searched)) => Some(searched.progress),
            State::Ended(Err(_)) | State::Waits | State::Missing => None,
        }
    }
}

//! A search and proofs side by side: the first answer counts.
//!
//! The search runs on the caller's thread. A thread of its own tries to prove that no error is
//! reachable, on the [plain](Plain) program: it begins when the question turns out not to be a small
//! one.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use recurva_model::Point;

use super::{CContent, lowered::CProgram, plain::Plain};
use crate::{
    Engine, Limit, Limits, Progress, Refused, Watch, Work,
    proofs::{Proved, Task, prove},
    watch::Clock,
};

/// So long a search is left alone.
const HEAD_START: Duration = Duration::from_millis(500);

/// How often somebody who waits looks up.
const LOOK: Duration = Duration::from_millis(10);

/// What comes out of looking for a proof.
pub(super) struct Outcome {
    /// The program it is about.
    pub(super) plain: Plain,
    /// What was found.
    pub(super) proved: Proved,
}

/// What is searched, for whoever wants to prove that there is nothing to be found.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    pub(super) content: &'a CContent,
    pub(super) program: &'a CProgram,
    /// The errors that were asked about.
    pub(super) points: &'a [Point],
}

/// What may come out of looking for a proof.
pub(super) trait Answers {
    /// Whether it is a proof.
    fn is_proof(&self) -> bool;

    /// Whether it answers the question.
    fn is_answer(&self) -> bool;
}

impl Answers for Outcome {
    fn is_proof(&self) -> bool {
        matches!(self.proved, Proved::Proof(_))
    }

    fn is_answer(&self) -> bool {
        self.proved.is_answer()
    }
}

/// What the two threads know of each other.
pub(super) struct Shared<T> {
    is_stopped: AtomicBool,
    /// Nobody searches any more.
    is_alone: AtomicBool,
    state: Mutex<State<T>>,
}

struct State<T> {
    work: Option<Work>,
    is_done: bool,
    outcome: Option<Result<T, Refused>>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Shared {
            is_stopped: AtomicBool::new(false),
            is_alone: AtomicBool::new(false),
            state: Mutex::new(State {
                work: None,
                is_done: false,
                outcome: None,
            }),
        }
    }
}

impl<T: Answers> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The one who proves is told to stop.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Nobody searches any more: there is nothing to wait for.
    pub(super) fn alone(&self) {
        self.is_alone.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Whether there is a proof, or a run.
    fn has_answer(&self) -> bool {
        let state = self.lock();
        let outcome = state.outcome.as_ref();
        outcome.is_some_and(|it| matches!(it, Ok(it) if it.is_answer()))
    }

    /// What came out of it, if it is done.
    pub(super) fn take(&self) -> Option<Result<T, Refused>> {
        self.lock().outcome.take()
    }

    /// Waits until it is done, or no longer than a while. Whoever watches is told meanwhile.
    pub(super) fn wait(&self, most: Option<Duration>, clock: &mut Clock<'_>) {
        let began = Instant::now();
        loop {
            let work = {
                let state = self.lock();
                if state.is_done {
                    return;
                }
                state.work
            };
            let progress = Progress {
                work,
                ..Progress::default()
            };
            let is_late = most.is_some_and(|most| began.elapsed() >= most);
            if clock.tick(&progress).is_break() || is_late {
                return;
            }
            thread::sleep(LOOK);
        }
    }
}

/// Looks for a proof, until it is told to stop; to be run on a thread of its own.
pub(super) fn work<T: Answers>(
    shared: &Shared<T>,
    limits: Limits,
    attempt: impl FnOnce(&mut Clock<'_>) -> Result<T, Refused>,
) {
    let began = Instant::now();
    while began.elapsed() < HEAD_START && !shared.is_alone.load(Ordering::Relaxed) {
        if shared.is_stopped() {
            break;
        }
        thread::sleep(LOOK);
    }
    let mut watch = Teller { shared };
    let mut clock = Clock::new(limits, &mut watch);
    let outcome = match shared.is_stopped() {
        true => Err(Refused::Limit(Limit::Interrupted)),
        false => attempt(&mut clock),
    };
    let mut state = shared.lock();
    state.outcome = Some(outcome);
    state.is_done = true;
}

/// Looks for a proof that no error is reached.
pub(super) fn attempt(
    searched: Searched<'_>,
    engine: Engine,
    clock: &mut Clock<'_>,
) -> Result<Outcome, Refused> {
    let Searched {
        content,
        program,
        points,
    } = searched;
    let plain = Plain::new(content, program, points, clock)?;
    let is_integer = plain.is_integer();
    let task = Task {
        engine,
        program: &plain.program.program,
        errors: &plain.errors,
        targets: &plain.targets,
        limits: clock.left(),
        is_integer: &is_integer,
    };
    let proved = prove(&task, &mut |work: Work| clock.tick(&work.into()));
    Ok(Outcome { plain, proved })
}

/// Hands on how far it is, and is told to stop.
struct Teller<'s, T> {
    shared: &'s Shared<T>,
}

impl<T: Answers> Watch for Teller<'_, T> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        self.shared.lock().work = progress.work;
        match self.shared.is_stopped() {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Watches the search for whoever watches the question, and ends it when there is a proof.
pub(super) struct Beside<'s, 'w, T> {
    pub(super) shared: &'s Shared<T>,
    pub(super) watch: &'w mut dyn Watch,
}

impl<T: Answers> Watch for Beside<'_, '_, T> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        if self.shared.has_answer() {
            return ControlFlow::Break(Limit::Interrupted);
        }
        let work = progress.work.or(self.shared.lock().work);
        self.watch.progress(&Progress { work, ..*progress })
    }
}

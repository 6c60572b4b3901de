//! The search with decision diagrams on a thread of its own.
//!
//! One operation on diagrams cannot be interrupted. So nobody waits for a search that is told to
//! stop: it owns all it works on, notices after the operation, and goes.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError},
    },
    thread,
    time::Duration,
};

use recurva_model::Program;

use super::search::{Finding, Search, Symbolically};
use crate::{InternalError, Options, SymbolicProgress, Threads};

/// How long its turns are if it takes turns: in operations on diagrams, some ten milliseconds
/// as a rule.
const TURN: u64 = 4096;

/// While there is nothing to do but wait, the watcher is asked this often.
const PATIENCE: Duration = Duration::from_millis(20);

/// What comes out of it.
pub(crate) type Outcome = Result<Symbolically, InternalError>;

/// A search that is going on. Dropped, it is told to stop.
pub(crate) struct Diagrams {
    news: Receiver<News>,
    /// Gives it its turn, if it takes turns.
    turns: Option<Sender<()>>,
    shared: Arc<Mutex<Shared>>,
}

enum News {
    /// Its turn is over.
    Turn,
    /// The search is over.
    Done(Outcome),
}

/// What the two engines know of each other.
#[derive(Default)]
struct Shared {
    is_stopped: bool,
    progress: SymbolicProgress,
    /// The bytes that the other engine holds.
    other: u64,
}

impl Diagrams {
    /// Begins; `None` if there is no thread to be had.
    pub(crate) fn start(
        program: &Arc<Program>,
        search: &Arc<Search>,
        options: &Options,
    ) -> Option<Self> {
        let (news_sender, news) = mpsc::channel();
        let (turn_sender, turn) = mpsc::channel();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (turns, tick_after) = match options.threads {
            Threads::One => (Some(turn_sender), Some(TURN)),
            Threads::Two => (None, None),
        };
        let worker = Worker {
            options: *options,
            turn: turns.is_some().then_some(turn),
            news: news_sender,
            shared: shared.clone(),
        };
        let (program, search) = (program.clone(), search.clone());
        let work = move || worker.work(&program, &search, tick_after);
        let name = "diagrams".to_owned();
        thread::Builder::new().name(name).spawn(work).ok()?;
        Some(Diagrams {
            news,
            turns,
            shared,
        })
    }

    /// What came out of it, if it is done.
    pub(crate) fn look(&self) -> Option<Outcome> {
        match self.news.try_recv() {
            Ok(News::Done(outcome)) => Some(outcome),
            Ok(News::Turn) | Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(InternalError::Died)),
        }
    }

    /// Gives it its turn and waits until the turn or the search is over. Meanwhile `tick` is
    /// called now and then; if it breaks, so does this.
    pub(crate) fn wait(
        &self,
        mut tick: impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Outcome>> {
        if let Some(turns) = &self.turns {
            // It may be gone; then the news will say so.
            let _ = turns.send(());
        }
        loop {
            match self.news.recv_timeout(PATIENCE) {
                Ok(News::Turn) => return ControlFlow::Continue(None),
                Ok(News::Done(outcome)) => return ControlFlow::Continue(Some(outcome)),
                Err(RecvTimeoutError::Timeout) => tick()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return ControlFlow::Continue(Some(Err(InternalError::Died)));
                }
            }
        }
    }

    /// How far it is.
    pub(crate) fn progress(&self) -> SymbolicProgress {
        lock(&self.shared).progress
    }

    /// Says how many bytes the other engine holds.
    pub(crate) fn tell(&self, bytes: u64) {
        lock(&self.shared).other = bytes;
    }
}

impl Drop for Diagrams {
    fn drop(&mut self) {
        lock(&self.shared).is_stopped = true;
    }
}

/// The other side of a [`Diagrams`].
struct Worker {
    options: Options,
    turn: Option<Receiver<()>>,
    news: Sender<News>,
    shared: Arc<Mutex<Shared>>,
}

impl Worker {
    fn work(self, program: &Program, search: &Search, tick_after: Option<u64>) {
        let mut is_over = false;
        let mut tick = |progress: &SymbolicProgress| {
            let most = self.options.limits.memory.unwrap_or(u64::MAX);
            let mut shared = lock(&self.shared);
            shared.progress = *progress;
            let held = progress.peak_bytes;
            is_over = held.saturating_add(shared.other) > most && held >= shared.other;
            if is_over || shared.is_stopped {
                return ControlFlow::Break(());
            }
            drop(shared);
            self.pass_turn()
        };
        let mut outcome = match self.await_turn() {
            ControlFlow::Continue(()) => {
                search.symbolically(program, &self.options, tick_after, &mut tick)
            }
            ControlFlow::Break(()) => return,
        };
        if let Ok(searched) = &mut outcome
            && is_over
        {
            let memory = recurva_symbolic::Stopped::Memory;
            match &mut searched.found {
                Ok(Finding::Unfinished(why)) | Err(why) => *why = memory,
                Ok(Finding::Nothing | Finding::Run(_)) => {}
            }
        }
        // If nobody listens any more, the other engine was first.
        let _ = self.news.send(News::Done(outcome));
    }

    fn pass_turn(&self) -> ControlFlow<()> {
        if self.turn.is_none() {
            return ControlFlow::Continue(());
        }
        match self.news.send(News::Turn) {
            Ok(()) => self.await_turn(),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Waits for its turn, if it takes turns. It never comes if the other engine was first.
    fn await_turn(&self) -> ControlFlow<()> {
        match self.turn.as_ref().map(Receiver::recv) {
            Some(Err(_)) => ControlFlow::Break(()),
            None | Some(Ok(())) => ControlFlow::Continue(()),
        }
    }
}

/// What is shared has no invariants that a panic could break.
fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

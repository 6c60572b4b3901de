//! How far a check is, for those who look on: written by the check, read by the server.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use recurva_check::{Limit, Progress, Watch};

use crate::document::{ExplicitStatus, Status, SymbolicStatus, WorkStatus};

/// What the check and those who look on share.
#[derive(Clone, Debug)]
pub struct Live {
    status: Arc<Mutex<Status>>,
    stop: Arc<AtomicBool>,
    started: Instant,
    /// When the rate was last measured, and the path edges then.
    last: (Instant, u64),
}

impl Live {
    /// A check of so many questions that is about to begin.
    pub fn new(questions: usize) -> Self {
        let status = Status {
            state: "running",
            questions,
            ..Status::default()
        };
        let now = Instant::now();
        Live {
            status: Arc::new(Mutex::new(status)),
            stop: Arc::default(),
            started: now,
            last: (now, 0),
        }
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        let mut status = self.lock().clone();
        if status.state == "running" {
            status.seconds = self.started.elapsed().as_secs_f64();
        }
        status
    }

    /// Asks the check to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The next question is asked.
    pub fn ask(&mut self, question: usize, property: &str) {
        self.last = (Instant::now(), 0);
        let mut status = self.lock();
        status.question = question;
        property.clone_into(&mut status.property);
        status.explicit = None;
        status.symbolic = None;
        status.work = None;
    }

    /// All questions are answered, or it was stopped.
    pub fn end(&self) {
        let seconds = self.started.elapsed().as_secs_f64();
        let stopped = self.is_stopped();
        let mut status = self.lock();
        status.seconds = seconds;
        status.state = if stopped { "stopped" } else { "done" };
    }

    /// Nobody panics while they hold it, and if they did the numbers would still be numbers.
    fn lock(&self) -> std::sync::MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Live {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        let now = Instant::now();
        let elapsed = now.duration_since(self.last.0).as_secs_f64();
        let mut status = self.lock();
        let before = status.explicit.map_or(0.0, |explicit| explicit.rate);
        status.explicit = progress.explicit.map(|explicit| ExplicitStatus {
            states: explicit.states,
            path_edges: explicit.path_edges,
            waiting: explicit.waiting,
            rate: match elapsed > 0.2 {
                true => explicit.path_edges.saturating_sub(self.last.1) as f64 / elapsed,
                false => before,
            },
            bytes: explicit.bytes,
        });
        status.symbolic = progress.symbolic.map(|symbolic| SymbolicStatus {
            nodes: symbolic.nodes,
            steps: symbolic.iterations,
            bytes: symbolic.peak_bytes,
        });
        status.work = progress.work.map(|work| WorkStatus {
            what: work.what,
            round: work.round,
            number: work.number,
            unit: work.unit,
            bytes: work.bytes,
        });
        drop(status);
        if elapsed > 0.2 {
            self.last = (now, progress.explicit.map_or(0, |it| it.path_edges));
        }
        match self.is_stopped() {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

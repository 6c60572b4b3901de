//! Limits for work that keeps none itself.

use std::time::{Duration, Instant};

use recurva_check::{Limit, Limits};

use crate::interrupt;

/// When work has to end that keeps no limits itself.
#[derive(Debug)]
pub struct Deadline {
    limits: Limits,
    started: Instant,
}

impl Deadline {
    /// The time begins to run.
    pub fn new(limits: Limits) -> Self {
        Deadline {
            limits,
            started: Instant::now(),
        }
    }

    /// Whether the work has to end.
    pub fn is_over(&self) -> bool {
        let late = |time: Duration| self.started.elapsed() >= time;
        interrupt::requested() || self.limits.time.is_some_and(late)
    }

    /// The limit that was hit.
    pub fn limit(&self) -> Limit {
        match self.limits.time {
            Some(time) if !interrupt::requested() => Limit::Time(time),
            _ => Limit::Interrupted,
        }
    }
}

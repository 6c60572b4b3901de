//! Runs a check: compiles the program, searches, and has the counterexample replayed.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_evidence::{Claim, Trace, replay};
use recurva_explicit::{
    Answer, Config, Finished, Progress, Stopped,
    program::{Inline, Prepared, ProgramSystem, Words},
    reach,
};
use recurva_model::{Monitor, Program};

use crate::{
    InternalError, Limit, Limits, Options, Outcome, Property, Stats, Verdict, Violation, Watch,
    explain::explain,
};

/// The only engine there is so far.
const ENGINE: &str = "explicit";

/// Checks a property of a program.
///
/// A [`Verdict::Violated`] has been replayed on the semantics, step by step; if the replay
/// fails, the result is an [`InternalError`] and never a verdict.
pub fn check<'p>(
    program: &'p Program,
    property: &Property,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Outcome<'p>, InternalError> {
    let started = Instant::now();
    if property.is_trivial() {
        return Ok(Outcome {
            verdict: Verdict::Holds,
            stats: Stats::default(),
            engine: ENGINE,
        });
    }
    let prepared = Prepared::new(program, property.monitor(), options.reductions);
    let mut run = Run {
        property,
        options,
        watch,
        started,
    };
    // A handful of widths covers most programs with states that need no allocation.
    let (end, progress) = match prepared.words_needed() {
        0..=1 => run.search(&prepared.with_words::<Inline<1>>())?,
        2 => run.search(&prepared.with_words::<Inline<2>>())?,
        3..=4 => run.search(&prepared.with_words::<Inline<4>>())?,
        5..=8 => run.search(&prepared.with_words::<Inline<8>>())?,
        _ => run.search(&prepared.with_words::<Box<[u64]>>())?,
    };
    let verdict = match end {
        End::Holds => Verdict::Holds,
        End::Limit(limit) => Verdict::Unknown(limit),
        End::Violated(trace) => {
            let replayed = replay(program, trace, &property.claim())?;
            Verdict::Violated(Box::new(Violation { replayed }))
        }
    };
    let stats = Stats {
        states: progress.states,
        path_edges: progress.path_edges,
        summaries: progress.summaries,
        seconds: started.elapsed().as_secs_f64(),
        peak_bytes: progress.bytes,
    };
    Ok(Outcome {
        verdict,
        stats,
        engine: ENGINE,
    })
}

enum End {
    Holds,
    Violated(Trace),
    Limit(Limit),
}

struct Run<'a> {
    property: &'a Property,
    options: &'a Options,
    watch: &'a mut dyn Watch,
    started: Instant,
}

impl Run<'_> {
    fn search<W: Words>(
        &mut self,
        system: &ProgramSystem<'_, W>,
    ) -> Result<(End, Progress), InternalError> {
        let Limits { time, memory } = self.options.limits;
        let config = Config {
            order: self.options.order,
            max_bytes: memory,
        };
        let targets = match self.property {
            Property::Unreachable { points, .. } => system.point_set(points.iter().copied()),
            Property::Monitor(_) => system.point_set([]),
        };
        let mut out_of_time = false;
        let tick = |progress: &Progress| {
            out_of_time = time.is_some_and(|time| self.started.elapsed() >= time);
            if out_of_time {
                ControlFlow::Break(())
            } else {
                self.watch.progress(progress)
            }
        };
        let is_target =
            |state: &W| system.is_at(state, &targets) || system.is_monitor_target(state);
        let Finished { answer, progress } = reach(system, &config, is_target, tick);
        let end = match answer {
            Answer::Unreachable => End::Holds,
            Answer::Reached(witness) => End::Violated(explain(system, &witness)?),
            Answer::Stopped(Stopped::Memory) => End::Limit(Limit::Memory(memory.unwrap_or(0))),
            Answer::Stopped(Stopped::PathEdges) => End::Limit(Limit::PathEdges),
            Answer::Stopped(Stopped::Asked) if out_of_time => {
                End::Limit(Limit::Time(time.unwrap_or(Duration::ZERO)))
            }
            Answer::Stopped(Stopped::Asked) => End::Limit(Limit::Interrupted),
        };
        Ok((end, progress))
    }
}

impl Property {
    fn monitor(&self) -> Option<&Monitor> {
        match self {
            Property::Monitor(monitor) => Some(monitor),
            Property::Unreachable { .. } => None,
        }
    }

    /// Whether there is nothing that could violate the property, so that no search is needed.
    fn is_trivial(&self) -> bool {
        match self {
            Property::Unreachable { points, .. } => points.is_empty(),
            Property::Monitor(monitor) => !monitor.states().iter().any(|state| state.target),
        }
    }

    /// What a counterexample has to show.
    fn claim(&self) -> Claim {
        match self {
            Property::Unreachable { points, .. } => Claim::Reaches(points.clone()),
            Property::Monitor(monitor) => Claim::Monitor(monitor.clone()),
        }
    }
}

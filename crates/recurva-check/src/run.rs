//! Runs a check: compiles the program, searches, and has the counterexample replayed.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_evidence::{Claim, replay};
use recurva_explicit::{
    Answer, Config, Finished, Progress, Stopped,
    program::{Ending, Inline, Observer, Prepared, ProgramSystem, Words},
    reach,
};
use recurva_model::{Point, Program};
use recurva_slice::{Dropped, Observed};

use crate::{
    Engine, InternalError, Limit, Limits, Options, Outcome, Property, Stats, Verdict, Violation,
    Watch, explain::explain, live, nested, searched::Searched,
};

/// The names of the engines, for reports.
const EXPLICIT: &str = "explicit";
const SYMBOLIC: &str = "symbolic";

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
    let mut run = Run::new(options, watch);
    let verdict = match property {
        Property::Unreachable { points, .. } if points.is_empty() => Verdict::Holds,
        Property::Unreachable { points, .. } => {
            run.reach(program, &Claim::Reaches(points.clone()))?
        }
        Property::Monitor(monitor) if !monitor.states().iter().any(|s| s.target) => Verdict::Holds,
        Property::Monitor(monitor) => run.reach(program, &Claim::Monitor(monitor.clone()))?,
        Property::Ltl(property) => live::check_formula(&mut run, program, property)?,
        Property::Caret(property) => nested::check_formula(&mut run, program, property)?,
        Property::Never(property) => live::check_automaton(&mut run, program, property)?,
    };
    Ok(Outcome {
        verdict,
        stats: run.stats(),
        engine: match options.engine {
            Engine::Symbolic if !property.is_liveness() => SYMBOLIC,
            Engine::Symbolic | Engine::Explicit => EXPLICIT,
        },
        stack: property.is_liveness().then_some(options.stack),
        dropped: run.dropped,
    })
}

/// A check that is being carried out.
pub(crate) struct Run<'a> {
    pub(crate) options: &'a Options,
    watch: &'a mut dyn Watch,
    started: Instant,
    out_of_time: bool,
    /// The numbers of all searches so far.
    progress: Progress,
    /// The most nodes of decision diagrams.
    nodes: u64,
    /// What is not searched, if the program was sliced.
    dropped: Option<Dropped>,
}

impl<'a> Run<'a> {
    fn new(options: &'a Options, watch: &'a mut dyn Watch) -> Self {
        Run {
            options,
            watch,
            started: Instant::now(),
            out_of_time: false,
            progress: Progress::default(),
            nodes: 0,
            dropped: None,
        }
    }

    /// How to search.
    pub(crate) fn config(&self) -> Config {
        Config {
            order: self.options.order,
            max_bytes: self.options.limits.memory,
        }
    }

    /// Tells who watches, and whether to go on.
    pub(crate) fn tick(&mut self, progress: &Progress) -> ControlFlow<()> {
        let Limits { time, .. } = self.options.limits;
        self.out_of_time = time.is_some_and(|time| self.started.elapsed() >= time);
        if self.out_of_time {
            ControlFlow::Break(())
        } else {
            self.watch.progress(progress)
        }
    }

    /// The numbers of a search that is over.
    pub(crate) fn add(&mut self, progress: &Progress) {
        let sum = &mut self.progress;
        sum.states += progress.states;
        sum.path_edges += progress.path_edges;
        sum.summaries += progress.summaries;
        sum.bytes = sum.bytes.max(progress.bytes);
    }

    /// Which limit ended a search.
    pub(crate) fn limit(&self, why: Stopped) -> Limit {
        let Limits { time, memory } = self.options.limits;
        match why {
            Stopped::Memory => Limit::Memory(memory.unwrap_or(0)),
            Stopped::PathEdges => Limit::PathEdges,
            Stopped::Asked if self.out_of_time => Limit::Time(time.unwrap_or(Duration::ZERO)),
            Stopped::Asked => Limit::Interrupted,
        }
    }

    fn stats(&self) -> Stats {
        Stats {
            states: self.progress.states,
            path_edges: self.progress.path_edges,
            summaries: self.progress.summaries,
            nodes: self.nodes,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_bytes: self.progress.bytes,
        }
    }

    /// What to search if this is observed.
    pub(crate) fn searched<'p>(
        &mut self,
        program: &'p Program,
        observed: &Observed<'_>,
    ) -> Searched<'p> {
        let searched = Searched::new(program, observed, self.options);
        self.dropped = searched.dropped().cloned();
        searched
    }

    /// Searches for a state as claimed.
    fn reach<'p>(
        &mut self,
        program: &'p Program,
        claim: &Claim,
    ) -> Result<Verdict<'p>, InternalError> {
        let observed = match claim {
            Claim::Reaches(points) => Observed::Points(points),
            Claim::Monitor(monitor) => {
                Observed::Conditions(monitor.edges().iter().map(|edge| &edge.guard).collect())
            }
            Claim::Repeats(guards) => Observed::Conditions(guards.iter().collect()),
        };
        let searched = self.searched(program, &observed);
        let (points, monitor) = match claim {
            Claim::Reaches(points) => (searched.points(points), None),
            Claim::Monitor(monitor) => (Vec::new(), Some(searched.monitor(monitor)?)),
            Claim::Repeats(_) => (Vec::new(), None),
        };
        let observer = Observer::from(monitor.as_ref());
        let part = searched.program();
        let found = match self.options.engine {
            Engine::Explicit => {
                let reductions = self.options.reductions;
                let prepared = Prepared::new(part, observer, reductions, Ending::Stops);
                let points = &points;
                on_system(prepared, &mut Reach { run: self, points })?
            }
            Engine::Symbolic => self.reach_symbolically(part, observer, &points)?,
        };
        let trace = match found {
            Ok(None) => return Ok(Verdict::Holds),
            Ok(Some(trace)) => trace,
            Err(limit) => return Ok(Verdict::Unknown(limit)),
        };
        let replayed = replay(program, searched.trace(trace), claim)?;
        Ok(Verdict::Violated(Box::new(Violation {
            replayed,
            kinds: None,
        })))
    }
}

impl Run<'_> {
    /// The same search with decision diagrams.
    fn reach_symbolically(
        &mut self,
        program: &Program,
        observer: Observer<'_>,
        points: &[Point],
    ) -> Result<Found<recurva_evidence::Trace>, InternalError> {
        let monitor = match observer {
            Observer::Monitor(monitor) => Some(monitor),
            Observer::Nobody | Observer::Automaton(_) | Observer::Nested(_) => None,
        };
        let config = recurva_symbolic::Config {
            max_bytes: self.options.limits.memory,
            liveness: self.options.reductions.liveness,
            ..recurva_symbolic::Config::default()
        };
        let tick = |progress: &recurva_symbolic::Progress| {
            self.tick(&Progress {
                bytes: progress.peak_bytes,
                ..Progress::default()
            })
        };
        let finished = recurva_symbolic::reach(program, monitor, points, &config, tick);
        self.nodes = self.nodes.max(finished.progress.peak_nodes);
        self.progress.bytes = self.progress.bytes.max(finished.progress.peak_bytes);
        Ok(match finished.answer {
            recurva_symbolic::Answer::Unreachable => Ok(None),
            recurva_symbolic::Answer::Reached(trace) => {
                let lost = || InternalError::Witness("a target without a trace".to_owned());
                Ok(Some(*trace.ok_or_else(lost)?))
            }
            recurva_symbolic::Answer::Stopped(why) => Err(match why {
                recurva_symbolic::Stopped::Memory => self.limit(Stopped::Memory),
                recurva_symbolic::Stopped::Asked => self.limit(Stopped::Asked),
                recurva_symbolic::Stopped::Nodes => Limit::Nodes,
                recurva_symbolic::Stopped::Bits => Limit::Bits,
            }),
        })
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

/// The trace found, or which limit was hit.
pub(crate) type Found<T> = Result<Option<T>, Limit>;

struct Reach<'r, 'a> {
    run: &'r mut Run<'a>,
    points: &'r [Point],
}

impl OnSystem for Reach<'_, '_> {
    type Output = Result<Found<recurva_evidence::Trace>, InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let config = self.run.config();
        let targets = system.point_set(self.points.iter().copied());
        let is_target =
            |state: &W| system.is_at(state, &targets) || system.is_monitor_target(state);
        let tick = |progress: &Progress| self.run.tick(progress);
        let Finished { answer, progress } = reach(system, &config, is_target, tick);
        self.run.add(&progress);
        Ok(match answer {
            Answer::Unreachable => Ok(None),
            Answer::Reached(witness) => Ok(Some(explain(system, &witness)?)),
            Answer::Stopped(why) => Err(self.run.limit(why)),
        })
    }
}

//! Runs a check: compiles the program, searches, and has the counterexample replayed.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use recurva_evidence::{Claim, Unreplayed, replay_with_patience};
use recurva_explicit::Stopped;
use recurva_logic::{automaton, caret};
use recurva_model::{Patience, Program, Stop};
use recurva_slice::{Dropped, Observed};

use crate::{
    Engine, ExplicitProgress, InternalError, Limit, Limits, Options, Order, Outcome, Progress,
    Property, Stats, SymbolicProgress, Verdict, Violation, Watch, live,
    portfolio::race,
    question::{Finding, Question, Stage},
    searched::Searched,
};

/// What was found, or which limit was hit.
pub(crate) type Found = Result<Finding<Limit>, Limit>;

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
        Property::Ltl(property) => {
            live::check_formula(&mut run, program, property, automaton::translate)?
        }
        Property::Caret(property) => {
            live::check_formula(&mut run, program, property, caret::translate)?
        }
        Property::Never(property) => live::check_automaton(&mut run, program, property)?,
    };
    Ok(Outcome {
        verdict,
        stats: run.stats(),
        engine: match run.engine {
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
            Engine::Auto => "explicit and symbolic",
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
    /// What was told last.
    told: Progress,
    /// The numbers of all searches so far.
    explicit: ExplicitProgress,
    symbolic: SymbolicProgress,
    /// The most bytes that the engines held together.
    peak: u64,
    /// The engine that answered, or those that could not.
    engine: Engine,
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
            told: Progress::default(),
            explicit: ExplicitProgress::default(),
            symbolic: SymbolicProgress::default(),
            peak: 0,
            engine: match options.engine {
                Engine::Auto => Engine::Explicit,
                chosen => chosen,
            },
            dropped: None,
        }
    }

    /// Tells who watches, and whether to go on.
    pub(crate) fn tick(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.peak = self.peak.max(progress.bytes());
        self.told = *progress;
        let Limits { time, .. } = self.options.limits;
        self.out_of_time = time.is_some_and(|time| self.started.elapsed() >= time);
        if self.out_of_time {
            ControlFlow::Break(())
        } else {
            self.watch.progress(progress)
        }
    }

    /// Does work before or after a search, unless it is told to stop.
    pub(crate) fn patiently<T>(&mut self, work: impl FnOnce(&mut Patience<'_>) -> T) -> T {
        let mut ask = || self.tick(&self.told.clone());
        work(&mut Patience::new(&mut ask))
    }

    /// The numbers of a search over explicit states that is over.
    pub(crate) fn add_explicit(&mut self, progress: &ExplicitProgress) {
        let sum = &mut self.explicit;
        sum.states += progress.states;
        sum.path_edges += progress.path_edges;
        sum.summaries += progress.summaries;
        sum.bytes = sum.bytes.max(progress.bytes);
    }

    /// The numbers of a search with decision diagrams that is over, or given up.
    pub(crate) fn add_symbolic(&mut self, progress: &SymbolicProgress) {
        let sum = &mut self.symbolic;
        sum.peak_nodes = sum.peak_nodes.max(progress.peak_nodes);
        sum.peak_bytes = sum.peak_bytes.max(progress.peak_bytes);
    }

    /// The path edges of all searches over explicit states that are over.
    pub(crate) fn path_edges(&self) -> u64 {
        self.explicit.path_edges
    }

    /// The engine that answered; [`Engine::Auto`] is both.
    pub(crate) fn engine(&self) -> Engine {
        self.engine
    }

    /// Which engine it was, whose numbers count; [`Engine::Auto`] is both.
    pub(crate) fn answered(&mut self, engine: Engine) {
        self.engine = engine;
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
        let (explicit, symbolic) = match self.engine {
            Engine::Explicit => (self.explicit, SymbolicProgress::default()),
            Engine::Symbolic => (ExplicitProgress::default(), self.symbolic),
            Engine::Auto => (self.explicit, self.symbolic),
        };
        Stats {
            states: explicit.states,
            path_edges: explicit.path_edges,
            summaries: explicit.summaries,
            nodes: symbolic.peak_nodes,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_bytes: (self.peak)
                .max(self.explicit.bytes)
                .max(self.symbolic.peak_bytes),
        }
    }

    /// Which limit ended work that was told to stop.
    pub(crate) fn stopped(&self, _: Stop) -> Limit {
        self.limit(Stopped::Asked)
    }

    /// What to search if this is observed.
    pub(crate) fn searched<'p>(
        &mut self,
        program: &'p Program,
        observed: &Observed<'_>,
    ) -> Result<Searched<'p>, Limit> {
        let options = self.options;
        let sliced =
            |patience: &mut Patience<'_>| Searched::new(program, observed, options, patience);
        let searched = self.patiently(sliced).map_err(|stop| self.stopped(stop))?;
        self.dropped = searched.dropped().cloned();
        Ok(searched)
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
        let searched = match self.searched(program, &observed) {
            Ok(searched) => searched,
            Err(limit) => return Ok(Verdict::Unknown(limit)),
        };
        let (points, monitor) = match claim {
            Claim::Reaches(points) => (searched.points(points), None),
            Claim::Monitor(monitor) => (Vec::new(), Some(searched.monitor(monitor)?)),
            Claim::Repeats(_) => (Vec::new(), None),
        };
        let question = Arc::new(Question::Reaches(points, monitor));
        let found = self.search(&searched, &question)?;
        let trace = match found {
            Ok(Finding::Nothing) => return Ok(Verdict::Holds),
            Ok(Finding::Run(trace)) => trace,
            Ok(Finding::Unfinished(limit)) => return Ok(Verdict::Unfinished(limit)),
            Err(limit) => return Ok(Verdict::Unknown(limit)),
        };
        let replayed = self.patiently(|patience| {
            let trace = searched.trace(trace, patience)?;
            replay_with_patience(program, trace, claim, patience)
        });
        match replayed {
            Ok(replayed) => Ok(Verdict::Violated(Box::new(Violation {
                replayed,
                kinds: None,
            }))),
            Err(Unreplayed::Stopped(stop)) => Ok(Verdict::Unfinished(self.stopped(stop))),
            Err(Unreplayed::Mismatch(mismatch)) => Err(mismatch.into()),
        }
    }

    /// Has the engine that was chosen, or both, look for a run.
    pub(crate) fn search(
        &mut self,
        searched: &Searched<'_>,
        question: &Arc<Question>,
    ) -> Result<Found, InternalError> {
        let options = self.options;
        let program = searched.program();
        let engine = match options.engine {
            Engine::Auto | Engine::Symbolic if !question.suits_diagrams() => Engine::Explicit,
            // A shortest run was asked for, which diagrams do not give.
            Engine::Auto if options.order == Order::ShortestFirst => Engine::Explicit,
            chosen => chosen,
        };
        match engine {
            Engine::Auto => race(self, &searched.shared(), question),
            Engine::Explicit => {
                self.answered(Engine::Explicit);
                let tick = &mut |_: Stage, now: &ExplicitProgress| self.tick(&now.into());
                let searched = question.explicitly(program, options, tick)?;
                self.add_explicit(&searched.progress);
                let limit = |why| self.limit(why);
                Ok(searched.found.map(|it| it.map(limit)).map_err(limit))
            }
            Engine::Symbolic => {
                let tick = &mut |now: &SymbolicProgress| self.tick(&now.into());
                let searched = question.symbolically(program, options, None, tick)?;
                self.add_symbolic(&searched.progress);
                let limit = |why| self.symbolic_limit(why);
                Ok(searched.found.map(|it| it.map(limit)).map_err(limit))
            }
        }
    }

    /// Which limit ended a search with decision diagrams.
    pub(crate) fn symbolic_limit(&self, why: recurva_symbolic::Stopped) -> Limit {
        match why {
            recurva_symbolic::Stopped::Memory => self.limit(Stopped::Memory),
            recurva_symbolic::Stopped::Asked => self.limit(Stopped::Asked),
            recurva_symbolic::Stopped::Nodes => Limit::Nodes,
            recurva_symbolic::Stopped::Bits => Limit::Bits,
        }
    }
}

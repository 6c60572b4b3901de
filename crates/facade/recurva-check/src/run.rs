//! Runs a check: compiles the program, searches, and has the counterexample replayed.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use recurva_evidence::{Claim, Trace, replay};
use recurva_explicit::Stopped;
use recurva_logic::{automaton, caret};
use recurva_model::Program;
use recurva_slice::{Dropped, Observed};

use crate::{
    Engine, ExplicitProgress, InternalError, Limit, Limits, Options, Order, Outcome, Progress,
    Property, Stats, SymbolicProgress, Verdict, Violation, Watch, live, portfolio::race,
    question::Question, searched::Searched,
};

/// The trace found, if there is one, or which limit was hit.
pub(crate) type Found<T> = Result<Option<T>, Limit>;

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
        let Limits { time, .. } = self.options.limits;
        self.out_of_time = time.is_some_and(|time| self.started.elapsed() >= time);
        if self.out_of_time {
            ControlFlow::Break(())
        } else {
            self.watch.progress(progress)
        }
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
        let question = Arc::new(Question::Reaches(points, monitor));
        let found = self.search(&searched, &question)?;
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

    /// Has the engine that was chosen, or both, look for a run.
    pub(crate) fn search(
        &mut self,
        searched: &Searched<'_>,
        question: &Arc<Question>,
    ) -> Result<Found<Trace>, InternalError> {
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
                let tick = &mut |now: &ExplicitProgress| self.tick(&now.into());
                let searched = question.explicitly(program, options, tick)?;
                self.add_explicit(&searched.progress);
                Ok(searched.found.map_err(|why| self.limit(why)))
            }
            Engine::Symbolic => {
                let tick = &mut |now: &SymbolicProgress| self.tick(&now.into());
                let searched = question.symbolically(program, options, None, tick)?;
                self.add_symbolic(&searched.progress);
                Ok(searched.found.map_err(|why| self.symbolic_limit(why)))
            }
        }
    }

    fn symbolic_limit(&self, why: recurva_symbolic::Stopped) -> Limit {
        match why {
            recurva_symbolic::Stopped::Memory => self.limit(Stopped::Memory),
            recurva_symbolic::Stopped::Asked => self.limit(Stopped::Asked),
            recurva_symbolic::Stopped::Nodes => Limit::Nodes,
            recurva_symbolic::Stopped::Bits => Limit::Bits,
        }
    }
}

//! Questions about the runs of a program: compiles it, has engines search, and has the
//! counterexample replayed.

mod accepting;
mod ask;
mod caret;
mod content;
mod diagrams;
pub mod flat;
mod infinite;
mod property;
mod race;
mod read;
mod replay;
mod search;
mod size;
mod sliced;
pub mod spec;
mod spell_out;
mod vacuous;

use std::{ops::ControlFlow, sync::Arc};

use recurva_evidence::{Claim, Replayed, Unreplayed, replay_with_patience};
use recurva_explicit::Stopped;
use recurva_logic::{automaton, caret as caret_logic};
use recurva_model::{Patience, Program, Stop};
use recurva_slice::{Dropped, Observed};

use crate::{
    Answer, Engine, Evidence, ExplicitProgress, InternalError, Kinds, Limit, Options, Order,
    Progress, Stats, SymbolicProgress, Verdict, Watch, watch::Clock,
};
use race::race;
use search::{Finding, Search, Stage};
use sliced::Sliced;

pub(crate) use accepting::Watcher;
pub(crate) use ask::RunQuestion;
pub(crate) use content::{ProgramContent, Woven};
pub(crate) use infinite::violations;
pub use property::{Ltl, Never, Property, UnknownLabel};
pub use replay::{REPLAY, Unconfirmed, confirm};
pub(crate) use search::{OnSystem, on_system};
pub(crate) use sliced::Sliced as SlicedProgram;

/// What was found, or which limit was hit.
pub(crate) type Found = Result<Finding<Limit>, Limit>;

/// What the engines know of a question in the end.
pub(crate) enum Decided<'p> {
    /// No run violates the property.
    Holds,
    /// This one does.
    Violated(Box<Replayed<'p>>, Option<Kinds>),
    /// One does, but a limit was hit before it was spelled out and replayed.
    Unfinished(Limit),
    /// A limit was hit first.
    Unknown(Limit),
}

/// Checks a property of a program.
///
/// The run of an answer that is [violated](Verdict::Violated) has been replayed on the semantics,
/// step by step; if the replay fails, the result is an [`InternalError`] and never a verdict.
pub fn check<'p>(
    program: &'p Program,
    property: &Property,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Answer<'p>, InternalError> {
    let mut run = Run::new(options, watch);
    let decided = match property {
        Property::Unreachable { points, .. } if points.is_empty() => Decided::Holds,
        Property::Unreachable { points, .. } => {
            run.reach(program, &Claim::Reaches(points.clone()))?
        }
        Property::Monitor(monitor) if !monitor.states().iter().any(|s| s.target) => Decided::Holds,
        Property::Monitor(monitor) => run.reach(program, &Claim::Monitor(monitor.clone()))?,
        Property::Ltl(property) => {
            infinite::check_formula(&mut run, program, property, automaton::translate)?
        }
        Property::Caret(property) => {
            infinite::check_formula(&mut run, program, property, caret_logic::translate)?
        }
        Property::Never(property) => infinite::check_automaton(&mut run, program, property)?,
    };
    let mut answer = Answer::new(Verdict::Holds, run.engine_name());
    match decided {
        Decided::Holds => {}
        Decided::Violated(replayed, kinds) => {
            answer.verdict = Verdict::Violated;
            answer.evidence = Some(Evidence::Run(replayed));
            answer.kinds = kinds;
        }
        Decided::Unfinished(limit) => {
            answer.verdict = Verdict::Violated;
            answer.unfinished = Some(limit);
        }
        Decided::Unknown(limit) => answer.verdict = Verdict::Unknown(limit),
    }
    answer.stats = run.stats();
    answer.stack = property.is_liveness().then_some(options.stack);
    answer.dropped = run.dropped;
    Ok(answer)
}

/// A check that is being carried out.
pub(crate) struct Run<'a> {
    pub(crate) options: &'a Options,
    clock: Clock<'a>,
    /// What was told last.
    told: Progress,
    /// The numbers of all searches so far.
    explicit: ExplicitProgress,
    symbolic: SymbolicProgress,
    /// The engine that answered, or those that could not.
    engine: Engine,
    /// What is not searched, if the program was sliced.
    dropped: Option<Dropped>,
}

impl<'a> Run<'a> {
    fn new(options: &'a Options, watch: &'a mut dyn Watch) -> Self {
        Run {
            options,
            clock: Clock::new(options.limits, watch),
            told: Progress::default(),
            explicit: ExplicitProgress::default(),
            symbolic: SymbolicProgress::default(),
            engine: match options.engine {
                Engine::Symbolic => Engine::Symbolic,
                _ => Engine::Explicit,
            },
            dropped: None,
        }
    }

    /// Tells who watches, and whether to go on.
    pub(crate) fn tick(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.told = *progress;
        self.clock.tick(progress)
    }

    /// Does work before or after a search, unless it is told to stop.
    pub(crate) fn patiently<T>(&mut self, work: impl FnOnce(&mut Patience<'_>) -> T) -> T {
        let mut ask = || self.tick(&self.told.clone());
        work(&mut Patience::new(&mut ask))
    }

    /// Which limit ended work that was told to stop.
    pub(crate) fn stopped(&self, _: Stop) -> Limit {
        self.limit(Stopped::Asked)
    }

    fn engine_name(&self) -> &'static str {
        match self.engine {
            Engine::Auto => "explicit and symbolic",
            engine => engine.name(),
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
        match why {
            Stopped::Memory => self.clock.memory(),
            Stopped::PathEdges => Limit::PathEdges,
            Stopped::Asked => self.clock.hit(),
        }
    }

    fn stats(&self) -> Stats {
        let (explicit, symbolic) = match self.engine {
            Engine::Auto => (self.explicit, self.symbolic),
            Engine::Symbolic => (ExplicitProgress::default(), self.symbolic),
            _ => (self.explicit, SymbolicProgress::default()),
        };
        Stats {
            states: explicit.states,
            path_edges: explicit.path_edges,
            summaries: explicit.summaries,
            nodes: symbolic.peak_nodes,
            more: Vec::new(),
            seconds: self.clock.seconds(),
            peak_bytes: (self.clock.peak())
                .max(self.explicit.bytes)
                .max(self.symbolic.peak_bytes),
        }
    }

    /// What to search if this is observed.
    pub(crate) fn sliced<'p>(
        &mut self,
        program: &'p Program,
        observed: &Observed<'_>,
    ) -> Result<Sliced<'p>, Limit> {
        let options = self.options;
        let slice = |patience: &mut Patience<'_>| Sliced::new(program, observed, options, patience);
        let sliced = self.patiently(slice).map_err(|stop| self.stopped(stop))?;
        self.dropped = sliced.dropped().cloned();
        Ok(sliced)
    }

    /// Searches for a state as claimed.
    fn reach<'p>(
        &mut self,
        program: &'p Program,
        claim: &Claim,
    ) -> Result<Decided<'p>, InternalError> {
        let observed = match claim {
            Claim::Reaches(points) => Observed::Points(points),
            Claim::Monitor(monitor) => {
                Observed::Conditions(monitor.edges().iter().map(|edge| &edge.guard).collect())
            }
            Claim::Repeats(guards) => Observed::Conditions(guards.iter().collect()),
        };
        let sliced = match self.sliced(program, &observed) {
            Ok(sliced) => sliced,
            Err(limit) => return Ok(Decided::Unknown(limit)),
        };
        let (points, monitor) = match claim {
            Claim::Reaches(points) => (sliced.points(points), None),
            Claim::Monitor(monitor) => (Vec::new(), Some(sliced.monitor(monitor)?)),
            Claim::Repeats(_) => (Vec::new(), None),
        };
        let search = Arc::new(Search::Reaches(points, monitor));
        let trace = match self.search(&sliced, &search)? {
            Ok(Finding::Nothing) => return Ok(Decided::Holds),
            Ok(Finding::Run(trace)) => trace,
            Ok(Finding::Unfinished(limit)) => return Ok(Decided::Unfinished(limit)),
            Err(limit) => return Ok(Decided::Unknown(limit)),
        };
        let replayed = self.patiently(|patience| {
            let trace = sliced.trace(trace, patience)?;
            replay_with_patience(program, trace, claim, patience)
        });
        match replayed {
            Ok(replayed) => Ok(Decided::Violated(Box::new(replayed), None)),
            Err(Unreplayed::Stopped(stop)) => Ok(Decided::Unfinished(self.stopped(stop))),
            Err(Unreplayed::Mismatch(mismatch)) => Err(mismatch.into()),
        }
    }

    /// Has the engine that was chosen, or both, look for a run.
    pub(crate) fn search(
        &mut self,
        sliced: &Sliced<'_>,
        search: &Arc<Search>,
    ) -> Result<Found, InternalError> {
        let options = self.options;
        let program = sliced.program();
        let engine = match options.engine {
            Engine::Auto | Engine::Symbolic if !search.suits_diagrams() => Engine::Explicit,
            // A shortest run was asked for, which diagrams do not give.
            Engine::Auto if options.order == Order::ShortestFirst => Engine::Explicit,
            chosen => chosen,
        };
        match engine {
            Engine::Auto => race(self, &sliced.shared(), search),
            Engine::Symbolic => {
                let tick = &mut |now: &SymbolicProgress| self.tick(&now.into());
                let searched = search.symbolically(program, options, None, tick)?;
                self.add_symbolic(&searched.progress);
                let limit = |why| self.symbolic_limit(why);
                Ok(searched.found.map(|it| it.map(limit)).map_err(limit))
            }
            _ => {
                self.answered(Engine::Explicit);
                let tick = &mut |_: Stage, now: &ExplicitProgress| self.tick(&now.into());
                let searched = search.explicitly(program, options, tick)?;
                self.add_explicit(&searched.progress);
                let limit = |why| self.limit(why);
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

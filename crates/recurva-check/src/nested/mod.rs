//! Questions about branching: formulas of NT-µ on nested state machines and on programs.
//!
//! A program becomes a nested state machine first, with all its reachable states: see
//! [`recurva_explicit::unfold()`]. A violation carries a strategy, which is a proof of the
//! formula's negation and has been checked by what the operators mean; for "always" also an
//! ordinary run of the program, found by another engine and replayed.

mod always;
mod program;
mod read;

use std::{
    collections::HashMap,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_logic::ntmu::{Formula, Modality};
use recurva_model::{
    Nsm, Patience, Point, Program,
    nsm::{NsmWithCallers, PropositionId, StateId},
};
use recurva_nested::{
    CheckError, Progress as Work,
    proof::{Proof, Unchecked},
};

use crate::{ExplicitProgress, InternalError, Options, Outcome, Property, Watch};

pub use program::{Exported, export};
pub use read::{Meaning, Named, Ntmu, Read, Reader};
pub use recurva_nested::{Reduction, proof};

/// What formulas are checked on.
#[derive(Clone, Copy, Debug)]
pub enum Model<'a> {
    /// A program.
    Program(&'a Program),
    /// A nested state machine.
    Machine {
        /// The machine.
        nsm: &'a Nsm,
        /// Whether its initial state stands before those in which runs begin.
        starts: Starts,
    },
}

/// Where the runs of a nested state machine begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// In its initial state.
    Here,
    /// Behind it: there are several, and a formula has to hold in all of them.
    Behind,
}

/// How a check is carried out.
#[derive(Clone, Copy, Debug)]
pub struct NestedOptions {
    /// What is the same for all checks: whether the program is sliced, and the limits.
    pub options: Options,
    /// Whether states that the formula cannot tell apart are merged first.
    pub reduction: Reduction,
    /// How many states a program may have.
    pub max_states: u64,
}

impl Default for NestedOptions {
    fn default() -> Self {
        NestedOptions {
            options: Options::default(),
            reduction: Reduction::Bisimulation,
            max_states: 5_000_000,
        }
    }
}

/// What comes out of a check.
#[derive(Debug)]
pub struct NestedOutcome<'p> {
    /// The answer.
    pub verdict: NestedVerdict<'p>,
    /// The numbers.
    pub stats: NestedStats,
}

/// The answer to a question about branching.
#[derive(Debug)]
pub enum NestedVerdict<'p> {
    /// The formula holds.
    Holds,
    /// It does not, and this is why.
    Violated(Box<Refutation<'p>>),
    /// It does not; a limit was hit before it was known why.
    Unfinished(NestedLimit),
    /// A limit was hit first.
    Unknown(NestedLimit),
}

/// Why a formula does not hold.
#[derive(Debug)]
pub struct Refutation<'p> {
    /// The machine that the strategy is about.
    pub nsm: Nsm,
    /// The negation of the formula.
    pub negation: Formula,
    /// A proof of it, which has been checked.
    pub proof: Proof,
    /// What is to be said of the states in the proof, if the machine was made of a program.
    pub notes: HashMap<StateId, Note>,
    /// If the formula says that something always holds: a run of the program up to where it does
    /// not, and how that was asked for.
    pub run: Option<Box<(Property, Outcome<'p>)>>,
}

/// What a state of a machine that was made of a program stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Where control is, if it is in the program.
    pub point: Option<Point>,
    /// The procedure that is running.
    pub procedure: Box<str>,
    /// The values of its variables and the global ones, as far as they can matter: `x=4`.
    pub values: Vec<String>,
}

/// Which limit ended a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestedLimit {
    /// The time given was used up.
    Time(Duration),
    /// More than this many bytes were held.
    Memory(u64),
    /// The program has more states than this.
    States(u64),
    /// There are more Boolean functions than this.
    Functions(u64),
    /// The strategy has more steps than this.
    Claims(u64),
    /// The watcher said stop.
    Interrupted,
}

/// What a check did, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NestedStats {
    /// The states of the machine.
    pub states: u64,
    /// Those that are left after merging.
    pub merged: u64,
    /// States with what they return to.
    pub pairs: u64,
    /// Subformulas evaluated at such pairs.
    pub cells: u64,
    /// Boolean functions: nodes of decision diagrams.
    pub functions: u64,
    /// Evaluations of subformulas.
    pub evaluations: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Checks a formula.
///
/// # Errors
///
/// A fault of the checker itself: a strategy that is none, or engines that disagree.
pub fn check<'p>(
    model: &Model<'p>,
    property: &Ntmu,
    options: &NestedOptions,
    watch: &mut dyn Watch,
) -> Result<NestedOutcome<'p>, InternalError> {
    let mut run = Run::new(options, watch);
    let verdict = match *model {
        Model::Machine { nsm, starts } => {
            let marked = run.with_callers(nsm, property)?;
            let nsm = marked.as_ref().map_or(nsm, |marked| &marked.nsm);
            run.decide(nsm, starts, property)?.map(|found| {
                let (negation, proof) = found?;
                Some(Refutation {
                    nsm: nsm.clone(),
                    negation,
                    proof,
                    notes: HashMap::new(),
                    run: None,
                })
            })
        }
        Model::Program(program) => program::decide(&mut run, program, property)?,
    };
    let verdict = match verdict {
        Ok(None) => NestedVerdict::Holds,
        Err(limit) if run.is_refuted => NestedVerdict::Unfinished(limit),
        Err(limit) => NestedVerdict::Unknown(limit),
        Ok(Some(mut refutation)) => {
            if let Model::Program(program) = *model {
                refutation.run = always::run(program, property, options, run.watch)?;
            }
            NestedVerdict::Violated(Box::new(refutation))
        }
    };
    run.stats.seconds = run.started.elapsed().as_secs_f64();
    Ok(NestedOutcome {
        verdict,
        stats: run.stats,
    })
}

/// A result, or which limit was hit.
type Limited<T> = Result<T, NestedLimit>;

/// A check that is being carried out.
struct Run<'a> {
    options: &'a NestedOptions,
    watch: &'a mut dyn Watch,
    started: Instant,
    out_of_time: bool,
    /// Whether the formula is known not to hold.
    is_refuted: bool,
    /// The states of the machine, for those who watch.
    states: u64,
    stats: NestedStats,
}

impl<'a> Run<'a> {
    fn new(options: &'a NestedOptions, watch: &'a mut dyn Watch) -> Self {
        Run {
            options,
            watch,
            started: Instant::now(),
            out_of_time: false,
            is_refuted: false,
            states: 0,
            stats: NestedStats::default(),
        }
    }

    /// Tells who watches, and whether to go on.
    fn tick(&mut self, progress: &ExplicitProgress) -> ControlFlow<()> {
        let time = self.options.options.limits.time;
        self.out_of_time = time.is_some_and(|time| self.started.elapsed() >= time);
        if self.out_of_time {
            ControlFlow::Break(())
        } else {
            self.watch.progress(&progress.into())
        }
    }

    /// Does work before or after the solving, unless it is told to stop.
    fn patiently<T>(&mut self, work: impl FnOnce(&mut Patience<'_>) -> T) -> T {
        let progress = ExplicitProgress {
            states: self.states,
            ..ExplicitProgress::default()
        };
        let mut ask = || self.tick(&progress);
        work(&mut Patience::new(&mut ask))
    }

    fn stopped(&self) -> NestedLimit {
        match self.options.options.limits.time {
            Some(time) if self.out_of_time => NestedLimit::Time(time),
            _ => NestedLimit::Interrupted,
        }
    }

    /// The machine with what `on_stack(…)` asks for, if the formula does.
    fn with_callers(
        &self,
        nsm: &Nsm,
        property: &Ntmu,
    ) -> Result<Option<NsmWithCallers>, InternalError> {
        let marks = property.on_stack(nsm);
        if marks.is_empty() {
            return Ok(None);
        }
        let marks: Vec<(&str, Vec<bool>)> = marks
            .iter()
            .map(|(name, list)| (&**name, list.clone()))
            .collect();
        // A state may become several: what is asked of it by name becomes a proposition.
        let mut parts = nsm.clone().into_parts();
        for (text, _) in property.formula.formulas().propositions() {
            let named = text.strip_prefix('@');
            let named = named.filter(|_| nsm.proposition(text).is_none());
            let state = named.and_then(|name| nsm.ids().find(|&state| nsm.name(state) == name));
            if let Some(state) = state {
                let proposition = PropositionId(parts.propositions.len() as u32);
                parts.propositions.push(text.clone());
                parts.states[state.index()].propositions.push(proposition);
            }
        }
        let nsm = Nsm::new(parts)?;
        Ok(Some(nsm.with_callers(&marks)?))
    }

    /// Whether a machine satisfies a formula; if not, the negation with a proof of it.
    fn decide(
        &mut self,
        nsm: &Nsm,
        starts: Starts,
        property: &Ntmu,
    ) -> Result<Limited<Option<(Formula, Proof)>>, InternalError> {
        self.states = nsm.states().len() as u64;
        let formula = match starts {
            Starts::Here => property.formula.clone(),
            Starts::Behind => {
                let mut formulas = property.formula.formulas().clone();
                let root = formulas.local(Modality::All, property.formula.root());
                let closed = Formula::new(formulas, root);
                closed.map_err(|error| InternalError::Witness(error.to_string()))?
            }
        };
        let memory = self.options.options.limits.memory;
        let most = |bytes: u64, default: usize| {
            memory.map_or(default, |memory| default.min((memory / bytes) as usize))
        };
        let defaults = recurva_nested::Options::default();
        let options = recurva_nested::Options {
            reduction: self.options.reduction,
            max_functions: most(50, defaults.max_functions),
            max_claims: most(200, defaults.max_claims),
        };
        let answer = recurva_nested::check(nsm, &formula, &options, |work| self.working(work));
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.failed(&error).map(Err),
        };
        self.stats = NestedStats {
            states: nsm.states().len() as u64,
            merged: answer.states as u64,
            pairs: answer.pairs as u64,
            cells: answer.cells as u64,
            functions: answer.work.functions as u64,
            evaluations: answer.work.evaluations,
            seconds: 0.0,
        };
        if answer.holds {
            return Ok(Ok(None));
        }
        self.is_refuted = true;
        let negation = formula.negation();
        let proved = recurva_nested::prove(nsm, &negation, &options, |work| self.working(work));
        let proof = match proved {
            Ok((_, Some(proof))) => proof,
            Ok((_, None)) => return Err(InternalError::NoViolation),
            Err(error) => return self.failed(&error).map(Err),
        };
        let checked =
            self.patiently(|patience| proof.check_with_patience(nsm, &negation, patience));
        match checked {
            Ok(()) => Ok(Ok(Some((negation, proof)))),
            Err(Unchecked::Stopped(_)) => Ok(Err(self.stopped())),
            Err(Unchecked::Flaw(flaw)) => Err(InternalError::Witness(flaw.to_string())),
        }
    }

    fn working(&mut self, work: &Work) -> ControlFlow<()> {
        let progress = ExplicitProgress {
            states: self.states,
            path_edges: work.evaluations,
            bytes: work.functions as u64 * 50,
            ..ExplicitProgress::default()
        };
        self.tick(&progress)
    }

    fn failed(&self, error: &CheckError) -> Result<NestedLimit, InternalError> {
        match error {
            CheckError::Stopped => Ok(self.stopped()),
            CheckError::TooLarge { functions } => Ok(NestedLimit::Functions(*functions as u64)),
            CheckError::TooManyClaims { claims } => Ok(NestedLimit::Claims(*claims as u64)),
            CheckError::Unknown(_) | CheckError::Unexplained => {
                Err(InternalError::Witness(error.to_string()))
            }
        }
    }
}

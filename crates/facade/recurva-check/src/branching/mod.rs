//! Questions about branching: formulas of NT-µ and automata on nested trees, on nested state
//! machines and on programs.
//!
//! A program becomes a nested state machine first, with all its reachable states: see
//! [`recurva_explicit::unfold()`]. A violation carries a strategy, which is a proof of the
//! formula's negation and has been checked by what the operators mean; for "always" also an
//! ordinary run of the program, found by another engine and replayed.

mod always;
mod ask;
mod read;
mod saved;
mod trees;
mod unfold;

use std::{collections::HashMap, ops::ControlFlow};

use recurva_logic::ntmu::{Formula, Modality};
use recurva_model::{
    Nsm, Patience, Point, Program,
    nsm::{NsmWithCallers, PropositionId, StateId},
};
use recurva_nested::{
    CheckError, Progress as Evaluating, Reduction,
    proof::{Proof, Unchecked},
};

use crate::{
    Answer, Evidence, ExplicitProgress, InternalError, Limit, Options, Property, Stats, Verdict,
    Watch, Work, watch::Clock,
};

pub(crate) use ask::{NtmuQuestion, TreeQuestion};
pub use read::{Meaning, Named, Ntmu, Read, Reader};
pub use recurva_nested::proof;
pub(crate) use saved::record;
pub use trees::{Tree, check_tree, empty};
pub use unfold::{Exported, export};

/// What questions about branching are asked of.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A program, and where its runs begin: behind its first state if it was made from C, whose
    /// conditions its propositions are then.
    Program(&'a Program, Starts),
    /// A nested state machine.
    Machine {
        /// The machine.
        nsm: &'a Nsm,
        /// Whether its initial state stands before those in which runs begin.
        starts: Starts,
    },
}

/// Where the runs of a model begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// In its first state.
    Here,
    /// Behind it: a formula has to hold in all states to which its first step leads. A machine has
    /// such a state if it has several initial ones; a program, if its variables get their first
    /// values there.
    Behind,
}

/// What the engine that answers is called.
const ENGINE: &str = "nested";

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
    pub notes: HashMap<StateId, StateNote>,
    /// If the formula says that something always holds: a run of the program up to where it does
    /// not, and how that was asked for.
    pub run: Option<Box<(Property, Answer<'p>)>>,
}

/// What a state of a machine that was made of a program stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateNote {
    /// Where control is, if it is in the program.
    pub point: Option<Point>,
    /// The procedure that is running.
    pub procedure: Box<str>,
    /// The values of its variables and the global ones, as far as they can matter: `x=4`.
    pub values: Vec<String>,
}

/// Checks a formula.
///
/// # Errors
///
/// A fault of the checker itself: a strategy that is none, or engines that disagree.
pub fn check<'p>(
    subject: &Subject<'p>,
    property: &Ntmu,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Answer<'p>, InternalError> {
    let mut run = Run::new(options, watch);
    let refuted = match *subject {
        Subject::Machine { nsm, starts } => {
            let marked = run.with_callers(nsm, property.texts())?;
            let nsm = marked.as_ref().map_or(nsm, |marked| &marked.nsm);
            let decided = run.decide(nsm, starts, property)?;
            decided.map(|proved| proved.map(|proved| Refutation::new(nsm, proved)))
        }
        Subject::Program(program, starts) => unfold::decide(&mut run, (program, starts), property)?,
    };
    let mut answer = Answer::new(Verdict::Holds, ENGINE);
    match refuted {
        Ok(None) => {}
        Err(limit) if run.is_refuted => {
            answer.verdict = Verdict::Violated;
            answer.unfinished = Some(limit);
        }
        Err(limit) => answer.verdict = Verdict::Unknown(limit),
        Ok(Some(mut refutation)) => {
            if let Subject::Program(program, Starts::Here) = *subject {
                let limits = run.clock.left();
                let options = Options { limits, ..*options };
                refutation.run = always::run(program, property, &options, run.clock.watch())?;
            }
            answer.verdict = Verdict::Violated;
            answer.evidence = Some(Evidence::Strategy(Box::new(refutation)));
        }
    }
    answer.stats = run.finish();
    Ok(answer)
}

/// About how much a Boolean function takes, and a claim of a proof.
const BYTES_OF_FUNCTION: u64 = 50;
const BYTES_OF_CLAIM: u64 = 200;

/// A result, or which limit was hit.
type Limited<T> = Result<T, Limit>;

/// The negation of a formula, and a proof of it.
type Proved = (Formula, Proof);

/// A check that is being carried out.
struct Run<'a> {
    options: &'a Options,
    clock: Clock<'a>,
    /// Whether the formula is known not to hold.
    is_refuted: bool,
    /// The states of the machine, for those who watch.
    states: u64,
    stats: Stats,
}

impl<'a> Run<'a> {
    fn new(options: &'a Options, watch: &'a mut dyn Watch) -> Self {
        Run {
            options,
            clock: Clock::new(options.limits, watch),
            is_refuted: false,
            states: 0,
            stats: Stats::default(),
        }
    }

    /// Does work before or after the solving, unless it is told to stop.
    fn patiently<T>(&mut self, work: impl FnOnce(&mut Patience<'_>) -> T) -> T {
        let progress = ExplicitProgress {
            states: self.states,
            ..ExplicitProgress::default()
        };
        let mut ask = || self.clock.tick(&(&progress).into());
        work(&mut Patience::new(&mut ask))
    }

    /// The numbers in the end.
    fn finish(self) -> Stats {
        Stats {
            seconds: self.clock.seconds(),
            peak_bytes: self.clock.peak(),
            ..self.stats
        }
    }

    /// The machine with what `on_stack(…)` asks for, if one of the propositions does.
    fn with_callers<'t>(
        &self,
        nsm: &Nsm,
        texts: impl Iterator<Item = &'t str> + Clone,
    ) -> Result<Option<NsmWithCallers>, InternalError> {
        let marks = read::on_stack(nsm, texts.clone());
        if marks.is_empty() {
            return Ok(None);
        }
        // A state may become several: what is asked of it by name becomes a proposition.
        let mut parts = nsm.clone().into_parts();
        for text in texts {
            let named = text.strip_prefix('@');
            let named = named.filter(|_| nsm.proposition(text).is_none());
            let state = named.and_then(|name| nsm.ids().find(|&state| nsm.name(state) == name));
            if let Some(state) = state {
                let proposition = PropositionId(parts.propositions.len() as u32);
                parts.propositions.push(text.into());
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
    ) -> Result<Limited<Option<Proved>>, InternalError> {
        self.states = nsm.states().len() as u64;
        let formula = started(starts, property)?;
        let memory = self.options.limits.memory;
        let most = |bytes: u64, default: usize| {
            memory.map_or(default, |memory| default.min((memory / bytes) as usize))
        };
        let defaults = recurva_nested::Options::default();
        let options = recurva_nested::Options {
            reduction: match self.options.merge {
                true => Reduction::Bisimulation,
                false => Reduction::None,
            },
            max_functions: most(BYTES_OF_FUNCTION, defaults.max_functions),
            max_claims: most(BYTES_OF_CLAIM, defaults.max_claims),
        };
        let answer = recurva_nested::check(nsm, &formula, &options, |work| self.working(work));
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.failed(&error).map(Err),
        };
        self.stats = Stats {
            states: nsm.states().len() as u64,
            nodes: answer.work.functions as u64,
            more: vec![
                ("merged", answer.states as u64),
                ("pairs", answer.pairs as u64),
                ("cells", answer.cells as u64),
                ("evaluations", answer.work.evaluations),
            ],
            ..Stats::default()
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
            Err(Unchecked::Stopped(_)) => Ok(Err(self.clock.hit())),
            Err(Unchecked::Flaw(flaw)) => Err(InternalError::Witness(flaw.to_string())),
        }
    }

    fn working(&mut self, work: &Evaluating) -> ControlFlow<()> {
        let work = Work {
            what: "evaluating the formula",
            round: 0,
            number: work.evaluations,
            unit: "evaluations",
            bytes: work.functions as u64 * BYTES_OF_FUNCTION,
        };
        self.clock.tick(&work.into())
    }

    fn unfolding(&mut self, progress: &ExplicitProgress) -> ControlFlow<()> {
        self.clock.tick(&progress.into())
    }

    fn failed(&self, error: &CheckError) -> Result<Limit, InternalError> {
        match error {
            CheckError::Stopped => Ok(self.clock.hit()),
            CheckError::TooLarge { functions } => Ok(Limit::Functions(*functions as u64)),
            CheckError::TooManyClaims { claims } => Ok(Limit::Claims(*claims as u64)),
            CheckError::Unknown(_) | CheckError::Unexplained => {
                Err(InternalError::Witness(error.to_string()))
            }
        }
    }
}

/// The formula that has to hold in the initial state of a machine.
fn started(starts: Starts, property: &Ntmu) -> Result<Formula, InternalError> {
    match starts {
        Starts::Here => Ok(property.formula.clone()),
        Starts::Behind => {
            let mut formulas = property.formula.formulas().clone();
            let root = formulas.local(Modality::All, property.formula.root());
            let closed = Formula::new(formulas, root);
            closed.map_err(|error| InternalError::Witness(error.to_string()))
        }
    }
}

impl Refutation<'_> {
    fn new(nsm: &Nsm, (negation, proof): Proved) -> Self {
        Refutation {
            nsm: nsm.clone(),
            negation,
            proof,
            notes: HashMap::new(),
            run: None,
        }
    }
}

//! Deeper and deeper attempts.

use std::ops::ControlFlow;

use recurva_certificate::Proof;
use recurva_encode::Joints;
use recurva_evidence::Trace;
use recurva_model::{Point, Program};
use recurva_smt::{Answer, Embedded, EmbeddedLimits, Term, Terms, Unknown};
use rustc_hash::FxHashMap;

use crate::{
    place::Places,
    relevant::Relevant,
    run::Reader,
    said::Teller,
    unroll::{Attempt, Bounds, Ended, Judge, Setting, Unrolled},
};

/// About what a term takes, with what is made of it.
const BYTES_PER_TERM: u64 = 160;

/// The places of the first attempt; each later one may have more.
const PLACES: u64 = 2_000;

/// So many terms may be looked at for each place to find out whether it is reached.
const TERMS_PER_PLACE: u64 = 64;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Config {
    /// Runs are followed no deeper than that.
    pub max_depth: u32,
    /// About so many bytes may be held.
    pub max_bytes: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_depth: u32::MAX,
            max_bytes: 1 << 30,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The depth of this attempt.
    pub depth: u32,
    /// How many places the unrolled program has so far.
    pub places: u64,
    /// Where it has not been followed further.
    pub frontier: u64,
    /// Terms made.
    pub terms: u64,
    /// Questions asked of the solver.
    pub checks: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The caller said stop.
    Stopped,
    /// [`Config::max_bytes`] was reached.
    Memory,
    /// [`Config::max_depth`] was reached.
    Depth,
    /// The solver gave up, or what it said was no run.
    Solver(String),
    /// No run reaches an error, but the formulas of a proof would be too large.
    Large,
    /// No run reaches an error, but one reaches another target.
    Target,
}

/// What a search found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A run to a target. Replay it.
    Run(Box<Trace>),
    /// A proof that there is none. Check it.
    Proof(Box<Proof>),
    /// All runs end, or come to where no target can be reached, within this depth, and none comes to
    /// a target. Nothing proves it but that this was said.
    Bounded(u32),
    /// It is not known.
    Unknown(Reason),
}

/// Searches for a run to one of the targets, among all runs up to a depth, then among deeper ones.
///
/// `ask` is told how far the search is, and can end it.
pub fn search(
    program: &Program,
    targets: &[Point],
    config: &Config,
    ask: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Outcome {
    let setting = Setting::new(program, Relevant::new(program, targets));
    Search::new(config, ask).follow(&setting, None).0
}

/// Searches for a run to one of the `errors`. If there is none, however far the program is unrolled, a proof
/// that no `target` is reached is made of what was seen: errors are among these. The checker has not seen it.
///
/// `ask` is told how far the search is, and can end it.
pub fn search_and_prove(
    program: &Program,
    (errors, targets): (&[Point], &[Point]),
    config: &Config,
    ask: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Outcome {
    let mut search = Search::new(config, ask);
    let setting = Setting::new(program, Relevant::new(program, errors));
    let (outcome, _) = search.follow(&setting, None);
    let Outcome::Bounded(_) = outcome else {
        return outcome;
    };
    let joints = Joints::new(program);
    let setting = Setting::new(program, Relevant::in_any_call(program, targets));
    match search.follow(&setting, Some(&joints)) {
        (Outcome::Bounded(_), found) => {
            let Search {
                terms,
                places,
                oracle,
                ..
            } = &mut search;
            let mut teller = Teller::new(&setting, &joints, (terms, places, oracle));
            match teller.proof(&found) {
                Ok(Some(proof)) => Outcome::Proof(Box::new(proof)),
                Ok(None) => Outcome::Unknown(Reason::Large),
                Err(Ended) => Outcome::Unknown(search.oracle.reason),
            }
        }
        (Outcome::Run(_), _) => Outcome::Unknown(Reason::Target),
        (other, _) => other,
    }
}

/// Attempts, one after the other.
struct Search<'a> {
    terms: Terms,
    places: Places,
    oracle: Oracle<'a>,
    bounds: Bounds,
    max_depth: u32,
}

impl<'a> Search<'a> {
    fn new(config: &Config, ask: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Self {
        Search {
            terms: Terms::default(),
            places: Places::default(),
            oracle: Oracle {
                solver: Embedded::new(EmbeddedLimits {
                    memory: config.max_bytes,
                    time: None,
                }),
                known: FxHashMap::default(),
                progress: Progress::default(),
                max_terms: config.max_bytes / BYTES_PER_TERM,
                checked: 0,
                reason: Reason::Stopped,
                ask,
            },
            bounds: Bounds {
                depth: 1,
                places: PLACES,
            },
            max_depth: config.max_depth,
        }
    }

    /// Unrolls the program more and more, from the bounds of the last attempt on.
    fn follow(&mut self, setting: &Setting<'_>, joints: Option<&Joints>) -> (Outcome, Unrolled) {
        loop {
            self.oracle.progress.depth = self.bounds.depth;
            let attempt = Attempt {
                setting,
                places: &mut self.places,
                terms: &mut self.terms,
                bounds: self.bounds,
                judge: &mut self.oracle,
                joints,
                found: Unrolled::default(),
            };
            let unknown = |reason: &Reason| Outcome::Unknown(reason.clone());
            let Ok(found) = attempt.run() else {
                return (unknown(&self.oracle.reason), Unrolled::default());
            };
            match self.any(&found.targets) {
                Ok(Answer::Satisfiable(model)) => {
                    let reader = Reader {
                        setting,
                        places: &mut self.places,
                        terms: &mut self.terms,
                        found: &found,
                        model: &model,
                    };
                    let outcome = match reader.trace() {
                        Some(trace) => Outcome::Run(Box::new(trace)),
                        None => Outcome::Unknown(Reason::Solver("no run".to_owned())),
                    };
                    return (outcome, found);
                }
                Ok(Answer::Unsatisfiable(_)) => {}
                Ok(Answer::Unknown(_)) | Err(Ended) => {
                    return (unknown(&self.oracle.reason), found);
                }
            }
            match self.any(&found.frontier) {
                Ok(Answer::Satisfiable(_)) => {}
                Ok(Answer::Unsatisfiable(_)) => {
                    return (Outcome::Bounded(self.bounds.depth), found);
                }
                Ok(Answer::Unknown(_)) | Err(Ended) => {
                    return (unknown(&self.oracle.reason), found);
                }
            }
            if self.bounds.depth >= self.max_depth {
                return (Outcome::Unknown(Reason::Depth), found);
            }
            let deeper = self.bounds.depth + 1 + self.bounds.depth / 3;
            self.bounds = Bounds {
                depth: deeper.min(self.max_depth),
                places: self.bounds.places.saturating_mul(2),
            };
        }
    }

    /// Whether any of these can be true.
    fn any(&mut self, conditions: &[Term]) -> Result<Answer, Ended> {
        let condition = self.terms.or(conditions);
        let condition = self.places.expanded(&mut self.terms, condition);
        self.oracle.check(&mut self.terms, condition)
    }
}

/// The solver, and what it has said.
pub(crate) struct Oracle<'a> {
    solver: Embedded,
    /// Whether conditions can be true.
    known: FxHashMap<Term, bool>,
    progress: Progress,
    max_terms: u64,
    /// How many places there were when the solver was last asked about one.
    checked: u64,
    reason: Reason,
    ask: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Oracle<'_> {
    pub(crate) fn check(&mut self, terms: &mut Terms, condition: Term) -> Result<Answer, Ended> {
        self.progress.checks += 1;
        self.progress.terms = terms.count() as u64;
        let Oracle {
            solver,
            ask,
            progress,
            ..
        } = self;
        let answer = solver.check(terms, &[condition], &mut || ask(progress));
        if let Answer::Unknown(unknown) = answer {
            self.reason = match unknown {
                Unknown::Stopped => Reason::Stopped,
                Unknown::Memory => Reason::Memory,
                other => Reason::Solver(other.to_string()),
            };
            return Err(Ended);
        }
        Ok(answer)
    }
}

impl Oracle<'_> {
    /// Whether to go on, between questions.
    pub(crate) fn go_on(&mut self, terms: &Terms) -> Result<(), Ended> {
        self.progress.terms = terms.count() as u64;
        if self.progress.terms > self.max_terms {
            self.reason = Reason::Memory;
            return Err(Ended);
        }
        match (self.ask)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                self.reason = Reason::Stopped;
                Err(Ended)
            }
        }
    }
}

impl Judge for Oracle<'_> {
    fn is_possible(
        &mut self,
        terms: &mut Terms,
        found: &Unrolled,
        condition: Term,
    ) -> Result<bool, Ended> {
        if let Some(&known) = self.known.get(&condition) {
            return Ok(known);
        }
        // A question costs as much as there are terms.
        let places = found.places.abs_diff(self.checked);
        if places * TERMS_PER_PLACE < terms.count() as u64 {
            return Ok(true);
        }
        self.checked = found.places;
        self.is_possible_at_all(terms, condition)
    }

    fn is_possible_at_all(&mut self, terms: &mut Terms, condition: Term) -> Result<bool, Ended> {
        if let Some(&known) = self.known.get(&condition) {
            return Ok(known);
        }
        let is_possible = self.check(terms, condition)?.is_satisfiable();
        self.known.insert(condition, is_possible);
        Ok(is_possible)
    }

    fn tick(&mut self, terms: &Terms, found: &Unrolled) -> ControlFlow<Ended> {
        self.progress.places = found.places;
        self.progress.frontier = found.frontier.len() as u64;
        match self.go_on(terms) {
            Ok(()) => ControlFlow::Continue(()),
            Err(ended) => ControlFlow::Break(ended),
        }
    }
}

//! Deeper and deeper attempts.

use std::ops::ControlFlow;

use recurva_evidence::Trace;
use recurva_model::{Point, Program};
use recurva_smt::{Answer, Embedded, EmbeddedLimits, Term, Terms, Unknown};
use rustc_hash::FxHashMap;

use crate::{
    place::Places,
    run::Reader,
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
}

/// What a search found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A run to a target. Replay it.
    Run(Box<Trace>),
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
    let setting = Setting::new(program, targets);
    let mut terms = Terms::default();
    let mut places = Places::default();
    let mut oracle = Oracle {
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
    };
    let mut bounds = Bounds {
        depth: 1,
        places: PLACES,
    };
    loop {
        oracle.progress.depth = bounds.depth;
        let attempt = Attempt {
            setting: &setting,
            places: &mut places,
            terms: &mut terms,
            bounds,
            judge: &mut oracle,
            found: Unrolled::default(),
        };
        let Ok(found) = attempt.run() else {
            return Outcome::Unknown(oracle.reason);
        };
        let condition = terms.or(&found.targets);
        match oracle.check(&mut terms, condition) {
            Ok(Answer::Satisfiable(model)) => {
                let reader = Reader {
                    setting: &setting,
                    places: &mut places,
                    terms: &mut terms,
                    found: &found,
                    model: &model,
                };
                return match reader.trace() {
                    Some(trace) => Outcome::Run(Box::new(trace)),
                    None => Outcome::Unknown(Reason::Solver("no run".to_owned())),
                };
            }
            Ok(Answer::Unsatisfiable(_)) => {}
            Ok(Answer::Unknown(_)) | Err(Ended) => return Outcome::Unknown(oracle.reason),
        }
        let further = terms.or(&found.frontier);
        match oracle.check(&mut terms, further) {
            Ok(Answer::Satisfiable(_)) => {}
            Ok(Answer::Unsatisfiable(_)) => return Outcome::Bounded(bounds.depth),
            Ok(Answer::Unknown(_)) | Err(Ended) => return Outcome::Unknown(oracle.reason),
        }
        if bounds.depth >= config.max_depth {
            return Outcome::Unknown(Reason::Depth);
        }
        let deeper = bounds.depth + 1 + bounds.depth / 3;
        bounds = Bounds {
            depth: deeper.min(config.max_depth),
            places: bounds.places.saturating_mul(2),
        };
    }
}

/// The solver, and what it has said.
struct Oracle<'a> {
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
    fn check(&mut self, terms: &mut Terms, condition: Term) -> Result<Answer, Ended> {
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
        let is_possible = self.check(terms, condition)?.is_satisfiable();
        self.known.insert(condition, is_possible);
        Ok(is_possible)
    }

    fn tick(&mut self, terms: &Terms, found: &Unrolled) -> ControlFlow<Ended> {
        self.progress.places = found.places;
        self.progress.frontier = found.frontier.len() as u64;
        self.progress.terms = terms.count() as u64;
        if self.progress.terms > self.max_terms {
            self.reason = Reason::Memory;
            return ControlFlow::Break(Ended);
        }
        match (self.ask)(&self.progress) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => {
                self.reason = Reason::Stopped;
                ControlFlow::Break(Ended)
            }
        }
    }
}

//! The loop: explore, look at the run that was found, refine.

use std::{cell::RefCell, collections::BTreeMap, ops::ControlFlow};

use recurva_certificate::{
    Proof,
    check::{EmbeddedJudge, Why, check},
};
use recurva_evidence::Trace;
use recurva_explicit::{Answer, Config as SearchConfig, Order, Stopped, reach};
use recurva_model::{Expr, Point, Program};
use recurva_smt::Unknown;
use rustc_hash::FxHashSet;

use crate::{
    abstraction::{Abstraction, State, Wide},
    concrete,
    cuts::{CutId, Cuts},
    pool::Pool,
    proof::proof,
    refine::refine,
    run,
    wanted::earlier,
};

/// What may be used.
#[derive(Clone, Debug)]
pub struct Config {
    /// About so many bytes.
    pub memory: u64,
    /// Predicates at one node.
    pub predicates: usize,
    /// Refinements.
    pub rounds: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            memory: 2 << 30,
            predicates: 120,
            rounds: 1000,
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Explorations of the abstraction.
    pub rounds: usize,
    /// Predicates, at all nodes.
    pub predicates: usize,
    /// Questions to solvers, for the abstraction.
    pub calls: u64,
    /// States in the last exploration.
    pub states: usize,
}

/// What came out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No target is reached.
    Proof(Proof),
    /// A target is reached. It has not been replayed.
    Run(Trace),
    /// It is not known, for the reason given.
    Unknown(String),
    /// Whoever asked does not want to wait any longer.
    Stopped,
}

/// An exploration in which questions with many answers have more than so many ends, if some of them could
/// be known earlier.
const WIDEST: usize = 200;

/// Predicates, by node.
type Predicates = BTreeMap<Point, Vec<Expr>>;

/// Whether a program comes to one of some nodes. `ask` is asked now and then whether to go on. A proof has
/// been accepted by the checker of proofs; a run is still to be replayed.
pub fn prove(
    program: &Program,
    targets: &[Point],
    config: &Config,
    ask: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Outcome {
    let progress = RefCell::new(Progress::default());
    let ask = RefCell::new(ask);
    let ask = || {
        let progress = *progress.borrow();
        (ask.borrow_mut())(&progress)
    };
    let mut prover = Prover {
        program,
        targets,
        config,
        progress: &progress,
        ask: &ask,
        pool: Pool::new(program),
        predicates: Predicates::new(),
        more: Vec::new(),
    };
    loop {
        match prover.explore() {
            Err(outcome) => return outcome,
            Ok(joints) => {
                let before = prover.more.len();
                for joint in joints {
                    if !prover.more.contains(&joint) {
                        prover.more.push(joint);
                    }
                }
                if prover.more.len() == before {
                    return Outcome::Unknown("no proof was found that is accepted".to_owned());
                }
            }
        }
    }
}

/// A search for a proof.
struct Prover<'p> {
    program: &'p Program,
    targets: &'p [Point],
    config: &'p Config,
    progress: &'p RefCell<Progress>,
    ask: &'p dyn Fn() -> ControlFlow<()>,
    pool: Pool,
    predicates: Predicates,
    /// Cuts besides those that are needed.
    more: Vec<Point>,
}

impl Prover<'_> {
    /// Explores and refines until there is an outcome, or joints that should be cuts.
    fn explore(&mut self) -> Result<Vec<Point>, Outcome> {
        let (program, config) = (self.program, self.config);
        let cuts = Cuts::new(program, self.targets, &self.more);
        let mut often = self.ask;
        let mut refining = self.ask;
        let mut abstraction = Abstraction::new(program, cuts, config.memory, &mut often);
        for (&point, predicates) in &self.predicates {
            if let Some(cut) = abstraction.cuts.at(point) {
                abstraction.predicates[cut.index()].clone_from(predicates);
            }
        }
        let mut widest = WIDEST;
        while self.progress.borrow().rounds < config.rounds {
            self.progress.borrow_mut().rounds += 1;
            let mut reached: FxHashSet<State> = FxHashSet::default();
            let search = SearchConfig {
                order: Order::ShortestFirst,
                max_bytes: Some(config.memory / 4),
            };
            abstraction.limit_width(widest);
            let is_target = |state: &State| {
                reached.insert(*state);
                abstraction.cuts.is_target[state.cut.index()]
            };
            let finished = reach(&abstraction, &search, is_target, |_| abstraction.ask());
            {
                let mut progress = self.progress.borrow_mut();
                progress.calls = abstraction.calls();
                progress.states = reached.len();
            }
            if let Some(why) = abstraction.failed() {
                return Err(unknown(why));
            }
            if let Some(wide) = abstraction.too_wide() {
                let earlier = self.known_earlier(&abstraction, &wide);
                if earlier.is_empty() {
                    widest = usize::MAX;
                }
                self.add(&mut abstraction, earlier)?;
                continue;
            }
            widest = WIDEST;
            let witness = match finished.answer {
                Answer::Unreachable => {
                    return match proof(&abstraction, &reached) {
                        Ok(proof) => self.checked(&abstraction, proof),
                        Err(joints) => Ok(joints),
                    };
                }
                Answer::Stopped(Stopped::Asked) => return Err(Outcome::Stopped),
                Answer::Stopped(Stopped::Memory) => return Err(unknown(Unknown::Memory)),
                Answer::Stopped(Stopped::PathEdges) => return Err(gave_up("too many states")),
                Answer::Reached(witness) => witness,
            };
            let Some(moves) = run::moves(&abstraction, &witness) else {
                return Err(match abstraction.failed() {
                    Some(why) => unknown(why),
                    None => gave_up("an abstract run is too long"),
                });
            };
            match concrete::trace(&abstraction, &moves, config.memory, &mut refining) {
                Ok(Some(trace)) => return Err(Outcome::Run(trace)),
                Ok(None) => {}
                Err(why) => return Err(unknown(why)),
            }
            let found = refine(
                &abstraction,
                &self.pool,
                &moves,
                config.memory,
                &mut refining,
            );
            let found = found.map_err(unknown)?;
            if found.is_empty() {
                return Err(gave_up("no predicates were found that rule a run out"));
            }
            self.add(&mut abstraction, found)?;
        }
        Err(gave_up("too many rounds"))
    }

    fn add(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        found: Vec<(CutId, Expr)>,
    ) -> Result<(), Outcome> {
        for (cut, predicate) in found {
            let here = &mut abstraction.predicates[cut.index()];
            if here.len() >= self.config.predicates {
                return Err(gave_up("too many predicates at one node"));
            }
            here.push(predicate.clone());
            let point = abstraction.cuts.points[cut.index()];
            self.predicates.entry(point).or_default().push(predicate);
            self.progress.borrow_mut().predicates += 1;
        }
        Ok(())
    }

    /// Predicates that would tell earlier which of many answers are possible.
    fn known_earlier(&self, abstraction: &Abstraction<'_>, wide: &[Wide]) -> Vec<(CutId, Expr)> {
        let mut found: Vec<(CutId, Expr)> = Vec::new();
        for Wide {
            segment,
            way,
            differ,
        } in wide
        {
            let cut = abstraction.asked_about(*segment, *way);
            let segment = &abstraction.cuts.segments[segment.index()];
            for &at in differ {
                let predicate = &abstraction.predicates[cut.index()][at];
                for one in earlier(abstraction, segment, *way, predicate) {
                    let is_known = abstraction.predicates[one.0.index()].contains(&one.1);
                    if !is_known && !found.contains(&one) && abstraction.can_know(one.0, &one.1) {
                        found.push(one);
                    }
                }
            }
        }
        found
    }

    /// A proof that is accepted, or the joints where it is not.
    fn checked(&self, abstraction: &Abstraction<'_>, proof: Proof) -> Result<Vec<Point>, Outcome> {
        let mut judge = EmbeddedJudge::default();
        judge.limits.memory = self.config.memory;
        let mut ask = self.ask;
        let checked = check(self.program, self.targets, &proof, &mut judge, &mut ask);
        let Err(rejected) = checked else {
            return Err(Outcome::Proof(proof));
        };
        if let Why::Unknown(why @ (Unknown::Stopped | Unknown::Memory)) = &rejected.why {
            return Err(unknown(why.clone()));
        }
        let points = [rejected.obligation.from, Some(rejected.obligation.to)];
        let points = points.into_iter().flatten();
        Ok(points
            .filter(|&it| abstraction.cuts.at(it).is_none())
            .collect())
    }
}

fn gave_up(why: &str) -> Outcome {
    Outcome::Unknown(why.to_owned())
}

fn unknown(why: Unknown) -> Outcome {
    match why {
        Unknown::Stopped => Outcome::Stopped,
        other => Outcome::Unknown(other.to_string()),
    }
}

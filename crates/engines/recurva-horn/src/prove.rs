//! From clauses to proofs that have been checked.

use std::{
    cell::Cell,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_certificate::Proof;
use recurva_encode::{Encoder, Numbers};
use recurva_model::{Patience, Point, Program, Stop};
use recurva_smt::{
    Term, Terms, Unknown,
    process::{Tool, ToolLimits},
};
use rustc_hash::FxHashMap;

use crate::{
    clause::System,
    houdini::{self, Lemmas},
    judge::Solvers,
    large,
    make::{Maker, Prepared, Ranges},
    script::{self, Solved},
};

/// How a proof is looked for.
#[derive(Clone, Debug)]
pub struct Config {
    /// Z3.
    pub solver: Tool,
    /// Another solver. Without it, a proof counts only if the solver that is built in can check it.
    pub second: Option<Tool>,
    /// How long it may take.
    pub time: Duration,
    /// How many bytes the solver may use.
    pub memory: u64,
}

impl Config {
    /// Half a minute with a solver, and 2 GiB.
    pub fn new(solver: Tool) -> Self {
        Config {
            solver,
            second: None,
            time: Duration::from_secs(30),
            memory: 2 << 30,
        }
    }
}

/// What numbers were to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What they were.
    pub numbers: Numbers,
    /// Whether it was told that variables have values of their types.
    pub has_ranges: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No target is reachable: a proof that has been checked, and what led to it.
    Proof(Proof, Stage),
    /// The solver says that a target is reachable. That is only a hint, and a weak one unless numbers were
    /// bits.
    Reachable(Stage),
    /// It is not known, and why.
    Unknown(String),
    /// Nobody waited.
    Stopped,
}

/// The stages in their order, each with the part of the time that is left which it may take: one in so
/// many. What is quick with bits is not worth a detour, what is not comes last.
const STAGES: [(Stage, u32); 5] = [
    (stage(Numbers::Ideal, false), 4),
    (stage(Numbers::Bits, false), 6),
    (stage(Numbers::Ideal, true), 4),
    (stage(Numbers::Wrapping, true), 2),
    (stage(Numbers::Bits, false), 1),
];

const fn stage(numbers: Numbers, has_ranges: bool) -> Stage {
    Stage {
        numbers,
        has_ranges,
    }
}

/// Looks for a proof that no target is ever reached.
pub fn prove(
    program: &Program,
    targets: &[Point],
    config: &Config,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Outcome {
    let is_stopped = Cell::new(false);
    let mut ask = || {
        if ask().is_break() {
            is_stopped.set(true);
        }
        match is_stopped.get() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let prepared = match Prepared::new(program, targets, &mut Patience::new(&mut ask)) {
        Ok(prepared) => prepared,
        Err(Stop) => return Outcome::Stopped,
    };
    let mut prover = Prover {
        program,
        targets,
        prepared,
        config,
        terms: Terms::default(),
        until: Instant::now() + config.time,
        kept: Lemmas::new(),
        facts: FxHashMap::default(),
        origins: FxHashMap::default(),
        bits: System::default(),
    };
    match prover.run(&mut ask) {
        _ if is_stopped.get() => Outcome::Stopped,
        Ok(outcome) => outcome,
        Err(Stop) => Outcome::Unknown("the limit on time was hit".to_owned()),
    }
}

pub(crate) type Ask<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

pub(crate) struct Prover<'a> {
    pub(crate) program: &'a Program,
    pub(crate) targets: &'a [Point],
    pub(crate) prepared: Prepared,
    pub(crate) config: &'a Config,
    pub(crate) terms: Terms,
    until: Instant,
    /// Clauses about what the program really computes.
    pub(crate) bits: System,
    /// Lemmas that follow from each other over those.
    pub(crate) kept: Lemmas,
    /// What is said of integers and may well hold, for each predicate: the predicate's parameters, and what
    /// is said of them.
    pub(crate) facts: FxHashMap<Point, Vec<(Vec<Term>, Term)>>,
    /// Of a node's lemma over bits what was said of integers.
    pub(crate) origins: FxHashMap<(Point, Term), (Vec<Term>, Term)>,
}

impl Prover<'_> {
    fn run(&mut self, ask: Ask<'_>) -> Result<Outcome, Stop> {
        self.bits = self.system(Numbers::Bits, Ranges::Left, ask)?;
        self.kept = vec![Vec::new(); self.bits.predicates.len()];
        self.equations(ask)?;
        let mut reachable = None;
        let mut reasons: Vec<String> = Vec::new();
        for (stage, part) in STAGES {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match self.stage(stage, Instant::now() + left / part, ask)? {
                Attempt::Proved(proof) => return Ok(Outcome::Proof(proof, stage)),
                Attempt::Refuted => {
                    reasons.push(format!("{stage:?}: refuted"));
                    // All others know less of what the program does.
                    if stage.numbers == Numbers::Bits {
                        return Ok(Outcome::Reachable(stage));
                    }
                    reachable = reachable.or(Some(stage));
                }
                Attempt::Failed(why) => reasons.push(format!("{stage:?}: {why}")),
            }
        }
        Ok(match reachable {
            Some(stage) => Outcome::Reachable(stage),
            None => Outcome::Unknown(reasons.join("; ")),
        })
    }

    /// Looks for linear equations, but not for long.
    fn equations(&mut self, ask: Ask<'_>) -> Result<(), Stop> {
        let until = Instant::now() + self.config.time / 6;
        let mut bounded = || match Instant::now() >= until {
            true => ControlFlow::Break(()),
            false => ask(),
        };
        match self.affine(&mut bounded) {
            // It can be done without.
            Err(Stop) if Instant::now() >= until => Ok(()),
            other => other,
        }
    }

    pub(crate) fn system(
        &mut self,
        numbers: Numbers,
        ranges: Ranges,
        ask: Ask<'_>,
    ) -> Result<System, Stop> {
        let encoder = Encoder::new(&mut self.terms, numbers);
        let mut maker = Maker::new(&self.prepared, encoder, ranges);
        large::add(&mut maker, &mut Patience::new(ask))?;
        Ok(maker.system)
    }

    fn stage(&mut self, stage: Stage, until: Instant, ask: Ask<'_>) -> Result<Attempt, Stop> {
        let ranges = match stage.has_ranges {
            true => Ranges::Stated,
            false => Ranges::Left,
        };
        let mut system = self.system(stage.numbers, ranges, ask)?;
        self.add_facts(&mut system, stage.numbers);
        let text = script::script(&mut self.terms, &system);
        let limits = ToolLimits {
            time: Some(until.saturating_duration_since(Instant::now())),
            memory: Some(self.config.memory),
            ..ToolLimits::default()
        };
        let said = match self.config.solver.run(&text, &[], &limits, ask) {
            Ok(said) => said,
            Err(Unknown::Stopped) => return Err(Stop),
            Err(unknown) => return Ok(Attempt::Failed(unknown.to_string())),
        };
        let solution = match script::read(&mut self.terms, &system, &said.output) {
            Solved::Solution(solution) => solution,
            Solved::Refuted => return Ok(Attempt::Refuted),
            Solved::Unknown(why) => return Ok(Attempt::Failed(why)),
        };
        let mut lemmas = self.kept.clone();
        self.add_lemmas(&system, &solution, stage.numbers, &mut lemmas);
        let mut judge = Solvers::to_find(&self.config.solver, self.config.memory);
        let bits = std::mem::take(&mut self.bits);
        let left = houdini::inductive(&mut self.terms, &bits, lemmas, &mut judge, ask);
        let is_enough = left.and_then(|lemmas| {
            let is_enough = houdini::are_enough(&mut self.terms, &bits, &lemmas, &mut judge, ask)?;
            Ok((lemmas, is_enough))
        });
        self.bits = bits;
        match is_enough? {
            (lemmas, true) => self.proved(&lemmas, ask),
            (lemmas, false) => {
                self.keep(lemmas);
                Ok(Attempt::Failed("its solution is none for bits".to_owned()))
            }
        }
    }
}

pub(crate) enum Attempt {
    Proved(Proof),
    Refuted,
    Failed(String),
}

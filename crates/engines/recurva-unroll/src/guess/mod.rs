//! Proofs that are guessed, and checked.
//!
//! The program is run at random, and what held at a node in all runs, among formulas of some simple
//! kinds, is a guess. Guesses that do not follow from the others go, one after the other, until all that
//! are left follow from one another, over all procedures at once: then they hold in all runs. If they
//! exclude the targets, they are a proof.

mod block;
mod bounds;
mod candidates;
mod linear;
mod meaning;
mod relations;
mod samples;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::ControlFlow,
    time::Duration,
};

use recurva_certificate::{
    Builder, Formula, Proof,
    check::{EmbeddedJudge, check},
};
use recurva_encode::Joints;
use recurva_model::{Patience, Point, ProcId, Program};
use recurva_smt::{Answer, EmbeddedLimits, Equations, Term, Unknown, Value};

use block::{Block, End, GuessId, Guesses, Setting};
use candidates::candidates;
use samples::Samples;

use crate::live::Live;

/// So many guesses are carried over to a node where no run came.
const CARRIED: usize = 300;

/// If it was not known in time of a few guesses whether they follow, questions get so many times longer.
const FEW: usize = 12;
const LONGER: u32 = 5;

/// How long to look for a proof.
#[derive(Clone, Debug)]
pub struct GuessConfig {
    /// So long for each question to the solver; what it cannot answer by then is given up.
    pub question: Duration,
    /// About so many bytes for each question.
    pub max_bytes: u64,
}

impl Default for GuessConfig {
    fn default() -> Self {
        GuessConfig {
            question: Duration::from_secs(1),
            max_bytes: 1 << 30,
        }
    }
}

/// How far the guessing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuessProgress {
    /// Formulas that were guessed.
    pub guesses: u64,
    /// Those that went.
    pub dropped: u64,
    /// Questions asked of the solver.
    pub checks: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Proved {
    /// A proof that the checker has accepted.
    Proof(Box<Proof>),
    /// What is left does not exclude the targets, or the checker does not accept it.
    Unknown,
    /// The caller said stop.
    Stopped,
}

/// Guesses a proof that no target is reached.
///
/// `ask` is told how far it is, and can end it.
pub fn prove(
    program: &Program,
    targets: &[Point],
    config: &GuessConfig,
    ask: &mut dyn FnMut(&GuessProgress) -> ControlFlow<()>,
) -> Proved {
    match try_prove(program, targets, config, ask) {
        Ok(Some(proof)) => Proved::Proof(Box::new(proof)),
        Ok(None) => Proved::Unknown,
        Err(Stopped) => Proved::Stopped,
    }
}

/// The caller said stop.
struct Stopped;

fn try_prove(
    program: &Program,
    targets: &[Point],
    config: &GuessConfig,
    ask: &mut dyn FnMut(&GuessProgress) -> ControlFlow<()>,
) -> Result<Option<Proof>, Stopped> {
    let joints = Joints::new(program);
    let live = Live::new(program);
    let mut progress = GuessProgress::default();
    let samples = {
        let mut asked = || ask(&progress);
        let mut patience = Patience::new(&mut asked);
        Samples::new(program, &joints, &mut patience).map_err(|_| Stopped)?
    };
    let targets_set: BTreeSet<Point> = targets.iter().copied().collect();
    if targets.iter().any(|&it| !samples.at(it).is_empty()) {
        return Ok(None);
    }
    let mut guesses = Guesses::new();
    let main = Point {
        procedure: program.main(),
        node: program.procedure(program.main()).entry,
    };
    for point in points(program) {
        if !joints.contains(point) || targets_set.contains(&point) {
            continue;
        }
        let formulas = match point == main {
            true => Vec::new(),
            false => candidates(program, &samples, &live, point),
        };
        progress.guesses += formulas.len() as u64;
        if ask(&progress).is_break() {
            return Err(Stopped);
        }
        guesses.insert(point, formulas);
    }
    carry_over(program, &samples, &mut guesses);
    let setting = Setting {
        program,
        joints: &joints,
        targets: &targets_set,
        guesses: &guesses,
    };
    let (mut proof, given_up) = settled(setting, config, config.question, &mut progress, ask)?;
    if proof.is_none() && (1..=FEW).contains(&given_up) {
        let longer = config.question * LONGER;
        (proof, _) = settled(setting, config, longer, &mut progress, ask)?;
    }
    let Some(proof) = proof else {
        return Ok(None);
    };
    let mut judge = EmbeddedJudge {
        limits: EmbeddedLimits {
            memory: config.max_bytes,
            time: Some(config.question * 10),
        },
    };
    match check(program, targets, &proof, &mut judge, &mut || ask(&progress)) {
        Ok(_) => Ok(Some(proof)),
        Err(_) if ask(&progress).is_break() => Err(Stopped),
        Err(_) => Ok(None),
    }
}

/// What is left of the guesses, if it excludes the targets; and of how many guesses it was not known in
/// time whether they follow.
fn settled(
    setting: Setting<'_>,
    config: &GuessConfig,
    question: Duration,
    progress: &mut GuessProgress,
    ask: &mut dyn FnMut(&GuessProgress) -> ControlFlow<()>,
) -> Result<(Option<Proof>, usize), Stopped> {
    let guesses = setting.guesses;
    progress.dropped = 0;
    let mut search = Search {
        kept: guesses
            .iter()
            .map(|(&it, all)| (it, vec![true; all.len()]))
            .collect(),
        guesses,
        blocks: Vec::new(),
        given_up: 0,
        progress,
        ask,
    };
    let limits = EmbeddedLimits {
        memory: config.max_bytes,
        time: Some(question),
    };
    for &point in guesses.keys() {
        search.tick()?;
        search
            .blocks
            .push(Block::new(setting, point, limits.clone()));
    }
    search.settle()?;
    let proof = match search.excludes_targets()? {
        true => Some(search.proof()),
        false => None,
    };
    Ok((proof, search.given_up))
}

/// Where no run came, what holds elsewhere in the procedure may hold too.
fn carry_over(program: &Program, samples: &Samples<'_>, guesses: &mut Guesses) {
    let seen: Vec<(Point, Vec<Formula>)> = guesses
        .iter()
        .filter(|it| !samples.at(*it.0).is_empty())
        .map(|(&point, formulas)| (point, formulas.clone()))
        .collect();
    for (&point, formulas) in guesses.iter_mut() {
        let entry = program.procedure(point.procedure).entry;
        if !samples.at(point).is_empty() || point.node == entry {
            continue;
        }
        let elsewhere = seen.iter().filter(|it| it.0.procedure == point.procedure);
        for formula in elsewhere.flat_map(|it| &it.1) {
            if formulas.len() < CARRIED && !formulas.contains(formula) {
                formulas.push(formula.clone());
            }
        }
    }
}

fn points(program: &Program) -> impl Iterator<Item = Point> + '_ {
    let procedures = program.procedures().iter().enumerate();
    procedures.flat_map(|(index, procedure)| {
        (0..procedure.nodes.len() as u32).map(move |node| Point {
            procedure: ProcId(index as u32),
            node: recurva_model::NodeId(node),
        })
    })
}

struct Search<'a> {
    guesses: &'a Guesses,
    /// Which guesses are left.
    kept: BTreeMap<Point, Vec<bool>>,
    blocks: Vec<Block>,
    /// So many guesses went though nothing refuted them.
    given_up: usize,
    progress: &'a mut GuessProgress,
    ask: &'a mut dyn FnMut(&GuessProgress) -> ControlFlow<()>,
}

impl Search<'_> {
    fn tick(&mut self) -> Result<(), Stopped> {
        match (self.ask)(self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }

    fn is_kept(&self, guess: GuessId) -> bool {
        self.kept.get(&guess.0).is_some_and(|it| it[guess.1])
    }

    /// Drops what does not follow, until all that is left does.
    fn settle(&mut self) -> Result<(), Stopped> {
        let mut waiting: VecDeque<usize> = (0..self.blocks.len()).collect();
        let mut is_waiting = vec![true; self.blocks.len()];
        while let Some(block) = waiting.pop_front() {
            is_waiting[block] = false;
            let dropped = self.drop_from(block)?;
            if dropped.is_empty() {
                continue;
            }
            for (number, other) in self.blocks.iter_mut().enumerate() {
                let mut is_open = false;
                for way in &mut other.ways {
                    let needs = |it: &BTreeSet<GuessId>| dropped.iter().any(|one| it.contains(one));
                    if way.shown.as_ref().is_some_and(needs) {
                        way.shown = None;
                    }
                    is_open |= way.shown.is_none() && way.end != End::Never;
                }
                if is_open && !std::mem::replace(&mut is_waiting[number], true) {
                    waiting.push_back(number);
                }
            }
        }
        Ok(())
    }

    /// Drops what does not follow at the ends of ways from a node.
    fn drop_from(&mut self, block: usize) -> Result<BTreeSet<GuessId>, Stopped> {
        let mut dropped = BTreeSet::new();
        for way in 0..self.blocks[block].ways.len() {
            let End::At(point) = self.blocks[block].ways[way].end else {
                continue;
            };
            while self.blocks[block].ways[way].shown.is_none() {
                self.tick()?;
                let left: Vec<usize> = (0..self.blocks[block].ways[way].goals.len())
                    .filter(|&it| self.is_kept((point, it)))
                    .collect();
                let wrong = self.wrong_ones(block, way, &left)?;
                for number in wrong {
                    dropped.insert((point, number));
                    self.progress.dropped += 1;
                    if let Some(kept) = self.kept.get_mut(&point) {
                        kept[number] = false;
                    }
                }
            }
        }
        Ok(dropped)
    }

    /// Some of the guesses about the end of a way that do not follow. If all follow, that is noted.
    fn wrong_ones(
        &mut self,
        block: usize,
        way: usize,
        goals: &[usize],
    ) -> Result<Vec<usize>, Stopped> {
        let all = &self.blocks[block].ways[way].goals;
        if let Some(&unclear) = goals.iter().find(|&&it| all[it].is_none()) {
            return Ok(vec![unclear]);
        }
        let terms: Vec<Term> = goals.iter().filter_map(|&it| all[it]).collect();
        match self.ask_about(block, way, &terms)? {
            Asked::Follow(needed) => {
                self.blocks[block].ways[way].shown = Some(needed);
                Ok(Vec::new())
            }
            // A model in which nothing is wrong is none.
            Asked::Wrong(wrong) if wrong.is_empty() => Ok(goals.to_vec()),
            Asked::Wrong(wrong) => Ok(wrong.into_iter().map(|it| goals[it]).collect()),
            Asked::Unclear if goals.len() == 1 => {
                self.given_up += 1;
                Ok(goals.to_vec())
            }
            Asked::Unclear => {
                let mut wrong = Vec::new();
                for (&goal, &term) in goals.iter().zip(&terms) {
                    let asked = self.ask_about(block, way, &[term])?;
                    self.given_up += usize::from(matches!(asked, Asked::Unclear));
                    if !matches!(asked, Asked::Follow(_)) {
                        wrong.push(goal);
                    }
                }
                if wrong.is_empty() {
                    // Each follows, if not all at once.
                    let guesses = self.blocks[block].ways[way].guesses.iter();
                    let needed = guesses.map(|it| it.0).collect();
                    self.blocks[block].ways[way].shown = Some(needed);
                }
                Ok(wrong)
            }
        }
    }

    fn ask_about(&mut self, block: usize, way: usize, goals: &[Term]) -> Result<Asked, Stopped> {
        self.progress.checks += 1;
        let kept: Vec<(GuessId, Term)> = {
            let guesses = &self.blocks[block].ways[way].guesses;
            guesses
                .iter()
                .filter(|it| self.is_kept(it.0))
                .copied()
                .collect()
        };
        let Block {
            terms,
            solver,
            ways,
            ..
        } = &mut self.blocks[block];
        let mut known: Vec<Term> = kept.iter().map(|it| it.1).collect();
        known.extend(&ways[way].conditions);
        let equations = Equations::new(terms, &known);
        let mut said = |it: Term| match equations.used().contains(&it) {
            true => it,
            false => equations.apply(terms, it),
        };
        let mut assumptions: Vec<Term> = known.iter().map(|&it| said(it)).collect();
        let goals: Vec<Term> = goals.iter().map(|&it| said(it)).collect();
        let wrong: Vec<Term> = goals.iter().map(|&it| terms.not(it)).collect();
        // Without a goal, that there is no way.
        let wrong = match goals.is_empty() && ways[way].end == End::Never {
            true => terms.truth(),
            false => terms.or(&wrong),
        };
        let said_of_guesses = assumptions[..kept.len()].to_vec();
        assumptions.push(wrong);
        let (ask, progress) = (&mut self.ask, &*self.progress);
        match solver.check(terms, &assumptions, &mut || ask(progress)) {
            Answer::Unsatisfiable(core) => {
                let mut core: BTreeSet<Term> = core.into_iter().collect();
                core.extend(equations.used());
                let guesses = kept.iter().zip(said_of_guesses);
                let needed = guesses.filter(|it| core.contains(&it.1));
                Ok(Asked::Follow(needed.map(|it| it.0.0).collect()))
            }
            Answer::Satisfiable(model) => {
                let is_wrong =
                    |it: &(usize, &Term)| model.value(terms, *it.1) != Some(Value::Bool(true));
                let wrong = goals.iter().enumerate().filter(is_wrong);
                Ok(Asked::Wrong(wrong.map(|it| it.0).collect()))
            }
            Answer::Unknown(Unknown::Stopped) => Err(Stopped),
            Answer::Unknown(_) => Ok(Asked::Unclear),
        }
    }

    /// Whether what is left says that no target is reached.
    fn excludes_targets(&mut self) -> Result<bool, Stopped> {
        for block in 0..self.blocks.len() {
            for way in 0..self.blocks[block].ways.len() {
                if self.blocks[block].ways[way].end == End::Never
                    && !matches!(self.ask_about(block, way, &[])?, Asked::Follow(_))
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn proof(&self) -> Proof {
        let mut proof = Proof::default();
        for (&point, formulas) in self.guesses {
            let kept = (0..).zip(formulas).filter(|it| self.is_kept((point, it.0)));
            let formulas: Vec<&Formula> = kept.map(|it| it.1).collect();
            let mut builder = Builder::default();
            let parts: Vec<_> = formulas.iter().map(|it| builder.copy(it)).collect();
            let all = builder.and_all(parts);
            proof.formulas.insert(point, builder.finish(all));
        }
        proof
    }
}

/// An answer about goals.
enum Asked {
    /// They follow from these guesses.
    Follow(BTreeSet<GuessId>),
    /// Some do not.
    Wrong(Vec<usize>),
    /// It is not known.
    Unclear,
}

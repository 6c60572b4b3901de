//! Proofs that no infinite run is accepted: ranks for its loops, and a proof that they fall.
//!
//! Ranks are guessed from rounds that were seen. A run on which they do not fall shows another round, and
//! the next guess knows better.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_certificate::{
    file::ProofFile,
    text::{Names, ProgramNames},
};
use recurva_model::{Patience, Point, ProcId, Stop, VarRef};
use recurva_rank::{
    Asked, Cut, Pool, Rank, Ranked, Ranks, Seen, Spines, Unbuilt, choose, simulate, simulate_loops,
};
use serde_json::Value;

use super::{
    Certified, LoopKind, LoopRanks, Number, Proved, Task, certify,
    engines::{FOR_RANKS, prove_in},
    file::{RANKS, verify, why},
    joined::{LoopProof, joined},
    prove, saved_ranks,
};
use crate::{Engine, Limits, Note, Rejected, Work};

/// So long for the first guess; later ones get more.
const FIRST: Duration = Duration::from_secs(4);

/// What is to be proved.
pub(crate) struct RankTask<'a> {
    /// The engine for proofs, or [`Engine::Auto`].
    pub(crate) engine: Engine,
    /// What no infinite run may be.
    pub(crate) asked: Asked<'a>,
    /// How much may be used.
    pub(crate) limits: Limits,
}

type Tell<'t> = dyn FnMut(Work) -> ControlFlow<()> + 't;

fn working() -> Work {
    Work {
        what: "ranks of loops",
        ..Work::default()
    }
}

/// No variable has an expression of C here: what is said of spines is not said of all runs.
fn no_integer(_: ProcId, _: VarRef) -> bool {
    false
}

/// Looks for a proof. `tell` is told how far the work is, and may end it.
pub(crate) fn prove_ranks(task: &RankTask<'_>, tell: &mut Tell<'_>) -> Proved {
    let mut ask = || tell(working());
    let spines = match Spines::new(task.asked, &mut Patience::new(&mut ask)) {
        Ok(spines) => spines,
        Err(Stop) => return Proved::Stopped,
    };
    let mut guesses = match Guesses::new(task, &spines, tell) {
        Ok(guesses) => guesses,
        Err(Unbuilt::Stopped) => return Proved::Stopped,
        Err(cause) => return unbuilt(&cause),
    };
    let count = guesses.pools.len();
    if count == 0 {
        // Only limits are left, which are not reached.
        return whole(task, &spines, &[], &[], "ranks", tell);
    }
    let mut turn = FIRST;
    let mut found: Vec<Option<Found>> = (0..count).map(|_| None).collect();
    loop {
        for (index, found) in found.iter_mut().enumerate() {
            if found.is_some() {
                continue;
            }
            match guesses.one(index, turn, tell) {
                Ok(it) => *found = it,
                Err(proved) => return proved,
            }
        }
        if found.iter().all(Option::is_some) {
            break;
        }
        turn = turn.saturating_mul(2);
    }
    let found: Vec<Found> = found.into_iter().flatten().collect();
    let found_by = found.last().map_or("ranks", |it| it.found_by);
    let parts = found.into_iter().map(|it| (it.ranks, it.proof));
    let (ranks, parts): (Vec<Ranks>, Vec<LoopProof>) = parts.unzip();
    whole(task, &spines, &ranks, &parts, found_by, tell)
}

fn unbuilt(cause: &Unbuilt) -> Proved {
    Proved::Unknown(vec![Note::new(format!("ranks: {cause}"))])
}

/// The proof of all loops together, checked.
fn whole(
    task: &RankTask<'_>,
    spines: &Spines<'_>,
    ranks: &[Ranks],
    parts: &[LoopProof],
    found_by: &'static str,
    tell: &mut Tell<'_>,
) -> Proved {
    let ranked = match spines.with_ranks(ranks) {
        Ok(ranked) => ranked,
        Err(cause) => return unbuilt(&cause),
    };
    let proof_task = proof_task(task, &ranked, &[]);
    let proved = match parts.is_empty() {
        true => prove(&proof_task, tell),
        false => match certify(&proof_task, &joined(&ranked, parts), found_by, tell) {
            Ok(certified) => Proved::Proof(Box::new(certified)),
            Err(rejected) => {
                let text = format!("ranks: {}", why(&proof_task, &rejected));
                Proved::Unknown(vec![Note::new(text)])
            }
        },
    };
    match proved {
        Proved::Proof(certified) => {
            Proved::Proof(Box::new(with_ranks(*certified, task, spines, ranks)))
        }
        Proved::Run(_) => Proved::Unknown(Vec::new()),
        other => other,
    }
}

fn proof_task<'a>(task: &RankTask<'_>, ranked: &'a Ranked, errors: &'a [Point]) -> Task<'a> {
    Task {
        engine: task.engine,
        program: &ranked.program,
        errors,
        targets: &ranked.targets,
        limits: task.limits,
        is_integer: &no_integer,
    }
}

/// Ranks of a loop, and the proof that they fall.
struct Found {
    ranks: Ranks,
    proof: LoopProof,
    found_by: &'static str,
}

/// What is known for guessing ranks.
struct Guesses<'a> {
    task: &'a RankTask<'a>,
    spines: &'a Spines<'a>,
    pools: Vec<Pool>,
    seen: Vec<Vec<Seen>>,
    /// Rounds from any values, of which some may not be reached.
    loose: Vec<Vec<Seen>>,
    /// For each loop what is not to be taken first: no proof was found with that.
    skipped: Vec<Vec<Rank>>,
    /// For each loop whether time was missing for one of those.
    was_late: Vec<bool>,
}

impl<'a> Guesses<'a> {
    fn new(
        task: &'a RankTask<'a>,
        spines: &'a Spines<'a>,
        tell: &mut Tell<'_>,
    ) -> Result<Self, Unbuilt> {
        let count = spines.cuts().len();
        let pools = (0..count).map(|it| Pool::new(task.asked.program, spines, it));
        let pools: Vec<Pool> = pools.collect();
        let without: Ranked = spines.with_ranks(&vec![Ranks::new(); count])?;
        let mut ask = || tell(working());
        let patience = &mut Patience::new(&mut ask);
        let seen = simulate(&without, &pools, patience)?;
        let loose = simulate_loops(&without, &pools, patience)?;
        Ok(Guesses {
            loose,
            task,
            spines,
            pools,
            seen,
            skipped: vec![Vec::new(); count],
            was_late: vec![false; count],
        })
    }

    /// Looks for ranks of one loop and a proof, for a while; `Err` is the end of all.
    fn one(
        &mut self,
        index: usize,
        turn: Duration,
        tell: &mut Tell<'_>,
    ) -> Result<Option<Found>, Proved> {
        let began = Instant::now();
        while began.elapsed() < turn {
            let Some(ranks) = self.ranks(index) else {
                // With more time what was tried may be enough.
                return match self.again(index) {
                    true => Ok(None),
                    false => Err(Proved::Unknown(vec![self.none(index)])),
                };
            };
            let ranked = self.spines.with_ranks_of(index, &ranks);
            let ranked = ranked.map_err(|cause| unbuilt(&cause))?;
            let began = Instant::now();
            let mut is_over = false;
            let mut go_on = |work: Work| {
                let told = tell(work);
                is_over |= told.is_break();
                match began.elapsed() >= turn {
                    true => ControlFlow::Break(()),
                    false => told,
                }
            };
            let fails = [ranked.rounds[index].fail];
            let proof_task = proof_task(self.task, &ranked, &fails);
            match prove_in(&FOR_RANKS, &proof_task, &mut go_on) {
                Proved::Proof(certified) => {
                    let found_by = certified.found_by;
                    let proof = certified.proof;
                    return Ok(Some(Found {
                        ranks,
                        proof: LoopProof { ranked, proof },
                        found_by,
                    }));
                }
                Proved::Run(found) => {
                    let mut ask = || tell(working());
                    let patience = &mut Patience::new(&mut ask);
                    let rounds = ranked.rounds_of(found.trace, &self.pools, patience);
                    let rounds = rounds.map_err(|Stop| Proved::Stopped)?;
                    if !self.learn(rounds) {
                        self.skipped[index].extend(ranks.first().cloned());
                    }
                }
                _ if is_over => return Err(Proved::Stopped),
                outcome => {
                    self.was_late[index] |= matches!(outcome, Proved::Stopped);
                    self.skipped[index].extend(ranks.first().cloned());
                }
            }
        }
        Ok(None)
    }

    /// Ranks for a loop, if there are any.
    fn ranks(&self, index: usize) -> Option<Ranks> {
        let (pool, skipped) = (&self.pools[index], &self.skipped[index]);
        let all = [&self.seen[index][..], &self.loose[index]].concat();
        choose(pool, &all, skipped).or_else(|| choose(pool, &self.seen[index], skipped))
    }

    /// Remembers rounds. Whether any of them is new.
    fn learn(&mut self, rounds: Vec<Vec<Seen>>) -> bool {
        let mut is_new = false;
        for (known, rounds) in self.seen.iter_mut().zip(rounds) {
            for round in rounds {
                if !known.contains(&round) {
                    known.push(round);
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// Forgets what no proof was found with for a loop. Whether more time may help.
    fn again(&mut self, index: usize) -> bool {
        self.skipped[index].clear();
        std::mem::take(&mut self.was_late[index])
    }

    /// What users are told of a loop for which no ranks were found.
    fn none(&self, index: usize) -> Note {
        let point = self.spines.cuts()[index].point;
        let procedure = self.task.asked.program.procedure(point.procedure);
        let text = match self.spines.cuts()[index] {
            Cut { is_end: true, .. } => "it was not shown that no run ends like this",
            Cut { may_grow: true, .. } => {
                "no number was found that falls each time round this recursion"
            }
            _ => "no number was found that falls each time round this loop",
        };
        Note::new(text).at(procedure.nodes[point.node.index()].origin)
    }
}

/// A proof about spines as one about infinite runs.
fn with_ranks(
    certified: Certified,
    task: &RankTask<'_>,
    spines: &Spines<'_>,
    ranks: &[Ranks],
) -> Certified {
    let program = task.asked.program;
    let names = ProgramNames::new(program);
    let loops = spines.cuts().into_iter().zip(ranks).map(|(cut, ranks)| {
        let id = cut.point.procedure;
        let procedure = program.procedure(id);
        let name = |variable| names.name(id, variable).unwrap_or_default().into_owned();
        let node = procedure.nodes[cut.point.node.index()].origin;
        let number = |rank: &Rank| Number {
            text: rank.show(&name),
            condition: rank.edge().map(|edge| procedure.edges[edge.index()].origin),
        };
        LoopRanks {
            function: procedure.name.to_string(),
            place: match node.is_none() {
                true => procedure.origin,
                false => node,
            },
            kind: match (cut.is_end, cut.may_grow) {
                (true, _) => LoopKind::End,
                (_, true) => LoopKind::Recursion,
                _ => LoopKind::Loop,
            },
            numbers: ranks.iter().map(number).collect(),
            saved: saved_ranks::saved(ranks, id, &names),
        }
    });
    Certified {
        ranks: Some(loops.collect()),
        // They are about spines, not about all runs.
        statements: Vec::new(),
        ..certified
    }
}

/// Checks a proof from a file: its ranks say which program the formulas are about.
pub(crate) fn verify_ranks(
    task: &RankTask<'_>,
    file: &ProofFile,
    tell: &mut Tell<'_>,
) -> Result<Certified, Rejected> {
    let mut ask = || tell(working());
    let spines = Spines::new(task.asked, &mut Patience::new(&mut ask));
    let spines = spines.map_err(|Stop| Rejected::new("there was no more time"))?;
    let names = ProgramNames::new(task.asked.program);
    let wrong = || Rejected::new("the ranks in the proof do not fit the loops of the program");
    let saved = file.header.asked.get(RANKS).and_then(Value::as_array);
    let saved = saved.ok_or_else(|| Rejected::new("the proof has no ranks"))?;
    let cuts = spines.cuts();
    if cuts.len() != saved.len() {
        return Err(wrong());
    }
    let ranks = saved.iter().zip(&cuts).map(|(saved, cut)| {
        saved_ranks::read(saved, cut.point.procedure, &names).ok_or_else(wrong)
    });
    let ranks: Vec<Ranks> = ranks.collect::<Result<_, _>>()?;
    let ranked = spines.with_ranks(&ranks).map_err(|_| wrong())?;
    let proof_task = proof_task(task, &ranked, &[]);
    let certified = verify(&proof_task, file, tell)?;
    Ok(with_ranks(certified, task, &spines, &ranks))
}

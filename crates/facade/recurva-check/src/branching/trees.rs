//! Automata on nested trees: whether one accepts the tree of a model, or any tree at all.

use std::{collections::HashMap, ops::ControlFlow};

use recurva_automata::{
    Limits as GameLimits, MemberError, Progress as Playing, SolveError, accepts,
};
use recurva_logic::nta::{self, Alternating, Nondeterministic};
use recurva_model::Nsm;
use recurva_nested::Reduction;

use super::{
    Limited, Meaning, Ntmu, Refutation, Run, Starts, Subject,
    unfold::{Refuting, with_machine},
};
use crate::{
    Answer, Evidence, InternalError, Limit, Limits, Note, Options, Stats, Verdict, Watch, Work,
    watch::Clock,
};

/// An automaton that has to accept the tree of a model.
#[derive(Clone, Debug)]
pub struct Tree {
    /// How the user named it, for reports.
    pub name: String,
    /// The automaton.
    pub automaton: Alternating,
    /// What its propositions mean, in their order.
    pub meanings: Vec<Meaning>,
}

impl Tree {
    fn texts(&self) -> impl Iterator<Item = &str> + Clone {
        let all = self.automaton.propositions().iter();
        all.map(|(text, _)| &**text)
    }

    /// The formula that says the same, if it is not too large.
    pub(super) fn formula(&self) -> Option<Ntmu> {
        let formula = nta::to_formula(&self.automaton, MAX_FORMULAS)?;
        let known: HashMap<&str, &Meaning> = self.texts().zip(&self.meanings).collect();
        let meanings = formula.formulas().propositions().iter();
        let meanings = meanings.map(|(text, _)| {
            let known = known.get(&**text).copied();
            known.cloned().unwrap_or(Meaning::OfMachine)
        });
        Some(Ntmu {
            name: self.name.clone(),
            meanings: meanings.collect(),
            formula,
        })
    }
}

/// What the engine that answers is called.
const ENGINE: &str = "game";

/// An automaton that would make a larger formula is not explained by one.
const MAX_FORMULAS: usize = 20_000;

/// About how much a position of the game takes.
const BYTES_OF_POSITION: u64 = 200;

/// What came of the game: no winner of the other side, or what is known of why it wins.
enum Played<'p> {
    Accepted,
    Rejected(Box<Refutation<'p>>),
    /// It is rejected, and nothing explains it in a size that would help.
    Unexplained,
    /// It is rejected, but a limit was hit before that was explained.
    Unfinished(Limit),
}

/// Checks that an automaton accepts the tree of a model. What shows that it does not is a strategy
/// against the formula of NT-µ that says the same, found by another engine than the game's.
///
/// # Errors
///
/// A fault of the checker itself: engines that disagree, or a strategy that is none.
pub fn check_tree<'p>(
    subject: &Subject<'p>,
    tree: &Tree,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Answer<'p>, InternalError> {
    let mut run = Run::new(options, watch);
    let played = match *subject {
        Subject::Machine { nsm, starts } => {
            let marked = run.with_callers(nsm, tree.texts())?;
            let nsm = marked.as_ref().map_or(nsm, |marked| &marked.nsm);
            let refuted = |proved| Refutation::new(nsm, proved);
            play(&mut run, nsm, starts, tree, &refuted)?
        }
        Subject::Program(program, starts) => {
            let meant = tree.texts().zip(&tree.meanings);
            let played = with_machine(
                &mut run,
                (program, starts),
                meant,
                |run, nsm, starts, refuted| play(run, nsm, starts, tree, refuted),
            )?;
            played.and_then(|played| played)
        }
    };
    let mut answer = Answer::new(Verdict::Violated, ENGINE);
    match played {
        Ok(Played::Accepted) => answer.verdict = Verdict::Holds,
        Ok(Played::Rejected(refutation)) => {
            answer.evidence = Some(Evidence::Strategy(refutation));
        }
        Ok(Played::Unexplained) => answer.notes.push(Note::new(
            "the automaton is too large to be explained by a formula: there is no strategy to show",
        )),
        Ok(Played::Unfinished(limit)) => answer.unfinished = Some(limit),
        Err(limit) => answer.verdict = Verdict::Unknown(limit),
    }
    answer.stats = run.finish();
    Ok(answer)
}

fn play<'p>(
    run: &mut Run<'_>,
    nsm: &Nsm,
    starts: Starts,
    tree: &Tree,
    refuted: Refuting<'_, 'p>,
) -> Result<Limited<Played<'p>>, InternalError> {
    // A tree has one root: of a machine with several initial states all trees have to be accepted.
    let roots = match starts {
        Starts::Here => vec![nsm.init()],
        Starts::Behind => nsm.locals(nsm.init()).to_vec(),
    };
    let mut stats = Stats {
        states: nsm.states().len() as u64,
        ..Stats::default()
    };
    let (mut positions, mut evaluations) = (0, 0);
    let mut accepted = true;
    for root in roots {
        let mut parts = nsm.clone().into_parts();
        parts.init = root;
        let rooted = Nsm::new(parts)?;
        let reduction = match run.options.merge {
            true => Reduction::Bisimulation,
            false => Reduction::None,
        };
        let clock = &mut run.clock;
        let limits = GameLimits::default();
        let go_on = |now: &Playing| playing(clock, now);
        let outcome = match accepts(&rooted, &tree.automaton, reduction, &limits, go_on) {
            Ok(outcome) => outcome,
            Err(MemberError::Unknown(unknown)) => {
                return Err(InternalError::Witness(unknown.to_string()));
            }
            Err(MemberError::Solve(error)) => return Ok(Err(limit(error, &run.clock))),
        };
        positions += outcome.work.cells as u64;
        evaluations += outcome.work.evaluations;
        accepted &= outcome.accepted();
    }
    stats.more = vec![("positions", positions), ("evaluations", evaluations)];
    if accepted {
        run.stats = stats;
        return Ok(Ok(Played::Accepted));
    }
    let played = explain(run, nsm, starts, tree, refuted)?;
    run.stats = stats;
    Ok(Ok(played))
}

/// Why the automaton does not accept the tree, as a strategy against a formula.
fn explain<'p>(
    run: &mut Run<'_>,
    nsm: &Nsm,
    starts: Starts,
    tree: &Tree,
    refuted: Refuting<'_, 'p>,
) -> Result<Played<'p>, InternalError> {
    let Some(property) = tree.formula() else {
        return Ok(Played::Unexplained);
    };
    Ok(match run.decide(nsm, starts, &property)? {
        Ok(Some(proved)) => Played::Rejected(Box::new(refuted(proved))),
        Ok(None) => return Err(InternalError::Disagreement),
        Err(limit) => Played::Unfinished(limit),
    })
}

fn playing(clock: &mut Clock<'_>, now: &Playing) -> ControlFlow<()> {
    let work = Work {
        what: "solving the game",
        round: 0,
        number: now.cells as u64,
        unit: "positions",
        bytes: now.cells as u64 * BYTES_OF_POSITION,
    };
    clock.tick(&work.into())
}

fn limit(error: SolveError, clock: &Clock<'_>) -> Limit {
    match error {
        SolveError::TooManyCells(most) => Limit::Positions(most as u64),
        SolveError::TooManySets(most) => Limit::Sets(most as u64),
        SolveError::Stopped => clock.hit(),
    }
}

/// Whether a nondeterministic automaton accepts no tree; if it does, a machine whose tree it
/// accepts.
///
/// # Errors
///
/// The limit that was hit.
pub fn empty(
    automaton: &Nondeterministic,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Option<Nsm>, Limit> {
    let mut clock = Clock::new(limits, watch);
    let found = recurva_automata::empty(automaton, &GameLimits::default(), |now: &Playing| {
        playing(&mut clock, now)
    });
    found.map_err(|error| limit(error, &clock))
}

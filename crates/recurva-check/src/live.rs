//! Properties of infinite runs: searches for a violating lasso, and finds out which kinds of
//! them there are.

use std::{cell::RefCell, ops::ControlFlow};

use recurva_evidence::{Claim, Replayed, Trace, replay};
use recurva_explicit::{
    Progress,
    fair::{FairAnswer, FairFinished, Stack, fair_cycle},
    program::{Ending, Observer, Prepared, ProgramSystem, Words},
};
use recurva_logic::{
    automaton::{self, Config, MAX_ATOMS, Tgba, TooLarge},
    ltl::{Formula, Operator, WordEvaluation},
};
use recurva_model::{Automaton, Guard, Program, Word};
use recurva_slice::Observed;

use crate::{
    Engine, InternalError, Kinds, Limit, Ltl, Never, Runs, Verdict, Violation,
    explain::explain_lasso,
    question::{OnSystem, explicit_config, on_system},
    run::{Found, Run},
};

/// Whether every infinite run satisfies a formula.
pub(crate) fn check_formula<'p>(
    run: &mut Run<'_>,
    program: &'p Program,
    property: &Ltl,
) -> Result<Verdict<'p>, InternalError> {
    let Ltl {
        formula,
        guards,
        positions,
        ..
    } = property;
    let automaton = match negation(run, formula) {
        Ok(automaton) => automaton,
        Err(limit) => return Ok(Verdict::Unknown(limit)),
    };
    let watch = Watching {
        automaton: &automaton,
        guards,
        positions: positions.as_ref(),
    };
    let violates =
        |word: &Word| !WordEvaluation::new(&formula.formulas, formula.root, word).holds();
    search(run, program, &watch, violates)
}

/// Whether an automaton accepts no infinite run.
pub(crate) fn check_automaton<'p>(
    run: &mut Run<'_>,
    program: &'p Program,
    property: &Never,
) -> Result<Verdict<'p>, InternalError> {
    let watch = Watching {
        automaton: &property.automaton,
        guards: &property.guards,
        positions: property.positions.as_ref(),
    };
    let violates = |word: &Word| property.automaton.accepts_word(word);
    search(run, program, &watch, violates)
}

/// The automaton of the runs that violate a formula.
fn negation(run: &mut Run<'_>, formula: &Formula) -> Result<Tgba, Limit> {
    let mut formulas = formula.formulas.clone();
    let root = formulas.unary(Operator::Not, formula.root);
    let stopped = RefCell::new(&mut *run);
    let stop = || {
        let tick = stopped.borrow_mut().tick(&crate::Progress::default());
        tick.is_break()
    };
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    let automaton = automaton::translate(&Formula { formulas, root }, &config);
    automaton.map_err(|cause| match cause {
        TooLarge::Stopped => run.limit(recurva_explicit::Stopped::Asked),
        other => Limit::Automaton(other),
    })
}

/// An automaton with what its atoms mean and which positions it reads, if not all.
struct Watching<'a> {
    automaton: &'a Tgba,
    guards: &'a [Guard],
    positions: Option<&'a Guard>,
}

impl Watching<'_> {
    /// The conditions observed: those of the atoms, then the one on positions.
    fn observed(&self) -> Vec<Guard> {
        self.guards.iter().chain(self.positions).cloned().collect()
    }

    /// The automaton, with the observed conditions as they read in a program.
    fn automaton(
        &self,
        program: &Program,
        observed: Vec<Guard>,
    ) -> Result<Automaton, InternalError> {
        let automaton = match self.positions {
            None => self.automaton.watching(program, observed),
            Some(_) => self
                .automaton
                .skipping("position")
                .map_err(|cause| InternalError::Witness(cause.to_string()))?
                .watching(program, observed),
        };
        Ok(automaton?)
    }

    /// The word at the positions that count.
    fn word(&self, replayed: &Replayed<'_>) -> Option<Word> {
        let word = replayed.lasso()?.word();
        match self.positions {
            None => Some(word.clone()),
            Some(_) => word.filtered(1 << self.guards.len()),
        }
    }
}

/// Searches for a run that the automaton accepts.
fn search<'p>(
    run: &mut Run<'_>,
    program: &'p Program,
    watch: &Watching<'_>,
    violates: impl Fn(&Word) -> bool,
) -> Result<Verdict<'p>, InternalError> {
    if watch.observed().len() > MAX_ATOMS {
        let cause = TooLarge::Atoms(MAX_ATOMS - 1);
        return Ok(Verdict::Unknown(Limit::Automaton(cause)));
    }
    let observed = watch.observed();
    let searched = run.searched(program, &Observed::Conditions(observed.iter().collect()));
    let automaton = watch.automaton(searched.program(), searched.guards(&observed))?;
    let wanted = run.options.stack;
    let (found, work) = fair(run, searched.program(), &automaton, wanted, None)?;
    let mut trace = match found {
        Ok(Some(trace)) => trace,
        Ok(None) => return Ok(Verdict::Holds),
        Err(limit) => return Ok(Verdict::Unknown(limit)),
    };
    let mut kinds = Kinds::default();
    if trace.diverges() {
        kinds.diverging = Some(true);
        if wanted == Stack::Any {
            // That only diverging runs violate a property is worth knowing, but not at any
            // price: the violation is at hand.
            let most = (work.path_edges * 4).max(ENOUGH);
            let (found, _) = fair(
                run,
                searched.program(),
                &automaton,
                Stack::Finite,
                Some(most),
            )?;
            kinds.finite = found.as_ref().map(Option::is_some).ok();
            // Of the two the one whose stack stays finite is easier to understand.
            if let Ok(Some(finite)) = found {
                trace = finite;
            }
        }
    } else {
        kinds.finite = Some(true);
    }
    let trace = searched.trace(trace);
    let replayed = replay(program, trace, &Claim::Repeats(observed))?;
    if !watch.word(&replayed).is_some_and(|word| violates(&word)) {
        return Err(InternalError::NoViolation);
    }
    Ok(Verdict::Violated(Box::new(Violation {
        replayed,
        kinds: Some(kinds),
    })))
}

/// So many path edges are always worth a search for another kind of counterexample.
const ENOUGH: u64 = 200_000;

/// One search for an accepted run, with at most so many path edges; and its numbers.
fn fair(
    run: &mut Run<'_>,
    program: &Program,
    automaton: &Automaton,
    stack: Stack,
    most: Option<u64>,
) -> Result<(Found<Trace>, Progress), InternalError> {
    run.answered(Engine::Explicit);
    let ending = match run.options.runs {
        Runs::Stutter => Ending::Stutters,
        Runs::Infinite => Ending::Stops,
    };
    let observer = Observer::Automaton(automaton);
    let prepared = Prepared::new(program, observer, run.options.reductions, ending);
    on_system(prepared, &mut Fair { run, stack, most })
}

struct Fair<'r, 'a> {
    run: &'r mut Run<'a>,
    stack: Stack,
    most: Option<u64>,
}

impl OnSystem for Fair<'_, '_> {
    type Output = Result<(Found<Trace>, Progress), InternalError>;

    fn run<W: Words>(&mut self, system: &ProgramSystem<'_, W>) -> Self::Output {
        let config = explicit_config(self.run.options);
        let tick = |progress: &Progress| match self.most {
            Some(most) if progress.path_edges > most => ControlFlow::Break(()),
            _ => self.run.tick(&progress.into()),
        };
        let FairFinished { answer, progress } = fair_cycle(system, self.stack, &config, tick);
        self.run.add_explicit(&progress);
        let found = match answer {
            FairAnswer::Empty => Ok(None),
            FairAnswer::Found(lasso) => Ok(Some(explain_lasso(system, &lasso)?)),
            FairAnswer::Stopped(why) => Err(self.run.limit(why)),
        };
        Ok((found, progress))
    }
}

//! Properties of infinite runs: searches for a violating lasso, and finds out which kinds of
//! them there are.

use std::{cell::RefCell, ops::ControlFlow, sync::Arc};

use recurva_evidence::Trace;
use recurva_logic::{
    automaton::{Config, MAX_ATOMS, Tgba, TooLarge},
    ltl::{Formula, Operator, WordEvaluation},
};
use recurva_model::{Ending, Guard, Program, Stack, Word};
use recurva_slice::Observed;

use super::{
    Decided, Ltl, Never, Run,
    accepting::{Accepting, Watcher},
    replay::replay_live,
    search::Search,
};
use crate::{Engine, InternalError, Kinds, Limit, Runs};

/// Whether every infinite run satisfies a formula, whose violations an automaton watches for.
pub(crate) fn check_formula<'p, A: Watches>(
    run: &mut Run<'_>,
    program: &'p Program,
    property: &Ltl,
    translate: impl Fn(&Formula, &Config<'_>) -> Result<A, TooLarge>,
) -> Result<Decided<'p>, InternalError> {
    let Ltl {
        formula,
        guards,
        positions,
        ..
    } = property;
    let automaton = match negation(run, formula, translate) {
        Ok(automaton) => automaton,
        Err(limit) => return Ok(Decided::Unknown(limit)),
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
) -> Result<Decided<'p>, InternalError> {
    let watch = Watching {
        automaton: &property.automaton,
        guards: &property.guards,
        positions: property.positions.as_ref(),
    };
    let violates = |word: &Word| property.automaton.accepts_word(word);
    search(run, program, &watch, violates)
}

/// The automaton of the runs that violate a formula, as `translate` makes it.
fn negation<T>(
    run: &mut Run<'_>,
    formula: &Formula,
    translate: impl Fn(&Formula, &Config<'_>) -> Result<T, TooLarge>,
) -> Result<T, Limit> {
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
    let automaton = translate(&Formula { formulas, root }, &config);
    automaton.map_err(|cause| match cause {
        TooLarge::Stopped => run.limit(recurva_explicit::Stopped::Asked),
        other => Limit::Automaton(other),
    })
}

/// An automaton, of plain words or of nested ones.
pub(crate) trait Watches {
    /// The automaton as it watches a program, with the observed conditions as they read in it.
    /// If not all positions count the last condition holds at those that do.
    fn watching(
        &self,
        program: &Program,
        observed: Vec<Guard>,
        all: bool,
    ) -> Result<Watcher, InternalError>;
}

impl Watches for Tgba {
    fn watching(
        &self,
        program: &Program,
        observed: Vec<Guard>,
        all: bool,
    ) -> Result<Watcher, InternalError> {
        if all {
            return Ok(Watcher::Plain(Tgba::watching(self, program, observed)?));
        }
        let skipping = self.skipping("position");
        let skipping = skipping.map_err(|cause| InternalError::Witness(cause.to_string()))?;
        Ok(Watcher::Plain(skipping.watching(program, observed)?))
    }
}

/// An automaton with what its atoms mean and which positions it reads, if not all.
pub(crate) struct Watching<'a, A> {
    pub(crate) automaton: &'a A,
    pub(crate) guards: &'a [Guard],
    pub(crate) positions: Option<&'a Guard>,
}

impl<A: Watches> Watching<'_, A> {
    /// The conditions observed: those of the atoms, then the one on positions.
    fn observed(&self) -> Vec<Guard> {
        self.guards.iter().chain(self.positions).cloned().collect()
    }
}

/// Searches for a run that the automaton accepts.
fn search<'p, A: Watches>(
    run: &mut Run<'_>,
    program: &'p Program,
    watch: &Watching<'_, A>,
    violates: impl Fn(&Word) -> bool,
) -> Result<Decided<'p>, InternalError> {
    if watch.observed().len() > MAX_ATOMS {
        let cause = TooLarge::Atoms(MAX_ATOMS - 1);
        return Ok(Decided::Unknown(Limit::Automaton(cause)));
    }
    let observed = watch.observed();
    let sliced = run.sliced(program, &Observed::Conditions(observed.iter().collect()));
    let wanted = run.options.stack;
    let ending = match run.options.runs {
        Runs::Usual | Runs::Stutter => Ending::Stutters,
        Runs::Infinite => Ending::Stops,
    };
    let conditions = sliced.guards(&observed);
    let all = watch.positions.is_none();
    let automaton = watch
        .automaton
        .watching(sliced.program(), conditions, all)?;
    let wanted_run = Arc::new(Search::Accepted(Accepting {
        watcher: Arc::new(automaton),
        stack: wanted,
        ending,
    }));
    let mut trace = match run.search(&sliced, &wanted_run)? {
        Ok(Some(trace)) => trace,
        Ok(None) => return Ok(Decided::Holds),
        Err(limit) => return Ok(Decided::Unknown(limit)),
    };
    let mut kinds = Kinds::default();
    if trace.diverges() {
        kinds.diverging = Some(true);
        if wanted == Stack::Any {
            let found = match run.engine() {
                // It would have given a run whose stack stays finite.
                Engine::Symbolic => Some(None),
                _ => finite(run, sliced.program(), &wanted_run)?,
            };
            kinds.finite = found.as_ref().map(Option::is_some);
            // Of the two the one whose stack stays finite is easier to understand.
            if let Some(Some(finite)) = found {
                trace = finite;
            }
        }
    } else {
        kinds.finite = Some(true);
    }
    let trace = sliced.trace(trace);
    let replayed = replay_live(program, trace, watch.guards, watch.positions, violates)?;
    Ok(Decided::Violated(Box::new(replayed), Some(kinds)))
}

/// So many path edges are always worth a search for another kind of counterexample.
const ENOUGH: u64 = 200_000;

/// Searches for an accepted run whose stack stays finite; `None` if it takes too long. That
/// only diverging runs violate a property is worth knowing, but not at any price: the violation
/// is at hand.
fn finite(
    run: &mut Run<'_>,
    program: &Program,
    search: &Search,
) -> Result<Option<Option<Trace>>, InternalError> {
    let Search::Accepted(Accepting {
        watcher, ending, ..
    }) = search
    else {
        return Ok(None);
    };
    let search = Accepting {
        watcher: watcher.clone(),
        stack: Stack::Finite,
        ending: *ending,
    };
    let most = (run.path_edges() * 4).max(ENOUGH);
    let options = *run.options;
    let searched = search.explicitly(program, &options, &mut |progress| {
        if progress.path_edges > most {
            ControlFlow::Break(())
        } else {
            run.tick(&progress.into())
        }
    })?;
    run.add_explicit(&searched.progress);
    Ok(searched.found.ok())
}

//! Properties of infinite runs: searches for a violating lasso, and finds out which kinds of
//! them there are.

use std::{cell::RefCell, ops::ControlFlow, sync::Arc};

use recurva_explicit::Stopped;
use recurva_logic::{
    automaton::{self, Config, MAX_ATOMS, Tgba, TooLarge},
    caret,
    ltl::{Formula, Operator},
};
use recurva_model::{Ending, Guard, Program, Stack};
use recurva_slice::Observed;

use super::{
    Decided, Ltl, Never, Property, Run,
    accepting::{Accepting, Watcher},
    replay::{Unshown, Violates, accepts, replay_live, violates_formula},
    search::{Finding, Search, Stage},
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
    search(run, program, &watch, &violates_formula(formula))
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
    search(run, program, &watch, &accepts(&property.automaton))
}

/// The automaton of the runs that violate a formula, as `translate` makes it.
fn negation<T>(
    run: &mut Run<'_>,
    formula: &Formula,
    translate: impl Fn(&Formula, &Config<'_>) -> Result<T, TooLarge>,
) -> Result<T, Limit> {
    let mut ask = || run.tick(&crate::Progress::default());
    let automaton = negated(&mut ask, formula, translate);
    automaton.map_err(|cause| match cause {
        TooLarge::Stopped => run.limit(Stopped::Asked),
        other => Limit::Automaton(other),
    })
}

fn negated<T>(
    ask: &mut dyn FnMut() -> ControlFlow<()>,
    formula: &Formula,
    translate: impl Fn(&Formula, &Config<'_>) -> Result<T, TooLarge>,
) -> Result<T, TooLarge> {
    let mut formulas = formula.formulas.clone();
    let root = formulas.unary(Operator::Not, formula.root);
    let asked = RefCell::new(ask);
    let stop = || (asked.borrow_mut())().is_break();
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    translate(&Formula { formulas, root }, &config)
}

/// What accepts the infinite runs that violate a property; `None` if the property is not about
/// infinite runs, or there is no such automaton.
pub(crate) fn violations(
    program: &Program,
    property: &Property,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Option<Watcher> {
    match property {
        Property::Ltl(it) => {
            let automaton = negated(ask, &it.formula, automaton::translate).ok()?;
            watcher(program, &automaton, &it.guards, it.positions.as_ref())
        }
        Property::Caret(it) => {
            let automaton = negated(ask, &it.formula, caret::translate).ok()?;
            watcher(program, &automaton, &it.guards, it.positions.as_ref())
        }
        Property::Never(it) => watcher(program, &it.automaton, &it.guards, it.positions.as_ref()),
        Property::Unreachable { .. } | Property::Monitor(_) => None,
    }
}

fn watcher<A: Watches>(
    program: &Program,
    automaton: &A,
    guards: &[Guard],
    positions: Option<&Guard>,
) -> Option<Watcher> {
    let watching = Watching {
        automaton,
        guards,
        positions,
    };
    let observed = watching.observed();
    if observed.len() > MAX_ATOMS {
        return None;
    }
    let all = positions.is_none();
    automaton.watching(program, observed, all).ok()
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
    violates: Violates<'_>,
) -> Result<Decided<'p>, InternalError> {
    if watch.observed().len() > MAX_ATOMS {
        let cause = TooLarge::Atoms(MAX_ATOMS - 1);
        return Ok(Decided::Unknown(Limit::Automaton(cause)));
    }
    let observed = watch.observed();
    let sliced = run.sliced(program, &Observed::Conditions(observed.iter().collect()));
    let sliced = match sliced {
        Ok(sliced) => sliced,
        Err(limit) => return Ok(Decided::Unknown(limit)),
    };
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
        Ok(Finding::Run(trace)) => trace,
        Ok(Finding::Nothing) => return Ok(Decided::Holds),
        Ok(Finding::Unfinished(limit)) => return Ok(Decided::Unfinished(limit)),
        Err(limit) => return Ok(Decided::Unknown(limit)),
    };
    let mut kinds = Kinds::default();
    if trace.diverges() {
        kinds.diverging = Some(true);
        if wanted == Stack::Any {
            let found = match run.engine() {
                // It would have given a run whose stack stays finite.
                Engine::Symbolic => Some(Finding::Nothing),
                _ => finite(run, sliced.program(), &wanted_run)?,
            };
            let is_nothing = |found: &Finding<_>| matches!(found, Finding::Nothing);
            kinds.finite = found.as_ref().map(|found| !is_nothing(found));
            // Of the two the one whose stack stays finite is easier to understand.
            if let Some(Finding::Run(finite)) = found {
                trace = finite;
            }
        }
    } else {
        kinds.finite = Some(true);
    }
    let replayed = run.patiently(|patience| {
        let trace = sliced.trace(trace, patience)?;
        let Watching {
            guards, positions, ..
        } = *watch;
        replay_live(program, trace, guards, positions, violates, patience)
    });
    match replayed {
        Ok(replayed) => Ok(Decided::Violated(Box::new(replayed), Some(kinds))),
        Err(Unshown::Stopped(stop)) => Ok(Decided::Unfinished(run.stopped(stop))),
        Err(Unshown::Unconfirmed(cause)) => Err(cause.into()),
    }
}

/// So many path edges are always worth a search for another kind of counterexample.
const ENOUGH: u64 = 200_000;

/// Searches for an accepted run whose stack stays finite; `None` if it takes too long. That
/// only diverging runs violate a property is worth knowing, but not at any price: the violation
/// is at hand. If it was told to stop, so will be those who spell out that one.
fn finite(
    run: &mut Run<'_>,
    program: &Program,
    search: &Search,
) -> Result<Option<Finding<Stopped>>, InternalError> {
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
    let searched = search.explicitly(program, &options, &mut |stage, progress| {
        if stage == Stage::Searches && progress.path_edges > most {
            ControlFlow::Break(())
        } else {
            run.tick(&progress.into())
        }
    })?;
    run.add_explicit(&searched.progress);
    Ok(searched.found.ok())
}

//! CaRet: the violations of a formula are watched for by an automaton over nested words. All else
//! is as for formulas of linear-time temporal logic.

use recurva_logic::{caret, ltl::WordEvaluation};
use recurva_model::{Guard, NestedAutomaton, NestedParts, Program, Word};

use crate::{
    InternalError, Ltl, Verdict,
    accepted::Watcher,
    live::{self, Watches, Watching},
    run::Run,
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
    let automaton = match live::negation(run, formula, caret::translate) {
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
    live::search(run, program, &watch, violates)
}

impl Watches for NestedParts {
    fn watching(
        &self,
        program: &Program,
        observed: Vec<Guard>,
        all: bool,
    ) -> Result<Watcher, InternalError> {
        let parts = match (all, observed.len().checked_sub(1)) {
            (false, Some(last)) => self.clone().skipping(last as u32),
            _ => self.clone(),
        };
        let automaton = NestedAutomaton::new(program, observed, parts)?;
        Ok(Watcher::Nested(automaton))
    }
}

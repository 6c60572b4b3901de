//! CaRet: the violations of a formula are watched for by an automaton over nested words. All else
//! is as for formulas of linear-time temporal logic.

use recurva_model::{Guard, NestedAutomaton, NestedParts, Program};

use super::{accepting::Watcher, infinite::Watches};
use crate::InternalError;

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

//! The solvers that have to agree that an obligation holds.

use std::ops::ControlFlow;

use recurva_certificate::check::{EmbeddedJudge, Judge};
use recurva_smt::{
    Answer, Term, Terms, Unknown,
    process::{Tool, ToolKind, ToolLimits, solve_once},
};

use crate::Limits;

/// What the embedded solver is called.
const EMBEDDED: &str = "recurva";

/// A solver that took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverMark {
    /// Its name.
    pub name: String,
    /// Its version, as it says; empty for the embedded one.
    pub version: String,
}

/// Those who have to agree: the embedded solver, and perhaps another one.
pub(super) struct Judges {
    embedded: EmbeddedJudge,
    other: Option<(Tool, ToolLimits)>,
}

impl Judges {
    /// The embedded solver alone.
    pub(super) fn embedded() -> Self {
        Judges {
            embedded: EmbeddedJudge::default(),
            other: None,
        }
    }

    /// The embedded solver, and cvc5 or z3 where there is one.
    pub(super) fn all(limits: Limits) -> Self {
        let kinds = [ToolKind::Cvc5, ToolKind::Z3];
        let other = kinds.into_iter().find_map(Tool::find);
        let limits = ToolLimits {
            memory: limits.memory,
            time: limits.time,
            ..ToolLimits::default()
        };
        Judges {
            other: other.map(|tool| (tool, limits)),
            ..Judges::embedded()
        }
    }

    /// Who they are.
    pub(super) fn marks(&self) -> Vec<SolverMark> {
        let embedded = SolverMark {
            name: EMBEDDED.to_owned(),
            version: String::new(),
        };
        let other = self.other.iter().map(|(tool, _)| SolverMark {
            name: tool.kind().to_string(),
            version: tool.version().to_owned(),
        });
        std::iter::once(embedded).chain(other).collect()
    }
}

impl Judge for Judges {
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        let first = self.embedded.judge(terms, facts, ask);
        let Some((tool, limits)) = &self.other else {
            return first;
        };
        if first.is_satisfiable() || matches!(first, Answer::Unknown(Unknown::Stopped)) {
            return first;
        }
        match (first, solve_once(tool, terms, facts, limits, ask)) {
            (_, second @ Answer::Satisfiable(_)) => second,
            // One of them has to know.
            (Answer::Unknown(_), second) => second,
            // What the other one does not know the first one has shown.
            (first, Answer::Unknown(why)) if why != Unknown::Stopped => first,
            (_, second) => second,
        }
    }
}

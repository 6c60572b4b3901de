//! Who answers whether facts can be true together.

use std::ops::ControlFlow;

use recurva_smt::{
    Answer, Embedded, EmbeddedLimits, Term, Terms, Unknown,
    process::{Tool, ToolLimits, solve_once},
};

/// Decides whether facts can be true together. It is believed when it says that they cannot.
pub trait Judge {
    /// Whether all the facts can be true together. `ask` is asked now and then whether to go on.
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer;
}

/// The solver that needs no other program: a new one for each question.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedJudge {
    /// What each question may use.
    pub limits: EmbeddedLimits,
}

impl Judge for EmbeddedJudge {
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        let mut solver = Embedded::new(self.limits.clone());
        for &fact in facts {
            solver.assert(terms, fact);
        }
        solver.check(terms, &[], ask)
    }
}

/// Another solver: a fresh process for each question.
#[derive(Clone, Debug)]
pub struct ProcessJudge {
    /// The solver.
    pub tool: Tool,
    /// What each question may use.
    pub limits: ToolLimits,
}

impl Judge for ProcessJudge {
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        solve_once(&self.tool, terms, facts, &self.limits, ask)
    }
}

/// Two judges who both have to say that facts cannot be true together. One of them is enough to show
/// how they can.
#[derive(Clone, Debug)]
pub struct Both<A, B>(
    /// Who is asked first.
    pub A,
    /// Who is asked then.
    pub B,
);

impl<A: Judge, B: Judge> Judge for Both<A, B> {
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        let first = confirmed(self.0.judge(terms, facts, ask), terms, facts);
        if first.is_satisfiable() || matches!(first, Answer::Unknown(Unknown::Stopped)) {
            return first;
        }
        let second = confirmed(self.1.judge(terms, facts, ask), terms, facts);
        match (first, second) {
            (_, second @ Answer::Satisfiable(_)) => second,
            (first @ Answer::Unknown(_), _) => first,
            (_, second) => second,
        }
    }
}

/// An answer; values in which not all facts are true are none.
pub(super) fn confirmed(answer: Answer, terms: &Terms, facts: &[Term]) -> Answer {
    match answer {
        Answer::Satisfiable(model) if model.refuted(terms, facts).is_some() => Answer::Unknown(
            Unknown::Solver("the solver gave values for which not all facts hold".into()),
        ),
        other => other,
    }
}

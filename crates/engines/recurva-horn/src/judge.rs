//! Who decides whether something follows.
//!
//! While a proof is looked for, any solver will do: what is wrong is found later. When it is checked, no
//! process is believed by itself: the solver that is built in has to agree, or another process.

use std::{ops::ControlFlow, time::Duration};

use recurva_certificate::check::{EmbeddedJudge, Judge};
use recurva_smt::{
    Answer, EmbeddedLimits, Term, Terms, Unknown,
    process::{Tool, ToolLimits, solve_once},
};

/// The built-in solver is given so long at first: it is quick, or it is slow.
const QUICK: Duration = Duration::from_millis(50);

/// What a question may take that the built-in solver does not answer.
const SLOW: Duration = Duration::from_secs(10);

/// Asks the built-in solver, and then others.
#[derive(Clone, Debug)]
pub(crate) struct Solvers {
    embedded: EmbeddedJudge,
    /// All of these have to agree.
    tools: Vec<Tool>,
    limits: ToolLimits,
}

impl Solvers {
    /// Those that find a proof.
    pub(crate) fn to_find(tool: &Tool, memory: u64) -> Self {
        Solvers::new(vec![tool.clone()], memory, QUICK)
    }

    /// Those that check it.
    pub(crate) fn to_check(tool: &Tool, second: Option<&Tool>, memory: u64) -> Self {
        match second {
            Some(second) => Solvers::new(vec![tool.clone(), second.clone()], memory, QUICK * 4),
            None => Solvers::new(Vec::new(), memory, SLOW),
        }
    }

    fn new(tools: Vec<Tool>, memory: u64, quick: Duration) -> Self {
        Solvers {
            embedded: EmbeddedJudge {
                limits: EmbeddedLimits {
                    memory,
                    time: Some(quick),
                },
            },
            tools,
            limits: ToolLimits {
                memory: Some(memory),
                time: Some(SLOW),
                ..ToolLimits::default()
            },
        }
    }
}

impl Judge for Solvers {
    fn judge(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        let mut answer = self.embedded.judge(terms, facts, ask);
        if !matches!(&answer, Answer::Unknown(unknown) if *unknown != Unknown::Stopped) {
            return answer;
        }
        for tool in &self.tools {
            answer = solve_once(tool, terms, facts, &self.limits, ask);
            if !answer.is_unsatisfiable() {
                return answer;
            }
        }
        answer
    }
}

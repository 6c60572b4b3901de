//! One question to one process.

use std::ops::ControlFlow;

use super::{Said, Tool, ToolKind, ToolLimits};
use crate::{
    Answer, Node, Term, Terms, Unknown,
    smtlib::{Sexpr, Sexprs, print_script, read_model},
};

/// Whether some formulas can be true together, asked of a fresh process. A model is given out only if
/// they are true in it; "unsatisfiable" is the solver's word, and names all formulas.
pub fn solve_once(
    tool: &Tool,
    terms: &Terms,
    assertions: &[Term],
    limits: &ToolLimits,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Answer {
    if tool.kind() == ToolKind::Cvc5 && has_open_constant(terms, assertions) {
        let what = "cvc5 knows arrays with one value everywhere only if it is a number";
        return Answer::Unknown(Unknown::Unsupported(what.to_owned()));
    }
    let script = format!(
        "(set-option :produce-models true)\n(set-logic ALL)\n{}(check-sat)\n(get-model)\n",
        print_script(terms, assertions)
    );
    let answer = tool
        .run(&script, &[], limits, ask)
        .and_then(|said| understood(tool, terms, assertions, &said));
    answer.unwrap_or_else(Answer::Unknown)
}

/// Whether there is an array with one value everywhere that is no number.
fn has_open_constant(terms: &Terms, assertions: &[Term]) -> bool {
    let parts = terms.parts(assertions);
    parts.into_iter().any(|it| match *terms.node(it) {
        Node::Constant(value, _) => !terms.is_literal(value),
        _ => false,
    })
}

fn understood(
    tool: &Tool,
    terms: &Terms,
    assertions: &[Term],
    said: &Said,
) -> Result<Answer, Unknown> {
    let wrong = |what: &str| Unknown::Solver(format!("{} {what}", tool.kind()));
    let text = Sexprs::read(&said.output)
        .map_err(|error| wrong(&format!("says what cannot be read: {error}")))?;
    let all: Vec<Sexpr<'_>> = text.iter().collect();
    let answer = all.first().and_then(|it| it.symbol());
    match (answer, &all[..]) {
        // There is no model then, and it says so.
        (Some("unsat"), [_] | [_, _]) if all[1..].iter().all(|it| it.begins_with("error")) => {
            Ok(Answer::Unsatisfiable(assertions.to_vec()))
        }
        (Some("sat"), &[_, model]) => {
            let model = read_model(terms, model)
                .map_err(|error| wrong(&format!("has a model that cannot be read: {error}")))?;
            match model.refuted(terms, assertions) {
                None => Ok(Answer::Satisfiable(model)),
                // A division of integers by 0 is anything to a solver, and nothing here.
                Some(formula) if model.value(terms, formula).is_none() => {
                    Err(wrong("has a model in which something has no value"))
                }
                Some(_) => Err(wrong("has a model in which not all is true")),
            }
        }
        (Some("unknown"), _) => Err(wrong("does not know")),
        (Some("timeout"), _) => Err(Unknown::Time),
        _ => {
            let first = [&said.output, &said.errors]
                .into_iter()
                .flat_map(|it| it.lines())
                .find(|it| !it.trim().is_empty())
                .unwrap_or("nothing");
            let first: String = first.chars().take(200).collect();
            Err(wrong(&format!("gives no answer: {first}")))
        }
    }
}

//! Clauses as a script for a solver, and what it answers.

use std::fmt::Write as _;

use recurva_smt::{
    Node, Sort, Term, Terms,
    smtlib::{Sexpr, Sexprs, print_sort, print_term, read_sort, read_term, symbol},
};
use rustc_hash::FxHashMap;

use crate::clause::{Application, Clause, Predicate, System};

/// What the solver says of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Solved {
    /// It has a solution: for each predicate a term over its parameters, if it was understood.
    Solution(Vec<Option<Term>>),
    /// It has none.
    Refuted,
    /// No answer, and why.
    Unknown(String),
}

/// The script that asks for a solution.
pub(crate) fn script(terms: &mut Terms, system: &System) -> String {
    let mut text = String::from("(set-logic HORN)\n(set-option :fp.engine spacer)\n");
    // Else predicates go away, and solutions have quantifiers.
    for option in ["inline_eager", "inline_linear", "slice"] {
        let _ = writeln!(text, "(set-option :fp.xform.{option} false)");
    }
    for (number, predicate) in system.predicates.iter().enumerate() {
        let sorts = predicate.parameters.iter();
        let sorts: Vec<String> = sorts.map(|&it| print_sort(terms.sort(it))).collect();
        let _ = writeln!(text, "(declare-fun P{number} ({}) Bool)", sorts.join(" "));
    }
    for clause in &system.clauses {
        let _ = writeln!(text, "; {}", clause.reason);
        write_clause(terms, &mut text, clause);
    }
    text.push_str("(check-sat)\n(get-model)\n");
    text
}

fn write_clause(terms: &mut Terms, text: &mut String, clause: &Clause) {
    let mut conditions = vec![clause.condition];
    let mut apply = |terms: &mut Terms, application: &Application| {
        // What is no variable gets a name, so that it is written once.
        let mut said = format!("(P{}", application.predicate);
        for &argument in &application.arguments {
            let is_simple =
                terms.is_literal(argument) || matches!(terms.node(argument), Node::Variable(_));
            let name = match is_simple {
                true => argument,
                false => {
                    let sort = terms.sort(argument);
                    let name = terms.fresh("is", sort);
                    conditions.push(terms.equal(name, argument));
                    name
                }
            };
            let _ = write!(said, " {}", print_term(terms, name));
        }
        match application.arguments.is_empty() {
            true => format!("P{}", application.predicate),
            false => said + ")",
        }
    };
    let body: Vec<String> = clause.body.iter().map(|it| apply(terms, it)).collect();
    let head = match &clause.head {
        Some(head) => apply(terms, head),
        None => "false".to_owned(),
    };
    let mut roots: Vec<Term> = conditions.clone();
    for application in clause.body.iter().chain(&clause.head) {
        roots.extend(&application.arguments);
    }
    let variables = terms.variables_of(&roots);
    let condition = terms.and(&conditions);
    let implied = format!(
        "(=> (and {} {}) {head})",
        body.join(" "),
        print_term(terms, condition)
    );
    if variables.is_empty() {
        let _ = writeln!(text, "(assert {implied})");
        return;
    }
    text.push_str("(assert (forall (");
    for variable in variables {
        if let Some(name) = terms.variable_name(variable) {
            let sort = print_sort(terms.sort(variable));
            let _ = write!(text, "({} {sort})", symbol(name));
        }
    }
    let _ = writeln!(text, ") {implied}))");
}

/// What a solver printed, read.
pub(crate) fn read(terms: &mut Terms, system: &System, output: &str) -> Solved {
    let (answer, rest) = output.trim_start().split_once('\n').unwrap_or((output, ""));
    match answer.trim() {
        "unsat" => return Solved::Refuted,
        "sat" => {}
        "unknown" => return Solved::Unknown("it does not know".to_owned()),
        other => return Solved::Unknown(other.chars().take(200).collect()),
    }
    let text = match Sexprs::read(rest) {
        Ok(text) => text,
        Err(wrong) => return Solved::Unknown(wrong),
    };
    let mut definitions: FxHashMap<String, Sexpr<'_>> = FxHashMap::default();
    let items = text.iter().filter_map(Sexpr::items).flatten();
    for definition in items.filter(|it| it.begins_with("define-fun")) {
        if let Some(name) = definition.list().get(1).and_then(|it| it.symbol()) {
            definitions.insert(name.to_owned(), definition);
        }
    }
    let all = system.predicates.iter().enumerate();
    Solved::Solution(
        all.map(|(number, predicate)| {
            let definition = definitions.get(&format!("P{number}"))?;
            solution(terms, predicate, *definition)
        })
        .collect(),
    )
}

/// A definition of a predicate as a term over its parameters.
fn solution(terms: &mut Terms, predicate: &Predicate, definition: Sexpr<'_>) -> Option<Term> {
    let &[_, _, parameters, _, body] = &definition.list()[..] else {
        return None;
    };
    let parameters = parameters.list();
    if parameters.len() != predicate.parameters.len() {
        return None;
    }
    let mut names: FxHashMap<&str, Term> = FxHashMap::default();
    for (parameter, &term) in parameters.iter().zip(&predicate.parameters) {
        let &[name, sort] = &parameter.list()[..] else {
            return None;
        };
        if read_sort(sort).ok()? != terms.sort(term) {
            return None;
        }
        names.insert(name.symbol()?, term);
    }
    let term = read_term(terms, body, &|name| names.get(name).copied()).ok()?;
    (terms.sort(term) == Sort::Bool).then_some(term)
}

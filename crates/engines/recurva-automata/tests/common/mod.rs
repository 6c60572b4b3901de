//! What the tests share.

#![allow(dead_code, reason = "not every test needs everything")]

#[path = "../../../recurva-nested/tests/growing/mod.rs"]
pub(crate) mod growing;
pub(crate) mod random_automata;

use std::ops::ControlFlow;

use recurva_automata::{Limits, accepts};
use recurva_lang::nsm;
use recurva_logic::{
    nta::{self, Alternating, Automaton, Nondeterministic},
    ntmu::{self, Formula},
};
use recurva_model::Nsm;
use recurva_nested::{Options, Reduction, check};
use recurva_syntax::{Source, Style};

pub(crate) fn machine(text: &str) -> Nsm {
    let source = Source::new("machine.nsm", text).expect("a short text");
    let parsed = nsm::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.nsm.unwrap_or_else(|| panic!("{errors}"))
}

pub(crate) fn formula(text: &str) -> Formula {
    let source = Source::new("formula", text).expect("a short text");
    let parsed = ntmu::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.formula.unwrap_or_else(|| panic!("{errors}"))
}

pub(crate) fn automaton(text: &str) -> Automaton {
    let source = Source::new("automaton.nta", text).expect("a short text");
    let parsed = nta::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.automaton.unwrap_or_else(|| panic!("{errors}"))
}

pub(crate) fn alternating(text: &str) -> Alternating {
    match automaton(text) {
        Automaton::Alternating(automaton) => automaton,
        Automaton::Nondeterministic(_) => panic!("it is nondeterministic"),
    }
}

pub(crate) fn nondeterministic(text: &str) -> Nondeterministic {
    match automaton(text) {
        Automaton::Nondeterministic(automaton) => automaton,
        Automaton::Alternating(_) => panic!("it is alternating"),
    }
}

/// Whether the tree of a machine satisfies a formula.
pub(crate) fn holds(machine: &Nsm, formula: &Formula) -> bool {
    let go_on = |_: &_| ControlFlow::Continue(());
    let outcome = check(machine, formula, &Options::default(), go_on);
    outcome.expect("it is small").holds
}

/// Whether an automaton accepts the tree of a machine; the same with and without the quotient.
pub(crate) fn member(machine: &Nsm, automaton: &Alternating) -> bool {
    let [one, other] = [Reduction::Bisimulation, Reduction::None].map(|reduction| {
        let go_on = |_: &_| ControlFlow::Continue(());
        let outcome = accepts(machine, automaton, reduction, &Limits::default(), go_on);
        outcome.expect("it is small").accepted()
    });
    assert_eq!(one, other, "{automaton}");
    one
}

/// How many random cases there are: more if `RECURVA_CASES` says so.
pub(crate) fn cases(default: usize) -> usize {
    let asked = std::env::var("RECURVA_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(default)
}

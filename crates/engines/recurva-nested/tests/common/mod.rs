//! What the tests share.

#![allow(dead_code, reason = "not every test needs everything")]

use std::ops::ControlFlow;

use recurva_lang::nsm;
use recurva_logic::ntmu::{self, Formula};
use recurva_model::Nsm;
use recurva_nested::{Options, Reduction, bounded, check, prove};
use recurva_syntax::{Source, Style};

/// The machine of Fig. 2.1: foo writes, calls itself or thinks, reads in a loop and returns.
pub(crate) const FOO: &str = "
    local v1 : wr
    call v2 : en
    return w2 : ex
    local v3 : tk
    local v4 : rd
    local v5 : end
    init v1
    v1 -> v2
    v1 -> v3
    w2 -> v4
    w2 -> v5
    v3 -> v4
    v3 -> v5
    v4 -> v4
    v4 -> v5
    v2 -call-> v1
    (v5, v2) -ret-> w2";

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

/// The answer of both engines, with the quotient and without; a proof of it, or of the negation,
/// is found and checked.
pub(crate) fn holds(machine: &Nsm, formula: &Formula) -> bool {
    let expected = bounded::satisfies(machine, formula).expect("all propositions are known");
    for reduction in [Reduction::Bisimulation, Reduction::None] {
        let options = Options {
            reduction,
            ..Options::default()
        };
        let outcome = check(machine, formula, &options, |_| ControlFlow::Continue(()));
        let outcome = outcome.expect("it is small");
        assert_eq!(outcome.holds, expected, "{reduction:?}: {formula}");
        let proved = match expected {
            true => formula.clone(),
            false => formula.clone().negation(),
        };
        let (_, proof) = prove(machine, &proved, &options, |_| ControlFlow::Continue(()))
            .unwrap_or_else(|error| panic!("{reduction:?}: {proved}: {error}"));
        let proof = proof.expect("the formula or its negation holds");
        if let Err(flaw) = proof.check(machine, &proved) {
            panic!("{reduction:?}: {proved}: {flaw}");
        }
    }
    expected
}

/// The trees of Fig. 3.7: s1 has three branches, with returns to p and p, to p and not p, to
/// not p and not p; t1 lacks the one in the middle.
pub(crate) fn figure_3_7(middle: &str) -> String {
    format!(
        "call s0
         local s1 a b c
         return p : p
         return q : x
         local other : q
         init s0
         s0 -call-> s1
         s1 -> a
         s1 -> b
         {middle}
         (a, s0) -ret-> p
         (b, s0) -ret-> q
         (c, s0) -ret-> p
         (c, s0) -ret-> q"
    )
}

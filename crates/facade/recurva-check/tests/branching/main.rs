//! Formulas and automata about branching: examples, random programs against a machine made by the
//! book, automata against formulas, and strategies in files.

mod by_the_book;
mod examples;
mod machines;
mod random;
mod strategies;
mod trees;
mod wrong;

use recurva_check::{
    Evidence, Options, Verdict,
    branching::{Ntmu, Reader, Subject, check},
};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::{Source, Style};

fn program(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn formula(subject: Subject<'_>, text: &str) -> Ntmu {
    let source = Source::new("formula", text).expect("a short text");
    let read = Reader::new(subject).formula(&source);
    let errors = read.diagnostics.render(&source, Style::Plain);
    let mut list = read
        .properties
        .unwrap_or_else(|| panic!("{text}\n{errors}"));
    list.pop().expect("one formula").property
}

/// Whether a model satisfies a formula, without any limit. A strategy has been checked.
fn holds(subject: Subject<'_>, property: &Ntmu, options: &Options) -> bool {
    let answer = check(&subject, property, options, &mut ());
    let answer = answer.unwrap_or_else(|error| panic!("{}: {error}", property.name));
    match (answer.verdict, &answer.evidence) {
        (Verdict::Holds, _) => true,
        (Verdict::Violated, Some(Evidence::Strategy(refutation))) => {
            let proof = &refutation.proof;
            let checked = proof.check(&refutation.nsm, &refutation.negation);
            checked.unwrap_or_else(|flaw| panic!("{}: {flaw}", property.name));
            false
        }
        (verdict, _) => panic!("no limit was set: {verdict:?}, {:?}", answer.unfinished),
    }
}

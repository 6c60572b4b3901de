//! Formulas about branching: examples, and random programs against a machine made by the book.

mod by_the_book;
mod examples;
mod machines;
mod random;
mod wrong;

use recurva_check::nested::{Model, NestedOptions, NestedVerdict, Ntmu, Reader, check};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::{Source, Style};

fn program(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn formula(model: Model<'_>, text: &str) -> Ntmu {
    let source = Source::new("formula", text).expect("a short text");
    let read = Reader::new(model).formula(&source);
    let errors = read.diagnostics.render(&source, Style::Plain);
    let mut list = read
        .properties
        .unwrap_or_else(|| panic!("{text}\n{errors}"));
    list.pop().expect("one formula").property
}

/// Whether a model satisfies a formula, without any limit. A strategy has been checked.
fn holds(model: Model<'_>, property: &Ntmu, options: &NestedOptions) -> bool {
    let outcome = check(&model, property, options, &mut ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", property.name));
    match outcome.verdict {
        NestedVerdict::Holds => true,
        NestedVerdict::Violated(refutation) => {
            let proof = &refutation.proof;
            let checked = proof.check(&refutation.nsm, &refutation.negation);
            checked.unwrap_or_else(|flaw| panic!("{}: {flaw}", property.name));
            false
        }
        NestedVerdict::Unfinished(limit) | NestedVerdict::Unknown(limit) => {
            panic!("no limit was set: {limit:?}")
        }
    }
}

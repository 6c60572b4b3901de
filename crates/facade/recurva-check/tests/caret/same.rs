//! Formulas of linear-time temporal logic have the same verdicts as formulas of CaRet.

use std::path::Path;

use recurva_check::{
    Options, Property, Runs, Stack,
    spec::{Reader, Vocabulary},
};
use recurva_corpus as corpus;
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::{Answer, ask, program, questions, wanted};

#[test]
fn on_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let mut compared = 0;
    for case in corpus::load(&folder).expect("a readable corpus") {
        let opened = case.open().expect(&case.name);
        for question in opened.questions().expect(&case.name) {
            let Some((program, Property::Ltl(ltl))) = corpus::runs(&question) else {
                continue;
            };
            let violated = case.verdict == corpus::Verdict::Violated;
            let found = ask(program, &Property::Caret(ltl.clone()), &opened.options);
            assert_eq!(found != Answer::Holds, violated, "{}", case.name);
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn on_random_programs() {
    for seed in 0..wanted(400) as u64 {
        let (text, program) = program(seed ^ 0x17_1000);
        let mut rng = Rng::new(seed);
        let atoms = ["call".to_owned(), "ret".to_owned(), "loc".to_owned()];
        let size = 2 + rng.below(5);
        let formula = questions::formula(&mut rng, size, &atoms, &[""]);
        let source = Source::new("formula", formula.clone()).expect("a short text");
        let reader = Reader::new(&program, Vocabulary::Program);
        let plain = reader
            .formula(&source)
            .properties
            .expect("no errors")
            .remove(0);
        let nested = questions::read(&reader, &formula);
        for (runs, stack) in [
            (Runs::Stutter, Stack::Any),
            (Runs::Infinite, Stack::Finite),
            (Runs::Infinite, Stack::Diverging),
        ] {
            let options = Options {
                stack,
                runs,
                ..Options::default()
            };
            let expected = ask(&program, &plain.property, &options);
            assert_eq!(
                ask(&program, &nested, &options),
                expected,
                "{formula}\n{text}"
            );
        }
    }
}

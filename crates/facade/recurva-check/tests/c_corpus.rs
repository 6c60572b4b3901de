//! The C programs of the corpus as a user checks them: the verdicts, and every violation compiled and
//! executed.

use std::path::Path;

use recurva_check::{Sort, Verdict};
use recurva_corpus as corpus;

/// Violations that are not executed, and why.
const NOT_EXECUTED: [(&str, &str); 2] = [
    (
        "c-address-of-local",
        "it depends on what a variable holds that is gone",
    ),
    (
        "c-uninitialised-flag",
        "it depends on what a variable holds that was never given a value",
    ),
];

#[test]
fn violations_are_executed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let has_compiler = recurva_cc::Compiler::find().is_some();
    let mut wrong = Vec::new();
    let mut executed = 0;
    for case in corpus::load(&folder).expect("a readable corpus") {
        if case.model.extension().is_none_or(|it| it != "c") {
            continue;
        }
        let opened = case.open_to_execute().expect(&case.name);
        assert_eq!(opened.model.sort(), Sort::C);
        let questions = opened.questions().expect(&case.name);
        let answer = questions[0].answer(&opened.options, &mut ());
        let answer = answer.unwrap_or_else(|cause| panic!("{}: {cause}", case.name));
        let expected = match case.verdict {
            corpus::Verdict::Holds => Verdict::Holds,
            corpus::Verdict::Violated => Verdict::Violated,
        };
        let notes: Vec<&str> = answer.notes.iter().map(|note| &*note.text).collect();
        if answer.verdict != expected {
            wrong.push(format!("{}: {:?} {notes:?}", case.name, answer.verdict));
            continue;
        }
        if !answer.is_violated() || !has_compiler {
            continue;
        }
        let is_executed = notes.iter().any(|note| note.starts_with("executed: "));
        let exception = NOT_EXECUTED.iter().find(|(name, _)| *name == case.name);
        match (is_executed, exception) {
            (true, _) => executed += 1,
            (false, Some(_)) => {}
            (false, None) => wrong.push(format!("{}: not executed: {notes:?}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(executed >= 30 || !has_compiler, "{executed}");
}

//! What is found on the program that stands for a C program counts only if it is true of the C program.

use recurva_check::{Asked, COptions, Limit, Limits, Model, Options, ReadOptions, Verdict};
use recurva_syntax::Source;

/// The verdict on a preprocessed program, and what is said besides.
fn verdict(text: &str, asked: &Asked) -> (Verdict, String) {
    let source = Source::new("model.i", text).unwrap();
    let options = ReadOptions {
        c: COptions {
            execute: false,
            ..COptions::default()
        },
        ..ReadOptions::default()
    };
    let model = Model::read(source, &options, Limits::default(), &mut ()).unwrap();
    let questions = model.questions(asked).unwrap();
    let answer = questions.list[0]
        .answer(&Options::default(), &mut ())
        .unwrap();
    let notes: Vec<&str> = answer.notes.iter().map(|it| &*it.text).collect();
    assert_eq!(answer.is_violated(), answer.evidence.is_some());
    (answer.verdict, notes.join("\n"))
}

fn ltl(formula: &str) -> Asked {
    Asked {
        ltl: vec![formula.to_owned()],
        ..Asked::default()
    }
}

fn ntmu(formula: &str) -> Asked {
    Asked {
        ntmu: vec![formula.to_owned()],
        ..Asked::default()
    }
}

const UNKNOWN: Verdict = Verdict::Unknown(Limit::NotModelled);

/// It computes with a floating-point number, which has any value in the model.
const FLOAT: &str = "unsigned char x; int main(void) { double d = 1.5; if (d * 2 == 4) { x = 1; } while (1) { x = x; } }";

/// The same without one.
const WHOLE: &str = "unsigned char x; int main(void) { int d = 2; if (d * 2 == 4) { x = 1; } while (1) { x = x; } }";

#[test]
fn an_infinite_run_of_a_model_with_more_runs_is_none_of_the_program() {
    let (found, notes) = verdict(WHOLE, &ltl("G x == 0"));
    assert_eq!(found, Verdict::Violated);
    assert!(notes.contains("in the same state again"), "{notes}");
    let (found, notes) = verdict(FLOAT, &ltl("G x == 0"));
    assert_eq!(found, UNKNOWN, "{notes}");
    assert!(notes.contains("floating-point"), "{notes}");
    // What holds of more runs holds of fewer.
    assert_eq!(verdict(FLOAT, &ltl("G x != 2")).0, Verdict::Holds);
}

#[test]
fn a_run_that_ends_late_is_followed_to_its_end() {
    let text =
        "unsigned char x; int main(void) { for (int i = 0; i < 400000; i++) { x = 2; } return 0; }";
    let (found, notes) = verdict(text, &ltl("F x == 1"));
    assert_eq!(found, Verdict::Violated, "{notes}");
    assert!(notes.contains("steps: it ends"), "{notes}");
}

#[test]
fn what_there_must_be_is_asked_of_the_model() {
    let program = |head: &str| {
        format!(
            "{head} unsigned char x; \
             int main(void) {{ if (any()) {{ x = 1; }} while (1) {{ x = x; }} }}"
        )
    };
    let exact = program("static _Bool any(void) { return 1; }");
    assert_eq!(verdict(&exact, &ntmu("EF \"x == 1\"")).0, Verdict::Holds);
    assert_eq!(verdict(&exact, &ntmu("EF \"x == 2\"")).0, Verdict::Violated);
    // A function without a body is assumed to return any value, and that is said.
    let assumed = program("extern _Bool any(void);");
    let (found, notes) = verdict(&assumed, &ntmu("EF \"x == 1\""));
    assert_eq!(found, Verdict::Holds, "{notes}");
    assert!(notes.contains("`any` has no body"), "{notes}");
}

#[test]
fn a_finite_run_is_executed() {
    let text = "extern void reach_error(void); int main(void) { double d = 1.5; if (d * 2 == 4) reach_error(); return 0; }";
    let (found, notes) = verdict(text, &Asked::default());
    assert_eq!(found, UNKNOWN, "{notes}");
    let text = text.replace("== 4", "== 3");
    assert_eq!(verdict(&text, &Asked::default()).0, Verdict::Violated);
}

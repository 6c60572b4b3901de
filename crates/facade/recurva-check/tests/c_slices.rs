//! Large C programs: a slice is searched first, and what is found in it counts only for the program.
//!
//! Programs of any size are taken to be large here.

use std::path::Path;

use recurva_check::{
    Asked, CCheck, COptions, DataModel, Limits, Model, Options, ReadOptions, Verdict, open,
};
use recurva_syntax::Source;

fn options(checks: &[CCheck]) -> ReadOptions {
    ReadOptions {
        c: COptions {
            large: 0,
            execute: false,
            machine: Some(DataModel::Ilp32),
            checks: checks.to_vec(),
            ..COptions::default()
        },
        ..ReadOptions::default()
    }
}

/// The verdict on a preprocessed program, and what is said besides.
fn answer(text: &str, checks: &[CCheck], asked: &Asked) -> (Verdict, String) {
    let source = Source::new("model.i", text).unwrap();
    let model = Model::read(source, &options(checks), Limits::default(), &mut ()).unwrap();
    let questions = model.questions(asked).unwrap();
    let answer = questions.list[0]
        .answer(&Options::default(), &mut ())
        .unwrap();
    let notes: Vec<&str> = answer.notes.iter().map(|it| &*it.text).collect();
    assert_eq!(answer.is_violated(), answer.evidence.is_some());
    assert_eq!(answer.is_violated(), answer.c_run.is_some());
    (answer.verdict, notes.join("\n"))
}

const HEAD: &str = "void reach_error(void); int __VERIFIER_nondet_int(void); void *malloc(unsigned);\n\
    static int held;\n\
    static void lock(void) { if (held) reach_error(); held = 1; }\n\
    static void unlock(void) { if (!held) reach_error(); held = 0; }\n\
    struct list { struct list *next; int value; };\n\
    static int sum(struct list *list) { int s = 0; while (list) { s += list->value; list = list->next; } return s; }\n";

#[test]
fn a_rule_on_locks_does_not_depend_on_a_list() {
    let text = "int main(void) { struct list *all = 0; int n = __VERIFIER_nondet_int();\n\
        while (n-- > 0) { struct list *one = malloc(sizeof *one); one->next = all; one->value = n; all = one;\n\
        lock(); sum(all); unlock(); } lock(); return sum(all); }";
    let (found, notes) = answer(&(HEAD.to_owned() + text), &[], &Asked::default());
    assert_eq!(found, Verdict::Holds, "{notes}");
    assert!(
        notes.contains("found in a slice: 3 of 4 functions"),
        "{notes}"
    );
}

#[test]
fn a_violation_is_executed_on_the_whole_program() {
    let text = "int main(void) { struct list one = { 0, 3 }; lock(); int n = __VERIFIER_nondet_int();\n\
        if (sum(&one) == 3 && n == 4711) lock(); return 0; }";
    let (found, notes) = answer(&(HEAD.to_owned() + text), &[], &Asked::default());
    assert_eq!(found, Verdict::Violated, "{notes}");
    assert!(notes.contains("replayed on the C program"), "{notes}");
}

#[test]
fn what_only_the_slice_does_is_no_violation() {
    let text = "int main(void) { struct list one = { 0, 3 }; lock();\n\
        if (sum(&one) == 4) lock(); return 0; }";
    let (found, notes) = answer(&(HEAD.to_owned() + text), &[], &Asked::default());
    assert_eq!(found, Verdict::Holds, "{notes}");
    assert!(!notes.contains("slice"), "{notes}");
}

#[test]
fn function_pointers_labels_and_checks() {
    let text = "int x; static void set(void) { x = 1; } static void both(void) { x = 2; }\n\
        static void (*table[2])(void) = { set, both };\n\
        int __VERIFIER_nondet_int(void);\n\
        int main(void) { table[__VERIFIER_nondet_int() & 1](); if (x == 3) { HIT: return 1; } return 8 / x; }";
    let asked = Asked {
        reach: vec!["HIT".to_owned()],
        ..Asked::default()
    };
    assert_eq!(answer(text, &[], &asked).0, Verdict::Holds);
    let (found, notes) = answer(text, &[CCheck::Division], &Asked::default());
    assert_eq!(found, Verdict::Holds, "{notes}");
    assert!(notes.contains("found in a slice"), "{notes}");
    let asked = Asked {
        reach: vec!["both".to_owned()],
        ..Asked::default()
    };
    assert_eq!(answer(text, &[], &asked).0, Verdict::Violated);
}

#[test]
fn a_pointer_may_point_to_a_function_without_a_body() {
    let text = "void reach_error(void); int __VERIFIER_nondet_int(void); void outside(void);\n\
        static int x; static void set(void) { x = 1; }\n\
        int main(void) { void (*call)(void) = __VERIFIER_nondet_int() ? outside : set;\n\
        call(); if (!x) reach_error(); return 0; }";
    let (found, notes) = answer(text, &[], &Asked::default());
    assert_eq!(found, Verdict::Violated, "{notes}");
}

#[test]
fn kept_answers_depend_on_the_program() {
    let contents_with = |head: &str, text: &str| {
        let source = Source::new("model.i", head.to_owned() + text).unwrap();
        let model = Model::read(source, &options(&[]), Limits::default(), &mut ()).unwrap();
        let questions = model.questions(&Asked::default()).unwrap();
        questions.list[0].contents()
    };
    let contents = |text: &str| contents_with(HEAD, text);
    let first = contents("int main(void) { lock(); return sum(0); }");
    // Of the slice and of the whole program.
    assert_eq!(first.len(), 2);
    let moved = contents("\n\nint main(void) { lock(); return sum(0); }");
    assert_eq!(first, moved);
    let head = HEAD.replace("s += list->value", "s -= list->value");
    let other = contents_with(&head, "int main(void) { lock(); return sum(0); }");
    assert_eq!(first[0], other[0], "what does not matter was changed");
    assert_ne!(first[1], other[1]);
    let twice = contents("int main(void) { lock(); lock(); return sum(0); }");
    assert_ne!(first[0], twice[0]);
}

/// The tasks that are decided at once are decided in the same way when a slice comes first.
#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn tasks_have_the_same_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let Ok(folder) = root.join("../shared/bench/c").canonicalize() else {
        eprintln!("skipped: there is no ../shared/bench/c");
        return;
    };
    let mut wrong = Vec::new();
    for line in include_str!("c_tasks.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [file, "unreach-call", expected] = words[..] else {
            continue;
        };
        let source = open(&folder.join(file)).expect("a file");
        let model = Model::read(source, &options(&[]), Limits::default(), &mut ());
        let model = model.unwrap_or_else(|refused| panic!("{file}: {}", refused.first()));
        let questions = model.questions(&Asked::default()).expect("a question");
        let answer = questions.list[0].answer(&Options::default(), &mut ());
        let found = answer.expect("an answer").verdict;
        let fits = match expected {
            "true" => found == Verdict::Holds,
            _ => found == Verdict::Violated,
        };
        if !fits {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

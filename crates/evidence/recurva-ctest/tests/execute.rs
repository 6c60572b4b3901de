//! Test cases that are compiled and run, where there is a compiler.

#![allow(clippy::print_stderr)]

use recurva_cc::Compiler;
use recurva_ctest::{Executed, Fault, Goal, TestCase, Unit, Value, ValueKind, execute};

fn case(text: &str, values: &[(&str, ValueKind)], goal: Goal) -> TestCase {
    let value = |&(function, kind): &(&str, ValueKind)| Value {
        function: function.to_owned(),
        kind,
    };
    TestCase {
        units: vec![Unit {
            name: "a.c".to_owned(),
            text: text.as_bytes().to_vec(),
            options: Vec::new(),
        }],
        values: values.iter().map(value).collect(),
        absent: Vec::new(),
        goal,
        variables: Vec::new(),
        start: None,
        arguments: Vec::new(),
        support: Vec::new(),
    }
}

/// What came of it, in one word; `None` without a compiler.
fn run(case: &mut TestCase) -> Option<String> {
    let Some(compiler) = Compiler::find() else {
        eprintln!("there is no C compiler: nothing is executed");
        return None;
    };
    Some(match execute(case, &compiler, &mut || false) {
        Executed::Failed { said, .. } => said.map_or("failed".to_owned(), |it| it.to_string()),
        Executed::Otherwise(how) => how,
        Executed::NotCompiled(said) => panic!("not compiled: {said}"),
        other => panic!("{other:?}"),
    })
}

fn ends(case: &mut TestCase, how: &str) {
    if let Some(found) = run(case) {
        assert!(found.starts_with(how), "{found}");
    }
}

const NONDET: &str =
    "extern int nondet(void); extern unsigned char byte(void); extern double d(void);\n";

#[test]
fn main_gets_the_arguments_of_the_run() {
    let text = "void fail(void); int main(int argc, char **argv) {
        if (argc == 4 && argv[0][0] == 'x' && argv[1][0] == 1 && argv[1][1] == (char)200
            && argv[2][0] == '\\'' && argv[2][1] == '$' && !argv[3][0]) fail(); }";
    let mut case = case(text, &[], Goal::Call("fail".to_owned()));
    case.arguments = [&b"x"[..], b"\x01\xc8", b"'$", b""]
        .map(<[u8]>::to_vec)
        .to_vec();
    ends(&mut case, "failed");
    let makefile = case.files().makefile;
    let expected = "./program \"$$(printf '\\001\\310')\" ''\\''$$' '';";
    assert!(makefile.contains(expected), "{makefile}");
}

#[test]
fn values_lead_to_the_error() {
    let text = format!(
        "{NONDET} void abort(void); void fail(void) {{ abort(); }}\n\
         int main(void) {{ int x = nondet(); if (x != -3) abort(); if (byte() == 200 && d() == 0.1) fail(); }}"
    );
    let values = [
        ("nondet", ValueKind::Int(-3)),
        ("byte", ValueKind::Int(200)),
        ("d", ValueKind::Double(0.1)),
    ];
    let goal = Goal::Call("fail".to_owned());
    ends(&mut case(&text, &values, goal.clone()), "failed");
    // An abort is not what was asked for.
    let other = [("nondet", ValueKind::Int(3))];
    ends(&mut case(&text, &other, goal.clone()), "it was ended");
    // More values, or others, than the run has.
    ends(
        &mut case(&text, &values[..2], goal.clone()),
        "it asked for other",
    );
    let swapped = [values[1], values[0]];
    ends(&mut case(&text, &swapped, goal), "it asked for other");
}

#[test]
fn errors_without_a_body_labels_and_assertions() {
    let text = "extern void fail(void); int main(void) { fail(); return 0; }";
    ends(
        &mut case(text, &[], Goal::Call("fail".to_owned())),
        "failed",
    );
    let text = "int main(void) { for (int i = 0; ; i++) { if (i == 5) goto E; } E: ; }";
    let label = Goal::Label {
        function: "main".to_owned(),
        label: "E".to_owned(),
    };
    ends(&mut case(text, &[], label), "failed");
    let text = "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
                int main(void) { __assert_fail(\"x\", \"a.c\", 1, \"main\"); }";
    ends(&mut case(text, &[], Goal::Assertion), "failed");
    let text = "extern void abort(void); int main(void) { abort(); }";
    ends(&mut case(text, &[], Goal::Abort), "failed");
    ends(
        &mut case("int main(void) { return 7; }", &[], Goal::Abort),
        "it ended with the exit code 7",
    );
}

#[test]
fn sanitizers_see_what_is_undefined() {
    let goal = Goal::Undefined(Fault::Arithmetic);
    let text =
        format!("{NONDET} int main(void) {{ int x = nondet(); int y = x + 1; return y == 0; }}");
    let values = [("nondet", ValueKind::Int(i64::from(i32::MAX)))];
    ends(
        &mut case(&text, &values, goal.clone()),
        "UndefinedBehaviorSanitizer: signed integer overflow",
    );
    let goal = Goal::Undefined(Fault::Memory);
    let text = "extern void *malloc(unsigned long); extern void free(void *);\n\
                int main(void) { char *p = malloc(4); p[4] = 1; free(p); return 0; }";
    ends(
        &mut case(text, &[], goal.clone()),
        "AddressSanitizer: heap-buffer-overflow",
    );
    let text = "extern void *malloc(unsigned long); extern void free(void *);\n\
                int main(void) { char *p = malloc(4); free(p); free(p); return 0; }";
    ends(
        &mut case(text, &[], goal.clone()),
        "AddressSanitizer: double-free",
    );
    let text = "int main(void) { int *p = 0; return *p; }";
    ends(
        &mut case(text, &[], goal.clone()),
        "UndefinedBehaviorSanitizer: load of null pointer",
    );
    ends(
        &mut case("int main(void) { return 0; }", &[], goal),
        "it ended with the exit code 0",
    );
}

#[test]
fn functions_that_are_said_not_to_return() {
    // As some programs have it; the compiler would leave out all that follows.
    let text = "extern int nondet(void) __attribute__ ((__noreturn__)); extern void fail(void);\n\
                int main(void) { if (nondet() == 5) fail(); return 0; }";
    let values = [("nondet", ValueKind::Int(5))];
    let goal = Goal::Call("fail".to_owned());
    ends(&mut case(text, &values, goal), "failed");
}

#[test]
fn other_machines() {
    let text = "extern long nondet(void); extern void fail(void);\n\
                int main(void) { if (nondet() == -5) fail(); return 0; }";
    let mut test = case(
        text,
        &[("nondet", ValueKind::Int(-5))],
        Goal::Call("fail".to_owned()),
    );
    test.units[0].options.push("-m32".to_owned());
    ends(&mut test, "failed");
}

#[test]
fn ends_and_rounds() {
    let never = |turn| Goal::Never {
        turn,
        diverges: false,
    };
    let text = format!("{NONDET} int main(void) {{ while (nondet()) {{ byte(); }} return 3; }}");
    let values = [
        ("nondet", ValueKind::Int(1)),
        ("byte", ValueKind::Int(0)),
        ("nondet", ValueKind::Int(2)),
        ("byte", ValueKind::Int(7)),
    ];
    ends(&mut case(&text, &values, never(2)), "failed");
    // Not what the program asks for when it comes round.
    ends(&mut case(&text, &values, never(1)), "it asked for other");
    let end = [("nondet", ValueKind::Int(0))];
    ends(&mut case(&text, &end, Goal::End), "failed");
    ends(
        &mut case(&text, &end, never(0)),
        "it ended with the exit code 3",
    );
}

#[test]
fn what_asks_for_nothing_never_ends_or_runs_out_of_stack() {
    let never = |diverges| Goal::Never { turn: 0, diverges };
    let text = "int main(void) { for (;;); }";
    ends(&mut case(text, &[], never(false)), "failed");
    let text = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    ends(&mut case(text, &[], never(true)), "it runs out of stack");
    ends(&mut case(text, &[], never(false)), "it was ended");
    let text = "int main(void) { return 0; }";
    ends(
        &mut case(text, &[], never(true)),
        "it ended with the exit code 0",
    );
}

#[test]
fn what_never_ends_is_stopped() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let mut test = case("int main(void) { for (;;); }", &[], Goal::Abort);
    let started = std::time::Instant::now();
    let mut is_over = || started.elapsed().as_secs() >= 3;
    let executed = execute(&mut test, &compiler, &mut is_over);
    assert!(matches!(executed, Executed::Stopped), "{executed:?}");
}

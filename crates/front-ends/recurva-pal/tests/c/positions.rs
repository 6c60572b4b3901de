//! Calls and assignments wherever C allows them, and where they must be refused.

use recurva_pal::c::Failure;

use crate::build::{Workshop, has_compiler};

/// Says when a call begins and ends.
const TRACE: &str = "
#include <stdio.h>
event {
  pattern { $? = f($1); }
  before { action { printf(\"<%d \", $1); } }
  after { action { printf(\"%d> \", $1); } }
}
";

fn trace(rule: &str, text: &str, options: &[&str]) -> Result<String, Failure> {
    let workshop = Workshop::new();
    let rule = workshop.write("trace.pal", rule);
    let source = workshop.write("program.c", text);
    let (source, out) = (source.to_string_lossy(), workshop.path("program"));
    let out = out.to_string_lossy();
    let mut arguments = vec!["-Wall", "-Werror"];
    arguments.extend(options);
    arguments.extend([&*source, "-o", &out]);
    workshop.monitored(&rule, &arguments)?;
    let ran = workshop.run("program", &[], "abort");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    Ok(ran.out.trim().to_owned())
}

/// The trace of a body of main.
fn body(text: &str) -> String {
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n
         #define CALL(x) f(x)\n
         static int f(int x) {{ return x; }}\n
         static inline int g(int a, int b) {{ return a * 10 + b; }}\n
         int main(void) {{ {text} return 0; }}"
    );
    let quick = trace(TRACE, &text, &["-O2"]).expect("it can be monitored");
    let slow = trace(TRACE, &text, &["-O0", "-std=gnu89", "-Wno-error"]);
    assert_eq!(quick, slow.expect("it can be monitored"), "{text}");
    quick
}

#[test]
fn arguments_are_evaluated_before_the_call_begins() {
    if !has_compiler() {
        return;
    }
    assert_eq!(body("f(f(2) + 1);"), "<2 2> <3 3>");
    assert_eq!(body("int i = 5; f(i++); f(i);"), "<5 5> <6 6>");
    assert_eq!(
        body("g(f(1), f(2));"),
        "<2 2> <1 1>",
        "gcc takes the last one first"
    );
}

#[test]
fn conditions_loops_and_initialisers() {
    if !has_compiler() {
        return;
    }
    assert_eq!(
        body("int i; for (i = f(0); f(i) < 1; i += f(1)) ;"),
        "<0 0> <0 0> <1 1> <1 1>"
    );
    assert_eq!(body("int i = 2; while (f(i)) i--;"), "<2 2> <1 1> <0 0>");
    assert_eq!(
        body("int i = 1; do f(7); while (f(i--));"),
        "<7 7> <1 1> <7 7> <0 0>"
    );
    assert_eq!(
        body("if (f(0) || (f(1) && f(2))) f(3); else f(4);"),
        "<0 0> <1 1> <2 2> <3 3>"
    );
    assert_eq!(
        body("f(0) ? f(1) : f(2); (f(3), f(4));"),
        "<0 0> <2 2> <3 3> <4 4>"
    );
    assert_eq!(
        body("switch (f(2)) { case 2: f(9); break; default: f(8); }"),
        "<2 2> <9 9>"
    );
    assert_eq!(
        body("int a[2] = { f(1) }, b = f(2); (void)a; (void)b;"),
        "<1 1> <2 2>"
    );
    assert_eq!(
        body("int a[f(3)]; a[f(0)] = f(1); printf(\"%d \", a[0]);"),
        "<3 3> <0 0> <1 1> 1"
    );
    assert_eq!(
        body("struct { int x; } s = { .x = f(6) }; printf(\"%d \", s.x);"),
        "<6 6> 6"
    );
}

#[test]
fn macros_statement_expressions_and_jumps() {
    if !has_compiler() {
        return;
    }
    assert_eq!(body("CALL(CALL(1) + 1);"), "<1 1> <2 2>");
    assert_eq!(
        body("int x; x = (f(1), (f(2), f(3))); (void)x;"),
        "<1 1> <2 2> <3 3>"
    );
    assert_eq!(body("int x = (f(1), f(2)); (void)x;"), "<1 1> <2 2>");
    assert_eq!(
        body("int x = ({ int y = f(1); y + f(2); }); printf(\"%d \", x);"),
        "<1 1> <2 2> 3"
    );
    assert_eq!(
        body("f(({ if (f(1)) goto out; 3; })); out: f(4);"),
        "<1 1> <4 4>"
    );
    assert_eq!(body("(f)(1); (*f)(2);"), "<1 1> <2 2>");
    assert_eq!(
        body("if (__builtin_expect(f(1) == 1, 1)) f(2);"),
        "<1 1> <2 2>"
    );
}

#[test]
fn what_is_not_evaluated_is_left_alone() {
    if !has_compiler() {
        return;
    }
    assert_eq!(
        body("int n = sizeof f(1); __typeof__(f(2)) m = n; (void)m;"),
        ""
    );
    assert_eq!(
        body("static int x = sizeof(f(1)); (void)x; f((int)_Alignof(char));"),
        "<1 1>"
    );
    assert_eq!(body("if (__builtin_constant_p(f(1))) return 1;"), "");
}

#[test]
fn arguments_and_results_of_all_types() {
    if !has_compiler() {
        return;
    }
    let rule = "
        #include <stdio.h>
        event {
          pattern { $? = g($?); }
          before { action { printf(\"(\"); } } after { action { printf(\") \"); } }
        }";
    let text = "
        #include <stdarg.h>
        #include <stdio.h>
        struct pair { int a, b; };
        struct bits { unsigned low : 3; };
        static void nothing(void) { printf(\"v\"); }
        #define g nothing
        static void test_void(void) { g(); if (1) g(); }
        #undef g
        struct sum { double d; char text[8]; };
        static struct sum g(struct pair p, int *q, const char *s, void (*f)(void), unsigned low,
                            double d, ...)
        {
            struct sum sum = { p.a + p.b + *q + low + d, \"\" };
            va_list list;
            va_start(list, d);
            sum.d += va_arg(list, int);
            va_end(list);
            snprintf(sum.text, sizeof sum.text, \"%s\", s);
            if (f) f();
            return sum;
        }
        int main(void)
        {
            struct bits bits = { 5 };
            int array[3] = { 1, 2, 3 };
            char text[] = \"xyz\";
            struct sum sum = g((struct pair){ 1, 2 }, array + 1, text, 0, bits.low, 0.5, 'a');
            printf(\"%g %s \", sum.d, sum.text);
            printf(\"%g \", g((struct pair){ 1, 2 }, array, \"w\", nothing, 1, 1, (char)1).d);
            test_void();
            return 0;
        }";
    for options in [&["-O2"][..], &["-O0", "-std=gnu17"]] {
        let out = trace(rule, text, options).expect("it can be monitored");
        assert_eq!(out, "() 107.5 xyz (v) 7 vv");
    }
    let void = "
        #include <stdio.h>
        static void g(int x) { printf(\"%d\", x); }
        static void h(int x) { return x ? g(x) : g(0); }
        int main(void) { g(1); h(2); h(0); (g(4), g(5)); return 0; }";
    assert_eq!(trace(rule, void, &["-O1"]).unwrap(), "(1) (2) (0) (4) (5)");
}

#[test]
fn results_are_known_afterwards_however_they_are_used() {
    if !has_compiler() {
        return;
    }
    let rule = "
        #include <stdio.h>
        event { pattern { $1 = f($2); } after { action { printf(\"%d=f(%d) \", (int)$1, $2); } } }";
    let text = "
        struct s { int low : 4; int *p; } s, *q = &s;
        static int f(int x) { return x * 2; }
        static int use(int x) { return f(x); }
        int main(void)
        {
            int a = f(1), i = 0, array[4] = { 0 };
            char c;
            register int r;
            f(99);
            (void)f(98);
            if ((a = f(2)) == 4) use(3);
            q->low = f(1);
            array[i++] = f(4);
            *(array + i++) = f(5);
            c = (char)f(6);
            i = (f(97), array[3] = 1, f(1));
            r = f(7);
            (&s)->p = &array[2];
            *(&s)->p = f(8);
            a += f(9);
            return !(i == 2 && array[2] == 16 && s.low == 2 && c == 12 && r == 14 && a == 22);
        }";
    let out = trace(rule, text, &["-O2"]).unwrap();
    assert_eq!(
        out,
        "2=f(1) 4=f(2) 6=f(3) 2=f(1) 8=f(4) 10=f(5) 12=f(6) 2=f(1) 14=f(7) 16=f(8) 18=f(9)"
    );
}

#[test]
fn assignments() {
    if !has_compiler() {
        return;
    }
    let rule = "
        #include <stdio.h>
        event {
          pattern { x = $1; }
          before { action { printf(\"[%d \", (int)$1); } }
          after { action { printf(\"%d] \", x); } }
        }
        event { pattern { $1 = 5; } after { action { printf(\"five \"); } } }
        event { pattern { p[$1] = $2; } action { printf(\"p[%d]=%d \", $1, $2); } }";
    let text = "
        static int x, y, p[4];
        static int *volatile q;
        static int twice(int a) { return 2 * a; }
        int main(void)
        {
            x = 1; x += 2; x++; --x;
            y = x = twice(x);
            if ((y = 5)) x -= 1;
            { int z = 5; (void)z; }
            p[y - 4] = 7; p[2] = p[1];
            q = 0;
            return !(y == 5 && x == 5 && p[2] == 7 && q == 0);
        }";
    let out = trace(rule, text, &["-O2"]).unwrap();
    assert_eq!(out, "[1 1] [3 3] [4 4] [3 3] five [5 5] five p[1]=7 p[2]=7");
}

#[test]
fn arguments_are_values_in_the_monitor() {
    if !has_compiler() {
        return;
    }
    let rule = "
        #include <stdio.h>
        event {
          pattern { $? = f($1, $2); }
          local int twice = $1 * 2;
          before { action { printf(\"%d %d %s \", twice, $1 & 2, $2); } }
        }";
    let text = "
        #include <stdbool.h>
        static int f(int a, const char *b) { return a + b[0]; }
        bool g(int x) { return f(x, \"g\") == 0; }
        int main(void)
        {
            f(1 | 4, \"caf\u{e9}\");
            (&f)(1 + 2, \"d\" \"e\");
            ((int (*)(int, const char *))f)(3, \"c\");
            return g(1);
        }";
    let out = trace(rule, text, &["-O2"]).unwrap();
    assert_eq!(out, "10 0 caf\u{e9} 6 2 de 6 2 c 2 0 g");
}

#[test]
fn targets_are_computed_when_they_always_were() {
    if !has_compiler() {
        return;
    }
    let rule = "
        #include <stdio.h>
        event {
          pattern { $1 = add(); }
          before { action { printf(\"%d \", (int)$1); } }
          after { action { printf(\"%d \", (int)$1); } }
        }";
    let text = "
        static long table[4] = { 7, 8, 9 };
        static int n;
        static int add(void) { return n++; }
        int main(void)
        {
            int x = 3;
            table[n] = add();
            x = add();
            return !(table[1] == 0 && table[0] == 7 && x == 1);
        }";
    let plain = "7 0 3 1";
    assert_eq!(trace(rule, text, &["-O0"]).unwrap(), plain);
    assert_eq!(trace(rule, text, &["-O2"]).unwrap(), plain);
}

#[test]
fn locations_stay_the_users() {
    if !has_compiler() {
        return;
    }
    let text = "#include <stdio.h>\n\
                static int f(int x) { return x; }\n\
                int main(void)\n\
                {\n\
                \x20   int i = f(1), j = __LINE__; printf(\"%d \", __LINE__);\n\
                \x20   if (f(2) &&\n\
                \x20       f(3))\n\
                \x20       undeclared();\n\
                \x20   return i + j;\n\
                }\n";
    let workshop = Workshop::new();
    workshop.write("trace.pal", TRACE);
    workshop.write("program.c", text);
    let folder = workshop.path("");
    let program = std::env::current_exe().expect("this test");
    // The compiler speaks for itself: run it in a process whose output can be read.
    let output = std::process::Command::new(program)
        .args([
            "--exact",
            "positions::compiles_what_the_environment_says",
            "--nocapture",
        ])
        .env("RECURVA_TEST_FOLDER", &folder)
        .output()
        .expect("this test can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("program.c:8:9: "), "{said}");
    assert!(said.contains("undeclared"), "{said}");
}

#[test]
fn compiles_what_the_environment_says() {
    let Some(folder) = std::env::var_os("RECURVA_TEST_FOLDER") else {
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    let workshop = Workshop::new();
    let source = folder.join("program.c").to_string_lossy().into_owned();
    let object = folder.join("program.o").to_string_lossy().into_owned();
    let arguments = [
        "-Wall",
        "-std=gnu17",
        "-Werror",
        "-c",
        &source,
        "-o",
        &object,
    ];
    assert!(
        workshop
            .monitored(&folder.join("trace.pal"), &arguments)
            .is_err()
    );
}

#[test]
fn errors_in_the_monitor_are_in_the_monitor() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let rule = TRACE.replace("printf(\"<%d \", $1)", "no_such_variable = $1");
    workshop.write("trace.pal", &rule);
    workshop.write(
        "program.c",
        "int f(int);\nint main(void) { return f(1); }\n",
    );
    let program = std::env::current_exe().expect("this test");
    let output = std::process::Command::new(program)
        .args([
            "--exact",
            "positions::compiles_what_the_environment_says",
            "--nocapture",
        ])
        .env("RECURVA_TEST_FOLDER", workshop.path(""))
        .output()
        .expect("this test can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("trace.pal:5:"), "{said}");
    assert!(said.contains("no_such_variable"), "{said}");
}

#[test]
fn what_cannot_be_monitored_is_refused() {
    if !has_compiler() {
        return;
    }
    let refused = |text: &str| {
        let text = format!("int f(int); int h(int *);\nint main(void) {{\n{text}\nreturn 0; }}");
        match trace(TRACE, &text, &[]) {
            Err(Failure::Refused(all)) => {
                let lines = all
                    .iter()
                    .map(|it| format!("{}: {}\n", it.line, it.message));
                lines.collect::<String>()
            }
            other => panic!("{other:?}"),
        }
    };
    insta::assert_snapshot!(refused("int *p = (int[]){ f(1) };\nf(h(&(int){ 2 }));"));
    insta::assert_snapshot!(refused("_Generic(1, int: f(1), default: 0);"));
    insta::assert_snapshot!(refused("int g(int n, int a[f(1)]) { return a[n]; }"));
    insta::assert_snapshot!(refused(
        "(h ? f : f)(1);\nint n = sizeof(int[f(2)]);\ntypedef int A[2]; f(h((A){ 1, 2 }));"
    ));
}

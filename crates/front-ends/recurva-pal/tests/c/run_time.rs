//! The run-time: policies, callbacks, jumps, threads, several units.

use crate::build::{Workshop, has_compiler, values};

/// Each call of `enter` below another one is a violation.
const RULE: &str = "
global int depth = 0;
event {
  pattern { $? = enter($1); }
  local int before_it = depth;
  before { guard { depth == 0 } action { depth++; } }
  after { action { depth = before_it; } }
}
";

const PROGRAM: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
static jmp_buf jump;
int enter(int levels)
{
    if (levels == -1)
        longjmp(jump, 1);
    if (levels == -2)
        exit(7);
    return levels > 0 ? enter(levels - 1) + 1 : 0;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (setjmp(jump) == 0)
            printf(\"%d\\n\", enter(atoi(argv[i])));
    printf(\"end\\n\");
    return 0;
}
";

fn build(workshop: &Workshop, rule: &str, program: &str, options: &[&str]) -> String {
    let rule = workshop.write("rule.pal", rule);
    let source = workshop.write("program.c", program);
    let (source, out) = (source.to_string_lossy(), workshop.path("program"));
    let out = out.to_string_lossy();
    let mut arguments = vec!["-Wall", "-Wextra", "-Werror", "-O2", "-g"];
    arguments.extend(options);
    arguments.extend([&*source, "-o", &out]);
    let matched = workshop.monitored(&rule, &arguments);
    format!("{matched:?}")
}

#[test]
fn policies() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    assert_eq!(build(&workshop, RULE, PROGRAM, &[]), "Ok([2])");
    let ran = workshop.run("program", &["0", "0"], "abort");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""));
    let ran = workshop.run("program", &["1", "0"], "abort");
    assert_eq!((ran.status, &*ran.out), (None, ""));
    let ran = workshop.run("program", &["1", "0"], "exit");
    assert_eq!(ran.status, Some(86));
    let ran = workshop.run("program", &["2", "0"], "log");
    assert_eq!((ran.status, &*ran.out), (Some(0), "2\n0\nend\n"));
    assert_eq!(ran.err.matches("does not hold").count(), 2);
    let ran = workshop.run("program", &["3", "2"], "count");
    assert_eq!(ran.status, Some(0));
    assert_eq!(ran.err, "recurva pal: 5 violations\n");
}

/// A report goes on without a trace in the program.
#[test]
fn a_report_leaves_errno_alone() {
    if !has_compiler() {
        return;
    }
    let rule = "event { pattern { $? = f($1); } after { guard { 0 } } }";
    let program = "
        #include <errno.h>
        static int f(const char *text) { errno = EAGAIN; return text == 0; }
        int main(void) { return f((const char *)16) || errno != EAGAIN; }";
    let workshop = Workshop::new();
    assert_eq!(build(&workshop, rule, program, &[]), "Ok([1])");
    assert_eq!(workshop.run("program", &[], "log").status, Some(0));
}

/// A unit that was preprocessed by the user.
#[test]
fn preprocessed_units() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let rule = workshop.write("rule.pal", RULE);
    workshop.write("program.c", PROGRAM);
    workshop.command("gcc", &["-E", "program.c", "-o", "program.i"]);
    let unit = workshop.path("program.i").to_string_lossy().into_owned();
    let out = workshop.path("program").to_string_lossy().into_owned();
    let matched = workshop.monitored(&rule, &["-Wall", "-Werror", &unit, "-o", &out]);
    assert_eq!(format!("{matched:?}"), "Ok([2])");
    assert_eq!(workshop.run("program", &["1"], "exit").status, Some(86));
}

#[test]
fn reports_go_to_a_file() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    build(&workshop, RULE, PROGRAM, &[]);
    let log = workshop.path("log");
    let program = workshop.path("program");
    let ran = workshop.command(
        "env",
        &[
            "RECURVA_PAL=log",
            &format!("RECURVA_PAL_LOG={}", log.display()),
            &program.to_string_lossy(),
            "1",
            "1",
        ],
    );
    assert_eq!(ran.err, "");
    let text = std::fs::read_to_string(log).unwrap();
    assert_eq!(text.matches("does not hold").count(), 2);
}

#[test]
fn pending_calls_are_listed_innermost_first() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    build(&workshop, RULE, PROGRAM, &[]);
    let ran = workshop.run("program", &["2"], "log");
    let folder = workshop.path("").display().to_string();
    insta::assert_snapshot!(ran.report().replace(&folder, ""));
}

#[test]
fn a_jump_forgets_the_calls_it_leaves() {
    if !has_compiler() {
        return;
    }
    // The jump leaves before `after` could run, so the rule's own counter stays up; what is
    // pending must be forgotten all the same.
    let rule = "
        event { pattern { $? = enter($1); } }
        event { pattern { $? = last($?); } guard { 0 } }";
    let program = PROGRAM.replace("printf(\"end\\n\");", "last();").replace(
        "int enter",
        "static int last(void) { return 0; }\nint enter",
    );
    let workshop = Workshop::new();
    assert_eq!(build(&workshop, rule, &program, &[]), "Ok([2, 1])");
    let ran = workshop.run("program", &["-1", "1", "-1"], "log");
    assert_eq!((ran.status, &*ran.out), (Some(0), "1\n"));
    assert!(
        ran.err.contains("innermost first:\n  none\n"),
        "{}",
        ran.err
    );
    let ran = workshop.run("program", &["-2"], "log");
    assert_eq!(ran.status, Some(7), "exit in a callee");
}

#[test]
fn a_program_may_handle_violations_itself() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let runtime = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
    let include = format!("-I{}", runtime.display());
    let program = format!(
        "#include \"recurva_pal.h\"\n{PROGRAM}
        void recurva_pal_on_violation(const struct recurva_pal_report *report)
        {{
            int frames = 0;
            for (const struct recurva_pal_frame *f = report->pending; f; f = f->outer)
                frames++;
            printf(\"seen %lu, pending %d, values %s\", recurva_pal_violations(), frames, report->values);
        }}"
    );
    build(&workshop, RULE, &program, &[&include]);
    let ran = workshop.run("program", &["1"], "abort");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""));
    assert_eq!(
        ran.out,
        "seen 1, pending 1, values $1 = 0\nbefore_it = 1\ndepth = 1\n1\nend\n"
    );
}

#[test]
fn values_of_all_types_are_shown() {
    if !has_compiler() {
        return;
    }
    let rule = "
        global unsigned char small = 200;
        global long long big = -5;
        global double real = 0.5;
        global const char *name = \"a \\\"b\\\"\\n\";
        global const char *nowhere = (const char *)16;
        global char text[4] = \"xyz\";
        global struct { int a, b; } pair = { 1, 2 };
        global int list[3] = { 1, 2, 3 };
        global enum { Red, Green } colour = Green;
        global void (*function)(void) = 0;
        event { pattern { f($1, $2, $3); } guard { big > 0 } }";
    let program = "
        struct bits { unsigned low : 3; signed high : 5; };
        static int f(int a, const char *b, struct bits c) { return a + b[0] + c.low; }
        int main(int argc, char **argv)
        {
            struct bits bits = { 7, -1 };
            (void)argc; (void)argv;
            return f(bits.high, \"literal\", bits) == 0;
        }";
    let workshop = Workshop::new();
    assert_eq!(build(&workshop, rule, program, &[]), "Ok([1])");
    let ran = workshop.run("program", &[], "log");
    let folder = workshop.path("").display().to_string();
    insta::assert_snapshot!(ran.report().replace(&folder, ""));
}

#[test]
fn units_share_a_monitor() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let rule = workshop.write(
        "rule.pal",
        "global int calls = 0;
         event { pattern { $? = next($?); } after { action { calls++; } } }
         event { pattern { $? = last($?); } guard { calls == 4 } }",
    );
    workshop.write("a.h", "int next(int); int last(void); int b(int);\n");
    let units = [
        (
            "a.c",
            "#include \"a.h\"\nint main(void) { return b(next(1) + next(2)) + last(); }\n",
        ),
        (
            "b.c",
            "#include \"a.h\"\nint b(int x) { return next(x) - next(x); }\n",
        ),
        (
            "c.c",
            "#include \"a.h\"\nint next(int x) { return x + 1; }\nint last(void) { return 0; }\n",
        ),
    ];
    let mut objects = Vec::new();
    for (name, text) in units {
        let source = workshop.write(name, text).to_string_lossy().into_owned();
        let object = source.replace(".c", ".o");
        workshop
            .monitored(&rule, &["-Wall", "-Werror", "-c", &source, "-o", &object])
            .expect("it compiles");
        objects.push(object);
    }
    let out = workshop.path("program").to_string_lossy().into_owned();
    let mut arguments: Vec<&str> = objects.iter().map(String::as_str).collect();
    arguments.extend(["-o", &out]);
    let matched = workshop.monitored(&rule, &arguments).expect("it links");
    assert_eq!(matched, [4, 1]);
    let ran = workshop.run("program", &[], "abort");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""));
}

#[test]
fn threads_share_a_locked_monitor_and_have_their_own() {
    if !has_compiler() {
        return;
    }
    let program = "
        #include <pthread.h>
        #include <stdio.h>
        enum { THREADS = 4, CALLS = 20000 };
        static void tick(void) { __asm__ volatile (\"\"); }
        static void show(void) {}
        static void *run(void *unused)
        {
            for (int i = 0; i < CALLS; i++) tick();
            return unused;
        }
        int main(void)
        {
            pthread_t threads[THREADS];
            for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, NULL);
            for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
            tick();
            show();
            return 0;
        }";
    for (threads, expected) in [("locked", 80_001), ("per thread", 1)] {
        let rule = format!(
            "monitor {threads};
             global long count = 0;
             event {{ pattern {{ tick(); }} action {{ count = count + 1; }} }}
             event {{ pattern {{ show(); }} action {{ printf(\"count = %ld\\n\", count); }} }}"
        );
        let workshop = Workshop::new();
        assert_eq!(
            build(&workshop, &rule, program, &["-pthread"]),
            "Ok([2, 1])"
        );
        let ran = workshop.run("program", &[], "abort");
        assert_eq!(values(&ran.out)["count"], expected, "{threads}");
    }
}

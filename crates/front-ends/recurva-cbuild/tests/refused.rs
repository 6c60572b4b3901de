//! What has no meaning yet is refused with its place, and only for who can reach it.

mod common;

use common::Model;
use recurva_cir::{Operation, interpret::Outcome};

/// A name for what is refused, what it is told as, and a function `use` with it.
const FEATURES: &[(&str, &str)] = &[
    (
        "setjmp",
        "struct b { long x[25]; }; int setjmp(struct b *); int use(void) { struct b b; return setjmp(&b); }",
    ),
    (
        "longjmp",
        "struct b { long x[25]; }; void longjmp(struct b *, int); struct b b; int use(void) { longjmp(&b, 1); return 0; }",
    ),
    (
        "threads",
        "int pthread_create(unsigned long *, void *, void *(*)(void *), void *); int use(void) { unsigned long t; return pthread_create(&t, 0, 0, 0); }",
    ),
    ("fork", "int fork(void); int use(void) { return fork(); }"),
    (
        "signals",
        "void (*signal(int, void (*)(int)))(int); void on(int n) { } int use(void) { signal(2, on); return 0; }",
    ),
    (
        "signals",
        "int raise(int); int use(void) { return raise(2); }",
    ),
    (
        "assembler",
        "int use(void) { int x = 1; __asm__(\"incl %0\" : \"+r\"(x)); return x; }",
    ),
    (
        "complex",
        "int use(void) { _Complex double z = 1.0; z = z * z; return z == 1.0; }",
    ),
    (
        "128",
        "int use(void) { __int128 x = 1; x <<= 100; return x != 0; }",
    ),
    (
        "vector",
        "typedef int v __attribute__((vector_size(16))); int use(void) { v a = { 1, 2, 3, 4 }; a += a; return a[0]; }",
    ),
    (
        "functions within functions",
        "int use(void) { int x = 1; int inner(void) { return x; } return inner(); }",
    ),
];

fn build(text: &str, model: Model) -> Result<recurva_cbuild::Built, String> {
    model.build(common::text("refused.c", text), &common::native())
}

#[test]
fn a_signal_may_be_ignored() {
    let text = "void (*signal(int, void (*)(int)))(int); int main(void) {
                signal(2, (void (*)(int))1); signal(3, 0); return 4; }";
    let built = build(text, Model::Lp64).expect("it is built");
    let outcome = common::run(&built, 1000)
        .expect("it is well formed")
        .outcome;
    assert_eq!(outcome, Outcome::Exited(4));
}

#[test]
fn only_what_is_reached_is_refused() {
    for (name, text) in FEATURES {
        for model in [Model::Lp64, Model::Ilp32] {
            if *name == "128" && model == Model::Ilp32 {
                continue;
            }
            // It is in the program, and nothing calls it.
            let unreached = format!("{text} int main(void) {{ return 0; }}");
            let built = build(&unreached, model).unwrap_or_else(|error| panic!("{name}: {error}"));
            let outcome = common::run(&built, 1000)
                .expect("it is well formed")
                .outcome;
            assert_eq!(outcome, Outcome::Exited(0), "{name}");
            let edges = built.module.functions.iter().flat_map(|it| &it.edges);
            let is_refused =
                |edge: &recurva_cir::Edge| matches!(edge.operation, Operation::Unsupported(_));
            assert!(!edges.clone().any(is_refused), "{name}");

            // It can be called, but is not.
            let guarded =
                format!("{text} int main(int c, char **v) {{ return c > 5 ? use() : 0; }}");
            let built = build(&guarded, model).unwrap_or_else(|error| panic!("{name}: {error}"));
            let outcome = common::run(&built, 1000)
                .expect("it is well formed")
                .outcome;
            assert_eq!(outcome, Outcome::Exited(0), "{name}");

            // It is called: the run ends there, and says where.
            let reached = format!("{text} int main(void) {{ return use(); }}");
            let built = build(&reached, model).unwrap_or_else(|error| panic!("{name}: {error}"));
            match common::run(&built, 1000)
                .expect("it is well formed")
                .outcome
            {
                Outcome::Unsupported(what, position) => {
                    assert!(what.contains(name), "{name}: {what}");
                    let start = position.origin.start as usize;
                    let place = text.find("use(").expect("it is there");
                    assert!((place..text.len()).contains(&start), "{name}: at {start}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

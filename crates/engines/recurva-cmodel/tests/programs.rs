//! Small programs with known verdicts.

mod common;

use common::{Engine, Verdict, build, verdict};
use recurva_cmodel::{LowerOptions, Memory, Trials, Wanted, lower, trial_runs};
use recurva_evidence::{Claim, replay};
use recurva_model::Patience;

const HEAD: &str = "
void reach_error(void);
void abort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void *malloc(unsigned);
void *calloc(unsigned, unsigned);
void free(void *);
void *memcpy(void *, const void *, unsigned);
void *memset(void *, int, unsigned);
#define assert_is(c)
static void claim(int c) { if (!c) reach_error(); }
";

/// Whether the engines have to decide a program however its memory is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decided {
    Always,
    /// Not with memory as bytes: the padding of records is unknown, and too much to go through.
    NotAsBytes,
    /// Diagrams are not asked: one operation on those of a heap may take minutes.
    NotSymbolically,
}

fn check(text: &str, expected: &Verdict, decided: Decided) {
    let head = HEAD.replace("#define assert_is(c)\n", "");
    let module =
        build(&format!("{head}{text}"), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let wanted = Wanted::errors();
    let with = |options: &LowerOptions, engine: Engine, is_decided: bool| {
        let seconds = if is_decided { 120 } else { 1 };
        let found = verdict(&module, &wanted, options, engine, seconds);
        let is_right = found == *expected || !is_decided && found == Verdict::Unknown;
        assert!(is_right, "{found:?}: {options:?} {engine:?}\n{text}");
    };
    for memory in [Memory::Fields, Memory::Addressed, Memory::Bytes] {
        for classes in [false, true] {
            let options = LowerOptions {
                memory,
                classes,
                objects: 12,
                ..LowerOptions::default()
            };
            let is_decided = memory != Memory::Bytes || decided != Decided::NotAsBytes;
            with(&options, Engine::Explicit, is_decided);
        }
    }
    let options = LowerOptions {
        objects: 6,
        ..LowerOptions::default()
    };
    if decided != Decided::NotSymbolically {
        with(&options, Engine::Symbolic, true);
    }
}

fn holds(text: &str) {
    check(text, &Verdict::Holds, Decided::Always);
}

fn fails(text: &str) {
    check(text, &Verdict::Violated, Decided::Always);
}

#[test]
fn wide_bit_fields() {
    let packed = "struct __attribute__((packed)) packed { unsigned x : 3; \
                  unsigned long long y : 63; long long z : 62; };";
    // As GCC has it, in the width of the field.
    let wide = "struct wide { unsigned long long a : 56; long long b : 40; };";
    holds(&format!(
        "{wide} int main(void) {{ struct wide s = {{~0ull, -1}}; claim(s.a + 1 == 0); \
         claim(s.a << 4 == 0xfffffffffffff0ull); claim(s.a + s.b == 0xfffffffffffffeull); \
         claim(s.a + 1ull == 1ull << 56); return 0; }}"
    ));
    // Nine bytes for one field.
    holds(&format!(
        "{packed} int main(void) {{ struct packed p = {{5, 0x7123456789abcdefull, -3}}; \
         p.y = __VERIFIER_nondet_bool() ? 1 : ~0ull; struct packed q = p; \
         claim(q.x == 5 && q.z == -3); claim(q.y == 1 || q.y == ~0ull >> 1); return 0; }}"
    ));
    holds(&format!(
        "{packed} union u {{ struct packed p; unsigned char b[16]; }}; int main(void) {{ \
         union u v = {{{{5, 0x7123456789abcdefull, -1}}}}; claim(v.b[0] == 0x7d); \
         v.b[8] = 0; v.b[1] = 0; claim(v.p.y == 0x1123456789abc00full); claim(v.p.x == 5); \
         v.p.y = 1; claim(v.b[0] == 0x0d && v.b[8] == 0); return 0; }}"
    ));
}

#[test]
fn scalars() {
    holds("int main(void) { int x = 3; x = x * 2; claim(x == 6); return 0; }");
    fails("int main(void) { int x = 3; x = x * 2; claim(x == 7); return 0; }");
    fails("int main(void) { int x; claim(x != 77); return 0; }");
    fails(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 10) claim(x != 13); return 0; }",
    );
    holds("int main(void) { unsigned char c = 255; c++; claim(c == 0); return 0; }");
    holds(
        "int g; void f(int n) { if (n) { g++; f(n - 1); } } int main(void) { f(5); claim(g == 5); return 0; }",
    );
    fails(
        "int g = 2; void f(int n) { if (n) { g++; f(n - 1); } } int main(void) { f(5); claim(g == 5); return 0; }",
    );
    holds(
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { claim(f(9) == 34); return 0; }",
    );
}

#[test]
fn records_and_arrays() {
    check(
        "struct p { int x; char y; }; int main(void) { struct p a; a.x = 1; a.y = 2; struct p b = a; claim(b.x + b.y == 3); return 0; }",
        &Verdict::Holds,
        Decided::NotAsBytes,
    );
    fails(
        "struct p { int x; char y; }; int main(void) { struct p a; a.x = 1; struct p b = a; claim(b.x + b.y == 3); return 0; }",
    );
    holds(
        "int main(void) { int a[5]; for (int i = 0; i < 5; i++) a[i] = i * i; claim(a[3] == 9); return 0; }",
    );
    fails(
        "int main(void) { int a[5]; for (int i = 0; i < 4; i++) a[i] = i * i; claim(a[4] == 9); return 0; }",
    );
    check(
        "struct p { int x[2]; char y; }; int main(void) { struct p a[3]; for (int i = 0; i < 3; i++) { a[i].x[0] = i; a[i].x[1] = -i; a[i].y = 1; } struct p b = a[2]; claim(b.x[0] + b.x[1] + b.y == 1); return 0; }",
        &Verdict::Holds,
        Decided::NotAsBytes,
    );
    check(
        "struct p { int x[2]; char y; }; struct p make(int n) { struct p r = {{n, n + 1}, 7}; return r; } int sum(struct p q) { q.x[0]++; return q.x[0] + q.x[1] + q.y; } int main(void) { struct p a = make(3); claim(sum(a) == 15); claim(a.x[0] == 3); return 0; }",
        &Verdict::Holds,
        Decided::NotAsBytes,
    );
    holds(
        "int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int main(void) { int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += m[i][j]; claim(s == 21); return 0; }",
    );
    holds(
        "struct b { unsigned a : 3; int b : 4; unsigned c : 9; }; int main(void) { struct b x; x.a = 9; x.b = 15; x.c = 511; claim(x.a == 1 && x.b == -1 && x.c == 511); return 0; }",
    );
}

#[test]
fn pointers_to_variables() {
    holds(
        "void inc(int *p) { (*p)++; } int main(void) { int x = 1, y = 5; inc(&x); inc(&y); claim(x == 2 && y == 6); return 0; }",
    );
    fails(
        "void inc(int *p) { (*p)++; } int main(void) { int x = 1, y = 5; int *p = __VERIFIER_nondet_bool() ? &x : &y; inc(p); claim(x == 2); return 0; }",
    );
    holds(
        "int main(void) { int a[4] = {1, 2, 3, 4}; int s = 0; for (int *p = a; p < a + 4; p++) s += *p; claim(s == 10); return 0; }",
    );
    holds(
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int a[3] = {3, 1, 2}; swap(&a[0], &a[1]); swap(a + 1, a + 2); claim(a[0] == 1 && a[1] == 2 && a[2] == 3); return 0; }",
    );
    holds(
        "struct n { int v; struct n *next; }; int main(void) { struct n c = {3, 0}, b = {2, &c}, a = {1, &b}; int s = 0; for (struct n *p = &a; p; p = p->next) s += p->v; claim(s == 6); return 0; }",
    );
    holds(
        "int f(int x) { return x + 1; } int g(int x) { return x * 2; } int main(void) { int (*t[2])(int) = {f, g}; claim(t[0](3) == 4 && t[1](3) == 6); return 0; }",
    );
    fails(
        "int f(int x) { return x + 1; } int g(int x) { return x * 2; } int main(void) { int (*h)(int) = __VERIFIER_nondet_bool() ? f : g; claim(h(3) == 4); return 0; }",
    );
    holds(
        "int main(void) { int *p = 0; int x = 0; if (__VERIFIER_nondet_bool()) p = &x; if (p) *p = 1; claim(x == (p != 0)); return 0; }",
    );
    holds(
        "struct s { int a; int b[3]; }; int main(void) { struct s v[2]; struct s *p = v; p[1].b[2] = 5; p->a = 1; (p + 1)->a = 2; int *q = &v[1].b[0]; claim(q[2] == 5 && v[0].a == 1 && v[1].a == 2); return 0; }",
    );
    holds(
        "int m[2][3]; int main(void) { int (*r)[3] = m; r[1][2] = 4; int *q = &m[1][0]; claim(q[2] == 4); return 0; }",
    );
    holds(
        "int x, y; int main(void) { int *p = &x; int **q = &p; *q = &y; *p = 3; claim(y == 3 && x == 0 && **q == 3); return 0; }",
    );
    holds(
        "int main(void) { int a[5]; int *p = &a[1], *q = &a[4]; claim(q - p == 3 && q > p); return 0; }",
    );
}

#[test]
fn pointers_in_recursion() {
    holds(
        "int f(int n) { int x = n; int *p = &x; if (n > 0) { f(n - 1); } return *p; } int main(void) { claim(f(4) == 4); return 0; }",
    );
    holds(
        "void f(int n, int *up) { int x = n; if (n > 0) f(n - 1, &x); *up += x; } int main(void) { int s = 0; f(3, &s); claim(s == 6); return 0; }",
    );
    fails(
        "void f(int n, int *up) { int x = n; if (n > 0) f(n - 1, &x); *up += x; } int main(void) { int s = 0; f(3, &s); claim(s != 6); return 0; }",
    );
}

#[test]
fn memory_as_something_else() {
    holds(
        "union u { int i; unsigned char c[4]; }; int main(void) { union u x; x.i = 0x01020304; claim(x.c[0] == 4 && x.c[3] == 1); return 0; }",
    );
    holds(
        "int main(void) { int x = 0x01020304; unsigned char *p = (unsigned char *)&x; p[1] = 9; claim(x == 0x01020904); return 0; }",
    );
    holds(
        "struct s { int a; short b; }; int main(void) { struct s x = {1, 2}, y; memcpy(&y, &x, sizeof x); claim(y.a == 1 && y.b == 2); return 0; }",
    );
    holds(
        "int main(void) { int a[4]; memset(a, 0, sizeof a); claim(a[0] == 0 && a[3] == 0); memset(a, 255, sizeof a); claim(a[2] == -1); return 0; }",
    );
    holds(
        "int main(void) { char s[6] = \"hello\"; int n = 0; while (s[n]) n++; claim(n == 5 && s[4] == 'o'); return 0; }",
    );
    holds(
        "int main(void) { const char *s = \"hello\"; int n = 0; while (s[n]) n++; claim(n == 5); return 0; }",
    );
    fails(
        "int main(void) { const char *s = \"hello\"; int i = __VERIFIER_nondet_uchar(); if (i < 5) claim(s[i] != 'l'); return 0; }",
    );
}

#[test]
fn the_heap() {
    check(
        "int main(void) { int *p = malloc(sizeof(int)); *p = 4; int *q = malloc(sizeof(int)); *q = 5; claim(*p + *q == 9 && p != q); free(p); free(q); return 0; }",
        &Verdict::Holds,
        Decided::NotSymbolically,
    );
    check(
        "int main(void) { int *p = malloc(sizeof(int)); claim(*p != 4); return 0; }",
        &Verdict::Violated,
        Decided::NotSymbolically,
    );
    check(
        "struct n { int v; struct n *next; }; int main(void) { struct n *l = 0; for (int i = 0; i < 4; i++) { struct n *c = malloc(sizeof *c); c->v = i; c->next = l; l = c; } int s = 0; while (l) { s += l->v; struct n *d = l; l = l->next; free(d); } claim(s == 6); return 0; }",
        &Verdict::Holds,
        Decided::NotSymbolically,
    );
    check(
        "int main(void) { int n = 3; int *a = calloc(n, sizeof(int)); claim(a[2] == 0); a[1] = 7; claim(a[1] == 7); free(a); return 0; }",
        &Verdict::Holds,
        Decided::NotSymbolically,
    );
}

/// The verdict of a search over explicit states, with classes and without a limit that matters.
fn with_classes(text: &str) -> Verdict {
    let head = HEAD.replace("#define assert_is(c)\n", "");
    let module = build(&format!("{head}{text}"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let options = LowerOptions::default();
    verdict(&module, &Wanted::errors(), &options, Engine::Explicit, 60)
}

/// Each of these would take a search through 2^32 numbers, or 2^64 pairs of them.
#[test]
fn numbers_that_are_only_compared_are_few() {
    let hold = [
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 10 && x < 13) claim(x != 13); return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = x; if (y > 10) claim(x >= 5); return 0; }",
        "int id(int x) { return x; } int main(void) { unsigned x = __VERIFIER_nondet_uint(); int y = id(x); if (y < 0) claim(x > 100); return 0; }",
        "int NP = 1, DC = 2, s; int main(void) { int x = __VERIFIER_nondet_int(); s = NP; if (x == DC) s = DC; claim(s == NP || x == 2); return 0; }",
        "int main(void) { int a[3]; for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int(); if (a[1] == 4) claim(a[1] > 3 && a[1] < 5); return 0; }",
    ];
    for text in hold {
        assert_eq!(with_classes(text), Verdict::Holds, "{text}");
    }
    let fail = [
        "int main(void) { int x = __VERIFIER_nondet_int(); claim(x != 77); return 0; }",
        "int main(void) { int x; claim(x != -77000); return 0; }",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); int y = x; if (y < -5) claim(x != 4294967000u); return 0; }",
        "int NP = 1, DC = 2, s; int main(void) { int x = __VERIFIER_nondet_int(); s = x; claim(s != DC); return 0; }",
    ];
    for text in fail {
        assert_eq!(with_classes(text), Verdict::Violated, "{text}");
    }
}

#[test]
fn trials_meet_with_failures_that_are_common() {
    let head = HEAD.replace("#define assert_is(c)\n", "");
    let find = |text: &str| {
        let module = build(&format!("{head}{text}"), &[]).unwrap_or_else(|error| panic!("{error}"));
        let options = LowerOptions::default();
        let lowered = lower(
            &module,
            &Wanted::errors(),
            &options,
            &mut Patience::endless(),
        );
        let lowered = lowered.unwrap_or_else(|refused| panic!("{refused}"));
        let points = lowered.error_points();
        let patience = &mut Patience::endless();
        let found = trial_runs(&lowered.program, &points, Trials::default(), patience);
        let trace = found.expect("patience has no end")?;
        let run = replay(&lowered.program, trace, &Claim::Reaches(points));
        Some(run.expect("it replays").length())
    };
    let deep = "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { int s = 0; for (int i = 0; i < 50; i++) s += f(i); claim(s == 0); return 0; }";
    assert!(find(deep).is_some_and(|length| length > 1_000));
    let known = "int main(void) { int x = __VERIFIER_nondet_int(), y = x + 1; claim(y != 1234567); return 0; }";
    assert!(find(known).is_some());
    let none = "int main(void) { int x = __VERIFIER_nondet_int(); claim(x == x); return 0; }";
    assert_eq!(find(none), None);
}

//! Programs with a mistake, and what is said of it.

mod support;

use std::{
    fmt::Write,
    process::{Command, Stdio},
};

use recurva_ctype::Target;
use support::{checked, render};

const PROGRAMS: &[&str] = &[
    // Names.
    "int counter; int f(void) { return coutner; }",
    "int f(void) { return g + g; }",
    "struct point { int x, column; } p; int f(void) { return p.colum; }",
    "struct point { int x; } *p; int f(void) { return p.x; }",
    "struct point { int x; } p; int f(void) { return p->x; }",
    "int f(int a) { return a.x; }",
    "int f(void) { goto ende; end: return 0; }",
    "int f(void) { a: ; a: return 0; }",
    // Declarations.
    "int x; char x;",
    "int x = 1; int x = 2;",
    "int f(int); int f(char *);",
    "int f(void) { return 1; } int f(void) { return 2; }",
    "int f(void) { int x; int x; return 0; }",
    "int f(int a, int a) { return a; }",
    "int f(void); static int f(void) { return 0; }",
    "int x; static int x;",
    "struct s { int x; }; struct s { int y; };",
    "struct s { int x; int x; };",
    "struct s { int x; }; union s *p;",
    "enum e { A, B, A };",
    "typedef int T; typedef char T;",
    "int f(void) { void x; return 0; }",
    "struct s x; int f(void) { return 0; }",
    "int f(void) { struct s x; return 0; }",
    "int a[-1];",
    "int n; int a[n];",
    "void a[3];",
    "int f(void)[3];",
    "struct s { int last[]; int x; };",
    "struct s { struct s inner; };",
    "struct s { int x : 33; };",
    "struct s { float x : 3; };",
    "struct s { int x : 0; };",
    "_Static_assert(sizeof(int) == 8, \"no\");",
    "int x __attribute__((aligned(3)));",
    // Constants and initial values.
    "int f(void); int x = f();",
    "int x = 1 / 0; int a[1 / 0];",
    "int x[] = 5;",
    "int x[2] = { [2] = 1 };",
    "struct point { int x, y; } p = { .z = 1 };",
    "struct point { int x, y; } p = 5;",
    "struct point { int x, y; } p = { .x.y = 1 };",
    "int f(int n) { int a[n] = { 1 }; return a[0]; }",
    // Expressions.
    "int f(int *p) { return *p * p; }",
    "int f(double d) { return d % 2; }",
    "int f(int a) { return *a; }",
    "int f(int a) { return a[0]; }",
    "int f(int a) { return a(); }",
    "int f(int a) { (a + 1) = 2; return a; }",
    "int f(const int a) { a = 2; return a; }",
    "int f(const char *p) { p[0] = 2; return 0; }",
    "int a[3], b[3]; void f(void) { a = b; }",
    "int *f(int a) { return &(a + 1); }",
    "struct s { int b : 3; } s; int *f(void) { return &s.b; }",
    "struct s { int x; } s; int f(void) { return s ? 1 : 0; }",
    "struct s { int x; } s; struct t { int x; } t; void f(void) { s = t; }",
    "struct s { int x; } s; int f(void) { return s; }",
    "struct s { int x; } s; int f(int c) { return c ? s : 1; }",
    "struct s *p; int f(void) { return p->x; }",
    "struct s *p; int f(void) { return sizeof *p; }",
    "int f(int, int); int g(void) { return f(1); }",
    "int f(int); int g(void) { return f(1, 2); }",
    "void f(void); int g(void) { return f(); }",
    "double d; int *f(void) { return (int *)d; }",
    "int f(int x) { return _Generic(x, char: 1, long: 2); }",
    "int f(void) { return 089; }",
    "int f(void) { return 12abc; }",
    // Statements.
    "int f(void) { break; }",
    "int f(void) { continue; }",
    "int f(int x) { switch (x) { case 1: case 2: case 1: return 0; } return 1; }",
    "int f(int x) { switch (x) { case 1 ... 5: return 1; case 3: return 0; } return 1; }",
    "int f(int x, int y) { switch (x) { case y: return 0; } return 1; }",
    "int f(int x) { switch (x) { default: return 0; default: return 1; } }",
    "int f(double x) { switch (x) { case 1: return 0; } return 1; }",
    "int f(void) { case 1: return 0; }",
];

/// Whether GCC refuses a text too; `None` if there is no GCC.
fn is_refused(text: &str) -> Option<bool> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("wrong.c");
    std::fs::write(&file, text).ok()?;
    let status = Command::new("gcc")
        .args(["-w", "-fsyntax-only"])
        .arg(&file)
        .stderr(Stdio::null())
        .status()
        .ok()?;
    Some(!status.success())
}

#[test]
fn mistakes_are_explained() {
    let mut all = String::new();
    let mut accepted = Vec::new();
    for text in PROGRAMS {
        let checked = checked(text.as_bytes(), Target::lp64()).expect(text);
        let _ = writeln!(
            all,
            "{}",
            render("wrong.c", text.as_bytes(), &checked.diagnostics)
        );
        if checked.unit.is_some() {
            accepted.push(format!("nothing is said of: {text}"));
        }
        if is_refused(text) == Some(false) {
            accepted.push(format!("gcc accepts: {text}"));
        }
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    insta::assert_snapshot!(all);
}

/// What GCC accepts, if with warnings.
const FINE: &[&str] = &[
    "int f() { return g(1); }",
    "int *f(void) { return 5; }",
    "int f(int *p) { return p; }",
    "char *p = \"x\"; int *q; void f(void) { q = p; }",
    "int f(void) { }",
    "f(a, b) int b; { return a + b; }",
    "void f(void) { return 1; }",
    "int f(void) { return; }",
    "int x[2] = { 1, 2, 3 }; char c[2] = \"abc\";",
    "int a[]; int a[5]; int b[];",
    "extern int x; int x; int x; int x = 3;",
    "int f(void) { extern int late; return late; } int late = 4;",
    "static int f(void); int f(void) { return 0; }",
    "enum e; enum e *p;",
    "struct s; struct s *p; struct s { struct s *next; } s;",
    "int f(int f) { return f; }",
    "void g(int n, int a[n][n]); void g(int n, int a[n][n]) { a[1][2] = sizeof a[0]; }",
    "int f(int n) { typedef int T[n]; T a, *p = &a; return sizeof a + sizeof(T) + (*p)[1]; }",
    "int f(int n) { goto *(&&l + 0); l: return n; }",
    "int f(void) { int x = ({ int y = 3; y + 1; }); return x; }",
    "void f(void) { __label__ a; goto a; a: ; { __label__ a; goto a; a: ; } }",
    "_Complex double z; double f(void) { return __real__ (z * z); }",
    "typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return a + b; }",
    "__int128 f(__int128 a) { return a * a + 1; }",
    "int f(int x) { int g(int y) { return x + y; } return g(1); }",
    "void f(void) { asm(\"nop\"); asm volatile(\"\" ::: \"memory\"); }",
    "typedef union { int *i; char *c; } U __attribute__((transparent_union)); int w(U); int f(int *p) { return w(p); }",
    "struct s { int n; char d[]; }; struct s x = { 1, \"abc\" };",
    "int f(int a) { switch (a) { int b; case 1: b = 2; return b; case 2 ... 4: default: return 0; } }",
    "#pragma pack(1)\nstruct s { char c; int i; }; _Static_assert(sizeof(struct s) == 5, \"\");",
    "const int n = 3; static int x = n; int f(void) { return x; }",
    "char f(void) { return __func__[0] + sizeof __FUNCTION__; }",
    "union u { int i; float f; }; union u f(float x) { return (union u)x; }",
    "void f(void) { void *p = 0; *p; (void)*p; }",
    "int f(int c) { return c ? f : 0; }",
    "typedef void V; int f(V); int f(V) { return 0; }",
    "int f(void) { return printf(\"%d\", 3) + strlen(\"abc\") + abs(3); }",
    "extern __inline__ __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 2; }",
    "typedef struct { int x; } T; int f(T T) { return T.x; }",
    "int f(void) { int i = 0; for (int i = 1; i < 3; i++) { int i = 5; i++; } return i; }",
    "struct { struct { int a; }; union { int b; struct { int c; }; }; } x; int f(void) { return x.a + x.b + x.c; }",
    "int f(void) { struct s { int x; } a = { 1 }; { struct s { char y; } b = { 2 }; return a.x + b.y; } }",
    "void f(int n) { struct { int a[n]; } s; s.a[0] = 1; }",
    "int x = (int){ 3 }; int *p = (int[]){ 1, 2 }; struct s { int *q; } s = { &(int){ 4 } };",
];

#[test]
fn what_compilers_accept_is_accepted() {
    let mut refused = Vec::new();
    for text in FINE {
        let checked = checked(text.as_bytes(), Target::lp64()).expect(text);
        if checked.unit.is_none() {
            refused.push(render("fine.c", text.as_bytes(), &checked.diagnostics));
        }
        if is_refused(text) == Some(true) {
            refused.push(format!("gcc refuses: {text}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

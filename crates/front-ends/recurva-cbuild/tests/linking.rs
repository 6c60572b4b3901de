//! Programs of several units: what the interpreter gives is what the compiler's linked program gives,
//! and what cannot be linked is reported with both places.

mod common;

use std::{fs, process::Command};

use common::{Folder, Model};
use recurva_cbuild::{BuildOptions, read};
use recurva_cir::interpret::Outcome;

/// The exit code of the program that the compiler links, if it does.
fn linked(units: &[&str]) -> Option<i32> {
    let folder = Folder::new("linking");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fcommon", "-o", "program"]);
    for (number, unit) in units.iter().enumerate() {
        let name = format!("{number}.c");
        fs::write(folder.0.join(&name), unit).expect("it is written");
        gcc.arg(name);
    }
    let output = gcc.current_dir(&folder.0).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let run = Command::new(folder.0.join("program")).output().ok()?;
    run.status.code()
}

fn messages(units: &[&str]) -> Result<i32, Vec<String>> {
    let texts = (0..)
        .zip(units)
        .map(|(number, text)| common::text(&format!("{number}.c"), *text));
    let options = common::native();
    match read(texts.collect(), Model::Lp64.target(), &options) {
        Ok(built) => match common::run(&built, 1_000_000)
            .expect("it is well formed")
            .outcome
        {
            Outcome::Exited(code) => Ok(code),
            other => Err(vec![format!("{other:?}")]),
        },
        Err(errors) => Err(errors
            .iter()
            .flat_map(|(unit, list)| {
                list.iter().map(move |error| {
                    format!(
                        "{unit}.c: {}; {}",
                        error.message(),
                        error.helps().join("; ")
                    )
                })
            })
            .collect()),
    }
}

/// Programs that link, and end with a code that tells what happened.
const PROGRAMS: &[&[&str]] = &[
    // What is weak gives way, wherever it stands, and of two weak ones the first is taken.
    &[
        "__attribute__((weak)) int x = 1; __attribute__((weak)) int f(void) { return 10; }
         int g(void); int main(void) { return x + f() + g(); }",
        "int x = 2; int f(void) { return 20; } int g(void) { return x; }",
    ],
    &[
        "int x = 2; int f(void) { return 20; } int g(void) { return x; }",
        "__attribute__((weak)) int x = 1; __attribute__((weak)) int f(void) { return 10; }
         int g(void); int main(void) { return x + f() + g(); }",
    ],
    &[
        "__attribute__((weak)) int x = 3; int g(void); int main(void) { x++; return g(); }",
        "__attribute__((weak, visibility(\"default\"))) int x = 4; int g(void) { return x; }",
    ],
    // A function and a variable of another unit.
    &[
        "int twice(int); extern int base; int main(void) { return twice(base) + 1; }",
        "int base = 20; int twice(int x) { return 2 * x; }",
    ],
    // What is static is each unit's own.
    &[
        "static int x = 1; static int f(void) { return x; } int g(void);
         int main(void) { return 10 * f() + g(); }",
        "static int x = 2; static int f(void) { return x; } int g(void) { return f(); }",
    ],
    // Tentative definitions, in one unit and in several, with and without a value elsewhere.
    &[
        "int x; int x; int y; int set(void); int main(void) { set(); return x + y; }",
        "int x; int y = 3; int set(void) { x += 4; return 0; }",
    ],
    // An array whose length only its definition says.
    &[
        "extern int table[]; extern int length; int main(void) {
           int sum = 0; for (int i = 0; i < length; i++) sum += table[i]; return sum; }",
        "int table[] = { 1, 2, 3, 4 }; int length = sizeof table / sizeof *table;",
    ],
    // `inline` with an external definition elsewhere; `static inline` in both.
    &[
        "inline int f(int x) { return x + 1; } extern inline int f(int x);
         static inline int h(void) { return 5; } int g(void);
         int main(void) { return f(1) * 10 + g() + h(); }",
        "int f(int); static inline int h(void) { return 3; } int g(void) { return f(h()); }",
    ],
    // GNU's `extern inline`: only for inlining, the body is elsewhere.
    &[
        "extern inline __attribute__((gnu_inline)) int f(void) { return 7; } int g(void);
         int main(void) { return g(); }",
        "int f(void) { return 7; } int g(void) { return f(); }",
    ],
    // A declaration within a function, and one hidden by a local name.
    &[
        "int main(void) { int x = 1; { extern int x; x += 2; } extern int get(void); return x + get(); }",
        "int x = 40; int get(void) { return x; }",
    ],
    // Static variables of functions, and a pointer that leads to them.
    &[
        "int *counter(void); int main(void) { ++*counter(); ++*counter(); return *counter(); }",
        "int *counter(void) { static int count = 5; return &count; }",
    ],
    // Structures with one tag in both, and an incomplete one in the first.
    &[
        "struct s; struct s *make(int); int value(struct s *); struct p { char c; int x; };
         struct p pair(void); int main(void) { return value(make(3)) + pair().x; }",
        "struct s { char c; int x; }; struct p { char c; int x; };
         struct s *make(int x) { static struct s s; s.x = x; return &s; }
         int value(struct s *s) { return s->x; } struct p pair(void) { struct p p = { 1, 9 }; return p; }",
    ],
    // Tags that mean something else in each unit.
    &[
        "struct s { int a, b; }; static struct s s = { 1, 2 }; int g(void);
         int main(void) { return s.b * 10 + g(); }",
        "struct s { char a[3]; char b; }; static struct s s = { { 4, 5, 6 }, 7 }; int g(void) { return s.b; }",
    ],
    // Function pointers across units, and a table of them.
    &[
        "int one(int), two(int); static int (*const table[])(int) = { one, two };
         int apply(int (*)(int), int); int main(void) { return apply(table[0], 3) + apply(two, 4); }",
        "int one(int x) { return x + 1; } int two(int x) { return x * 2; }
         int apply(int (*f)(int), int x) { return f(x); }",
    ],
    // Declarations without a prototype.
    &[
        "int f(); int main(void) { return f(3, 'a') - 90; }",
        "int f(int x, int c) { return x + c; }",
    ],
    // Old style on one side.
    &[
        "int f(int, double); int main(void) { return f(3, 1.5); }",
        "int f(x, d) int x; double d; { return x * 2 + (int)(d * 2); }",
    ],
    // An enumeration in one unit is an integer in the other.
    &[
        "enum colour { RED, GREEN = 5 }; extern enum colour c; enum colour next(enum colour);
         int main(void) { return next(c); }",
        "unsigned c = 4; unsigned next(unsigned c) { return c + 1; }",
    ],
    // Weak functions, aliases, other names.
    &[
        "int f(void); int g(void) __asm__(\"other\"); int main(void) { return f() + g(); }",
        "static int real(void) { return 3; } int f(void) __attribute__((alias(\"real\")));
         int other(void) { return 4; }",
    ],
];

#[test]
#[allow(clippy::print_stderr)]
fn units_are_linked_as_the_compiler_links_them() {
    if !Model::Lp64.has_compiler() {
        eprintln!("there is no gcc: nothing is compared");
        return;
    }
    for units in PROGRAMS {
        let expected = linked(units).expect("the compiler links it");
        assert_eq!(messages(units), Ok(expected), "{units:#?}");
    }
}

#[test]
fn what_is_defined_twice_is_reported() {
    let pairs: &[[&str; 2]] = &[
        [
            "int f(void) { return 1; } int main(void) { return 0; }",
            "int f(void) { return 2; }",
        ],
        ["int x = 1; int main(void) { return 0; }", "int x = 2;"],
        [
            "int main(void) { return 0; }",
            "int main(void) { return 1; }",
        ],
    ];
    for units in pairs {
        assert_eq!(linked(units), None);
        let errors = messages(units).expect_err("it is defined twice");
        assert!(
            errors[0].contains("is defined more than once"),
            "{errors:?}"
        );
        assert!(
            errors[0].contains("also defined in 0.c, line 1"),
            "{errors:?}"
        );
    }
}

#[test]
fn types_that_do_not_agree_are_reported() {
    let pairs = [
        (
            [
                "extern double x; int main(void) { return x; }",
                "\nint x = 1;",
            ],
            "0.c: `x` is declared as `double` and defined as `int`; it is defined in 1.c, line 2",
        ),
        (
            [
                "extern int a[3]; int main(void) { return a[0]; }",
                "int a[2];",
            ],
            "0.c: `a` is declared as `int [3]` and defined as `int [2]`; it is defined in 1.c, line 1",
        ),
        (
            ["int a[2]; int main(void) { return a[0]; }", "int a[3];"],
            "0.c: `a` is declared as `int [2]` and defined as `int [3]`; it is defined in 1.c, line 1",
        ),
        (
            [
                "int f(int); int main(void) { return f(1); }",
                "int f(int a, int b) { return a + b; }",
            ],
            "0.c: `f` is declared as `int (int)` and defined as `int (int, int)`; \
             it is defined in 1.c, line 1",
        ),
        (
            [
                "struct s { int a; }; extern struct s x; int main(void) { return x.a; }",
                "struct s { char a; } x;",
            ],
            "0.c: `x` is declared as `struct s` and defined as `struct s`; it is defined in 1.c, line 1",
        ),
        (
            [
                "void f(void); int main(void) { f(); return 0; }",
                "struct s { int x[9]; } f(void) { return (struct s) { { 1 } }; }",
            ],
            "0.c: `f` is declared as `void (void)` and defined as `struct s (void)`; \
             it is defined in 1.c, line 1",
        ),
    ];
    for (units, expected) in pairs {
        assert_eq!(messages(&units), Err(vec![expected.to_owned()]));
    }
}

#[test]
fn what_nobody_uses_is_not_missed() {
    let units = ["int missing(void); extern int gone; int main(void) { return 0; }"];
    assert_eq!(messages(&units), Ok(0));
    let built = read(
        vec![common::text("0.c", units[0])],
        Model::Lp64.target(),
        &BuildOptions::default(),
    )
    .expect("it is built");
    assert!(built.assumed.is_empty());
}

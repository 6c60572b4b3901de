//! Statements, as trees.

mod show;

/// The statements of a function.
fn body(text: &str) -> String {
    let text = format!("typedef int T; void f(void) {{{text}}}");
    let shown = show::read(&text);
    let all = shown.items().pop().unwrap();
    let all = all.strip_prefix("f: function() to Void {").unwrap();
    all.strip_suffix('}').unwrap().to_owned()
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(body(text), *expected, "{text}");
    }
}

#[test]
fn statements() {
    table(&[
        ("a; ; {b; {}}", "a ; {b {}}"),
        ("if (a) b;", "[if a b]"),
        ("if (a) if (b) c; else d;", "[if a [if b c else d]]"),
        (
            "if (a) b; else if (c) d; else e;",
            "[if a b else [if c d else e]]",
        ),
        ("while (a, b) c;", "[while (, a b) c]"),
        ("do a; while (b);", "[do a b]"),
        ("for (;;) ;", "[for - | - | - | ;]"),
        (
            "for (a = 0; b; c++) d;",
            "[for (= a 0) | b | (PostIncrement c) | d]",
        ),
        (
            "for (T i = 0, j; ; ) i;",
            "[for [i: T = 0; j: T] | - | - | i]",
        ),
        (
            "for (_Static_assert(1, \"\"); ; ) ;",
            "[for [assert 1] | - | - | ;]",
        ),
        (
            "break; continue; return; return a, b;",
            "[break] [continue] [return -] [return (, a b)]",
        ),
        (
            "goto out; goto *p; out: ;",
            "[goto out] [goto * p] [out: ;]",
        ),
    ]);
}

#[test]
fn labels() {
    table(&[
        ("a: b: c;", "[a: [b: c]]"),
        ("a: ", "[a: ;]"),
        ("a: int x; x;", "[a: ;] [x: Int] x"),
        ("T: ; goto T;", "[T: ;] [goto T]"),
        ("a: __attribute__((unused)) b;", "[a: <unused> b]"),
        (
            "switch (a) { case 1: case 2 ... 3: b; break; default: c; }",
            "[switch a {[case 1: [case 2..3: b]] [break] [default: c]}]",
        ),
        (
            "switch (a) case 1: if (b) case 2: c; ",
            "[switch a [case 1: [if b [case 2: c]]]]",
        ),
        (
            "{ case 'a' ? 1 : 2: default: }",
            "{[case (? 'a' 1 2): [default: ;]]}",
        ),
        ("__label__ a, b; a: ;", "[labels a b] [a: ;]"),
    ]);
}

#[test]
fn declarations_and_statements() {
    table(&[
        ("T x; T * y; x * y;", "[x: T] [y: pointer to T] (* x y)"),
        ("int T; T * x;", "[T: Int] (* T x)"),
        ("{ int T; T; } T x;", "{[T: Int] T} [x: T]"),
        ("enum { T }; T * x;", "[enum  {T}] (* T x)"),
        ("T T; T * T;", "[T: T] (* T T)"),
        ("T T = sizeof T;", "[T: T = (sizeof T)]"),
        (
            "T (x); T (*y)[2]; (T)(x);",
            "[x: T] [y: pointer to array[2] of T] (cast T: (() x))",
        ),
        (
            "extern T g(T), h();",
            "[g: function(: T) to extern T; h: function(?) to extern T]",
        ),
        (
            "for (int T = 0; T;) T * x; T * y;",
            "[for [T: Int = 0] | T | - | (* T x)] [y: pointer to T]",
        ),
        (
            "({ int T; T * x; }); T * x;",
            "(block {[T: Int] (* T x)}) [x: pointer to T]",
        ),
        ("static const x = 1;", "[x: static const implicit = 1]"),
        (
            "_Static_assert(1, \"a\" \"b\"); _Static_assert(2);",
            "[assert 1] [assert 2]",
        ),
        ("__auto_type x = 1;", "[x: auto type = 1]"),
        (
            "__extension__ T x; __extension__ (a);",
            "[x: T] (Extension (() a))",
        ),
        ("__extension__ static T x;", "[x: static T]"),
        ("__extension__ __attribute__((a)) T x;", "[x: <a> T]"),
        ("[[maybe_unused]] T x;", "[x: <maybe_unused> T]"),
        ("__attribute__((unused)) T x;", "[x: <unused> T]"),
        ("__attribute__((fallthrough)); [[fallthrough]];", "; ;"),
        (
            "int g(int T) { return T * 2; } T x;",
            "[g: function(T: Int) to Int {[return (* T 2)]}] [x: T]",
        ),
        (
            "auto T g(); T g() { return 1; }",
            "[g: function(?) to auto T] [g: function(?) to T {[return 1]}]",
        ),
    ]);
}

#[test]
fn assembler() {
    table(&[
        ("asm(\"nop\");", "[asm effects out() in()]"),
        (
            "asm volatile(\"\" ::: \"memory\");",
            "[asm empty effects out() in()]",
        ),
        (
            "__asm__ __volatile__ (\"\\n\\t \" : : : \"cc\", \"memory\");",
            "[asm empty effects out() in()]",
        ),
        (
            "asm(\"x\" : \"=r\"(a), [n] \"+m\"(*b) : \"0\"(c + 1) : \"cc\");",
            "[asm out(a (Deref b)) in((+ c 1))]",
        ),
        ("asm(\"x\" :: \"r\"(a));", "[asm out() in(a)]"),
        (
            "asm goto (\"jmp %l0\" :::: out); out: ;",
            "[asm effects out() in()] [out: ;]",
        ),
        (
            "asm inline volatile (\"x\" \"y\" : \"=r\" (a));",
            "[asm out(a) in()]",
        ),
    ]);
}

//! What is read of C, and what is not.

use recurva_c::{ExprId, ExprKind, Unit, Use, parse};

/// The calls in the functions of a unit as they are written, in the order of the text; those
/// whose result is thrown away with a `;` behind them.
fn calls(text: &str) -> Vec<String> {
    let unit = parse(text.as_bytes()).unwrap_or_else(|error| {
        let rest = &text[error.span().start as usize..];
        panic!("{error} at {rest}");
    });
    let mut found = Vec::new();
    for function in unit.functions() {
        for root in function.roots() {
            if root.usage != Use::Parameter {
                collect(&unit, root.expr, root.usage == Use::Discarded, &mut found);
            }
        }
    }
    found.sort_unstable();
    let text_of = |(start, end, is_discarded): (u32, u32, bool)| {
        let call = &text[start as usize..end as usize];
        format!("{call}{}", if is_discarded { ";" } else { "" })
    };
    found.into_iter().map(text_of).collect()
}

fn collect(unit: &Unit, id: ExprId, is_discarded: bool, found: &mut Vec<(u32, u32, bool)>) {
    let expr = unit.expr(id);
    match &expr.kind {
        ExprKind::Call { .. } => found.push((expr.span.start, expr.span.end, is_discarded)),
        ExprKind::Block(roots) => {
            for root in roots {
                collect(unit, root.expr, root.usage == Use::Discarded, found);
            }
        }
        _ => {}
    }
    for operand in expr.kind.operands() {
        collect(unit, operand, false, found);
    }
}

/// The calls in a body of a function.
fn body(text: &str) -> Vec<String> {
    calls(&format!("typedef int T; void body(void) {{ {text} }}"))
}

#[test]
fn calls_wherever_expressions_are_evaluated() {
    assert_eq!(body("f(); x = g(1);"), ["f();", "g(1)"]);
    assert_eq!(
        body("if (f()) g(); else if (h()) ; else i();"),
        ["f()", "g();", "h()", "i();"]
    );
    assert_eq!(
        body("for (f(); g(); h()) i();"),
        ["f();", "g()", "h();", "i();"]
    );
    assert_eq!(body("for (T i = f(); ; ) break;"), ["f()"]);
    assert_eq!(
        body("do f(); while (g()); while (h()) { i(); }"),
        ["f();", "g()", "h()", "i();"]
    );
    assert_eq!(
        body("switch (f()) { case 1 ... 2: g(); default: return h(); }"),
        ["f()", "g();", "h()"]
    );
    assert_eq!(
        body("T a[f()], *b = g(), c = { h() };"),
        ["f()", "g()", "h()"]
    );
    assert_eq!(
        body("x = (f(), g()) ? h() : i() ?: j();"),
        ["f()", "g()", "h()", "i()", "j()"]
    );
    assert_eq!(body("p->m(f())[g()].q++;"), ["p->m(f())", "f()", "g()"]);
    assert_eq!(body("x = ({ T y = f(); g(); y; });"), ["f()", "g();"]);
    assert_eq!(
        body("asm volatile (\"nop\" : \"=r\" (x) : [y] \"r\" (f()) : \"memory\");"),
        ["f()"]
    );
    assert_eq!(
        body("x = __builtin_va_arg(f(), T *); y = __builtin_expect(g(), 1);"),
        ["f()", "__builtin_expect(g(), 1)", "g()"]
    );
    assert_eq!(
        body("x = (struct s){ .a = f(), [g()] = 1, b: h() }.a;"),
        ["f()", "h()"]
    );
    assert_eq!(
        body("goto *f(); out: g(); __label__ l; l: ;"),
        ["f()", "g();"]
    );
}

#[test]
fn what_is_not_evaluated() {
    assert_eq!(body("x = sizeof f() + sizeof(T) + _Alignof(g());"), [""; 0]);
    assert_eq!(body("static T x = sizeof(f()); typeof(g()) y;"), [""; 0]);
    assert_eq!(
        body("__builtin_offsetof(struct s, a[0].b); _Static_assert(f(), \"\");"),
        [""; 0]
    );
    assert_eq!(
        body("case 1 + f(): ; _Generic(f(), T: g(), default: 0);"),
        [""; 0]
    );
    assert_eq!(calls("int x = sizeof(f()); int y[] = { g() };"), [""; 0]);
}

#[test]
fn types_and_values() {
    // `T` is a type until something else is called so.
    assert_eq!(
        body("T *x; (T)(f()); (g)(1); { int T; T * f(2); }"),
        ["f()", "(g)(1);", "f(2)"]
    );
    assert_eq!(
        body("(T)f(); (T){ g() }; sizeof (T){ h() };"),
        ["f()", "g()"]
    );
    assert_eq!(
        calls("typedef int T; int f(int T) { return T(1); }"),
        ["T(1)"]
    );
    assert_eq!(
        calls("typedef int T; T T_(T (T)); T g(T) T T; { return T(1); }"),
        ["T(1)"]
    );
    assert_eq!(calls("int (*f(void))(int) { return g(); }"), ["g()"]);
    assert_eq!(
        calls("int (f)(void) { return g(); } int (*p)(void) = f;"),
        ["g()"]
    );
}

#[test]
fn what_headers_contain() {
    let text = "
        # 1 \"stdio.h\" 1 3 4
        typedef __builtin_va_list va_list;
        typedef struct _IO FILE __attribute__((aligned(8)));
        extern int printf (const char *__restrict __format, ...) __asm__ (\"\" \"printf\") __attribute__ ((__nothrow__ , __format__ (__printf__, 1, 2)));
        extern __inline __attribute__ ((__gnu_inline__)) int twice (int x) { return x + x; }
        __extension__ typedef long long int quad;
        typedef _Float128 f128; typedef unsigned __int128 u128; _Thread_local int t; __thread int u;
        enum __attribute__((packed)) colour : unsigned char { Red = 1 << 2, Green };
        union u { struct { unsigned a : 3, : 0; }; int (*f)(int, char *[]); } ;
        _Noreturn void stop(void); [[noreturn]] void halt(void);
        asm (\".globl x\");
        _Atomic(int) shared; _Alignas(16) char buffer[16]; const volatile int *const *p[3], q;
        int vector __attribute__((vector_size(16)));
        static inline void nested(int n, int a[static 1], int b[*], int (*c)[n]) { (void)a; }
        #pragma GCC diagnostic push
        void old(a, b) int a; char *b; { a = b[0]; }
        main() { return 0; }
        ";
    assert_eq!(calls(text), [""; 0]);
}

#[test]
fn attributes_and_statements() {
    assert_eq!(
        body("switch (1) { case 1: f(); __attribute__((fallthrough)); default: ; }"),
        ["f();"]
    );
    assert_eq!(
        body("__attribute__((unused)) T x = f(); label: __attribute__((unused)) g();"),
        ["f()", "g();"]
    );
    assert_eq!(
        body("__extension__ f(); __extension__ T x = g();"),
        ["f()", "g()"]
    );
    assert_eq!(
        body("auto int inner(int n) { return f(n); } inner(1);"),
        ["f(n)", "inner(1);"]
    );
    assert_eq!(
        body("void *p = &&out; out: ; __auto_type x = f();"),
        ["f()"]
    );
}

#[test]
fn what_cannot_be_read_is_an_error_with_a_place() {
    for (text, found) in [
        ("int f(void) { return 1 }", "}"),
        ("int f(void) { x = ; }", ";"),
        ("int f(void) { if x; }", "x"),
        ("int f(void) { `x`; }", "`"),
        ("int x = 1", ""),
        ("int f(void) {", ""),
        ("struct s { int a;", ""),
    ] {
        let error = parse(text.as_bytes()).unwrap_err();
        let span = error.span();
        assert_eq!(
            &text[span.start as usize..span.end as usize],
            found,
            "{text}: {error}"
        );
    }
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_none() {
    let deep = format!(
        "int f(void) {{ return {}1{}; }}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(
        parse(deep.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("nest")
    );
    let blocks = format!(
        "void f(void) {}{}",
        "{".repeat(100_000),
        "}".repeat(100_000)
    );
    assert!(parse(blocks.as_bytes()).is_err());
    let long = format!("int f(void) {{ return {} g(); }}", "1 + ".repeat(100_000));
    assert_eq!(calls(&long), ["g()"]);
    let choices = format!(
        "int f(void) {{ return {} g(); }}",
        "x ? y : ".repeat(20_000)
    );
    assert_eq!(calls(&choices), ["g()"]);
    let ladder = format!(
        "void f(void) {{ {} g(); }}",
        "if (x) y; else ".repeat(20_000)
    );
    assert_eq!(calls(&ladder), ["g();"]);
}

/// Texts with bytes left out, doubled and changed: nothing makes it panic.
#[test]
fn damaged_texts() {
    let text = "typedef int T; static T f(T a, ...) { T b[2] = { a, .x = (T)1 }; for (;;) \
                if (a ? b[0] : f(({ a; }), \"x\\n\", 'c')) return sizeof(T) + a++; else goto out; out: ; }"
        .as_bytes();
    let mut state = 1u64;
    let mut random = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..20_000 {
        let mut damaged = text.to_vec();
        for _ in 0..1 + random(3) {
            let at = random(damaged.len().max(1));
            if damaged.is_empty() {
                break;
            }
            match random(4) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, damaged[at]),
                2 => damaged[at] = b"(){}[];,*\"'#\\x1 "[random(16)],
                _ => damaged.truncate(at.max(1)),
            }
        }
        if let Ok(unit) = parse(&damaged) {
            for (_, expr) in unit.exprs() {
                assert!(expr.span.end as usize <= damaged.len());
            }
        }
    }
}

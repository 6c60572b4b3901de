//! Expressions, as trees.

mod show;

/// An expression in a function where `T` is a type.
fn expr(text: &str) -> String {
    let text = format!("typedef int T; struct s; void f(void) {{ x = {text}; }}");
    let shown = show::read(&text);
    let all = shown.items().pop().unwrap();
    let all = all.strip_prefix("f: function() to Void {(= x ").unwrap();
    all.strip_suffix(")}").unwrap().to_owned()
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(expr(text), *expected, "{text}");
    }
}

#[test]
fn operators_bind_as_they_should() {
    table(&[
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a * b + c", "(+ (* a b) c)"),
        (
            "a || b && c | d ^ e & f",
            "(|| a (&& b (| c (^ d (& e f)))))",
        ),
        (
            "a & b ^ c | d && e || f",
            "(|| (&& (| (^ (& a b) c) d) e) f)",
        ),
        (
            "a == b < c << d + e % f",
            "(== a (< b (<< c (+ d (% e f)))))",
        ),
        (
            "a / b % c != d >> e >= f",
            "(!= (% (/ a b) c) (>= (>> d e) f))",
        ),
        ("a <= b > c", "(> (<= a b) c)"),
        ("a - b - c", "(- (- a b) c)"),
        ("a = b = c", "(= a (= b c))"),
        ("a += b -= c ? d : e", "(+= a (-= b (? c d e)))"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ? b ? c : d : e", "(? a (? b c d) e)"),
        ("a ? b, c : d", "(? a (, b c) d)"),
        ("a || b ? c : d || e", "(? (|| a b) c (|| d e))"),
        ("a ?: b ?: c", "(? a - (? b - c))"),
        ("(a, b, c)", "(() (, a b c))"),
        (
            "a *= b /= c %= d <<= e >>= f &= g ^= h |= i",
            "(*= a (/= b (%= c (<<= d (>>= e (&= f (^= g (|= h i))))))))",
        ),
    ]);
}

#[test]
fn prefixes_and_what_stands_behind() {
    table(&[
        ("-a * !b", "(* (Minus a) (Not b))"),
        ("- - + ~a", "(Minus (Minus (Plus (Complement a))))"),
        ("*p++", "(Deref (PostIncrement p))"),
        ("++*p--", "(PreIncrement (Deref (PostDecrement p)))"),
        ("&a[1].b->c", "(Address (-> (. ([] a 1) b) c))"),
        ("f(a, b = c)(d)()", "(call (call (call f a (= b c)) d))"),
        ("--a", "(PreDecrement a)"),
        ("__real__ a + __imag__ b", "(+ (Real a) (Imaginary b))"),
        ("__extension__ a + b", "(+ (Extension a) b)"),
        ("&&out", "(label out)"),
        ("a && b", "(&& a b)"),
        ("a && &&out", "(&& a (label out))"),
        ("a.T", "(. a T)"),
    ]);
}

#[test]
fn constants_and_texts() {
    table(&[
        (
            "0x1p-3f + 'a' + L'b' + 1'000",
            "(+ (+ (+ 0x1p-3f 'a') L'b') 1'000)",
        ),
        (r#""a" L"b" u8"c" U"d\"""#, r#""a"L"b"u8"c"U"d\"""#),
        (r#""a"[0]"#, r#"([] "a" 0)"#),
        (
            "\u{e9}t\u{e9} + \\u00e9t\\U000000e9 + $a",
            "(+ (+ \u{e9}t\u{e9} \\u00e9t\\U000000e9) $a)",
        ),
        ("a<:1:> + (T)<%1%>", "(+ ([] a 1) (literal T: {1}))"),
    ]);
}

#[test]
fn types_in_expressions() {
    table(&[
        ("(T)a + b", "(+ (cast T: a) b)"),
        ("(T)-a", "(cast T: (Minus a))"),
        ("(T)(a)(b)", "(cast T: (call (() a) b))"),
        ("-(T)*a", "(Minus (cast T: (Deref a)))"),
        ("(a)(b)", "(call (() a) b)"),
        ("(const T *)a", "(cast pointer to const T: a)"),
        ("(T (*)(T))a", "(cast pointer to function(: T) to T: a)"),
        ("(T(*)[n])a", "(cast pointer to array[n] of T: a)"),
        ("(T[]){1, 2}[i]", "([] (literal array[] of T: {1, 2}) i)"),
        (
            "&(struct s){.a = 1}",
            "(Address (literal struct s: {.a=1}))",
        ),
        ("sizeof a + b", "(+ (sizeof a) b)"),
        ("sizeof(T) * 2", "(* (sizeof type T) 2)"),
        ("sizeof (a)->b", "(sizeof (-> (() a) b))"),
        ("sizeof(T){1}.a", "(sizeof (. (literal T: {1}) a))"),
        ("sizeof (T *)", "(sizeof type pointer to T)"),
        ("-sizeof *a", "(Minus (sizeof (Deref a)))"),
        ("sizeof -a", "(sizeof (Minus a))"),
        (
            "_Alignof(T) + __alignof__ a",
            "(+ (alignof type T) (alignof a))",
        ),
        ("sizeof(unsigned long)", "(sizeof type UnsignedLong)"),
        ("(__typeof__(a))b", "(cast typeof(a): b)"),
        (
            "(__attribute__((aligned(4))) T)b",
            "(cast <aligned 4> T: b)",
        ),
        ("(enum e)a", "(cast enum e: a)"),
    ]);
}

#[test]
fn forms_of_gnu_c() {
    table(&[
        ("({ T y = 1; y; })", "(block {[y: T = 1] y})"),
        ("({ })", "(block {})"),
        ("__builtin_va_arg(a, T *)", "(va_arg a pointer to T)"),
        (
            "__builtin_offsetof(struct s, a.b[2].c)",
            "(offsetof struct s .a.b[2].c)",
        ),
        (
            "__builtin_types_compatible_p(T, T *)",
            "(same T pointer to T)",
        ),
        ("__builtin_choose_expr(1, a, b = c)", "(choose 1 a (= b c))"),
        ("__builtin_expect(a, 0)", "(call __builtin_expect a 0)"),
        (
            "_Generic(a, T: b, const char *: c, default: d)",
            "(generic a T: b pointer to const Char: c default: d)",
        ),
    ]);
}

#[test]
fn values_in_braces() {
    table(&[
        ("(T){}", "(literal T: {})"),
        ("(T){1, {2, 3}, }", "(literal T: {1, {2, 3}})"),
        (
            "(T){.a.b[1] = 1, [2 ... 3] = {4}}",
            "(literal T: {.a.b[1]=1, [2..3]={4}})",
        ),
        ("(T){a: 1, T: 2, [3] 4}", "(literal T: {.a=1, .T=2, [3]=4})"),
        ("(T){a ? b : c}", "(literal T: {(? a b c)})"),
    ]);
}

#[test]
fn spans_are_the_bytes() {
    let text = "int f(void) { return (a + -b[1] * c(d)) ? (char)e : g; }";
    let shown = show::read(text);
    let all: Vec<_> = shown
        .unit
        .exprs()
        .map(|(_, expr)| &text[expr.span.range()])
        .collect();
    assert_eq!(
        all,
        [
            "a",
            "b",
            "1",
            "b[1]",
            "-b[1]",
            "c",
            "d",
            "c(d)",
            "-b[1] * c(d)",
            "a + -b[1] * c(d)",
            "(a + -b[1] * c(d))",
            "e",
            "(char)e",
            "g",
            "(a + -b[1] * c(d)) ? (char)e : g",
        ]
    );
}

//! Declarations, as trees.

mod show;

/// What is declared by a text in which `T` is a type.
fn declared(text: &str) -> String {
    let text = format!("typedef int T; {text}");
    let items = show::read(&text).items();
    items[1..].join(" | ")
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(declared(text), *expected, "{text}");
    }
}

#[test]
fn types_from_keywords() {
    for (text, expected) in [
        ("void *", "Void"),
        ("char", "Char"),
        ("signed char", "SignedChar"),
        ("char unsigned", "UnsignedChar"),
        ("short", "Short"),
        ("int short signed", "Short"),
        ("unsigned short int", "UnsignedShort"),
        ("int", "Int"),
        ("signed", "Int"),
        ("unsigned", "UnsignedInt"),
        ("long", "Long"),
        ("long unsigned int", "UnsignedLong"),
        ("long int long", "LongLong"),
        ("unsigned long long int", "UnsignedLongLong"),
        ("__int128", "Int128"),
        ("unsigned __int128", "UnsignedInt128"),
        ("__int128_t", "Int128"),
        ("__uint128_t", "UnsignedInt128"),
        ("float", "Float"),
        ("_Float32", "Float"),
        ("double", "Double"),
        ("_Float64", "Double"),
        ("_Float32x", "Double"),
        ("double long", "LongDouble"),
        ("_Float64x", "LongDouble"),
        ("__float128", "Float128"),
        ("_Float128", "Float128"),
        ("_Float16", "Float16"),
        ("_Bool", "Bool"),
        ("bool", "Bool"),
        ("_Complex", "Complex"),
        ("double _Complex", "Complex"),
        ("__complex__ long double", "Complex"),
        ("_Decimal64", "Decimal"),
        ("__signed__ char", "SignedChar"),
        ("__builtin_va_list", "va_list"),
    ] {
        let is_pointer = text.ends_with('*');
        let expected = if is_pointer {
            format!("pointer to {expected}")
        } else {
            expected.into()
        };
        assert_eq!(
            declared(&format!("{text} x;")),
            format!("x: {expected}"),
            "{text}"
        );
    }
    for text in [
        "short double",
        "long long long",
        "int int",
        "signed unsigned",
        "float char",
        "unsigned void",
        "long char",
        "short long",
        "unsigned T_",
        "int T",
        "T int",
        "struct s int",
        "double struct s",
    ] {
        let text = format!("typedef int T_; typedef int T; {text} x;");
        assert!(recurva_c::ast::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn declarators() {
    table(&[
        ("T *a[3];", "a: array[3] of pointer to T"),
        ("T (*a)[3];", "a: pointer to array[3] of T"),
        (
            "T *const volatile *a;",
            "a: pointer to const volatile pointer to T",
        ),
        (
            "T (*(*a)(void))[2];",
            "a: pointer to function() to pointer to array[2] of T",
        ),
        (
            "T (*f(int))(char);",
            "f: function(: Int) to pointer to function(: Char) to T",
        ),
        (
            "T a[2][3], *b, c();",
            "a: array[2] of array[3] of T; b: pointer to T; c: function(?) to T",
        ),
        ("T ((a));", "a: T"),
        (
            "T f(void), g(T, ...);",
            "f: function() to T; g: function(: T, ...) to T",
        ),
        ("T f(T (T));", "f: function(: function(: T) to T) to T"),
        ("T f(T[], T T);", "f: function(: array[] of T, T: T) to T"),
        (
            "T f(int (T), T *T, int (T));",
            "f: function(: function(: T) to Int, T: pointer to T, T: Int) to T",
        ),
        (
            "T f(int a[static const 3], int b[restrict], int c[*]);",
            concat!(
                "f: function(a: const array[3] of Int, b: restrict array[] of Int, ",
                "c: array[*] of Int) to T"
            ),
        ),
        (
            "T f(const, register T);",
            "f: function(: const implicit, : register T) to T",
        ),
        ("T a[0], b[];", "a: array[0] of T; b: array[] of T"),
        (
            "T f(T *const restrict);",
            "f: function(: const restrict pointer to T) to T",
        ),
        (
            "T f(T (*)(T), T (*[2])(void));",
            concat!(
                "f: function(: pointer to function(: T) to T, ",
                ": array[2] of pointer to function() to T) to T"
            ),
        ),
    ]);
}

#[test]
fn specifiers() {
    table(&[
        (
            "extern inline __attribute__((gnu_inline)) T f(void);",
            "f: function() to extern inline <gnu_inline> T",
        ),
        ("const T static volatile x;", "x: static const volatile T"),
        (
            "_Thread_local T x; static __thread T y;",
            "x: thread T | y: static thread T",
        ),
        ("_Noreturn void f(void);", "f: function() to noreturn Void"),
        (
            "_Alignas(8) _Alignas(double) T x;",
            "x: align(8) align(Double) T",
        ),
        (
            "_Atomic T x; _Atomic(T) y; T *_Atomic z;",
            "x: atomic T | y: atomic(T) | z: atomic pointer to T",
        ),
        (
            "typeof(1 + 2) x; __typeof__(T *) y;",
            "x: typeof((+ 1 2)) | y: typeof(pointer to T)",
        ),
        (
            "register x asm(\"r1\" \"2\");",
            "x: register implicit asm \"r1\" \"2\"",
        ),
        (
            "T x asm(\"y\") __attribute__((used)) = 1;",
            "x: <used> T asm \"y\" = 1",
        ),
        ("typedef T U; U x;", "U: typedef T | x: U"),
        (
            "typedef T *U, V[2]; V x;",
            "U: pointer to typedef T; V: array[2] of typedef T | x: V",
        ),
        ("__extension__ typedef long long U;", "U: typedef LongLong"),
        (
            "f(); *g();",
            "f: function(?) to implicit | g: function(?) to pointer to implicit",
        ),
        ("x = 1;", "x: implicit = 1"),
        ("typedef int bool; bool x;", "bool: typedef Int | x: bool"),
        ("int bool; int y = bool;", "bool: Int | y: Int = bool"),
        (
            "typedef __int128 __int128_t; __int128_t x;",
            "__int128_t: typedef Int128 | x: __int128_t",
        ),
        (
            ";; _Static_assert(1, \"\"); asm(\"x\");",
            "assert 1 | asm(\"x\");",
        ),
    ]);
}

#[test]
fn attributes() {
    table(&[
        (
            "T x __attribute__((__aligned__(8), unused, ));",
            "x: <aligned 8> <unused> T",
        ),
        (
            "T x __attribute__(()) __attribute__((const));",
            "x: <const> T",
        ),
        (
            "T __attribute__((a)) x, __attribute__((b)) y;",
            "x: <a> T; y: <b> <a> T".trim(),
        ),
        (
            "[[noreturn]] void f [[gnu::cold]] (void);",
            "f: <cold> function() to <noreturn> Void",
        ),
        (
            "[[clang::x(1), gnu::__pure__]] T f();",
            "f: function(?) to <clang::x 1> <pure> T",
        ),
        (
            "T x __attribute__((mode(T), format(printf, 1, 2)));",
            "x: <mode T> <format printf 1 2> T",
        ),
        (
            "T x __attribute__((aligned(sizeof(T) * 2)));",
            "x: <aligned (* (sizeof type T) 2)> T",
        ),
        (
            "T x __attribute__((a(T *, 1), deprecated(\"no\")));",
            "x: <a 1> <deprecated \"no\"> T",
        ),
        (
            "T x __attribute__((vector_size(16)));",
            "x: <vector_size 16> T",
        ),
        (
            "__seg_gs T *x; const T __seg_fs *__seg_gs y;",
            "x: pointer to <__seg_gs> T | y: <__seg_gs> pointer to <__seg_fs> const T",
        ),
        (
            "T *__attribute__((a)) const x;",
            "x: <a> const pointer to T",
        ),
        (
            "T (__attribute__((ms_abi)) *f)(void);",
            "f: <ms_abi> pointer to function() to T",
        ),
        (
            "T f(T x __attribute__((unused)));",
            "f: function(x: <unused> T) to T",
        ),
        (
            "__declspec(dllimport) T f(void);",
            "f: function() to <dllimport> T",
        ),
        (
            "enum { A __attribute__((deprecated)) = 1, B [[x]] };",
            "enum  {A = 1, B}",
        ),
        (
            "struct __attribute__((packed)) s { T a; } __attribute__((aligned));",
            "struct <packed> <aligned> s {a: T}",
        ),
    ]);
}

#[test]
fn records_and_enumerations() {
    table(&[
        ("struct s;", "struct s"),
        (
            "struct s { T a, *b; T c : 3, : 0; struct { T d; }; } x, *y;",
            concat!(
                "x: struct s {a: T, b: pointer to T; c: T :3, : T :0; struct  {d: T}}; ",
                "y: pointer to struct s {a: T, b: pointer to T; c: T :3, : T :0; struct  {d: T}}"
            ),
        ),
        (
            "struct {} x; union u {} y;",
            "x: struct  {} | y: union u {}",
        ),
        (
            "struct s { T T; T x; T t[]; };",
            "struct s {T: T; x: T; t: array[] of T}",
        ),
        (
            "struct s { ; _Static_assert(1); __extension__ T a; int T : 2; };",
            "struct s {assert 1; a: T; T: Int :2}",
        ),
        ("struct T { int T : 1; } T;", "T: struct T {T: Int :1}"),
        (
            "struct s { int (*f)(struct s *), g; };",
            "struct s {f: pointer to function(: pointer to struct s) to Int, g: Int}",
        ),
        ("struct s { T a };", "struct s {a: T}"),
        (
            "enum e { A, B = 1 << 2, C, };",
            "enum e {A, B = (<< 1 2), C}",
        ),
        (
            "enum e : unsigned char { A } x;",
            "x: enum e : UnsignedChar {A}",
        ),
        ("enum e x;", "x: enum e"),
    ]);
}

#[test]
fn packed_records() {
    let text = "
        #pragma pack(push, 1)
        struct a { int x; };
        #pragma pack(2)
        struct b { int x;
        #pragma pack(pop)
        }; struct c { int x; };";
    let items = show::read(text).items();
    assert_eq!(
        items,
        [
            "struct a pack 1 {x: Int}",
            "struct b {x: Int}",
            "struct c {x: Int}"
        ]
    );
}

#[test]
fn functions() {
    table(&[
        ("main() { }", "main: function(?) to implicit {}"),
        (
            "T f(T a, ...) { return a; }",
            "f: function(a: T, ...) to T {[return a]}",
        ),
        (
            "T f(a, b) T a; char *b, T; { return T; }",
            "f: function(a, b) to T a: T; b: pointer to Char; T: Char; {[return T]}",
        ),
        (
            "f(a, b) register a; { }",
            "f: function(a, b) to implicit a: register implicit; {}",
        ),
        (
            "T (f)(void) { } T (*g(int T))(int) { return T; } T x;",
            concat!(
                "f: function() to T {} | ",
                "g: function(T: Int) to pointer to function(: Int) to T {[return T]} | x: T"
            ),
        ),
        (
            "static __attribute__((x)) T f(void) __attribute__((y)) { }",
            "f: <y> function() to static <x> T {}",
        ),
        (
            "struct s { T a; } f(void) { } T x;",
            "f: function() to struct s {a: T} {} | x: T",
        ),
        (
            "T f(enum { T } a) { T * a; }",
            "f: function(a: enum  {T}) to T {(* T a)}",
        ),
        (
            "T f(T a, T b[sizeof(a)]);",
            "f: function(a: T, b: array[(sizeof (() a))] of T) to T",
        ),
    ]);
}

#[test]
fn initial_values() {
    table(&[
        (
            "T a = 1, b = { 1 }, c[] = { 1, 2, };",
            "a: T = 1; b: T = {1}; c: array[] of T = {1, 2}",
        ),
        (
            "T a[] = { [0] = 1, [1 ... 2] = 3 };",
            "a: array[] of T = {[0]=1, [1..2]=3}",
        ),
        ("char *a = \"x\" \"y\";", "a: pointer to Char = \"x\"\"y\""),
    ]);
}

#[test]
fn names_of_a_unit() {
    let shown = show::read("int abc; int f(void) { return abc; }");
    let name = shown.unit.find_name("abc").unwrap();
    assert_eq!(shown.unit.name(name), "abc");
    assert!(shown.unit.find_name("ab").is_none());
}

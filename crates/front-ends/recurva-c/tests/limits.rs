//! Long texts are read; deep ones and junk are errors, and nothing is a crash.

use std::fmt::Write;

use recurva_c::ast::{self, ExprKind, Init, Item, StmtKind};

/// What is said of a text that is read by both ways.
fn error(text: &str) -> String {
    let _ = recurva_c::parse(text.as_bytes());
    match ast::parse(text.as_bytes()) {
        Ok(_) => "nothing".into(),
        Err(error) => error.to_string(),
    }
}

fn in_function(text: &str) -> String {
    format!("typedef int T; void f(void) {{ {text} }}")
}

/// An opening and a closing part around something, many times.
fn nested(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

/// Everything that contains itself.
const NESTED: &[(&str, &str, &str)] = &[
    ("(", "1", ");"),
    ("f(", "1", ");"),
    ("a[", "1", "];"),
    ("({", "1;", "});"),
    ("(T)(", "1", ");"),
    ("sizeof(", "1", ");"),
    ("(T[", "1", "]){1}"),
    ("x = (T){", "1", "};"),
    ("a ? b ? (", "1", ") : 2 : 3;"),
    ("__builtin_choose_expr(1, 2, ", "3", ");"),
    ("_Generic(1, T: ", "3", ");"),
    ("typeof(", "T", ") x;"),
    ("{", ";", "}"),
    ("if (1) ", ";", ""),
    ("if (1) { } else { ", ";", "}"),
    ("while (1) ", ";", ""),
    ("for (;;) ", ";", ""),
    ("do ", ";", " while (1);"),
    ("switch (1) case 1: ", ";", ""),
    ("struct {", "T x;", "} x;"),
    ("union { enum { A = sizeof(", "T", ") } x; } x;"),
    ("T (", "x", ");"),
    ("T (*", "x", ")(void);"),
    ("T x(T (*", "y", ")(void));"),
    ("T x(T ", "y", ");"),
    ("T x(T y(", "T", "));"),
    ("T x = {", "1", "};"),
    ("T x = { [", "1", "] = 1 };"),
    ("T x[", "1", "];"),
    ("T f(void) {", ";", "}"),
    ("({ T x __attribute__((a(", "1", "))); })"),
    ("_Alignas(", "1", ") T x;"),
    ("_Atomic(", "T", ") x;"),
    ("asm(\"\" : : \"r\"(", "1", "));"),
    ("_Static_assert(", "1", ");"),
];

#[test]
fn deep_nesting_is_an_error() {
    for times in [100, 3_000, 100_000] {
        for (open, inside, close) in NESTED {
            let text = in_function(&nested(open, inside, close, times));
            let said = error(&text);
            let is_deep = said.contains("nest") || said.contains("smaller expression");
            assert!(times < 1_000 || said != "nothing", "{open}");
            // Where the closing parts do not fit, another error may come first; never nothing.
            assert!(
                is_deep || times == 100 || said.starts_with("expected"),
                "{open}: {said}"
            );
        }
    }
}

#[test]
fn a_million_brackets() {
    for bracket in [
        "(", "[", "{", "(T)(", "({", "*", "-", "!", "&", "sizeof ", "(T)", "a.", "a?",
    ] {
        let text = in_function(&bracket.repeat(1_000_000));
        assert_ne!(error(&text), "nothing", "{bracket}");
        assert_ne!(error(&bracket.repeat(1_000_000)), "nothing", "{bracket}");
    }
}

#[test]
fn five_hundred_brackets_are_none() {
    for (open, close) in [("(", ")"), ("f(", ")"), ("a[", "]")] {
        let text = in_function(&format!("{};", nested(open, "1", close, 500)));
        assert_eq!(error(&text), "nothing", "{open}");
    }
    assert_eq!(error(&in_function(&nested("{", ";", "}", 900))), "nothing");
}

#[test]
fn high_trees_are_errors() {
    let chains = [
        ("1", " + 1"),
        ("1", " * 1 + 1"),
        ("a", " = a"),
        ("a", " ? a : a"),
        ("a", ".a"),
        ("a", "[0]"),
        ("a", "()"),
        ("a", "++"),
        ("a", " ? a : ({ 1; }) + a"),
    ];
    for (first, next) in chains {
        let text = |times: usize| in_function(&format!("{first}{};", next.repeat(times)));
        assert_eq!(error(&text(1_500)), "nothing", "{next}");
        let said = error(&text(100_000));
        assert_eq!(
            said, "expected a smaller expression: this one has too many operators",
            "{next}"
        );
    }
    for prefix in [
        "- ",
        "!",
        "*",
        "& ",
        "sizeof ",
        "(T)",
        "++",
        "__extension__ ",
    ] {
        let text = |times: usize| in_function(&format!("{}a;", prefix.repeat(times)));
        assert_eq!(error(&text(1_500)), "nothing", "{prefix}");
        assert!(error(&text(100_000)).contains("smaller"), "{prefix}");
    }
}

/// The height of a tree is counted through blocks, literals and types in it.
#[test]
fn heights_add_up() {
    let chain = "- ".repeat(900);
    for (open, close) in [
        ("({", ";})"),
        ("sizeof(T[", "])"),
        ("(T){", "}"),
        ("(T)", ""),
    ] {
        let chain = format!("{chain}{open}");
        let text = in_function(&format!("{};", nested(&chain, "1", close, 10)));
        assert!(error(&text).contains("smaller"), "{open}");
    }
}

#[test]
fn long_texts_are_read() {
    let mut ladder = String::new();
    let mut cases = "switch (1) { ".to_owned();
    let mut labels = String::new();
    for number in 0..100_000 {
        write!(ladder, "if (a == {number}) b(); else ").unwrap();
        write!(cases, "case {number}: a(); break; ").unwrap();
    }
    for number in 0..4_000 {
        write!(labels, "l{number}: ").unwrap();
    }
    assert_eq!(error(&in_function(&format!("{ladder} ;"))), "nothing");
    assert_eq!(error(&in_function(&format!("{cases} }}"))), "nothing");
    assert_eq!(error(&in_function(&format!("{labels} ;"))), "nothing");
    assert!(error(&in_function(&format!("{labels} l: ;"))).contains("fewer labels"));
    let commas = in_function(&format!("a{};", ", a".repeat(200_000)));
    assert_eq!(error(&commas), "nothing");
    let arguments = in_function(&format!("f(a{});", ", a".repeat(200_000)));
    assert_eq!(error(&arguments), "nothing");
    let strings = in_function(&format!("a{};", " \"x\"".repeat(200_000)).replacen('a', "x = ", 1));
    assert_eq!(error(&strings), "nothing");
    let attributes = format!("int x __attribute__(({}));", "unused,".repeat(200_000));
    assert_eq!(error(&attributes), "nothing");
    assert_eq!(
        error(&format!("int {}x;", "const ".repeat(200_000))),
        "nothing"
    );
    assert_eq!(
        error(&format!("int x{};", ", x".repeat(200_000))),
        "nothing"
    );
    assert!(error(&format!("int {}x;", "*".repeat(200_000))).contains("too many parts"));
    assert!(error(&format!("int x{};", "[1]".repeat(200_000))).contains("too many parts"));
}

#[test]
fn a_ladder_is_a_chain_in_the_tree() {
    let text = in_function(&format!("{};", "if (a) b; else ".repeat(10_000)));
    let unit = ast::parse(text.as_bytes()).unwrap();
    let Some(Item::Function(function)) = unit.items.last() else {
        panic!("it is a function");
    };
    let StmtKind::Block(items) = &unit.stmt(function.body).kind else {
        panic!("it has a body");
    };
    let ast::BlockItem::Stmt(mut at) = items[0] else {
        panic!("it is a statement");
    };
    let mut count = 0;
    while let StmtKind::If { other, .. } = unit.stmt(at).kind {
        count += 1;
        assert!(text[unit.stmt(at).span.range()].starts_with("if"));
        at = other.unwrap();
    }
    assert_eq!(count, 10_000);
}

#[test]
fn millions_of_initial_values() {
    let text = format!("int a[] = {{ {} }};", "1, ".repeat(2_000_000));
    let unit = ast::parse(text.as_bytes()).unwrap();
    let Item::Declaration(declaration) = &unit.items[0] else {
        panic!("it is a declaration");
    };
    let Some(Init::List(items, _)) = &declaration.declarators[0].init else {
        panic!("it has values");
    };
    assert_eq!(items.len(), 2_000_000);
}

fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn junk() {
    let mut state = 7;
    let bytes: Vec<u8> = (0..1 << 20).map(|_| random(&mut state) as u8).collect();
    assert!(ast::parse(&bytes).is_err());
    for byte in [
        0u8, b'"', b'\\', b'\'', b'#', b'/', b'a', b'1', b'.', b'\n', b'+', 0xff,
    ] {
        let text = vec![byte; 10 << 20];
        assert_eq!(
            ast::parse(&text).is_ok(),
            matches!(byte, b'\n' | b'#' | b'/'),
            "{byte}"
        );
    }
    // Quotes that are never closed.
    let open = "\"\\".repeat(1 << 20);
    assert!(ast::parse(open.as_bytes()).is_err());
    let open = "'\\'".repeat(1 << 20);
    assert!(ast::parse(open.as_bytes()).is_err());
}

/// Tokens of C in any order: errors mostly, and trees whose parts lie in the text.
#[test]
fn random_tokens() {
    const WORDS: &[&str] = &[
        "int",
        "T",
        "x",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "*",
        "=",
        ":",
        "?",
        "1",
        "\"s\"",
        "struct",
        "enum",
        "if",
        "else",
        "while",
        "for",
        "case",
        "return",
        "sizeof",
        "typedef",
        "__attribute__((",
        "))",
        "__extension__",
        "typeof",
        "_Generic",
        "asm",
        "goto",
        "...",
        "&&",
        ".",
        "->",
        "++",
        "const",
        "static",
        "_Static_assert",
        "__label__",
        "do",
        "[[",
        "]]",
        "__builtin_va_arg",
        "__builtin_offsetof",
        "unsigned",
        "void",
    ];
    let mut state = 3;
    for _ in 0..30_000 {
        let mut text = "typedef int T; int f(int x) {".to_owned();
        for _ in 0..1 + random(&mut state) % 12 {
            text += " ";
            text += WORDS[random(&mut state) % WORDS.len()];
        }
        text += "; }";
        let _ = recurva_c::parse(text.as_bytes());
        if let Ok(unit) = ast::parse(text.as_bytes()) {
            for (id, expr) in unit.exprs() {
                assert!(expr.span.end as usize <= text.len(), "{text}");
                if let ExprKind::Paren(inner) = expr.kind {
                    assert!(inner < id, "{text}");
                }
            }
        }
    }
}

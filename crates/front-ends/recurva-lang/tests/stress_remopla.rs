//! Remopla texts that break parsers: deep, long, empty, and not even text.

mod support;

use recurva_lang::rem;
use recurva_syntax::{Source, Style};
use support::on_a_small_stack;

fn messages(text: impl Into<String>) -> (bool, String) {
    let source = Source::new("stress.rem", text).expect("not that long");
    let parsed = rem::parse(&source);
    assert_eq!(parsed.program.is_none(), parsed.diagnostics.has_errors());
    let text = parsed.diagnostics.render(&source, Style::Plain);
    assert!(!text.contains("internal error"), "{text}");
    (parsed.program.is_some(), text)
}

fn in_main(statements: &str) -> String {
    format!("bool b; int x(8), a[4](2); init main; module void main() {{\n{statements}\n}}\n")
}

#[test]
fn expressions_may_be_half_a_million_deep() {
    const DEEP: usize = 500_000;
    on_a_small_stack(|| {
        for (open, inner, close) in [
            ("(", "b", ")"),
            ("!", "b", ""),
            ("b && ", "b", ""),
            ("b == ", "b", ""),
            ("b || (b && ", "b", ")"),
            ("1 + (", "1", ")"),
            ("a[", "1", "]"),
            ("-", "1", ""),
        ] {
            let target = if inner == "b" { "b" } else { "x" };
            let (open, close) = (open.repeat(DEEP), close.repeat(DEEP));
            let (read, text) = messages(in_main(&format!("{target} = {open}{inner}{close};")));
            assert!(read, "{}", &text[..text.len().min(500)]);
        }
        let (read, text) = messages(in_main(&format!("b = {};", "(".repeat(DEEP))));
        assert!(!read && text.len() < 2_000, "{text}");
        let deep = format!("define N {}1{}\n", "(".repeat(DEEP), ")".repeat(DEEP));
        let (read, text) = messages(format!("{deep}{}", in_main("x = N;")));
        assert!(read, "{text}");
    });
}

#[test]
fn quantifiers_are_refused_before_they_are_too_much() {
    on_a_small_stack(|| {
        for quantifier in ["A i (0,1) ", "E i (0,0) (b && "] {
            let close = ")".repeat(100_000 * quantifier.matches("(b").count());
            let deep = format!("b = {}b{close};", quantifier.repeat(100_000));
            let (read, text) = messages(in_main(&deep));
            assert!(!read && text.contains("too many cases"), "{text}");
        }
        let single = format!("b = {}b;", "E i (0,0) ".repeat(100_000));
        assert_eq!(messages(in_main(&single)), (true, String::new()));
        let (read, text) = messages(in_main(&format!("{}a[0] = 1;", "A i (0,9) ".repeat(50))));
        assert!(!read && text.contains("too many places"), "{text}");
        let wide = "E i (0,9223372036854775807) ";
        let (read, _) = messages(in_main(&format!("b = {wide}b;")));
        assert!(!read);
    });
}

#[test]
fn blocks_nested_too_deep_are_refused_at_the_block() {
    on_a_small_stack(|| {
        for (open, close) in [("if :: b -> ", "fi "), ("do :: else -> ", "od ")] {
            let nested = |depth: usize| {
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                in_main(&format!("{open}\nskip;\n{close}\nb = c;"))
            };
            let (_, text) = messages(nested(256));
            assert!(
                text.contains("no variable `c`") && !text.contains("nested"),
                "{text}"
            );
            let (_, text) = messages(nested(100_000));
            assert!(text.contains("nested more than 256 deep"), "{text}");
            assert!(
                text.contains("no variable `c`") && text.matches("error:").count() == 2,
                "{text}"
            );
        }
        let chain = ":: b -> skip; ".repeat(100_000);
        let (read, text) = messages(in_main(&format!("if {chain} :: else -> skip; fi;")));
        assert!(read, "{text}");
    });
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error = Source::from_bytes("x.rem", b"bool b;\ninit \xc3\x28".to_vec()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x.rem:2: the text is not UTF-8: byte 0xc3 at offset 13"
    );
}

#[test]
fn a_hundred_megabytes_are_read() {
    on_a_small_stack(|| {
        let mut text = String::from("define DEFAULT_INT_BITS 4\nbool b; init m0;\n");
        let mut number = 0;
        while text.len() < 90 << 20 {
            let next = number + 1;
            text.push_str(&format!(
                "// the module number {number} of a program that some generator wrote\n\
                 module int m{number}(int x, int y) {{\n  int z, list[3];\n\
                 \x20 /* a condition that is long enough to be like those seen in practice */\n\
                 \x20 if :: x < y && (b || x + 1 == y) -> z = m{next}(x, y); list[2] = z;\n\
                 \x20   :: else -> z = undef; fi;\n\
                 \x20 L{number}: b = (E i (0,2) list[i] == x), z = x;\n  return z;\n}}\n"
            ));
            number += 1;
        }
        text.push_str(&format!(
            "module int m{number}(int x, int y) {{ return x; }}\n/*"
        ));
        text.push_str(&"*".repeat((100 << 20) - text.len()));
        text.push_str("*/");
        let (read, text) = messages(text);
        assert!(read && text.is_empty(), "{}", &text[..text.len().min(500)]);
    });
}

#[test]
fn no_piece_of_text_is_slow_when_repeated() {
    on_a_small_stack(|| {
        let pieces = [
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ";",
            ":",
            "::",
            "->",
            ",",
            "=",
            "x = ",
            "x = 1, ",
            "L: ",
            "L: skip; ",
            "goto L; ",
            "if ",
            "if :: b -> ",
            "fi ",
            "do ",
            ":: else -> ",
            "else ",
            "x + ",
            "- ",
            "! ",
            "a[",
            "a.b",
            "A i (0,1) ",
            "E i ",
            "E i (0,1) b && ",
            "f(",
            "f(); ",
            "x = f(); ",
            "int x(2); ",
            "struct S { ",
            "struct S { int a(1); } s; ",
            "define N 1 ",
            "define N ",
            "init main; ",
            "module void f() { ",
            "module ",
            "undef ",
            "return ",
            "break; ",
            "skip(",
            "'",
            "x' = ",
            "/*",
            "//",
            "é",
            "\u{0}",
            "<",
            "1 << ",
            "bool b[2](1), ",
            "s = s; ",
            "a = a; ",
            "a = undef, ",
        ];
        for piece in pieces {
            let many = piece.repeat((1 << 18) / piece.len());
            for text in [
                many.clone(),
                in_main(&many),
                in_main(&format!("b = {many};")),
            ] {
                let started = std::time::Instant::now();
                let (_, text) = messages(text);
                assert!(text.len() < 200_000, "{piece}");
                // Quadratic work on a quarter of a megabyte takes longer.
                assert!(started.elapsed().as_secs() < 30, "{piece}");
            }
        }
    });
}

#[test]
fn no_mixture_of_words_makes_the_reader_panic() {
    let pieces = [
        "module",
        "void",
        "main",
        "(",
        ")",
        "{",
        "}",
        ";",
        "init",
        "int",
        "bool",
        "struct",
        "S",
        "x",
        "y",
        "a",
        "[",
        "]",
        "1",
        "2",
        "=",
        "==",
        ",",
        ".",
        "if",
        "fi",
        "do",
        "od",
        "::",
        "->",
        "else",
        "goto",
        "L",
        ":",
        "skip",
        "break",
        "return",
        "undef",
        "A",
        "E",
        "i",
        "(0,1)",
        "+",
        "!",
        "&&",
        "define",
        "N",
        "DEFAULT_INT_BITS",
        "true",
        "ä",
        "#",
        "'",
    ];
    let mut bits = 1u64;
    for round in 0..6_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            text.push_str(
                "struct S { int f(2); bool g[2]; }; struct S s, t[2]; int x(2), a[2](3);",
            );
            text.push_str("init main; module int(2) main(int y(2)) {");
        }
        for _ in 0..30 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(bits >> 33) as usize % pieces.len()]);
            text.push(' ');
        }
        if round % 2 == 0 {
            text.push('}');
        }
        messages(text);
    }
}

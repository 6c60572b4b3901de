//! Inputs that break parsers: deep, long, empty, and not even text.

mod support;

use recurva_lang::bp;
use recurva_syntax::{Source, Style};
use support::on_a_small_stack;

fn messages(text: impl Into<String>) -> (bool, String) {
    let source = Source::new("stress.bp", text).expect("not that long");
    let parsed = bp::parse(&source, &bp::Options::default());
    assert_eq!(parsed.program.is_none(), parsed.diagnostics.has_errors());
    (
        parsed.program.is_some(),
        parsed.diagnostics.render(&source, Style::Plain),
    )
}

fn in_main(expression: &str) -> String {
    format!("decl a, x[2]; decl int(8) n; void main() begin a := {expression}; end")
}

#[test]
fn expressions_may_be_a_million_deep() {
    const DEEP: usize = 1_000_000;
    on_a_small_stack(|| {
        for (open, inner, close) in [
            ("(", "a", ")"),
            ("!", "a", ""),
            ("a & ", "a", ""),
            ("a => ", "a", ""),
            ("a = ", "a", ""),
            ("a | (a & ", "a", ")"),
            ("schoose[a,", "a", "]"),
            ("1 = ", "a", ""),
        ] {
            let text = in_main(&format!(
                "{}{inner}{}",
                open.repeat(DEEP),
                close.repeat(DEEP)
            ));
            let (read, text) = messages(text);
            assert!(
                read && text.is_empty(),
                "{open}…: {}",
                &text[..text.len().min(500)]
            );
        }
        let (read, _) = messages(in_main(&format!("{}1 < n", "n + ".repeat(DEEP))));
        assert!(read);
        let shifts = format!("{}n{} = n", "1 << (".repeat(DEEP), ")".repeat(DEEP));
        let (read, text) = messages(in_main(&shifts));
        assert!(read, "{text}");
        let index = format!("{}0{}", "n + int(8)(".repeat(1000), ")".repeat(1000));
        let (read, text) = messages(in_main(&format!("x[{index}]")));
        assert!(read, "{text}");
    });
}

#[test]
fn deep_expressions_that_are_wrong_have_one_short_message() {
    const DEEP: usize = 1_000_000;
    on_a_small_stack(|| {
        let (read, text) = messages(in_main(&"(".repeat(DEEP)));
        assert!(!read);
        assert!(text.contains("expected an expression"), "{text}");
        assert!(text.len() < 2_000, "{text}");
        let (read, text) = messages(in_main(&format!("{}n", "!".repeat(DEEP))));
        assert!(!read && text.len() < 2_000, "{text}");
        // Two readings, both long.
        let (read, text) = messages(in_main(&format!("{}a", "a & a = ".repeat(DEEP / 2))));
        assert!(
            read && text.contains("tools disagree") && text.len() < 2_000,
            "{text}"
        );
    });
}

#[test]
fn blocks_nested_too_deep_are_refused_at_the_block() {
    on_a_small_stack(|| {
        for (open, close) in [
            ("if a then ", "fi "),
            ("while a do ", "od "),
            ("if a then else ", "fi "),
        ] {
            let nested = |depth: usize| {
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                format!("decl a;\nvoid main() begin\n{open}\nskip;\n{close}\na := b;\nend\n")
            };
            let (_, text) = messages(nested(256));
            assert!(
                text.contains("no variable `b`") && !text.contains("nested"),
                "{text}"
            );
            let (_, text) = messages(nested(100_000));
            assert!(
                text.contains("blocks are nested more than 256 deep"),
                "{text}"
            );
            assert!(
                text.contains("no variable `b`") && text.matches("error:").count() == 2,
                "{text}"
            );
        }
        // Long chains of `elsif` are not nested.
        let chain = "elsif a then skip; ".repeat(100_000);
        let (read, text) = messages(format!(
            "decl a; void main() begin if a then {chain} fi end"
        ));
        assert!(read, "{text}");
    });
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error = Source::from_bytes("x.bp", b"decl g;\nvoid main() \xc3\x28".to_vec()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x.bp:2: the text is not UTF-8: byte 0xc3 at offset 20"
    );
}

#[test]
fn a_million_errors_are_counted_not_printed() {
    on_a_small_stack(|| {
        let names: String = (0..200_000).map(|n| format!("decl name{n};\n")).collect();
        let wrong: String = (0..200_000).map(|n| format!("  nmae{n} := T;\n")).collect();
        let (read, text) = messages(format!("{names}void main() begin\n{wrong}end\n"));
        assert!(!read);
        assert!(
            text.ends_with("and 199950 more errors\n"),
            "{}",
            &text[text.len() - 200..]
        );
        let (_, text) = messages("decl ;".repeat(300_000));
        assert!(text.len() < 100_000);
    });
}

#[test]
fn a_line_of_many_megabytes_is_shown_in_part() {
    let blanks = " ".repeat(50 << 20);
    let (_, text) = messages(format!(
        "decl a; {blanks} void main() begin a := b; end {blanks}"
    ));
    assert!(
        text.contains("no variable `b`") && text.len() < 2_000,
        "{text}"
    );
}

#[test]
fn a_hundred_megabytes_are_read() {
    on_a_small_stack(|| {
        let mut text = String::with_capacity(110 << 20);
        let mut number = 0;
        while text.len() < 90 << 20 {
            let callee = if number == 0 {
                "main".to_owned()
            } else {
                format!("step_{}", number - 1)
            };
            text.push_str(&format!(
                "// the procedure number {number} of a program that some generator wrote\n\
                 bool step_{number}(a, b) begin\n  decl x;\n  enforce a | b;\n\
                 \x20 /* a condition that is long enough to be like those seen in practice */\n\
                 \x20 if (a & !b | (a ^ b)) then\n    x := schoose[a, F];\n    {call}\n  fi\n\
                 \x20 L{number}: assert(!x | a => (b | (a & (x ^ T))));\n  return x;\nend\n",
                call = if number == 0 {
                    "main();".to_owned()
                } else {
                    format!("x := {callee}(b, x);")
                },
            ));
            number += 1;
        }
        text.push_str(&format!(
            "void main() begin\n  step_{}(T, F);\nend\n/*",
            number - 1
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
        let bodies = [
            "{;",
            "(",
            ")",
            "a := ",
            "L: ",
            "L: skip; ",
            "goto L; ",
            "a, ",
            "if a then ",
            "while ",
            "fi ",
            "else ",
            "a = ",
            "a & b = ",
            "'a ",
            "[",
            "]",
            "n[",
            "schoose[",
            "int(8)(",
            "begin ",
            "f(",
            "f();",
            "decl a; ",
            "enforce a; ",
            "1 + ",
            "1 << ",
            "* * ",
            "-",
            "{a}",
            "{",
            "/*",
            "//",
            "é",
            "\u{0}",
            "return a; ",
            "ASYNC_1: f(); ",
            "start_thread ",
            "dead a, ",
            "print(",
            "assert(* < * ); ",
        ];
        for piece in bodies {
            let many = piece.repeat((1 << 19) / piece.len());
            for text in [
                many.clone(),
                format!("decl a; void main() begin {many}"),
                format!("decl a; decl int(8) n; void main() begin a := {many}; end"),
                format!("decl a; void f() begin skip; end void main() begin\n{many}\nend"),
            ] {
                let started = std::time::Instant::now();
                let (_, text) = messages(text);
                assert!(text.len() < 200_000, "{piece}");
                // Quadratic work on half a megabyte takes longer.
                assert!(started.elapsed().as_secs() < 60, "{piece}");
            }
        }
    });
}

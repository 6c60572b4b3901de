//! Monitors on models: what cannot be, what is said about it, and programs that were written with
//! the monitor in them by hand.

use std::{fs, path::Path};

use recurva_check::{Options, Property, Verdict, check};
use recurva_lang::bp;
use recurva_model::{FailureKind, Program};
use recurva_pal::{
    lang,
    weave::{Weaving, weave},
};
use recurva_syntax::{Source, Style};
use recurva_testkit::{rng::Rng, test_folder, wrong::compare};

const MODEL: &str = "
decl counter, g; decl int(4) n;
void write() begin skip; end
bool foo(int(4) x) begin write(); return F; end
void main() begin write(); g := foo(n); n := 3; end";

fn parse(text: &str) -> Program {
    let source = Source::new("model.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{errors}"))
}

fn woven(program: &Program, source: &Source) -> Weaving {
    let parsed = lang::parse(source);
    let errors = parsed.diagnostics.render(source, Style::Plain);
    let monitor = parsed.monitor.unwrap_or_else(|| panic!("{errors}"));
    weave(program, &monitor, source, 1 << 20)
}

#[test]
fn what_a_model_cannot_have_is_said() {
    let program = parse(MODEL);
    compare(&test_folder!("wrong_on_models"), &["pal"], |source| {
        let weaving = woven(&program, source);
        (weaving.woven.is_some(), weaving.diagnostics)
    });
}

#[test]
fn events_that_match_nothing_are_warned_of() {
    let program = parse(MODEL);
    let text = "event { pattern { wrte($?); } }\nevent { pattern { write($1); } }\n\
                event { pattern { write(); } }\nevent { pattern { $1 = write(); } }\n";
    let source = Source::new("rule.pal", text).expect("a short text");
    let weaving = woven(&program, &source);
    assert_eq!(weaving.woven.expect("no errors").matched, [0, 0, 2, 0]);
    insta::assert_snapshot!(weaving.diagnostics.render(&source, Style::Plain));
}

/// Whether no failure of a kind can be reached.
fn holds(program: &Program, kind: FailureKind) -> bool {
    let failures = program.failures().iter().filter(|it| it.kind == kind);
    let property = Property::Unreachable {
        name: "failures".into(),
        points: failures.map(|it| it.point).collect(),
    };
    let outcome = check(program, &property, &Options::default(), &mut ()).expect("an answer");
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        Verdict::Unknown(limit) => panic!("{limit:?}"),
    }
}

/// The verdict on a model with a monitor, and that on the model with assertions that were put in
/// by hand.
fn same(plain: &str, monitor: &str, by_hand: &str) -> bool {
    let source = Source::new("rule.pal", monitor).expect("a short text");
    let weaving = woven(&parse(plain), &source);
    let messages = weaving.diagnostics.render(&source, Style::Plain);
    let woven = weaving.woven.unwrap_or_else(|| panic!("{messages}"));
    let verdict = holds(&woven.program, FailureKind::Guard);
    assert_eq!(
        verdict,
        holds(&parse(by_hand), FailureKind::Assertion),
        "{monitor}"
    );
    verdict
}

#[test]
fn as_if_written_into_the_program() {
    let rule = "
        global int infoo = 0;
        event { pattern { write(); } guard { infoo == 0 } }
        event {
          pattern { $? = foo($?); }
          local int stored;
          before { action { stored = infoo; infoo = 1; } }
          after { action { infoo = stored; } }
        }";
    for (inside, expected) in [("write(); ", false), ("", true)] {
        let plain = format!(
            "void write() begin skip; end
             void foo(d) begin if (d) then foo(F); {inside}fi end
             void main() begin write(); foo(*); write(); end"
        );
        let by_hand = format!(
            "decl infoo;
             void write() begin skip; end
             void foo(d) begin
               decl stored;
               if (d) then
                 stored := infoo; infoo := T; foo(F); infoo := stored;
                 {}
               fi
             end
             void main() begin
               decl stored;
               infoo := F;
               assert(!infoo); write();
               stored := infoo; infoo := T; foo(*); infoo := stored;
               assert(!infoo); write();
             end",
            match inside {
                "" => "skip;",
                _ => "assert(!infoo); write();",
            }
        );
        assert_eq!(same(&plain, rule, &by_hand), expected);
    }
}

/// C's arithmetic: one guard after the other, each of which must hold.
#[test]
fn arithmetic_is_that_of_c() {
    let program = parse("decl b; void f(x) begin skip; end void main() begin f(b); end");
    for (guard, expected) in [
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 9", true),
        ("10 - 4 - 3 == 3", true),
        ("-7 / 2 == -3 && -7 % 2 == -1", true),
        ("!3 == 0 && !0 == 1", true),
        ("~0 == -1 && ~5 == -6", true),
        ("1 < 2 == 1", true),
        ("(3 & 5) == 1 && (3 | 5) == 7 && (3 ^ 5) == 6", true),
        ("3 & 5 == 5", true),
        ("1 << 4 == 16 && 256 >> 2 == 64 && -8 >> 1 == -4", true),
        ("0x1f == 31 && 010 == 8 && 'a' == 97 && '\\n' == 10", true),
        ("0 || 0 && 1", false),
        ("1 || 1 / zero", true),
        ("1 - 2 < 0", true),
        ("u - 2 > 0", true),
        ("u - 2 == -1", true),
        ("-1 < u", false),
        ("byte + 1 == 256", true),
        ("small == -128", true),
        ("$1 == 0 || $1 == 1", true),
        ("$1 + $1 != 1", true),
        ("flag == 1", true),
        ("B == 5 && C == 6 && state == B", true),
    ] {
        let text = format!(
            "global unsigned u = 1; global int zero; global unsigned char byte = 255;
             global signed char small = 128; global _Bool flag = 7;
             global enum {{ A, B = 2 + 3, C }} state = B;
             event {{ pattern {{ f($1); }} guard {{ {guard} }}
                      action {{ u = u + zero + byte + small + flag + state; }} }}"
        );
        let source = Source::new("rule.pal", text).expect("a short text");
        let weaving = woven(&program, &source);
        let messages = weaving.diagnostics.render(&source, Style::Plain);
        let woven = weaving.woven.unwrap_or_else(|| panic!("{messages}"));
        assert_eq!(
            holds(&woven.program, FailureKind::Guard),
            expected,
            "{guard}"
        );
    }
}

/// A value that does not fit is an outcome of its own; what wraps around in C does.
#[test]
fn ranges() {
    let program = parse("void f() begin skip; end void main() begin while (*) do f(); od end");
    for (declaration, action, expected) in [
        ("int x", "x++;", false),
        ("int x", "x--;", false),
        ("unsigned x", "x--;", false),
        ("unsigned char x", "x++;", true),
        ("char x", "x += 100;", true),
        ("_Bool x", "x++;", true),
        ("int x", "if (x < 127) x++; else x = 0;", true),
        ("int x", "if (x < 128) x++;", true),
        ("int x", "x = x % 5 + 1;", true),
        ("int x", "x = 7 / x;", false),
        ("int x", "while (x < 3) x++; x = 0;", true),
        ("int x", "for (x = 0; x < 9; x++) { }", true),
        ("int x", "for (x = 0; ; x += 2) ;", false),
        ("int x", "x = (x & 1) - 64 - 64;", true),
        ("int x", "x = (x & 1) - 64 - 65;", false),
        ("int x", "x = (x & 0) + 63 + 64;", true),
        ("int x", "x = (x & 0) + 64 + 64;", false),
        ("int x = 300", "if (x < 511) x++;", true),
    ] {
        let text =
            format!("global {declaration}; event {{ pattern {{ f(); }} action {{ {action} }} }}");
        let source = Source::new("rule.pal", text.as_str()).expect("a short text");
        let woven = woven(&program, &source).woven.expect("a right monitor");
        assert_eq!(
            holds(&woven.program, FailureKind::Range),
            expected,
            "{text}"
        );
        if !expected {
            assert!(woven.range.is_some_and(|it| !it.points.is_empty()));
        }
    }
}

const STRANGE: &[u8] = b"{}();$?='\"/*#\\ \n9xg+-";

/// Texts with a few bytes changed, left out or copied: reading and weaving them ends, with a result if
/// and only if there is no error, and what is woven is a program.
#[test]
fn damaged_monitors() {
    let program = parse(MODEL);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for folder in [
        "tests/figures",
        "tests/wrong",
        "tests/wrong_on_models",
        "../../../examples/pal",
        "../../../corpus/pal",
    ] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder of the project") {
            let path = entry.expect("readable").path();
            if path.extension().is_some_and(|it| it == "pal") {
                texts.push(fs::read_to_string(path).expect("readable"));
            }
        }
    }
    texts.sort();
    let (mut read, mut woven) = (0, 0);
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let mut bytes = texts[rng.below(texts.len())].clone().into_bytes();
        for _ in 0..rng.below(4) {
            let at = rng.below(bytes.len());
            let to = (at + rng.below(12)).min(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = *rng.pick(STRANGE).expect("some"),
                1 => drop(bytes.drain(at..to)),
                2 => {
                    let copy = bytes[at..to].to_vec();
                    let place = rng.below(bytes.len());
                    bytes.splice(place..place, copy);
                }
                _ => {
                    let other = texts[rng.below(texts.len())].as_bytes();
                    let from = rng.below(other.len());
                    let part = &other[from..(from + 30).min(other.len())];
                    bytes.splice(at..to, part.iter().copied());
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(source) = Source::from_bytes("damaged.pal", bytes) else {
            continue;
        };
        let parsed = lang::parse(&source);
        assert_eq!(parsed.monitor.is_none(), parsed.diagnostics.has_errors());
        let _ = parsed.diagnostics.render(&source, Style::Plain);
        let Some(monitor) = parsed.monitor else {
            continue;
        };
        read += 1;
        let weaving = weave(&program, &monitor, &source, 1000);
        assert_eq!(weaving.woven.is_none(), weaving.diagnostics.has_errors());
        let text = weaving.diagnostics.render(&source, Style::Plain);
        assert!(
            !text.contains("internal error"),
            "{}\n{text}",
            source.text()
        );
        woven += usize::from(weaving.woven.is_some());
    }
    assert!(read > 500 && woven > 100, "{read} {woven}");
}

/// Two assignments made at once have variables of their own, each with any value.
#[test]
fn variables_without_a_value_are_independent() {
    let program = parse("decl x, y; void main() begin x, y := T, F; end");
    let text = "global _Bool again = 0, first = 0;
        event {
          pattern { $? = $?; }
          local _Bool any;
          before { guard { !again || any == first } action { again = 1; first = any; } }
        }";
    let source = Source::new("rule.pal", text).expect("a short text");
    let woven = woven(&program, &source).woven.expect("a right monitor");
    assert!(!holds(&woven.program, FailureKind::Guard));
}

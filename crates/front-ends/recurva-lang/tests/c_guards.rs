//! Guards about programs that were made from C: what they mean, and what is said about mistakes.

use recurva_lang::{
    bp,
    guard::{Language, Observer},
};
use recurva_model::{Expr, Point, Program, VarRef};
use recurva_syntax::{Diagnostics, Source, Span, Style};

/// Stands for a program that was made from C: a procedure that gives globals their values and calls.
const TEXT: &str = "decl int(32) count; decl sint(32) held; decl int(8) small; decl flag;\n\
    decl sint(32) list[3];\n\
    void main() begin count, held, small, flag := 3, -1, 200, T; work(); end\n\
    void work() begin decl sint(64) wide; wide := 5; L: skip; end\n";

fn program() -> Program {
    let source = Source::new("c.bp", TEXT).unwrap();
    let parsed = bp::parse(&source, &bp::Options::default());
    let program = parsed.program.expect("a program");
    program.with_constants(vec![
        ("IDLE".into(), -1),
        ("MANY".into(), 200),
        ("flag".into(), 7),
    ])
}

fn read(text: &str) -> Result<Expr, String> {
    let program = program();
    let observer = Observer::in_language(&program, Language::C);
    let source = Source::new("guard", text).unwrap();
    let mut diagnostics = Diagnostics::default();
    let place = Span::new(0, text.len() as u32);
    let guard = observer.parse(&source, place, &mut diagnostics);
    let work = program.find_procedure("work").unwrap();
    let label = program.labels()[0].point;
    assert_eq!(label.procedure, work);
    match guard {
        Some(guard) => Ok(guard.at(Point { ..label })),
        None => Err(diagnostics.render(&source, Style::Plain)),
    }
}

/// The value where globals are 3, -1, 200, true, the list is 7, 8, 9 and the local is 5.
fn value(text: &str) -> Option<u64> {
    let expr = read(text).unwrap_or_else(|said| panic!("{text}: {said}"));
    expr.eval(&[], &|variable, _, index| match variable {
        VarRef::Global(4) => [7, 8, 9].get(index as usize).copied(),
        VarRef::Global(number) => [3, 0xffff_ffff, 200, 1].get(number as usize).copied(),
        VarRef::Local(_) => Some(5),
    })
}

#[test]
fn conversions_and_operators_of_c() {
    for text in [
        "count > 2u",
        "count",
        "!(count - 3)",
        "held < 0",
        "held == IDLE && small == MANY",
        // A variable is meant before a constant.
        "flag == 1",
        "held < small",
        "held + 201 == small",
        // As in C: the number becomes unsigned.
        "held > count",
        "-1 > 0u",
        "small + small == 400",
        "~small == -201",
        "count << 2 == 12 && count >> 1 == 1",
        "1 + 2 * 3 == 7 || 0",
        "(1 + 2) * 3 == 9",
        "count & 2 | 8",
        "(count ^ 1) == 2",
        "flag == 1 && flag + 1 == 2",
        "small != 'a' && '\\n' == 10 && '\\\\' == 0x5c",
        "list[1] == 8",
        "list[count - 1] > list[0]",
        "work::wide == 5 && work::wide > held",
        "@L && in(work) && !in(main)",
        "@work::L",
        "010 == 8 && 0x10 == 16 && 0 == 0u && 5ull == 5",
        "2147483648 > 0",
        "count % 2 == 1 && 7 / 2 == 3 && -7 / 2 == -3",
        "!held == 0",
    ] {
        assert_eq!(value(text), Some(1), "{text}");
    }
    assert_eq!(value("count == 4"), Some(0));
    assert_eq!(value("list[3] == 0"), None, "out of range");
    assert_eq!(value("1 / (count - 3) == 0"), None, "divided by zero");
}

#[test]
fn mistakes() {
    for (text, said) in [
        ("counter > 1", "did you mean `count`?"),
        ("wide > 1", "a local is written `work::wide`"),
        ("work::side", "did you mean `wide`?"),
        ("wrok::wide", "there is no function `wrok`"),
        ("@M", "there is no label `M`"),
        ("in(wrok)", "there is no function `wrok`"),
        ("list", "is an array"),
        ("count[0]", "this is no array"),
        ("(count", "never closed"),
        ("list[1", "never closed"),
        ("count)", "nothing is open"),
        ("count +", "an operand is missing"),
        ("", "an operand is missing"),
        ("count ? 1 : 2", "no operator"),
        ("held->next", "pointers are not followed"),
        ("12ab", "this is no number"),
        ("'ab'", "no character"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(said), "{text}: {error}");
    }
}

//! Files of formulas, atoms of programs, and what is said about mistakes.

use recurva_lang::bp;
use recurva_logic::ltl;
use recurva_model::Program;
use recurva_syntax::{Diagnostics, Source, Style};

const MODEL: &str = "
decl g, Flag; decl int(4) n, a[3];
bool lock(int(4) id, b) begin decl v[2]; acquire: g := T; release: return b; end
void main() begin L: g := lock(n, g); goto L; end";

fn program() -> Program {
    let source = Source::new("model.bp", MODEL).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    parsed.program.expect("a right program")
}

/// What is said about a formula, about its atoms too.
fn message(text: &str) -> String {
    let source = Source::new("formula", text).expect("a short text");
    let parsed = ltl::parse(&source);
    let mut diagnostics: Diagnostics = parsed.diagnostics;
    if let Some(formula) = parsed.formula {
        let program = program();
        let resolver = ltl::Resolver::new(&program, ltl::Atoms::Program);
        let guards = resolver.all(&formula.formulas, &source, &mut diagnostics);
        assert_eq!(guards.is_some(), !diagnostics.has_errors(), "{text}");
    }
    diagnostics.render(&source, Style::Plain)
}

#[test]
fn atoms_are_conditions_on_a_program() {
    for text in [
        "G(@L -> F in(lock))",
        "G(@lock::acquire -> F @release)",
        "G(call -> F ret) & F loc",
        "F n > 3 & G(lock::id = 2 -> X lock::b)",
        "G F \"(n + 1) * 2 > 4 & g\" | a[1] = 2 | a[n] + 1 <= n",
        "g U lock::v[0]",
        "\"Flag\" & n = 2 | 1",
        "n = 1 -> X n != 1",
        "3 < n R -n < 4",
    ] {
        assert_eq!(message(text), "", "{text}");
    }
}

#[test]
fn wrong_formulas_get_a_clear_message() {
    for (text, wanted) in [
        ("", "expected a formula, found the end of the text"),
        ("a &", "expected a formula"),
        ("(a U b", "to match this `(`"),
        ("a)", "there is no `(`"),
        ("a b", "expected an operator"),
        ("a and b", "conjunction is written `&`"),
        ("a until b", "written `U`"),
        ("a u b", "did you mean `U`"),
        ("\"n > 3", "this quote is not closed"),
        ("\"\"", "an atom is not empty"),
        ("3", "expected a comparison"),
        ("n + 1", "expected a comparison"),
        ("(n) + 1 > 2", "quote an atom"),
        ("1 < n < 3", "compare two things"),
        ("n > (2)", "written in quotes"),
        ("gg", "did you mean `g`"),
        ("@acqire", "did you mean `acquire`"),
        ("in(lok)", "did you mean `lock`"),
        ("lock::ident", "no local variable"),
        ("{nope}", "there is no global variable"),
        ("Flag", "write `\"Flag\"`"),
        ("G \"on_stack(lock)\"", "not supported yet by this engine"),
        ("a $ b", "has no meaning"),
        ("x:y", "`procedure::local`"),
        ("a § b", "has no meaning"),
    ] {
        let found = message(text);
        assert!(
            found.contains("error") && found.contains(wanted),
            "{text}\n{found}"
        );
    }
}

#[test]
fn files_have_named_formulas_over_several_lines() {
    let text = "# locks\nreleased: G(@acquire -> # always\n  F @release)\n\nFoo-1 : F g\nX:\n  lock::b U g\n";
    let source = Source::new("x.ltl", text).expect("a short text");
    let parsed = ltl::parse_file(&source);
    let list = parsed.formulas.expect("no errors");
    let shown: Vec<String> = list
        .iter()
        .map(|n| format!("{}: {}", n.name, n.formula))
        .collect();
    assert_eq!(
        shown,
        [
            "released: G(@acquire -> F @release)",
            "Foo-1: F g",
            "X: lock::b U g"
        ]
    );
    for (text, wanted) in [
        ("", "no formula in this file"),
        ("G a\nx: b", "this formula has no name"),
        ("x: a\nx: b", "two formulas called `x`"),
        ("x:\ny: b", "expected a formula"),
        ("x: (a\ny: b)", "to match this `(`"),
    ] {
        let source = Source::new("x.ltl", text).expect("a short text");
        let parsed = ltl::parse_file(&source);
        let message = parsed.diagnostics.render(&source, Style::Plain);
        assert!(
            parsed.formulas.is_none() && message.contains(wanted),
            "{text}\n{message}"
        );
    }
}

//! Deep, wide and extreme formulas.

use std::cell::Cell;

use recurva_logic::{
    automaton::{Config, TooLarge, translate},
    ltl::{self, Formula, evaluate},
};
use recurva_syntax::Source;

fn parse(text: &str) -> Formula {
    let source = Source::new("formula", text).expect("a short text");
    let parsed = ltl::parse(&source);
    let errors = parsed
        .diagnostics
        .render(&source, recurva_syntax::Style::Plain);
    parsed.formula.unwrap_or_else(|| panic!("{errors}"))
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    for (open, close) in [
        ("!", ""),
        ("X ", ""),
        ("X(a & ", ")"),
        ("(", ")"),
        ("F(b | ", ")"),
        ("a U (b R ", ")"),
        ("G F ", ""),
        ("a -> ", ""),
        ("F X ", ""),
        ("(a <-> X ", ")"),
    ] {
        let depth = if open.contains("<->") { 1_000 } else { 100_000 };
        let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
        let mut formula = parse(&text);
        assert!(evaluate(&formula.formulas, formula.root, &[], &[1]).is_some());
        assert!(!formula.to_string().is_empty());
        formula.formulas.negated_normal_form(formula.root);
        formula.formulas.simplify(formula.root);
        let config = Config {
            states: 2_000,
            edges: 20_000,
            ..Config::default()
        };
        // Some of them become small, others hit the limit.
        let _ = translate(&formula, &config);
    }
}

#[test]
fn a_long_chain_of_next() {
    let formula = parse(&format!("{}a", "X ".repeat(100_000)));
    let automaton = translate(&formula, &Config::default()).expect("within the limits");
    assert_eq!(automaton.states(), 100_002);
    let few = Config {
        states: 1_000,
        ..Config::default()
    };
    assert_eq!(translate(&formula, &few), Err(TooLarge::States(1_000)));
}

#[test]
fn many_atoms() {
    let all: Vec<String> = (0..30).map(|i| format!("(a{i} | b{i})")).collect();
    let formula = parse(&format!("G({})", all.join(" & ")));
    assert_eq!(formula.formulas.atoms().len(), 60);
    // One state, but its only label has 2^30 cubes.
    let error = translate(&formula, &Config::default()).expect_err("a large label");
    assert!(matches!(error, TooLarge::Label(_)), "{error}");

    let any: Vec<String> = (0..30).map(|i| format!("a{i}")).collect();
    let automaton = translate(
        &parse(&format!("G F ({})", any.join(" & "))),
        &Config::default(),
    );
    let automaton = automaton.expect("a small automaton");
    assert_eq!((automaton.states(), automaton.sets()), (1, 1));
    assert!(automaton.accepts(&[], &[(1 << 30) - 1, 0]));

    let more: Vec<String> = (0..65).map(|i| format!("a{i}")).collect();
    let formula = parse(&more.join(" & "));
    assert_eq!(
        translate(&formula, &Config::default()),
        Err(TooLarge::Atoms(64))
    );
}

#[test]
fn labels_without_a_small_diagram_are_an_error() {
    // All `a`s come before all `b`s, which is the worst order for this condition.
    let first: Vec<String> = (0..32).map(|i| format!("a{i}")).collect();
    let pairs: Vec<String> = (0..32).map(|i| format!("(a{i} & b{i})")).collect();
    let text = format!("F({} & X({}))", first.join(" & "), pairs.join(" | "));
    let result = translate(&parse(&text), &Config::default());
    assert_eq!(result, Err(TooLarge::Labels));
}

#[test]
fn formulas_that_are_always_or_never_true() {
    for text in [
        "1",
        "a | !a",
        "F a | G !a",
        "a U 1",
        "(a U b) | (!a R !b)",
        "G F a | F G !a",
    ] {
        let automaton = translate(&parse(text), &Config::default()).expect("small");
        assert_eq!((automaton.states(), automaton.sets()), (1, 0), "{text}");
        assert!(
            automaton.accepts(&[], &[0]) && automaton.accepts(&[3], &[1, 2]),
            "{text}"
        );
    }
    for text in [
        "0",
        "a & !a",
        "F a & G !a",
        "G F a & F G !a",
        "X(a U b) & X(!b & G !b)",
    ] {
        let automaton = translate(&parse(text), &Config::default()).expect("small");
        assert_eq!(
            (automaton.states(), automaton.edge_count()),
            (1, 0),
            "{text}"
        );
        assert!(
            !automaton.accepts(&[], &[0]) && !automaton.accepts(&[3], &[1, 2]),
            "{text}"
        );
    }
}

#[test]
fn exponential_formulas_hit_a_limit_or_are_stopped() {
    let all: Vec<String> = (0..24).map(|i| format!("F(p{i} & X p{})", i + 1)).collect();
    let formula = parse(&all.join(" & "));
    let error = translate(&formula, &Config::default()).expect_err("2^24 states");
    assert!(
        matches!(error, TooLarge::Edges(_) | TooLarge::States(_)),
        "{error}"
    );

    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 50
    };
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    assert_eq!(translate(&formula, &config), Err(TooLarge::Stopped));

    let many: Vec<String> = (0..40).map(|i| format!("(p{i} U q{})", i % 20)).collect();
    let _ = translate(&parse(&many.join(" | ")), &Config::default());
}

//! The rules of the simplifier: what becomes of formulas, and that it means the same.

use recurva_logic::ltl::{self, Formula, evaluate};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::random;

fn parse(text: &str) -> Formula {
    let source = Source::new("formula", text).expect("a short text");
    ltl::parse(&source).formula.expect("a formula")
}

/// Formulas and what they become.
const RULES: &[(&str, &str)] = &[
    ("a & a & 1", "a"),
    ("a | a | 0", "a"),
    ("a & !a", "0"),
    ("a | !a", "1"),
    ("a & (a | b)", "a"),
    ("a | (a & b)", "a"),
    ("a | (!a & b)", "a | b"),
    ("F F a", "F a"),
    ("G G a", "G a"),
    ("F G F a", "G F a"),
    ("G F G a", "F G a"),
    ("X G F a", "G F a"),
    ("F X a", "X F a"),
    ("G X a", "X G a"),
    ("X a & X b", "X(a & b)"),
    ("X a | X b", "X(a | b)"),
    ("X a U X b", "X(a U b)"),
    ("F a | F b", "F(a | b)"),
    ("G a & G b", "G(a & b)"),
    ("G F a | G F b", "G F(a | b)"),
    ("F G a & F G b", "F G(a & b)"),
    ("F(a U b)", "F b"),
    ("G(a R b)", "G b"),
    ("1 U a", "F a"),
    ("0 R a", "G a"),
    ("a U 0", "0"),
    ("a R 1", "1"),
    ("a U F b", "F b"),
    ("a R G b", "G b"),
    ("a U (a U b)", "a U b"),
    ("a R (a R b)", "a R b"),
    ("(a U b) U b", "a U b"),
    ("(a U b) & (c U b)", "(a & c) U b"),
    ("(a U b) | (a U c)", "a U (b | c)"),
    ("(a R b) & (a R c)", "a R (b & c)"),
    ("(a R b) | (c R b)", "(a | c) R b"),
    ("(a W b) & F b", "a U b"),
    ("(a U b) | G a", "a W b"),
    ("(a R b) & F a", "a M b"),
    ("(a M b) | G b", "b W (a & b)"),
    ("(a & b) U a", "a"),
    ("!a U a", "F a"),
    ("a R !a", "G !a"),
    ("(a | b) R a", "a"),
    ("a W !a", "1"),
    ("a M !a", "0"),
    ("F(a & G F b)", "F a & G F b"),
    ("G(a | G F b)", "G a | G F b"),
    ("a U (b & G F c)", "G F c & (a U b)"),
    ("!(a -> F b)", "a & G !b"),
    ("!(a <-> b)", "(a & !b) | (!a & b)"),
    ("!(a ^ b)", "(a & b) | (!a & !b)"),
    ("!(a U b)", "!a R !b"),
    ("!(a W b)", "!a M !b"),
];

#[test]
fn formulas_become_simpler_and_mean_the_same() {
    for &(text, expected) in RULES {
        let mut formula = parse(text);
        let simple = formula.formulas.simplify(formula.root);
        let wanted = parse(expected);
        let shown = formula.formulas.show(simple).to_string();
        let mut rng = Rng::new(7);
        for _ in 0..300 {
            let (stem, cycle) = random::word(&mut rng, 3);
            let value = |id| evaluate(&formula.formulas, id, &stem, &cycle);
            assert_eq!(value(formula.root), value(simple), "{text} became {shown}");
        }
        // Parts of `&` and `|` have no order of their own.
        let size = |formula: &Formula, id| formula.formulas.size(id);
        assert!(
            size(&formula, simple) <= size(&wanted, wanted.root),
            "{text} became {shown}, not {expected}"
        );
    }
}

#[test]
fn precedence_is_that_of_spot() {
    for (text, grouped) in [
        ("a U b U c", "a U (b U c)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a & b | c & d", "(a & b) | (c & d)"),
        ("a | b ^ c & d", "a | (b ^ (c & d))"),
        ("a & b U c", "a & (b U c)"),
        ("X a U b", "(X a) U b"),
        ("!a U b", "(!a) U b"),
        ("G a -> F b", "(G a) -> (F b)"),
        ("a U X b R c", "a U ((X b) R c)"),
        ("GFa && []<>b || ()c", "((G F a) & (G F b)) | X c"),
        ("a => b <=> c xor 1", "a -> (b <-> (c ^ 1))"),
        ("a /\\ b \\/ ~c", "(a & b) | !c"),
        ("a V b", "a R b"),
        ("true U false", "1 U 0"),
    ] {
        assert_eq!(
            parse(text).to_string(),
            parse(grouped).to_string(),
            "{text}"
        );
    }
}

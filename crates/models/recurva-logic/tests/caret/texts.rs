//! Formulas as text.

use recurva_logic::{caret, ltl};
use recurva_syntax::{Diagnostics, Source, Span, Style};
use recurva_testkit::rng::Rng;

use crate::random;

#[test]
fn what_is_printed_reads_back() {
    let mut rng = Rng::new(0x7e_c7);
    for _ in 0..3_000 {
        let size = 1 + rng.below(12);
        let mut formula = random::formula(&mut rng, size);
        let text = formula.to_string();
        let source = Source::new("formula", text.clone()).expect("a short text");
        let whole = Span::new(0, text.len() as u32);
        let mut diagnostics = Diagnostics::default();
        let again = caret::parse_into(&mut formula.formulas, &source, whole, &mut diagnostics);
        assert_eq!(again, Some(formula.root), "{text}");
    }
}

#[test]
fn spellings() {
    let shown = |text: &str| {
        let source = Source::new("formula", text).expect("a short text");
        caret::parse(&source).formula.expect(text).to_string()
    };
    assert_eq!(shown("GX_a p"), "G X_a p");
    assert_eq!(shown("p U_a q U_a r"), "p U_a (q U_a r)");
    assert_eq!(shown("X_c p -> q"), "X_c p -> q");
    assert_eq!(shown("p V_c q"), "p R_c q");
    assert_eq!(shown("\"X_a\" & N_a !p"), "\"X_a\" & N_a !p");
    let source = Source::new("x.caret", "one: G_a p\ntwo: F_c q").expect("a short text");
    assert_eq!(
        caret::parse_file(&source)
            .formulas
            .expect("no errors")
            .len(),
        2
    );
}

#[test]
fn formulas_of_ltl_have_no_such_operators() {
    let errors = |text: &str| {
        let source = Source::new("formula", text).expect("a short text");
        ltl::parse(&source)
            .diagnostics
            .render(&source, Style::Plain)
    };
    assert!(errors("G(p -> X_a q)").contains("`X_a` is an operator of CaRet"));
    assert!(errors("p U_c q").contains("`U_c` is an operator of CaRet"));
}

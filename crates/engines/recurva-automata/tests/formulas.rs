//! Formulas become automata and automata formulas: all ways to the answer agree.

mod common;

use common::{
    alternating, cases, formula,
    growing::{Random, random_formula, random_machine},
    holds, machine, member,
};
use recurva_logic::nta;
use recurva_nested::bounded;

#[test]
fn formulas_and_their_automata_agree() {
    let random = &mut Random(21);
    let count = cases(5_000);
    let mut true_ones = 0;
    for _ in 0..count {
        let machine = random_machine(random);
        let formula = random_formula(random);
        let expected = holds(&machine, &formula);
        let by_sets = bounded::satisfies(&machine, &formula).expect("all propositions are known");
        assert_eq!(by_sets, expected, "{formula}");
        let automaton = nta::of_formula(&formula);
        assert_eq!(
            member(&machine, &automaton),
            expected,
            "{formula}\n{automaton}"
        );
        true_ones += usize::from(expected);
    }
    assert!(
        (count / 4..count * 3 / 4).contains(&true_ones),
        "{true_ones}"
    );
}

#[test]
fn a_fixpoint_in_a_callee_does_not_count_for_the_caller() {
    // s calls t, which returns to r, for ever. Each round is one of the inner least fixpoint of
    // the caller, and the outer greatest one is unfolded in the callee only.
    let looping = machine(
        "call s0 s\nlocal t\nreturn r\ninit s0\ns0 -call-> s\ns -call-> t\n(t, s) -ret-> r\nr -> s",
    );
    let text = "<call> (nu Z. mu X. (<ret> R1 | <loc> X | <call> Z {X})) {true}";
    let formula = formula(text);
    assert!(!holds(&looping, &formula));
    let stairs = nta::of_formula(&formula);
    assert!(!member(&looping, &stairs));
    // With all priorities counted, as the thesis has it, the answer would be another one.
    let all = alternating(
        &stairs
            .to_string()
            .replace("alternating stairs", "alternating"),
    );
    assert!(member(&looping, &all));
}

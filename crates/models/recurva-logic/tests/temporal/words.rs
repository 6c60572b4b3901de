//! Everything that is made of a formula holds on the words that the formula holds on.

use recurva_logic::{
    automaton::{Config, Tgba, translate},
    hoa,
    ltl::{self, Formula, Letter, evaluate},
};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::random;

const FORMULAS: u64 = 20_000;
const WORDS: usize = 12;

fn automata(formula: &Formula, round: u64) -> Vec<(&'static str, Tgba)> {
    let default = Config::default();
    let plain = Config {
        simplify: false,
        reduce: false,
        ..default
    };
    let unsimplified = Config {
        simplify: false,
        ..default
    };
    let unreduced = Config {
        reduce: false,
        ..default
    };
    let make = |config: &Config<'_>| translate(formula, config).expect("a small formula");
    let small = make(&default);
    let classical = small.degeneralise(&default).expect("a small automaton");
    assert!(classical.is_state_based() && classical.sets() == 1);
    let raw = make(&plain);
    assert!(small.states() <= raw.states().max(1), "{formula}");
    let mut list = vec![
        ("small", small),
        ("classical", classical),
        ("raw", raw),
        ("unreduced", make(&unreduced)),
    ];
    if round.is_multiple_of(4) {
        list.push(("unsimplified", make(&unsimplified)));
        let again = list[0].1.reduce(&default).expect("a small automaton");
        list.push(("again", again));
        let flat = list[2]
            .1
            .degeneralise(&unreduced)
            .expect("a small automaton");
        list.push(("classical raw", flat));
    }
    list
}

fn through_hoa(automaton: &Tgba) -> Tgba {
    let mut text = String::new();
    hoa::write(&mut text, automaton, "x").expect("a string");
    let source = Source::new("x.hoa", text.clone()).expect("a short text");
    let parsed = hoa::parse(&source);
    parsed.automaton.unwrap_or_else(|| {
        let errors = parsed
            .diagnostics
            .render(&source, recurva_syntax::Style::Plain);
        panic!("{errors}\n{text}")
    })
}

fn check(seed: u64) {
    let rng = &mut Rng::new(seed);
    let atoms = 1 + rng.below(3);
    let size = 2 + rng.below(14);
    let mut formula = random::formula(rng, size, atoms);
    let text = formula.to_string();
    let root = formula.root;

    let source = Source::new("formula", text.clone()).expect("a short text");
    let mut diagnostics = Default::default();
    let whole = recurva_syntax::Span::new(0, text.len() as u32);
    let again = ltl::parse_into(&mut formula.formulas, &source, whole, &mut diagnostics);
    assert_eq!(again, Some(root), "{text} is not read as it is printed");

    let made = [
        formula.formulas.negation_normal_form(root),
        formula.formulas.simplify(root),
    ];
    let not = [
        formula.formulas.negated_normal_form(root),
        formula.formulas.simplify_negation(root),
    ];
    let mut automata = automata(&formula, seed);
    let hoa = through_hoa(&automata[(seed % 3) as usize].1);
    automata.push(("HOA", hoa));
    let opposite = Formula {
        root: not[1],
        formulas: formula.formulas.clone(),
    };
    let opposite = translate(&opposite, &Config::default()).expect("a small formula");
    for _ in 0..WORDS {
        let (stem, cycle) = random::word(rng, atoms);
        let value = |id| evaluate(&formula.formulas, id, &stem, &cycle).expect("a loop");
        let holds = value(root);
        let shown = |id| formula.formulas.show(id).to_string();
        for id in made {
            assert_eq!(value(id), holds, "seed {seed}: {text} and {}", shown(id));
        }
        for id in not {
            assert_ne!(value(id), holds, "seed {seed}: {text} and {}", shown(id));
        }
        for (name, automaton) in &automata {
            let accepts = automaton.accepts(&stem, &cycle);
            assert_eq!(
                accepts, holds,
                "seed {seed}: {name} of {text} on {stem:?} {cycle:?}"
            );
        }
        assert_ne!(
            opposite.accepts(&stem, &cycle),
            holds,
            "seed {seed}: not {text}"
        );
    }
}

/// In four parts, to use more than one core.
#[test]
fn random_formulas_first_part() {
    (0..FORMULAS / 4).for_each(check);
}

#[test]
fn random_formulas_second_part() {
    (FORMULAS / 4..FORMULAS / 2).for_each(check);
}

#[test]
fn random_formulas_third_part() {
    (FORMULAS / 2..FORMULAS / 4 * 3).for_each(check);
}

#[test]
fn random_formulas_fourth_part() {
    (FORMULAS / 4 * 3..FORMULAS).for_each(check);
}

/// All words with a stem of up to two letters and a loop of up to three, over one atom.
#[test]
fn all_short_words() {
    let words = |length: u32| {
        (0..1u64 << length)
            .map(move |bits| -> Vec<Letter> { (0..length).map(|at| bits >> at & 1).collect() })
    };
    let mut checked = 0;
    for seed in 0..1_000 {
        let rng = &mut Rng::new(seed + 1_000_000);
        let formula = random::formula(rng, 8, 1);
        let automaton = translate(&formula, &Config::default()).expect("a small formula");
        for stem in (0..3).flat_map(words) {
            for cycle in (1..4).flat_map(words) {
                let holds = evaluate(&formula.formulas, formula.root, &stem, &cycle);
                assert_eq!(Some(automaton.accepts(&stem, &cycle)), holds, "{formula}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 1_000 * 7 * 14);
}

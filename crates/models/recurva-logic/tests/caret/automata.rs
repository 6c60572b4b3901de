//! Automata accept the words on which their formulas hold.

use recurva_logic::{
    automaton::{self, Config, TooLarge},
    caret::{self, NestedWord, Position, Step},
    ltl::{self, Formula, Operator},
};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::{member::accepts, random};

/// The automaton of a random formula; `None` if it would be large.
fn translated(formula: &Formula) -> Option<recurva_model::NestedParts> {
    let config = Config {
        states: 300,
        edges: 3_000,
        ..Config::default()
    };
    match caret::translate(formula, &config) {
        Ok(automaton) => Some(automaton),
        Err(TooLarge::States(_) | TooLarge::Edges(_)) => None,
        Err(other) => panic!("{formula}: {other}"),
    }
}

#[test]
fn random_formulas_on_random_words() {
    let mut rng = Rng::new(0xca_4e7);
    let (mut holding, mut failing, mut large) = (0, 0, 0);
    for _ in 0..4_000 {
        let size = 1 + rng.below(8);
        let mut formula = random::formula(&mut rng, size);
        let Some(automaton) = translated(&formula) else {
            large += 1;
            continue;
        };
        let shown = formula.to_string();
        let words: Vec<NestedWord> = (0..6).map(|_| random::word(&mut rng)).collect();
        let values: Vec<bool> = words
            .iter()
            .map(|word| caret::evaluate(&formula.formulas, formula.root, word).expect("it fits"))
            .collect();
        for (word, &expected) in words.iter().zip(&values) {
            *if expected { &mut holding } else { &mut failing } += 1;
            assert_eq!(accepts(&automaton, word), expected, "{shown} on {word:?}");
        }
        formula.root = formula.formulas.unary(Operator::Not, formula.root);
        let Some(automaton) = translated(&formula) else {
            continue;
        };
        for (word, &value) in words.iter().zip(&values) {
            assert_eq!(accepts(&automaton, word), !value, "!({shown}) on {word:?}");
        }
    }
    assert!(
        holding > 6_000 && failing > 6_000 && large < 400,
        "{holding} {failing} {large}"
    );
}

/// A formula without the new operators means what it means in linear-time temporal logic.
#[test]
fn formulas_of_ltl_mean_the_same() {
    let mut rng = Rng::new(0x17_1ca_4e7);
    let mut compared = 0;
    for _ in 0..4_000 {
        let size = 1 + rng.below(6);
        let formula = random::formula(&mut rng, size);
        let parts = formula.formulas.subformulas(formula.root);
        let along =
            |&id: &ltl::FormulaId| matches!(formula.formulas.operator(id), Operator::Along(..));
        if parts.iter().any(along) {
            let refused = automaton::translate(&formula, &Config::default());
            assert_eq!(refused.err(), Some(TooLarge::Calls));
            continue;
        }
        compared += 1;
        let nested = translated(&formula).expect("it is small");
        let plain = automaton::translate(&formula, &Config::default()).expect("it is small");
        let word = random::word(&mut rng);
        let letters = |positions: &[Position]| -> Vec<u64> {
            positions.iter().map(|position| position.letter).collect()
        };
        let (stem, turn) = (letters(&word.stem), letters(&word.turn));
        let expected = ltl::evaluate(&formula.formulas, formula.root, &stem, &turn);
        assert_eq!(
            caret::evaluate(&formula.formulas, formula.root, &word),
            expected
        );
        assert_eq!(
            Some(accepts(&nested, &word)),
            expected,
            "{formula} on {word:?}"
        );
        assert_eq!(Some(plain.accepts(&stem, &turn)), expected, "{formula}");
    }
    assert!(compared > 400, "{compared}");
}

/// Going round once more before the turn begins changes nothing.
#[test]
fn a_turn_more_in_the_stem_is_the_same_word() {
    let mut rng = Rng::new(0x7042);
    for _ in 0..10_000 {
        let size = 1 + rng.below(10);
        let formula = random::formula(&mut rng, size);
        let word = random::word(&mut rng);
        let value = caret::evaluate(&formula.formulas, formula.root, &word);
        let mut longer = word.clone();
        longer.stem.extend_from_slice(&word.turn);
        let same = caret::evaluate(&formula.formulas, formula.root, &longer);
        assert_eq!(same, value, "{formula} on {word:?}");
        let mut twice = word.clone();
        twice.turn.extend_from_slice(&word.turn);
        let same = caret::evaluate(&formula.formulas, formula.root, &twice);
        assert_eq!(same, value, "{formula} on {word:?}");
    }
}

/// What the operators mean, one by one.
#[test]
fn by_hand() {
    use Step::{Call, Internal, Return};
    // m: a  call  [ f: b  call [ g: - ] b ]  a a a …
    let at = |letter, then| Position { letter, then };
    let word = NestedWord {
        stem: vec![
            at(1, Internal),
            at(1, Call),
            at(2, Internal),
            at(2, Call),
            at(0, Return),
            at(2, Return),
            at(1, Internal),
        ],
        turn: vec![at(1, Internal)],
    };
    let holds = |text: &str, word: &NestedWord| {
        let source = Source::new("formula", text).expect("a short text");
        let formula = caret::parse(&source).formula.expect("no errors");
        // The atoms are read in any order: give them their bits by name.
        let bits: Vec<u64> = formula
            .formulas
            .atoms()
            .iter()
            .map(|atom| if &*atom.text == "a" { 1 } else { 2 })
            .collect();
        let letter = |letter: u64| {
            let set = bits
                .iter()
                .enumerate()
                .filter(|(_, bit)| letter & **bit != 0);
            set.map(|(index, _)| 1 << index).sum()
        };
        let part = |positions: &[Position]| {
            let changed = positions.iter().map(|position| Position {
                letter: letter(position.letter),
                ..*position
            });
            changed.collect::<Vec<_>>()
        };
        let word = NestedWord {
            stem: part(&word.stem),
            turn: part(&word.turn),
        };
        caret::evaluate(&formula.formulas, formula.root, &word).expect("it fits")
    };
    for yes in [
        "G_a a",
        "!G a",
        "X X X_c a",
        "X X (b & N_c a)",
        "X X X_a X_a (b & !X_a 1)",
        "X X X X X_c (b & X_c (a & !X_c 1))",
        "X X X X F_c a",
        "X X X X !G_c b",
        "X X X X (!b U_c b)",
        "X X (b U_a !X_a 1)",
        "N_c 0",
        "X X X X (N_a 0 & !X_a 1)",
    ] {
        assert!(holds(yes, &word), "{yes}");
    }
    // Every turn calls once more, and nothing returns.
    let deeper = NestedWord {
        stem: vec![at(1, Internal)],
        turn: vec![at(2, Call)],
    };
    for yes in [
        "G F X_c b",
        "X G !X_a 1",
        "X X G X_c 1",
        "X G G_c b",
        "!G G_c a",
    ] {
        assert!(holds(yes, &deeper), "{yes}");
    }
}

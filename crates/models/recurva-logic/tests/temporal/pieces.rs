//! Words with pieces mean what they mean when they are spelled out.

use recurva_logic::{
    automaton::{Config, translate},
    ltl::{Letter, WordEvaluation, evaluate, parse},
};
use recurva_model::{Item, PieceId, Word};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::random;

fn items(rng: &mut Rng, pieces: usize, most: usize) -> Vec<Item> {
    let count = rng.below(most + 1);
    let mut item = || {
        if pieces > 0 && rng.chance(40) {
            Item::Piece(PieceId(rng.below(pieces) as u32))
        } else {
            Item::Letter(rng.bits() & 0b111)
        }
    };
    (0..count).map(|_| item()).collect()
}

/// A word with a few pieces that refer to each other.
fn word(rng: &mut Rng) -> Word {
    loop {
        let count = rng.below(4);
        let pieces = (0..count).map(|index| items(rng, index, 3).into());
        let pieces: Vec<Box<[Item]>> = pieces.collect();
        let (stem, turn) = (items(rng, count, 3), items(rng, count, 3));
        if let Ok(word) = Word::new(pieces, stem, turn) {
            return word;
        }
    }
}

#[test]
fn random_formulas_on_random_words() {
    let mut rng = Rng::new(0x57_0e55);
    for _ in 0..20_000 {
        let size = 1 + rng.below(9);
        let formula = random::formula(&mut rng, size, 3);
        let word = word(&mut rng);
        let stem: Vec<Letter> = word.letters(word.stem()).collect();
        let turn: Vec<Letter> = word.letters(word.turn()).collect();
        let expected = evaluate(&formula.formulas, formula.root, &stem, &turn);
        let evaluation = WordEvaluation::new(&formula.formulas, formula.root, &word);
        let shown = formula.formulas.show(formula.root);
        assert_eq!(Some(evaluation.holds()), expected, "{shown} on {word:?}");
        let automaton = translate(&formula, &Config::default()).expect("it is small");
        assert_eq!(
            Some(automaton.accepts_word(&word)),
            expected,
            "{shown} on {word:?}"
        );
    }
}

#[test]
fn a_word_too_long_to_be_spelled_out() {
    let mut pieces: Vec<Box<[Item]>> = vec![[Item::Letter(0b01), Item::Letter(0b00)].into()];
    for index in 0..200 {
        pieces.push([Item::Piece(PieceId(index)), Item::Piece(PieceId(index))].into());
    }
    let stem = [Item::Piece(PieceId(200)), Item::Letter(0b10)];
    let word = Word::new(pieces, stem, [Item::Piece(PieceId(200))]).expect("pieces in order");
    let holds = |text: &str| {
        let source = Source::new("formula", text).expect("it is short");
        let formula = parse(&source).formula.expect("no errors");
        let direct = WordEvaluation::new(&formula.formulas, formula.root, &word).holds();
        let automaton = translate(&formula, &Config::default()).expect("it is small");
        assert_eq!(automaton.accepts_word(&word), direct, "{text}");
        direct
    };
    assert!(holds("a & F b & G F a"));
    assert!(holds("G(a -> X !a) & F(b & X G !b)"));
    assert!(!holds("G(a -> F b)"));
    assert!(!holds("(a | !a) & G F b"));
}

#[test]
fn rows_tell_what_holds_at_each_item() {
    let piece: Box<[Item]> = [Item::Letter(0), Item::Letter(1)].into();
    let stem = [Item::Letter(0), Item::Piece(PieceId(0))];
    let word = Word::new(vec![piece], stem, [Item::Letter(0)]).expect("pieces in order");
    let source = Source::new("formula", "F a").expect("it is short");
    let formula = parse(&source).formula.expect("no errors");
    let evaluation = WordEvaluation::new(&formula.formulas, formula.root, &word);
    assert_eq!(evaluation.formulas().len(), 2);
    let (stem, turn) = evaluation.rows();
    assert_eq!(stem, [[false, true], [false, true]]);
    assert_eq!(turn, [[false, false]]);
}

//! Words with pieces mean what they mean when they are spelled out.

use recurva_logic::{
    caret::{self, NestedWord, Position, Step},
    ltl::WordEvaluation,
};
use recurva_model::{Item, PieceId, Word};
use recurva_testkit::rng::Rng;

use crate::random;

/// Items in which a piece stands behind a letter and before one; at the end, too, if that is the
/// end of a turn.
fn items(rng: &mut Rng, pieces: usize, into: bool, most: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let count = 1 + rng.below(most);
    for index in 0..count {
        items.push(Item::Letter(rng.bits() & 0b11));
        if index + 1 < count || into {
            match rng.below(10) {
                0..4 if pieces > 0 => items.push(Item::Piece(PieceId(rng.below(pieces) as u32))),
                4 if into => items.push(Item::Into),
                _ => {}
            }
        }
    }
    items
}

/// The word spelled out.
fn spelled_out(word: &Word) -> NestedWord {
    fn add(word: &Word, items: &[Item], out: &mut Vec<Position>) {
        for item in items {
            match *item {
                Item::Letter(letter) => out.push(Position {
                    letter,
                    then: Step::Internal,
                }),
                Item::Into => last(out).then = Step::Call,
                Item::Piece(piece) => {
                    last(out).then = Step::Call;
                    add(word, &word.pieces()[piece.index()], out);
                    last(out).then = Step::Return;
                }
            }
        }
    }
    fn last(out: &mut [Position]) -> &mut Position {
        out.last_mut().expect("a letter comes first")
    }
    let (mut stem, mut turn) = (Vec::new(), Vec::new());
    add(word, word.stem(), &mut stem);
    add(word, word.turn(), &mut turn);
    NestedWord { stem, turn }
}

#[test]
fn random_formulas_on_random_words() {
    let mut rng = Rng::new(0x91ece5);
    for _ in 0..30_000 {
        let size = 1 + rng.below(10);
        let formula = random::formula(&mut rng, size);
        let count = rng.below(4);
        let pieces = (0..count).map(|index| items(&mut rng, index, false, 3).into());
        let pieces: Vec<Box<[Item]>> = pieces.collect();
        let (stem, turn) = (
            items(&mut rng, count, true, 4),
            items(&mut rng, count, true, 4),
        );
        let word = Word::new(pieces, stem, turn).expect("it fits");
        let expected = caret::evaluate(&formula.formulas, formula.root, &spelled_out(&word));
        let evaluation = WordEvaluation::new(&formula.formulas, formula.root, &word);
        assert_eq!(Some(evaluation.holds()), expected, "{formula} on {word:?}");
    }
}

/// A run of 2^60 steps is evaluated in no time.
#[test]
fn long_words() {
    let piece = |index| Item::Piece(PieceId(index));
    let mut pieces: Vec<Box<[Item]>> = vec![[Item::Letter(1)].into()];
    for index in 0..60 {
        let letter = Item::Letter(1);
        pieces.push([letter, piece(index), letter, piece(index), letter].into());
    }
    let word = Word::new(pieces, [Item::Letter(0), piece(60)], [Item::Letter(2)]).expect("it fits");
    let holds = |text: &str| {
        let source = recurva_syntax::Source::new("formula", text).expect("a short text");
        let formula = caret::parse(&source).formula.expect("no errors");
        WordEvaluation::new(&formula.formulas, formula.root, &word).holds()
    };
    assert!(holds("X (a U b)") || holds("X (b U a)"));
    assert!(holds("X F_c !X_c 1"));
    assert!(holds("X_a X_a 1"));
    assert!(!holds("X G X_c 1"));
    assert!(holds("X ((X_c 1) U !X_c 1)"));
}

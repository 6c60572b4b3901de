//! The meaning of formulas on words with repetitions ([`Word`]), which may be far too long to be
//! spelled out.
//!
//! Whether a formula and its parts hold at a position follows from the letter there and from
//! which of them hold at the next one. So a piece of a word is a function from what holds behind
//! it to what holds at its first position, and is worked out once for each argument.
//!
//! As [`Evaluation`](super::Evaluation) it shares nothing with the translation to automata.

use recurva_model::{Item, Letter, PieceId, Word};
use rustc_hash::FxHashMap;

use super::{FormulaId, Formulas, Operator};

/// Which parts of a formula hold at a position, as bits in the order of
/// [`WordEvaluation::formulas`].
type Values = Box<[u64]>;

/// A piece, and what holds behind it.
type Behind = (PieceId, Values);

/// The values of a formula and all its parts on a word.
#[derive(Debug)]
pub struct WordEvaluation<'a> {
    formulas: &'a Formulas,
    word: &'a Word,
    /// The formula, last, and all its parts, each after its own parts.
    parts: Vec<FormulaId>,
    places: FxHashMap<FormulaId, usize>,
    known: FxHashMap<(PieceId, Values), Values>,
    /// What holds where the turn starts.
    at_turn: Values,
}

impl<'a> WordEvaluation<'a> {
    /// Evaluates a formula.
    pub fn new(formulas: &'a Formulas, formula: FormulaId, word: &'a Word) -> Self {
        let parts: Vec<FormulaId> = formulas.subformulas(formula).into_iter().collect();
        let places = parts.iter().copied().zip(0..).collect();
        let at_turn = vec![0; parts.len().div_ceil(64)].into();
        let mut evaluation = WordEvaluation {
            formulas,
            word,
            parts,
            places,
            known: FxHashMap::default(),
            at_turn,
        };
        evaluation.settle_turn();
        evaluation
    }

    /// The formula, last, and all its parts, each after its own parts.
    pub fn formulas(&self) -> &[FormulaId] {
        &self.parts
    }

    /// Whether the formula holds on the word.
    pub fn holds(&mut self) -> bool {
        let first = self.before(self.word.stem(), self.at_turn.clone());
        get(&first, self.parts.len() - 1)
    }

    /// What holds at the first position of every item of the stem and of the turn: for each
    /// item a value for each of [`Self::formulas`].
    pub fn rows(&mut self) -> (Vec<Vec<bool>>, Vec<Vec<bool>>) {
        let word = self.word;
        let mut rows = |items: &[Item]| {
            let mut now = self.at_turn.clone();
            let mut rows = Vec::with_capacity(items.len());
            for item in items.iter().rev() {
                now = self.before(std::slice::from_ref(item), now);
                rows.push((0..self.parts.len()).map(|at| get(&now, at)).collect());
            }
            rows.reverse();
            rows
        };
        (rows(word.stem()), rows(word.turn()))
    }

    /// Finds out what holds where the turn starts, innermost formulas first. What holds at the
    /// end of a turn is what holds at its start; a formula that says nothing but that holds
    /// again at the next position holds if it is a greatest fixpoint.
    fn settle_turn(&mut self) {
        let depths = self.depths();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        for depth in 0..=deepest {
            for (at, &formula) in self.parts.iter().enumerate() {
                if depths[at] == depth {
                    use Operator::{Globally, Release, WeakUntil};
                    let greatest = matches!(
                        self.formulas.operator(formula),
                        Globally | Release | WeakUntil
                    );
                    set(&mut self.at_turn, at, greatest);
                }
            }
            let start = self.before(self.word.turn(), self.at_turn.clone());
            for (at, &own) in depths.iter().enumerate() {
                if own == depth {
                    set(&mut self.at_turn, at, get(&start, at));
                }
            }
        }
    }

    /// How many temporal operators each formula nests.
    fn depths(&self) -> Vec<usize> {
        use Operator::*;
        let mut depths: Vec<usize> = Vec::with_capacity(self.parts.len());
        for &formula in &self.parts {
            let parts = self.formulas.parts(formula).iter();
            let inner = parts.map(|part| depths[self.places[part]]).max();
            let temporal = match self.formulas.operator(formula) {
                True | False | Atom(_) | Not | And | Or | Implies | Equivalent | Xor => false,
                Next | Finally | Globally | Until | Release | WeakUntil | StrongRelease => true,
            };
            depths.push(inner.unwrap_or(0) + usize::from(temporal));
        }
        depths
    }

    /// What holds at the first position of some items if `behind` holds at the position after
    /// the last one.
    fn before(&mut self, items: &[Item], behind: Values) -> Values {
        let mut now = behind;
        // Pieces being evaluated, each with what holds behind it; the items themselves last.
        let mut open: Vec<(Option<Behind>, &[Item])> = vec![(None, items)];
        while let Some((piece, left)) = open.last_mut() {
            let Some((item, rest)) = left.split_last() else {
                if let Some(key) = piece.take() {
                    self.known.insert(key, now.clone());
                }
                open.pop();
                continue;
            };
            *left = rest;
            match *item {
                Item::Letter(letter) => now = self.step(letter, &now),
                Item::Piece(piece) => {
                    let key = (piece, now.clone());
                    match self.known.get(&key) {
                        Some(known) => now.clone_from(known),
                        None => open.push((Some(key), &self.word.pieces()[piece.index()])),
                    }
                }
            }
        }
        now
    }

    /// What holds at a position with this letter if `next` holds at the next one.
    fn step(&self, letter: Letter, next: &Values) -> Values {
        use Operator::*;
        let mut now: Values = vec![0; next.len()].into();
        for (at, &formula) in self.parts.iter().enumerate() {
            let value = |part: FormulaId| get(&now, self.places[&part]);
            let later = get(next, at);
            let parts = self.formulas.parts(formula);
            let (first, last) = self.formulas.pair(formula);
            let holds = match self.formulas.operator(formula) {
                True => true,
                False => false,
                Atom(atom) => atom.0 < Letter::BITS && letter >> atom.0 & 1 == 1,
                Not => !value(first),
                And => parts.iter().all(|&part| value(part)),
                Or => parts.iter().any(|&part| value(part)),
                Implies => !value(first) || value(last),
                Equivalent => value(first) == value(last),
                Xor => value(first) != value(last),
                Next => get(next, self.places[&first]),
                Finally => value(first) || later,
                Globally => value(first) && later,
                Until | WeakUntil => value(last) || value(first) && later,
                Release | StrongRelease => value(last) && (value(first) || later),
            };
            set(&mut now, at, holds);
        }
        now
    }
}

fn get(values: &[u64], at: usize) -> bool {
    values[at / 64] >> (at % 64) & 1 == 1
}

fn set(values: &mut [u64], at: usize, value: bool) {
    let bit = 1 << (at % 64);
    if value {
        values[at / 64] |= bit;
    } else {
        values[at / 64] &= !bit;
    }
}

//! Random formulas and words.

use recurva_logic::ltl::{Formula, FormulaId, Formulas, Letter, Operator};
use recurva_testkit::rng::Rng;

const UNARY: [Operator; 4] = [
    Operator::Not,
    Operator::Finally,
    Operator::Globally,
    Operator::Next,
];
const BINARY: [Operator; 9] = [
    Operator::And,
    Operator::Or,
    Operator::Implies,
    Operator::Equivalent,
    Operator::Xor,
    Operator::Until,
    Operator::Release,
    Operator::WeakUntil,
    Operator::StrongRelease,
];

/// A formula of at most `size` operators and atoms over the first `atoms` atoms.
pub(crate) fn formula(rng: &mut Rng, size: usize, atoms: usize) -> Formula {
    with_operators(rng, &UNARY, size, atoms)
}

/// The same without `X`.
pub(crate) fn formula_without_next(rng: &mut Rng, size: usize, atoms: usize) -> Formula {
    with_operators(rng, &UNARY[..3], size, atoms)
}

fn with_operators(rng: &mut Rng, unary: &[Operator], size: usize, atoms: usize) -> Formula {
    let mut formulas = Formulas::new();
    let names = ["a", "b", "c"];
    let list: Vec<FormulaId> = names[..atoms].iter().map(|n| formulas.atom(n)).collect();
    let root = part(&mut formulas, rng, (unary, size), &list);
    Formula { formulas, root }
}

fn part(
    formulas: &mut Formulas,
    rng: &mut Rng,
    (unary, size): (&[Operator], usize),
    atoms: &[FormulaId],
) -> FormulaId {
    if size <= 1 {
        return match rng.below(20) {
            0 => formulas.constant(true),
            1 => formulas.constant(false),
            _ => atoms[rng.below(atoms.len())],
        };
    }
    if size == 2 || rng.chance(45) {
        let operator = unary[rng.below(unary.len())];
        let inner = part(formulas, rng, (unary, size - 1), atoms);
        return formulas.unary(operator, inner);
    }
    let operator = BINARY[rng.below(BINARY.len())];
    let left = 1 + rng.below(size - 2);
    let a = part(formulas, rng, (unary, left), atoms);
    let b = part(formulas, rng, (unary, size - 1 - left), atoms);
    formulas.binary(operator, a, b)
}

/// A word: a stem and a loop.
pub(crate) fn word(rng: &mut Rng, atoms: usize) -> (Vec<Letter>, Vec<Letter>) {
    let mut letters = |count: usize| -> Vec<Letter> {
        (0..count)
            .map(|_| rng.bits() & ((1 << atoms) - 1))
            .collect()
    };
    // Letters are drawn first, then cut: the lengths come from the first letter's bits.
    let pool = letters(12);
    let stem = rng.below(5);
    let cycle = 1 + rng.below(5);
    (pool[..stem].to_vec(), pool[stem..stem + cycle].to_vec())
}

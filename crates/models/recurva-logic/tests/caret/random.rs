//! Random formulas and nested words.

use recurva_logic::{
    caret::{NestedWord, Position, Step},
    ltl::{Chain, Formula, FormulaId, Formulas, Modality, Operator},
};
use recurva_testkit::rng::Rng;

/// How many atoms there are.
pub(crate) const ATOMS: usize = 2;

const CHAINS: [Chain; 2] = [Chain::Local, Chain::Callers];

/// A formula with so many operators and atoms.
pub(crate) fn formula(rng: &mut Rng, size: usize) -> Formula {
    let mut formulas = Formulas::new();
    let atoms = ["a", "b"].map(|name| formulas.atom(name));
    let root = part(&mut formulas, rng, size, &atoms);
    Formula { formulas, root }
}

fn part(formulas: &mut Formulas, rng: &mut Rng, size: usize, atoms: &[FormulaId]) -> FormulaId {
    if size <= 1 {
        return match rng.below(20) {
            0 => formulas.constant(true),
            1 => formulas.constant(false),
            _ => atoms[rng.below(atoms.len())],
        };
    }
    let chain = CHAINS[rng.below(2)];
    if size == 2 || rng.chance(50) {
        use Modality::{Finally, Globally, Next, WeakNext};
        let modality = [Next, WeakNext, Finally, Globally][rng.below(4)];
        let plain = [
            Operator::Not,
            Operator::Finally,
            Operator::Globally,
            Operator::Next,
        ][rng.below(4)];
        let operator = match rng.chance(55) {
            true => Operator::Along(chain, modality),
            false => plain,
        };
        let inner = part(formulas, rng, size - 1, atoms);
        return formulas.unary(operator, inner);
    }
    use Modality::{Release, StrongRelease, Until, WeakUntil};
    let modality = [Until, Release, WeakUntil, StrongRelease][rng.below(4)];
    let plain = [
        Operator::And,
        Operator::Or,
        Operator::Implies,
        Operator::Xor,
        Operator::Until,
        Operator::Release,
    ][rng.below(6)];
    let operator = match rng.chance(40) {
        true => Operator::Along(chain, modality),
        false => plain,
    };
    let left = 1 + rng.below(size - 2);
    let a = part(formulas, rng, left, atoms);
    let b = part(formulas, rng, size - 1 - left, atoms);
    formulas.binary(operator, a, b)
}

/// A nested word; every fourth one ends and stays in its last position.
pub(crate) fn word(rng: &mut Rng) -> NestedWord {
    let length = rng.below(7);
    let mut stem = stretch(rng, length);
    if rng.chance(25) {
        // The last position is one that nothing has to come back from.
        if let Some(last) = stem.last_mut() {
            last.then = Step::Internal;
        }
        let letter = rng.bits() & ((1 << ATOMS) - 1);
        let then = Step::Internal;
        let turn = vec![Position { letter, then }];
        return NestedWord { stem, turn };
    }
    let length = 1 + rng.below(6);
    NestedWord {
        stem,
        turn: stretch(rng, length),
    }
}

/// Positions in which nothing returns that was not called.
fn stretch(rng: &mut Rng, length: usize) -> Vec<Position> {
    let mut depth = 0;
    let position = |_| {
        let letter = rng.bits() & ((1 << ATOMS) - 1);
        let then = match rng.below(10) {
            0..4 => Step::Internal,
            7.. if depth > 0 => Step::Return,
            _ => Step::Call,
        };
        match then {
            Step::Internal => {}
            Step::Call => depth += 1,
            Step::Return => depth -= 1,
        }
        Position { letter, then }
    };
    (0..length).map(position).collect()
}

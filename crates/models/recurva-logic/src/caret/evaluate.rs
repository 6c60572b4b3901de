//! The meaning of formulas: direct evaluation on a nested word that ends in a loop.
//!
//! This is the definition that everything else is checked against.

use recurva_model::Letter;

use crate::ltl::{AtomId, Chain, Evaluation, FormulaId, Formulas, Links, Operator, Positions};

/// How a run goes on after a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Within the procedure.
    Internal,
    /// Into a procedure: the next position is its first.
    Call,
    /// Back: this is the last position of the procedure, the next one is its caller's.
    Return,
}

/// A position of a [`NestedWord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The conditions that hold.
    pub letter: Letter,
    /// What comes next.
    pub then: Step,
}

/// An infinite nested word: a stem, and a turn that is repeated for ever. What is called in the
/// stem and has not returned at its end never returns, and neither does what is called in a turn
/// and has not returned at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedWord {
    /// What comes first.
    pub stem: Vec<Position>,
    /// What is then repeated for ever.
    pub turn: Vec<Position>,
}

/// Whether a formula holds on a nested word. `None` if its turn is empty, or if something
/// returns that was not called in the same part.
pub fn evaluate(formulas: &Formulas, formula: FormulaId, word: &NestedWord) -> Option<bool> {
    let parts = formulas.subformulas(formula);
    let callers =
        |id: &&FormulaId| matches!(formulas.operator(**id), Operator::Along(Chain::Callers, _));
    // What is said of callers may change from turn to turn, but only once more for each such
    // operator: as far as that turns are spelled out.
    let turns = 1 + parts.iter().filter(callers).count();
    let mut list = word.stem.clone();
    for _ in 0..turns {
        list.extend_from_slice(&word.turn);
    }
    let positions = Positions {
        count: list.len(),
        back: list.len() - word.turn.len(),
    };
    let links = links(word, &list, positions)?;
    let holds = |atom: AtomId, at: usize| atom.0 < 64 && list[at].letter >> atom.0 & 1 == 1;
    let evaluation = Evaluation::nested(formulas, formula, positions, links, holds)?;
    Some(evaluation.holds(formula, 0))
}

/// What calls make of the positions of a word.
fn links(word: &NestedWord, list: &[Position], positions: Positions) -> Option<Links> {
    let next = |at: usize| match at + 1 {
        end if end == positions.count => positions.back,
        next => next,
    };
    let mut local = vec![None; list.len()];
    let mut caller = vec![None; list.len()];
    // The calls that have not returned, and how many of them never will.
    let mut open: Vec<usize> = Vec::new();
    let mut lost = 0;
    for (at, position) in list.iter().enumerate() {
        let in_turn = at.checked_sub(word.stem.len());
        if in_turn.is_some_and(|index| index % word.turn.len() == 0) {
            lost = open.len();
        }
        caller[at] = open.last().copied();
        match position.then {
            Step::Internal => local[at] = Some(next(at)),
            Step::Call => open.push(at),
            Step::Return if open.len() == lost => return None,
            Step::Return => {
                let call = open.pop()?;
                local[call] = Some(next(at));
            }
        }
    }
    Some(Links {
        local: local.into(),
        caller: caller.into(),
    })
}

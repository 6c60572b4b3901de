//! Whether an automaton accepts a nested word: by following all its runs, each with a stack of
//! the states in which calls were made that return.

use std::collections::BTreeSet;

use recurva_logic::caret::{NestedWord, Position, Step};
use recurva_model::NestedParts;

/// A state after a position was read, and those of the open calls that return.
type Run = (u32, Vec<u32>);

/// Whether the automaton accepts the word.
pub(crate) fn accepts(automaton: &NestedParts, word: &NestedWord) -> bool {
    // A run is at the head that the next position is read from.
    let stem = follow(automaton, &word.stem, automaton.initial, 0);
    let mut reached: BTreeSet<u32> = stem.iter().map(|&(head, _)| head).collect();
    let mut turns: BTreeSet<(u32, u32, u32)> = BTreeSet::new();
    let mut open: Vec<u32> = reached.iter().copied().collect();
    while let Some(head) = open.pop() {
        for (to, marks) in follow(automaton, &word.turn, head, 0) {
            turns.insert((head, to, marks));
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    // All ways round: which heads lead to which, with which marks.
    loop {
        let mut more = turns.clone();
        for &(from, middle, marks) in &turns {
            for &(start, to, others) in &turns {
                if start == middle {
                    more.insert((from, to, marks | others));
                }
            }
        }
        if more.len() == turns.len() {
            break;
        }
        turns = more;
    }
    let all = |marks: u32| marks & automaton.acceptance == automaton.acceptance;
    turns
        .iter()
        .any(|&(from, to, marks)| from == to && all(marks))
}

/// The heads after some positions, with the marks passed.
fn follow(
    automaton: &NestedParts,
    positions: &[Position],
    head: u32,
    marks: u32,
) -> BTreeSet<(u32, u32)> {
    let mut runs: BTreeSet<(u32, u32, Vec<u32>)> = BTreeSet::from([(head, marks, Vec::new())]);
    for (at, position) in positions.iter().enumerate() {
        let mut next = BTreeSet::new();
        for (head, marks, stack) in runs {
            for edge in automaton.edges_from(head) {
                if !edge.cubes.iter().any(|cube| cube.holds(position.letter)) {
                    continue;
                }
                let marks = marks | automaton.states[edge.to as usize].marks;
                let here: Run = (edge.to, stack.clone());
                let then = step(automaton, here, position.then, returns(positions, at));
                next.extend(then.map(|(head, stack)| (head, marks, stack)));
            }
        }
        runs = next;
    }
    let heads = runs.into_iter();
    heads.map(|(head, marks, _)| (head, marks)).collect()
}

/// The head after a step, and the open calls.
fn step(
    automaton: &NestedParts,
    (state, mut stack): Run,
    then: Step,
    returns: bool,
) -> Option<(u32, Vec<u32>)> {
    let here = automaton.states[state as usize];
    let head = match then {
        Step::Internal => here.step?,
        Step::Call => {
            if returns {
                stack.push(state);
            }
            here.call?
        }
        Step::Return => {
            let call = automaton.states[stack.pop()? as usize];
            automaton.returned(here, call)?
        }
    };
    Some((head, stack))
}

/// Whether a call comes back in the same part of the word.
fn returns(positions: &[Position], call: usize) -> bool {
    let mut depth = 0;
    for position in &positions[call..] {
        match position.then {
            Step::Internal => {}
            Step::Call => depth += 1,
            Step::Return => depth -= 1,
        }
        if depth == 0 {
            return position.then == Step::Return;
        }
    }
    false
}

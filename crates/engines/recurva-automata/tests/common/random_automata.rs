//! Random automata.

use recurva_logic::{
    nta::{Alternating, Child, Counting, Nondeterministic, Push, StateId, TermId},
    ntmu::Modality,
};

use super::growing::Random;

/// An alternating automaton with up to so many states and priorities.
pub(crate) fn random_alternating(
    random: &mut Random,
    counting: Counting,
    states: usize,
    priorities: usize,
) -> Alternating {
    let count = 1 + random.below(states);
    let mut automaton = Alternating::new(counting, "q0", random.below(priorities) as u32);
    for index in 1..count {
        automaton.add_state(&format!("q{index}"), random.below(priorities) as u32);
    }
    for state in automaton.ids() {
        let size = 1 + random.below(3);
        let term = random_term(random, &mut automaton, size);
        automaton.set_term(state, term);
    }
    automaton
}

fn random_term(random: &mut Random, automaton: &mut Alternating, size: usize) -> TermId {
    if size > 0 {
        let left = random_term(random, automaton, (size - 1) / 2);
        let right = random_term(random, automaton, size / 2);
        return match random.below(2) {
            0 => automaton.and(left, right),
            _ => automaton.or(left, right),
        };
    }
    let count = automaton.states().len();
    let mut state = || StateId(random.below(count) as u32);
    let (target, pushed) = (state(), state());
    let modality = random.modality();
    match random.below(12) {
        0 => automaton.literal("p", true),
        1 => automaton.literal("q", false),
        2 => automaton.silent(target),
        3..=5 => automaton.local(modality, target),
        6..=8 => automaton.call(modality, target),
        9 => automaton.ret(modality, Push::Any, target),
        10 => automaton.ret(modality, Push::Only(pushed), target),
        _ if random.below(4) == 0 => automaton.constant(modality == Modality::Some),
        _ => automaton.ret(modality, Push::Any, target),
    }
}

/// A nondeterministic automaton with up to so many states and priorities.
pub(crate) fn random_nondeterministic(
    random: &mut Random,
    states: usize,
    priorities: usize,
) -> Nondeterministic {
    let count = 1 + random.below(states);
    let mut automaton = Nondeterministic::new("q0", random.below(priorities) as u32);
    for index in 1..count {
        automaton.add_state(&format!("q{index}"), random.below(priorities) as u32);
    }
    for _ in 0..1 + random.below(2 * count) {
        let mut state = || StateId(random.below(count) as u32);
        let from = state();
        let (pushed, targets) = (state(), [state(), state()]);
        let children = targets.map(|target| match random.below(6) {
            0 => Child::None,
            1..=3 => Child::Down(target),
            _ => Child::Back {
                pushed,
                state: target,
            },
        });
        // A tree may end, but not everywhere.
        let children = match random.below(6) {
            0 => [Child::None; 2],
            _ => children,
        };
        let literal = ("p", random.below(2) == 0);
        let literals = [literal];
        let guard = if random.below(2) == 0 {
            &literals[..]
        } else {
            &[]
        };
        automaton.add_transition(from, guard, children);
    }
    automaton
}

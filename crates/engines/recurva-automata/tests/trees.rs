//! Random nondeterministic automata: emptiness against membership, union and intersection.

mod common;

use std::ops::ControlFlow;

use common::{
    cases,
    growing::{Random, random_machine},
    member,
    random_automata::random_nondeterministic,
};
use recurva_automata::{Limits, SIDES, empty};
use recurva_logic::nta::{Child, Nondeterministic, StateId};
use recurva_model::{
    Nsm,
    nsm::{Kind, NsmBuilder},
};

fn witness(automaton: &Nondeterministic) -> Option<Nsm> {
    let go_on = |_: &_| ControlFlow::Continue(());
    empty(automaton, &Limits::default(), go_on).expect("it is small")
}

fn accepts(automaton: &Nondeterministic, machine: &Nsm) -> bool {
    member(machine, &automaton.to_alternating(SIDES))
}

/// A random machine whose states are marked as left or right children; its trees need not be
/// binary, then nothing accepts them.
fn marked_machine(random: &mut Random) -> Nsm {
    let parts = random_machine(random).into_parts();
    let mut builder = NsmBuilder::default();
    for state in &parts.states {
        let side = random.pick(&SIDES);
        let names = state.propositions.iter();
        let names = names.map(|p| &*parts.propositions[p.index()]);
        let labels: Vec<&str> = names.chain([side]).collect();
        builder.state(&state.name, state.kind, &labels);
    }
    for (from, to) in parts.locals {
        builder.local(from, to);
    }
    for (from, to) in parts.calls {
        builder.call(from, to);
    }
    for (from, pending, to) in parts.returns {
        builder.ret(from, pending, to);
    }
    // All marks are known, whichever were picked.
    builder.state("unused", Kind::Local, &["p", SIDES[0], SIDES[1]]);
    builder.finish(parts.init).expect("it fits")
}

/// Whether there is a finite tree of that height with a run from a state, with that state
/// pushed last: by trying everything.
fn finite_tree(
    automaton: &Nondeterministic,
    state: StateId,
    stack: &[StateId],
    height: usize,
) -> bool {
    if height == 0 {
        return false;
    }
    let fits = |child: Child, calls: bool| match (child, calls) {
        (Child::None, _) => true,
        (Child::Down(q), true) => {
            let mut stack = stack.to_vec();
            stack.push(state);
            finite_tree(automaton, q, &stack, height - 1)
        }
        (Child::Down(q), false) => finite_tree(automaton, q, stack, height - 1),
        (Child::Back { .. }, true) => false,
        (Child::Back { pushed, state: q }, false) => match stack.split_last() {
            // A return node is no call: it is checked to have an inner transition below.
            Some((&top, rest)) => top == pushed && returned(automaton, q, rest, height - 1),
            None => false,
        },
    };
    automaton
        .transitions()
        .iter()
        .filter(|t| t.from == state)
        .any(|transition| {
            [false, true]
                .into_iter()
                .any(|calls| transition.children.iter().all(|&child| fits(child, calls)))
        })
}

/// The same for a return node.
fn returned(
    automaton: &Nondeterministic,
    state: StateId,
    stack: &[StateId],
    height: usize,
) -> bool {
    if height == 0 {
        return false;
    }
    automaton
        .transitions()
        .iter()
        .filter(|t| t.from == state)
        .any(|transition| {
            transition.children.iter().all(|&child| match child {
                Child::None => true,
                Child::Down(q) => finite_tree(automaton, q, stack, height - 1),
                Child::Back { pushed, state: q } => match stack.split_last() {
                    Some((&top, rest)) => top == pushed && returned(automaton, q, rest, height - 1),
                    None => false,
                },
            })
        })
}

#[test]
fn what_is_not_empty_has_a_machine_and_what_is_empty_has_none() {
    let random = &mut Random(41);
    let count = cases(2_000);
    let (mut full, mut members) = (0, 0);
    let mut machines: Vec<Nsm> = (0..50).map(|_| marked_machine(random)).collect();
    for _ in 0..count {
        let automaton = random_nondeterministic(random, 4, 3);
        match witness(&automaton) {
            Some(machine) => {
                assert!(accepts(&automaton, &machine), "{automaton}");
                full += 1;
                if machines.len() < 200 && machine.proposition("p").is_some() {
                    machines.push(machine);
                }
            }
            None => {
                assert!(
                    !finite_tree(&automaton, automaton.init(), &[], 5),
                    "{automaton}"
                );
                for _ in 0..5 {
                    let machine = &machines[random.below(machines.len())];
                    assert!(!accepts(&automaton, machine), "{automaton}");
                }
            }
        }
        if finite_tree(&automaton, automaton.init(), &[], 4) {
            members += 1;
            assert!(witness(&automaton).is_some(), "{automaton}");
        }
    }
    assert!((count / 5..count * 4 / 5).contains(&full), "{full}");
    assert!(members > count / 20, "{members}");
}

#[test]
fn unions_and_intersections_of_trees() {
    let random = &mut Random(42);
    let (mut both_full, mut both_empty) = (0, 0);
    for _ in 0..cases(400) {
        let [one, other] = [0, 1].map(|_| random_nondeterministic(random, 3, 3));
        let (union, both) = (one.union(&other), one.intersection(&other));
        let [in_one, in_other, in_union, in_both] = [&one, &other, &union, &both].map(witness);
        assert_eq!(in_union.is_some(), in_one.is_some() || in_other.is_some());
        for machine in [&in_one, &in_other, &in_union, &in_both]
            .into_iter()
            .flatten()
        {
            // An automaton without guards has no `p`.
            if machine.proposition("p").is_none() {
                continue;
            }
            let (a, b) = (accepts(&one, machine), accepts(&other, machine));
            assert_eq!(accepts(&union, machine), a || b, "{one}\n{other}\n{union}");
            assert_eq!(accepts(&both, machine), a && b, "{one}\n{other}\n{both}");
        }
        match in_both {
            Some(_) => both_full += 1,
            None => both_empty += 1,
        }
    }
    assert!(
        both_full > 20 && both_empty > 20,
        "{both_full} {both_empty}"
    );
}

#[test]
fn the_larger_of_two_priorities_says_nothing_about_both() {
    use common::nondeterministic;
    // One wants the even letters for ever, the other accepts no infinite path that has them.
    let accepting = nondeterministic("nondeterministic\ninit q\nstate q 2\nq -> q, -");
    let rejecting = nondeterministic("nondeterministic\ninit q\nstate q 1\nq -> q, -");
    assert!(witness(&accepting.intersection(&accepting)).is_some());
    assert!(witness(&accepting.intersection(&rejecting)).is_none());
}

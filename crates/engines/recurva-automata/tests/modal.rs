//! CTL by automata against the textbook's way, on machines whose stacks are bounded.

mod common;

use common::{
    cases,
    growing::{Random, random_machine},
    holds, member,
};
use recurva_logic::{
    nta::{
        self,
        modal::{Ctl, Modal},
    },
    ntmu::Modality,
};
use recurva_model::nsm::{Nsm, StateId};
use rustc_hash::FxHashMap;

/// The states of a machine with their stacks, and their successors.
struct Graph {
    states: Vec<StateId>,
    next: Vec<Vec<usize>>,
}

/// The graph, if no stack is higher than some bound.
fn graph(machine: &Nsm) -> Option<Graph> {
    let mut list: Vec<(StateId, Vec<StateId>)> = vec![(machine.init(), Vec::new())];
    let mut numbers: FxHashMap<(StateId, Vec<StateId>), usize> = FxHashMap::default();
    numbers.insert(list[0].clone(), 0);
    let mut next: Vec<Vec<usize>> = Vec::new();
    while let Some((state, stack)) = list.get(next.len()).cloned() {
        let mut targets: Vec<(StateId, Vec<StateId>)> = Vec::new();
        targets.extend(machine.locals(state).iter().map(|&to| (to, stack.clone())));
        for &to in machine.calls(state) {
            let mut stack = stack.clone();
            stack.push(state);
            targets.push((to, stack));
        }
        if let Some((&top, rest)) = stack.split_last() {
            let back = machine.returns_to(state, top);
            targets.extend(back.map(|to| (to, rest.to_vec())));
        }
        let mut row = Vec::new();
        for target in targets {
            if target.1.len() > 5 {
                return None;
            }
            let fresh = list.len();
            let number = *numbers.entry(target.clone()).or_insert(fresh);
            if number == fresh {
                list.push(target);
            }
            row.push(number);
        }
        next.push(row);
    }
    let states = list.into_iter().map(|(state, _)| state).collect();
    Some(Graph { states, next })
}

impl Graph {
    fn step(&self, modality: Modality, set: &[bool]) -> Vec<bool> {
        let rows = self.next.iter();
        rows.map(|row| match modality {
            Modality::Some => row.iter().any(|&to| set[to]),
            Modality::All => row.iter().all(|&to| set[to]),
        })
        .collect()
    }

    /// Where a formula holds.
    fn evaluate(&self, machine: &Nsm, formula: &Ctl) -> Vec<bool> {
        let stuck: Vec<bool> = self.next.iter().map(Vec::is_empty).collect();
        let zip = |a: Vec<bool>, b: Vec<bool>, join: fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect()
        };
        let fixpoint = |start: bool, f: &dyn Fn(&[bool]) -> Vec<bool>| {
            let mut set = vec![start; self.states.len()];
            loop {
                let next = f(&set);
                if next == set {
                    return set;
                }
                set = next;
            }
        };
        match formula {
            Ctl::True => vec![true; self.states.len()],
            Ctl::False => vec![false; self.states.len()],
            Ctl::Literal(text, value) => {
                let p = machine.proposition(text).expect("it is known");
                let states = self.states.iter();
                states
                    .map(|&state| machine.holds(state, p) == *value)
                    .collect()
            }
            Ctl::And(a, b) => {
                let (a, b) = (self.evaluate(machine, a), self.evaluate(machine, b));
                zip(a, b, |a, b| a && b)
            }
            Ctl::Or(a, b) => {
                let (a, b) = (self.evaluate(machine, a), self.evaluate(machine, b));
                zip(a, b, |a, b| a || b)
            }
            Ctl::Next(modality, body) => self.step(*modality, &self.evaluate(machine, body)),
            Ctl::Until(modality, keep, goal) => {
                let (keep, goal) = (self.evaluate(machine, keep), self.evaluate(machine, goal));
                fixpoint(false, &|set| {
                    let step = zip(self.step(*modality, set), stuck.clone(), |s, stuck| {
                        s && !stuck
                    });
                    let go = zip(keep.clone(), step, |a, b| a && b);
                    zip(goal.clone(), go, |a, b| a || b)
                })
            }
            Ctl::Globally(modality, keep) => {
                let keep = self.evaluate(machine, keep);
                fixpoint(true, &|set| {
                    let step = zip(self.step(*modality, set), stuck.clone(), |s, stuck| {
                        s || stuck
                    });
                    zip(keep.clone(), step, |a, b| a && b)
                })
            }
        }
    }
}

fn random_ctl(random: &mut Random, depth: usize) -> Ctl {
    if depth == 0 {
        return Ctl::literal(random.pick(&["p", "q"]), random.below(2) == 0);
    }
    let modality = random.modality();
    let mut part = || Box::new(random_ctl(random, depth - 1));
    let (one, other) = (part(), part());
    match random.below(7) {
        0 => Ctl::And(one, other),
        1 => Ctl::Or(one, other),
        2 => Ctl::Next(modality, one),
        3 | 4 => Ctl::Until(modality, one, other),
        _ => Ctl::Globally(modality, one),
    }
}

#[test]
fn ctl_by_automata_formulas_and_the_textbook() {
    let random = &mut Random(51);
    let (mut asked, mut true_ones) = (0, 0);
    for _ in 0..cases(4_000) {
        let machine = random_machine(random);
        let Some(graph) = graph(&machine) else {
            continue;
        };
        let depth = 1 + random.below(3);
        let formula = random_ctl(random, depth);
        let expected = graph.evaluate(&machine, &formula)[0];
        let automaton = Modal::ctl(&formula);
        assert_eq!(member(&machine, &automaton), expected, "{formula:?}");
        let ntmu = nta::to_formula(&automaton, 2_000);
        if let Some(ntmu) = ntmu.filter(|_| depth < 3) {
            assert_eq!(holds(&machine, &ntmu), expected, "{formula:?}");
        }
        asked += 1;
        true_ones += usize::from(expected);
    }
    assert!(asked > 500 && true_ones > asked / 5 && true_ones < asked * 4 / 5);
}

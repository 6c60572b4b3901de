//! Fair cycles of random small machines, compared with a closure by brute force, and every
//! lasso run on a real stack.

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_explicit::{
    Config, Event, Order,
    fair::{FairAnswer, FairSystem, Lasso, Marks, Stack, fair_cycle},
};
use recurva_model::{Moves, RecursiveSystem, Site};

/// A machine given by tables; states are numbers.
#[derive(Debug)]
struct Machine {
    steps: Vec<Vec<usize>>,
    calls: Vec<Vec<usize>>,
    exits: Vec<bool>,
    /// Where a call made in a state goes on, by state and exit.
    returns: Vec<Vec<Vec<usize>>>,
    marks: Vec<Marks>,
    acceptance: Marks,
}

impl RecursiveSystem for Machine {
    type State = usize;

    fn initial(&self, out: &mut Moves<usize>) {
        out.step(0);
    }

    fn moves(&self, &state: &usize, out: &mut Moves<usize>) {
        // One move at a time, so that pausing is tested along the way.
        let index = out.take_cursor().first().copied().unwrap_or(0) as usize;
        let steps = &self.steps[state];
        let calls = &self.calls[state];
        if let Some(&to) = steps.get(index) {
            out.step(to);
        } else if let Some(&entry) = calls.get(index - steps.len()) {
            out.call(entry, Site(entry as u32));
        }
        if index + 1 < steps.len() + calls.len() {
            out.pause(&[index as u64 + 1]);
        }
    }

    fn is_exit(&self, &state: &usize) -> bool {
        self.exits[state]
    }

    fn resume(&self, &caller: &usize, _: Site, &exit: &usize, out: &mut Moves<usize>) {
        self.returns[caller][exit]
            .iter()
            .for_each(|&to| out.step(to));
    }
}

impl FairSystem for Machine {
    fn acceptance(&self) -> Marks {
        self.acceptance
    }

    fn marks(&self, &state: &usize) -> Marks {
        self.marks[state]
    }
}

/// A generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn some(&mut self, most: usize, bound: usize) -> Vec<usize> {
        let count = self.below(most + 1);
        let chosen: BTreeSet<usize> = (0..count).map(|_| self.below(bound)).collect();
        chosen.into_iter().collect()
    }
}

fn machine(seed: u64) -> Machine {
    let mut random = Random(seed);
    let states = 2 + random.below(6);
    let count = random.below(3) as u32;
    Machine {
        exits: (0..states).map(|_| random.below(3) == 0).collect(),
        steps: (0..states).map(|_| random.some(2, states)).collect(),
        calls: (0..states).map(|_| random.some(1, states)).collect(),
        returns: (0..states)
            .map(|_| (0..states).map(|_| random.some(1, states)).collect())
            .collect(),
        marks: (0..states)
            .map(|_| Marks(random.below(4) as u32 & Marks::all(count).0))
            .collect(),
        acceptance: Marks::all(count),
    }
}

/// A set of sets of marks: bit i stands for the set with the bits of i. The third mark is
/// "a call that does not return".
type SetOfSets = u8;
const CALL: u32 = 4;

fn join(left: SetOfSets, right: SetOfSets) -> SetOfSets {
    let mut joined = 0;
    for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
        if left >> a & 1 == 1 && right >> b & 1 == 1 {
            joined |= 1 << (a | b);
        }
    }
    joined
}

/// All there is to know about a machine, by closing relations until nothing changes.
struct Truth {
    local: Vec<Vec<SetOfSets>>,
    global: Vec<Vec<SetOfSets>>,
    reachable: Vec<bool>,
}

impl Truth {
    fn of(machine: &Machine) -> Self {
        let states = machine.marks.len();
        let only = |marks: u32| 1u8 << marks;
        // within[s][t]: from s to t in the same invocation, marks after s.
        let mut within = vec![vec![0; states]; states];
        let mut edges = vec![vec![0; states]; states];
        (0..states).for_each(|s| within[s][s] = only(0));
        loop {
            let before = (within.clone(), edges.clone());
            for s in (0..states).filter(|&s| !machine.exits[s]) {
                for &t in &machine.steps[s] {
                    edges[s][t] |= only(machine.marks[t].0);
                }
                for &entry in &machine.calls[s] {
                    for exit in (0..states).filter(|&x| machine.exits[x]) {
                        let body = join(only(machine.marks[entry].0), within[entry][exit]);
                        for &t in &machine.returns[s][exit] {
                            edges[s][t] |= join(body, only(machine.marks[t].0));
                        }
                    }
                }
            }
            for (s, u, t) in triples(states) {
                within[s][t] |= join(within[s][u], edges[u][t]);
            }
            if before == (within.clone(), edges.clone()) {
                break;
            }
        }
        let mut all = edges.clone();
        for s in (0..states).filter(|&s| !machine.exits[s]) {
            for &entry in &machine.calls[s] {
                all[s][entry] |= only(machine.marks[entry].0 | CALL);
            }
        }
        let (local, global) = (close(edges), close(all));
        let reachable = (0..states).map(|s| s == 0 || global[0][s] != 0).collect();
        Truth {
            local,
            global,
            reachable,
        }
    }

    fn has_run(&self, stack: Stack, acceptance: Marks) -> bool {
        let relation = if stack == Stack::Finite {
            &self.local
        } else {
            &self.global
        };
        let wanted = acceptance.0 | if stack == Stack::Diverging { CALL } else { 0 };
        (0..self.reachable.len()).any(|s| {
            let sets = relation[s][s];
            self.reachable[s] && (0..8).any(|set| sets >> set & 1 == 1 && set & wanted == wanted)
        })
    }
}

fn triples(states: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..states * states * states)
        .map(move |i| (i / states / states, i / states % states, i % states))
}

fn close(mut relation: Vec<Vec<SetOfSets>>) -> Vec<Vec<SetOfSets>> {
    loop {
        let before = relation.clone();
        for (s, u, t) in triples(relation.len()) {
            relation[s][t] |= join(relation[s][u], relation[u][t]);
        }
        if relation == before {
            return relation;
        }
    }
}

/// Runs events on a real stack; panics at a move that the machine does not have.
struct Runner<'m> {
    machine: &'m Machine,
    at: usize,
    stack: Vec<(usize, usize)>,
    /// The lowest the stack has been.
    lowest: usize,
    seen: Marks,
}

impl Runner<'_> {
    fn run<'e>(&mut self, events: impl Iterator<Item = Event<'e, usize>>) {
        for event in events {
            let to = *event.state();
            match event {
                Event::Begin(_) => assert_eq!(to, 0),
                Event::Step(_) => {
                    assert!(
                        !self.machine.exits[self.at] && self.machine.steps[self.at].contains(&to)
                    );
                }
                Event::Call(_) => {
                    assert!(
                        !self.machine.exits[self.at] && self.machine.calls[self.at].contains(&to)
                    );
                    self.stack.push((self.at, to));
                }
                Event::Return(_) => {
                    let (caller, _) = self.stack.pop().expect("a call is pending");
                    assert!(self.machine.exits[self.at]);
                    assert!(self.machine.returns[caller][self.at].contains(&to));
                }
            }
            self.at = to;
            self.lowest = self.lowest.min(self.stack.len());
            self.seen = self.seen.union(self.machine.marks[to]);
        }
    }
}

fn check_lasso(machine: &Machine, stack: Stack, lasso: &Lasso<usize>) {
    let mut runner = Runner {
        machine,
        at: 0,
        stack: Vec::new(),
        lowest: usize::MAX,
        seen: Marks::default(),
    };
    runner.run(lasso.stem_events());
    assert_eq!(runner.at, *lasso.start());
    for _ in 0..2 {
        let height = runner.stack.len();
        (runner.lowest, runner.seen) = (height, Marks::default());
        assert!(lasso.turn_events().next().is_some(), "a turn has an event");
        runner.run(lasso.turn_events());
        assert_eq!(runner.at, *lasso.start(), "a turn ends where it starts");
        assert!(
            runner.seen.contains(machine.acceptance),
            "a turn sees all marks"
        );
        assert_eq!(
            runner.lowest, height,
            "a turn leaves the frames below alone"
        );
        assert_eq!(runner.stack.len() > height, lasso.diverges());
        match stack {
            Stack::Any => {}
            Stack::Finite => assert!(!lasso.diverges()),
            Stack::Diverging => assert!(lasso.diverges()),
        }
    }
}

#[test]
fn random_machines_agree_with_the_closure_and_lassos_run() {
    let mut found = [[0; 2]; 3];
    for seed in 0..20_000 {
        let machine = machine(seed);
        let truth = Truth::of(&machine);
        for (index, stack) in [Stack::Any, Stack::Finite, Stack::Diverging]
            .into_iter()
            .enumerate()
        {
            let expected = truth.has_run(stack, machine.acceptance);
            for order in [Order::DepthFirst, Order::ShortestFirst] {
                let config = Config {
                    order,
                    ..Config::default()
                };
                let finished = fair_cycle(&machine, stack, &config, |_| ControlFlow::Continue(()));
                match finished.answer {
                    FairAnswer::Found(lasso) => {
                        assert!(expected, "seed {seed}, {stack:?}: {machine:?}");
                        check_lasso(&machine, stack, &lasso);
                    }
                    FairAnswer::Empty => assert!(!expected, "seed {seed}, {stack:?}: {machine:?}"),
                    FairAnswer::Unfinished(why) | FairAnswer::Stopped(why) => {
                        panic!("no limit was set: {why:?}")
                    }
                }
            }
            found[index][usize::from(expected)] += 1;
        }
    }
    // The machines are worth something: each answer occurs often for each kind of stack.
    assert!(
        found.iter().flatten().all(|&count| count > 1_000),
        "{found:?}"
    );
}

/// A counter that counts up for ever: infinitely many states, but a fair cycle early on.
struct Endless;

impl RecursiveSystem for Endless {
    type State = u64;

    fn initial(&self, out: &mut Moves<u64>) {
        out.step(0);
    }

    fn moves(&self, &state: &u64, out: &mut Moves<u64>) {
        out.step(state + 1);
        if state == 5 {
            out.step(3);
        }
    }

    fn is_exit(&self, _: &u64) -> bool {
        false
    }

    fn resume(&self, _: &u64, _: Site, _: &u64, _: &mut Moves<u64>) {}
}

impl FairSystem for Endless {
    fn acceptance(&self) -> Marks {
        Marks::all(1)
    }

    fn marks(&self, &state: &u64) -> Marks {
        Marks(u32::from(state == 4))
    }
}

#[test]
fn a_cycle_is_found_in_an_infinite_system() {
    let finished = fair_cycle(&Endless, Stack::Any, &Config::default(), |_| {
        ControlFlow::Continue(())
    });
    let FairAnswer::Found(lasso) = finished.answer else {
        panic!("there is a cycle")
    };
    let turn: Vec<u64> = lasso.turn_events().map(|event| *event.state()).collect();
    assert_eq!(turn, [4, 5, 3]);
    assert!(finished.progress.states < 100, "{:?}", finished.progress);
}

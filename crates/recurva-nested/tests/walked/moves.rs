//! Paths of a machine, without a stack: calls that return are jumps to where they return.

use std::collections::{HashMap, HashSet};

use super::{Machine, Pending, Set, State, has};

/// What is asked of each position of a path.
pub(crate) type Test<'t> = &'t dyn Fn(State, Pending) -> bool;

/// A position, and whether it belongs to the invocation that a path began in: only there does a
/// return end the path.
type Node = (State, Pending, bool);

/// For each position the states to which its invocation may return, by paths all of whose
/// positions pass.
#[derive(Debug)]
pub(crate) struct Exits(HashMap<(State, Pending), Set>);

impl Exits {
    /// The least solution, by turns until nothing changes.
    pub(crate) fn new(machine: &Machine, pass: Test<'_>) -> Self {
        let all = machine.positions();
        let mut exits = Exits(all.iter().map(|&position| (position, 0)).collect());
        loop {
            let mut changed = false;
            for &(state, pending) in &all {
                let mut set = 0;
                if pass(state, pending) {
                    for to in machine.returns(state, pending) {
                        set |= 1 << to;
                    }
                    let steps = machine.steps(state).iter().copied();
                    for next in steps.chain(exits.jumps(machine, state)) {
                        set |= exits.of(next, pending);
                    }
                }
                changed |= exits.0.insert((state, pending), set) != Some(set);
            }
            if !changed {
                return exits;
            }
        }
    }

    pub(crate) fn of(&self, state: State, pending: Pending) -> Set {
        self.0[&(state, pending)]
    }

    /// Where calls that are made in a state may return to.
    pub(crate) fn jumps(&self, machine: &Machine, state: State) -> Vec<State> {
        let callees = machine.callees(state).iter();
        let set = callees.fold(0, |set, &to| set | self.of(to, Some(state)));
        (0..machine.kinds.len())
            .filter(|&to| has(set, to))
            .collect()
    }
}

/// Which positions of a path count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All up to the end of the invocation that it begins in.
    Global,
    /// Those of that invocation.
    Local,
}

/// The moves along positions that pass.
struct Moves<'m> {
    machine: &'m Machine,
    scope: Scope,
    exits: Exits,
    pass: Test<'m>,
}

impl<'m> Moves<'m> {
    fn new(machine: &'m Machine, scope: Scope, pass: Test<'m>) -> Self {
        let everywhere: Test<'_> = &|_, _| true;
        let exits = match scope {
            Scope::Global => Exits::new(machine, pass),
            // What happens in called procedures does not count.
            Scope::Local => Exits::new(machine, everywhere),
        };
        Moves {
            machine,
            scope,
            exits,
            pass,
        }
    }

    fn next(&self, (state, pending, own): Node) -> Vec<Node> {
        let machine = self.machine;
        let steps = machine.steps(state).iter().copied();
        let here = steps.chain(self.exits.jumps(machine, state));
        let mut list: Vec<Node> = here.map(|to| (to, pending, own)).collect();
        if self.scope == Scope::Global {
            let callees = machine.callees(state).iter();
            list.extend(callees.map(|&to| (to, Some(state), false)));
        }
        list
    }

    /// Whether a path may end in a node.
    fn may_end(&self, (state, pending, own): Node) -> bool {
        let machine = self.machine;
        let returns = !machine.returns(state, pending).is_empty();
        let blocked = machine.next[state].is_empty() && !returns;
        let lost = || {
            let mut callees = machine.callees(state).iter();
            callees.any(|&to| !comes_back(machine, to, state))
        };
        blocked || own && returns || self.scope == Scope::Local && lost()
    }

    /// All nodes that can be reached along nodes that pass, those included that do not.
    fn reach(&self, from: Node) -> HashSet<Node> {
        let mut found = HashSet::from([from]);
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            if (self.pass)(node.0, node.1) {
                let next = self.next(node).into_iter();
                waiting.extend(next.filter(|&to| found.insert(to)));
            }
        }
        found
    }

    /// Whether some maximal path passes everywhere: it comes to an end, or never has to.
    fn forever(&self, from: Node) -> bool {
        let mut left = self.reach(from);
        left.retain(|&(state, pending, _)| (self.pass)(state, pending));
        loop {
            let stuck: Vec<Node> = left
                .iter()
                .copied()
                .filter(|&node| !self.may_end(node))
                .filter(|&node| !self.next(node).iter().any(|to| left.contains(to)))
                .collect();
            if stuck.is_empty() {
                return left.contains(&from);
            }
            left.retain(|node| !stuck.contains(node));
        }
    }
}

/// Whether some path from a position reaches a target, and passes everywhere before it.
pub(crate) fn reaches(
    machine: &Machine,
    scope: Scope,
    (state, pending): (State, Pending),
    pass: Test<'_>,
    target: Test<'_>,
) -> bool {
    let moves = Moves::new(machine, scope, pass);
    let found = moves.reach((state, pending, true));
    found
        .into_iter()
        .any(|(state, pending, _)| target(state, pending))
}

/// Whether some maximal path from a position passes everywhere.
pub(crate) fn stays(
    machine: &Machine,
    scope: Scope,
    (state, pending): (State, Pending),
    pass: Test<'_>,
) -> bool {
    Moves::new(machine, scope, pass).forever((state, pending, true))
}

/// Whether all paths of an invocation that begins in a state return.
pub(crate) fn comes_back(machine: &Machine, state: State, pending: State) -> bool {
    let moves = Moves::new(machine, Scope::Global, &|_, _| true);
    // As if it were not the first invocation: its returns are not the end of a path.
    !moves.forever((state, Some(pending), false))
}

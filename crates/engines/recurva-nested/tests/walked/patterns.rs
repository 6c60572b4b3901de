//! The patterns, as searches for what they forbid. Each says what the reference page says, not
//! what the formula is.

use std::{collections::HashSet, hash::Hash};

use super::{
    Formula, Meaning, Pending, Set, State,
    moves::{Exits, Scope, comes_back, reaches},
};

/// All that can be reached.
fn closure<N: Copy + Eq + Hash>(from: N, next: impl Fn(N) -> Vec<N>) -> HashSet<N> {
    let mut found = HashSet::from([from]);
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        waiting.extend(next(node).into_iter().filter(|&to| found.insert(to)));
    }
    found
}

/// A position with what is known of the way there.
type Knowing = ((State, Pending), u8);

/// Positions with what is known of the way there.
struct Told {
    /// Those of the first invocation.
    own: HashSet<Knowing>,
    all: HashSet<Knowing>,
}

impl Meaning<'_> {
    pub(super) fn pattern(
        &self,
        name: &str,
        arguments: &[Formula],
        state: State,
        pending: Pending,
    ) -> bool {
        let from = (state, pending);
        let is = |index: usize, (state, pending): (State, Pending)| {
            self.closed(&arguments[index], state, pending)
        };
        let callees = |(state, _): (State, Pending)| {
            let list = self.machine.callees(state).iter();
            list.map(move |&to| (to, Some(state)))
        };
        let returns_to = |(state, pending): (State, Pending)| {
            let list = self.exits.jumps(self.machine, state).into_iter();
            list.map(move |to| (to, pending))
        };
        let terminates =
            |at: (State, Pending)| callees(at).all(|(to, _)| comes_back(self.machine, to, at.0));
        match name {
            "all_calls_return" => self.everywhere(from, &terminates),
            "partial_correctness" => self.everywhere(from, &|at| {
                !(is(0, at) && is(1, at)) || returns_to(at).all(|to| is(2, to))
            }),
            "total_correctness" => self.everywhere(from, &|at| {
                !(is(0, at) && is(1, at)) || terminates(at) && returns_to(at).all(|to| is(2, to))
            }),
            "never_under" => {
                let marked = self.below(from, &|at| is(0, at));
                !marked.iter().any(|&(at, under)| under && is(1, at))
            }
            "only_under" => {
                let marked = self.below(from, &|at| is(0, at));
                !marked.iter().any(|&(at, under)| !under && is(1, at))
            }
            "all_callers" => {
                let marked = self.below(from, &|at| !is(0, at));
                !marked.iter().any(|&(at, under)| under && is(1, at))
            }
            "never_once_called" => {
                let nodes = self.told(from, 0, &|told, _| told, &|told, at| {
                    told | u8::from(is(0, at))
                });
                !nodes
                    .all
                    .into_iter()
                    .any(|(at, told)| told == 1 && is(1, at))
            }
            "no_calls" => self
                .here(from)
                .into_iter()
                .all(|at| callees(at).count() == 0),
            "each_callee" => {
                let all = self.here(from).into_iter();
                all.flat_map(callees).all(|to| is(0, to))
            }
            "access_control" => self.everywhere(from, &|at| {
                !is(0, at)
                    || is(1, at)
                    || callees(at).all(|to| self.here(to).into_iter().all(|at| !is(2, at)))
            }),
            "very_busy" => self.very_busy(arguments, from),
            "very_busy_mixed" => self.very_busy_mixed(arguments, from),
            "written_then" => callees(from).any(|callee| self.written(arguments, from, callee)),
            _ => panic!("no such pattern: {name}"),
        }
    }

    /// Whether something holds at all positions up to the end of the invocation.
    fn everywhere(&self, from: (State, Pending), holds: &dyn Fn((State, Pending)) -> bool) -> bool {
        let wrong = |state, pending| !holds((state, pending));
        !reaches(self.machine, Scope::Global, from, &|_, _| true, &wrong)
    }

    /// Steps and jumps of an invocation.
    fn along(&self, exits: &Exits, state: State) -> Vec<State> {
        let steps = self.machine.steps(state).iter().copied();
        steps.chain(exits.jumps(self.machine, state)).collect()
    }

    /// The positions of an invocation.
    fn here(&self, (state, pending): (State, Pending)) -> Vec<(State, Pending)> {
        let states = closure(state, |state| self.along(&self.exits, state));
        states.into_iter().map(|state| (state, pending)).collect()
    }

    /// All positions up to the end of the invocation, each with whether a call was made from a
    /// marked position that has not returned.
    fn below(
        &self,
        from: (State, Pending),
        marked: &dyn Fn((State, Pending)) -> bool,
    ) -> HashSet<((State, Pending), bool)> {
        closure((from, false), |((state, pending), under)| {
            let here = self.along(&self.exits, state).into_iter();
            let mut list: Vec<_> = here.map(|to| ((to, pending), under)).collect();
            let under = under || marked((state, pending));
            let callees = self.machine.callees(state).iter();
            list.extend(callees.map(|&to| ((to, Some(state)), under)));
            list
        })
    }

    /// All positions up to the end of the invocation with what is known of the way there, which
    /// changes where the way arrives, and where a call is made.
    fn told(
        &self,
        from: (State, Pending),
        told: u8,
        arrive: &dyn Fn(u8, (State, Pending)) -> u8,
        call: &dyn Fn(u8, (State, Pending)) -> u8,
    ) -> Told {
        // The way through a called procedure matters: what it tells at its returns is found by
        // turns, from what was found before.
        let mut ends: HashSet<(Knowing, (State, u8))> = HashSet::new();
        let callees = |(state, pending): (State, Pending), told: u8| {
            let told = call(told, (state, pending));
            let list = self.machine.callees(state).iter();
            list.map(move |&to| ((to, Some(state)), arrive(told, (to, Some(state)))))
        };
        let within = |ends: &HashSet<_>, start| {
            closure(start, |((state, pending), told)| {
                let steps = self.machine.steps(state).iter();
                let mut list: Vec<(State, u8)> = steps.map(|&to| (to, told)).collect();
                for inside in callees((state, pending), told) {
                    let all = ends.iter().filter(|&&(start, _)| start == inside);
                    list.extend(all.map(|&(_, end)| end));
                }
                let list = list.into_iter().map(|(to, told)| (to, pending, told));
                list.map(|(to, pending, told)| ((to, pending), arrive(told, (to, pending))))
                    .collect()
            })
        };
        loop {
            let before = ends.len();
            for position in self.machine.positions() {
                for told in 0..4 {
                    for ((state, pending), told_there) in within(&ends, (position, told)) {
                        let returns = self.machine.returns(state, pending).into_iter();
                        ends.extend(returns.map(|to| ((position, told), (to, told_there))));
                    }
                }
            }
            if ends.len() == before {
                break;
            }
        }
        let start = (from, arrive(told, from));
        let own = within(&ends, start);
        let mut found = HashSet::new();
        let mut waiting = vec![start];
        while let Some(start) = waiting.pop() {
            for node in within(&ends, start) {
                if found.insert(node) {
                    waiting.extend(callees(node.0, node.1));
                }
            }
        }
        Told { own, all: found }
    }

    /// On all paths the call writes and returns; what holds then depends on what was told last.
    fn written(
        &self,
        arguments: &[Formula],
        from: (State, Pending),
        callee: (State, Pending),
    ) -> bool {
        const WRITTEN: u8 = 1;
        const READ: u8 = 2;
        let is = |index: usize, at: (State, Pending)| self.closed(&arguments[index], at.0, at.1);
        let arrive = |told: u8, at| match (is(0, at), is(1, at)) {
            // What is written here has not been read.
            (true, _) => WRITTEN,
            (false, true) => told | READ,
            (false, false) => told,
        };
        let nodes = self.told(callee, 0, &arrive, &|told, _| told);
        comes_back(self.machine, callee.0, from.0)
            && nodes.own.into_iter().all(|((state, pending), told)| {
                let condition = if told & READ != 0 { 2 } else { 3 };
                let mut returns = self.machine.returns(state, pending).into_iter();
                returns.all(|to| told & WRITTEN != 0 && is(condition, (to, from.1)))
            })
    }

    /// Every path uses before it modifies or ends; where it has not yet, it can still get to a
    /// use.
    fn very_busy(&self, arguments: &[Formula], from: (State, Pending)) -> bool {
        let is = |index: usize, at: (State, Pending)| self.closed(&arguments[index], at.0, at.1);
        let used = |state, pending| is(0, (state, pending));
        let unused = |state, pending| !used(state, pending);
        let exits = Exits::new(self.machine, &unused);
        // A position with the return states behind which its callers get to a use.
        type Node = ((State, Pending), Set, bool);
        let alive = |(at, good, _): Node| {
            reaches(self.machine, Scope::Global, at, &|_, _| true, &used)
                || self.exits.of(at.0, at.1) & good != 0
        };
        let nodes = closure((from, 0, true), |node: Node| {
            let ((state, pending), good, own) = node;
            if used(state, pending) {
                return Vec::new();
            }
            let here = self.along(&exits, state).into_iter();
            let mut list: Vec<Node> = here.map(|to| ((to, pending), good, own)).collect();
            let behind = self.exits.jumps(self.machine, state).into_iter();
            let behind = behind.filter(|&to| alive(((to, pending), good, own)));
            let behind = behind.fold(0, |set: Set, to| set | 1 << to);
            let callees = self.machine.callees(state).iter();
            list.extend(callees.map(|&to| ((to, Some(state)), behind, false)));
            list
        });
        let mut waiting = nodes.into_iter().filter(|(at, ..)| unused(at.0, at.1));
        waiting.all(|node| {
            let ((state, pending), _, own) = node;
            let ends = own && !self.machine.returns(state, pending).is_empty();
            alive(node) && !is(1, (state, pending)) && !ends
        })
    }

    /// The same where a use, and a change of a local variable, are ones of this invocation.
    fn very_busy_mixed(&self, arguments: &[Formula], from: (State, Pending)) -> bool {
        let is = |index: usize, at: (State, Pending)| self.closed(&arguments[index], at.0, at.1);
        let used = |state, pending| is(0, (state, pending));
        let alive = |state| {
            reaches(
                self.machine,
                Scope::Local,
                (state, from.1),
                &|_, _| true,
                &used,
            )
        };
        let own = closure(from.0, |state| match used(state, from.1) {
            true => Vec::new(),
            false => self.along(&self.exits, state),
        });
        let mut waiting = own.into_iter().filter(|&state| !used(state, from.1));
        waiting.all(|state| {
            let at = (state, from.1);
            let behind = self.exits.jumps(self.machine, state).into_iter();
            let behind = behind
                .filter(|&to| alive(to))
                .fold(0, |set: Set, to| set | 1 << to);
            let callees = self.machine.callees(state).iter();
            let mut callees = callees.map(|&to| (to, Some(state)));
            let ends = !self.machine.returns(state, from.1).is_empty();
            alive(state)
                && !is(1, at)
                && !is(2, at)
                && !ends
                && callees.all(|callee| self.undisturbed(&arguments[1], callee, behind))
        })
    }

    /// Nothing is modified up to the end of the invocation, and from everywhere it can still
    /// return to one of those states.
    fn undisturbed(&self, modified: &Formula, from: (State, Pending), good: Set) -> bool {
        let nodes = closure((from, good), |((state, pending), good)| {
            let here = self.along(&self.exits, state).into_iter();
            let mut list: Vec<_> = here.map(|to| ((to, pending), good)).collect();
            let behind = self.exits.jumps(self.machine, state).into_iter();
            let behind = behind.filter(|&to| self.exits.of(to, pending) & good != 0);
            let behind = behind.fold(0, |set: Set, to| set | 1 << to);
            let callees = self.machine.callees(state).iter();
            list.extend(callees.map(|&to| ((to, Some(state)), behind)));
            list
        });
        nodes.into_iter().all(|((state, pending), good)| {
            self.exits.of(state, pending) & good != 0 && !self.closed(modified, state, pending)
        })
    }
}

//! Strongly connected components of the graph of states, and a turn round a fair one.

use std::collections::VecDeque;

use super::{Marks, Stack};
use crate::graph::PathEdge;

/// An edge between two states, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) kind: LinkKind,
}

/// What a [`Link`] stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinkKind {
    /// A step.
    Step,
    /// More is known about the same configuration: no step, but it leads on.
    Refinement,
    /// A call that does not return.
    Call,
    /// A call that returns.
    Summary {
        /// The exit it returns from.
        exit: PathEdge,
        /// The marks seen on the way from the entry to the exit.
        marks: Marks,
    },
}

/// The links of one turn round a cycle that sees all marks of `all` and does to the stack
/// what is asked for, if there is one. Linear in the number of links, apart from the last
/// step, which walks once through the component for each mark.
pub(crate) fn fair_turn(
    links: &[Link],
    states: usize,
    stack: Stack,
    all: Marks,
    marks: impl Fn(u32) -> Marks,
) -> Option<Vec<Link>> {
    let graph = Links::new(links, states, stack);
    let component = graph.components();
    // What the links inside each component add up to.
    let mut sums = vec![(Marks::default(), false, false); states];
    for link in &graph.links {
        if component[link.from as usize] == component[link.to as usize] {
            let sum = &mut sums[component[link.from as usize] as usize];
            sum.0 = sum.0.union(marks(link.to)).union(link.marks());
            sum.1 = true;
            sum.2 |= link.is_call();
        }
    }
    let is_fair = |&(seen, cycles, calls): &(Marks, bool, bool)| {
        cycles && seen.contains(all) && (calls || stack != Stack::Diverging)
    };
    // States are numbered as they are found: the first one has the shortest history.
    let start = (0..states as u32).find(|&s| is_fair(&sums[component[s as usize] as usize]))?;
    let wants_call = stack == Stack::Diverging;
    Some(graph.turn(&component, start, all, wants_call, marks))
}

impl Link {
    fn marks(&self) -> Marks {
        match self.kind {
            LinkKind::Summary { marks, .. } => marks,
            LinkKind::Step | LinkKind::Refinement | LinkKind::Call => Marks::default(),
        }
    }

    fn is_call(&self) -> bool {
        matches!(self.kind, LinkKind::Call)
    }
}

/// The links that count, sorted by where they start.
struct Links {
    links: Vec<Link>,
    /// For each state, where its links begin; one more at the end.
    starts: Vec<u32>,
}

impl Links {
    fn new(links: &[Link], states: usize, stack: Stack) -> Self {
        let counts = |link: &&Link| !(stack == Stack::Finite && link.is_call());
        let mut starts = vec![0; states + 1];
        for link in links.iter().filter(counts) {
            starts[link.from as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut place = starts.clone();
        let total = starts[states] as usize;
        let mut sorted = vec![
            Link {
                from: 0,
                to: 0,
                kind: LinkKind::Step
            };
            total
        ];
        for link in links.iter().filter(counts) {
            let at = &mut place[link.from as usize];
            sorted[*at as usize] = *link;
            *at += 1;
        }
        Links {
            links: sorted,
            starts,
        }
    }

    fn from(&self, state: u32) -> &[Link] {
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        &self.links[range.start as usize..range.end as usize]
    }

    /// For each state the number of its component (Tarjan's algorithm, with its own stack).
    fn components(&self) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let states = self.starts.len() - 1;
        let mut component = vec![NEW; states];
        // The number at which a state was entered, then the lowest it leads back to.
        let mut low = vec![NEW; states];
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, u32, usize)> = Vec::new();
        let mut entered = 0;
        let mut components = 0;
        for root in 0..states as u32 {
            if low[root as usize] != NEW {
                continue;
            }
            path.push((root, entered, 0));
            while let Some((state, number, next)) = path.last_mut() {
                let here = *state as usize;
                if *next == 0 {
                    low[here] = *number;
                    entered = *number + 1;
                    open.push(*state);
                }
                if let Some(link) = self.from(*state).get(*next) {
                    *next += 1;
                    let to = link.to as usize;
                    if low[to] == NEW {
                        path.push((link.to, entered, 0));
                    } else if component[to] == NEW {
                        low[here] = low[here].min(low[to]);
                    }
                    continue;
                }
                if low[here] == *number {
                    while let Some(member) = open.pop() {
                        component[member as usize] = components;
                        if member as usize == here {
                            break;
                        }
                    }
                    components += 1;
                }
                let lowest = low[here];
                path.pop();
                if let Some((parent, ..)) = path.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(lowest);
                }
            }
        }
        component
    }

    /// A closed walk from `start` within its component that sees all marks and, if wanted,
    /// takes a call.
    fn turn(
        &self,
        component: &[u32],
        start: u32,
        all: Marks,
        wants_call: bool,
        marks: impl Fn(u32) -> Marks,
    ) -> Vec<Link> {
        let mut turn: Vec<Link> = Vec::new();
        let mut seen = Marks::default();
        let mut called = !wants_call;
        let mut at = start;
        let gain = |link: &Link| marks(link.to).union(link.marks());
        while !seen.contains(all) || !called || at != start || turn.is_empty() {
            let done = seen.contains(all) && called;
            let wanted = |link: &Link| {
                let helps =
                    !seen.contains(Marks(gain(link).0 & all.0)) || !called && link.is_call();
                if done { link.to == start } else { helps }
            };
            let Some(way) = self.walk(component, at, wanted) else {
                break;
            };
            for link in way {
                seen = seen.union(gain(&link));
                called |= link.is_call();
                at = link.to;
                turn.push(link);
            }
        }
        turn
    }

    /// The shortest walk within a component to a wanted link, that link included.
    fn walk(
        &self,
        component: &[u32],
        from: u32,
        wanted: impl Fn(&Link) -> bool,
    ) -> Option<Vec<Link>> {
        let mut before: std::collections::HashMap<u32, Link> = std::collections::HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for link in self.from(state) {
                if component[link.to as usize] != component[from as usize] {
                    continue;
                }
                if wanted(link) {
                    let mut way = vec![*link];
                    let mut at = state;
                    while at != from {
                        let link = before[&at];
                        way.push(link);
                        at = link.from;
                    }
                    way.reverse();
                    return Some(way);
                }
                if link.to != from && !before.contains_key(&link.to) {
                    before.insert(link.to, *link);
                    queue.push_back(link.to);
                }
            }
        }
        None
    }
}

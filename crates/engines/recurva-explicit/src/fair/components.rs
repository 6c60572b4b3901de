//! Strongly connected components of the graph of states, a way to a fair one and round it.

use std::collections::VecDeque;

use recurva_model::{Patience, Stop};

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

/// A fair run, as links: from an initial state to where a turn starts, and one turn.
#[derive(Debug)]
pub(crate) struct Links {
    pub(crate) initial: u32,
    pub(crate) stem: Vec<Link>,
    pub(crate) turn: Vec<Link>,
}

/// The components of a graph of links, of which one has a cycle that sees all marks and does to
/// the stack what is asked for.
pub(crate) struct Fair<'l> {
    links: &'l [Link],
    /// The links that may be part of the cycle.
    graph: Sorted,
    /// For each state the number of its component.
    component: Vec<u32>,
    /// For each component whether it has such a cycle.
    is_fair: Vec<bool>,
    /// What is asked for.
    stack: Stack,
    all: Marks,
}

impl<'l> Fair<'l> {
    /// Looks for a cycle that sees all marks of `all`; `None` if there is none. Linear in the
    /// number of links.
    pub(crate) fn new(
        links: &'l [Link],
        states: usize,
        stack: Stack,
        all: Marks,
        marks: impl Fn(u32) -> Marks,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Self>, Stop> {
        let counts = |link: &Link| stack != Stack::Finite || !link.is_call();
        let graph = Sorted::new(links, states, counts, patience)?;
        let component = graph.components(patience)?;
        // What the links inside each component add up to.
        let mut sums = vec![(Marks::default(), false, false); states];
        for link in &graph.links {
            patience.work(LOOK)?;
            if component[link.from as usize] == component[link.to as usize] {
                let sum = &mut sums[component[link.from as usize] as usize];
                sum.0 = sum.0.union(marks(link.to)).union(link.marks());
                // More knowledge about a configuration is no step: that alone is no run.
                sum.1 |= !matches!(link.kind, LinkKind::Refinement);
                sum.2 |= link.is_call();
            }
        }
        let is_fair = sums.into_iter().map(|(seen, steps, calls)| {
            steps && seen.contains(all) && (calls || stack != Stack::Diverging)
        });
        let is_fair: Vec<bool> = is_fair.collect();
        Ok(is_fair.contains(&true).then_some(Fair {
            links,
            graph,
            component,
            is_fair,
            stack,
            all,
        }))
    }

    /// A way to such a cycle, and round it: of all of them one that is reached with the fewest
    /// pending calls. Linear in the number of links for the way, and for each mark.
    pub(crate) fn run(
        &self,
        initial: &[u32],
        marks: impl Fn(u32) -> Marks,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Links>, Stop> {
        let is_fair = |state: u32| self.is_fair[self.component[state as usize] as usize];
        let whole = Sorted::new(self.links, self.component.len(), |_| true, patience)?;
        let Some((initial, stem)) = whole.shallowest(initial, is_fair, patience)? else {
            return Ok(None);
        };
        let start = stem.last().map_or(initial, |link| link.to);
        let turn = self.turn(start, marks, patience)?;
        Ok(Some(Links {
            initial,
            stem,
            turn,
        }))
    }

    /// A closed walk from `start` within its component that sees all marks and, if wanted,
    /// takes a call.
    fn turn(
        &self,
        start: u32,
        marks: impl Fn(u32) -> Marks,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Link>, Stop> {
        let all = self.all;
        let mut turn: Vec<Link> = Vec::new();
        let mut seen = Marks::default();
        let mut called = self.stack != Stack::Diverging;
        let mut at = start;
        let gain = |link: &Link| marks(link.to).union(link.marks());
        while !seen.contains(all) || !called || at != start || turn.is_empty() {
            let done = seen.contains(all) && called;
            let wanted = |link: &Link| {
                let helps =
                    !seen.contains(Marks(gain(link).0 & all.0)) || !called && link.is_call();
                if done { link.to == start } else { helps }
            };
            let Some(way) = self.graph.walk(&self.component, at, wanted, patience)? else {
                break;
            };
            for link in way {
                seen = seen.union(gain(&link));
                called |= link.is_call();
                at = link.to;
                turn.push(link);
            }
        }
        Ok(turn)
    }
}

/// To look at a link costs so much: it is rarely where the last one was.
const LOOK: u64 = 4;

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
struct Sorted {
    links: Vec<Link>,
    /// For each state, where its links begin; one more at the end.
    starts: Vec<u32>,
}

impl Sorted {
    fn new(
        links: &[Link],
        states: usize,
        counts: impl Fn(&Link) -> bool,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let counts = |link: &&Link| counts(link);
        let mut starts = vec![0; states + 1];
        for link in links.iter().filter(counts) {
            patience.work(LOOK)?;
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
            patience.work(LOOK)?;
            let at = &mut place[link.from as usize];
            sorted[*at as usize] = *link;
            *at += 1;
        }
        Ok(Sorted {
            links: sorted,
            starts,
        })
    }

    fn from(&self, state: u32) -> &[Link] {
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        &self.links[range.start as usize..range.end as usize]
    }

    /// For each state the number of its component (Tarjan's algorithm, with its own stack).
    fn components(&self, patience: &mut Patience<'_>) -> Result<Vec<u32>, Stop> {
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
                patience.work(LOOK)?;
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
        Ok(component)
    }

    /// The way from an initial state to a wanted one with the fewest calls, and of those to
    /// the first one found breadth-first: all that is reached without a call, then all that is
    /// reached with one, and so on.
    fn shallowest(
        &self,
        initial: &[u32],
        is_wanted: impl Fn(u32) -> bool,
        patience: &mut Patience<'_>,
    ) -> Result<Option<(u32, Vec<Link>)>, Stop> {
        let states = self.starts.len() - 1;
        let mut before: Vec<Option<Link>> = vec![None; states];
        let mut seen = vec![false; states];
        let mut here: VecDeque<u32> = VecDeque::new();
        // Calls to be entered once nothing more is reached without them.
        let mut calls: VecDeque<Link> = VecDeque::new();
        for &state in initial {
            if !std::mem::replace(&mut seen[state as usize], true) {
                here.push_back(state);
            }
        }
        loop {
            while let Some(state) = here.pop_front() {
                if is_wanted(state) {
                    return Ok(Some(way_back(&before, state)));
                }
                for link in self.from(state) {
                    patience.work(LOOK)?;
                    if link.is_call() {
                        calls.push_back(*link);
                    } else if !std::mem::replace(&mut seen[link.to as usize], true) {
                        before[link.to as usize] = Some(*link);
                        here.push_back(link.to);
                    }
                }
            }
            // All calls of one depth at once: what they enter is explored together.
            for link in std::mem::take(&mut calls) {
                if !std::mem::replace(&mut seen[link.to as usize], true) {
                    before[link.to as usize] = Some(link);
                    here.push_back(link.to);
                }
            }
            if here.is_empty() {
                return Ok(None);
            }
        }
    }

    /// The shortest walk within a component to a wanted link, that link included.
    fn walk(
        &self,
        component: &[u32],
        from: u32,
        wanted: impl Fn(&Link) -> bool,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Vec<Link>>, Stop> {
        let mut before: std::collections::HashMap<u32, Link> = std::collections::HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for link in self.from(state) {
                // What was seen is looked up in a table.
                patience.work(4 * LOOK)?;
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
                    return Ok(Some(way));
                }
                if link.to != from && !before.contains_key(&link.to) {
                    before.insert(link.to, *link);
                    queue.push_back(link.to);
                }
            }
        }
        Ok(None)
    }
}

/// The links by which a state was reached, and where they begin.
fn way_back(before: &[Option<Link>], to: u32) -> (u32, Vec<Link>) {
    let mut way = Vec::new();
    let mut at = to;
    while let Some(link) = before[at as usize] {
        way.push(link);
        at = link.from;
    }
    way.reverse();
    (at, way)
}

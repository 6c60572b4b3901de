//! Bounded-stack machines (thesis, §6.3.2, Fig. 6.8): all summaries in one depth-first search.
//!
//! If no call can be reached from its own entry, an entry is done with by the time its call is
//! looked at again, and then all the summaries of that call are known at once. The sets that
//! are kept for components hold exits only: nothing else is asked of them.

use crate::{
    Machine, Summary,
    limits::{Limits, OutOfMemory},
    sets::Set,
};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// This call can be reached from its own entry.
    Unbounded {
        /// The node that makes the call.
        caller: u32,
    },
    /// The limit was hit.
    Memory(OutOfMemory),
}

/// What is next to be looked at from a node.
#[derive(Clone, Copy)]
enum Next {
    /// Along an edge or a summary.
    Edge(u32),
    /// Into an entry, and then along the summaries.
    Call { place: u32, to: u32 },
}

const NEVER: u32 = u32::MAX;

struct Search<'m> {
    machine: &'m Machine,
    /// For each node the calls it makes: a place in the list of calls, and what to add to the
    /// site of a return.
    calls: Vec<(u32, u32)>,
    first_call: Vec<u32>,
    /// Number of each exit among the exits.
    exit: Vec<u32>,
    exits: Vec<u32>,
    low: Vec<u32>,
    /// The component of a node that is done.
    done: Vec<u32>,
    /// The exits that a component reaches.
    reaches: Vec<Set>,
    stack: Vec<u32>,
    /// Edges from nodes on the stack to components that are done.
    out: Vec<Vec<u32>>,
    summaries: Vec<Summary>,
}

/// The summaries of a machine whose stack is bounded.
pub(crate) fn bounded(machine: &Machine, limits: &Limits) -> Result<Vec<Summary>, Failure> {
    let mut search = Search::new(machine);
    for root in 0..machine.nodes {
        if search.low[root as usize] == NEVER {
            search.run(root, limits)?;
        }
    }
    let mut summaries = search.summaries;
    summaries.sort_unstable();
    summaries.dedup();
    Ok(summaries)
}

/// A node on the path of the search.
struct Frame {
    node: u32,
    number: u32,
    next: Vec<Next>,
}

impl<'m> Search<'m> {
    fn new(machine: &'m Machine) -> Self {
        let nodes = machine.nodes as usize;
        let mut by_node: Vec<(u32, u32, u32)> = Vec::new();
        for (place, call) in machine.calls.iter().enumerate() {
            let group = machine.group_of_key[call.key as usize];
            for &(from, to) in &machine.moves[group as usize] {
                by_node.push((from + call.site, place as u32, to));
            }
        }
        by_node.sort_unstable();
        let mut first_call = vec![0; nodes + 1];
        for &(node, ..) in &by_node {
            first_call[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            first_call[node + 1] += first_call[node];
        }
        let mut exit = vec![NEVER; nodes];
        let mut exits = Vec::new();
        for it in &machine.returns {
            if exit[it.exit as usize] == NEVER {
                exit[it.exit as usize] = exits.len() as u32;
                exits.push(it.exit);
            }
        }
        Search {
            machine,
            calls: by_node.iter().map(|&(_, place, to)| (place, to)).collect(),
            first_call,
            exit,
            exits,
            low: vec![NEVER; nodes],
            done: vec![NEVER; nodes],
            reaches: Vec::new(),
            stack: Vec::new(),
            out: vec![Vec::new(); nodes],
            summaries: Vec::new(),
        }
    }

    fn frame(&mut self, node: u32) -> Frame {
        let number = self.stack.len() as u32;
        self.low[node as usize] = number;
        self.stack.push(node);
        let range =
            self.first_call[node as usize] as usize..self.first_call[node as usize + 1] as usize;
        let edges = self
            .machine
            .edges
            .from(node)
            .iter()
            .map(|&to| Next::Edge(to));
        let calls = self.calls[range].iter();
        let calls = calls.map(|&(place, to)| Next::Call { place, to });
        Frame {
            node,
            number,
            next: edges.chain(calls).collect(),
        }
    }

    fn run(&mut self, root: u32, limits: &Limits) -> Result<(), Failure> {
        let mut path = vec![self.frame(root)];
        while let Some(frame) = path.last_mut() {
            let node = frame.node;
            let Some(&next) = frame.next.last() else {
                if self.low[node as usize] == frame.number {
                    self.complete(node, limits)?;
                }
                path.pop();
                if let Some(parent) = path.last() {
                    let low = self.low[node as usize];
                    if self.done[node as usize] == NEVER {
                        let parent = &mut self.low[parent.node as usize];
                        *parent = low.min(*parent);
                    }
                }
                continue;
            };
            let to = match next {
                Next::Edge(to) => to,
                Next::Call { place, .. } => self.machine.calls[place as usize].entry,
            };
            if self.low[to as usize] == NEVER {
                // The same edge is looked at again when that node is done.
                let child = self.frame(to);
                path.push(child);
                continue;
            }
            frame.next.pop();
            let component = self.done[to as usize];
            match next {
                Next::Edge(_) if component == NEVER => {
                    let low = self.low[to as usize];
                    self.low[node as usize] = low.min(self.low[node as usize]);
                }
                Next::Edge(_) => self.out[node as usize].push(component),
                Next::Call { .. } if component == NEVER => {
                    return Err(Failure::Unbounded { caller: node });
                }
                Next::Call { place, to } => {
                    let call = self.machine.calls[place as usize];
                    for number in self.reaches[component as usize].list() {
                        let returns = self.machine.returns_of(self.exits[number as usize]);
                        for it in returns.iter().filter(|it| it.key == call.key) {
                            self.summaries.push(Summary {
                                group: self.machine.group_of_key[call.key as usize],
                                from: call.site,
                                to: it.site,
                            });
                            frame.next.push(Next::Edge(to + it.site));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A component is complete: its exits are those of its nodes and of what they lead to.
    fn complete(&mut self, node: u32, limits: &Limits) -> Result<(), Failure> {
        let component = self.reaches.len() as u32;
        let universe = self.exits.len() as u32;
        let mut set = Set::default();
        let mut new = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.done[member as usize] = component;
            if self.exit[member as usize] != NEVER {
                set.insert(self.exit[member as usize], universe);
            }
            for other in std::mem::take(&mut self.out[member as usize]) {
                new.clear();
                self.reaches[other as usize].difference(&set, &mut new);
                for &exit in &new {
                    set.insert(exit, universe);
                }
            }
            if member == node {
                break;
            }
        }
        self.reaches.push(set);
        if component % 4096 == 4095 {
            let bytes: usize = self.reaches.iter().map(|set| set.bytes() + 32).sum();
            limits.check(bytes).map_err(Failure::Memory)?;
        }
        Ok(())
    }
}

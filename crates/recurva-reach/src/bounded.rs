//! Bounded-stack machines (thesis, §6.3.2, Fig. 6.8): all summaries in one depth-first search.
//!
//! If no call can be reached from its own entry, an entry is done with by the time its call is
//! looked at again, and then all the summaries of that call are known at once. The sets that
//! are kept for components hold exits only: nothing else is asked of them.

use crate::{
    Machine, Summary,
    meter::{Halt, Held, Meter, Tally, heap, push},
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
    /// The work was ended.
    Halted(Halt),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halted(halt)
    }
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

struct Search<'m, 't> {
    machine: &'m Machine,
    meter: &'m Meter<'t>,
    /// The lists below that are as long as there are nodes, and the path.
    held: Held,
    /// The sets, and what is next on the path.
    tally: Tally,
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
    summaries: (Vec<Summary>, Held),
}

/// The summaries of a machine whose stack is bounded.
pub(crate) fn bounded(
    machine: &Machine,
    meter: &Meter<'_>,
) -> Result<(Vec<Summary>, Held), Failure> {
    let mut search = Search::new(machine, meter)?;
    for root in 0..machine.nodes {
        if search.low[root as usize] == NEVER {
            search.run(root)?;
        }
    }
    let (mut summaries, held) = search.summaries;
    summaries.sort_unstable();
    summaries.dedup();
    Ok((summaries, held))
}

/// A node on the path of the search.
struct Frame {
    node: u32,
    number: u32,
    next: Vec<Next>,
}

impl<'m, 't> Search<'m, 't> {
    fn new(machine: &'m Machine, meter: &'m Meter<'t>) -> Result<Self, Halt> {
        let nodes = machine.nodes as usize;
        let mut held = meter.hold(0)?;
        let mut scratch = meter.hold(0)?;
        let mut by_node: Vec<(u32, u32, u32)> = Vec::new();
        for (place, call) in machine.calls.iter().enumerate() {
            let group = machine.group_of_key[call.key as usize];
            for &(from, to) in &machine.moves[group as usize] {
                scratch.room(&mut by_node)?;
                by_node.push((from + call.site, place as u32, to));
            }
        }
        by_node.sort_unstable();
        meter.work(by_node.len() as u64)?;
        held.add(heap(8 * by_node.len()))?;
        let mut first_call = held.list(0, nodes + 1)?;
        for &(node, ..) in &by_node {
            first_call[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            first_call[node + 1] += first_call[node];
        }
        let mut exit = held.list(NEVER, nodes)?;
        let mut exits = Vec::new();
        for it in &machine.returns {
            if exit[it.exit as usize] == NEVER {
                exit[it.exit as usize] = exits.len() as u32;
                held.room(&mut exits)?;
                exits.push(it.exit);
            }
        }
        Ok(Search {
            machine,
            meter,
            calls: by_node.iter().map(|&(_, place, to)| (place, to)).collect(),
            first_call,
            exit,
            exits,
            low: held.list(NEVER, nodes)?,
            done: held.list(NEVER, nodes)?,
            reaches: Vec::new(),
            stack: Vec::new(),
            out: held.list(Vec::new(), nodes)?,
            summaries: (Vec::new(), meter.hold(0)?),
            tally: Tally::new(meter),
            held,
        })
    }

    fn frame(&mut self, node: u32) -> Result<Frame, Halt> {
        let number = self.stack.len() as u32;
        self.low[node as usize] = number;
        self.held.room(&mut self.stack)?;
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
        let next: Vec<Next> = edges.chain(calls).collect();
        self.tally.bytes += bytes(&next);
        self.tally.tell()?;
        Ok(Frame { node, number, next })
    }

    fn run(&mut self, root: u32) -> Result<(), Failure> {
        let mut path = Vec::new();
        self.held.room(&mut path)?;
        path.push(self.frame(root)?);
        let result = self.walk(&mut path);
        // The next path begins anew.
        let used = heap(path.capacity() * size_of::<Frame>());
        let rest = self.held.bytes() - used;
        self.held.set(rest)?;
        result
    }

    fn walk(&mut self, path: &mut Vec<Frame>) -> Result<(), Failure> {
        while let Some(frame) = path.last_mut() {
            self.meter.work(1)?;
            let node = frame.node;
            let Some(&next) = frame.next.last() else {
                if self.low[node as usize] == frame.number {
                    self.complete(node)?;
                }
                let done = path.pop();
                self.tally.bytes -= done.map_or(0, |done| bytes(&done.next));
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
                let child = self.frame(to)?;
                self.held.room(path)?;
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
                Next::Edge(_) => {
                    let out = &mut self.out[node as usize];
                    push(out, component, &mut self.tally.bytes);
                }
                Next::Call { .. } if component == NEVER => {
                    return Err(Failure::Unbounded { caller: node });
                }
                Next::Call { place, to } => {
                    let call = self.machine.calls[place as usize];
                    for number in self.reaches[component as usize].list() {
                        let returns = self.machine.returns_of(self.exits[number as usize]);
                        self.meter.work(1 + returns.len() as u64)?;
                        for it in returns.iter().filter(|it| it.key == call.key) {
                            let (summaries, held) = &mut self.summaries;
                            held.room(summaries)?;
                            summaries.push(Summary {
                                group: self.machine.group_of_key[call.key as usize],
                                from: call.site,
                                to: it.site,
                            });
                            let next = Next::Edge(to + it.site);
                            push(&mut frame.next, next, &mut self.tally.bytes);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A component is complete: its exits are those of its nodes and of what they lead to.
    fn complete(&mut self, node: u32) -> Result<(), Halt> {
        let component = self.reaches.len() as u32;
        let universe = self.exits.len() as u32;
        let mut set = Set::default();
        let mut new = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.done[member as usize] = component;
            if self.exit[member as usize] != NEVER {
                set.insert(self.exit[member as usize], universe, &mut self.tally.bytes);
            }
            let out = std::mem::take(&mut self.out[member as usize]);
            for &other in &out {
                new.clear();
                self.meter.work(1 + self.reaches[other as usize].words())?;
                self.reaches[other as usize].difference(&set, &mut new);
                for &exit in &new {
                    set.insert(exit, universe, &mut self.tally.bytes);
                }
                self.tally.tell()?;
            }
            self.tally.bytes -= heap(4 * out.capacity());
            if member == node {
                break;
            }
        }
        self.held.room(&mut self.reaches)?;
        self.reaches.push(set);
        Ok(())
    }
}

/// The bytes of a list of what is next.
fn bytes(next: &Vec<Next>) -> usize {
    heap(next.capacity() * size_of::<Next>())
}

//! The machine that all structural algorithms solve: edges, and calls that match returns.
//!
//! A grammar over a graph becomes one (its automata times the nodes), and a recursive state
//! machine is one. Calls and returns match if they have the same *key*: the box of a machine,
//! or a pair of brackets and an index. What a call and its return connect is a *summary*; it is
//! found once and stands for an edge in each place that makes the same call.

use rustc_hash::FxHashMap;

use crate::{
    Error,
    bind::Bound,
    closure::Arrows,
    grammar::structure::{Letter, Structure},
    meter::{Halt, Held, Meter, heap},
};

/// A call: whoever is at the site may go on at the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CallArc {
    pub(crate) entry: u32,
    pub(crate) key: u32,
    pub(crate) site: u32,
}

/// A return: what was called and is at the exit may go on at the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ReturnArc {
    pub(crate) exit: u32,
    pub(crate) key: u32,
    pub(crate) site: u32,
}

/// From a site to a site, for all moves of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Summary {
    pub(crate) group: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// A machine on plain arrays.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) nodes: u32,
    pub(crate) edges: Arrows,
    /// Sorted.
    pub(crate) calls: Vec<CallArc>,
    /// Sorted.
    pub(crate) returns: Vec<ReturnArc>,
    /// For each node, where its calls and its returns begin.
    first_call: Vec<u32>,
    first_return: Vec<u32>,
    pub(crate) group_of_key: Vec<u32>,
    /// For each group, what to add to the sites of a summary to get the nodes of an edge.
    pub(crate) moves: Vec<Vec<(u32, u32)>>,
    _held: Held,
}

/// The calls and returns of a machine, while they are being collected.
pub(crate) struct Arcs {
    pub(crate) calls: Vec<CallArc>,
    pub(crate) returns: Vec<ReturnArc>,
    held: Held,
}

impl Arcs {
    pub(crate) fn new(meter: &Meter<'_>) -> Result<Self, Halt> {
        Ok(Arcs {
            calls: Vec::new(),
            returns: Vec::new(),
            held: meter.hold(0)?,
        })
    }

    /// Makes sure that so many more fit.
    pub(crate) fn room_for(&mut self, calls: usize, returns: usize) -> Result<(), Halt> {
        self.held.room_for(&mut self.calls, calls)?;
        self.held.room_for(&mut self.returns, returns)
    }

    pub(crate) fn call(&mut self, call: CallArc) -> Result<(), Halt> {
        self.held.room(&mut self.calls)?;
        self.calls.push(call);
        Ok(())
    }

    pub(crate) fn back(&mut self, it: ReturnArc) -> Result<(), Halt> {
        self.held.room(&mut self.returns)?;
        self.returns.push(it);
        Ok(())
    }
}

impl Machine {
    /// A machine of its parts, in any order.
    pub(crate) fn new(
        edges: Arrows,
        arcs: Arcs,
        group_of_key: Vec<u32>,
        moves: Vec<Vec<(u32, u32)>>,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let Arcs {
            mut calls,
            mut returns,
            mut held,
        } = arcs;
        let nodes = edges.nodes();
        held.add(2 * heap(4 * (nodes as usize + 1)) + heap(4 * group_of_key.capacity()))?;
        meter.work((calls.len() + returns.len()) as u64)?;
        calls.sort_unstable();
        calls.dedup();
        returns.sort_unstable();
        returns.dedup();
        meter.work((calls.len() + returns.len()) as u64)?;
        Ok(Machine {
            nodes,
            first_call: firsts(nodes, calls.iter().map(|call| call.entry)),
            first_return: firsts(nodes, returns.iter().map(|it| it.exit)),
            edges,
            calls,
            returns,
            group_of_key,
            moves,
            _held: held,
        })
    }

    /// The calls of an entry.
    #[inline]
    pub(crate) fn calls_of(&self, entry: u32) -> &[CallArc] {
        let entry = entry as usize;
        &self.calls[self.first_call[entry] as usize..self.first_call[entry + 1] as usize]
    }

    /// The calls of an entry with a key.
    #[inline]
    pub(crate) fn calls_with(&self, entry: u32, key: u32) -> impl Iterator<Item = &CallArc> {
        let calls = self.calls_of(entry);
        let begin = calls.partition_point(|call| call.key < key);
        calls[begin..]
            .iter()
            .take_while(move |call| call.key == key)
    }

    /// The returns at an exit.
    #[inline]
    pub(crate) fn returns_of(&self, exit: u32) -> &[ReturnArc] {
        let exit = exit as usize;
        &self.returns[self.first_return[exit] as usize..self.first_return[exit + 1] as usize]
    }

    /// The entries, each once, in order.
    pub(crate) fn entries(&self, held: &mut Held) -> Result<Vec<u32>, Halt> {
        let mut entries: Vec<u32> = Vec::new();
        for call in &self.calls {
            if entries.last() != Some(&call.entry) {
                held.room(&mut entries)?;
                entries.push(call.entry);
            }
        }
        Ok(entries)
    }

    /// The edges of a summary.
    pub(crate) fn edges_of(&self, summary: Summary) -> impl Iterator<Item = (u32, u32)> {
        let moves = self.moves[summary.group as usize].iter();
        moves.map(move |&(from, to)| (from + summary.from, to + summary.to))
    }

    /// The graph of local edges and summaries: paths in it are runs in one context.
    pub(crate) fn with(&self, summaries: &[Summary], meter: &Meter<'_>) -> Result<Arrows, Halt> {
        Arrows::new(self.nodes, meter, |add| self.feed(summaries, add))
    }

    /// That graph with an edge from each call to its entry: paths in it are all runs.
    pub(crate) fn with_calls(
        &self,
        summaries: &[Summary],
        meter: &Meter<'_>,
    ) -> Result<Arrows, Halt> {
        Arrows::new(self.nodes, meter, |add| {
            self.feed(summaries, add);
            self.call_edges(add);
        })
    }

    fn feed(&self, summaries: &[Summary], add: &mut dyn FnMut(u32, u32)) {
        for from in 0..self.nodes {
            for &to in self.edges.from(from) {
                add(from, to);
            }
        }
        for &summary in summaries {
            for (from, to) in self.edges_of(summary) {
                add(from, to);
            }
        }
    }

    /// From each node that makes a call to the entry.
    pub(crate) fn call_edges(&self, mut add: impl FnMut(u32, u32)) {
        for call in &self.calls {
            let group = self.group_of_key[call.key as usize];
            for &(from, _) in &self.moves[group as usize] {
                add(from + call.site, call.entry);
            }
        }
    }
}

/// Where the things of each node begin in a list that is sorted by nodes.
fn firsts(nodes: u32, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = vec![0u32; nodes as usize + 1];
    for node in of {
        first[node as usize + 1] += 1;
    }
    for node in 0..nodes as usize {
        first[node + 1] += first[node];
    }
    first
}

/// The machine of a grammar over a graph: node `state * nodes + node` is a node of the graph
/// with a state of one of the automata.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) machine: Machine,
    /// How many nodes the graph has.
    pub(crate) width: u32,
    /// For each component, its first state.
    pub(crate) first_state: Vec<u32>,
    /// Where words of the start symbol begin.
    pub(crate) start: u32,
    /// Where they end.
    pub(crate) end: u32,
    /// For each key, the index of its brackets.
    pub(crate) index_of_key: Vec<u32>,
    /// Whether the empty word is a word of the start symbol.
    pub(crate) reflexive: bool,
    _held: Held,
}

impl Product {
    /// The machine. It has to have fewer than 2^32 nodes.
    pub(crate) fn new(
        structure: &Structure,
        bound: &Bound,
        meter: &Meter<'_>,
    ) -> Result<Self, Error> {
        let width = bound.nodes;
        let mut first_state = Vec::with_capacity(structure.components.len());
        let mut states = 0u32;
        for component in &structure.components {
            first_state.push(states);
            states += component.automaton.states;
        }
        let nodes = states.checked_mul(width).ok_or(Error::TooLarge)?;
        let component_of = |symbol: u32| {
            let place = structure
                .components
                .iter()
                .position(|it| it.symbol == symbol);
            place.unwrap_or_default()
        };
        let mut moves: Vec<Vec<(u32, u32)>> = vec![Vec::new(); structure.calls.len()];
        // Local moves with what they read, by the states of the whole machine.
        let mut local: Vec<(u32, Option<u32>, u32)> = Vec::new();
        for (component, &first) in structure.components.iter().zip(&first_state) {
            for &(from, letter, to) in &component.automaton.moves {
                let (from, to) = (first + from, first + to);
                match letter {
                    Some(Letter::Call(call)) => {
                        moves[call as usize].push((from * width, to * width));
                    }
                    Some(Letter::Terminal(symbol)) => local.push((from, Some(symbol), to)),
                    None => local.push((from, None, to)),
                }
            }
        }
        let edges = Arrows::new(nodes, meter, |add| {
            for &(from, letter, to) in &local {
                let (from, to) = (from * width, to * width);
                match letter {
                    None => (0..width).for_each(|node| add(from + node, to + node)),
                    Some(symbol) => {
                        for link in &bound.links[symbol as usize] {
                            add(from + link.from, to + link.to);
                        }
                    }
                }
            }
        })?;
        let mut keys: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let (mut group_of_key, mut index_of_key) = (Vec::new(), Vec::new());
        let mut key = |call: u32, index: u32| {
            *keys.entry((call, index)).or_insert_with(|| {
                index_of_key.push(index);
                group_of_key.push(call);
                group_of_key.len() as u32 - 1
            })
        };
        let mut arcs = Arcs::new(meter)?;
        // Each list is as long as it has to be.
        let count = |terminal: Option<u32>| match terminal {
            Some(terminal) => bound.links[terminal as usize].len(),
            None => width as usize,
        };
        let openings = structure.calls.iter().map(|call| count(call.open)).sum();
        let closings = structure.calls.iter().map(|call| count(call.close)).sum();
        arcs.room_for(openings, closings)?;
        let Arcs { calls, returns, .. } = &mut arcs;
        for (number, call) in structure.calls.iter().enumerate() {
            let number = number as u32;
            let body = component_of(call.body);
            let automaton = &structure.components[body].automaton;
            let entry = (first_state[body] + automaton.start) * width;
            let exit = (first_state[body] + automaton.end) * width;
            match call.open {
                Some(open) => calls.extend(bound.links[open as usize].iter().map(|link| CallArc {
                    entry: entry + link.to,
                    key: key(number, if call.indexed { link.index } else { 0 }),
                    site: link.from,
                })),
                None => calls.extend((0..width).map(|node| CallArc {
                    entry: entry + node,
                    key: key(number, 0),
                    site: node,
                })),
            }
            match call.close {
                Some(close) => {
                    let links = bound.links[close as usize].iter();
                    returns.extend(links.map(|link| ReturnArc {
                        exit: exit + link.from,
                        key: key(number, if call.indexed { link.index } else { 0 }),
                        site: link.to,
                    }));
                }
                None => returns.extend((0..width).map(|node| ReturnArc {
                    exit: exit + node,
                    key: key(number, 0),
                    site: node,
                })),
            }
        }
        // What keys are known by is forgotten here, and so counted only now.
        let more = meter.hold(crate::meter::table(keys.capacity(), 12))?;
        drop((keys, more));
        let automaton = &structure.components[0].automaton;
        let held = meter.hold(heap(4 * index_of_key.capacity()))?;
        Ok(Product {
            machine: Machine::new(edges, arcs, group_of_key, moves, meter)?,
            _held: held,
            width,
            start: automaton.start * width,
            end: automaton.end * width,
            reflexive: automaton.accepts_nothing(),
            index_of_key,
            first_state,
        })
    }
}

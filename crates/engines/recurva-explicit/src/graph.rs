//! The path edges found so far, and how each was first reached.
//!
//! A *path edge* (the Vera paper's context) is a state together with the entry state of the
//! invocation it belongs to. It takes 20 bytes: the two numbers, the one or two earlier path
//! edges it came from, and a link to the next one of the same state. Most states belong to
//! few invocations, so that list is how a path edge is found, next to its state in memory;
//! only where it would grow long a hash table takes over.

use std::hash::Hash;

use hashbrown::{HashTable, hash_table::Entry};

use crate::interner::{Interner, hash_of, push_tightly};

/// Number of a path edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathEdge(pub(crate) u32);

/// Number of an invocation's entry state among all entry states.
pub(crate) type Context = u32;

/// How a path edge was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A run may begin here.
    Initially,
    /// By a step from an earlier path edge of the same invocation.
    Step(PathEdge),
    /// The same configuration as an earlier path edge, with more known about it.
    Refinement(PathEdge),
    /// As the entry of a call made at an earlier path edge.
    Call(PathEdge),
    /// By the return of a call.
    Return {
        /// The path edge that made the call.
        caller: PathEdge,
        /// The exit, in the callee's invocation.
        exit: PathEdge,
    },
}

#[derive(Clone, Copy, Debug)]
struct Record {
    state: u32,
    context: Context,
    from: u32,
    /// The exit for a return; else one of the marks below.
    through: u32,
    /// The next path edge of the same state.
    next: u32,
}

impl Record {
    /// What tells path edges apart. The entry of an invocation is found by its state alone,
    /// before the number of its context is known.
    fn key(&self) -> (u32, u32) {
        let is_entry = self.from == NONE || self.through == BY_CALL;
        (self.state, if is_entry { ENTRY } else { self.context })
    }
}

/// So many path edges of one state are found by walking a list.
const LONGEST_LIST: usize = 8;
/// Stands for the context in the key of an entry.
const ENTRY: u32 = u32::MAX;
const NONE: u32 = u32::MAX;
const BY_STEP: u32 = u32::MAX;
const BY_REFINEMENT: u32 = u32::MAX - 1;
const BY_CALL: u32 = u32::MAX - 2;
/// Numbers from here on are marks, and number neither path edges nor callers.
pub(crate) const MAX_EDGES: usize = BY_CALL as usize;

/// An invocation's entry state, with who calls it and where it exits (`VisitedCalls` and
/// `VisitedExits` in the paper) as heads of linked lists.
#[derive(Clone, Copy, Debug)]
struct ContextRecord {
    entry: u32,
    callers: u32,
    exits: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) edge: PathEdge,
    pub(crate) site: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Exit {
    edge: PathEdge,
    next: u32,
}

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Graph<S> {
    states: Interner<S>,
    edges: Vec<Record>,
    /// For each state the first of its list of path edges.
    first: Vec<u32>,
    /// The path edges that are on no list, because their state's list is full.
    others: HashTable<u32>,
    contexts: Vec<ContextRecord>,
    callers: Vec<Caller>,
    exits: Vec<Exit>,
}

impl<S> Default for Graph<S> {
    fn default() -> Self {
        Graph {
            states: Interner::default(),
            edges: Vec::new(),
            first: Vec::new(),
            others: HashTable::new(),
            contexts: Vec::new(),
            callers: Vec::new(),
            exits: Vec::new(),
        }
    }
}

impl<S: Eq + Hash> Graph<S> {
    /// The path edge of a state in an invocation; the flag tells whether it is new.
    pub(crate) fn add(&mut self, state: S, context: Context, reached: Reached) -> (PathEdge, bool) {
        let state = self.states.intern(state);
        self.add_numbered(state, context, context, reached)
    }

    /// The context and the path edge of an entry state; the flag tells whether it is new.
    pub(crate) fn add_entry(&mut self, entry: S, reached: Reached) -> (Context, PathEdge, bool) {
        let state = self.states.intern(entry);
        let context = self.contexts.len() as Context;
        let (edge, new) = self.add_numbered(state, ENTRY, context, reached);
        if new {
            let record = ContextRecord {
                entry: edge.0,
                callers: NONE,
                exits: NONE,
            };
            push_tightly(&mut self.contexts, record);
        }
        (self.context(edge), edge, new)
    }

    /// The path edge with that key; a new one gets `context`.
    fn add_numbered(
        &mut self,
        state: u32,
        key: u32,
        context: Context,
        reached: Reached,
    ) -> (PathEdge, bool) {
        if self.first.len() < self.states.len() {
            push_tightly(&mut self.first, NONE);
        }
        let (from, through) = pack(reached);
        let record = Record {
            state,
            context,
            from,
            through,
            next: NONE,
        };
        let number = self.edges.len() as u32;
        let edges = &mut self.edges;

        let mut link = &mut self.first[state as usize];
        for _ in 0..LONGEST_LIST {
            if *link == NONE {
                *link = number;
                push_tightly(edges, record);
                return (PathEdge(number), true);
            }
            let here = *link;
            if edges[here as usize].key() == (state, key) {
                return (PathEdge(here), false);
            }
            link = &mut edges[here as usize].next;
        }
        let found = self.others.entry(
            hash_of(&(state, key)),
            |&number| edges[number as usize].key() == (state, key),
            |&number| hash_of(&edges[number as usize].key()),
        );
        match found {
            Entry::Occupied(found) => (PathEdge(*found.get()), false),
            Entry::Vacant(vacant) => {
                vacant.insert(number);
                push_tightly(edges, record);
                (PathEdge(number), true)
            }
        }
    }
}

impl<S> Graph<S> {
    pub(crate) fn state(&self, edge: PathEdge) -> &S {
        self.states.get(self.edges[edge.0 as usize].state)
    }

    pub(crate) fn context(&self, edge: PathEdge) -> Context {
        self.edges[edge.0 as usize].context
    }

    pub(crate) fn entry(&self, context: Context) -> PathEdge {
        PathEdge(self.contexts[context as usize].entry)
    }

    pub(crate) fn reached(&self, edge: PathEdge) -> Reached {
        let Record { from, through, .. } = self.edges[edge.0 as usize];
        match through {
            _ if from == NONE => Reached::Initially,
            BY_STEP => Reached::Step(PathEdge(from)),
            BY_REFINEMENT => Reached::Refinement(PathEdge(from)),
            BY_CALL => Reached::Call(PathEdge(from)),
            exit => Reached::Return {
                caller: PathEdge(from),
                exit: PathEdge(exit),
            },
        }
    }

    /// Replaces how a path edge is reached by a better way.
    pub(crate) fn reroute(&mut self, edge: PathEdge, reached: Reached) {
        let record = &mut self.edges[edge.0 as usize];
        (record.from, record.through) = pack(reached);
    }

    pub(crate) fn add_caller(&mut self, context: Context, edge: PathEdge, site: u32) -> u32 {
        let head = &mut self.contexts[context as usize].callers;
        let number = self.callers.len() as u32;
        push_tightly(
            &mut self.callers,
            Caller {
                edge,
                site,
                next: *head,
            },
        );
        *head = number;
        number
    }

    pub(crate) fn add_exit(&mut self, context: Context, edge: PathEdge) {
        let head = &mut self.contexts[context as usize].exits;
        let next = std::mem::replace(head, self.exits.len() as u32);
        push_tightly(&mut self.exits, Exit { edge, next });
    }

    pub(crate) fn caller(&self, number: u32) -> Caller {
        self.callers[number as usize]
    }

    /// The numbers of a context's callers, newest first.
    pub(crate) fn callers(&self, context: Context) -> impl Iterator<Item = u32> {
        let mut next = self.contexts[context as usize].callers;
        std::iter::from_fn(move || {
            let number = next;
            next = self.callers.get(number as usize)?.next;
            Some(number)
        })
    }

    /// The exits of a context, newest first.
    pub(crate) fn exits(&self, context: Context) -> impl Iterator<Item = PathEdge> {
        let mut next = self.contexts[context as usize].exits;
        std::iter::from_fn(move || {
            let exit = self.exits.get(next as usize)?;
            next = exit.next;
            Some(exit.edge)
        })
    }

    pub(crate) fn states_len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn edges_len(&self) -> usize {
        self.edges.len()
    }

    /// The largest number given to anything so far.
    pub(crate) fn largest_number(&self) -> usize {
        self.edges.len().max(self.callers.len())
    }

    pub(crate) fn summaries_len(&self) -> usize {
        self.exits.len()
    }

    /// Bytes held, not counting what states own on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.states.bytes()
            + self.edges.capacity() * size_of::<Record>()
            + self.first.capacity() * size_of::<u32>()
            + self.others.allocation_size()
            + self.contexts.capacity() * size_of::<ContextRecord>()
            + self.callers.capacity() * size_of::<Caller>()
            + self.exits.capacity() * size_of::<Exit>()
    }

    /// Gives back the memory that only a running search needs.
    pub(crate) fn close(&mut self) {
        self.states.close();
        self.first = Vec::new();
        self.others = HashTable::new();
        self.callers = Vec::new();
        self.exits = Vec::new();
    }
}

fn pack(reached: Reached) -> (u32, u32) {
    match reached {
        Reached::Initially => (NONE, BY_STEP),
        Reached::Step(from) => (from.0, BY_STEP),
        Reached::Refinement(from) => (from.0, BY_REFINEMENT),
        Reached::Call(caller) => (caller.0, BY_CALL),
        Reached::Return { caller, exit } => (caller.0, exit.0),
    }
}

//! The pairs of a state and what it returns to that the formulas are evaluated at.
//!
//! The value of a formula at a state depends on the pending call only by where returns lead. The
//! return states of a call are numbered in order, its *exits*; two calls to which the same
//! states return by the same numbers are one *context*. So a procedure is looked at once,
//! however many calls there are of it.

use recurva_model::nsm::{Nsm, StateId};
use rustc_hash::FxHashMap;

/// A class of pending calls. Context 0 is that of no pending call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Context(pub(crate) u32);

/// A reachable state with its context, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PairId(pub(crate) u32);

impl PairId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a call leads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// The first pairs of the callees.
    pub(crate) callees: Vec<PairId>,
    /// Where each exit leads, in the context of the caller; none if it is never taken.
    pub(crate) exits: Vec<Option<PairId>>,
}

/// The reachable pairs and the moves between them.
#[derive(Debug)]
pub(crate) struct Contexts {
    /// The state and the context of each pair. Pair 0 is the initial one.
    pub(crate) pairs: Vec<(StateId, Context)>,
    /// Local successors.
    pub(crate) locals: Vec<Vec<PairId>>,
    /// For pairs at call states.
    pub(crate) calls: Vec<Call>,
    /// The exits that returns lead to.
    pub(crate) returns: Vec<Vec<u32>>,
    /// The number of each pair.
    numbers: FxHashMap<(StateId, Context), PairId>,
    /// For each call state its return states, and its context.
    exits: FxHashMap<StateId, (Vec<StateId>, Context)>,
}

/// What is the same for all calls of a context: states, with the exits they return to.
type Shape = Vec<(StateId, u32)>;

struct Explorer<'m> {
    nsm: &'m Nsm,
    /// For each context the states that return in it, with their exits, sorted.
    shapes: Vec<Shape>,
    found: Contexts,
    /// For each context the exits that are taken, and the pairs that called into it.
    taken: Vec<Vec<u32>>,
    callers: Vec<Vec<PairId>>,
}

impl Contexts {
    pub(crate) fn new(nsm: &Nsm) -> Self {
        let mut explorer = Explorer::new(nsm);
        explorer.pair(nsm.init(), Context(0));
        let mut next = 0;
        while next < explorer.found.pairs.len() {
            explorer.expand(PairId(next as u32));
            next += 1;
        }
        explorer.found
    }

    /// The pair of a state and its pending call, if it is reachable.
    pub(crate) fn pair(&self, state: StateId, pending: Option<StateId>) -> Option<PairId> {
        let context = match pending {
            None => Context(0),
            Some(call) => self.exits.get(&call)?.1,
        };
        self.numbers.get(&(state, context)).copied()
    }

    /// The return states of a call, in the order of its exits.
    pub(crate) fn targets(&self, call: StateId) -> &[StateId] {
        self.exits.get(&call).map_or(&[], |(targets, _)| targets)
    }
}

impl<'m> Explorer<'m> {
    fn new(nsm: &'m Nsm) -> Self {
        let mut through: FxHashMap<StateId, Vec<(StateId, StateId)>> = FxHashMap::default();
        for state in nsm.ids() {
            for &(pending, to) in nsm.returns(state) {
                through.entry(pending).or_default().push((state, to));
            }
        }
        let mut known: FxHashMap<Shape, Context> = FxHashMap::default();
        let mut shapes = vec![Vec::new()];
        let mut exits = FxHashMap::default();
        for call in nsm.ids().filter(|&state| !nsm.calls(state).is_empty()) {
            let list = through.get(&call).map_or(&[][..], |list| &list[..]);
            let mut targets: Vec<StateId> = list.iter().map(|&(_, to)| to).collect();
            targets.sort_unstable();
            targets.dedup();
            let number = |to: StateId| targets.partition_point(|&target| target < to) as u32;
            let shape: Shape = list.iter().map(|&(from, to)| (from, number(to))).collect();
            let context = *known.entry(shape).or_insert_with_key(|shape| {
                shapes.push(shape.clone());
                Context(shapes.len() as u32 - 1)
            });
            exits.insert(call, (targets, context));
        }
        Explorer {
            nsm,
            taken: vec![Vec::new(); shapes.len()],
            callers: vec![Vec::new(); shapes.len()],
            shapes,
            found: Contexts {
                numbers: FxHashMap::default(),
                exits,
                pairs: Vec::new(),
                locals: Vec::new(),
                calls: Vec::new(),
                returns: Vec::new(),
            },
        }
    }

    fn pair(&mut self, state: StateId, context: Context) -> PairId {
        let next = PairId(self.found.pairs.len() as u32);
        let pair = *self.found.numbers.entry((state, context)).or_insert(next);
        if pair == next {
            self.found.pairs.push((state, context));
            self.found.locals.push(Vec::new());
            self.found.calls.push(Call::default());
            self.found.returns.push(Vec::new());
        }
        pair
    }

    fn expand(&mut self, pair: PairId) {
        let (state, context) = self.found.pairs[pair.index()];
        let locals = self.nsm.locals(state).iter();
        let locals = locals.map(|&to| self.pair(to, context)).collect();
        self.found.locals[pair.index()] = locals;
        if let Some((targets, inner)) = self.found.exits.get(&state) {
            let (count, inner) = (targets.len(), *inner);
            let callees = self.nsm.calls(state).iter();
            let callees = callees.map(|&to| self.pair(to, inner)).collect();
            self.found.calls[pair.index()] = Call {
                callees,
                exits: vec![None; count],
            };
            self.callers[inner.0 as usize].push(pair);
            for at in 0..self.taken[inner.0 as usize].len() {
                let exit = self.taken[inner.0 as usize][at];
                self.resume(pair, exit);
            }
        }
        let shape = &self.shapes[context.0 as usize];
        let start = shape.partition_point(|&(from, _)| from < state);
        let here = shape[start..].iter().take_while(|(from, _)| *from == state);
        let exits: Vec<u32> = here.map(|&(_, exit)| exit).collect();
        for &exit in &exits {
            let taken = &mut self.taken[context.0 as usize];
            if !taken.contains(&exit) {
                taken.push(exit);
                for at in 0..self.callers[context.0 as usize].len() {
                    let caller = self.callers[context.0 as usize][at];
                    self.resume(caller, exit);
                }
            }
        }
        self.found.returns[pair.index()] = exits;
    }

    /// A call comes back.
    fn resume(&mut self, caller: PairId, exit: u32) {
        let (state, context) = self.found.pairs[caller.index()];
        let target = self.found.exits[&state].0[exit as usize];
        let pair = self.pair(target, context);
        self.found.calls[caller.index()].exits[exit as usize] = Some(pair);
    }
}

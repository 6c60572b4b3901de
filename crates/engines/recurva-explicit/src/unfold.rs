//! All reachable states of a system with the moves between them, as a nested state machine has
//! them: for questions about branching, where a search that follows single runs does not do.
//!
//! A state of the system becomes one state of the machine for each way of getting there: a
//! *return* state where a call comes back to it and a *local* one otherwise. A call is made from
//! a *call* state. That is the state itself if it can do nothing else and was not returned to;
//! otherwise the call has a state of its own behind it, which says the same about the system.
//!
//! States must not leave anything open: a state that stands for several would make a choice
//! later than the system does, which linear time does not see and branching time does. Moves
//! that only refine a state are taken to be those of the refined states.

use std::{collections::VecDeque, ops::ControlFlow};

use recurva_model::{
    Move, Moves, RecursiveSystem, Site,
    nsm::{Kind, StateId},
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Config, Progress, Stopped, interner::Interner};

/// A state of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The state of the system: an index of [`Unfolded::states`].
    pub state: u32,
    /// What it is for.
    pub kind: Kind,
    /// The site of the call that is made from here, of a call state.
    pub site: Option<Site>,
}

/// The reachable part of a system.
#[derive(Clone, Debug)]
pub struct Unfolded<S> {
    /// The states of the system.
    pub states: Vec<S>,
    /// The states of the machine, by number.
    pub positions: Vec<Position>,
    /// Where runs begin.
    pub initial: Vec<StateId>,
    /// Local transitions.
    pub locals: Vec<(StateId, StateId)>,
    /// Call transitions.
    pub calls: Vec<(StateId, StateId)>,
    /// Return transitions: from where, the pending call, and to where.
    pub returns: Vec<(StateId, StateId, StateId)>,
}

/// Finds all reachable states. `tick` is called every few thousand steps and can stop it.
///
/// # Errors
///
/// Why it was stopped before the end.
pub fn unfold<S: RecursiveSystem>(
    system: &S,
    config: &Config,
    mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Unfolded<S::State>, Stopped> {
    let mut search = Search {
        system,
        config,
        tick: &mut tick,
        states: Interner::default(),
        known: Vec::new(),
        edges: FxHashSet::default(),
        queue: VecDeque::new(),
        callers: FxHashMap::default(),
        exits: FxHashMap::default(),
        resumed: FxHashMap::default(),
        transitions: 0,
        steps: 0,
    };
    let mut initial = Vec::new();
    search.all(
        |out| system.initial(out),
        |search, found| {
            if let Move::Step(state) = found {
                initial.push(search.state(state));
            }
        },
    )?;
    for &state in &initial {
        search.known[state as usize].plainly = true;
        search.add(state, state)?;
    }
    while let Some((entry, state)) = search.queue.pop_front() {
        search.expand(entry, state)?;
    }
    Ok(search.finish(&initial))
}

/// What is known of a state.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Whether it has been asked for its moves.
    expanded: bool,
    is_exit: bool,
    /// Whether it is reached otherwise than by a return, and whether by one.
    plainly: bool,
    returned: bool,
    steps: Vec<u32>,
    /// Sites, and the states in which their callees begin; sorted.
    calls: Vec<(Site, u32)>,
}

impl Known {
    /// The site of the only thing that the state can do, if that is a call.
    fn only_call(&self) -> Option<Site> {
        let (&(first, _), rest) = self.calls.split_first()?;
        let only = self.steps.is_empty() && rest.iter().all(|&(site, _)| site == first);
        only.then_some(first)
    }
}

/// A call that has been made: the entry of the caller, its state, and the site.
type Caller = (u32, u32, Site);

struct Search<'s, S: RecursiveSystem> {
    system: &'s S,
    config: &'s Config,
    tick: &'s mut dyn FnMut(&Progress) -> ControlFlow<()>,
    states: Interner<S::State>,
    known: Vec<Known>,
    /// States with the entry state of their invocation.
    edges: FxHashSet<(u32, u32)>,
    queue: VecDeque<(u32, u32)>,
    callers: FxHashMap<u32, Vec<Caller>>,
    exits: FxHashMap<u32, Vec<u32>>,
    /// Where calls go on: by exit, state of the caller and site.
    resumed: FxHashMap<(u32, u32, Site), Vec<u32>>,
    transitions: u64,
    steps: u64,
}

impl<S: RecursiveSystem> Search<'_, S> {
    fn state(&mut self, state: S::State) -> u32 {
        let number = self.states.intern(state);
        if number as usize == self.known.len() {
            self.known.push(Known::default());
        }
        number
    }

    /// Asks for all moves, however many there are.
    fn all(
        &mut self,
        ask: impl Fn(&mut Moves<S::State>),
        mut found: impl FnMut(&mut Self, Move<S::State>),
    ) -> Result<(), Stopped> {
        let mut out = Moves::default();
        loop {
            ask(&mut out);
            let items: Vec<Move<S::State>> = out.drain().collect();
            for item in items {
                self.transitions += 1;
                found(self, item);
            }
            self.pulse()?;
            if out.cursor().is_empty() {
                return Ok(());
            }
        }
    }

    fn pulse(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if !self.steps.is_multiple_of(1024) {
            return Ok(());
        }
        let progress = self.progress();
        if self
            .config
            .max_bytes
            .is_some_and(|most| progress.bytes > most)
        {
            return Err(Stopped::Memory);
        }
        match (self.tick)(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped::Asked),
        }
    }

    fn progress(&self) -> Progress {
        let states = self.states.len() as u64;
        let edges = self.edges.len() as u64;
        let per_state = (size_of::<S::State>() + size_of::<Known>() + 16) as u64;
        Progress {
            states,
            path_edges: edges,
            summaries: self.resumed.len() as u64,
            waiting: self.queue.len() as u64,
            bytes: states * per_state + edges * 24 + self.transitions * 16,
        }
    }

    /// A state in the invocation that began in `entry`.
    fn add(&mut self, entry: u32, state: u32) -> Result<(), Stopped> {
        if self.edges.insert((entry, state)) {
            if self.edges.len() > u32::MAX as usize / 2 {
                return Err(Stopped::PathEdges);
            }
            self.queue.push_back((entry, state));
        }
        Ok(())
    }

    fn expand(&mut self, entry: u32, state: u32) -> Result<(), Stopped> {
        self.find_moves(state)?;
        let known = &self.known[state as usize];
        if known.is_exit {
            self.exits.entry(entry).or_default().push(state);
            for caller in self.callers.get(&entry).cloned().unwrap_or_default() {
                self.resume(caller, state)?;
            }
            return Ok(());
        }
        let (steps, calls) = (known.steps.clone(), known.calls.clone());
        for to in steps {
            self.known[to as usize].plainly = true;
            self.add(entry, to)?;
        }
        for (site, callee) in calls {
            self.known[callee as usize].plainly = true;
            self.add(callee, callee)?;
            let caller = (entry, state, site);
            self.callers.entry(callee).or_default().push(caller);
            for exit in self.exits.get(&callee).cloned().unwrap_or_default() {
                self.resume(caller, exit)?;
            }
        }
        Ok(())
    }

    fn find_moves(&mut self, state: u32) -> Result<(), Stopped> {
        if std::mem::replace(&mut self.known[state as usize].expanded, true) {
            return self.pulse();
        }
        let system = self.system;
        let value = self.states.get(state).clone();
        if system.is_exit(&value) {
            self.known[state as usize].is_exit = true;
            return Ok(());
        }
        let mut waiting = vec![value];
        let (mut steps, mut calls) = (Vec::new(), Vec::new());
        while let Some(value) = waiting.pop() {
            self.all(
                |out| system.moves(&value, out),
                |search, found| match found {
                    Move::Step(to) => steps.push(search.state(to)),
                    Move::Call { entry, site } => calls.push((site, search.state(entry))),
                    Move::Refine(to) => waiting.push(to),
                },
            )?;
        }
        steps.sort_unstable();
        steps.dedup();
        calls.sort_unstable();
        calls.dedup();
        let known = &mut self.known[state as usize];
        known.steps = steps;
        known.calls = calls;
        Ok(())
    }

    /// A call comes back.
    fn resume(&mut self, (entry, state, site): Caller, exit: u32) -> Result<(), Stopped> {
        let key = (exit, state, site);
        if !self.resumed.contains_key(&key) {
            let system = self.system;
            let caller = self.states.get(state).clone();
            let value = self.states.get(exit).clone();
            let mut list = Vec::new();
            self.all(
                |out| system.resume(&caller, site, &value, out),
                |search, found| {
                    if let Move::Step(to) = found {
                        list.push(search.state(to));
                    }
                },
            )?;
            for &to in &list {
                self.known[to as usize].returned = true;
            }
            self.resumed.insert(key, list);
        }
        for to in self.resumed[&key].clone() {
            self.add(entry, to)?;
        }
        Ok(())
    }

    fn finish(self, initial: &[u32]) -> Unfolded<S::State> {
        let mut numbers = FxHashMap::default();
        let mut machine = Unfolded {
            states: Vec::new(),
            positions: Vec::new(),
            initial: Vec::new(),
            locals: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
        };
        let known = &self.known;
        let mut number = |machine: &mut Unfolded<S::State>, position: Position| {
            let next = StateId(machine.positions.len() as u32);
            let number = *numbers.entry(position).or_insert(next);
            if number == next {
                machine.positions.push(position);
            }
            number
        };
        let at = |state: u32, kind| Position {
            state,
            kind,
            site: None,
        };
        let call = |state: u32, site| Position {
            state,
            kind: Kind::Call,
            site: Some(site),
        };
        let plain = |state: u32| match known[state as usize].only_call() {
            Some(site) => call(state, site),
            None => at(state, Kind::Local),
        };
        for &state in initial {
            let position = number(&mut machine, plain(state));
            machine.initial.push(position);
        }
        for (state, own) in (0u32..).zip(known) {
            let mut here = Vec::new();
            if own.plainly && own.only_call().is_none() {
                here.push(number(&mut machine, at(state, Kind::Local)));
            }
            if own.returned {
                here.push(number(&mut machine, at(state, Kind::Return)));
            }
            for &to in &own.steps {
                let to = number(&mut machine, plain(to));
                machine.locals.extend(here.iter().map(|&from| (from, to)));
            }
            for &(site, callee) in &own.calls {
                let from = number(&mut machine, call(state, site));
                machine.locals.extend(here.iter().map(|&at| (at, from)));
                let callee = number(&mut machine, plain(callee));
                machine.calls.push((from, callee));
            }
        }
        let mut resumed: Vec<_> = self.resumed.iter().collect();
        resumed.sort_unstable();
        for (&(exit, state, site), targets) in resumed {
            let pending = number(&mut machine, call(state, site));
            let own = &known[exit as usize];
            for (kind, there) in [(Kind::Local, own.plainly), (Kind::Return, own.returned)] {
                if !there {
                    continue;
                }
                let from = number(&mut machine, at(exit, kind));
                for &to in targets {
                    let to = number(&mut machine, at(to, Kind::Return));
                    machine.returns.push((from, pending, to));
                }
            }
        }
        machine.initial.sort_unstable();
        machine.initial.dedup();
        machine.states = self.states.into_values();
        machine
    }
}

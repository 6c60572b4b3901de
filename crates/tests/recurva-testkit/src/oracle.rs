//! The second reference: a naive fixpoint over states without a stack.
//!
//! It keeps the set of *path edges* (e, s): an invocation that begins in state e can be in
//! state s. Each round goes over all of them and adds whatever one step, one call or one
//! jump over a call gives, until a round adds nothing. All data is enumerated in full. Slow,
//! and short enough to be seen to be right.

use std::collections::{BTreeSet, HashMap, HashSet};

use recurva_model::{
    EdgeId, Monitor, NodeId, Point, ProcId, Program, Type,
    semantics::{Configuration, Frame, Machine},
};

use crate::{values, watch};

/// How far the fixpoint may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of path edges, and of jumps over calls.
    pub path_edges: usize,
    /// The largest number of choices of one step.
    pub choices: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            path_edges: 2_000_000,
            choices: 1 << 16,
        }
    }
}

/// What the fixpoint found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The nodes at which control can be.
    pub nodes: BTreeSet<Point>,
    /// The nodes with the monitor's state after reading; 0 without a monitor.
    pub watched: BTreeSet<(Point, u32)>,
    /// How many path edges there are.
    pub path_edges: usize,
    /// How many of them lead to an exit.
    pub summaries: usize,
}

/// All that is reachable in a program; `None` if a limit was hit.
pub fn reachable(program: &Program, limits: &Limits) -> Option<Facts> {
    Fixpoint::new(program, None, *limits).run()
}

/// All that is reachable in a program together with the state of a monitor; `None` if a
/// limit was hit.
pub fn watched(program: &Program, monitor: &Monitor, limits: &Limits) -> Option<Facts> {
    Fixpoint::new(program, Some(monitor), *limits).run()
}

/// A state: all of a configuration but the frames below the top.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    procedure: ProcId,
    node: NodeId,
    globals: Box<[u64]>,
    locals: Box<[u64]>,
    watch: u32,
}

impl State {
    fn of(configuration: &Configuration, watch: u32) -> Self {
        let top = configuration.top();
        State {
            procedure: top.procedure,
            node: top.node,
            globals: configuration.globals.clone(),
            locals: top.locals.clone(),
            watch,
        }
    }

    fn frame(&self, pending: Option<EdgeId>) -> Frame {
        let locals = self.locals.clone();
        Frame {
            procedure: self.procedure,
            node: self.node,
            pending,
            locals,
        }
    }
}

/// A state's number.
type Id = usize;

/// What a state can do by itself.
#[derive(Clone, Debug, Default)]
struct Moves {
    steps: Vec<Id>,
    /// The callee's first state and the edge of the call.
    calls: Vec<(Id, EdgeId)>,
}

struct Fixpoint<'p> {
    machine: Machine<'p>,
    monitor: Option<&'p Monitor>,
    limits: Limits,
    states: Vec<State>,
    ids: HashMap<State, Id>,
    path_edges: HashSet<(Id, Id)>,
    /// What a state does, and how a call goes on, never changes: worked out once.
    moves: HashMap<Id, Moves>,
    resumed: HashMap<(Id, EdgeId, Id), Vec<Id>>,
}

impl<'p> Fixpoint<'p> {
    fn new(program: &'p Program, monitor: Option<&'p Monitor>, limits: Limits) -> Self {
        Fixpoint {
            machine: Machine::new(program),
            monitor,
            limits,
            states: Vec::new(),
            ids: HashMap::new(),
            path_edges: HashSet::new(),
            moves: HashMap::new(),
            resumed: HashMap::new(),
        }
    }

    fn run(mut self) -> Option<Facts> {
        for entry in self.initial()? {
            self.path_edges.insert((entry, entry));
        }
        loop {
            let before = self.path_edges.len();
            self.round()?;
            if self.path_edges.len() == before {
                return Some(self.facts());
            }
        }
    }

    fn round(&mut self) -> Option<()> {
        let mut exits: HashMap<Id, Vec<Id>> = HashMap::new();
        for &(entry, state) in &self.path_edges {
            if self.is_exit(state) {
                exits.entry(entry).or_default().push(state);
            }
        }
        let known: Vec<(Id, Id)> = self.path_edges.iter().copied().collect();
        for (entry, state) in known {
            let moves = match self.moves.remove(&state) {
                Some(moves) => moves,
                None => self.moves_of(state)?,
            };
            for &to in &moves.steps {
                self.path_edges.insert((entry, to));
            }
            for &(callee, edge) in &moves.calls {
                // One state can have very many calls: look at the limit in here.
                if self.path_edges.len().max(self.resumed.len()) > self.limits.path_edges {
                    return None;
                }
                self.path_edges.insert((callee, callee));
                for &exit in exits.get(&callee).into_iter().flatten() {
                    for to in self.resume(state, edge, exit) {
                        self.path_edges.insert((entry, to));
                    }
                }
            }
            self.moves.insert(state, moves);
            if self.path_edges.len() > self.limits.path_edges {
                return None;
            }
        }
        Some(())
    }

    fn initial(&mut self) -> Option<Vec<Id>> {
        let main = self.machine.program().main();
        let globals = self.machine.global_types().to_vec();
        let types = [&globals, self.machine.local_types(main)].concat();
        let before = self.monitor.map_or(0, Monitor::initial);
        let mut states = Vec::new();
        for values in self.affordable(&types)? {
            let (globals, locals) = values.split_at(globals.len());
            let start = self.machine.start(globals, locals);
            self.arrive(
                &start.expect("values of the right types"),
                before,
                &mut states,
            );
        }
        Some(states)
    }

    fn moves_of(&mut self, id: Id) -> Option<Moves> {
        let mut moves = Moves::default();
        if self.is_exit(id) {
            return Some(moves);
        }
        let state = self.states[id].clone();
        let point = Point {
            procedure: state.procedure,
            node: state.node,
        };
        for (edge, _) in self.machine.program().edges_from(point) {
            let types = self.machine.choices(state.procedure, edge);
            for choices in self.affordable(&types)? {
                let globals = state.globals.clone();
                let mut next = Configuration {
                    globals,
                    stack: vec![state.frame(None)],
                };
                if self.machine.step(&mut next, edge, &choices).is_err() {
                    continue;
                }
                if next.stack.len() == 1 {
                    self.arrive(&next, state.watch, &mut moves.steps);
                } else {
                    let mut entries = Vec::new();
                    self.arrive(&next, state.watch, &mut entries);
                    moves
                        .calls
                        .extend(entries.into_iter().map(|entry| (entry, edge)));
                }
            }
        }
        Some(moves)
    }

    /// Where a caller goes on when the call it made along `edge` ends in state `exit`.
    fn resume(&mut self, caller: Id, edge: EdgeId, exit: Id) -> Vec<Id> {
        if let Some(known) = self.resumed.get(&(caller, edge, exit)) {
            return known.clone();
        }
        let (below, top) = (&self.states[caller], &self.states[exit]);
        let stack = vec![below.frame(Some(edge)), top.frame(None)];
        let mut next = Configuration {
            globals: top.globals.clone(),
            stack,
        };
        let watch = top.watch;
        let mut states = Vec::new();
        if self.machine.step_return(&mut next).is_ok() {
            self.arrive(&next, watch, &mut states);
        }
        self.resumed.insert((caller, edge, exit), states.clone());
        states
    }

    /// The states of a configuration that has just been reached, after the monitor read it.
    fn arrive(&mut self, configuration: &Configuration, watch: u32, out: &mut Vec<Id>) {
        for watch in watch::read(&self.machine, self.monitor, watch, configuration) {
            let state = State::of(configuration, watch);
            let new = self.states.len();
            let id = *self.ids.entry(state.clone()).or_insert(new);
            if id == new {
                self.states.push(state);
            }
            out.push(id);
        }
    }

    fn affordable<'t>(
        &self,
        types: &'t [Type],
    ) -> Option<impl Iterator<Item = Vec<u64>> + use<'t>> {
        let number = values::count(types)?;
        (number <= self.limits.choices).then(|| values::all(types))
    }

    fn is_exit(&self, id: Id) -> bool {
        let state = &self.states[id];
        self.machine.program().procedure(state.procedure).exit == state.node
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts {
            path_edges: self.path_edges.len(),
            ..Facts::default()
        };
        for &(_, id) in &self.path_edges {
            let state = &self.states[id];
            let point = Point {
                procedure: state.procedure,
                node: state.node,
            };
            facts.nodes.insert(point);
            facts.watched.insert((point, state.watch));
            facts.summaries += usize::from(self.is_exit(id));
        }
        facts
    }
}

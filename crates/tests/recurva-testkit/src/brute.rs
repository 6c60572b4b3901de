//! Brute force: a search over whole configurations with the real stack.
//!
//! Recursion makes the configurations infinitely many, so the search raises a bound on the
//! number of frames step by step. Often it can tell that a higher bound would show nothing
//! new, and then its answer is exact.
//!
//! # When the answer is exact
//!
//! An *entry* is the state (globals, locals, monitor state) in which an invocation begins. A
//! *summary* is an entry with a state at the exit of the same invocation. Write T_h(e) for
//! the exits that entry e can have in runs of the invocation that use at most h frames, its
//! own included. For a bound k let E_k, S_k and N_k be the entries, summaries and nodes that
//! the search sees, and d(e) the smallest depth (main's is 1) at which it sees e.
//!
//! 1. S_k(e) = T_{k−d(e)+1}(e): at depth d(e) the search has room for that many frames, and
//!    an occurrence of e at a greater depth has room for fewer.
//! 2. Let D be the largest d(e), and let E, d, S and N be the same for all bounds from k to
//!    k + D + 1. By 1, T_h(e) is the same for all h from k − d(e) + 1 to k + D + 2 − d(e).
//!    Since 1 ≤ d(e) ≤ D this range contains k, k + 1 and k + 2, whatever e is: T_k = T_{k+1}
//!    on E.
//! 3. T_{h+1}(e) is a function of T_h: the states that e's own frame reaches by its own steps
//!    and by jumping over calls with T_h. A call that is made on the way begins in some entry
//!    e′. For h = k such a run fits into d(e) + k ≤ k + D frames, so by 2 its e′ is in E.
//! 4. So T_{k+1} on E is computed from T_k on E, and with T_k = T_{k+1} on E all later T_h
//!    are the same on E, and reach no other entries, by induction.
//! 5. Take any run of any depth. Its first entry is in E. If a frame's entry is in E, then by
//!    4 what the frame reaches is reached with T_k and thus within the bound k + D: its
//!    node is in N and the entries it calls are in E. So N is exact.
//!
//! A run that never needs more frames than the bound is the simple case: nothing was cut off.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use recurva_model::{
    Action, Monitor, Point, Program,
    semantics::{Configuration, Machine},
};

use crate::{values, watch};

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of frames on the stack.
    pub frames: usize,
    /// The largest number of configurations.
    pub configurations: usize,
    /// The largest number of choices of one step.
    pub choices: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            frames: 24,
            configurations: 200_000,
            choices: 1 << 12,
        }
    }
}

/// What brute force found.
#[derive(Clone, Debug, Default)]
pub struct Brute {
    /// The nodes at which control can be.
    pub nodes: BTreeSet<Point>,
    /// The nodes at which control can be, with the monitor's state after reading the
    /// configuration; 0 without a monitor.
    pub watched: BTreeSet<(Point, u32)>,
    /// Whether the sets are complete. If not, all that is in them is reachable all the same.
    pub exhaustive: bool,
    /// How many configurations (with a monitor state) were seen.
    pub configurations: usize,
    /// The largest number of frames that was seen.
    pub frames: usize,
    /// Whether some configuration holds two frames of one procedure.
    pub recursive: bool,
    /// Whether some call returned a result to a variable.
    pub results_used: bool,
}

/// Searches all configurations of a program.
pub fn reachable(program: &Program, limits: &Limits) -> Brute {
    Search::new(program, None, *limits).run()
}

/// Searches all configurations of a program together with the state of a monitor.
pub fn watched(program: &Program, monitor: &Monitor, limits: &Limits) -> Brute {
    Search::new(program, Some(monitor), *limits).run()
}

/// The number of steps (calls and returns count one each) after which a configuration can
/// have control at one of the nodes, or, with a monitor, after which the monitor can be in a
/// target state: the length of the shortest counterexample. `None` if there is no such
/// configuration or a limit was hit.
pub fn distance(
    program: &Program,
    monitor: Option<&Monitor>,
    targets: &BTreeSet<Point>,
    limits: &Limits,
) -> Option<usize> {
    let mut search = Search::new(program, monitor, *limits);
    search.bound = usize::MAX;
    search.start();
    let hit = |item: &Item| {
        let here = targets.contains(&item.configuration.top().point());
        let warned = monitor.is_some_and(|m| m.states()[item.watch as usize].target);
        if monitor.is_some() { warned } else { here }
    };
    for steps in 0.. {
        let layer = std::mem::take(&mut search.open);
        if layer.iter().any(hit) {
            return Some(steps);
        }
        if layer.is_empty() || search.overflow {
            return None;
        }
        for item in layer {
            search.expand(&item);
        }
    }
    None
}

/// A configuration, the monitor's state, and the entries in which its frames began.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Item {
    configuration: Configuration,
    watch: u32,
    entries: Vec<usize>,
}

/// The state of an invocation at its entry or exit: values of the globals and the locals
/// behind a procedure's index, and the monitor's state.
type State = (u32, Box<[u64]>, Box<[u64]>, u32);

/// What must stay the same while the bound is raised. Numbers are enough: the sets only grow,
/// and the depths of entries only shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Snapshot {
    entries: usize,
    depths: usize,
    summaries: usize,
    nodes: usize,
}

struct Search<'p> {
    machine: Machine<'p>,
    monitor: Option<&'p Monitor>,
    limits: Limits,
    bound: usize,
    overflow: bool,
    seen: HashSet<Item>,
    open: VecDeque<Item>,
    /// Configurations with calls that the bound has cut off.
    cut: Vec<Item>,
    entries: HashMap<State, usize>,
    /// The smallest depth of each entry.
    depths: Vec<usize>,
    summaries: HashSet<(usize, State)>,
    found: Brute,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, monitor: Option<&'p Monitor>, limits: Limits) -> Self {
        Search {
            machine: Machine::new(program),
            monitor,
            limits,
            bound: 1,
            overflow: false,
            seen: HashSet::new(),
            open: VecDeque::new(),
            cut: Vec::new(),
            entries: HashMap::new(),
            depths: Vec::new(),
            summaries: HashSet::new(),
            found: Brute::default(),
        }
    }

    fn run(mut self) -> Brute {
        self.start();
        if self.overflow {
            return self.finish(false);
        }
        let mut last = Snapshot::default();
        let mut unchanged_since = self.bound;
        loop {
            while let Some(item) = self.open.pop_front() {
                self.expand(&item);
                if self.overflow {
                    return self.finish(false);
                }
            }
            if self.cut.is_empty() {
                return self.finish(true);
            }
            let now = self.snapshot();
            if now != last {
                last = now;
                unchanged_since = self.bound;
            }
            let deepest_entry = self.depths.iter().copied().max().unwrap_or(0);
            if self.bound > unchanged_since + deepest_entry {
                return self.finish(true);
            }
            if self.bound == self.limits.frames {
                return self.finish(false);
            }
            self.bound += 1;
            self.open.extend(self.cut.drain(..));
        }
    }

    fn finish(mut self, exhaustive: bool) -> Brute {
        self.found.exhaustive = exhaustive;
        self.found.configurations = self.seen.len();
        self.found
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            entries: self.entries.len(),
            depths: self.depths.iter().sum(),
            summaries: self.summaries.len(),
            nodes: self.found.watched.len(),
        }
    }

    /// Begins with every value of the globals and of main's locals.
    fn start(&mut self) {
        let program = self.machine.program();
        let globals = self.machine.global_types().to_vec();
        let locals = self.machine.local_types(program.main()).to_vec();
        let all = [globals.clone(), locals].concat();
        if !self.affordable(&all) {
            return;
        }
        for values in values::all(&all) {
            let (globals, locals) = values.split_at(globals.len());
            let start = self.machine.start(globals, locals);
            let configuration = start.expect("values of the right types");
            let before = self.monitor.map_or(0, Monitor::initial);
            for watch in watch::read(&self.machine, self.monitor, before, &configuration) {
                self.invoke(configuration.clone(), watch, Vec::new());
            }
        }
    }

    fn affordable(&mut self, types: &[recurva_model::Type]) -> bool {
        let affordable = values::count(types).is_some_and(|n| n <= self.limits.choices);
        self.overflow |= !affordable;
        affordable
    }

    /// Adds a configuration whose top frame has just begun.
    fn invoke(&mut self, configuration: Configuration, watch: u32, mut entries: Vec<usize>) {
        let new = self.entries.len();
        let entry = *self
            .entries
            .entry(state(&configuration, watch))
            .or_insert(new);
        let depth = configuration.stack.len();
        match self.depths.get_mut(entry) {
            Some(least) => *least = depth.min(*least),
            None => self.depths.push(depth),
        }
        entries.push(entry);
        self.add(Item {
            configuration,
            watch,
            entries,
        });
    }

    fn add(&mut self, item: Item) {
        let stack = &item.configuration.stack;
        let point = item.configuration.top().point();
        self.found.nodes.insert(point);
        self.found.watched.insert((point, item.watch));
        self.found.frames = self.found.frames.max(stack.len());
        let below = &stack[..stack.len() - 1];
        self.found.recursive |= below.iter().any(|f| f.procedure == point.procedure);
        if self.machine.at_exit(&item.configuration) {
            let entry = *item.entries.last().expect("an entry for each frame");
            self.summaries
                .insert((entry, state(&item.configuration, item.watch)));
        }
        if self.seen.insert(item.clone()) {
            self.overflow |= self.seen.len() > self.limits.configurations;
            self.open.push_back(item);
        }
    }

    /// Adds all that one step from an item can lead to within the bound.
    fn expand(&mut self, item: &Item) {
        let program = self.machine.program();
        if self.machine.at_exit(&item.configuration) {
            let mut next = item.configuration.clone();
            if self.machine.step_return(&mut next).is_ok() {
                self.found.results_used |= uses_results(program, &item.configuration);
                let callers = &item.entries[..item.entries.len() - 1];
                self.arrive(&next, item.watch, callers);
            }
            return;
        }
        let mut cut = false;
        let point = item.configuration.top().point();
        for (id, edge) in program.edges_from(point) {
            let call = matches!(edge.action, Action::Call { .. });
            if call && item.configuration.stack.len() >= self.bound {
                cut = true;
                continue;
            }
            let types = self.machine.choices(point.procedure, id);
            if !self.affordable(&types) {
                continue;
            }
            for choices in values::all(&types) {
                let mut next = item.configuration.clone();
                if self.machine.step(&mut next, id, &choices).is_err() {
                    continue;
                }
                if call {
                    for watch in watch::read(&self.machine, self.monitor, item.watch, &next) {
                        self.invoke(next.clone(), watch, item.entries.clone());
                    }
                } else {
                    self.arrive(&next, item.watch, &item.entries);
                }
            }
        }
        if cut {
            self.cut.push(item.clone());
        }
    }

    /// Adds a configuration whose frames are all older than the step that led to it.
    fn arrive(&mut self, configuration: &Configuration, watch: u32, entries: &[usize]) {
        for watch in watch::read(&self.machine, self.monitor, watch, configuration) {
            let entries = entries.to_vec();
            self.add(Item {
                configuration: configuration.clone(),
                watch,
                entries,
            });
        }
    }
}

fn state(configuration: &Configuration, watch: u32) -> State {
    let top = configuration.top();
    (
        top.procedure.0,
        configuration.globals.clone(),
        top.locals.clone(),
        watch,
    )
}

/// Whether the call that is about to return stores a result.
fn uses_results(program: &Program, configuration: &Configuration) -> bool {
    let [.., caller, _] = &configuration.stack[..] else {
        return false;
    };
    let edge = caller
        .pending
        .map(|edge| program.edge(caller.procedure, edge));
    edge.is_some_and(|edge| match &edge.action {
        Action::Call { results, .. } => results.iter().any(Option::is_some),
        Action::Assign { .. } => false,
    })
}

/// The labels of a program with whether one of their nodes is among `nodes`.
pub fn labels<'p>(program: &'p Program, nodes: &BTreeSet<Point>) -> BTreeMap<&'p str, bool> {
    let mut labels = BTreeMap::new();
    for label in program.labels() {
        *labels.entry(&*label.name).or_insert(false) |= nodes.contains(&label.point);
    }
    labels
}

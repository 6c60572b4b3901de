//! The machine: a run of a module in a world.

use super::layout::Layout;
use super::memory::Memory;
use super::observe::{Change, Event, Happened, Observer, View};
use super::outcome::{Options, Outcome};
use super::snapshot::Snapshot;
use super::state::{Frame, State};
use super::step::Stop;
use super::world::{MemoryAccess, World};
use crate::{FunctionId, Module, NodeId};

/// To evaluate an expression takes a stack as deep as it is nested: this deep fits any thread's.
const MOST_NESTED: usize = 5000;

/// A run of a valid module in a world.
pub struct Machine<'m> {
    pub(crate) state: State<'m>,
    pub(crate) world: &'m mut dyn World,
    pub(crate) options: Options,
    pub(crate) observer: Option<&'m mut dyn Observer>,
    /// What the step changed, if somebody observes it.
    pub(crate) changes: Vec<Change>,
    pub(crate) happened: Happened,
    /// The edge that is taken.
    pub(crate) edge: Option<usize>,
    steps: u64,
    end: Option<Outcome>,
}

impl<'m> Machine<'m> {
    /// A machine at the beginning of a run. The module must be valid, see [`crate::validate`].
    pub fn new(module: &'m Module, world: &'m mut dyn World, options: Options) -> Self {
        let layout = Layout::new(module);
        let memory = Memory::new(module, &layout, options.memory);
        let state = State {
            module,
            layout,
            memory,
            top: Frame {
                function: module.entry,
                node: NodeId(0),
                edge: 0,
                objects: 0,
                bytes: 0,
                address: 0,
                arguments: 0,
            },
            below: Vec::new(),
            slots: Vec::new(),
            has_returned: false,
            frame_limit: options.frames,
        };
        let mut machine = Machine {
            state,
            world,
            options,
            observer: None,
            changes: Vec::new(),
            happened: Happened::Moved,
            edge: None,
            steps: 0,
            end: None,
        };
        if let Err(stop) = machine.begin() {
            machine.end = Some(machine.outcome(stop));
        }
        machine
    }

    fn begin(&mut self) -> Result<(), Stop> {
        let entry = self.state.module.entry;
        if !self.state.module.function(entry).has_body() {
            let text = "the program begins in a function without a body";
            return Err(Stop::unsupported(text));
        }
        if self.state.layout.depth > MOST_NESTED {
            return Err(Stop::unsupported("an expression is nested too deeply"));
        }
        self.world.begin(&mut MemoryAccess {
            state: &mut self.state,
        });
        self.state.top = self.state.make_frame(entry, 0)?;
        self.choose_parameters()
    }

    /// Has each step observed.
    #[must_use]
    pub fn observed(mut self, observer: &'m mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// How many steps there have been.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the run has got to.
    pub fn view(&self) -> View<'_, 'm> {
        View { state: &self.state }
    }

    /// All that decides how the run goes on, but for what the world does.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.state)
    }

    /// Whether all that decides how the run goes on is as it was.
    pub fn is_at(&self, snapshot: &Snapshot) -> bool {
        snapshot.is_of(&self.state)
    }

    /// Takes an edge, or returns from a function; the outcome if the run is over.
    pub fn step(&mut self) -> Option<Outcome> {
        if self.end.is_some() {
            return self.end.clone();
        }
        self.steps += 1;
        let depth = self.state.depth();
        let function = self.state.top.function;
        match self.advance() {
            Ok(()) => {
                if self.observer.is_some() {
                    self.report(depth, function);
                }
                None
            }
            Err(stop) => {
                self.end = Some(self.outcome(stop));
                self.end.clone()
            }
        }
    }

    /// Runs to the end, or to the limit on steps.
    pub fn run(&mut self) -> Outcome {
        self.run_while(u64::MAX, &mut || true)
    }

    /// Runs as long as the caller wants, who is asked every so many steps.
    pub fn run_while(&mut self, every: u64, goes_on: &mut dyn FnMut() -> bool) -> Outcome {
        loop {
            let left = self.options.steps.saturating_sub(self.steps);
            for _ in 0..left.min(every) {
                if let Some(outcome) = self.step() {
                    return outcome;
                }
            }
            if left <= every {
                return self.end.clone().unwrap_or(Outcome::OutOfSteps);
            }
            if !goes_on() {
                return Outcome::Interrupted;
            }
        }
    }

    fn report(&mut self, depth: usize, function: FunctionId) {
        let Some(observer) = self.observer.take() else {
            return;
        };
        let event = Event {
            depth,
            function,
            edge: self.edge.map(|it| it as u32),
            happened: self.happened,
            changes: &self.changes,
        };
        observer.step(&event, &View { state: &self.state });
        self.observer = Some(observer);
        self.changes.clear();
        self.happened = Happened::Moved;
    }

    /// Why the run ends.
    fn outcome(&self, stop: Stop) -> Outcome {
        let position = self.state.position(self.edge);
        match stop {
            Stop::Fault(check) if self.options.errors.contains(check) => {
                Outcome::CheckFailed(check, position)
            }
            Stop::Fault(check) => Outcome::Undefined(check, position),
            Stop::Full => Outcome::OutOfMemory(position),
            Stop::Exited(code) => Outcome::Exited(code),
            Stop::Aborted => Outcome::Aborted(position),
            Stop::Blocked => Outcome::Blocked(position),
            Stop::Failed(kind) => Outcome::Failed(*kind, position),
            Stop::Unsupported(text) => Outcome::Unsupported(*text, position),
            Stop::NoChoice(error) => Outcome::NoChoice(*error, position),
        }
    }
}

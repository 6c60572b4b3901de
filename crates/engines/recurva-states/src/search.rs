//! The search: that of `recurva-explicit`, but for entry states that have values in common.

use std::collections::BTreeSet;

use recurva_explicit::program::{PointSet, ProgramSystem, Words};
use recurva_model::{Move, Moves, Patience, ProcId, Program, RecursiveSystem, Site, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Config, Limit,
    entries::{Scalar, Settled, known_at_entry, scalars},
};

/// Why a search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A target was found.
    Reached,
    TooLarge(Limit),
    Stopped,
}

impl From<Stop> for End {
    fn from(Stop: Stop) -> Self {
        End::Stopped
    }
}

/// How often a system may be asked for more choices of one step. It tries about a thousand each time.
const MAX_PAUSES: u32 = 1 << 14;

/// The values that an entry state knows.
pub(crate) type Known = Box<[Option<u64>]>;

/// A state with the entry state of its invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    /// Index into [`Search::contexts`].
    pub(crate) context: u32,
    /// Index into [`Search::states`].
    pub(crate) state: u32,
}

/// An entry state.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) procedure: ProcId,
    /// What it knows of the globals and parameters.
    pub(crate) known: Known,
    /// Who calls, and where.
    pub(crate) callers: Vec<(Edge, Site)>,
    /// The states at the exit that were found.
    pub(crate) exits: Vec<u32>,
    /// Other entry states that stand for some of the same values.
    pub(crate) meets: Vec<u32>,
}

/// See [the module](self).
pub(crate) struct Search<'s, 'p, W> {
    pub(crate) program: &'p Program,
    pub(crate) system: &'s ProgramSystem<'p, W>,
    settled: &'s Settled,
    config: &'s Config,
    pub(crate) states: Vec<W>,
    numbers: FxHashMap<W, u32>,
    pub(crate) edges: FxHashSet<Edge>,
    waiting: Vec<Edge>,
    pub(crate) contexts: Vec<Context>,
    /// The context of an entry state.
    entered: FxHashMap<u32, u32>,
    /// The contexts of each procedure, by what is open in them: among those where the same is open, no two
    /// have values in common.
    of_procedure: Vec<FxHashMap<Box<[bool]>, Vec<u32>>>,
    /// For each procedure its scalars, and how many are known at the entry.
    pub(crate) scalars: Vec<(Vec<Scalar>, usize)>,
    called: FxHashSet<(Edge, Site, u32)>,
    /// Scalars that are open in one entry state and known in another that has values in common with it.
    open: BTreeSet<(ProcId, usize)>,
    /// Whether some call was taken up after the exit of an entry state that is not its own.
    has_mixed: bool,
}

/// What the system is asked.
#[derive(Clone, Copy)]
enum Work {
    Begin,
    Expand(Edge),
    Resume(Edge, Site, u32),
}

impl<'s, 'p, W: Words> Search<'s, 'p, W> {
    pub(crate) fn new(
        program: &'p Program,
        system: &'s ProgramSystem<'p, W>,
        settled: &'s Settled,
        config: &'s Config,
    ) -> Self {
        let procedures = 0..program.procedures().len() as u32;
        Search {
            program,
            system,
            settled,
            config,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            edges: FxHashSet::default(),
            waiting: Vec::new(),
            contexts: Vec::new(),
            entered: FxHashMap::default(),
            of_procedure: vec![FxHashMap::default(); program.procedures().len()],
            scalars: procedures
                .map(ProcId)
                .map(|procedure| {
                    let all = scalars(program, procedure);
                    let known = known_at_entry(program, &all, procedure);
                    (all, known)
                })
                .collect(),
            called: FxHashSet::default(),
            open: BTreeSet::new(),
            has_mixed: false,
        }
    }

    pub(crate) fn has_mixed(&self) -> bool {
        self.has_mixed
    }

    pub(crate) fn into_open(self) -> BTreeSet<(ProcId, usize)> {
        self.open
    }

    /// Finds all path edges, none of which is at a target.
    pub(crate) fn run(
        &mut self,
        targets: &PointSet,
        patience: &mut Patience<'_>,
    ) -> Result<(), End> {
        self.perform(Work::Begin, patience)?;
        while let Some(edge) = self.waiting.pop() {
            let state = &self.states[edge.state as usize];
            if self.system.is_at(state, targets) {
                return Err(End::Reached);
            }
            if self.system.is_exit(state) {
                self.leave(edge, patience)?;
            } else {
                self.perform(Work::Expand(edge), patience)?;
            }
        }
        Ok(())
    }

    fn perform(&mut self, work: Work, patience: &mut Patience<'_>) -> Result<(), End> {
        let mut moves = Moves::default();
        for _ in 0..MAX_PAUSES {
            patience.step()?;
            match work {
                Work::Begin => self.system.initial(&mut moves),
                Work::Expand(edge) => {
                    let state = &self.states[edge.state as usize];
                    self.system.moves(state, &mut moves);
                }
                Work::Resume(caller, site, exit) => {
                    let from = &self.states[caller.state as usize];
                    let exit = &self.states[exit as usize];
                    self.system.resume(from, site, exit, &mut moves);
                }
            }
            let is_done = moves.cursor().is_empty();
            if moves.items().is_empty() && !is_done {
                patience.work(1 << 12)?;
            }
            for item in moves.drain() {
                self.discover(work, item, patience)?;
            }
            if is_done {
                return Ok(());
            }
        }
        Err(End::TooLarge(Limit::Choices))
    }

    fn discover(
        &mut self,
        work: Work,
        item: Move<W>,
        patience: &mut Patience<'_>,
    ) -> Result<(), End> {
        match (work, item) {
            (Work::Begin, Move::Step(state) | Move::Refine(state)) => {
                self.enter(state, None, patience)
            }
            (Work::Expand(from), Move::Call { entry, site }) => {
                self.enter(entry, Some((from, site)), patience)
            }
            (Work::Expand(from) | Work::Resume(from, ..), Move::Step(to) | Move::Refine(to)) => {
                let state = self.intern(to);
                self.add(Edge {
                    context: from.context,
                    state,
                })
            }
            // The trait asks for steps here; a call has no caller to come from.
            (Work::Begin | Work::Resume(..), Move::Call { .. }) => Ok(()),
        }
    }

    fn add(&mut self, edge: Edge) -> Result<(), End> {
        if self.edges.insert(edge) {
            self.waiting.push(edge);
            if self.edges.len() > self.config.max_path_edges {
                return Err(End::TooLarge(Limit::PathEdges));
            }
            if self
                .config
                .max_bytes
                .is_some_and(|most| self.bytes() > most)
            {
                return Err(End::TooLarge(Limit::Memory));
            }
        }
        Ok(())
    }

    fn intern(&mut self, state: W) -> u32 {
        let next = self.states.len() as u32;
        let states = &mut self.states;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            next
        })
    }

    /// The number of a state, if it was found.
    pub(crate) fn number(&self, state: &W) -> Option<u32> {
        self.numbers.get(state).copied()
    }

    /// About how many bytes are held.
    fn bytes(&self) -> u64 {
        let state = self.states.first().map_or(0, |it| it.as_slice().len() * 8);
        let entry = self.contexts.first().map_or(0, |it| it.known.len() * 16);
        let bytes = self.states.len() * (2 * state + 24)
            + self.edges.len() * 24
            + self.called.len() * 48
            + self.contexts.len() * (entry + 128);
        bytes as u64
    }

    /// An invocation begins, called or as the first one.
    fn enter(
        &mut self,
        entry: W,
        caller: Option<(Edge, Site)>,
        patience: &mut Patience<'_>,
    ) -> Result<(), End> {
        let procedure = self.system.point(&entry).procedure;
        let scalars = &self.scalars[procedure.index()].0;
        let most = self.config.max_path_edges;
        let entries = self.settled.complete(self.system, scalars, entry, most);
        for entry in entries.ok_or(End::TooLarge(Limit::Choices))? {
            patience.step()?;
            let state = self.intern(entry);
            let context = match self.entered.get(&state) {
                Some(&known) => known,
                None => self.new_context(procedure, state, patience)?,
            };
            self.add(Edge { context, state })?;
            let Some((from, site)) = caller else { continue };
            if !self.called.insert((from, site, context)) {
                continue;
            }
            self.contexts[context as usize].callers.push((from, site));
            self.resume_all(from, site, context, patience)?;
            for other in self.contexts[context as usize].meets.clone() {
                self.has_mixed |= !self.contexts[other as usize].exits.is_empty();
                self.resume_all(from, site, other, patience)?;
            }
        }
        Ok(())
    }

    /// A call goes on after each exit of an entry state.
    fn resume_all(
        &mut self,
        from: Edge,
        site: Site,
        context: u32,
        patience: &mut Patience<'_>,
    ) -> Result<(), End> {
        // Nothing is added to the exits meanwhile: states only begin to wait.
        for index in 0..self.contexts[context as usize].exits.len() {
            let exit = self.contexts[context as usize].exits[index];
            self.perform(Work::Resume(from, site, exit), patience)?;
        }
        Ok(())
    }

    /// An exit is reached: whoever called goes on.
    fn leave(&mut self, exit: Edge, patience: &mut Patience<'_>) -> Result<(), End> {
        let own = &mut self.contexts[exit.context as usize];
        own.exits.push(exit.state);
        for (from, site) in own.callers.clone() {
            self.perform(Work::Resume(from, site, exit.state), patience)?;
        }
        for other in self.contexts[exit.context as usize].meets.clone() {
            for (from, site) in self.contexts[other as usize].callers.clone() {
                self.has_mixed = true;
                self.perform(Work::Resume(from, site, exit.state), patience)?;
            }
        }
        Ok(())
    }

    fn new_context(
        &mut self,
        procedure: ProcId,
        entry: u32,
        patience: &mut Patience<'_>,
    ) -> Result<u32, Stop> {
        let number = self.contexts.len() as u32;
        let mut known = self.system.known(&self.states[entry as usize]).concat();
        known.truncate(self.scalars[procedure.index()].1);
        let here: Box<[bool]> = known.iter().map(Option::is_none).collect();
        let mut meets = Vec::new();
        for (open, others) in &self.of_procedure[procedure.index()] {
            if *open == here {
                continue;
            }
            patience.work(8 * others.len() as u64)?;
            let values = |&other: &u32| &*self.contexts[other as usize].known;
            let before = meets.len();
            meets.extend(
                (others.iter().copied()).filter(|it| have_common_values(&known, values(it))),
            );
            if meets.len() > before {
                let differ = (0..).zip(open.iter().zip(&here));
                let differ = differ.filter(|(_, (one, two))| one != two);
                self.open
                    .extend(differ.map(|(number, _)| (procedure, number)));
            }
        }
        for &other in &meets {
            self.contexts[other as usize].meets.push(number);
        }
        let alike = self.of_procedure[procedure.index()].entry(here);
        alike.or_default().push(number);
        self.entered.insert(entry, number);
        self.contexts.push(Context {
            procedure,
            known: known.into(),
            callers: Vec::new(),
            exits: Vec::new(),
            meets,
        });
        Ok(number)
    }
}

/// Whether two entry states stand for some of the same values.
pub(crate) fn have_common_values(one: &[Option<u64>], two: &[Option<u64>]) -> bool {
    one.iter().zip(two).all(|pair| match pair {
        (Some(one), Some(two)) => one == two,
        _ => true,
    })
}

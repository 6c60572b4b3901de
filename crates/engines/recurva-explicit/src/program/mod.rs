//! Programs as recursive systems: bit-packed states, compiled edges, lazy choices.
//!
//! A state is a few machine words: the control point, the state of a monitor or an automaton
//! if one watches, and the variables in scope. Two reductions keep the number of states down; each can
//! be switched off ([`Reductions`]):
//!
//! - **Liveness**: variables whose value cannot matter any more are forgotten.
//! - **Laziness**: a variable without a value, or assigned `*`, is *unknown* until it is
//!   read. Only then is the state split, one successor for each value, and only as many of
//!   them are computed as the search asks for.
//!
//! Forgotten and unknown look the same in a state: an unknown variable stands for all its
//! values.

mod attempt;
mod choices;
mod code;
mod compile;
mod concrete;
mod layout;
mod watch;
mod watcher;
mod words;

pub use recurva_model::Ending;
use recurva_model::{Move, Moves, Patience, Point, ProcId, Program, RecursiveSystem, Site, Stop};

use crate::fair::{FairSystem, Marks};

use attempt::Attempt;
use choices::Choices;
use compile::{Compiled, PointId};
pub use concrete::{Backward, Values};
pub use watcher::Observer;
use watcher::Watcher;
pub use words::{Inline, Words};

/// Which reductions of the state space are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Forget variables that are dead.
    pub liveness: bool,
    /// Leave unknown variables unknown until they are read.
    pub laziness: bool,
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions {
            liveness: true,
            laziness: true,
        }
    }
}

/// A program, perhaps watched by a monitor or an automaton, as a [`RecursiveSystem`], and as a
/// [`FairSystem`] whose marks are those of who watches. With nobody watching every infinite run
/// is fair.
///
/// `W` holds the bits of a state. Use [`Prepared::words_needed`] to pick it.
#[derive(Debug)]
pub struct ProgramSystem<'p, W> {
    program: &'p Program,
    compiled: Compiled,
    reductions: Reductions,
    watcher: Option<Watcher>,
    words: std::marker::PhantomData<W>,
}

/// A program compiled, before the width of its states is fixed.
#[derive(Debug)]
pub struct Prepared<'p> {
    program: &'p Program,
    compiled: Compiled,
    reductions: Reductions,
    watcher: Option<Watcher>,
}

impl<'p> Prepared<'p> {
    /// Compiles a program and who watches it.
    pub fn new(
        program: &'p Program,
        observer: Observer<'_>,
        reductions: Reductions,
        ending: Ending,
    ) -> Self {
        let patience = &mut Patience::endless();
        let prepared = Self::with_patience(program, observer, reductions, ending, patience);
        prepared.expect("patience has no end")
    }

    /// The same for those who may not want to wait for it.
    ///
    /// # Errors
    ///
    /// If patience ends before the program is compiled.
    pub fn with_patience(
        program: &'p Program,
        observer: Observer<'_>,
        reductions: Reductions,
        ending: Ending,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let watcher = Watcher::new(observer);
        let compiled = Compiled::new(program, watcher.as_ref(), reductions, ending, patience)?;
        Ok(Prepared {
            program,
            compiled,
            reductions,
            watcher,
        })
    }

    /// How many 64-bit words a state takes.
    pub fn words_needed(&self) -> usize {
        self.compiled.layout.words
    }

    /// Fixes the type of states; it must hold [`Self::words_needed`] words.
    pub fn with_words<W: Words>(self) -> ProgramSystem<'p, W> {
        let Prepared {
            program,
            compiled,
            reductions,
            watcher,
        } = self;
        ProgramSystem {
            program,
            compiled,
            reductions,
            watcher,
            words: std::marker::PhantomData,
        }
    }
}

/// A set of control points of a [`ProgramSystem`].
#[derive(Clone, Debug)]
pub struct PointSet {
    members: Vec<bool>,
}

/// So many moves of an edge are computed at a time.
const BATCH: usize = 4;
/// So many combinations of an edge's choices are tried at a time, whether or not they give a
/// move.
const TRIES: usize = 1024;

impl<W: Words> ProgramSystem<'_, W> {
    /// The control point of a state.
    pub fn point(&self, state: &W) -> Point {
        self.compiled.points[self.point_id(state) as usize].point
    }

    /// The procedure that is called at a site.
    pub fn callee(&self, site: Site) -> ProcId {
        self.compiled.calls[site.0 as usize].callee
    }

    /// A set of control points, to test states against.
    pub fn point_set(&self, points: impl IntoIterator<Item = Point>) -> PointSet {
        let Compiled {
            points: known,
            outermost,
            ..
        } = &self.compiled;
        let mut members = vec![false; known.len()];
        for point in points {
            members[self.compiled.point_id(point) as usize] = true;
            if point.procedure == self.program.main() {
                members[(outermost + point.node.0) as usize] = true;
            }
        }
        PointSet { members }
    }

    /// Whether control is at one of these points.
    pub fn is_at(&self, state: &W, points: &PointSet) -> bool {
        points.members[self.point_id(state) as usize]
    }

    /// Whether the run is over in this state, and stutters.
    pub fn is_final(&self, state: &W) -> bool {
        self.compiled.points[self.point_id(state) as usize].is_final
    }

    /// Whether the monitor is in one of its target states.
    pub fn is_monitor_target(&self, state: &W) -> bool {
        let states = self.watcher.as_ref().map(|watcher| &watcher.states);
        states.is_some_and(|states| states[self.monitor_state(state) as usize].target)
    }

    /// The state of who watches, 0 for nobody. Those of an automaton are told apart by the
    /// marks of the edge that led to them, and have numbers of their own.
    pub fn monitor_state(&self, state: &W) -> u32 {
        self.compiled.layout.monitor.get(state.as_slice()) as u32
    }

    fn point_id(&self, state: &W) -> PointId {
        self.compiled.layout.point.get(state.as_slice()) as PointId
    }

    /// Runs `attempt` for each of `count` things and all their choices, from where the cursor
    /// says. Each of them gets a share of the work in turn: one with very many choices, most of
    /// which may lead nowhere new, does not keep the others waiting.
    fn enumerate(
        &self,
        count: u64,
        out: &mut Moves<W>,
        mut attempt: impl FnMut(u64, &mut Choices, &mut Moves<W>),
    ) {
        let cursor = out.take_cursor();
        let mut left = Vec::new();
        let mut share = |index: u64, mut choices: Choices, out: &mut Moves<W>| {
            let most = out.items().len() + BATCH;
            for _ in 0..TRIES {
                attempt(index, &mut choices, out);
                if !choices.advance() {
                    return;
                }
                if out.items().len() >= most {
                    break;
                }
            }
            choices.save(index, &mut left);
        };
        if cursor.is_empty() {
            (0..count).for_each(|index| share(index, Choices::default(), out));
        } else {
            let mut rest = &cursor[..];
            while let Some((index, choices)) = Choices::restore(&mut rest) {
                share(index, choices, out);
            }
        }
        if !left.is_empty() {
            out.pause(&left);
        }
    }
}

impl<W: Words> RecursiveSystem for ProgramSystem<'_, W> {
    type State = W;

    fn initial(&self, out: &mut Moves<W>) {
        self.enumerate(1, out, |_, choices, out| {
            self.begin(choices).into_iter().for_each(|to| out.step(to));
        });
    }

    fn moves(&self, state: &W, out: &mut Moves<W>) {
        let point = self.point_id(state);
        let info = &self.compiled.points[point as usize];
        if info.is_final {
            return self.enumerate(1, out, |_, choices, out| {
                let to = self.stutter(state, point, choices);
                to.into_iter().for_each(|to| out.step(to));
            });
        }
        let edges = info.edges.clone();
        self.enumerate(edges.len() as u64, out, |index, choices, out| {
            let edge = &self.compiled.edges[edges.start as usize + index as usize];
            let mut attempt = Attempt::new(self, state, choices);
            match attempt.take(edge) {
                Some(Move::Step(to)) => out.step(to),
                Some(Move::Refine(to)) => out.refine(to),
                Some(Move::Call { entry, site }) => out.call(entry, site),
                None => {}
            }
        });
    }

    fn is_exit(&self, state: &W) -> bool {
        self.compiled.points[self.point_id(state) as usize].is_exit
    }

    fn resume(&self, caller: &W, site: Site, exit: &W, out: &mut Moves<W>) {
        self.enumerate(1, out, |_, choices, out| {
            let to = self.return_to(caller, site, exit, choices);
            to.into_iter().for_each(|to| out.step(to));
        });
    }
}

impl<W: Words> FairSystem for ProgramSystem<'_, W> {
    fn acceptance(&self) -> Marks {
        let watcher = self.watcher.as_ref();
        watcher.map_or(Marks::default(), |watcher| watcher.acceptance)
    }

    fn marks(&self, state: &W) -> Marks {
        let states = self.watcher.as_ref().map(|watcher| &watcher.states);
        states.map_or(Marks::default(), |states| {
            states[self.monitor_state(state) as usize].marks
        })
    }
}

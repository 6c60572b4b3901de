//! A run of a slice as one of the whole program.
//!
//! What the run chose at steps that the program has too is chosen again there, in the same order. What a step
//! chooses that was left out of the slice is made up: first zeros, then ones, then all kinds of
//! numbers. A run that comes to the error is kept with all that was chosen, and is one like any other.

use std::{
    cell::Cell,
    collections::{HashMap, VecDeque},
    rc::Rc,
};

use recurva_cir::{
    Choice, FunctionId, Module, Operation, Origin, TypeId, Unknown,
    interpret::{ChoiceError, Machine, RandomNumbers, Replay, View, World},
};
use recurva_cmodel::Choices;

use super::{
    confirm::{Ended, Wanted, interpret, options},
    lowered::{CProgram, Cut},
};
use crate::watch::Clock;

/// So many runs are tried.
const ATTEMPTS: u64 = 40;

/// No run that is tried is longer than this.
const STEPS: u64 = 4_000_000;

/// An edge of a function.
type Place = (FunctionId, usize);

/// What was chosen at each edge, in order.
type Chosen = HashMap<Place, VecDeque<Vec<u8>>>;

/// Where a machine is: shared with its world, which cannot see it.
type At = Rc<Cell<Option<Place>>>;

/// A run of the whole program to what a run of its slice came to, which is at `origin`.
pub(super) fn steered(
    program: &CProgram,
    cut: &Cut,
    choices: Choices,
    (wanted, origin): (&Wanted<'_>, Option<Origin>),
    clock: &mut Clock<'_>,
) -> Option<Replay> {
    let chosen = chosen(program, cut, choices, wanted, clock)?;
    for attempt in 0..ATTEMPTS {
        let at = At::default();
        let mut world = Steering {
            at: at.clone(),
            chosen: chosen.clone(),
            attempt,
            numbers: RandomNumbers::new(attempt),
            values: Vec::new(),
            allocations: Vec::new(),
        };
        let mut options = options(program);
        options.steps = STEPS;
        let mut machine = Machine::new(&cut.whole, &mut world, options);
        let mut last = None;
        let ended = interpret(&mut machine, &cut.whole, wanted, clock, &mut |view| {
            last = position(view);
            at.set(last);
        });
        drop(machine);
        let is_there = origin.is_none_or(|origin| {
            last.is_some_and(|(function, edge)| {
                let edges = &cut.whole.function(function).edges;
                edges.get(edge).is_some_and(|it| it.origin == origin)
            })
        });
        match ended {
            Ended::Reached if is_there => {
                let replay = Replay::new(world.values);
                return Some(replay.with_allocations(world.allocations));
            }
            Ended::Stopped if clock.left().time.is_some_and(|it| it.is_zero()) => return None,
            _ => {}
        }
    }
    None
}

/// The edge that a machine takes next, if there is no choice between several.
fn position(view: &View<'_, '_>) -> Option<Place> {
    let position = view.position(view.depth());
    let function = view.module().function(position.function);
    let first = function.outgoing(position.node).next()?;
    Some((position.function, first))
}

/// What a run of a slice chooses, by the edges of the whole program.
fn chosen(
    program: &CProgram,
    cut: &Cut,
    choices: Choices,
    wanted: &Wanted<'_>,
    clock: &mut Clock<'_>,
) -> Option<Chosen> {
    let module = &program.built.module;
    let at = At::default();
    let mut world = Noting {
        at: at.clone(),
        replay: Replay::new(choices.values).with_allocations(choices.allocations),
        chosen: Vec::new(),
    };
    let mut machine = Machine::new(module, &mut world, options(program));
    let ended = interpret(&mut machine, module, wanted, clock, &mut |view| {
        at.set(position(view));
    });
    drop(machine);
    if !matches!(ended, Ended::Reached) {
        return None;
    }
    let mut chosen = Chosen::new();
    for ((function, edge), bytes) in world.chosen {
        let Some(edge) = cut.kept.edge(function, edge) else {
            continue;
        };
        let operation = &cut.whole.function(function).edges[edge].operation;
        if matches!(operation, Operation::Havoc(..)) {
            chosen.entry((function, edge)).or_default().push_back(bytes);
        }
    }
    Some(chosen)
}

/// Repeats choices, and notes where each was made.
struct Noting {
    at: At,
    replay: Replay,
    chosen: Vec<(Place, Vec<u8>)>,
}

impl World for Noting {
    fn choose(
        &mut self,
        why: &Unknown,
        ty: TypeId,
        module: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        self.replay.choose(why, ty, module, bytes)?;
        let at = self.at.get();
        self.chosen.extend(at.map(|at| (at, bytes.to_vec())));
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        self.replay.allocated(bytes);
    }
}

/// Chooses what was chosen in the slice, and makes up the rest.
struct Steering {
    at: At,
    chosen: Chosen,
    attempt: u64,
    numbers: RandomNumbers,
    values: Vec<Choice>,
    allocations: Vec<Choice>,
}

impl Steering {
    fn made_up(&mut self, bytes: &mut [u8]) {
        bytes.fill(0);
        let Some(first) = bytes.first_mut() else {
            return;
        };
        match (self.attempt, self.numbers.number() % 8) {
            (0, _) | (_, 0..=2) if self.attempt != 1 => {}
            (1, _) | (_, 3..=4) => *first = 1,
            (_, 5) => bytes.fill(0xff),
            (_, 6) => *first = self.numbers.number() as u8,
            _ => bytes.fill_with(|| self.numbers.number() as u8),
        }
    }
}

impl World for Steering {
    fn choose(
        &mut self,
        _: &Unknown,
        _: TypeId,
        _: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        let at = self.at.get();
        let known = at.and_then(|at| self.chosen.get_mut(&at)?.pop_front());
        match known.filter(|known| known.len() == bytes.len()) {
            Some(known) => bytes.copy_from_slice(&known),
            None => self.made_up(bytes),
        }
        self.values.push(Choice {
            bytes: bytes.to_vec(),
        });
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        bytes.fill(0);
        self.allocations.push(Choice {
            bytes: bytes.to_vec(),
        });
    }
}

//! What the start of a game depends on: controls with the frame on top.

use rustc_hash::FxHashMap;

use crate::{
    Limits, SolveError,
    arena::{Arena, Move, Player},
};

/// A move from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To another cell with the same frame on top.
    Stay(u32),
    /// To a cell with that frame on top of the present one.
    Push { entry: u32, frame: u32 },
    /// To that exit of the frame.
    Pop(u32),
}

/// A control with the frame on top.
#[derive(Clone, Debug)]
pub(crate) struct Cell<C> {
    pub(crate) control: C,
    pub(crate) top: Option<u32>,
    pub(crate) owner: Player,
    pub(crate) priority: u32,
    pub(crate) steps: Vec<Step>,
}

/// A frame, and what is known about it.
#[derive(Debug)]
struct Frame<C, F> {
    frame: F,
    /// The controls that it may be popped to.
    exits: Vec<C>,
    numbers: FxHashMap<C, u32>,
    /// The frames that it is pushed on, with the cells of its exits there.
    on: Vec<(Option<u32>, Vec<u32>)>,
}

/// The cells that can be reached, as far as one can see without playing.
#[derive(Debug)]
pub(crate) struct Cells<A: Arena> {
    pub(crate) list: Vec<Cell<A::Control>>,
    numbers: FxHashMap<(A::Control, Option<u32>), u32>,
    frames: Vec<Frame<A::Control, A::Frame>>,
    frame_numbers: FxHashMap<A::Frame, u32>,
}

impl<A: Arena> Cells<A> {
    pub(crate) fn new(arena: &A, limits: &Limits) -> Result<Self, SolveError> {
        let mut cells = Cells {
            list: Vec::new(),
            numbers: FxHashMap::default(),
            frames: Vec::new(),
            frame_numbers: FxHashMap::default(),
        };
        cells.cell(arena, arena.start(), None);
        let mut moves = Vec::new();
        let mut next = 0;
        while next < cells.list.len() {
            if cells.list.len() > limits.max_cells {
                return Err(SolveError::TooManyCells(limits.max_cells));
            }
            let (control, top) = (cells.list[next].control, cells.list[next].top);
            moves.clear();
            arena.moves(
                control,
                top.map(|top| cells.frames[top as usize].frame),
                &mut moves,
            );
            let mut steps = Vec::new();
            for &step in &moves {
                match step {
                    Move::Stay(to) => steps.push(Step::Stay(cells.cell(arena, to, top))),
                    Move::Push(to, frame) => {
                        let frame = cells.frame(frame);
                        cells.push_on(arena, frame, top);
                        let entry = cells.cell(arena, to, Some(frame));
                        steps.push(Step::Push { entry, frame });
                    }
                    Move::Pop(to) => {
                        // Nothing is popped from an empty stack.
                        let Some(top) = top else { continue };
                        steps.push(Step::Pop(cells.exit(arena, top, to)));
                    }
                }
            }
            cells.list[next].steps = steps;
            next += 1;
        }
        Ok(cells)
    }

    fn cell(&mut self, arena: &A, control: A::Control, top: Option<u32>) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry((control, top)).or_insert(next);
        if number == next {
            self.list.push(Cell {
                control,
                top,
                owner: arena.owner(control),
                priority: arena.priority(control),
                steps: Vec::new(),
            });
        }
        number
    }

    fn frame(&mut self, frame: A::Frame) -> u32 {
        let next = self.frames.len() as u32;
        let number = *self.frame_numbers.entry(frame).or_insert(next);
        if number == next {
            self.frames.push(Frame {
                frame,
                exits: Vec::new(),
                numbers: FxHashMap::default(),
                on: Vec::new(),
            });
        }
        number
    }

    fn push_on(&mut self, arena: &A, frame: u32, below: Option<u32>) {
        let known = &self.frames[frame as usize];
        if known.on.iter().any(|(other, _)| *other == below) {
            return;
        }
        let exits = known.exits.clone();
        let exits = exits
            .into_iter()
            .map(|control| self.cell(arena, control, below));
        let exits = exits.collect();
        self.frames[frame as usize].on.push((below, exits));
    }

    fn exit(&mut self, arena: &A, frame: u32, control: A::Control) -> u32 {
        let known = &mut self.frames[frame as usize];
        let next = known.exits.len() as u32;
        let number = *known.numbers.entry(control).or_insert(next);
        if number == next {
            known.exits.push(control);
            for index in 0..self.frames[frame as usize].on.len() {
                let below = self.frames[frame as usize].on[index].0;
                let cell = self.cell(arena, control, below);
                self.frames[frame as usize].on[index].1.push(cell);
            }
        }
        number
    }

    /// The cells of a frame's exits where it is pushed on another.
    pub(crate) fn exits(&self, frame: u32, below: Option<u32>) -> &[u32] {
        let on = &self.frames[frame as usize].on;
        let found = on.iter().find(|(other, _)| *other == below);
        found.map_or(&[], |(_, exits)| exits)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The cells whose values the value of a cell is made of.
    pub(crate) fn parts(&self, cell: u32) -> impl Iterator<Item = u32> + '_ {
        let top = self.list[cell as usize].top;
        self.list[cell as usize]
            .steps
            .iter()
            .flat_map(move |&step| {
                let (one, exits): (Option<u32>, &[u32]) = match step {
                    Step::Stay(to) => (Some(to), &[]),
                    Step::Push { entry, frame } => (Some(entry), self.exits(frame, top)),
                    Step::Pop(_) => (None, &[]),
                };
                one.into_iter().chain(exits.iter().copied())
            })
    }
}

//! A finite game in place of one with a stack.
//!
//! At a push the player says from which exits it will win. The opponent goes into the frame,
//! where the player has to win or to leave by such an exit, or to one of these exits. The player
//! needs no sets but those that saturation has met on its way, so that the game is small; the
//! minimal ones at its end are not enough, as to win with less may take a call that is won with
//! more. Whatever the sets are, a player who wins this game wins the one with the stack.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::{
    Limits, SolveError,
    arena::{Arena, Player},
    cells::{Cells, Step},
    functions::Function,
    parity::{ParityGame, Solution},
};

/// A position of the finite game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A cell, with the exits that the player may leave its frame by.
    Play { cell: u32, exits: Vec<u32> },
    /// The player pushes a frame and has to say from which of its exits it wins.
    Call {
        /// The cell that pushes.
        from: u32,
        /// By which of its steps.
        step: usize,
        /// The exits of the frame below.
        exits: Vec<u32>,
    },
    /// It has said so.
    Claim {
        from: u32,
        step: usize,
        exits: Vec<u32>,
        /// What it claims.
        claimed: Vec<u32>,
    },
    /// It leaves the frame by an exit.
    Leave {
        /// Whether it may.
        allowed: bool,
    },
}

/// The sets of exits that may be claimed at the entries of frames.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    sets: Vec<BTreeSet<Vec<u32>>>,
}

impl Claims {
    pub(crate) fn new(cells: usize) -> Self {
        Claims {
            sets: vec![BTreeSet::new(); cells],
        }
    }

    /// Adds the sets of a value that a cell had.
    pub(crate) fn add(&mut self, cell: u32, value: &Function) {
        self.sets[cell as usize].extend(value.sets().iter().cloned());
    }
}

/// The finite game with its solution.
#[derive(Debug)]
pub(crate) struct Summaries {
    pub(crate) places: Vec<Place>,
    pub(crate) game: ParityGame,
    pub(crate) solution: Solution,
    numbers: FxHashMap<Place, u32>,
}

impl Summaries {
    /// The game from the start.
    pub(crate) fn new<A: Arena>(
        cells: &Cells<A>,
        claims: &Claims,
        limits: &Limits,
    ) -> Result<Self, SolveError> {
        let mut summaries = Summaries {
            places: Vec::new(),
            game: ParityGame::default(),
            solution: Solution::default(),
            numbers: FxHashMap::default(),
        };
        summaries.number(
            cells,
            Place::Play {
                cell: 0,
                exits: Vec::new(),
            },
        );
        let mut next = 0;
        while next < summaries.places.len() {
            if next > limits.max_cells {
                return Err(SolveError::TooManyCells(limits.max_cells));
            }
            let place = summaries.places[next].clone();
            for to in behind(cells, claims, &place) {
                let to = summaries.number(cells, to);
                summaries.game.add_move(next as u32, to);
            }
            next += 1;
        }
        summaries.solution = summaries.game.solve();
        Ok(summaries)
    }

    fn number<A: Arena>(&mut self, cells: &Cells<A>, place: Place) -> u32 {
        if let Some(&known) = self.numbers.get(&place) {
            return known;
        }
        let (owner, priority) = match &place {
            Place::Play { cell, .. } => {
                let cell = &cells.list[*cell as usize];
                (cell.owner, cell.priority)
            }
            Place::Call { .. } => (Player::Even, 0),
            Place::Claim { .. } => (Player::Odd, 0),
            // Whoever has to move cannot.
            Place::Leave { allowed: true } => (Player::Odd, 0),
            Place::Leave { allowed: false } => (Player::Even, 0),
        };
        let number = self.game.add(owner, priority);
        self.numbers.insert(place.clone(), number);
        self.places.push(place);
        number
    }

    /// Who wins from the start.
    pub(crate) fn winner(&self) -> Player {
        self.solution.winners[0]
    }

    /// The number of a position that there is.
    pub(crate) fn find(&self, place: &Place) -> Option<u32> {
        self.numbers.get(place).copied()
    }
}

/// Where the moves from a position lead.
fn behind<A: Arena>(cells: &Cells<A>, claims: &Claims, place: &Place) -> Vec<Place> {
    match place {
        Place::Leave { .. } => Vec::new(),
        Place::Play { cell, exits } => {
            let steps = cells.list[*cell as usize].steps.iter().enumerate();
            let places = steps.map(|(step, &kind)| match kind {
                Step::Stay(to) => Place::Play {
                    cell: to,
                    exits: exits.clone(),
                },
                Step::Pop(exit) => Place::Leave {
                    allowed: exits.contains(&exit),
                },
                Step::Push { .. } => Place::Call {
                    from: *cell,
                    step,
                    exits: exits.clone(),
                },
            });
            places.collect()
        }
        Place::Call { from, step, exits } => {
            let Step::Push { entry, .. } = cells.list[*from as usize].steps[*step] else {
                return Vec::new();
            };
            let sets = claims.sets[entry as usize].iter();
            let places = sets.map(|claimed| Place::Claim {
                from: *from,
                step: *step,
                exits: exits.clone(),
                claimed: claimed.clone(),
            });
            places.collect()
        }
        Place::Claim {
            from,
            step,
            exits,
            claimed,
        } => {
            let cell = &cells.list[*from as usize];
            let Step::Push { entry, frame } = cell.steps[*step] else {
                return Vec::new();
            };
            let mut places = vec![Place::Play {
                cell: entry,
                exits: claimed.clone(),
            }];
            let known = cells.exits(frame, cell.top);
            places.extend(claimed.iter().map(|&exit| Place::Play {
                cell: known[exit as usize],
                exits: exits.clone(),
            }));
            places
        }
    }
}

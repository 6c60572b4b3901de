//! A world that repeats choices.

use super::world::{ChoiceError, World};
use crate::{Choice, Module, TypeId, Unknown};

/// A world in which all is as it was recorded. Functions without a body return recorded choices and
/// change nothing.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    choices: Vec<Choice>,
    allocations: Vec<Choice>,
    next: usize,
    next_allocation: usize,
    /// From where on choices and allocations are repeated.
    turn: Option<(usize, usize)>,
}

impl Replay {
    /// Repeats these choices: one per unknown value, in order.
    pub fn new(choices: Vec<Choice>) -> Self {
        Replay {
            choices,
            ..Replay::default()
        }
    }

    /// Also repeats what new objects have in them: one choice per allocation that is not zeroed, in
    /// order. What is missing is zero.
    #[must_use]
    pub fn with_allocations(mut self, allocations: Vec<Choice>) -> Self {
        self.allocations = allocations;
        self
    }

    /// Repeats the choices from one on for ever, and the allocations from another.
    #[must_use]
    pub fn repeating(mut self, choices: usize, allocations: usize) -> Self {
        self.turn = Some((choices, allocations));
        self
    }

    /// The choice and the allocation that are taken next.
    pub fn position(&self) -> (usize, usize) {
        let (mut next, mut allocation) = (self.next, self.next_allocation);
        if let Some((turn, allocation_turn)) = self.turn {
            if next == self.choices.len() {
                next = turn;
            }
            if allocation == self.allocations.len() {
                allocation = allocation_turn;
            }
        }
        (next, allocation)
    }

    /// How many choices have not been taken.
    pub fn left(&self) -> usize {
        self.choices.len() - self.next
    }
}

impl World for Replay {
    fn choose(
        &mut self,
        _: &Unknown,
        _: TypeId,
        _: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        let (next, _) = self.position();
        let choice = self.choices.get(next).ok_or(ChoiceError::RanOut)?;
        if choice.bytes.len() != bytes.len() {
            return Err(ChoiceError::Size {
                needed: bytes.len(),
                found: choice.bytes.len(),
            });
        }
        bytes.copy_from_slice(&choice.bytes);
        self.next = next + 1;
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        let (_, next) = self.position();
        if let Some(choice) = self.allocations.get(next) {
            let count = choice.bytes.len().min(bytes.len());
            bytes[..count].copy_from_slice(&choice.bytes[..count]);
        }
        self.next_allocation = next + 1;
    }
}

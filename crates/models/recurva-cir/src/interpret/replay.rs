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
        let choice = self.choices.get(self.next).ok_or(ChoiceError::RanOut)?;
        if choice.bytes.len() != bytes.len() {
            return Err(ChoiceError::Size {
                needed: bytes.len(),
                found: choice.bytes.len(),
            });
        }
        bytes.copy_from_slice(&choice.bytes);
        self.next += 1;
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        if let Some(choice) = self.allocations.get(self.next_allocation) {
            let count = choice.bytes.len().min(bytes.len());
            bytes[..count].copy_from_slice(&choice.bytes[..count]);
        }
        self.next_allocation += 1;
    }
}

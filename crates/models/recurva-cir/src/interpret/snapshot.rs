//! Configurations that are kept, to see whether a run comes to one again.

use super::bytes::Bytes;
use super::memory::{HeapObject, Memory, StackObject};
use super::state::{Frame, State};
use super::values::Slot;

/// Where a run had got to: memory and frames.
#[derive(Debug)]
pub struct Snapshot {
    top: Frame,
    below: Vec<Frame>,
    slots: Vec<(u64, Slot)>,
    globals: Bytes,
    stack: Bytes,
    stack_objects: Vec<StackObject>,
    heap: Vec<HeapObject>,
}

impl Snapshot {
    pub(super) fn of(state: &State<'_>) -> Self {
        let memory = &state.memory;
        Snapshot {
            top: state.top,
            below: state.below.clone(),
            slots: state.slots.clone(),
            globals: memory.globals.clone(),
            stack: memory.stack.clone(),
            stack_objects: memory.stack_objects.clone(),
            heap: alive(memory).cloned().collect(),
        }
    }

    /// Objects that are freed do not count: nobody can tell them from what was never there.
    pub(super) fn is_of(&self, state: &State<'_>) -> bool {
        let memory = &state.memory;
        self.top == state.top
            && self.below == state.below
            && self.slots == state.slots
            && self.globals == memory.globals
            && self.stack == memory.stack
            && self.stack_objects == memory.stack_objects
            && self.heap.iter().eq(alive(memory))
    }
}

fn alive(memory: &Memory) -> impl Iterator<Item = &HeapObject> {
    memory.heap.iter().filter(|it| it.is_alive)
}

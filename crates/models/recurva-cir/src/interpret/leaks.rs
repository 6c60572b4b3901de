//! What was allocated and is not freed when the program ends.

use super::memory::{Area, Object};
use super::observe::View;
use super::outcome::Leaks;
use super::state::State;
use crate::FunctionId;

/// An object on the heap that the program made and has not freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// Its number: `malloc#1` is the first.
    pub number: u32,
    /// Its size in bytes.
    pub size: u64,
    /// The edge that made it, as an index of the function's edges; `None` if that was a function
    /// without a body.
    pub made_by: Option<(FunctionId, u32)>,
}

impl View<'_, '_> {
    /// The objects that count as leaked if the program ends now. Whoever asks at the end of a run
    /// that has returned from its first function has no variables left.
    pub fn leaks(&self, rule: Leaks) -> Vec<Allocated> {
        let state = self.state;
        let is_reached = match rule {
            Leaks::NotFreed => vec![false; state.memory.heap.len()],
            Leaks::Unreachable => state.reached(),
        };
        let objects = state.memory.heap.iter().zip(is_reached);
        let leaked = objects
            .filter(|(object, is_reached)| object.is_alive && object.number > 0 && !is_reached);
        leaked
            .map(|(object, _)| Allocated {
                number: object.number,
                size: object.size,
                made_by: object.made_by,
            })
            .collect()
    }
}

impl State<'_> {
    /// Which objects on the heap can be reached from variables. Whatever looks like an address
    /// counts as one.
    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.memory.heap.len()];
        let mut waiting = vec![Area::Globals];
        if !self.has_returned {
            waiting.push(Area::Stack);
        }
        while let Some(area) = waiting.pop() {
            let bytes = self.memory.bytes(area);
            let pointer = (self.layout.pointer_bits / 8) as usize;
            // Variables lie at any offset here, whatever their alignment in C.
            for offset in 0..(bytes.len() + 1).saturating_sub(pointer) {
                let address = bytes.number(offset, pointer);
                if address < self.layout.map.heap || address >= self.layout.map.stack {
                    continue;
                }
                if let Some(found) = self.memory.find(address)
                    && let Object::Heap(index) = found.object
                    && !is_reached[index]
                {
                    is_reached[index] = true;
                    waiting.push(Area::Heap(index));
                }
            }
        }
        is_reached
    }
}

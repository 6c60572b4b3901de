//! What was allocated and is not freed when the program ends.

use super::memory::{Area, Object};
use super::outcome::Leaks;
use super::state::State;

impl State<'_> {
    /// Whether an object on the heap counts as leaked.
    pub(crate) fn has_leak(&self, rule: Leaks) -> bool {
        let memory = &self.memory;
        match rule {
            Leaks::NotFreed => memory.heap_alive() > 0,
            Leaks::Unreachable => self.reached() < memory.heap_alive(),
        }
    }

    /// How many of the program's objects on the heap can be reached from variables. Whatever looks like an address
    /// counts as one.
    fn reached(&self) -> usize {
        let mut is_reached = vec![false; self.memory.heap.len()];
        let mut waiting = vec![Area::Globals, Area::Stack];
        let mut count = 0;
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
                    count += usize::from(self.memory.heap[index].number > 0);
                    waiting.push(Area::Heap(index));
                }
            }
        }
        count
    }
}

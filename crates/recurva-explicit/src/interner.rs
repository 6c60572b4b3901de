//! States as numbers: each distinct state is stored once.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The hash of anything, the same everywhere in this crate.
pub(crate) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Gives equal values the same number, counting from 0.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    values: Vec<T>,
    numbers: HashTable<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            values: Vec::new(),
            numbers: HashTable::new(),
        }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of a value, new or old.
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        let values = &mut self.values;
        let entry = self.numbers.entry(
            hash_of(&value),
            |&number| values[number as usize] == value,
            |&number| hash_of(&values[number as usize]),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let number = values.len() as u32;
                vacant.insert(number);
                values.push(value);
                number
            }
        }
    }
}

impl<T> Interner<T> {
    pub(crate) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes held, not counting what values own on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.numbers.allocation_size()
    }

    /// Gives back the memory that only looking values up needs.
    pub(crate) fn close(&mut self) {
        self.numbers = HashTable::new();
    }
}

//! States as numbers: each distinct state is stored once.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The hash of anything, the same everywhere in this crate.
pub(crate) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Pushes with an eighth of room to spare instead of as much again: these vectors are most
/// of what a search holds, and large ones grow in place.
pub(crate) fn push_tightly<T>(vector: &mut Vec<T>, item: T) {
    if vector.len() == vector.capacity() {
        vector.reserve_exact(vector.len() / 8 + 64);
    }
    vector.push(item);
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
        let hash = hash_of(&value);
        let same = |&number: &u32| self.values[number as usize] == value;
        if let Some(&number) = self.numbers.find(hash, same) {
            return number;
        }
        if self.numbers.len() == self.numbers.capacity() {
            self.grow();
        }
        let number = self.values.len() as u32;
        let values = &self.values;
        self.numbers
            .insert_unique(hash, number, |&number| hash_of(&values[number as usize]));
        push_tightly(&mut self.values, value);
        number
    }

    /// Doubles the table. Going through the values in order is much kinder to the caches
    /// than going through the table, which would look up every value at random.
    fn grow(&mut self) {
        let mut larger = HashTable::with_capacity(self.numbers.capacity() * 2);
        let hash = |&number: &u32| hash_of(&self.values[number as usize]);
        for (number, value) in self.values.iter().enumerate() {
            larger.insert_unique(hash_of(value), number as u32, hash);
        }
        self.numbers = larger;
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

    /// The values, in the order of their numbers.
    pub(crate) fn into_values(self) -> Vec<T> {
        self.values
    }

    /// Gives back the memory that only looking values up needs.
    pub(crate) fn close(&mut self) {
        self.numbers = HashTable::new();
    }
}

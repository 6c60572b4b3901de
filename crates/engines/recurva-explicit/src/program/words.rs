//! The bits of a packed state, inline where they are few.

use std::{
    fmt::Debug,
    hash::{Hash, Hasher},
};

/// A fixed number of 64-bit words, chosen when a program is compiled.
pub trait Words: Clone + Eq + Hash + Debug {
    /// That many words of zeros.
    fn zeros(len: usize) -> Self;
    /// The words.
    fn as_slice(&self) -> &[u64];
    /// The words, to be changed.
    fn as_mut_slice(&mut self) -> &mut [u64];
}

/// `N` words in place: no allocation, and as many bytes in the visited set as bits are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inline<const N: usize>([u64; N]);

impl<const N: usize> Hash for Inline<N> {
    // Without the length that an array would put in front.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|&word| state.write_u64(word));
    }
}

impl<const N: usize> Words for Inline<N> {
    fn zeros(len: usize) -> Self {
        debug_assert!(len <= N, "the layout decides which width is used");
        Inline([0; N])
    }

    fn as_slice(&self) -> &[u64] {
        &self.0
    }

    fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

/// Any number of words, for programs with much data.
impl Words for Box<[u64]> {
    fn zeros(len: usize) -> Self {
        vec![0; len].into()
    }

    fn as_slice(&self) -> &[u64] {
        self
    }

    fn as_mut_slice(&mut self) -> &mut [u64] {
        self
    }
}

//! What an algorithm may use.

use std::fmt;

/// How much an algorithm may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// Bytes.
    pub(crate) memory: u64,
}

impl Limits {
    /// Fails if so many bytes are too many.
    pub(crate) fn check(&self, bytes: usize) -> Result<(), OutOfMemory> {
        match bytes as u64 > self.memory {
            true => Err(OutOfMemory {
                needed: bytes as u64,
                limit: self.memory,
            }),
            false => Ok(()),
        }
    }
}

/// The limit on memory was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// What it would have taken at that point, in bytes.
    pub needed: u64,
    /// The limit.
    pub limit: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (needed, limit) = (self.needed, self.limit);
        write!(
            f,
            "out of memory: {needed} bytes are needed so far, the limit is {limit}"
        )
    }
}

impl std::error::Error for OutOfMemory {}

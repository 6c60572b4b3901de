//! x
pub mod arena;
pub mod parity;

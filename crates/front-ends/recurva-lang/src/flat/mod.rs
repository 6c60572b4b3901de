//! What the formats of flat machines (`.rsm`, `.pds`, `.nsm`) share: their tokens, and a reader of
//! one item a line.

mod reader;
mod token;

pub(crate) use reader::{Alphabet, Name, Reader, plain, quoted};
pub(crate) use token::{Dots, Kind};

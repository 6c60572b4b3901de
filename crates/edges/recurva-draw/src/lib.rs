//! Drawings of machines.
//!
//! - [`graph`]: what is drawn: nodes, boxes with ports, edges with texts.
//! - [`layout`]: a place for everything, layer by layer, without any other program.
//! - [`placed`]: the result, plain data for whoever draws it.
//! - [`mod@svg`] and [`mod@dot`]: drawings as files.
//! - [`machines`]: what the machines of `recurva-model` look like.
//!
//! This crate reads and writes no files. A drawing is bounded, the same each time, and nothing
//! here recurses.

pub mod dot;
pub mod graph;
pub mod layout;
pub mod machines;
pub mod placed;
pub mod svg;
pub mod text;

pub use dot::dot;
pub use graph::{Border, Class, Direction, Drawing, Edge, Graph, Line, Node, Port, Shape};
pub use layout::{Refused, place};
pub use placed::Placed;
pub use svg::svg;

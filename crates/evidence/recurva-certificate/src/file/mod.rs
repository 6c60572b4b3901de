//! Proofs in files: JSON, with the formulas as text.
//!
//! ```json
//! {
//!   "format": "recurva-proof",
//!   "version": 1,
//!   "model": { "name": "sum.c", "sha256": "…" },
//!   "property": "no assertion fails",
//!   "asked": { "question": { "kind": "own", "arithmetic": false }, "options": {} },
//!   "tools": [ { "name": "recurva", "version": "0.1.0" } ],
//!   "procedures": [
//!     {
//!       "procedure": "main",
//!       "formulas": [
//!         { "node": 4, "line": 7, "kind": "loop", "formula": "i <= n && s == 2 * i" }
//!       ]
//!     }
//!   ]
//! }
//! ```
//!
//! A procedure is there by its name, or by its number if another one has that name. Lines and kinds are for
//! people: nothing relies on them.

mod read;
mod write;

pub use read::ReadError;
pub use write::WriteError;

use crate::NodeKind;

/// What the field `format` says.
pub const FORMAT: &str = "recurva-proof";

/// What the field `version` says.
pub const VERSION: u32 = 1;

/// The most bytes of a file.
pub const LARGEST: usize = 64 << 20;

/// A proof in a file, with what it is a proof of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFile {
    /// What is proved.
    pub header: Header,
    /// The formulas, by procedure.
    pub procedures: Vec<ProcedureFormulas>,
}

/// What is proved, and who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the model, as it was given.
    pub model: String,
    /// The SHA-256 of its text, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The property that holds, in words.
    pub property: String,
    /// What was asked, for whoever asks it again: an object whose fields are theirs.
    pub asked: serde_json::Map<String, serde_json::Value>,
    /// What the proof was found and checked with.
    pub tools: Vec<ToolMark>,
}

/// A program that took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolMark {
    /// Its name.
    pub name: String,
    /// Its version, as it says.
    pub version: String,
}

/// Which procedure is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcedureName {
    /// The only one of that name.
    Name(String),
    /// The one with that number.
    Number(u32),
}

/// What is said of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureFormulas {
    /// The procedure.
    pub procedure: ProcedureName,
    /// What is said of its nodes.
    pub formulas: Vec<NodeFormula>,
}

/// What is said of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFormula {
    /// The node's number in its procedure.
    pub node: u32,
    /// The line of the model's text where it is.
    pub line: Option<u32>,
    /// What kind of node it is.
    pub kind: NodeKind,
    /// The formula, as [`text`](crate::text) says.
    pub formula: String,
}

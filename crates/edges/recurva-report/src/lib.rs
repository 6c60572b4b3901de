//! Outcomes of checks for people ([`text`]), for programs ([`json()`]) and for editors and code
//! scanning ([`sarif`]).
//!
//! A report never decides anything: it shows an [`Outcome`](recurva_check::Outcome) and the
//! replayed trace in it. The length of the text does not depend on the length of the trace:
//! calls are folded, long lists of steps are cut in the middle, and what is left out is said.
//!
//! This crate writes into buffers it is given; it knows neither files nor terminals.
//!
//! ```
//! use recurva_check::{Options, Property, check};
//! use recurva_lang::bp;
//! use recurva_report::{Layout, Question, text};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("model.bp", "void main() begin decl b; assert(b); end")?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//! let property = Property::own(&program);
//! let outcome = check(&program, &property, &Options::default(), &mut ())?;
//! let question = Question::new(&source, &program, &property);
//! let report = text(&question, &outcome, Layout::default());
//! assert!(report.starts_with("violated: no assertion fails (model.bp)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod data;
mod drawing;
mod json;
mod lines;
mod numbers;
mod plan;
mod refusal;
pub mod sarif;
mod steps;
mod strategy;
mod table;
mod text;
mod trace;
mod values;
mod verdict;
pub mod witness;

pub use drawing::{draw_procedure, draw_program, draw_trace};
pub use json::json;
pub use refusal::{Ending, Refusal, ending, refusal};
pub use strategy::{NestedQuestion, Walk, nested_json, nested_text};
pub use text::text;
pub use values::Snapshot;

/// What other ways to show an outcome are made of, such as the explorer's page.
pub mod parts {
    pub use crate::{
        lines::Lines,
        numbers::{bytes, counted, grouped, seconds},
        strategy::{
            CallData, MoveData, PositionData, ReturnData, nested_figures, nested_message, positions,
        },
        table::{Row, Table, table},
        text::{figures, message},
        trace::{branch, show_states},
        values::{invocation, kept_results, results},
        verdict::{Failing, failing},
    };
}

use recurva_check::Property;
use recurva_lang::provenance::Provenance;
use recurva_model::Program;
use recurva_syntax::Source;

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The text of the model.
    pub source: &'a Source,
    /// The text of a monitor that is part of the model: its places follow those of the model's
    /// text.
    pub monitor: Option<&'a Source>,
    /// The model.
    pub program: &'a Program,
    /// The property.
    pub property: &'a Property,
    /// Where the model's statements came from, if it was made from C.
    pub places: Option<&'a Provenance>,
}

impl<'a> Question<'a> {
    /// A property of a model.
    pub fn new(source: &'a Source, program: &'a Program, property: &'a Property) -> Self {
        Question {
            source,
            monitor: None,
            program,
            property,
            places: None,
        }
    }
}

/// How much of a counterexample the text shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything, up to a generous number of lines.
    Full,
    /// What fits into a few screens: small calls and the end of the run in full.
    #[default]
    Folded,
    /// Calls and returns only.
    Calls,
    /// No trace: only where the run ends.
    None,
}

/// How the text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How much of a counterexample is shown.
    pub detail: Detail,
    /// About how many lines a folded trace may take.
    pub lines: usize,
    /// About how many lines a full trace may take.
    pub full_lines: usize,
    /// Whether a table tells, for a violated formula, which of its parts hold at each step.
    pub subformulas: bool,
    /// Whether a line tells what was dropped from the program before the search.
    pub dropped: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            detail: Detail::Folded,
            lines: 200,
            full_lines: 20_000,
            subformulas: false,
            dropped: false,
        }
    }
}

impl Layout {
    /// The default layout with that much detail.
    pub fn with_detail(detail: Detail) -> Self {
        Layout {
            detail,
            ..Layout::default()
        }
    }
}

//! Answers for people ([`text`]), for programs ([`json()`]) and for editors and code scanning
//! ([`sarif`]). Nothing else in the project writes reports.
//!
//! A report never decides anything: it shows an [`Answer`](recurva_check::Answer) to a question
//! of any kind, and the evidence in it. Every report begins with the same line, the
//! [`summary()`]. The length of the text does not depend on the length of a trace: calls are
//! folded, long lists of steps are cut in the middle, and what is left out is said.
//!
//! This crate writes into buffers it is given; it knows neither files nor terminals.
//!
//! ```
//! use recurva_check::{Asked, Limits, Model, Options, ReadOptions};
//! use recurva_report::{Layout, text};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("model.bp", "void main() begin decl b; assert(b); end")?;
//! let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ())
//!     .expect("a right text");
//! for question in model.questions(&Asked::default()).expect("a right question").list {
//!     let answer = question.answer(&Options::default(), &mut ())?;
//!     let report = text(&question.context(), &answer, Layout::default());
//!     let first = "violated: assertion fails: assert(b) (model.bp:1)\n  asked: no assertion fails\n";
//!     assert!(report.starts_with(first), "{report}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod c_correctness;
mod c_json;
mod c_run;
mod c_witness;
mod data;
mod drawing;
mod ending;
mod entries;
mod figures;
mod fingerprint;
mod found;
mod json;
mod limit;
mod lines;
mod listed;
mod message;
mod numbers;
mod plan;
mod proof;
mod run;
pub mod sarif;
mod steps;
mod strategy;
mod table;
mod text;
mod trace;
mod values;
mod verdict;
pub mod witness;
mod words;

pub use drawing::{draw_evidence, draw_model, draw_program};
pub use ending::{ending, rejected_json, rejected_text};
pub use entries::{EntryRow, entries_table};
pub use figures::figures;
pub use fingerprint::fingerprint;
pub use found::{found, summary};
pub use json::json;
pub use limit::limit;
pub use listed::{Place, Step, end, steps};
pub use message::{message, notes};
pub use proof::node_line;
pub use strategy::Walk;
pub use text::text;
pub use values::Snapshot;

/// What other ways to show an answer are made of, such as the explorer's page.
pub mod parts {
    pub use crate::{
        lines::Lines,
        numbers::{bytes, counted, grouped, seconds},
        strategy::{CallData, MoveData, PositionData, ReturnData, positions},
        table::{Row, Table, table},
        trace::{branch, show_states},
        values::{invocation, kept_results, results},
        verdict::{Failing, failing},
    };
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

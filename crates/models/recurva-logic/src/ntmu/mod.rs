//! NT-µ, a fixpoint logic for the calling structure of programs (*Logics and Algorithms for
//! Software Model Checking*, chapter 3).
//!
//! A formula speaks about a position of a run and what can follow it up to the end of the
//! current procedure. `<call> f {g, h}` calls: `f` speaks about the callee, in which
//! `<ret> R1` means a return to where `g` holds and `<ret> R2` to where `h` does.
//!
//! - [`Formulas`]: an arena in which a formula has larger ids than its parts; nothing here
//!   recurses on formulas. [`Formula`] is one that is closed.
//! - [`parse`], [`parse_file`]: the ASCII syntax with its abbreviations, definitions with
//!   parameters, and [the patterns](PATTERNS) that every formula can use by name.
//!
//! ```
//! use recurva_logic::ntmu;
//! use recurva_syntax::Source;
//!
//! let source = Source::new("formula", "AG(c_foo -> [jump] !locked)")?;
//! let formula = ntmu::parse(&source).formula.expect("no errors");
//! assert_eq!(formula.formulas().arity(formula.root()), 1);
//! // Whatever is read is made of the logic's own operators.
//! let source = Source::new("formula", "!<call> (EF_l <ret> R1) {p}")?;
//! let formula = ntmu::parse(&source).formula.expect("no errors");
//! assert_eq!(
//!     formula.to_string(),
//!     "[call] (nu X2. [ret] R1 & ([loc] X2 & [call] (nu Y2. [ret] R1 & \
//!      ([loc] Y2 & [call] Y2 {Y2})) {X2})) {!p}"
//! );
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod display;
mod elaborate;
mod file;
mod formula;
mod items;
mod negate;
mod parse;
mod sugar;
mod token;

pub use display::Shown;
pub use file::{Named, PATTERNS, Parsed, ParsedFile, parse, parse_file};
pub use formula::{
    Fixpoint, Formula, FormulaId, Formulas, Modality, NotClosed, Operator, PropositionId,
    VariableId,
};
pub use sugar::{Path, Quantifier, Scope, Written};

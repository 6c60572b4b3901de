//! Linear-time temporal logic.
//!
//! Formulas are written in Spot's ASCII syntax: `! & | -> <-> ^`, `X F G`, `U R W M`, the
//! constants `1` and `0`, and the usual other spellings (`&&`, `||`, `=>`, `<=>`, `xor`, `[]`,
//! `<>`, `true`, `false`). They live in an arena, [`Formulas`], in which a formula has larger
//! ids than its parts; nothing here recurses on formulas.
//!
//! ```
//! use recurva_logic::ltl;
//! use recurva_syntax::Source;
//!
//! let source = Source::new("formula", "[](a -> <> \"n > 3\") && GFb")?;
//! let mut formula = ltl::parse(&source).formula.expect("no errors");
//! assert_eq!(formula.to_string(), "G(a -> F \"n > 3\") & G F b");
//!
//! // On the word whose first letter is {a} and whose others are all {b}: `a` is bit 0.
//! assert_eq!(ltl::evaluate(&formula.formulas, formula.root, &[0b001], &[0b100]), Some(false));
//! assert_eq!(ltl::evaluate(&formula.formulas, formula.root, &[0b001], &[0b110]), Some(true));
//!
//! let negation = formula.formulas.simplify_negation(formula.root);
//! assert_eq!(formula.formulas.show(negation).to_string(), "F(a & G !\"n > 3\" | G !b)");
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod display;
mod evaluate;
mod file;
mod formula;
mod normal;
mod parse;
mod resolve;
mod simplify;
mod token;
mod word;

pub use display::Shown;
pub use evaluate::{Evaluation, Letter, Links, Positions, evaluate};
pub use file::{Named, ParsedFile, parse_file};
pub use formula::{Atom, AtomId, Chain, Formula, FormulaId, Formulas, Modality, Operator};
pub use parse::{Parsed, parse, parse_into};
pub use resolve::{Atoms, MachineAtoms, Resolver};
pub use word::WordEvaluation;

pub(crate) use display::write_quoted;
pub(crate) use file::parse_file_in;
pub(crate) use parse::{parse_in, read_into};
pub(crate) use token::Language;

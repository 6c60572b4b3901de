//! Builds whole C programs: units with their types become one [`recurva_cir::Module`].
//!
//! - [`read`] goes all the way from preprocessed texts; [`build`] from units that are checked.
//! - [`BuildOptions`] says where runs begin, what is checked, and what is assumed of functions that
//!   have no body.
//! - [`Built`] is the program with all that was assumed.
//!
//! Functions are lowered only as far as the entry may reach them, unless all are asked for. What has
//! no meaning in `cir` is an [`recurva_cir::Operation::Unsupported`] at its place, so that only
//! who can reach it hears of it. Functions of the C library that a program calls are linked in from
//! models, which are C themselves (`library/`).
//!
//! `volatile` makes no difference: nothing but the program changes its memory.
//!
//! ```
//! use recurva_cbuild::{BuildOptions, read};
//! use recurva_cir::SourceText;
//! use recurva_ctype::Target;
//!
//! let text = SourceText {
//!     name: "twice.c".into(),
//!     text: b"int twice(int x) { return 2 * x; } int main(void) { return twice(0); }".to_vec(),
//!     is_library: false,
//! };
//! let built = read(vec![text], Target::lp64(), &BuildOptions::default()).unwrap();
//! assert_eq!(built.module.functions.len(), 2);
//! assert!(built.assumed.is_empty());
//! ```

mod built;
mod exprs;
mod facts;
mod graph;
mod lower;
mod options;
mod program;
mod special;
mod unit;

use std::sync::Arc;

use recurva_cir::SourceText;
use recurva_ctype::{Target, typed::Unit};
use recurva_syntax::{Diagnostics, with_stack};

pub use built::{Assumed, Assumption, Built};
pub use options::{
    Abort, Allocation, Arguments, BuildOptions, Entry, Externals, Library, Mark, MarkKind, Scope,
};
use program::Program;

/// The stack for lowering: expressions and statements may be nested as deeply as the parser allows.
const STACK: usize = 1 << 28;

/// What is wrong, by the number of the text it is in.
pub type Errors = Vec<(usize, Diagnostics)>;

/// Builds a program of units that are checked, for one machine, with their texts.
pub fn build(units: Vec<(SourceText, Arc<Unit>)>, options: &BuildOptions) -> Result<Built, Errors> {
    let Some(target) = units.first().map(|(_, unit)| unit.target) else {
        return Err(Vec::new());
    };
    with_stack(STACK, move || {
        let mut program = Program::new(target, options);
        for (source, unit) in units {
            program.add(source, unit);
        }
        program.build()
    })
}

/// Reads preprocessed texts and checks their types, once for all programs that are built of them.
pub fn read_units(texts: &[SourceText], target: Target) -> Result<Vec<Arc<Unit>>, Errors> {
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        match unit::read_unit(text, target) {
            Ok(unit) => units.push(Arc::new(unit)),
            Err(diagnostics) => errors.push((number, diagnostics)),
        }
    }
    match errors.is_empty() {
        true => Ok(units),
        false => Err(errors),
    }
}

/// Builds a program of preprocessed texts.
pub fn read(
    texts: Vec<SourceText>,
    target: Target,
    options: &BuildOptions,
) -> Result<Built, Errors> {
    let units = read_units(&texts, target)?;
    build(texts.into_iter().zip(units).collect(), options)
}

//! What front ends give back.

use recurva_model::{Parts, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Span};

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program; `None` if and only if there were errors.
    pub program: Option<Program>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// The program of parts that a front end has checked.
pub(crate) fn assemble(parts: Parts, diagnostics: &mut Diagnostics) -> Option<Program> {
    match Program::new(parts) {
        Ok(program) => Some(program),
        Err(error) => {
            diagnostics.report(|| {
                Diagnostic::error(format!("internal error: {error}"), Span::at(0))
                    .help("this is a mistake in Recurva; please report it with this file")
            });
            None
        }
    }
}

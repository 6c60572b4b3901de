//! What readers give back.

use recurva_syntax::Diagnostics;

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed<T> {
    /// What the text says; `None` if and only if there were errors.
    pub value: Option<T>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

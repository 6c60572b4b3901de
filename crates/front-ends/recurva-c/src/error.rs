//! What is wrong with a text that is no C.

use std::{error::Error, fmt};

use recurva_syntax::Span;

/// A place where the text is no C that we can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub(crate) span: Span,
    pub(crate) expected: &'static str,
}

impl Unreadable {
    /// The token that does not fit.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl Error for Unreadable {}

pub(crate) type Result<T, E = Unreadable> = std::result::Result<T, E>;

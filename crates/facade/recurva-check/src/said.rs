//! What is said about inputs: mistakes with their places, errors without one, remarks.

use recurva_syntax::{Diagnostics, Source};

use crate::Limit;

/// Something that the user should be told.
#[derive(Clone, Debug)]
pub enum Said {
    /// What is wrong with a text, or should be known about it.
    Text(Source, Diagnostics),
    /// An error that has no place in a text.
    Error {
        /// What is wrong.
        text: String,
        /// What to do instead.
        help: Option<String>,
    },
    /// A remark.
    Note {
        /// What should be known.
        text: String,
        /// What can be done about it.
        help: Option<String>,
    },
    /// A remark for those who want to know more.
    Detail(String),
}

impl Said {
    /// An error with advice.
    pub fn error(text: impl Into<String>, help: impl Into<String>) -> Self {
        Said::Error {
            text: text.into(),
            help: Some(help.into()),
        }
    }

    /// An error, with advice if there is any.
    pub fn error_if(text: impl Into<String>, help: Option<String>) -> Self {
        Said::Error {
            text: text.into(),
            help,
        }
    }

    /// A remark.
    pub fn note(text: impl Into<String>) -> Self {
        Said::Note {
            text: text.into(),
            help: None,
        }
    }

    /// Whether it keeps the question from being asked.
    pub fn is_error(&self) -> bool {
        match self {
            Said::Text(_, diagnostics) => diagnostics.has_errors(),
            Said::Error { .. } => true,
            Said::Note { .. } | Said::Detail(_) => false,
        }
    }
}

/// Why there is no model or no question.
#[derive(Clone, Debug)]
pub enum Refused {
    /// The input is wrong: all that is to be said about it, in order.
    Said(Vec<Said>),
    /// A limit was hit first.
    Limit(Limit),
    /// A fault of the checker itself.
    Internal(String),
}

impl Refused {
    /// One error with advice.
    pub fn error(text: impl Into<String>, help: impl Into<String>) -> Self {
        Refused::Said(vec![Said::error(text, help)])
    }

    /// One error in words, for those who have one line for it.
    pub fn first(&self) -> String {
        let said = match self {
            Refused::Said(said) => said,
            Refused::Limit(_) => return "a limit was hit while the input was read".to_owned(),
            Refused::Internal(text) => return format!("internal error: {text}"),
        };
        let first = said.iter().find(|said| said.is_error());
        match first {
            Some(Said::Text(source, _)) => format!("{} has errors", source.name()),
            Some(Said::Error { text, .. } | Said::Note { text, .. } | Said::Detail(text)) => {
                text.clone()
            }
            None => String::new(),
        }
    }
}

impl From<Vec<Said>> for Refused {
    fn from(said: Vec<Said>) -> Self {
        Refused::Said(said)
    }
}

//! Messages about a source.

use crate::{
    Source, Span,
    nearest::meant,
    render::{Style, render},
};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used but may not mean what its author thinks.
    Warning,
}

/// A place in the source and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text beside it; may be empty for the primary place.
    pub text: String,
}

/// One message: what is wrong, where, what else matters, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    message: String,
    primary: Label,
    secondary: Vec<Label>,
    helps: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(message: impl Into<String>, span: Span) -> Self {
        Diagnostic::new(Severity::Error, message.into(), span)
    }

    /// A warning at a place.
    pub fn warning(message: impl Into<String>, span: Span) -> Self {
        Diagnostic::new(Severity::Warning, message.into(), span)
    }

    fn new(severity: Severity, message: String, span: Span) -> Self {
        let primary = Label {
            span,
            text: String::new(),
        };
        Diagnostic {
            severity,
            message,
            primary,
            secondary: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// With a text beside the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// With another place that explains the error.
    #[must_use]
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// With advice, if there is any.
    #[must_use]
    pub fn help_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where.
    pub fn primary(&self) -> &Label {
        &self.primary
    }

    /// Other places that matter.
    pub fn secondary(&self) -> &[Label] {
        &self.secondary
    }

    /// What to do.
    pub fn helps(&self) -> &[String] {
        &self.helps
    }

    /// The name that may have been meant by the one at the primary place.
    pub fn suggestion(&self) -> Option<&str> {
        self.helps.iter().find_map(|help| meant(help))
    }
}

/// Messages, in the order of their places once [sorted](Self::sort). Only the first
/// [`Self::LIMIT`] errors and as many warnings are kept; the others are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: Tally,
    warnings: Tally,
}

/// How many messages of one severity there were, and how many more can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tally {
    reported: usize,
    room: usize,
}

impl Tally {
    /// Counts a message; whether it is kept.
    fn count(&mut self) -> bool {
        self.reported += 1;
        let kept = self.room > 0;
        self.room = self.room.saturating_sub(1);
        kept
    }
}

impl Default for Diagnostics {
    fn default() -> Self {
        let none = Tally {
            reported: 0,
            room: Self::LIMIT,
        };
        Diagnostics {
            list: Vec::new(),
            errors: none,
            warnings: none,
        }
    }
}

impl Diagnostics {
    /// How many errors, and how many warnings, are kept.
    pub const LIMIT: usize = 50;

    /// Reports an error. The message is only made if it will be kept: a file of a million
    /// errors costs no million searches for the nearest name.
    pub fn report(&mut self, error: impl FnOnce() -> Diagnostic) {
        if self.errors.count() {
            self.list.push(error());
        }
    }

    /// Reports a warning, under a limit of its own.
    pub fn warn(&mut self, warning: impl FnOnce() -> Diagnostic) {
        if self.warnings.count() {
            self.list.push(warning());
        }
    }

    /// An empty list with as much room as this one has left, for an attempt whose messages
    /// may be dropped or [appended](Self::append).
    #[must_use]
    pub fn attempt(&self) -> Self {
        let empty = |tally: Tally| Tally {
            reported: 0,
            ..tally
        };
        Diagnostics {
            list: Vec::new(),
            errors: empty(self.errors),
            warnings: empty(self.warnings),
        }
    }

    /// Takes over the messages of another list.
    pub fn append(&mut self, other: Diagnostics) {
        let errors = self.errors.reported + other.errors.reported;
        let warnings = self.warnings.reported + other.warnings.reported;
        for diagnostic in other.list {
            match diagnostic.severity {
                Severity::Error => self.report(|| diagnostic),
                Severity::Warning => self.warn(|| diagnostic),
            }
        }
        self.errors.reported = errors;
        self.warnings.reported = warnings;
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors.reported > 0
    }

    /// Whether there is no message at all.
    pub fn is_empty(&self) -> bool {
        self.errors.reported + self.warnings.reported == 0
    }

    /// How many errors were reported, those not kept included.
    pub fn errors(&self) -> usize {
        self.errors.reported
    }

    /// How many warnings were reported, those not kept included.
    pub fn warnings(&self) -> usize {
        self.warnings.reported
    }

    /// The messages that were kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Puts the messages in the order of their places.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|diagnostic| diagnostic.primary.span);
    }

    /// All messages as text, with the source lines they are about.
    pub fn render(&self, source: &Source, style: Style) -> String {
        let mut text = render(source, &self.list, style);
        for (severity, tally, what) in [
            (Severity::Error, self.errors, "error"),
            (Severity::Warning, self.warnings, "warning"),
        ] {
            let kept = self.list.iter().filter(|d| d.severity == severity).count();
            match tally.reported - kept {
                0 => {}
                1 => text.push_str(&format!("and 1 more {what}\n")),
                more => text.push_str(&format!("and {more} more {what}s\n")),
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_was_meant() {
        let help = crate::did_you_mean("lokc", ["lock"]);
        let error = Diagnostic::error("no", Span::at(0)).help("look again");
        assert_eq!(error.suggestion(), None);
        assert_eq!(error.help_if(help).suggestion(), Some("lock"));
    }

    #[test]
    fn errors_over_the_limit_are_counted_and_not_made() {
        let mut diagnostics = Diagnostics::default();
        let mut made = 0;
        for _ in 0..Diagnostics::LIMIT + 2 {
            diagnostics.report(|| {
                made += 1;
                Diagnostic::error("no", Span::at(0))
            });
        }
        assert_eq!(made, Diagnostics::LIMIT);
        assert_eq!(diagnostics.errors(), Diagnostics::LIMIT + 2);
        let source = Source::new("x", "y").unwrap();
        assert!(
            diagnostics
                .render(&source, Style::Plain)
                .ends_with("and 2 more errors\n")
        );

        let mut all = Diagnostics::default();
        all.append(diagnostics.clone());
        all.append(diagnostics);
        assert_eq!(all.errors(), 2 * (Diagnostics::LIMIT + 2));
        assert_eq!(all.iter().count(), Diagnostics::LIMIT);
    }
}

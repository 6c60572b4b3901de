//! What the front ends say, in the words of the protocol.

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Position, Range};
use recurva_check::Said;
use recurva_syntax::{self as syntax, Severity, Span};

use crate::{analysis::Analysis, position::Encoding};

/// Who says it.
const SOURCE: &str = "recurva";

impl Analysis {
    /// The range of a span.
    pub(crate) fn range(&self, span: Span, encoding: Encoding) -> Range {
        let text = &self.known.text;
        text.lines.range(text.source.text(), span, encoding)
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let text = &self.known.text;
        text.lines.offset(text.source.text(), position, encoding) as u32
    }

    /// All messages, as they are published.
    pub(crate) fn published(&self, encoding: Encoding) -> Vec<Diagnostic> {
        let document = &self.known.document;
        let messages = document.diagnostics.iter();
        let mut list: Vec<Diagnostic> = messages.map(|it| self.diagnostic(it, encoding)).collect();
        list.extend(document.said.iter().filter_map(said));
        list
    }

    pub(crate) fn diagnostic(&self, from: &syntax::Diagnostic, encoding: Encoding) -> Diagnostic {
        let mut text = from.message().to_owned();
        if !from.primary().text.is_empty() {
            text += &format!("\n{}", from.primary().text);
        }
        for help in from.helps() {
            text += &format!("\nhelp: {help}");
        }
        let related = from
            .secondary()
            .iter()
            .map(|label| DiagnosticRelatedInformation {
                location: self.known.text.location(label.span, encoding),
                message: label.text.clone(),
            });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        let severity = match from.severity() {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        Diagnostic {
            severity: Some(severity),
            related_information: (!related.is_empty()).then_some(related),
            ..message(self.range(from.primary().span, encoding), text)
        }
    }
}

/// What has no place in the text stands before its first character.
fn said(said: &Said) -> Option<Diagnostic> {
    let (text, help, severity) = match said {
        Said::Error { text, help } => (text, help, DiagnosticSeverity::ERROR),
        Said::Note { text, help } => (text, help, DiagnosticSeverity::INFORMATION),
        Said::Text(..) | Said::Detail(_) => return None,
    };
    let help = help.iter().map(|help| format!("\nhelp: {help}"));
    let text: String = std::iter::once(text.clone()).chain(help).collect();
    Some(Diagnostic {
        severity: Some(severity),
        ..message(Range::default(), text)
    })
}

/// A message of ours.
pub(crate) fn message(range: Range, text: String) -> Diagnostic {
    Diagnostic {
        range,
        source: Some(SOURCE.to_owned()),
        message: text,
        ..Diagnostic::default()
    }
}

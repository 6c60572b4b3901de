//! Files of named formulas.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};
use rustc_hash::FxHashMap;

use super::{Formula, Formulas, parse::read_into, token::Language};

/// A formula of a file.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: Box<str>,
    /// Where the name stands.
    pub place: Span,
    /// The formula, in an arena of its own.
    pub formula: Formula,
}

/// What reading a file of formulas gives.
#[derive(Debug)]
pub struct ParsedFile {
    /// The formulas in the order of the file, if nothing is wrong with them.
    pub formulas: Option<Vec<Named>>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a file of formulas: `name: formula`, where a formula goes on up to the next line that
/// begins with a name and a colon. `#` begins a comment.
pub fn parse_file(source: &Source) -> ParsedFile {
    parse_file_in(Language::Ltl, source)
}

/// The same in any language.
pub(crate) fn parse_file_in(language: Language, source: &Source) -> ParsedFile {
    let mut diagnostics = Diagnostics::default();
    let entries = entries(source, &mut diagnostics);
    let mut names: FxHashMap<&str, Span> = FxHashMap::default();
    let mut list = Vec::new();
    for (index, &(name, start)) in entries.iter().enumerate() {
        let end = entries
            .get(index + 1)
            .map_or(source.end().end, |&(next, _)| next.start);
        let text = source.slice(name);
        if let Some(&first) = names.get(text) {
            diagnostics.report(|| {
                Diagnostic::error(format!("there are two formulas called `{text}`"), name)
                    .note(first, "the first one")
            });
        } else {
            names.insert(text, name);
        }
        let mut formulas = Formulas::new();
        let place = Span::new(start, end);
        if let Some(root) = read_into(&mut formulas, language, source, place, &mut diagnostics) {
            list.push(Named {
                name: text.into(),
                place: name,
                formula: Formula { formulas, root },
            });
        }
    }
    if entries.is_empty() && !diagnostics.has_errors() {
        diagnostics.report(|| {
            Diagnostic::error("there is no formula in this file", Span::at(0))
                .help("a formula is written `name: G(a -> F b)`")
        });
    }
    diagnostics.sort();
    ParsedFile {
        formulas: (!diagnostics.has_errors()).then_some(list),
        diagnostics,
    }
}

/// The names with the offsets of what is behind their colons. Text before the first name is
/// reported.
fn entries(source: &Source, diagnostics: &mut Diagnostics) -> Vec<(Span, u32)> {
    let mut list = Vec::new();
    let mut offset = 0;
    for line in source.text().split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        let text = line.trim_start();
        offset += line.len();
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
        let length = text.find(|c| !in_name(c)).unwrap_or(text.len());
        let behind = text[length..].trim_start_matches([' ', '\t']);
        let blanks = text.len() - length - behind.len();
        let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if starts && behind.starts_with(':') && !behind.starts_with("::") {
            let name = Span::new(start as u32, (start + length) as u32);
            list.push((name, (start + length + blanks + 1) as u32));
        } else if list.is_empty() && !text.is_empty() && !text.starts_with('#') {
            let place = Span::new(start as u32, (start + text.trim_end().len()) as u32);
            diagnostics.report(|| {
                Diagnostic::error("this formula has no name", place)
                    .help("a formula is written `name: G(a -> F b)`")
            });
        }
    }
    list
}

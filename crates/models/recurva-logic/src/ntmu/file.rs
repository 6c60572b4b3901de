//! Formulas and files of named formulas.

use std::sync::OnceLock;

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span};

use super::{
    Formula,
    elaborate::Elaborator,
    items::Definition,
    parse::formula,
    token::{Kind, Words},
};

/// The patterns that every formula can use by name: definitions, each with a comment that says
/// what it is for.
pub const PATTERNS: &str = include_str!("patterns.ntmu");

/// What reading a formula gives.
#[derive(Debug)]
pub struct Parsed {
    /// The formula, if nothing is wrong with it.
    pub formula: Option<Formula>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

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
    /// The formulas in the order of the file, if nothing is wrong with them; definitions are
    /// not among them.
    pub formulas: Option<Vec<Named>>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads the formula that a whole source is. Names of propositions are not looked up.
pub fn parse(source: &Source) -> Parsed {
    let mut diagnostics = Diagnostics::default();
    let whole = Span::new(0, source.end().end);
    let mut cursor = Cursor::new(source, Words::new(source, whole));
    let items = formula(&mut cursor).unwrap_or_default();
    diagnostics.append(cursor.into_diagnostics());
    let mut elaborator = Elaborator::new(patterns());
    let root = match diagnostics.has_errors() {
        true => None,
        false => elaborator.formula(&items, &[], &mut diagnostics),
    };
    diagnostics.sort();
    let formulas = elaborator.formulas;
    Parsed {
        formula: root.map(|root| Formula::closed(formulas, root)),
        diagnostics,
    }
}

/// Reads a file of formulas and definitions: `name: formula` and `def name(p, q) = formula`.
/// Each goes on up to the next line that begins one; what is defined or named can be used by
/// name in what follows. `#` begins a comment.
pub fn parse_file(source: &Source) -> ParsedFile {
    let mut diagnostics = Diagnostics::default();
    let mut list = Vec::new();
    let mut definitions = patterns().to_vec();
    let own = definitions.len();
    for entry in entries(source, &mut diagnostics) {
        let Some(read) = read(source, entry, &mut diagnostics) else {
            continue;
        };
        let first = definitions[own..]
            .iter()
            .find(|known| known.name == read.name);
        if let (Some(first), Some(place)) = (first.and_then(|first| first.place), read.place) {
            diagnostics.report(|| {
                Diagnostic::error(format!("`{}` is there twice", read.name), place)
                    .note(first, "the first one")
            });
        }
        let mut elaborator = Elaborator::new(&definitions);
        let root = elaborator.formula(&read.items, &read.parameters, &mut diagnostics);
        let formulas = elaborator.formulas;
        if let (Some(root), EntryKind::Formula, Some(place)) = (root, entry.kind, read.place) {
            list.push(Named {
                name: read.name.clone(),
                place,
                formula: Formula::closed(formulas, root),
            });
        }
        definitions.push(read);
    }
    if list.is_empty() && !diagnostics.has_errors() {
        diagnostics.report(|| {
            Diagnostic::error("there is no formula in this file", Span::at(0))
                .help("a formula is written `name: AG(a -> [jump] b)`")
        });
    }
    diagnostics.sort();
    ParsedFile {
        formulas: (!diagnostics.has_errors()).then_some(list),
        diagnostics,
    }
}

/// The definitions of [`PATTERNS`].
fn patterns() -> &'static [Definition] {
    static LIST: OnceLock<Vec<Definition>> = OnceLock::new();
    LIST.get_or_init(|| {
        let mut diagnostics = Diagnostics::default();
        let Ok(source) = Source::new("patterns.ntmu", PATTERNS) else {
            return Vec::new();
        };
        let entries = entries(&source, &mut diagnostics).into_iter();
        let list = entries.filter_map(|entry| {
            let read = read(&source, entry, &mut diagnostics)?;
            Some(Definition {
                place: None,
                ..read
            })
        });
        list.collect()
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Formula,
    Definition,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: EntryKind,
    span: Span,
}

/// The formulas and definitions of a file. Text before the first one is reported.
fn entries(source: &Source, diagnostics: &mut Diagnostics) -> Vec<Entry> {
    let mut list: Vec<Entry> = Vec::new();
    let mut offset = 0;
    for line in source.text().split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        let text = line.trim_start();
        offset += line.len();
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\'');
        let length = text.find(|c| !in_name(c)).unwrap_or(text.len());
        let behind = text[length..].trim_start_matches([' ', '\t']);
        let named = length > 0 && !text.starts_with(|c: char| c.is_ascii_digit());
        let kind = if named && behind.starts_with(':') && !behind.starts_with("::") {
            EntryKind::Formula
        } else if &text[..length] == "def" && behind.starts_with(in_name) {
            EntryKind::Definition
        } else {
            if list.is_empty() && !text.is_empty() && !text.starts_with('#') {
                let end = start + text.trim_end().len();
                diagnostics.report(|| {
                    let place = Span::new(start as u32, end as u32);
                    Diagnostic::error("this formula has no name", place)
                        .help("a formula is written `name: AG(a -> [jump] b)`")
                });
            }
            continue;
        };
        if let Some(last) = list.last_mut() {
            let text = &source.text()[last.span.start as usize..start];
            last.span.end = last.span.start + text.trim_end().len() as u32;
        }
        let span = Span::new(start as u32, source.end().end);
        list.push(Entry { kind, span });
    }
    list
}

/// A formula or definition; `None` if it is wrong, which is reported.
fn read(source: &Source, entry: Entry, diagnostics: &mut Diagnostics) -> Option<Definition> {
    let mut cursor = Cursor::new(source, Words::new(source, entry.span));
    let read = read_with(&mut cursor, entry.kind);
    let broken = cursor.diagnostics().has_errors();
    diagnostics.append(cursor.into_diagnostics());
    read.filter(|_| !broken)
}

fn read_with(cursor: &mut Cursor<'_, Words<'_>>, kind: EntryKind) -> Option<Definition> {
    if kind == EntryKind::Definition {
        cursor.bump();
    }
    let name = cursor.expect(Kind::Name)?.span;
    let mut parameters: Vec<Box<str>> = Vec::new();
    if kind == EntryKind::Definition {
        if let Some(opener) = cursor.eat(Kind::Open) {
            loop {
                let parameter = cursor.expect(Kind::Name)?;
                parameters.push(cursor.text(parameter.span).into());
                if cursor.eat(Kind::Comma).is_none() {
                    break;
                }
            }
            cursor.expect_closing(Kind::Close, opener.span)?;
        }
        cursor.expect(Kind::Equals)?;
    } else {
        cursor.expect(Kind::Colon)?;
    }
    let items = formula(cursor)?;
    Some(Definition {
        name: cursor.text(name).into(),
        place: Some(name),
        parameters,
        items,
    })
}

//! Reading.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span};

use super::{
    body::Body,
    header::Header,
    token::{Kind, Words},
};
use crate::automaton::{Letters, Tgba};

/// What reading an automaton gives.
#[derive(Debug)]
pub struct Parsed {
    /// The automaton, if nothing is wrong with it.
    pub automaton: Option<Tgba>,
    /// The name the file gives it.
    pub name: Option<String>,
    /// Where the atoms are named, without their quotes, in order.
    pub atoms: Vec<Span>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads the automaton of a source.
pub fn parse(source: &Source) -> Parsed {
    let mut cursor = Cursor::new(source, Words::new(source));
    let read = read(&mut cursor);
    let mut diagnostics = cursor.into_diagnostics();
    diagnostics.sort();
    let (automaton, name, atoms) = match read {
        Some((automaton, header)) => (Some(automaton), header.name, header.places),
        None => (None, None, Vec::new()),
    };
    Parsed {
        automaton: automaton.filter(|_| !diagnostics.has_errors()),
        name,
        atoms,
        diagnostics,
    }
}

fn read<'s>(cursor: &mut Cursor<'s, Words<'s>>) -> Option<(Tgba, Header<'s>)> {
    let mut letters = Letters::default();
    let header = Header::read(cursor, &mut letters)?;
    let body = Body::read(cursor, &header, &mut letters)?;
    if cursor.at(Kind::Abort) {
        let place = cursor.peek().span;
        cursor
            .diagnostics()
            .report(|| Diagnostic::error("this automaton was given up by its writer", place));
        return None;
    }
    cursor.expect(Kind::EndOfAutomaton)?;
    if !cursor.at(Kind::End) {
        cursor.unexpected("the end of the text", |diagnostic| {
            diagnostic.help("one automaton is read from a file")
        });
        return None;
    }
    if cursor.diagnostics().has_errors() {
        return None;
    }
    let place = header.place;
    let automaton = body.automaton(&header);
    match automaton {
        Ok(automaton) => Some((automaton, header)),
        Err(error) => {
            cursor
                .diagnostics()
                .report(|| Diagnostic::error(error.to_string(), place));
            None
        }
    }
}

/// The value of a number token. One that is too large has been reported.
pub(super) fn number(cursor: &mut Cursor<'_, Words<'_>>) -> Option<(u32, Span)> {
    let token = cursor.expect(Kind::Number)?;
    let value = cursor.text(token.span).parse();
    if value.is_err() {
        cursor
            .diagnostics()
            .report(|| Diagnostic::error("this number is too large", token.span));
    }
    Some((value.ok()?, token.span))
}

/// A text token without its quotes and escapes.
pub(super) fn unquote(text: &str) -> String {
    let inside = text.strip_prefix('"').unwrap_or(text);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    let mut made = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => made.extend(characters.next()),
            other => made.push(other),
        }
    }
    made
}

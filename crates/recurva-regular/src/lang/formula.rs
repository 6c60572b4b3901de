//! Formulas of temporal logic, and their atoms.

use recurva_syntax::{Cursor, Diagnostic, Diagnostics, Source, Span};

use super::{
    expressions::{Over, regular},
    reading::{Read, Reader, condition, letters_of},
    token::{Kind, Tokens},
    variables::Variables,
};
use crate::{
    Meter, Nfa, Stop,
    live::{AtomKind, Live, Scope, read_formula},
};

/// What stands before the next colon, if it is words only.
fn head<'s>(text: &'s str, at: &mut usize) -> Option<&'s str> {
    let (head, _) = text[*at..].split_once(':')?;
    let words = head.trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ');
    (!words.is_empty() && words.chars().all(plain)).then(|| {
        *at += head.len() + 1;
        words
    })
}

/// Reads `live NAME : forall i : FORMULA`, where the name and the quantifier may be missing.
pub(super) fn live(
    cursor: &mut Reader<'_>,
    variables: &Variables,
    span: Span,
    meter: &mut Meter<'_>,
) -> Result<Read<Live>, Stop> {
    let source = cursor.source();
    let text = source.slice(span);
    let mut at = "live".len();
    let quantified = |words: &str| {
        words
            .strip_prefix("forall ")
            .map(|name| name.trim().to_owned())
    };
    let mut name = head(text, &mut at);
    let mut process = name.and_then(quantified);
    if process.is_some() {
        name = None;
    } else {
        let mut further = at;
        process = head(text, &mut further).and_then(quantified);
        if process.is_some() {
            at = further;
        }
    }
    let scope = process.map_or(Scope::Word, Scope::Process);
    let place = Span::new(span.start + at as u32, span.end);
    let mut resolve =
        |text: &str,
         place: Span,
         diagnostics: &mut Diagnostics,
         kind: AtomKind,
         meter: &mut Meter<'_>| { part(text, place, variables, kind, diagnostics, meter) };
    let diagnostics = cursor.diagnostics();
    let formula = read_formula(source, place, &scope, &mut resolve, diagnostics, meter)?;
    Ok(formula.map(|formula| Live {
        name: name.unwrap_or("live").to_owned(),
        scope,
        formula,
    }))
}

/// Reads a condition, or a set of words, that stands inside a formula; what is wrong with it is
/// shown at the formula's atom.
fn part(
    text: &str,
    place: Span,
    variables: &Variables,
    over: AtomKind,
    diagnostics: &mut Diagnostics,
    meter: &mut Meter<'_>,
) -> Result<Option<Nfa>, Stop> {
    let Ok(source) = Source::new("atom", text) else {
        return Ok(None);
    };
    let whole = Span::new(0, source.end().end);
    let mut cursor = Cursor::new(&source, Tokens::new(&source, whole));
    let nfa = match over {
        AtomKind::Letter => condition(&mut cursor, variables)
            .map(|set| Nfa::letter(&letters_of(&set).collect::<Vec<_>>())),
        AtomKind::Word => regular(&mut cursor, variables, Over::Words, meter)?,
    };
    if nfa.is_some() && !cursor.at(Kind::End) {
        cursor.unexpected("the end of the atom", |d| d);
    }
    let inner = cursor.into_diagnostics();
    if inner.has_errors() {
        let first = inner.iter().next();
        let message = first.map_or_else(String::new, |d| d.message().to_owned());
        let help = first.and_then(|d| d.helps().first().cloned());
        diagnostics.report(|| Diagnostic::error(message, place).help_if(help));
        return Ok(None);
    }
    Ok(nfa)
}

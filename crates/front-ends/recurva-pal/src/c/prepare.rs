//! The C of a monitor, made ready for one translation unit.
//!
//! Guards and actions may use the macros of the unit they are put into, and those of the
//! headers that the monitor names. So they are preprocessed behind the unit: [`request`] is a
//! text that includes the unit and then contains every fragment, and [`Prepared::new`] takes
//! the fragments out of what the preprocessor made of it. Line markers inside them keep pointing
//! into the monitor.

use std::{fmt::Write, fs, path::Path};

use recurva_c::{Kind, tokens};
use recurva_syntax::Source;
use rustc_hash::FxHashSet;

use super::instrument::asserts;
use crate::lang::{Decl, Event, Fragment, Hole, Monitor, OperandKind, Part, PieceKind};

/// Stands between the fragments in a request, with a number behind it.
const MARK: &str = "recurva_pal_mark_";
/// Stands for a variable of the pattern, with its number behind it.
const HOLE: &str = "recurva_pal_hole_";
/// How all names begin that are put into a unit.
pub const OWN: &str = "recurva_pal_";
/// Stands before the names of monitor variables: one called `open` must not meet open(2).
pub const VARIABLE: &str = "recurva_pal_v_";

/// The name of a monitor variable in C.
pub(crate) fn variable(name: &str) -> String {
    format!("{VARIABLE}{name}")
}

/// The number of the pattern variable that a name stands for.
pub(crate) fn hole(name: &[u8]) -> Option<u32> {
    let number = name.strip_prefix(HOLE.as_bytes())?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

/// A text that has a monitor's C preprocessed in the context of a unit.
///
/// `unit` is the file to be included before it; none for a unit that is preprocessed already.
/// `header` turns what stands behind `#include` in the monitor into what shall stand there now.
pub fn request(
    monitor: &Monitor,
    source: &Source,
    unit: Option<&str>,
    mut header: impl FnMut(&str) -> String,
) -> String {
    let mut text = String::new();
    if let Some(unit) = unit {
        let _ = writeln!(text, "#include \"{unit}\"");
    }
    let _ = writeln!(text, "{MARK}0");
    if asserts(monitor) {
        text.push_str("#include <assert.h>\n");
    }
    for include in &monitor.includes {
        let (line, _) = source.line_column(include.span.start);
        let _ = writeln!(text, "#line {line} {}", quoted(source.name()));
        let _ = writeln!(text, "#include {}", header(&include.text));
    }
    let globals = declared(&monitor.globals);
    let mut number = 0;
    each_fragment(monitor, |event, fragment| {
        number += 1;
        let locals = event.map(|event| declared(&event.locals));
        let (line, column) = source.line_column(fragment.span.start);
        let _ = writeln!(text, "{MARK}{number}");
        let _ = writeln!(text, "#line {line} {}", quoted(source.name()));
        let _ = write!(text, "{:1$}", "", column - 1);
        for piece in &fragment.pieces {
            let is_ours = globals.contains(&*piece.text)
                || locals.as_ref().is_some_and(|it| it.contains(&*piece.text));
            let _ = match piece.kind {
                PieceKind::Name if is_ours => write!(text, "{VARIABLE}{}", piece.text),
                PieceKind::Hole(Hole::Variable(number)) => write!(text, "{HOLE}{number}"),
                PieceKind::Hole(Hole::Any) => write!(text, "{HOLE}0"),
                PieceKind::Name | PieceKind::Text => write!(text, "{}", piece.text),
            };
        }
        text.push('\n');
    });
    let _ = writeln!(text, "{MARK}{}", number + 1);
    text
}

/// A header that a monitor names, as one that is found from anywhere if it lies in the monitor's folder.
pub fn header_beside(folder: &Path, header: &str) -> String {
    let own = header.trim_matches('"');
    match fs::canonicalize(folder.join(own)) {
        Ok(path) if header.starts_with('"') => format!("\"{}\"", path.display()),
        _ => header.to_owned(),
    }
}

/// A text as C writes it in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            // Three digits, so that no digit behind it is taken for a part of it.
            _ if char.is_control() => {
                let _ = write!(quoted, "\\{:03o}", u32::from(char));
            }
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

fn declared(declarations: &[Decl]) -> FxHashSet<&str> {
    let variables = declarations.iter().flat_map(|it| &it.variables);
    variables.map(|it| &*it.name.text).collect()
}

/// All fragments, always in the same order: globals, then event by event its locals, the
/// expressions in its pattern, and its parts.
fn each_fragment<'m>(monitor: &'m Monitor, mut f: impl FnMut(Option<&'m Event>, &'m Fragment)) {
    for global in &monitor.globals {
        f(None, &global.text);
    }
    for event in &monitor.events {
        for local in &event.locals {
            f(Some(event), &local.text);
        }
        for operand in event.pattern.operands() {
            if let OperandKind::Expr(fragment) = &operand.kind {
                f(Some(event), fragment);
            }
        }
        for part in [&event.before, &event.after] {
            for fragment in part.fragments() {
                f(Some(event), fragment);
            }
        }
    }
}

/// The fragments of a monitor, preprocessed.
#[derive(Debug)]
pub struct Prepared {
    /// What the headers of the monitor add to the unit.
    pub(crate) headers: Vec<u8>,
    /// A declaration each.
    pub(crate) globals: Vec<Vec<u8>>,
    pub(crate) events: Vec<PreparedEvent>,
}

#[derive(Debug)]
pub(crate) struct PreparedEvent {
    pub(crate) locals: Vec<Vec<u8>>,
    /// For each operand of the pattern, its text if it is an expression.
    pub(crate) operands: Vec<Option<Vec<u8>>>,
    pub(crate) before: PreparedPart,
    pub(crate) after: PreparedPart,
}

#[derive(Debug)]
pub(crate) struct PreparedPart {
    pub(crate) guard: Option<Vec<u8>>,
    pub(crate) action: Option<Vec<u8>>,
}

impl Prepared {
    /// Takes the fragments out of a preprocessed [`request`]. `None` if they are not all there,
    /// as when a macro of the unit breaks them.
    pub fn new(monitor: &Monitor, text: &[u8]) -> Option<Prepared> {
        let tokens = tokens(text);
        let mut slots = Vec::new();
        let mut last = None;
        for token in tokens.iter().filter(|token| token.kind == Kind::Name) {
            let Some(number) = token.of(text).strip_prefix(MARK.as_bytes()) else {
                continue;
            };
            if let Some(start) = last {
                slots.push(text[start as usize..token.span.start as usize].to_vec());
            }
            if number != slots.len().to_string().as_bytes() {
                return None;
            }
            last = Some(token.span.end);
        }
        let mut slots = slots.into_iter();
        let headers = slots.next()?;
        let mut next = |_: &Fragment| slots.next();
        let globals = all(&monitor.globals, |it| next(&it.text))?;
        let events = all(&monitor.events, |event| {
            Some(PreparedEvent {
                locals: all(&event.locals, |it| next(&it.text))?,
                operands: all(event.pattern.operands(), |operand| match &operand.kind {
                    OperandKind::Expr(fragment) => next(fragment).map(Some),
                    OperandKind::Any | OperandKind::Bind(_) => Some(None),
                })?,
                before: part(&event.before, &mut next)?,
                after: part(&event.after, &mut next)?,
            })
        })?;
        slots.next().is_none().then_some(Prepared {
            headers,
            globals,
            events,
        })
    }
}

fn all<I: IntoIterator, T>(items: I, f: impl FnMut(I::Item) -> Option<T>) -> Option<Vec<T>> {
    items.into_iter().map(f).collect()
}

fn part(part: &Part, next: &mut impl FnMut(&Fragment) -> Option<Vec<u8>>) -> Option<PreparedPart> {
    let mut take = |fragment: &Option<Fragment>| match fragment {
        Some(fragment) => next(fragment).map(Some),
        None => Some(None),
    };
    Some(PreparedPart {
        guard: take(&part.guard)?,
        action: take(&part.action)?,
    })
}

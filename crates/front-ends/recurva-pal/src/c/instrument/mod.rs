//! Monitors put into C: the preprocessed text of a unit with code around every call and
//! assignment that an event matches, and nothing else changed.
//!
//! - `site`: what can match, as if every call stood in a statement of its own.
//! - `matching`: which event does, the first one counts.
//! - `emit`: the code for one site, a statement expression of GNU C.
//! - `part`: the code of its guards and actions.
//! - `guard`: what a monitor asks for, and what is done where it does not hold.
//! - `store`: what is evaluated before it, and what it is called.
//! - `prelude`: what the unit needs once.
//! - `writer`: text with line markers, so that every line stays the user's.

mod emit;
mod guard;
mod matching;
mod part;
mod prelude;
mod site;
mod store;
mod writer;

use std::fmt;

use recurva_c::{ExprId, Places, Unit, tokens};
use recurva_syntax::{Source, Span};
use rustc_hash::FxHashMap;

use crate::{c::prepare::Prepared, lang::Monitor};

pub(crate) use guard::asserts;
pub use guard::{GuardKind, GuardSite, Moment, Purpose};
pub(crate) use prelude::COVERAGE;

use emit::Emitter;
use site::{Plan, Plans};

/// A unit with a monitor in it.
#[derive(Debug)]
pub struct Woven {
    /// The text; none if no event matches anything and nothing has to be changed.
    pub text: Option<Vec<u8>>,
    /// For each event, how many calls and assignments it matched.
    pub matched: Vec<usize>,
}

/// The order in which a compiler evaluates arguments. C leaves it open; the program shall not
/// notice that it is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As gcc does.
    #[default]
    LastFirst,
    /// As clang does.
    FirstFirst,
}

/// A place where a monitor cannot be put in without changing what the program does, or a unit
/// that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The file as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is the matter.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for Refused {}

/// What is put where.
#[derive(Clone, Copy, Debug)]
pub struct Weaving<'a> {
    /// The monitor.
    pub monitor: &'a Monitor,
    /// Its text, for messages at run time.
    pub source: &'a Source,
    /// Its C, made ready for this unit.
    pub prepared: &'a Prepared,
    /// How the compiler evaluates arguments.
    pub order: Order,
    /// What it is for.
    pub purpose: Purpose,
}

impl Weaving<'_> {
    /// Puts the monitor into a preprocessed unit.
    pub fn weave(self, text: &[u8]) -> Result<Woven, Vec<Refused>> {
        let all = tokens(text);
        let places = Places::new(text, &all);
        let unit = recurva_c::parse(text).map_err(|error| {
            let found = String::from_utf8_lossy(&text[error.span().range()]).into_owned();
            let message = format!("this C cannot be read: {error}, found `{found}`");
            let help = "leave this file out of the monitored build, or report the construct";
            vec![refused(&places, error.span(), message, help)]
        })?;
        let plans = Plans::new(text, &unit, &places, self)?;
        let mut matched = vec![0; self.monitor.events.len()];
        for plan in plans.all() {
            if let Plan::Event { found, .. } = plan {
                matched[found.event] += 1;
            }
        }
        if plans.is_empty() {
            let text = None;
            return Ok(Woven { text, matched });
        }
        let view = View {
            text,
            unit: &unit,
            places: &places,
        };
        let text = Emitter::new(view, self, &plans).emit(&matched);
        let text = Some(text);
        Ok(Woven { text, matched })
    }
}

fn refused(places: &Places<'_>, span: Span, message: String, help: &'static str) -> Refused {
    let place = places.of(span.start);
    Refused {
        file: String::from_utf8_lossy(place.file).into_owned(),
        line: place.line,
        message,
        help,
    }
}

/// A unit that was read.
#[derive(Clone, Copy)]
struct View<'t> {
    text: &'t [u8],
    unit: &'t Unit,
    places: &'t Places<'t>,
}

impl View<'_> {
    fn span(&self, id: ExprId) -> Span {
        self.unit.expr(id).span
    }

    /// A text on one line, without markers, with a blank between tokens where there was any.
    fn flat(&self, span: Span) -> String {
        flat(&self.text[span.range()])
    }
}

/// A text on one line: tokens with a blank where there was space or a marker.
fn flat(text: &[u8]) -> String {
    let mut flat = String::new();
    let mut last = 0;
    for token in tokens(text) {
        if token.span.start > last && !flat.is_empty() {
            flat.push(' ');
        }
        last = token.span.end;
        if token.kind == recurva_c::Kind::Line {
            // A blank will follow: the line ends in one.
            last = last.saturating_sub(1);
            continue;
        }
        match std::str::from_utf8(token.of(text)) {
            Ok(word) => flat.push_str(word),
            // A literal in another encoding keeps its bytes.
            Err(_) => {
                for byte in token.of(text) {
                    match byte.is_ascii() {
                        true => flat.push(char::from(*byte)),
                        false => flat.push_str(&format!("\\{byte:03o}")),
                    }
                }
            }
        }
    }
    flat.truncate(flat.trim_end().len());
    flat
}

type ByExpr<T> = FxHashMap<ExprId, T>;

//! What a monitor asks for: its guards, and the assertions in its actions.
//!
//! What is to be checked instead of run calls a function of its own where one of them does not hold.
//! Nobody defines these functions; their numbers are those of the list here.

use recurva_c::{Kind, tokens};
use recurva_syntax::{Source, Span};

use crate::lang::{Fragment, Monitor, PieceKind};

/// How the functions begin that are called where something does not hold.
const FAILS: &str = "recurva_pal_guard_";

/// What an action calls where something does not hold, besides `assert`: the functions that stand for an
/// error elsewhere, and the one that specifications of BLAST call.
const ERRORS: [&str; 4] = ["abort", "reach_error", "__VERIFIER_error", "error_fn"];

/// What `assert` comes to, after preprocessing.
const ASSERT: [&str; 5] = [
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "__assert_func",
    "__assert13",
];

/// What a unit is woven for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To be compiled, and run with the run-time.
    #[default]
    Run,
    /// To be checked: plain C without a run-time, in which a guard that does not hold is a call of
    /// [`GuardSite::function`].
    Check,
}

/// When an event acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Just before the call or assignment.
    Before,
    /// Just after it.
    After,
}

impl Moment {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Moment::Before => "before",
            Moment::After => "after",
        }
    }
}

/// How a monitor asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardKind {
    /// By a guard.
    Guard,
    /// By `assert` in an action, or by a call that is an error: all of one action are one.
    Assertion,
}

/// Something that a monitor asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardSite {
    /// The event, from 0.
    pub event: usize,
    /// When it is checked.
    pub moment: Moment,
    /// How it is asked for.
    pub kind: GuardKind,
    /// Where: the guard, or the first assertion.
    pub place: Span,
}

impl GuardSite {
    /// All of a monitor, in the order of its events.
    pub fn all(monitor: &Monitor) -> Vec<GuardSite> {
        let mut sites = Vec::new();
        for (event, declared) in monitor.events.iter().enumerate() {
            let parts = [
                (Moment::Before, &declared.before),
                (Moment::After, &declared.after),
            ];
            for (moment, part) in parts {
                let mut site = |kind, place| {
                    sites.push(GuardSite {
                        event,
                        moment,
                        kind,
                        place,
                    });
                };
                if let Some(guard) = &part.guard {
                    site(GuardKind::Guard, trimmed(guard));
                }
                if let Some(place) = part.action.as_ref().and_then(asserted) {
                    site(GuardKind::Assertion, place);
                }
            }
        }
        sites
    }

    /// The function that is called where the site of this number does not hold.
    pub fn function(number: usize) -> String {
        format!("{FAILS}{number}")
    }

    /// Its name among the properties of the monitor: `guard of event 2`.
    pub fn name(&self, monitor: &Monitor) -> String {
        let what = match self.kind {
            GuardKind::Guard => "guard",
            GuardKind::Assertion => "assertion",
        };
        format!("{what} of {}", monitor.events[self.event].title())
    }

    /// The same with its place: `guard of event 2 (rule.pal:7)`.
    pub fn title(&self, monitor: &Monitor, source: &Source) -> String {
        let (line, _) = source.line_column(self.place.start);
        format!("{} ({}:{line})", self.name(monitor), source.name())
    }
}

/// The place of a fragment without the blanks around it.
fn trimmed(fragment: &Fragment) -> Span {
    let text: String = fragment.pieces.iter().map(|it| &*it.text).collect();
    let before = text.len() - text.trim_start().len();
    let start = fragment.span.start + before as u32;
    let behind = text.len() - text.trim_end().len();
    Span::new(
        start,
        fragment.span.end.saturating_sub(behind as u32).max(start),
    )
}

/// The first assertion in an action.
fn asserted(action: &Fragment) -> Option<Span> {
    let mut names = action.pieces.iter();
    let found = names.find(|piece| {
        let is_error = ERRORS.contains(&&*piece.text) || &*piece.text == "assert";
        piece.kind == PieceKind::Name && is_error
    });
    found.map(|piece| piece.span)
}

/// Whether an action of a monitor calls `assert`.
pub(crate) fn asserts(monitor: &Monitor) -> bool {
    let events = monitor.events.iter();
    let parts = events.flat_map(|event| [&event.before, &event.after]);
    let mut actions = parts.filter_map(|part| part.action.as_ref());
    actions.any(|action| action.names().any(|(name, _)| name == "assert"))
}

/// A preprocessed action in which what ends a failed assertion is a call of another function.
pub(super) fn calling(action: &[u8], function: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(action.len());
    let mut last = 0;
    for token in tokens(action) {
        let mut ends = ASSERT.iter().chain(&ERRORS);
        if token.kind == Kind::Name && ends.any(|it| it.as_bytes() == token.of(action)) {
            out.extend_from_slice(&action[last..token.span.start as usize]);
            out.extend_from_slice(function.as_bytes());
            last = token.span.end as usize;
        }
    }
    out.extend_from_slice(&action[last..]);
    out
}

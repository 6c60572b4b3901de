//! What `check` has learned so far, for the watchdog.
//!
//! The command says here which question it is at and how each was answered, so that something
//! sensible is said if it has to be ended from outside.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use recurva_process::{
    Exit, memory,
    watchdog::{self, Cause, Known, Phase},
};
use recurva_report::sarif::{Level, Log};
use serde_json::{Value, json};

use crate::options::{CheckArguments, ReportFormat};

/// What is said to have answered if it was nobody.
const NOBODY: &str = "none";

/// The worst answer so far.
static WORST: Mutex<Exit> = Mutex::new(Exit::Holds);

/// The command begins: nothing is known.
pub(crate) fn begin(arguments: &CheckArguments) {
    watchdog::known(so_far(arguments, Exit::Unknown, None));
}

/// The next question is asked. It has its own time.
pub(crate) fn asking(arguments: &CheckArguments, property: &str) {
    memory::reset_peak();
    watchdog::known(so_far(arguments, Exit::Unknown, Some(property)));
    watchdog::phase(Phase::Searching);
    watchdog::restart();
}

/// The answer is there, and what is said of it is being made: of a violation that may take long.
pub(crate) fn found(arguments: &CheckArguments, exit: Exit, property: &str) {
    if exit == Exit::Violated {
        watchdog::known(so_far(arguments, exit, Some(property)));
    }
    watchdog::phase(Phase::Tracing);
}

/// A question has been answered, and so many are left. To be said while the watchdog is kept from
/// ending the process, or something else might be told after the answer.
pub(crate) fn answered(arguments: &CheckArguments, exit: Exit, left: usize) {
    watchdog::phase(Phase::Writing);
    let mut worst = WORST.lock().unwrap_or_else(PoisonError::into_inner);
    *worst = exit.max(*worst);
    let settled = left == 0 || *worst == Exit::Violated;
    if arguments.format == ReportFormat::Sarif {
        // It is told at the end.
        return;
    }
    watchdog::known(Known {
        exit: settled.then_some(*worst),
        text: Box::new(|_, _| String::new()),
    });
}

/// Everything has been told.
pub(crate) fn finished(exit: Exit) {
    watchdog::known(Known {
        exit: Some(exit),
        text: Box::new(|_, _| String::new()),
    });
}

/// An answer to a question, or none; about nothing in particular while the model is read.
fn so_far(arguments: &CheckArguments, exit: Exit, property: Option<&str>) -> Known {
    let worst = exit.max(*WORST.lock().unwrap_or_else(PoisonError::into_inner));
    let verdict = match exit {
        Exit::Violated => "violated",
        _ => "unknown",
    };
    let model = arguments.question.model.display().to_string();
    let property = property.map(str::to_owned);
    let format = arguments.format;
    let quiet = arguments.question.quiet;
    let started = Instant::now();
    Known {
        exit: (worst == Exit::Violated).then_some(Exit::Violated),
        text: Box::new(move |cause, why| match format {
            _ if quiet => String::new(),
            ReportFormat::Text => match &property {
                Some(property) => format!("{verdict}: {property} ({model})\n  {why}.\n"),
                None => format!("{verdict}: {model}\n  {why}.\n"),
            },
            ReportFormat::Json => {
                let report = json!({
                    "verdict": verdict,
                    "property": property.as_deref().unwrap_or_default(),
                    "model": model,
                    "engine": NOBODY,
                    "limit": limit(cause),
                    "stats": {
                        "states": 0,
                        "path_edges": 0,
                        "summaries": 0,
                        "seconds": started.elapsed().as_secs_f64(),
                        "peak_bytes": memory::peak(),
                    },
                    "evidence": null,
                });
                format!("{report}\n")
            }
            ReportFormat::Sarif => {
                let mut log = Log::new(env!("CARGO_PKG_VERSION"));
                let about = property.as_deref().unwrap_or(&model);
                log.notify(Level::Error, &format!("{verdict}: {about}: {why}"));
                format!("{:#}\n", log.finish(worst.code()))
            }
        }),
    }
}

fn limit(cause: Cause) -> Value {
    match cause {
        Cause::Time(limit) => json!({ "kind": "time", "seconds": limit.as_secs_f64() }),
        Cause::Memory(limit) => json!({ "kind": "memory", "bytes": limit }),
        Cause::Interrupt => json!({ "kind": "interrupted" }),
    }
}

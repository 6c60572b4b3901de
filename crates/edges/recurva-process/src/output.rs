//! The two streams of the process.

use std::{
    io::{self, BufWriter, ErrorKind, IsTerminal, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use recurva_check::{Refused, Said};
use recurva_syntax::{Diagnostics, Source, Style};

use crate::{exit::Exit, watchdog};

/// What has been said, if it is to be said again in a log.
static SAID: Mutex<Option<Vec<Said>>> = Mutex::new(None);

/// From now on what is said is kept.
pub fn keep() {
    *SAID.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
}

/// All that was kept.
pub fn kept() -> Vec<Said> {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    said.take().unwrap_or_default()
}

fn say(something: impl FnOnce() -> Said) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(said) = said.as_mut() {
        said.push(something());
    }
}

/// Prints what is wrong with a text.
pub fn diagnostics(source: &Source, diagnostics: &Diagnostics) {
    say(|| Said::Text(source.clone(), diagnostics.clone()));
    stderr(&diagnostics.render(source, style()));
}

/// Writes to the standard output.
pub fn stdout(bytes: &[u8]) {
    stdout_with(|out| out.write_all(bytes));
}

/// Whether something could not be written to the standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes to the standard output. A reader that has gone away is no error: whoever pipes
/// into `head` has seen enough. Anything else is one, see [`is_lost`].
pub fn stdout_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let _telling = watchdog::telling();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    if let Err(cause) = write(&mut out).and_then(|()| out.flush())
        && cause.kind() != ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        error(&format!("cannot write the report: {cause}"));
    }
}

/// Whether something that was to be on the standard output is not there. The command has failed
/// then, whatever the answer is.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Prints rendered diagnostics or a progress line as they are.
pub fn stderr(text: &str) {
    // Nobody is left to be told that the standard error cannot be written to.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints an error that has no place in a source.
pub fn error(message: &str) {
    say(|| Said::error_if(message, None));
    stderr(&format!("error: {message}\n"));
}

/// Prints advice that belongs to the error before it.
pub fn help(message: &str) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Said::Error { help, .. } | Said::Note { help, .. }) =
        said.as_mut().and_then(|said| said.last_mut())
    {
        *help = Some(message.to_owned());
    }
    drop(said);
    stderr(&format!("help: {message}\n"));
}

/// Prints a remark.
pub fn note(message: &str) {
    say(|| Said::note(message));
    stderr(&format!("note: {message}\n"));
}

/// Prints what is a fault of ours.
pub fn internal_error(message: &str) {
    say(|| Said::error_if(format!("internal error: {message}"), None));
    stderr(&format!(
        "internal error: {message}\nThis is a fault of recurva, not of the model. \
         Please report it with the model and the command.\n"
    ));
}

/// How much of what is said is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loudness {
    /// Only errors.
    pub quiet: bool,
    /// Details, too.
    pub verbose: bool,
}

/// Prints all that is said about inputs.
pub fn said(list: &[Said], loudness: Loudness) {
    for said in list {
        if loudness.quiet && !said.is_error() {
            continue;
        }
        match said {
            Said::Text(source, found) => diagnostics(source, found),
            Said::Error { text, help: advice } => {
                error(text);
                advice.iter().for_each(|advice| help(advice));
            }
            Said::Note { text, help: advice } => {
                note(text);
                advice.iter().for_each(|advice| help(advice));
            }
            Said::Detail(text) if loudness.verbose => note(text),
            Said::Detail(_) => {}
        }
    }
}

/// Prints why there is no model or no question, and how the command ends.
pub fn refused(refused: &Refused, loudness: Loudness) -> Exit {
    match refused {
        Refused::Said(list) => {
            said(list, loudness);
            Exit::BadInput
        }
        Refused::Limit(limit) => {
            error(&format!("no answer: {}", recurva_report::limit(*limit)));
            Exit::of_limit(*limit)
        }
        Refused::Internal(text) => {
            internal_error(text);
            Exit::Internal
        }
    }
}

/// How diagnostics are printed.
pub fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stderr().is_terminal() {
        Style::Colour
    } else {
        Style::Plain
    }
}

//! The two streams of the process.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use recurva_syntax::Style;

/// Writes to the standard output.
pub(crate) fn stdout(bytes: &[u8]) {
    stdout_with(|out| out.write_all(bytes));
}

/// Writes to the standard output. A reader that has gone away is no error: whoever pipes
/// into `head` has seen enough.
pub(crate) fn stdout_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    if let Err(cause) = write(&mut out).and_then(|()| out.flush())
        && cause.kind() != ErrorKind::BrokenPipe
    {
        error(&format!("cannot write the report: {cause}"));
    }
}

/// Prints rendered diagnostics or a progress line as they are.
pub(crate) fn stderr(text: &str) {
    // Nobody is left to be told that the standard error cannot be written to.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints an error that has no place in a source.
pub(crate) fn error(message: &str) {
    stderr(&format!("error: {message}\n"));
}

/// Prints advice that belongs to the error before it.
pub(crate) fn help(message: &str) {
    stderr(&format!("help: {message}\n"));
}

/// Prints a remark.
pub(crate) fn note(message: &str) {
    stderr(&format!("note: {message}\n"));
}

/// Prints what is a fault of ours.
pub(crate) fn internal_error(message: &str) {
    stderr(&format!(
        "internal error: {message}\nThis is a fault of recurva, not of the model. \
         Please report it with the model and the command.\n"
    ));
}

/// How diagnostics are printed.
pub(crate) fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stderr().is_terminal() {
        Style::Colour
    } else {
        Style::Plain
    }
}

//! Ctrl-C: the first stops the search at its next tick, the second ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Exit, files};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Without a handler the system's default applies, which is to end the
/// process: no reason to fail.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            files::remove_unfinished();
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}

/// Whether the user has asked to stop.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

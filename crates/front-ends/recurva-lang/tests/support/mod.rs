//! What several tests need.

use std::thread;

/// Runs a test on a thread with a stack of 2 MB, whatever the platform's default.
pub(crate) fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(test)
        .expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

//! Room for walks that go as deep as their input is nested.

use std::{io, panic, thread};

/// Runs a walk on a thread with a stack of this many bytes.
///
/// How much of the stack a level takes depends on how the compiler was asked to optimise; a walk
/// whose depth is limited needs a stack that is enough in any case. Pages of it that are not
/// touched cost nothing.
///
/// # Errors
/// The system has no room for such a thread.
pub fn with_stack<T: Send>(bytes: usize, walk: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(bytes)
            .spawn_scoped(scope, walk)?;
        match thread.join() {
            Ok(result) => Ok(result),
            Err(panic) => panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::with_stack;

    fn sum(to: u64) -> u64 {
        match std::hint::black_box(to) {
            0 => 0,
            to => to + sum(to - 1),
        }
    }

    #[test]
    fn a_deep_walk() {
        let deep = with_stack(256 << 20, || sum(400_000));
        assert_eq!(deep.ok(), Some(400_000 * 400_001 / 2));
    }

    #[test]
    #[should_panic(expected = "as it was")]
    fn a_panic_goes_on() {
        let _ = with_stack(1 << 20, || panic!("as it was"));
    }
}

//! Room for walks that go as deep as their input is nested.

use std::{
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

/// Runs a walk on a thread with a stack of this many bytes.
///
/// How much of the stack a level takes depends on how the compiler was asked to optimise; a walk
/// whose depth is limited needs a stack that is enough in any case. Pages of it that are not
/// touched cost nothing. Where the system has no room for such a thread, the walk has to do with
/// the stack of whoever calls.
pub fn with_stack<T: Send>(bytes: usize, walk: impl FnOnce() -> T + Send) -> T {
    // A thread that cannot be had does not give the walk back.
    let walk = Mutex::new(Some(walk));
    let take = || walk.lock().unwrap_or_else(PoisonError::into_inner).take();
    let run = || take().map(|walk| walk());
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes);
        match thread.spawn_scoped(scope, run) {
            Ok(thread) => thread.join(),
            Err(_) => Ok(None),
        }
    });
    match done {
        Ok(Some(result)) => result,
        Ok(None) => match take() {
            Some(walk) => walk(),
            None => unreachable!("the walk was not begun"),
        },
        Err(panic) => panic::resume_unwind(panic),
    }
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
        assert_eq!(deep, 400_000 * 400_001 / 2);
    }

    #[test]
    fn without_room_for_a_thread() {
        assert_eq!(with_stack(usize::MAX / 2, || sum(10)), 55);
    }

    #[test]
    #[should_panic(expected = "as it was")]
    fn a_panic_goes_on() {
        with_stack(1 << 20, || panic!("as it was"));
    }
}

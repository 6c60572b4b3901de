//! The allocator, and what is left to do when there is no memory.
//!
//! A request that fails takes a reserve first, and says so ([`exhausted`]): whoever polls has time
//! to stop in good order. If there is nothing to be had even so, the process ends here, with an
//! answer: the library would abort it. So no request fails as far as anybody can see, and whoever
//! wants to know whether there is room has to ask the system.
//!
//! All of the program's unsafe code is here. An allocator cannot be written without it, and at the
//! very end only the system's own calls need neither memory nor a lock.
#![expect(
    unsafe_code,
    reason = "an allocator is unsafe by definition, and so are the system's calls"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicIsize, AtomicPtr, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use crate::Exit;

/// The allocator of the process: the system's, and it counts.
pub(crate) struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes held, and the most there were. Each thread adds up [`BATCH`] bytes before it tells, so
/// both may be that much off for each thread; two threads do not wait for each other so.
static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

const BATCH: isize = 1 << 16;

/// Kept for when there is nothing else.
static RESERVE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
const RESERVE_LAYOUT: Layout = Layout::new::<[u128; (8 << 20) / size_of::<u128>()]>();

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// Called when there is no memory left, by the first thread that finds out.
static LAST_WORDS: OnceLock<fn()> = OnceLock::new();
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// How the process ends if even the last words cannot be said.
const OUT_OF_MEMORY: u8 = Exit::Unknown.code();

/// So long other threads wait for the one that speaks.
const PATIENCE: Duration = Duration::from_secs(3);

thread_local! {
    /// What this thread has not told yet.
    static PENDING: Cell<isize> = const { Cell::new(0) };
    /// Whether this thread says the last words.
    static SPEAKS: Cell<bool> = const { Cell::new(false) };
}

fn count(bytes: isize) {
    let pending = PENDING.get().wrapping_add(bytes);
    if (-BATCH..BATCH).contains(&pending) {
        PENDING.set(pending);
    } else {
        PENDING.set(0);
        tell(pending);
    }
}

#[cold]
fn tell(bytes: isize) {
    let held = HELD.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(held, Relaxed);
}

/// A request has failed: gives up the reserve and asks again. Ends the process if that is in vain.
#[cold]
fn again(ask: impl Fn() -> *mut u8) -> *mut u8 {
    EXHAUSTED.store(true, Relaxed);
    release();
    let given = ask();
    if given.is_null() {
        out_of_memory();
    }
    given
}

fn out_of_memory() -> ! {
    if SPEAKS.get() {
        // The last words need memory after all.
        end(OUT_OF_MEMORY);
    }
    if IS_ENDING.swap(true, Relaxed) {
        thread::sleep(PATIENCE);
    } else {
        SPEAKS.set(true);
        if let Some(last_words) = LAST_WORDS.get() {
            last_words();
        }
    }
    end(OUT_OF_MEMORY)
}

fn release() {
    let reserve = RESERVE.swap(ptr::null_mut(), Relaxed);
    if !reserve.is_null() {
        // SAFETY: it came from this allocator with this layout, and after the swap nobody else
        // has it.
        unsafe { System.dealloc(reserve, RESERVE_LAYOUT) };
    }
}

// SAFETY: every request goes to the system's allocator as it is and comes back as it is; the rest
// are numbers. The two thread-local cells have constant values at first and nothing to drop, so
// that reading them neither allocates nor fails. Nothing here unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of `alloc`.
        let ask = || unsafe { System.alloc(layout) };
        let mut given = ask();
        if given.is_null() {
            given = again(ask);
        }
        count(layout.size() as isize);
        given
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let ask = || unsafe { System.alloc_zeroed(layout) };
        let mut given = ask();
        if given.is_null() {
            given = again(ask);
        }
        count(layout.size() as isize);
        given
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; what cannot be made larger stays as it was, so asking again is allowed.
        let ask = || unsafe { System.realloc(old, layout, size) };
        let mut given = ask();
        if given.is_null() {
            given = again(ask);
        }
        count(size as isize - layout.size() as isize);
        given
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) };
        count(-(layout.size() as isize));
    }
}

/// Bytes that the process has asked for and not given back.
pub(crate) fn held() -> u64 {
    HELD.load(Relaxed).max(0) as u64
}

/// The most bytes that were held at a time.
pub fn peak() -> u64 {
    PEAK.load(Relaxed).max(0) as u64
}

/// Whether a request has failed for want of memory.
pub(crate) fn exhausted() -> bool {
    EXHAUSTED.load(Relaxed)
}

/// Sets the reserve aside. `last_words` is called when there is no memory left: it should need
/// none, and ends the process.
pub(crate) fn prepare(last_words: fn()) {
    // SAFETY: the layout is not empty.
    let reserve = unsafe { System.alloc(RESERVE_LAYOUT) };
    RESERVE.store(reserve, Relaxed);
    // Nobody has said anything before.
    let _ = LAST_WORDS.set(last_words);
}

/// The most bytes held are counted anew.
pub fn reset_peak() {
    PEAK.store(HELD.load(Relaxed), Relaxed);
}

pub(crate) use system::{end, write};

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Error,
}

#[cfg(unix)]
mod system {
    use std::{
        io::{Error, ErrorKind},
        time::{Duration, Instant},
    };

    use super::Stream;

    /// Writes without a buffer, a lock or memory, and waits no longer than that for a reader.
    pub(crate) fn write(stream: Stream, mut bytes: &[u8], patience: Duration) {
        let fd = match stream {
            Stream::Out => libc::STDOUT_FILENO,
            Stream::Error => libc::STDERR_FILENO,
        };
        let until = Instant::now() + patience;
        while !bytes.is_empty() {
            let left = until.saturating_duration_since(Instant::now()).as_millis();
            let left = libc::c_int::try_from(left).unwrap_or(libc::c_int::MAX);
            let mut wanted = libc::pollfd {
                fd,
                events: libc::POLLOUT,
                revents: 0,
            };
            // A pipe that is ready takes so much at once.
            let piece = &bytes[..bytes.len().min(libc::PIPE_BUF)];
            // SAFETY: there is one entry; both buffers outlive the calls.
            let done = unsafe {
                match libc::poll(&raw mut wanted, 1, left) {
                    0 => return,
                    1 => libc::write(fd, piece.as_ptr().cast(), piece.len()),
                    _ => -1,
                }
            };
            match usize::try_from(done) {
                Ok(done) => bytes = &bytes[done..],
                Err(_) if Error::last_os_error().kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Ends the process here and now: nothing is flushed, no thread is waited for.
    pub(crate) fn end(code: u8) -> ! {
        // SAFETY: always.
        unsafe { libc::_exit(code.into()) }
    }
}

#[cfg(not(unix))]
mod system {
    use std::{
        io::{self, Write},
        time::Duration,
    };

    use super::Stream;

    /// Writes without a buffer.
    pub(crate) fn write(stream: Stream, bytes: &[u8], _: Duration) {
        // Nobody is left to be told.
        let _ = match stream {
            Stream::Out => io::stdout().write_all(bytes),
            Stream::Error => io::stderr().write_all(bytes),
        };
    }

    /// Ends the process.
    pub(crate) fn end(code: u8) -> ! {
        std::process::exit(code.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Larger than what threads may keep for themselves.
    const LARGE: usize = 64 << 20;

    #[test]
    fn what_is_held_is_counted() {
        let before = held();
        let large: Vec<u8> = vec![1; LARGE];
        let during = held();
        assert!(
            during >= before + LARGE as u64 - (1 << 22),
            "{before} {during}"
        );
        assert!(peak() >= LARGE as u64);
        drop(large);
        assert!(held() < during - LARGE as u64 / 2);
    }
}

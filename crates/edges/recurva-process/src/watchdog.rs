//! The last resort: a thread that ends the process when a limit is reached and nobody listens.
//!
//! Searches look at their limits themselves and end with a proper answer. But a parser, one long
//! operation on diagrams or a write to a reader that does not read may take for ever. So when the
//! time or the memory is used up, or the user has said stop, there is a grace; then what is known
//! so far is written, unfinished files are removed, and the process ends.
//!
//! A report that is being written is not cut: whoever writes one holds [`Telling`], for which the
//! watchdog waits, though not for ever.

use std::{
    cell::Cell,
    fmt,
    io::{IsTerminal, stderr},
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
    time::{Duration, Instant},
};

use recurva_check::Limits;
use recurva_report::parts::{bytes, seconds};

use crate::{
    exit::Exit,
    files, interrupt, memory,
    raw::{self, Stream},
};

/// How often the watchdog looks.
const EVERY: Duration = Duration::from_millis(20);

/// A tenth of the limit is given to end in good order, within these bounds.
const LEAST_GRACE: Duration = Duration::from_millis(100);
const MOST_GRACE: Duration = Duration::from_millis(500);

/// So long a report that has been begun may take when all else is over, and so long the last words
/// wait for a reader.
const TO_TELL: Duration = Duration::from_millis(500);

/// The watchdog does little: it should not take what others need.
const STACK: usize = 256 << 10;

/// Said when there is no memory for more.
const OUT_OF_MEMORY: &[u8] = b"error: there is no memory left\n";

/// What the command is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Reading the model.
    #[default]
    Reading,
    /// Looking for the answer.
    Searching,
    /// Making what shows the answer.
    Tracing,
    /// Writing what was found.
    Writing,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Reading => "reading the model",
            Phase::Searching => "searching",
            Phase::Tracing => "building the trace",
            Phase::Writing => "writing",
        })
    }
}

/// Why the command has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The time given is used up.
    Time(Duration),
    /// More than this is used, or so much and there is no more.
    Memory(u64),
    /// The user said so.
    Interrupt,
}

impl Cause {
    fn exit(self) -> Exit {
        match self {
            Cause::Time(_) | Cause::Memory(_) => Exit::Unknown,
            Cause::Interrupt => Exit::Interrupted,
        }
    }

    fn grace(self) -> Duration {
        match self {
            Cause::Time(limit) => (limit / 10).clamp(LEAST_GRACE, MOST_GRACE),
            Cause::Memory(_) | Cause::Interrupt => MOST_GRACE,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Cause::Time(limit) => {
                let limit = seconds(limit.as_secs_f64());
                write!(f, "the time limit of {limit} was reached")
            }
            Cause::Memory(limit) => {
                let limit = bytes(limit);
                write!(
                    f,
                    "more than the {limit} of memory that may be used are needed"
                )
            }
            Cause::Interrupt => f.write_str("interrupted"),
        }
    }
}

/// Makes a text of why the command has to end.
pub type Tell = Box<dyn Fn(Cause, &str) -> String + Send>;

/// What is known so far.
pub struct Known {
    /// How the command ends, if that is settled: some property is violated, or all has been told.
    /// Otherwise the cause says how.
    pub exit: Option<Exit>,
    /// What is to be written to the standard output, given why the command has to end, also in
    /// words: "the time limit of 5 s was reached while searching".
    pub text: Tell,
}

/// What the watchdog has been told, and what it has seen.
struct State {
    limits: Limits,
    started: Option<Instant>,
    /// What was used at the start already.
    base: u64,
    phase: Phase,
    known: Option<Known>,
    /// What is written if there is no memory left to make a text with.
    last_words: String,
    /// Why the command has to end, and when that will be enforced.
    cause: Option<(Cause, Instant)>,
}

static STATE: Mutex<State> = Mutex::new(State::new());

/// Held while a report is written.
static TELLING: Mutex<()> = Mutex::new(());

thread_local! {
    /// How many of this thread's guards there are: one may write a report in parts.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Begins to watch. May be called again for other limits; the time begins anew. If there is no
/// thread to be had nobody watches, and all else is as it was.
pub fn start(limits: Limits) {
    let mut state = lock();
    let is_first = state.started.is_none();
    state.limits = limits;
    state.started = Some(Instant::now());
    if is_first {
        state.base = memory::resident().unwrap_or(0);
    }
    drop(state);
    if is_first {
        let name = "watchdog".to_owned();
        let builder = thread::Builder::new().name(name).stack_size(STACK);
        let _ = builder.spawn(watch);
    }
}

/// The time limit begins anew, for the next question.
pub fn restart() {
    let mut state = lock();
    if state.started.is_some() {
        state.started = Some(Instant::now());
    }
}

/// Says what the command is doing from now on.
pub fn phase(phase: Phase) {
    let mut state = lock();
    state.phase = phase;
    state.prepare();
}

/// Says what is known from now on.
pub fn known(known: Known) {
    let mut state = lock();
    state.known = Some(known);
    state.prepare();
}

/// The memory that a search has used up, if it has to stop for that: to be looked at now and then.
pub(crate) fn out_of_memory() -> Option<u64> {
    if memory::exhausted() {
        return Some(memory::peak());
    }
    // Of two engines the larger one gives up by itself, and the other goes on: that takes a while.
    let soon = Instant::now() + MOST_GRACE / 2;
    match lock().cause {
        Some((Cause::Memory(limit), until)) if soon >= until => Some(limit),
        _ => None,
    }
}

/// A report is being written.
pub struct Telling {
    _first: Option<MutexGuard<'static, ()>>,
}

/// Keeps the watchdog from ending the process for as long as a report is written.
pub fn telling() -> Telling {
    let depth = DEPTH.get();
    DEPTH.set(depth + 1);
    let first = depth == 0;
    Telling {
        _first: first.then(|| TELLING.lock().unwrap_or_else(PoisonError::into_inner)),
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    const fn new() -> State {
        State {
            limits: Limits {
                time: None,
                memory: None,
            },
            started: None,
            base: 0,
            phase: Phase::Reading,
            known: None,
            last_words: String::new(),
            cause: None,
        }
    }

    /// Looks whether the command has to end, and whether the grace is over.
    fn look(&mut self, seen: &Seen) -> Option<Cause> {
        let Limits { time, memory } = self.limits;
        let elapsed = |started| seen.now.saturating_duration_since(started);
        let out_of_time = time.filter(|time| self.started.map(elapsed) >= Some(*time));
        let cause = if seen.is_interrupted {
            Some(Cause::Interrupt)
        } else if let Some(limit) = out_of_time {
            Some(Cause::Time(limit))
        } else if seen.is_exhausted {
            Some(Cause::Memory(seen.held))
        } else {
            memory
                .filter(|limit| seen.resident.saturating_sub(self.base) > *limit)
                .map(Cause::Memory)
        };
        let Some(cause) = cause else {
            // A question that ended in time, or memory that was given back.
            self.cause = None;
            return None;
        };
        match self.cause {
            Some((first, until)) if first.exit() == cause.exit() => {
                (seen.now >= until).then_some(first)
            }
            _ => {
                self.cause = Some((cause, seen.now + cause.grace()));
                None
            }
        }
    }

    /// What is written to the standard output at the end, and how the command ends.
    fn end(&self, cause: Cause) -> (String, Exit) {
        let why = format!("{cause} while {}", self.phase);
        match &self.known {
            Some(known) => (
                (known.text)(cause, &why),
                known.exit.unwrap_or(cause.exit()),
            ),
            None => (format!("unknown: {why}\n"), cause.exit()),
        }
    }

    /// Has the last words ready, as long as there is memory for them.
    fn prepare(&mut self) {
        let why = format!("there was no memory left while {}", self.phase);
        self.last_words = match &self.known {
            Some(known) => (known.text)(Cause::Memory(memory::peak()), &why),
            None => format!("unknown: {why}\n"),
        };
    }
}

/// What the watchdog sees when it looks.
struct Seen {
    now: Instant,
    is_interrupted: bool,
    is_exhausted: bool,
    held: u64,
    resident: u64,
}

fn watch() {
    loop {
        thread::sleep(EVERY);
        let seen = Seen {
            now: Instant::now(),
            is_interrupted: interrupt::requested(),
            is_exhausted: memory::exhausted(),
            held: memory::held(),
            resident: memory::resident().unwrap_or(0),
        };
        let over = lock().look(&seen);
        if let Some(cause) = over {
            bite(cause);
        }
    }
}

/// Ends the process.
fn bite(cause: Cause) -> ! {
    let until = Instant::now() + TO_TELL;
    let telling = loop {
        match TELLING.try_lock() {
            Ok(telling) => break Some(telling),
            Err(TryLockError::Poisoned(telling)) => break Some(telling.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(EVERY / 4),
        }
    };
    let (text, exit) = lock().end(cause);
    files::remove_unfinished();
    // In the middle of a report there is nothing to add. Otherwise nobody begins one any more.
    if telling.is_some() {
        if stderr().is_terminal() {
            // There may be a progress line.
            raw::write(Stream::Error, b"\r\x1b[K", TO_TELL);
        }
        raw::write(Stream::Out, text.as_bytes(), TO_TELL);
    }
    raw::end(exit.code())
}

/// Ends the process when there is no memory left for anything. Needs none, and waits for nobody.
pub(crate) fn last_words() {
    let mut exit = Exit::Unknown;
    if let Ok(state) = STATE.try_lock() {
        exit = state.known.as_ref().and_then(|it| it.exit).unwrap_or(exit);
        if TELLING.try_lock().is_ok() {
            raw::write(Stream::Out, state.last_words.as_bytes(), TO_TELL);
        }
    }
    raw::write(Stream::Error, OUT_OF_MEMORY, TO_TELL);
    // Last, for it may need memory if the name of a file is very long.
    files::remove_unfinished();
    raw::end(exit.code());
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    /// A command that has begun at a time, and a look at it so many milliseconds later.
    fn begun(limits: Limits) -> (State, impl Fn(u32) -> Seen) {
        let started = Instant::now();
        let mut state = State::new();
        state.limits = limits;
        state.started = Some(started);
        let seen = move |later| Seen {
            now: started + MILLISECOND * later,
            is_interrupted: false,
            is_exhausted: false,
            held: 300,
            resident: 100,
        };
        (state, seen)
    }

    fn time(milliseconds: u32) -> Limits {
        Limits {
            time: Some(MILLISECOND * milliseconds),
            memory: None,
        }
    }

    #[test]
    fn the_grace_is_a_tenth_within_bounds() {
        for (limit, grace) in [(1, 100), (1000, 100), (3000, 300), (60_000, 500)] {
            let (mut state, seen) = begun(time(limit));
            let cause = Cause::Time(MILLISECOND * limit);
            assert_eq!(state.look(&seen(limit - 1)), None);
            assert_eq!(state.cause, None);
            assert_eq!(state.look(&seen(limit)), None);
            assert!(matches!(state.cause, Some((it, _)) if it == cause));
            assert_eq!(state.look(&seen(limit + grace - 1)), None);
            assert_eq!(state.look(&seen(limit + grace)), Some(cause));
        }
    }

    #[test]
    fn the_next_question_has_its_own_time() {
        let (mut state, seen) = begun(time(1000));
        assert_eq!(state.look(&seen(1050)), None);
        assert!(state.cause.is_some());
        state.started = Some(seen(1060).now);
        assert_eq!(state.look(&seen(1500)), None);
        assert_eq!(state.cause, None);
        assert_eq!(state.look(&seen(2060)), None);
        assert!(state.look(&seen(2160)).is_some());
    }

    #[test]
    fn memory_that_is_given_back_is_forgiven() {
        let (mut state, seen) = begun(Limits {
            time: None,
            memory: Some(200),
        });
        let full = |later| Seen {
            resident: 201,
            ..seen(later)
        };
        assert_eq!(state.look(&full(0)), None);
        assert_eq!(state.look(&seen(300)), None);
        assert_eq!(state.look(&full(600)), None);
        assert_eq!(state.look(&full(1100)), Some(Cause::Memory(200)));
        let (mut state, seen) = begun(Limits::default());
        let exhausted = |later| Seen {
            is_exhausted: true,
            ..seen(later)
        };
        assert_eq!(state.look(&exhausted(0)), None);
        assert_eq!(state.look(&exhausted(500)), Some(Cause::Memory(300)));
    }

    #[test]
    fn the_user_comes_first() {
        let (mut state, seen) = begun(time(1000));
        assert_eq!(state.look(&seen(1000)), None);
        let interrupted = |later| Seen {
            is_interrupted: true,
            ..seen(later)
        };
        assert_eq!(state.look(&interrupted(1050)), None);
        assert_eq!(state.look(&interrupted(1549)), None);
        assert_eq!(state.look(&interrupted(1550)), Some(Cause::Interrupt));
    }

    #[test]
    fn what_is_known_is_said() {
        let (mut state, _) = begun(Limits::default());
        let cause = Cause::Time(Duration::from_secs(5));
        let (text, exit) = state.end(cause);
        let why = "the time limit of 5.00 s was reached while reading the model";
        assert_eq!(text, format!("unknown: {why}\n"));
        assert_eq!(exit, Exit::Unknown);
        state.phase = Phase::Searching;
        state.known = Some(Known {
            exit: None,
            text: Box::new(|_, why| format!("unknown: it: {why}\n")),
        });
        let (text, exit) = state.end(Cause::Interrupt);
        assert_eq!(text, "unknown: it: interrupted while searching\n");
        assert_eq!(exit, Exit::Interrupted);
        state.known = Some(Known {
            exit: Some(Exit::Violated),
            text: Box::new(|_, _| String::new()),
        });
        assert_eq!(state.end(cause), (String::new(), Exit::Violated));
        state.prepare();
        assert_eq!(state.last_words, "");
    }

    #[test]
    fn a_report_may_be_written_in_parts() {
        let all = telling();
        drop(telling());
        assert!(TELLING.try_lock().is_err());
        drop(all);
        assert_eq!(DEPTH.get(), 0);
    }
}

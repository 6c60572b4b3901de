//! Programs that get so much memory and time and no more, and are ended with all that they started.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read, Write},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::process::{Ended, Finished};

/// How often the one who waits is asked whether to go on: soon at first, as many programs end soon.
const SOONEST: Duration = Duration::from_micros(100);
const LATEST: Duration = Duration::from_millis(2);

/// So long streams are waited for that somebody else may hold open.
const LEFT_OPEN: Duration = Duration::from_secs(1);

/// What a program may use.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// So many bytes of memory.
    pub memory: Option<u64>,
    /// So much time of the processor, in whole seconds.
    pub processor: Option<Duration>,
    /// So many bytes of each stream are kept. Who says more is ended.
    pub output: usize,
}

/// Runs a program with a standard input, in a process group of its own. It is ended, with all that it
/// started, when `is_over` says so, and when it says too much: then as much of its output is there as
/// is kept.
///
/// # Errors
///
/// If it cannot be run at all.
pub fn run_bounded(
    program: &OsStr,
    arguments: &[OsString],
    input: &[u8],
    bounds: &Bounds,
    is_over: &mut dyn FnMut() -> bool,
) -> io::Result<Finished> {
    let mut child = command(program, arguments, bounds)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let is_too_much = Arc::new(AtomicBool::new(false));
    let streams = streams(&mut child, input, bounds.output, &is_too_much);
    let streams = match streams {
        Ok(streams) => streams,
        Err(error) => {
            end(&mut child);
            let _ = child.wait();
            return Err(error);
        }
    };
    let mut every = SOONEST;
    let is_stopped = loop {
        match has_ended(&mut child) {
            Ok(true) => break false,
            Ok(false) if is_too_much.load(Relaxed) || is_over() => break true,
            Ok(false) => {}
            Err(error) => {
                end(&mut child);
                let _ = child.wait();
                return Err(error);
            }
        }
        thread::sleep(every);
        every = (every * 2).min(LATEST);
    };
    // Before it is waited for: its number is nobody else's until then.
    end(&mut child);
    let status = child.wait()?;
    let [output, said] = streams.map(Stream::take);
    Ok(Finished {
        ended: match is_stopped || is_too_much.load(Relaxed) {
            true => Ended::Stopped,
            false => Ended::With(status),
        },
        output,
        said,
    })
}

#[cfg(unix)]
fn command(program: &OsStr, arguments: &[OsString], bounds: &Bounds) -> Command {
    use std::os::unix::process::CommandExt;

    // The shell sets the limits of its own process, and becomes the program.
    let mut script = String::new();
    if let Some(memory) = bounds.memory {
        script.push_str(&format!("ulimit -v {} 2>/dev/null; ", memory >> 10));
    }
    if let Some(time) = bounds.processor {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        script.push_str(&format!("ulimit -t {seconds} 2>/dev/null; "));
    }
    // A program that ends badly leaves nothing behind.
    script.push_str("ulimit -c 0 2>/dev/null; exec \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &script, "sh"])
        .arg(program)
        .args(arguments);
    command.process_group(0);
    command
}

#[cfg(not(unix))]
fn command(program: &OsStr, arguments: &[OsString], _: &Bounds) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Whether it has ended. It is not waited for yet.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match group(child) {
        Some(group) => Ok(waitid(WaitId::Pid(group), options)?.is_some()),
        None => Ok(child.try_wait()?.is_some()),
    }
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(child.id()).ok()?)
}

#[cfg(unix)]
fn end(child: &mut Child) {
    if let Some(group) = group(child) {
        // There may be nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end(child: &mut Child) {
    let _ = child.kill();
}

/// What a program says, while it says it.
struct Stream {
    kept: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

fn streams(
    child: &mut Child,
    input: &[u8],
    most: usize,
    is_too_much: &Arc<AtomicBool>,
) -> io::Result<[Stream; 2]> {
    let stdin = child.stdin.take();
    let input = input.to_vec();
    let named = |name: &str| thread::Builder::new().name(name.to_owned());
    named("input").spawn(move || {
        if let Some(mut stdin) = stdin {
            // A program need not read all of it.
            let _ = stdin.write_all(&input);
        }
    })?;
    let output = child.stdout.take();
    let said = child.stderr.take();
    Ok([
        Stream::new(output, most, is_too_much)?,
        Stream::new(said, most, is_too_much)?,
    ])
}

impl Stream {
    fn new(
        stream: Option<impl Read + Send + 'static>,
        most: usize,
        is_too_much: &Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (own, is_too_much) = (Arc::clone(&kept), Arc::clone(is_too_much));
        let read = move || {
            let Some(mut stream) = stream else {
                return;
            };
            let mut buffer = vec![0; 1 << 14];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                let mut kept = own.lock().unwrap_or_else(PoisonError::into_inner);
                let room = most - kept.len();
                kept.extend_from_slice(&buffer[..count.min(room)]);
                if count > room {
                    is_too_much.store(true, Relaxed);
                    break;
                }
            }
        };
        let reader = thread::Builder::new()
            .name("output".to_owned())
            .spawn(read)?;
        Ok(Stream { kept, reader })
    }

    /// All that was said. Something that the program has started and that is in another group may hold
    /// the stream open.
    fn take(self) -> Vec<u8> {
        let begin = Instant::now();
        while !self.reader.is_finished() && begin.elapsed() < LEFT_OPEN {
            thread::sleep(SOONEST);
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut kept)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        memory: None,
        processor: None,
        output: 100_000,
    };

    fn shell(script: &str, bounds: &Bounds, is_over: &mut dyn FnMut() -> bool) -> Finished {
        let arguments = ["-c".into(), script.into()];
        run_bounded(OsStr::new("sh"), &arguments, b"in\n", bounds, is_over).unwrap()
    }

    #[test]
    fn streams_and_codes() {
        let finished = shell("cat; echo no >&2; exit 3", &BOUNDS, &mut || false);
        assert_eq!(finished.code(), Some(3));
        assert_eq!(finished.output, b"in\n");
        assert_eq!(finished.said, b"no\n");
    }

    #[test]
    fn who_says_too_much_is_ended() {
        let finished = shell("while :; do echo again; done", &BOUNDS, &mut || false);
        assert_eq!(finished.ended, Ended::Stopped);
        assert_eq!(finished.output.len(), BOUNDS.output);
    }

    #[test]
    fn what_a_program_started_is_ended_with_it() {
        // It holds the streams open; neither the end of the program nor ours waits for it.
        let finished = shell("sleep 1000 & echo $!", &BOUNDS, &mut || false);
        assert_eq!(finished.code(), Some(0));
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > 20
        };
        let stopped = shell("sleep 1000 & echo $!; wait", &BOUNDS, &mut is_over);
        assert_eq!(stopped.ended, Ended::Stopped);
        for said in [finished.output, stopped.output] {
            let number = String::from_utf8(said).unwrap();
            let number = number.trim();
            let asks = format!("kill -0 {number}");
            // It is gone, as soon as somebody has waited for it.
            while shell(&asks, &BOUNDS, &mut || false).is_success() && !is_zombie(number) {
                thread::sleep(LATEST);
            }
        }
    }

    fn is_zombie(process: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|it| it.contains(") Z "))
    }

    #[test]
    fn limits_are_kept() {
        let bounds = Bounds {
            memory: Some(1 << 30),
            processor: Some(Duration::from_secs(1)),
            ..BOUNDS
        };
        let finished = shell("ulimit -v; ulimit -t", &bounds, &mut || false);
        assert_eq!(finished.output, b"1048576\n1\n");
        let finished = shell("while :; do :; done", &bounds, &mut || false);
        assert_eq!(finished.code(), None);
    }
}

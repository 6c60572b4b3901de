//! Other programs, run until they end or nobody wants to wait any longer.

use std::{
    io::{self, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

/// How often the one who waits is asked whether to go on.
const EVERY: Duration = Duration::from_millis(2);

/// How much of what a program says is kept, of each stream. The rest is read and dropped.
const KEPT: usize = 64 << 20;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, or by a signal.
    With(ExitStatus),
    /// It was ended from here, as nobody wanted to wait any longer.
    Stopped,
}

/// A program that has ended, and what it said.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub said: Vec<u8>,
}

impl Finished {
    /// Whether it ended with the exit code 0.
    pub fn is_success(&self) -> bool {
        matches!(self.ended, Ended::With(status) if status.success())
    }

    /// Its exit code, if it ended by itself.
    pub fn code(&self) -> Option<i32> {
        match self.ended {
            Ended::With(status) => status.code(),
            Ended::Stopped => None,
        }
    }
}

/// Runs a program with a standard input. It is ended when `is_over` says so.
///
/// # Errors
///
/// If it cannot be run at all.
pub fn run(
    command: &mut Command,
    input: &[u8],
    is_over: &mut dyn FnMut() -> bool,
) -> io::Result<Finished> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take();
    let input = input.to_vec();
    let writer = spawn("input", move || {
        if let Some(mut stdin) = stdin.take() {
            // A program need not read all of it.
            let _ = stdin.write_all(&input);
        }
        Vec::new()
    })?;
    let (output, said) = (child.stdout.take(), child.stderr.take());
    let output = spawn("output", move || all(output))?;
    let said = spawn("errors", move || all(said))?;
    let ended = wait(&mut child, is_over)?;
    let _ = writer.join();
    // Something that the program has started may hold the streams open: it is not waited for.
    let take = |thread: JoinHandle<Vec<u8>>| match ended {
        Ended::With(_) => thread.join().unwrap_or_default(),
        Ended::Stopped => Vec::new(),
    };
    Ok(Finished {
        ended,
        output: take(output),
        said: take(said),
    })
}

fn spawn(
    name: &str,
    work: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> io::Result<JoinHandle<Vec<u8>>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

fn wait(child: &mut Child, is_over: &mut dyn FnMut() -> bool) -> io::Result<Ended> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::With(status));
        }
        if is_over() {
            // It may have ended in the meantime.
            let _ = child.kill();
            child.wait()?;
            return Ok(Ended::Stopped);
        }
        thread::sleep(EVERY);
    }
}

/// All that a stream has, as far as it is kept.
fn all(stream: Option<impl Read>) -> Vec<u8> {
    let Some(mut stream) = stream else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    let _ = (&mut stream).take(KEPT as u64).read_to_end(&mut kept);
    let _ = io::copy(&mut stream, &mut io::sink());
    kept
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn input_output_and_errors() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat; echo no >&2; exit 3"]);
        let big = vec![b'x'; 300_000];
        let finished = run(&mut command, &big, &mut || false).unwrap();
        assert_eq!(finished.code(), Some(3));
        assert_eq!(finished.output, big);
        assert_eq!(finished.said, b"no\n");
        assert!(!finished.is_success());
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > 3
        };
        let mut command = Command::new("sleep");
        let finished = run(command.arg("1000"), b"", &mut is_over).unwrap();
        assert_eq!(finished.ended, Ended::Stopped);
        assert_eq!(finished.code(), None);
    }

    #[test]
    fn a_program_that_is_not_there() {
        let mut command = Command::new("recurva-no-such-program");
        assert!(run(&mut command, b"", &mut || false).is_err());
    }
}

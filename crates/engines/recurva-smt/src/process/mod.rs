//! Other solvers, as processes: a fresh one for each question, with limits.

mod find;
mod solve;

use std::{
    ffi::OsString,
    fmt,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use recurva_cc::{Bounds, Ended, Finished, run_bounded};

use crate::Unknown;

pub use solve::solve_once;

/// The solvers that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Z3, which `RECURVA_Z3` names.
    Z3,
    /// cvc5, which `RECURVA_CVC5` names.
    Cvc5,
}

/// A solver that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    kind: ToolKind,
    program: PathBuf,
    version: String,
}

/// What a process may use.
#[derive(Clone, Debug)]
pub struct ToolLimits {
    /// So many bytes.
    pub memory: Option<u64>,
    /// So long, by the clock.
    pub time: Option<Duration>,
    /// So many bytes it may say.
    pub output: usize,
}

impl Default for ToolLimits {
    fn default() -> Self {
        ToolLimits {
            memory: Some(2 << 30),
            time: None,
            output: 256 << 20,
        }
    }
}

/// The memory of the process may be larger by that: code, stacks, what the solver does not count.
const BESIDE: u64 = 256 << 20;

/// What a solver has said.
#[derive(Clone, Debug)]
pub struct Said {
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
    /// Its exit code; none if it was ended by a signal.
    pub code: Option<i32>,
}

impl fmt::Display for ToolKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ToolKind::Z3 => "z3",
            ToolKind::Cvc5 => "cvc5",
        })
    }
}

impl Tool {
    /// Which solver it is.
    pub fn kind(&self) -> ToolKind {
        self.kind
    }

    /// Its file.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its version, as it says.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Gives a script to a fresh process. `ask` is asked now and then whether to go on.
    ///
    /// # Errors
    ///
    /// If it cannot be run, hits a limit, or is stopped.
    pub fn run(
        &self,
        script: &str,
        options: &[&str],
        limits: &ToolLimits,
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Said, Unknown> {
        let mut arguments: Vec<OsString> = match self.kind {
            ToolKind::Z3 => vec!["-in".into(), "-smt2".into()],
            ToolKind::Cvc5 => vec!["--lang=smt2".into()],
        };
        if let (ToolKind::Z3, Some(memory)) = (self.kind, limits.memory) {
            arguments.push(format!("-memory:{}", (memory >> 20).max(1)).into());
        }
        arguments.extend(options.iter().map(OsString::from));
        run(&self.program, &arguments, script.as_bytes(), limits, ask)
    }
}

/// Runs a solver, and tells apart how it can end.
fn run(
    program: &Path,
    arguments: &[OsString],
    input: &[u8],
    limits: &ToolLimits,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Said, Unknown> {
    let deadline = limits.time.map(|it| Instant::now() + it);
    let bounds = Bounds {
        memory: limits.memory.map(|it| it.saturating_add(BESIDE)),
        // If nobody is left to end it, it ends by itself.
        processor: limits
            .time
            .map(|it| it.saturating_add(Duration::from_secs(1))),
        output: limits.output,
    };
    let mut reason = None;
    let mut is_over = || {
        if deadline.is_some_and(|it| Instant::now() >= it) {
            reason = Some(Unknown::Time);
        } else if ask().is_break() {
            reason = Some(Unknown::Stopped);
        }
        reason.is_some()
    };
    let name = program.display();
    let finished = run_bounded(program.as_os_str(), arguments, input, &bounds, &mut is_over)
        .map_err(|error| Unknown::Solver(format!("{name} cannot be run: {error}")))?;
    match finished.ended {
        Ended::Stopped => Err(reason
            .unwrap_or_else(|| Unknown::Solver(format!("{name} says too much, and was ended")))),
        Ended::With(_) => {
            let said = Said {
                output: String::from_utf8_lossy(&finished.output).into_owned(),
                errors: String::from_utf8_lossy(&finished.said).into_owned(),
                code: finished.code(),
            };
            match failure(&finished, &said) {
                Some(Unknown::Solver(why)) => Err(Unknown::Solver(format!("{name}: {why}"))),
                Some(unknown) => Err(unknown),
                None => Ok(said),
            }
        }
    }
}

/// Why a process did not get to an end of its own; `None` if it did, whatever it says.
fn failure(finished: &Finished, said: &Said) -> Option<Unknown> {
    if finished.is_success() {
        return None;
    }
    let is_said = |words: &str| said.output.contains(words) || said.errors.contains(words);
    if ["out of memory", "bad_alloc", "memout"]
        .into_iter()
        .any(is_said)
    {
        return Some(Unknown::Memory);
    }
    match said.code {
        None => Some(Unknown::Solver("was ended by a signal".to_owned())),
        // The shell's words for a program that is not there.
        Some(126 | 127) => Some(Unknown::Solver("cannot be run".to_owned())),
        Some(_) => None,
    }
}

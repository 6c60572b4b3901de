//! Those who are asked: Recurva, and CBMC and Korn where their paths are given.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value;

use super::options::Limits;
use crate::{
    c_tasks::{self, Task},
    measured::{self, Cost, Measured, Stop, Time},
};

/// So much longer than its time a process may take to end by itself.
const GRACE: Duration = Duration::from_secs(20);

/// Somebody who can be asked.
pub(super) enum Tool {
    Recurva,
    /// With the path of `cbmc`.
    Cbmc(PathBuf),
    /// With the path of `korn.sh`.
    Korn(PathBuf),
}

/// An answer and its price.
#[derive(Debug)]
pub(super) struct Asked {
    /// Whether the property holds, if that was found out within the limits.
    pub(super) holds: Option<bool>,
    /// Whether the proof was checked.
    pub(super) is_certified: bool,
    /// What was said, in a line.
    pub(super) said: String,
    pub(super) cost: Cost,
    pub(super) wall: Duration,
}

impl Tool {
    /// Recurva, and those that the environment names.
    pub(super) fn all() -> Vec<Tool> {
        let path = |name: &str| env::var_os(name).filter(|path| !path.is_empty());
        let cbmc = path("RECURVA_CBMC").map(|path| Tool::Cbmc(path.into()));
        let korn = path("RECURVA_KORN").map(|path| Tool::Korn(path.into()));
        [Some(Tool::Recurva), cbmc, korn]
            .into_iter()
            .flatten()
            .collect()
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Tool::Recurva => "Recurva",
            Tool::Cbmc(_) => "CBMC here",
            Tool::Korn(_) => "Korn here",
        }
    }

    /// The answer to a task; `None` if that cannot be asked.
    pub(super) fn ask(
        &self,
        folder: &Path,
        task: &Task,
        limits: &Limits,
    ) -> Result<Option<Asked>, String> {
        let asked = match self {
            Tool::Recurva => Some(recurva(folder, task, limits)?),
            Tool::Cbmc(path) => cbmc(path, folder, task, limits)?,
            Tool::Korn(path) => korn(path, folder, task, limits)?,
        };
        Ok(asked.map(|asked| asked.within(limits)))
    }
}

impl Asked {
    /// An answer that took too much is none.
    fn within(mut self, limits: &Limits) -> Self {
        let over = self.cost.cpu > limits.cpu || self.cost.peak_bytes > limits.memory_bytes;
        if over && self.holds.is_some() {
            self.holds = None;
            self.is_certified = false;
            self.said = format!(
                "over the limit, with {:.1} s and {} MiB: {}",
                self.cost.cpu.as_secs_f64(),
                self.cost.peak_bytes >> 20,
                self.said
            );
        }
        self
    }
}

fn recurva(folder: &Path, task: &Task, limits: &Limits) -> Result<Asked, String> {
    let mut command = task.command();
    command.args(["--timeout", &format!("{}s", limits.wall.as_secs())]);
    command.args(["--memory", &limits.memory_bytes.to_string()]);
    let time = Time {
        wall: limits.wall + GRACE,
        cpu: Some(limits.cpu),
    };
    let measured = run(command.current_dir(folder), time)?;
    let report = c_tasks::report(&measured.stdout);
    Ok(Asked {
        holds: report.as_ref().and_then(c_tasks::holds),
        is_certified: report.as_ref().is_some_and(c_tasks::is_certified),
        said: match (&report, measured.stopped) {
            (Some(report), Some(Stop::Cpu)) => format!("CPU time; {}", in_a_line(report)),
            (Some(report), _) => in_a_line(report),
            (None, _) => no_answer(&measured),
        },
        cost: measured.cost,
        wall: measured.wall,
    })
}

/// What a report says: the limit that was hit, and what else should be known, if there is no answer.
fn in_a_line(report: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if c_tasks::holds(report).is_some() {
        return text(&report["summary"]);
    }
    let limit = format!("unknown ({})", text(&report["limit"]["kind"]));
    let notes = report["notes"].as_array().into_iter().flatten();
    let notes = notes.map(|note| match note["line"].as_u64() {
        Some(line) => format!("{line}: {}", text(&note["text"])),
        None => text(&note["text"]),
    });
    let mut parts = vec![limit];
    parts.extend(notes.take(NOTES));
    parts.join("; ")
}

/// So many notes of a report are told.
const NOTES: usize = 3;

/// What is said of a process that gave no answer.
fn no_answer(measured: &Measured) -> String {
    let line = |text: &str| {
        text.lines()
            .rfind(|line| !line.trim().is_empty())
            .map(str::to_owned)
    };
    let said = line(&measured.stderr).or_else(|| line(&measured.stdout));
    let end = match measured.code {
        _ if measured.stopped == Some(Stop::Wall) => "out of time".to_owned(),
        _ if measured.stopped == Some(Stop::Cpu) => "out of CPU time".to_owned(),
        Some(code) => format!("exit code {code}"),
        None => "ended by a signal".to_owned(),
    };
    format!("NO ANSWER, {end}: {}", said.unwrap_or_default())
}

/// What a task for other tools takes for granted. Reaching the error is a failed assertion.
const HARNESS: &str = "\
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __VERIFIER_error(void) { __CPROVER_assert(0, \"the error is reached\"); __CPROVER_assume(0); }
void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }
";

/// How often CBMC unwinds loops and recursion, one after the other.
const UNWINDINGS: [u32; 10] = [2, 6, 12, 17, 21, 40, 200, 400, 1025, 2049];

/// CBMC unwinds more and more, until nothing is left out or something fails.
fn cbmc(path: &Path, folder: &Path, task: &Task, limits: &Limits) -> Result<Option<Asked>, String> {
    let checks: &[&str] = match task.property.as_str() {
        "unreach-call" => &["--no-standard-checks"],
        "no-overflow" => &["--no-standard-checks", "--signed-overflow-check"],
        // What ends within so many turns terminates.
        "termination" => &["--no-standard-checks", "--no-assertions"],
        _ => return Ok(None),
    };
    let scratch = Scratch::new("c", HARNESS)?;
    let mut asked = Asked {
        holds: None,
        is_certified: false,
        said: String::new(),
        cost: Cost::default(),
        wall: Duration::ZERO,
    };
    for unwinding in UNWINDINGS {
        let left = Limits {
            cpu: limits.cpu.saturating_sub(asked.cost.cpu),
            wall: limits.wall.saturating_sub(asked.wall),
            ..*limits
        };
        if left.cpu.is_zero() || left.wall.is_zero() {
            break;
        }
        let mut words: Vec<OsString> = vec![path.into(), "--32".into(), "--unwind".into()];
        words.extend([
            unwinding.to_string().into(),
            "--unwinding-assertions".into(),
        ]);
        words.extend(checks.iter().map(OsString::from));
        words.extend([task.file.clone().into(), scratch.file.clone().into()]);
        let measured = limited(&words, folder, &left)?;
        asked.cost.cpu += measured.cost.cpu;
        asked.cost.peak_bytes = asked.cost.peak_bytes.max(measured.cost.peak_bytes);
        asked.wall += measured.wall;
        match unwound(&measured.stdout) {
            Unwound::Holds => asked.holds = Some(true),
            Unwound::Fails => asked.holds = Some(false),
            Unwound::TooLittle => continue,
            Unwound::NoAnswer => asked.said = no_answer(&measured),
        }
        break;
    }
    if asked.said.is_empty() {
        asked.said = match asked.holds {
            Some(true) => "holds",
            Some(false) => "fails",
            None => "not unwound far enough",
        }
        .to_owned();
    }
    Ok(Some(asked))
}

/// What CBMC says about so many turns.
#[derive(Debug, PartialEq)]
enum Unwound {
    Holds,
    Fails,
    TooLittle,
    NoAnswer,
}

fn unwound(text: &str) -> Unwound {
    let mut is_too_little = false;
    for line in text.lines().filter(|line| line.ends_with(": FAILURE")) {
        match line.contains("unwinding assertion") {
            true => is_too_little = true,
            false => return Unwound::Fails,
        }
    }
    match text.lines().any(|line| line == "VERIFICATION SUCCESSFUL") {
        _ if is_too_little => Unwound::TooLittle,
        true => Unwound::Holds,
        false => Unwound::NoAnswer,
    }
}

/// Korn makes Horn clauses for z3.
fn korn(path: &Path, folder: &Path, task: &Task, limits: &Limits) -> Result<Option<Asked>, String> {
    if task.property != "unreach-call" {
        return Ok(None);
    }
    let scratch = Scratch::new("smt2", "")?;
    let seconds = limits.wall.as_secs().to_string();
    let mut words: Vec<OsString> = vec![path.into()];
    words.extend(["-q", "-32", "-t", &seconds, "-smt2"].map(OsString::from));
    words.extend([
        scratch.file.clone().into(),
        "-z3".into(),
        task.file.clone().into(),
    ]);
    let measured = limited(&words, folder, limits)?;
    let answer = measured.stdout.lines().find_map(|line| match line.trim() {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    });
    Ok(Some(Asked {
        holds: answer,
        is_certified: false,
        said: match answer {
            Some(true) => "sat".to_owned(),
            Some(false) => "unsat".to_owned(),
            None => no_answer(&measured),
        },
        cost: measured.cost,
        wall: measured.wall,
    }))
}

/// Runs a program that keeps no limit of memory itself: the shell sets it.
fn limited(words: &[OsString], folder: &Path, limits: &Limits) -> Result<Measured, String> {
    let kibibytes = limits.memory_bytes >> 10;
    let script = format!("ulimit -d {kibibytes} && exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).args(words);
    let time = Time {
        wall: limits.wall,
        cpu: Some(limits.cpu),
    };
    run(command.current_dir(folder), time)
}

fn run(command: &mut Command, time: Time) -> Result<Measured, String> {
    let name = command.get_program().display().to_string();
    measured::run(command, time).map_err(|error| format!("{name}: {error}"))
}

/// A file of a tool's own, for as long as it runs.
struct Scratch {
    file: PathBuf,
}

impl Scratch {
    fn new(extension: &str, text: &str) -> Result<Self, String> {
        // Several tasks run at a time.
        let name = format!(
            "recurva-bench-{}-{:?}.{extension}",
            std::process::id(),
            std::thread::current().id()
        );
        let file = env::temp_dir().join(name);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Scratch { file })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = fs::remove_file(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::{Unwound, unwound};

    #[test]
    fn what_cbmc_says_is_read() {
        let failed = "[__VERIFIER_error.assertion.1] line 3 the error is reached: FAILURE";
        let unwinding = "[main.unwind.0] line 9 unwinding assertion loop 0: FAILURE";
        let passed = "[main.unwind.0] line 9 unwinding assertion loop 0: SUCCESS";
        let end = "VERIFICATION SUCCESSFUL";
        let says = |lines: &[&str]| unwound(&lines.join("\n"));
        assert_eq!(says(&[passed, end]), Unwound::Holds);
        assert_eq!(
            says(&[unwinding, "VERIFICATION FAILED"]),
            Unwound::TooLittle
        );
        assert_eq!(
            says(&[unwinding, failed, "VERIFICATION FAILED"]),
            Unwound::Fails
        );
        assert_eq!(says(&["syntax error"]), Unwound::NoAnswer);
        assert_eq!(says(&[]), Unwound::NoAnswer);
    }
}

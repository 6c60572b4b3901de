//! Programs with monitors in them.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use recurva_pal::{
    c::{CompilerCommand, Failure, Policy, Toolchain},
    lang::{self, Monitor},
};
use recurva_syntax::{Source, Style};
use tempfile::TempDir;

/// Whether there is a compiler; says so where there is none.
pub(crate) fn has_compiler() -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        eprintln!("no gcc here: nothing is compiled");
    }
    found
}

/// A folder to build in.
pub(crate) struct Workshop {
    folder: TempDir,
    scratches: std::cell::Cell<u32>,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Workshop {
            folder: TempDir::new().expect("a temporary folder"),
            scratches: 0.into(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file in the workshop");
        path
    }

    /// Runs gcc with the monitor in every unit: how many sites each event matched.
    pub(crate) fn monitored(
        &self,
        monitor: &Path,
        arguments: &[&str],
    ) -> Result<Vec<usize>, Failure> {
        let (source, monitor_read) = read(monitor);
        let words: Vec<OsString> = std::iter::once("gcc")
            .chain(arguments.iter().copied())
            .map(Into::into)
            .collect();
        let command = CompilerCommand::new(&words).expect("a right command");
        self.scratches.set(self.scratches.get() + 1);
        let scratch = self.path(&format!("scratch-{}", self.scratches.get()));
        fs::create_dir(&scratch).expect("a folder in the workshop");
        let toolchain = Toolchain {
            command: &command,
            monitor: &monitor_read,
            source: &source,
            folder: monitor.parent().expect("a file in a folder"),
            scratch: &scratch,
        };
        Ok(toolchain.build(Policy::default())?.matched)
    }

    /// Runs a program that was built here, in this folder.
    pub(crate) fn run(&self, program: &str, arguments: &[&str], policy: &str) -> Ran {
        let output = Command::new(self.path(program))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("RECURVA_PAL", policy)
            .output();
        Ran::new(&output.expect("the program can be run"))
    }

    /// Runs a command in this folder that must succeed.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Ran {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.folder.path())
            .output();
        let output = output.expect("the command can be run");
        let ran = Ran::new(&output);
        assert!(output.status.success(), "{program}: {ran:?}");
        ran
    }
}

pub(crate) fn read(path: &Path) -> (Source, Monitor) {
    let text = fs::read_to_string(path).expect("a monitor");
    let name = path.file_name().expect("a file").to_string_lossy();
    let source = Source::new(name, text).expect("a short text");
    let parsed = lang::parse(&source);
    let messages = parsed.diagnostics.render(&source, Style::Plain);
    let monitor = parsed.monitor.unwrap_or_else(|| panic!("{messages}"));
    (source, monitor)
}

/// What came of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
}

impl Ran {
    fn new(output: &Output) -> Self {
        Ran {
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code(),
        }
    }

    /// The report without what depends on the machine: addresses, and the backtrace.
    pub(crate) fn report(&self) -> String {
        let lines = self.err.lines().take_while(|line| *line != "backtrace:");
        let lines = lines.map(|line| {
            let words = line.split(' ').map(|word| match word.starts_with("0x") {
                true => "0x…",
                false => word,
            });
            words.collect::<Vec<_>>().join(" ") + "\n"
        });
        lines.collect()
    }
}

/// A file of the project's examples.
pub(crate) fn example(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/pal");
    folder.join(name)
}

/// The numbers of a line `name = value` each.
pub(crate) fn values(text: &str) -> BTreeMap<String, i64> {
    let lines = text.lines().filter_map(|line| {
        let (name, value) = line.split_once(" = ")?;
        Some((name.to_owned(), value.parse().ok()?))
    });
    lines.collect()
}

//! Programs with monitors, built and run as users do.

use std::{
    env,
    ffi::OsString,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
};

use recurva_check::{
    Answer, Asked, COptions, Certify, Limits, Model, Options, ReadOptions, Verdict, open,
};
use recurva_pal::{
    c::{CompilerCommand, HEADER, Policy, SOURCE, Toolchain},
    lang,
};
use std::time::Duration;
use tempfile::TempDir;

/// Gives unknown values by a seed, and not for ever.
const UNKNOWN: &str = "
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void) {
    static unsigned long long state;
    static int asked;
    if (asked++ == 0)
        state = strtoull(getenv(\"SEED\"), 0, 10) * 2654435761u + 12345;
    if (asked > 200)
        exit(0);
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 40 & 1;
}
";

/// Whether there is a compiler; says so where there is none.
pub(crate) fn has_compiler() -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        eprintln!("no gcc here: nothing is compiled");
    }
    found
}

/// A folder with the run-time, compiled once.
pub(crate) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let workshop = Workshop { folder };
        workshop.write("recurva_pal.h", HEADER);
        workshop.write("recurva_pal.c", SOURCE);
        workshop.write("unknown.c", UNKNOWN);
        workshop.gcc(&["-O1", "-c", "recurva_pal.c", "unknown.c"]);
        workshop
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file in the workshop");
        path
    }

    fn gcc(&self, words: &[&str]) {
        let mut gcc = Command::new("gcc");
        let output = gcc.args(words).current_dir(self.folder.path()).output();
        let output = output.expect("gcc is run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {said}");
    }

    /// Compiles a program with the monitor in it.
    pub(crate) fn build(&self, program: &Path, rule: &Path) {
        let source = open(rule).expect("it can be read");
        let monitor = lang::parse(&source).monitor.expect("a right monitor");
        let object = self.path("program.o");
        let mut words: Vec<OsString> = ["gcc", "-w", "-O0", "-c"].map(OsString::from).to_vec();
        words.extend([program.into(), "-o".into(), object.into()]);
        let command = CompilerCommand::new(&words).expect("a compiler's command");
        let scratch = TempDir::new().expect("a temporary folder");
        let toolchain = Toolchain {
            command: &command,
            monitor: &monitor,
            source: &source,
            folder: self.folder.path(),
            scratch: scratch.path(),
        };
        toolchain.build(Policy::Abort).expect("it compiles");
        self.gcc(&["program.o", "unknown.o", "recurva_pal.o", "-o", "program"]);
    }

    /// Runs it with the unknown values of a seed; the line of the monitor where something did not hold.
    pub(crate) fn run(&self, rule: &Path, seed: u64) -> Option<u32> {
        let mut program = Command::new(self.path("program"));
        let output = program.env("SEED", seed.to_string()).output();
        let output = output.expect("it is run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let name = format!("{}:", rule.display());
        let place = said.find(&name).map(|at| &said[at + name.len()..]);
        let Some(place) = place else {
            assert_eq!(output.status.code(), Some(0), "seed {seed}: {said}");
            return None;
        };
        let digits = place.split(':').next().unwrap_or_default();
        Some(digits.parse().expect("a line"))
    }
}

/// What is said of a monitor's guards.
pub(crate) struct Said {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    pub(crate) notes: String,
    pub(crate) has_proof: bool,
}

impl Said {
    /// The line of the guard in its file.
    pub(crate) fn line(&self) -> u32 {
        let digits = self.name.rsplit(':').next().unwrap_or_default();
        digits.trim_end_matches(')').parse().expect("a line")
    }
}

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks about all guards of a monitor.
pub(crate) fn asked(program: &Path, rule: &Path, c: COptions, certify: Certify) -> Vec<Said> {
    let asked = Asked {
        spec: Some(open(rule).expect("it can be read")),
        ..Asked::default()
    };
    answers(program, &asked, c, certify)
}

/// Asks about a program.
pub(crate) fn answers(program: &Path, asked: &Asked, c: COptions, certify: Certify) -> Vec<Said> {
    let source = open(program).expect("it can be read");
    let read = ReadOptions {
        c,
        ..ReadOptions::default()
    };
    let model = Model::read(source, &read, Limits::default(), &mut ()).expect("a right program");
    let questions = model.questions(asked).expect("right questions");
    let options = Options {
        limits: Limits {
            time: Some(PATIENCE),
            ..Limits::default()
        },
        certify,
        ..Options::default()
    };
    let said = questions.list.iter().map(|question| {
        let answer: Answer<'_> = question.answer(&options, &mut ()).expect("an answer");
        let notes: Vec<&str> = answer.notes.iter().map(|it| &*it.text).collect();
        Said {
            name: question.name().to_owned(),
            verdict: answer.verdict,
            notes: notes.join("\n"),
            has_proof: matches!(answer.evidence, Some(recurva_check::Evidence::Proof(_))),
        }
    });
    said.collect()
}

/// Which random programs are tried: so many, from a number on.
pub(crate) fn numbers(usual: u64) -> Range<u64> {
    let asked = |name: &str| env::var(name).ok().and_then(|it| it.parse().ok());
    let first = asked("RECURVA_PAL_FIRST").unwrap_or(0);
    let count = asked("RECURVA_PAL_PROGRAMS").unwrap_or(usual);
    first..first + count
}

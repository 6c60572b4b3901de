//! Violations and proofs as witnesses of the software-verification competition: version 2.0 of the
//! format, in YAML, for models that were made from C.
//!
//! A witness tells a validator where to go: which way at branches, into which functions, and where
//! the error is. Steps whose place in C is not known are left out, as may be any others: a witness
//! with fewer of them says less and nothing wrong.
//!
//! ```
//! use recurva_check::{Options, Property, RunContext, check};
//! use recurva_lang::{bp, provenance::Provenance};
//! use recurva_report::witness::{CFile, DataModel, Task, utc, witness};
//! use recurva_syntax::Source;
//!
//! let text = "void main() begin\n// file a.c line 7 function c::main\nassert(F); end";
//! let source = Source::new("a.bp", text)?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//! let property = Property::own(&program);
//! let answer = check(&program, &property, &Options::default(), &mut ())?;
//! let places = Provenance::of(&source);
//! let about = RunContext {
//!     places: Some(&places),
//!     ..RunContext::new(&source, &program, &property)
//! };
//! let files = [CFile { named: "a.c".into(), path: "src/a.c".into(), sha256: "0".repeat(64) }];
//! let task = Task {
//!     files: &files,
//!     specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )",
//!     data_model: DataModel::Lp64,
//!     creation_time: &utc(0),
//!     version: "0.1.0",
//! };
//! let yaml = witness(&about, answer.run().expect("it fails"), None, &task)?;
//! assert!(yaml.contains("file_name: \"src/a.c\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;

use recurva_check::{CRun, RunContext};
use recurva_evidence::{Lasso, Replayed};
use recurva_lang::provenance::{Place, Provenance};
use recurva_model::{FailureKind, Origin, Program};
use recurva_trace::sha256;

pub use crate::c_correctness::correctness_witness;
use crate::{
    Detail, Layout,
    c_witness::c_waypoints,
    lines::Lines,
    trace::{Kind, Show, Shown, show_trace},
    verdict::failing,
};

/// A file of the C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CFile {
    /// What the comments of the model call it.
    pub named: String,
    /// Where it is.
    pub path: String,
    /// The SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// How wide the types of the C program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 32-bit.
    Ilp32,
    /// 64-bit.
    Lp64,
}

/// What a witness says besides the run.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The C program.
    pub files: &'a [CFile],
    /// The property, in the language of the competition.
    pub specification: &'a str,
    /// How wide the types are.
    pub data_model: DataModel,
    /// When the witness was made: [`utc`] writes that.
    pub creation_time: &'a str,
    /// The version of this program.
    pub version: &'a str,
}

/// Why there is no witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWitness {
    /// No comment of the model says where the statement that fails came from.
    #[error("the model does not say where in C the run ends")]
    NoPlace,
    /// The run is infinite.
    #[error("a witness is for runs that end in an error, and this run is infinite")]
    Infinite,
    /// A file of the C program is not among those given.
    #[error("a C file that the model names is missing")]
    NoFile,
}

/// A run as a witness: a YAML document with one entry.
///
/// # Errors
///
/// If there can be none.
pub fn witness(
    run: &RunContext<'_>,
    replayed: &Replayed<'_>,
    c_run: Option<&CRun>,
    task: &Task<'_>,
) -> Result<String, NoWitness> {
    if replayed.lasso().is_some() {
        return Err(NoWitness::Infinite);
    }
    let places = run.places.ok_or(NoWitness::NoPlace)?;
    let lines = Lines::of(run);
    let failing = failing(run, replayed, &lines);
    let target = place(places, failing.origin).ok_or(NoWitness::NoPlace)?;
    let mut waypoints = Waypoints {
        places,
        program: replayed.program(),
        list: Vec::new(),
    };
    match c_run {
        Some(c_run) => waypoints.list = c_waypoints(c_run, &lines),
        None => {
            let layout = Layout::with_detail(Detail::Full);
            show_trace(&mut waypoints, replayed, &lines, layout, &failing);
        }
    }
    let mut content = String::from("  content:\n");
    let list = waypoints.list.into_iter();
    for waypoint in list.chain([Waypoint {
        kind: "target",
        constraint: None,
        place: target.clone(),
    }]) {
        waypoint.write(&mut content, task.files)?;
    }
    Ok(document("violation_sequence", &content, task))
}

/// A witness with that content.
pub(crate) fn document(entry_type: &str, content: &str, task: &Task<'_>) -> String {
    let mut about = format!("      version: {}\n    task:\n", quoted(task.version));
    about += "      input_files:\n";
    for file in task.files {
        let _ = writeln!(about, "        - {}", quoted(&file.path));
    }
    about += "      input_file_hashes:\n";
    for file in task.files {
        let (path, hash) = (quoted(&file.path), quoted(&file.sha256));
        let _ = writeln!(about, "        {path}: {hash}");
    }
    let data_model = match task.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let specification = quoted(task.specification);
    let _ = writeln!(about, "      specification: {specification}");
    let _ = writeln!(about, "      data_model: \"{data_model}\"");
    about += "      language: \"C\"\n";
    // The same run of the same program has the same number.
    let uuid = uuid(&sha256(format!("{about}{content}").as_bytes()));
    let time = quoted(task.creation_time);
    format!(
        "- entry_type: \"{entry_type}\"\n  metadata:\n    format_version: \"2.0\"\n    \
         uuid: \"{uuid}\"\n    creation_time: {time}\n    producer:\n      name: \"recurva\"\n\
         {about}{content}"
    )
}

/// What a run violates, in the language of the competition, by the failure that it ends in. The program
/// begins with that function.
pub fn specification(entry: &str, failure: Option<FailureKind>) -> String {
    let what = match failure {
        Some(FailureKind::Overflow) => "G ! overflow",
        Some(FailureKind::Bounds | FailureKind::Null | FailureKind::Lifetime) => "G valid-deref",
        Some(FailureKind::Free) => "G valid-free",
        Some(FailureKind::Leak) => "G valid-memtrack",
        _ => "G ! call(reach_error())",
    };
    format!("CHECK( init({entry}()), LTL({what}) )")
}

/// The place in C that something came from.
pub(crate) fn place(places: &Provenance, origin: Origin) -> Option<&Place> {
    (!origin.is_none()).then(|| places.at(origin.start))?
}

/// Something that the run passes.
pub(crate) struct Waypoint {
    pub(crate) kind: &'static str,
    pub(crate) constraint: Option<Constraint>,
    pub(crate) place: Place,
}

/// What is the case there.
pub(crate) struct Constraint {
    pub(crate) value: String,
    /// The language that it is written in, unless that is clear.
    pub(crate) format: Option<&'static str>,
}

impl Constraint {
    /// Which way a branch goes.
    pub(crate) fn truth(truth: bool) -> Self {
        Constraint {
            value: truth.to_string(),
            format: None,
        }
    }
}

impl Waypoint {
    fn write(&self, out: &mut String, files: &[CFile]) -> Result<(), NoWitness> {
        let file = files.iter().find(|file| *file.named == *self.place.file);
        let file = file.ok_or(NoWitness::NoFile)?;
        let _ = writeln!(out, "    - segment:\n        - waypoint:");
        let _ = writeln!(out, "            type: \"{}\"", self.kind);
        let _ = writeln!(out, "            action: \"follow\"");
        if let Some(constraint) = &self.constraint {
            let value = quoted(&constraint.value);
            let _ = writeln!(out, "            constraint:\n              value: {value}");
            if let Some(format) = constraint.format {
                let _ = writeln!(out, "              format: \"{format}\"");
            }
        }
        let _ = writeln!(out, "            location:");
        let _ = writeln!(out, "              file_name: {}", quoted(&file.path));
        let _ = writeln!(out, "              line: {}", self.place.line);
        if let Some(column) = self.place.column {
            let _ = writeln!(out, "              column: {column}");
        }
        if let Some(function) = &self.place.function {
            let _ = writeln!(out, "              function: {}", quoted(function));
        }
        Ok(())
    }
}

/// Collects what the run passes.
struct Waypoints<'a> {
    places: &'a Provenance,
    program: &'a Program,
    list: Vec<Waypoint>,
}

impl Show for Waypoints<'_> {
    fn step(&mut self, shown: &Shown<'_>) {
        let Some(place) = place(self.places, shown.origin) else {
            return;
        };
        let fails = |origin: Origin| {
            let mut failures = self.program.failures().iter();
            failures.any(|failure| failure.origin == origin)
        };
        let (kind, constraint) = match shown.kind {
            Kind::Call | Kind::FoldedCall => ("function_enter", None),
            // That an assertion holds or not is no branch of the C program.
            Kind::Internal if fails(shown.origin) => return,
            Kind::Internal => match shown.truth {
                Some(truth) => ("branching", Some(Constraint::truth(truth))),
                None => return,
            },
            Kind::Start | Kind::Return | Kind::Folded | Kind::End => return,
        };
        self.list.push(Waypoint {
            kind,
            constraint,
            place: place.clone(),
        });
    }

    fn turn(&mut self, _: &Lasso) {}

    fn cut(&mut self, _: u64) {}
}

/// A text as a scalar: what JSON quotes YAML reads.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number of the form of RFC 9562, version 8, out of hexadecimal digits.
fn uuid(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    let (one, two, three) = (part(0, 8), part(8, 12), part(13, 16));
    let (four, five) = (part(17, 20), part(20, 32));
    format!("{one}-{two}-8{three}-8{four}-{five}")
}

/// A time, given in seconds since 1970, as `2026-11-16T10:50:00Z`.
pub fn utc(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // Whole cycles of the calendar first, then years one by one.
    const CYCLE: u64 = 146_097;
    let mut year = 1970 + 400 * (days / CYCLE);
    days %= CYCLE;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let day = days + 1;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (12_622_780_800, "2370-01-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), expected);
        }
    }

    #[test]
    fn numbers_have_the_form_of_the_standard() {
        let uuid = uuid(&sha256(b"abc"));
        assert_eq!(uuid, "ba7816bf-8f01-8fea-8141-40de5dae2223".to_owned());
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a: \"b\"\n# ü"), r##""a: \"b\"\n# ü""##);
    }
}

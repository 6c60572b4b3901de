//! The C tasks of the shared benchmarks: what the manifest says, how the command is asked, and what
//! its answer is worth.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::run::{build_release, release, shared};

/// The tasks and where they are.
pub(crate) struct Tasks {
    /// The folder that names of files start at.
    pub(crate) folder: PathBuf,
    /// In the order of the manifest.
    pub(crate) list: Vec<Task>,
}

/// A row of the manifest.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The program.
    pub(crate) file: PathBuf,
    /// What is asked: `ltl`, or the name of one of the files in `properties`.
    pub(crate) property: String,
    /// Whether the property holds, as the origin of the task has it.
    pub(crate) stated: bool,
    /// The folder of the benchmarks that it is in.
    pub(crate) category: String,
    /// The length of the program.
    pub(crate) lines: usize,
    /// Which of its file's tasks this is.
    pub(crate) row: Row,
}

/// Which of the tasks about a file one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// What the file is there for.
    Primary,
    /// A further question about it.
    Extra,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It is the right one.
    Right,
    /// It is not.
    Wrong,
    /// There is none.
    Unknown,
}

/// Tasks whose origin states a verdict that is not the right one, with the reason.
const WRONG_AT_ORIGIN: &[(&str, &str, &str)] = &[
    (
        "recursive/Fibonacci04.c",
        "no-overflow",
        "fibonacci(47) is 2971215073, which no 32-bit int can hold",
    ),
    (
        "recursive/Fibonacci05.c",
        "no-overflow",
        "fibonacci(47) is 2971215073, which no 32-bit int can hold",
    ),
    (
        "ltl/coolant_basis_4_safe_sftyliveness.i",
        "ltl",
        "limit = -5 gives init == 3 with temp == 0 > limit, and readings of 0 never break the chain",
    ),
];

impl Tasks {
    /// All tasks of the manifest, with the command built that is to answer them. Where the folder
    /// is missing it says so: `None`.
    pub(crate) fn read() -> Result<Option<Tasks>, String> {
        let folder = shared("c");
        let manifest = folder.join("MANIFEST.tsv");
        let Ok(text) = fs::read_to_string(&manifest) else {
            println!("skipped: there is no ../shared/bench/c");
            return Ok(None);
        };
        build_release()?;
        let list = parse(&text)?;
        Ok(Some(Tasks { folder, list }))
    }
}

/// The tasks of a manifest, whose first line has the names of the columns.
fn parse(manifest: &str) -> Result<Vec<Task>, String> {
    let lines = manifest.lines().enumerate().skip(1);
    let tasks = lines.map(|(index, line)| {
        task(line).ok_or_else(|| format!("MANIFEST.tsv:{}: no task: {line}", index + 1))
    });
    tasks.collect()
}

fn task(line: &str) -> Option<Task> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [file, property, stated, category, lines, row, _] = columns[..] else {
        return None;
    };
    Some(Task {
        file: file.into(),
        property: property.to_owned(),
        stated: match stated {
            "true" => true,
            "false" => false,
            _ => return None,
        },
        category: category.to_owned(),
        lines: lines.parse().ok()?,
        row: match row {
            "primary" => Row::Primary,
            "extra" => Row::Extra,
            _ => return None,
        },
    })
}

impl Task {
    /// The file and the property.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.file.display(), self.property)
    }

    /// Why the verdict of its origin is not the right one, if that is known.
    pub(crate) fn wrong_at_origin(&self) -> Option<&'static str> {
        let is_meant = |it: &&(&str, &str, &'static str)| {
            self.file == Path::new(it.0) && self.property == it.1
        };
        WRONG_AT_ORIGIN.iter().find(is_meant).map(|it| it.2)
    }

    /// What an answer is worth: whether the property holds, if that was said.
    pub(crate) fn judge(&self, holds: Option<bool>) -> Judgement {
        let truth = self.stated != self.wrong_at_origin().is_some();
        match holds {
            None => Judgement::Unknown,
            Some(holds) if holds == truth => Judgement::Right,
            Some(_) => Judgement::Wrong,
        }
    }

    /// The command that asks Recurva for a report, to be run in the folder of the tasks. Its limits
    /// are left to the caller.
    pub(crate) fn command(&self) -> Command {
        let property = match self.property.as_str() {
            "ltl" => self.file.with_extension("prp"),
            name => Path::new("properties").join(name).with_extension("prp"),
        };
        let mut command = Command::new(release("recurva"));
        command.arg("check").arg(&self.file);
        command.arg("--spec").arg(property);
        command.args(["--data-model", "ILP32"]);
        command.args(["--format", "json", "--trace", "none"]);
        command
    }
}

/// The report among what the command printed.
pub(crate) fn report(stdout: &str) -> Option<Value> {
    let mut lines = stdout.lines();
    lines.find_map(|line| serde_json::from_str(line).ok())
}

/// Whether the property holds, as a report has it.
pub(crate) fn holds(report: &Value) -> Option<bool> {
    match report["verdict"].as_str() {
        Some("holds") => Some(true),
        Some("violated") => Some(false),
        _ => None,
    }
}

/// Whether a report says that its proof was checked.
pub(crate) fn is_certified(report: &Value) -> bool {
    let evidence = &report["evidence"];
    let checkers = evidence["checked_by"].as_array();
    evidence["kind"] == "proof" && checkers.is_some_and(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Judgement, Row, holds, is_certified, parse, report};

    const HEAD: &str = "file\tproperty\texpected\tcategory\tlines\trow\torigin\n";

    #[test]
    fn the_manifest_is_read() -> Result<(), String> {
        let rows = "a/b.c\tunreach-call\tfalse\ta\t12\tprimary\tx\n\
                    recursive/Fibonacci04.c\tno-overflow\ttrue\trecursive\t3\textra\tx\n";
        let tasks = parse(&format!("{HEAD}{rows}"))?;
        let [first, second] = &tasks[..] else {
            return Err("two tasks were expected".into());
        };
        assert_eq!(first.name(), "a/b.c unreach-call");
        assert_eq!((first.lines, first.row), (12, Row::Primary));
        assert_eq!(first.judge(Some(false)), Judgement::Right);
        assert_eq!(first.judge(Some(true)), Judgement::Wrong);
        assert_eq!(first.judge(None), Judgement::Unknown);
        // The origin says that it holds, and is wrong.
        assert_eq!(second.judge(Some(false)), Judgement::Right);
        assert_eq!(second.judge(Some(true)), Judgement::Wrong);
        for row in ["a.c\tp\tmaybe\ta\t1\tprimary\tx", "a.c\tp\ttrue", ""] {
            let error = parse(&format!("{HEAD}{row}\n")).err();
            assert!(error.is_some_and(|it| it.starts_with("MANIFEST.tsv:2")));
        }
        Ok(())
    }

    #[test]
    fn reports_are_read() -> Result<(), String> {
        let found = report("no report\n{\"verdict\":\"holds\"}\n").ok_or("a report")?;
        assert_eq!(holds(&found), Some(true));
        assert_eq!(holds(&json!({ "verdict": "unknown" })), None);
        assert!(!is_certified(&found));
        let with = |evidence| json!({ "verdict": "holds", "evidence": evidence });
        assert!(!is_certified(&with(json!(null))));
        assert!(!is_certified(&with(json!({ "kind": "trace" }))));
        assert!(!is_certified(&with(
            json!({ "kind": "proof", "checked_by": [] })
        )));
        assert!(is_certified(&with(
            json!({ "kind": "proof", "checked_by": ["z3"] })
        )));
        Ok(())
    }
}

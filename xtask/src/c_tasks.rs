//! The C tasks of the shared benchmarks, through the command line: no verdict may be wrong.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use serde_json::Value;

use crate::run::root;

/// A row of the manifest.
struct Task {
    file: PathBuf,
    property: String,
    expected: bool,
    category: String,
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

impl Task {
    /// Why its expected verdict is not the right one, if that is known.
    fn wrong_at_origin(&self) -> Option<&'static str> {
        let is_meant = |it: &&(&str, &str, &'static str)| {
            self.file == Path::new(it.0) && self.property == it.1
        };
        WRONG_AT_ORIGIN.iter().find(is_meant).map(|it| it.2)
    }
}

/// How tasks of a category came out.
#[derive(Default)]
struct Count {
    tasks: usize,
    proved: usize,
    found: usize,
    executed: usize,
    wrong: usize,
    /// Answered otherwise than the origin, which is wrong.
    origin_wrong: usize,
    unknown: usize,
    internal: usize,
    seconds: f64,
}

/// What is said of a task that is answered rightly against its origin.
const ORIGIN_WRONG: &str = "origin wrong";

/// Runs all tasks with so many seconds each; of those with `filter` in their name.
pub(crate) fn run(seconds: u64, filter: &str) -> ExitCode {
    let folder = root().join("../shared/bench/c");
    let Ok(manifest) = fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("skipped: there is no ../shared/bench/c");
        return ExitCode::SUCCESS;
    };
    let build = Command::new("cargo")
        .args(["build", "--release", "--package", "recurva"])
        .current_dir(root())
        .status();
    if !build.is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for task in manifest.lines().skip(1).filter_map(task) {
        let name = format!("{} {}", task.file.display(), task.property);
        if !name.contains(filter) {
            continue;
        }
        let begin = Instant::now();
        let report = check(&folder, &task, seconds);
        let spent = begin.elapsed().as_secs_f64();
        let count = counts.entry(task.category.clone()).or_default();
        let line = count.add(&task, report.as_ref(), spent);
        let reason = match line {
            ORIGIN_WRONG => task.wrong_at_origin(),
            _ => None,
        };
        let reason = reason.map(|it| format!(" ({it})")).unwrap_or_default();
        println!("{line:<12} {spent:>7.2} s  {name}{reason}");
    }
    print_table(&counts);
    let is_wrong = counts.values().any(|count| count.wrong > 0);
    match is_wrong {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

fn task(line: &str) -> Option<Task> {
    let mut columns = line.split('\t');
    Some(Task {
        file: columns.next()?.into(),
        property: columns.next()?.to_owned(),
        expected: columns.next()? == "true",
        category: columns.next()?.to_owned(),
    })
}

/// The report of the command; `None` if it gave none.
fn check(folder: &Path, task: &Task, seconds: u64) -> Option<Value> {
    let property = match task.property.as_str() {
        "ltl" => task.file.with_extension("prp"),
        name => Path::new("properties").join(name).with_extension("prp"),
    };
    let program = root().join("target/release/recurva");
    let output = Command::new(program)
        .arg("check")
        .arg(&task.file)
        .arg("--spec")
        .arg(property)
        .args([
            "--data-model",
            "ILP32",
            "--format",
            "json",
            "--trace",
            "none",
        ])
        .args(["--timeout", &format!("{seconds}s"), "--memory", "4GiB"])
        .current_dir(folder)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = text
        .lines()
        .find_map(|line| serde_json::from_str(line).ok());
    if report.is_none() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        println!("{}", said.lines().take(3).collect::<Vec<_>>().join("\n"));
    }
    report
}

impl Count {
    fn add(&mut self, task: &Task, report: Option<&Value>, spent: f64) -> &'static str {
        self.tasks += 1;
        self.seconds += spent;
        let verdict = report.and_then(|it| it["verdict"].as_str());
        match (verdict, task.expected) {
            (Some("holds"), true) => {
                self.proved += 1;
                "proved"
            }
            (Some("violated"), false) => {
                self.found += 1;
                let notes = report.and_then(|it| it["notes"].as_array());
                let texts = notes
                    .into_iter()
                    .flatten()
                    .map(|note| note["text"].as_str());
                let is_executed =
                    |text: Option<&str>| text.is_some_and(|it| it.starts_with("executed"));
                match texts.into_iter().any(is_executed) {
                    true => {
                        self.executed += 1;
                        "executed"
                    }
                    false => "found",
                }
            }
            (Some("holds" | "violated"), _) if task.wrong_at_origin().is_some() => {
                self.origin_wrong += 1;
                ORIGIN_WRONG
            }
            (Some("holds" | "violated"), _) => {
                self.wrong += 1;
                "WRONG"
            }
            (Some(_), _) => {
                self.unknown += 1;
                "unknown"
            }
            (None, _) => {
                self.internal += 1;
                "NO ANSWER"
            }
        }
    }
}

fn print_table(counts: &BTreeMap<String, Count>) {
    println!(
        "\n{:<24} {:>5} {:>6} {:>5} {:>8} {:>7} {:>9} {:>5} {:>12} {:>8}",
        "category",
        "tasks",
        "proved",
        "found",
        "executed",
        "unknown",
        "no answer",
        "wrong",
        "origin wrong",
        "seconds"
    );
    let mut all = Count::default();
    for (category, count) in counts {
        print_row(category, count);
        all.tasks += count.tasks;
        all.proved += count.proved;
        all.found += count.found;
        all.executed += count.executed;
        all.wrong += count.wrong;
        all.origin_wrong += count.origin_wrong;
        all.unknown += count.unknown;
        all.internal += count.internal;
        all.seconds += count.seconds;
    }
    print_row("all", &all);
}

fn print_row(name: &str, count: &Count) {
    println!(
        "{name:<24} {:>5} {:>6} {:>5} {:>8} {:>7} {:>9} {:>5} {:>12} {:>8.1}",
        count.tasks,
        count.proved,
        count.found,
        count.executed,
        count.unknown,
        count.internal,
        count.wrong,
        count.origin_wrong,
        count.seconds
    );
}

//! All C tasks of the shared benchmarks, through the command line: no verdict may be wrong.

use std::{collections::BTreeMap, path::Path, process::ExitCode, time::Instant};

use serde_json::Value;

use crate::c_tasks::{self, Judgement, Task, Tasks};

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
    let tasks = match Tasks::read() {
        Ok(Some(tasks)) => tasks,
        Ok(None) => return ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    };
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for task in &tasks.list {
        let name = task.name();
        if !name.contains(filter) {
            continue;
        }
        let begin = Instant::now();
        let report = check(&tasks.folder, task, seconds);
        let spent = begin.elapsed().as_secs_f64();
        let count = counts.entry(task.category.clone()).or_default();
        let line = count.add(task, report.as_ref(), spent);
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

/// The report of the command; `None` if it gave none.
fn check(folder: &Path, task: &Task, seconds: u64) -> Option<Value> {
    let mut command = task.command();
    command.args(["--timeout", &format!("{seconds}s"), "--memory", "4GiB"]);
    let output = command.current_dir(folder).output().ok()?;
    let report = c_tasks::report(&String::from_utf8_lossy(&output.stdout));
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
        let Some(report) = report else {
            self.internal += 1;
            return "NO ANSWER";
        };
        let holds = c_tasks::holds(report);
        match task.judge(holds) {
            Judgement::Unknown => {
                self.unknown += 1;
                "unknown"
            }
            Judgement::Wrong => {
                self.wrong += 1;
                "WRONG"
            }
            Judgement::Right if task.wrong_at_origin().is_some() => {
                self.origin_wrong += 1;
                ORIGIN_WRONG
            }
            Judgement::Right if holds == Some(true) => {
                self.proved += 1;
                "proved"
            }
            Judgement::Right => {
                self.found += 1;
                let notes = report["notes"].as_array().into_iter().flatten();
                let mut texts = notes.filter_map(|note| note["text"].as_str());
                match texts.any(|text| text.starts_with("executed")) {
                    true => {
                        self.executed += 1;
                        "executed"
                    }
                    false => "found",
                }
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

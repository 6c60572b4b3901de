//! The C tasks of the shared benchmarks, each by a process of the command as a user would run it:
//! what is decided, what it costs and how many proofs were checked, beside the figures of others.
//!
//! An answer counts if the time of all processors that it took, and the most memory that one of its
//! processes had, are within the limits.

mod figures;
mod options;
mod table;
mod tools;

use std::{
    fs,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::{Value, json};

use self::{
    options::Options,
    table::Table,
    tools::{Asked, Tool},
};
use crate::c_tasks::{Judgement, Task, Tasks};

/// What the tools say to one task, in the order of the tools; `None` if one cannot be asked that.
struct Done<'a> {
    task: &'a Task,
    asked: Vec<Option<Asked>>,
}

/// Runs the tasks that the words ask for; `None` if these are no options.
pub(crate) fn run(words: &[&str]) -> Option<Result<(), String>> {
    Options::parse(words).map(|options| run_all(&options))
}

fn run_all(options: &Options) -> Result<(), String> {
    let Some(tasks) = Tasks::read()? else {
        return Ok(());
    };
    let picked = options.pick(&tasks.list);
    if picked.is_empty() {
        return Err("no task is picked: see the folders of ../shared/bench/c".into());
    }
    let tools = Tool::all();
    let done = ask_all(&tasks.folder, &picked, &tools, options)?;
    let mut table = Table::default();
    for done in &done {
        table.add(done);
    }
    table.print(&tools, options);
    let is_wrong = |done: &&Done<'_>| judge(done, 0) == Some(Judgement::Wrong);
    match done.iter().filter(is_wrong).count() {
        0 => Ok(()),
        wrong => Err(format!("{wrong} wrong answers")),
    }
}

/// Asks the tools, several at a time. What is not right is told as it comes.
fn ask_all<'a>(
    folder: &Path,
    tasks: &[&'a Task],
    tools: &[Tool],
    options: &Options,
) -> Result<Vec<Done<'a>>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(tasks.len()));
    let work = || -> Result<(), String> {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut asked = Vec::with_capacity(tools.len());
            for tool in tools {
                asked.push(tool.ask(folder, task, &options.limits)?);
            }
            let one = Done { task, asked };
            tell(&one, tools);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push(one);
            // After each, so that what is stopped has not been in vain.
            save(&done, tools, options)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        let mut ends = workers.into_iter().map(|worker| match worker.join() {
            Ok(end) => end,
            Err(_) => Err("a worker has failed".into()),
        });
        ends.find(Result::is_err).unwrap_or(Ok(()))
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What the answer of a tool is worth; `None` if it cannot be asked.
fn judge(done: &Done<'_>, tool: usize) -> Option<Judgement> {
    let asked = done.asked.get(tool)?.as_ref()?;
    Some(done.task.judge(asked.holds))
}

/// A line for each answer that is not right.
fn tell(done: &Done<'_>, tools: &[Tool]) {
    for (index, tool) in tools.iter().enumerate() {
        let mark = match judge(done, index) {
            Some(Judgement::Unknown) => "unknown",
            Some(Judgement::Wrong) => "WRONG",
            Some(Judgement::Right) | None => continue,
        };
        let Some(Some(asked)) = done.asked.get(index) else {
            continue;
        };
        println!(
            "{mark:<8} {:<8} {:>7.2} s  {}  {}",
            tool.name(),
            asked.cost.cpu.as_secs_f64(),
            done.task.name(),
            asked.said
        );
    }
}

/// Writes what there is so far to the file that was asked for.
fn save(done: &[Done<'_>], tools: &[Tool], options: &Options) -> Result<(), String> {
    let Some(file) = &options.json else {
        return Ok(());
    };
    let tasks: Vec<Value> = done.iter().map(|done| to_json(done, tools)).collect();
    let limits = &options.limits;
    let all = json!({
        "limits": {
            "cpu_seconds": limits.cpu.as_secs(),
            "wall_seconds": limits.wall.as_secs(),
            "memory_bytes": limits.memory_bytes,
        },
        "tasks": tasks,
    });
    let text = format!("{all:#}\n");
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn to_json(done: &Done<'_>, tools: &[Tool]) -> Value {
    let answers = tools.iter().enumerate().map(|(index, tool)| {
        let asked = done.asked.get(index).and_then(Option::as_ref);
        let answer = asked.map(|asked| {
            json!({
                "outcome": match done.task.judge(asked.holds) {
                    Judgement::Right => "right",
                    Judgement::Wrong => "wrong",
                    Judgement::Unknown => "unknown",
                },
                "holds": asked.holds,
                "certified": asked.is_certified,
                "cpu_seconds": asked.cost.cpu.as_secs_f64(),
                "wall_seconds": asked.wall.as_secs_f64(),
                "peak_bytes": asked.cost.peak_bytes,
                "said": asked.said,
            })
        });
        (tool.name().to_owned(), answer.unwrap_or(Value::Null))
    });
    json!({
        "file": done.task.file,
        "property": done.task.property,
        "category": done.task.category,
        "expected": done.task.stated,
        "wrong_at_origin": done.task.wrong_at_origin(),
        "answers": answers.collect::<serde_json::Map<_, _>>(),
    })
}

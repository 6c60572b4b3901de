//! The shared boolean programs: `MANIFEST.tsv` names a file, the answer, and how to ask.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use recurva_check::{Options, Order, Property, check};
use recurva_lang::bp::Dialect;
use recurva_model::{FailureKind, Program};

use crate::{
    corpus::{Expected, decide, parse, with_time},
    table::{Result as Row, Table},
};

/// A line of the manifest.
struct Line {
    file: String,
    expected: String,
    note: String,
}

fn lines(folder: &Path) -> Result<Vec<Line>, String> {
    let text = std::fs::read_to_string(folder.join("MANIFEST.tsv")).map_err(|e| e.to_string())?;
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    Ok(lines
        .map(|line| {
            let mut columns = line.split('\t').map(str::to_owned);
            let mut next = || columns.next().unwrap_or_default();
            Line {
                file: next(),
                expected: next(),
                note: next(),
            }
        })
        .collect())
}

/// Runs every line of the manifest in a folder.
pub(crate) fn run(folder: &Path, time: Duration, table: &mut Table) {
    let lines = match lines(folder) {
        Ok(lines) => lines,
        Err(error) => return table.add("MANIFEST.tsv", 0.0, &Row::Wrong(error)),
    };
    for line in lines {
        let begin = Instant::now();
        let row = line.run(folder, time).unwrap_or_else(Row::Wrong);
        table.add(&line.file, begin.elapsed().as_secs_f64(), &row);
    }
}

/// A program with a question about it and the answer.
pub(crate) struct Question {
    /// The name of the file.
    pub(crate) name: String,
    /// The program.
    pub(crate) program: Program,
    /// The question.
    pub(crate) property: Property,
    /// The answer.
    pub(crate) expected: Expected,
}

/// The questions about programs without threads.
pub(crate) fn questions(folder: &Path) -> Result<Vec<Question>, String> {
    let lines = lines(folder)?;
    let asked = lines.iter().filter(|line| !line.has_threads());
    asked.map(|line| line.question(folder)).collect()
}

impl Line {
    fn has_threads(&self) -> bool {
        self.note.contains("THREADS")
    }

    fn run(&self, folder: &Path, time: Duration) -> Result<Row, String> {
        if self.has_threads() {
            return match parse(&folder.join(&self.file), Dialect::Boppo) {
                Err(errors) if errors.contains("thread") => {
                    Ok(Row::Right("threads are rejected, as they should be".into()))
                }
                Err(errors) => Err(errors),
                Ok(_) => Err("threads are accepted".into()),
            };
        }
        let question = self.question(folder)?;
        let options = with_time(Options::default(), Order::DepthFirst, time);
        let Question {
            program,
            property,
            expected,
            ..
        } = &question;
        let answer = check(program, property, &options, &mut ());
        Ok(decide(answer, *expected)?.0)
    }

    fn question(&self, folder: &Path) -> Result<Question, String> {
        let program = parse(&folder.join(&self.file), Dialect::Boppo)?;
        let expected = match self.expected.as_str() {
            "reachable" => Expected::Reachable,
            "unreachable" => Expected::Unreachable,
            other => return Err(format!("the manifest expects `{other}`")),
        };
        let label = (self.note.strip_prefix("label ")).and_then(|rest| rest.split(';').next());
        let property = match label {
            Some(label) => {
                Property::label(&program, label.trim()).map_err(|error| error.to_string())?
            }
            None => Property::Unreachable {
                name: "no assertion fails".into(),
                points: program
                    .failures()
                    .iter()
                    .filter(|failure| failure.kind == FailureKind::Assertion)
                    .map(|failure| failure.point)
                    .collect(),
            },
        };
        Ok(Question {
            name: self.file.clone(),
            program,
            property,
            expected,
        })
    }
}

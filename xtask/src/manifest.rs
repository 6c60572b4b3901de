//! The shared boolean programs: `MANIFEST.tsv` names a file, the answer, and how to ask.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use recurva_check::{Options, Order, Property};
use recurva_lang::bp::Dialect;
use recurva_model::FailureKind;

use crate::{
    corpus::{Expected, decide, parse, with_time},
    table::{Result as Row, Table},
};

/// Runs every line of the manifest in a folder.
pub(crate) fn run(folder: &Path, time: Duration, table: &mut Table) {
    let text = match std::fs::read_to_string(folder.join("MANIFEST.tsv")) {
        Ok(text) => text,
        Err(error) => return table.add("MANIFEST.tsv", 0.0, &Row::Wrong(error.to_string())),
    };
    for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let mut columns = line.split('\t');
        let file = columns.next().unwrap_or_default();
        let (expected, note) = (
            columns.next().unwrap_or_default(),
            columns.next().unwrap_or_default(),
        );
        let begin = Instant::now();
        let row = run_line(&folder.join(file), expected, note, time).unwrap_or_else(Row::Wrong);
        table.add(file, begin.elapsed().as_secs_f64(), &row);
    }
}

fn run_line(path: &Path, expected: &str, note: &str, time: Duration) -> Result<Row, String> {
    let parsed = parse(path, Dialect::Boppo);
    if note.contains("THREADS") {
        return match parsed {
            Err(errors) if errors.contains("thread") => {
                Ok(Row::Right("threads are rejected, as they should be".into()))
            }
            Err(errors) => Err(errors),
            Ok(_) => Err("threads are accepted".into()),
        };
    }
    let program = parsed?;
    let expected = match expected {
        "reachable" => Expected::Reachable,
        "unreachable" => Expected::Unreachable,
        other => return Err(format!("the manifest expects `{other}`")),
    };
    let label = note
        .strip_prefix("label ")
        .and_then(|rest| rest.split(';').next());
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
    let options = with_time(Options::default(), Order::DepthFirst, time);
    Ok(decide(&program, &property, expected, &options)?.0)
}

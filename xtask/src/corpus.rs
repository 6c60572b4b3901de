//! Every model with a known answer, through the library.

use std::{
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use recurva_check::{Limits, Options, Order, Property, Verdict, check};
use recurva_lang::{
    bp,
    machine::{self, Format},
};
use recurva_model::Program;
use recurva_syntax::{Source, Style};
use recurva_testkit::corpus::{self, Case};

use crate::{
    manifest,
    run::root,
    table::{Result as Row, Table},
};

/// Runs the project's own corpus, and the shared one where it is at hand.
pub(crate) fn run(time: Duration) -> ExitCode {
    let mut table = Table::default();
    let folder = root().join("corpus");
    match corpus::load(&folder) {
        Ok(cases) => {
            for case in cases {
                let begin = Instant::now();
                let row = run_case(&case, time).unwrap_or_else(Row::Wrong);
                table.add(&case.name, begin.elapsed().as_secs_f64(), &row);
            }
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    let shared = root().join("../shared/bench/bp");
    if shared.join("MANIFEST.tsv").exists() {
        manifest::run(&shared, time, &mut table);
    } else {
        println!("skipped: there is no ../shared/bench/bp");
    }
    print!("{table}");
    table.exit_code()
}

fn run_case(case: &Case, time: Duration) -> Result<Row, String> {
    let dialect = match case.dialect {
        corpus::Dialect::Boppo => bp::Dialect::Boppo,
        corpus::Dialect::Moped => bp::Dialect::Moped,
    };
    let mut program = parse(&case.model, dialect)?;
    if case.check_arithmetic {
        program = program.with_arithmetic_checks();
    }
    let properties = match (&case.reach, &case.spec, &case.property) {
        (Some(label), ..) => {
            vec![Property::label(&program, label).map_err(|error| error.to_string())?]
        }
        (_, Some(spec), _) => monitors(spec, &program)?,
        (_, _, Some(name)) => return Err(format!("named properties are not known yet: {name}")),
        _ => vec![Property::own(&program)],
    };
    let expected = match case.verdict {
        corpus::Verdict::Holds => Expected::Unreachable,
        corpus::Verdict::Violated => Expected::Reachable,
    };
    let mut row = Row::Right(String::new());
    for property in properties {
        row = decide(&program, &property, expected, Order::DepthFirst, time)?.0;
        if let (Some(shortest), Row::Right(_)) = (case.shortest, &row) {
            let (again, length) =
                decide(&program, &property, expected, Order::ShortestFirst, time)?;
            row = again;
            if let Some(length) = length
                && length != shortest as u64
            {
                return Err(format!(
                    "a trace of {length} steps, the shortest has {shortest}"
                ));
            }
        }
        if !matches!(row, Row::Right(_)) {
            break;
        }
    }
    Ok(row)
}

/// What is known about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Reachable,
    Unreachable,
}

/// Decides one question; also gives the length of the trace, if there is one.
pub(crate) fn decide(
    program: &Program,
    property: &Property,
    expected: Expected,
    order: Order,
    time: Duration,
) -> Result<(Row, Option<u64>), String> {
    let limits = Limits {
        time: Some(time),
        memory: None,
    };
    let options = Options {
        order,
        limits,
        ..Options::default()
    };
    let outcome = check(program, property, &options, &mut ()).map_err(|error| error.to_string())?;
    let (found, length) = match outcome.verdict {
        Verdict::Holds => (Expected::Unreachable, None),
        Verdict::Violated(violation) => (Expected::Reachable, Some(violation.replayed.length())),
        Verdict::Unknown(limit) => return Ok((Row::OverLimit(format!("{limit:?}")), None)),
    };
    let mut text = match found {
        Expected::Unreachable => "holds".to_owned(),
        Expected::Reachable => "violated".to_owned(),
    };
    if found != expected {
        return Ok((Row::Wrong(format!("{text}, which is not so")), length));
    }
    text += &format!(", {} path edges", outcome.stats.path_edges);
    if let Some(length) = length {
        text += &format!(", a trace of {length} steps");
    }
    Ok((Row::Right(text), length))
}

/// A model, or the errors in it.
pub(crate) fn parse(path: &Path, dialect: bp::Dialect) -> Result<Program, String> {
    let source = read(path)?;
    if let Some(format) = Format::of(path) {
        let parsed = machine::parse(&source, format);
        let errors = || parsed.diagnostics.render(&source, Style::Plain);
        return parsed.program.ok_or_else(errors);
    }
    let parsed = bp::parse(&source, &bp::Options { dialect });
    parsed
        .program
        .ok_or_else(|| parsed.diagnostics.render(&source, Style::Plain))
}

fn monitors(path: &Path, program: &Program) -> Result<Vec<Property>, String> {
    let source = read(path)?;
    let parsed = recurva_logic::monitor::parse(&source, program);
    let monitors = parsed
        .monitors
        .ok_or_else(|| parsed.diagnostics.render(&source, Style::Plain))?;
    Ok(monitors.into_iter().map(Property::Monitor).collect())
}

fn read(path: &Path) -> Result<Source, String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Source::from_bytes(name, bytes).map_err(|error| error.to_string())
}

//! Every model with a known answer, through the library.

use std::{
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use recurva_check::{Limits, Options, Order, Property, Verdict, check};
use recurva_corpus::{self as corpus, Case, Question};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::Style;

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
    let Question {
        program,
        properties,
        options: asked,
    } = Question::of(case)?;
    let expected = match case.verdict {
        corpus::Verdict::Holds => Expected::Unreachable,
        corpus::Verdict::Violated => Expected::Reachable,
    };
    let mut row = Row::Right(String::new());
    for property in properties {
        let options = with_time(asked, Order::DepthFirst, time);
        row = decide(&program, &property, expected, &options)?.0;
        if let (Some(shortest), Row::Right(_)) = (case.shortest, &row) {
            let options = with_time(asked, Order::ShortestFirst, time);
            let (again, length) = decide(&program, &property, expected, &options)?;
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

/// The same options with an order and a limit.
pub(crate) fn with_time(options: Options, order: Order, time: Duration) -> Options {
    Options {
        order,
        limits: Limits {
            time: Some(time),
            memory: None,
        },
        ..options
    }
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
    options: &Options,
) -> Result<(Row, Option<u64>), String> {
    let outcome = check(program, property, options, &mut ()).map_err(|error| error.to_string())?;
    let (found, length) = match outcome.verdict {
        Verdict::Holds => (Expected::Unreachable, None),
        Verdict::Violated(violation) => (Expected::Reachable, Some(violation.replayed.length())),
        Verdict::Unfinished(limit) | Verdict::Unknown(limit) => {
            return Ok((Row::OverLimit(format!("{limit:?}")), None));
        }
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

/// A program, or the errors in it.
pub(crate) fn parse(path: &Path, dialect: bp::Dialect) -> Result<Program, String> {
    let source = corpus::read(path)?;
    let parsed = bp::parse(&source, &bp::Options { dialect });
    parsed
        .program
        .ok_or_else(|| parsed.diagnostics.render(&source, Style::Plain))
}

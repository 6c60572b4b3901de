//! Every model with a known answer, through the library.

use std::{
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use recurva_check::{Answer, InternalError, Limits, Options, Order, Verdict};
use recurva_corpus::{self as corpus, Case, Opened};
use recurva_evidence::Replayed;
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::Style;

use crate::{
    manifest,
    run::{root, shared},
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
    let shared = shared("bp");
    if shared.join("MANIFEST.tsv").exists() {
        manifest::run(&shared, time, &mut table);
    } else {
        println!("skipped: there is no ../shared/bench/bp");
    }
    print!("{table}");
    table.exit_code()
}

fn run_case(case: &Case, time: Duration) -> Result<Row, String> {
    let opened = case.open_to_execute()?;
    let expected = match case.verdict {
        corpus::Verdict::Holds => Expected::Unreachable,
        corpus::Verdict::Violated => Expected::Reachable,
    };
    let (mut row, _) = decide_case(&opened, expected, Order::DepthFirst, time)?;
    if let (Some(shortest), Row::Right(_)) = (case.shortest, &row) {
        let length;
        (row, length) = decide_case(&opened, expected, Order::ShortestFirst, time)?;
        if let Some(length) = length
            && length != shortest as u64
        {
            return Err(format!(
                "a trace of {length} steps, the shortest has {shortest}"
            ));
        }
    }
    Ok(row)
}

/// Decides all questions of a case: it is violated if one of them is.
fn decide_case(
    opened: &Opened,
    expected: Expected,
    order: Order,
    time: Duration,
) -> Result<(Row, Option<u64>), String> {
    let options = with_time(opened.options, order, time);
    let questions = opened.questions()?;
    let mut answers = Vec::new();
    for question in &questions {
        answers.push(question.answer(&options, &mut ()));
    }
    let violated = |answer: &Result<Answer<'_>, _>| matches!(answer, Ok(it) if it.is_violated());
    // The shortest counterexample, or else the first fault, limit or proof.
    let length = |answer: &Answer<'_>| answer.run().map_or(0, Replayed::length);
    let shown = (0..answers.len()).min_by_key(|&at| match &answers[at] {
        Err(_) => (0, 0),
        Ok(answer) if violated(&answers[at]) => (1, length(answer)),
        Ok(answer) if answer.limit().is_some() => (2, 0),
        Ok(_) => (3, 0),
    });
    let shown = shown.ok_or("the case asks nothing")?;
    decide(answers.swap_remove(shown), expected)
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

/// Compares an answer with what is known; also gives the length of the trace, if there is one.
pub(crate) fn decide(
    answer: Result<Answer<'_>, InternalError>,
    expected: Expected,
) -> Result<(Row, Option<u64>), String> {
    let answer = answer.map_err(|error| error.to_string())?;
    if let Some(limit) = answer.limit() {
        return Ok((Row::OverLimit(format!("{limit:?}")), None));
    }
    let length = answer.run().map(Replayed::length);
    let found = match answer.verdict {
        Verdict::Violated => Expected::Reachable,
        Verdict::Holds | Verdict::Unknown(_) => Expected::Unreachable,
    };
    let mut text = match found {
        Expected::Unreachable => "holds".to_owned(),
        Expected::Reachable => "violated".to_owned(),
    };
    if found != expected {
        return Ok((Row::Wrong(format!("{text}, which is not so")), length));
    }
    text += &match answer.stats.path_edges {
        0 => format!(", by {}", answer.engine),
        edges => format!(", {edges} path edges"),
    };
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

//! Every model with a known answer, through the library.

use std::{
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use recurva_check::{
    Limits, Options, Order, Property, Runs, Stack, UnknownLabel, Verdict, check,
    spec::{Reader, SpecFormat, Vocabulary},
};
use recurva_lang::{
    bp,
    machine::{self, Format, Machine},
};
use recurva_model::{Program, rsm::Letters};
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
    let (program, properties, asked) = question(case)?;
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

/// The model, what is asked of it, and of which runs.
fn question(case: &Case) -> Result<(Program, Vec<Property>, Options), String> {
    let stack = match case.stack {
        corpus::Stack::Any => Stack::Any,
        corpus::Stack::Finite => Stack::Finite,
        corpus::Stack::Diverging => Stack::Diverging,
    };
    let options = Options {
        stack,
        ..Options::default()
    };
    if let Some(format) = Format::of(&case.model) {
        let machine = parse_machine(&case.model, format, case.letters)?;
        let vocabulary = match case.letters {
            true => Vocabulary::Letters(&machine.letters),
            false => Vocabulary::Machine(&machine.positions),
        };
        let properties = properties(case, &machine.program, vocabulary)?;
        let runs = Runs::Infinite;
        return Ok((machine.program, properties, Options { runs, ..options }));
    }
    let dialect = match case.dialect {
        corpus::Dialect::Boppo => bp::Dialect::Boppo,
        corpus::Dialect::Moped => bp::Dialect::Moped,
    };
    let mut program = parse(&case.model, dialect)?;
    if case.check_arithmetic {
        program = program.with_arithmetic_checks();
    }
    let properties = properties(case, &program, Vocabulary::Program)?;
    let runs = match case.runs {
        corpus::Runs::Stutter => Runs::Stutter,
        corpus::Runs::Infinite => Runs::Infinite,
    };
    Ok((program, properties, Options { runs, ..options }))
}

fn properties(
    case: &Case,
    program: &Program,
    vocabulary: Vocabulary<'_>,
) -> Result<Vec<Property>, String> {
    let one = |property: Result<Property, UnknownLabel>| match property {
        Ok(property) => Ok(vec![property]),
        Err(error) => Err(error.to_string()),
    };
    let reader = Reader::new(program, vocabulary);
    let (source, spec) = match case {
        Case {
            reach: Some(label), ..
        } => return one(Property::label(program, label)),
        Case {
            repeat: Some(label),
            ..
        } => return one(Property::repeat(program, label)),
        Case {
            property: Some(name),
            ..
        } => return Err(format!("named properties are not known yet: {name}")),
        Case {
            ltl: Some(text), ..
        } => {
            let source = Source::new("formula", text.as_str()).map_err(|e| e.to_string())?;
            let spec = reader.formula(&source);
            (source, spec)
        }
        Case {
            spec: Some(path), ..
        } => {
            let source = read(path)?;
            let format = SpecFormat::of(path).ok_or("no property format")?;
            let spec = reader.read(&source, format);
            (source, spec)
        }
        _ => return Ok(vec![Property::own(program)]),
    };
    let named = spec
        .properties
        .ok_or_else(|| spec.diagnostics.render(&source, Style::Plain))?;
    Ok(named.into_iter().map(|named| named.property).collect())
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

/// A program, or the errors in it.
pub(crate) fn parse(path: &Path, dialect: bp::Dialect) -> Result<Program, String> {
    let source = read(path)?;
    let parsed = bp::parse(&source, &bp::Options { dialect });
    parsed
        .program
        .ok_or_else(|| parsed.diagnostics.render(&source, Style::Plain))
}

fn parse_machine(path: &Path, format: Format, letters: bool) -> Result<Machine, String> {
    let source = read(path)?;
    let letters = match letters {
        true => Letters::Nodes,
        false => Letters::Dropped,
    };
    let parsed = machine::parse(&source, format, letters);
    parsed
        .machine
        .ok_or_else(|| parsed.diagnostics.render(&source, Style::Plain))
}

fn read(path: &Path) -> Result<Source, String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Source::from_bytes(name, bytes).map_err(|error| error.to_string())
}

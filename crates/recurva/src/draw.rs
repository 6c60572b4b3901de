//! The `draw` command: pictures of what is checked.

use std::{ffi::OsString, path::Path};

use clap::Parser;
use recurva_check::{Limit, Verdict};
use recurva_draw::{Drawing, machines};
use recurva_lang::{
    model::{self, Format},
    nsm, pds, rsm,
};
use recurva_logic::automaton::Config;
use recurva_model::Pds;
use recurva_report::{Detail, Layout, Question, draw_program, draw_trace};
use recurva_syntax::did_you_mean;

use crate::{
    args::{Arguments, Command, DrawArguments, DrawFormat, QuestionArguments},
    check, convert,
    convert_model::checked,
    exit::Exit,
    files, interrupt, load, nested, output,
    progress::{Line, Wanted},
    questions, regular, systems, trees, woven,
};

/// How much of a counterexample is drawn.
const ROWS: Layout = Layout {
    detail: Detail::Folded,
    lines: 80,
    full_lines: 80,
    subformulas: false,
    dropped: false,
};

/// What may be drawn, for messages.
const INPUTS: &str = "drawn are programs (.bp, .rem), machines (.rsm, .nsm, .pds), automata \
                      (.hoa), systems of any size (.rmc, .json) and formulas (ltl:…, x.ltl:NAME)";

/// Reads everything, then writes: on bad input nothing is written.
pub(crate) fn run(arguments: &DrawArguments) -> Exit {
    match draw(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

fn draw(arguments: &DrawArguments) -> Result<(), Exit> {
    let format = format(arguments)?;
    let text = match arguments.text {
        true => expressions(arguments)?,
        false => {
            let mut drawing = match arguments.counterexample {
                true => counterexample(arguments)?,
                false => drawing(arguments)?,
            };
            keep(&mut drawing, arguments.only.as_deref())?;
            rendered(&drawing, format)?
        }
    };
    match &arguments.output {
        Some(path) => {
            let (model, _) = convert::file_of(&arguments.model);
            let inputs = [Some(model), arguments.spec.as_deref()];
            let inputs: Vec<&Path> = inputs.into_iter().flatten().collect();
            files::store(path, &inputs, text.as_bytes())
        }
        None => {
            output::stdout(text.as_bytes());
            Ok(())
        }
    }
}

/// The format that is asked for or that the output's name says.
fn format(arguments: &DrawArguments) -> Result<DrawFormat, Exit> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let Some(path) = arguments.output.as_ref().filter(|_| !arguments.text) else {
        return Ok(DrawFormat::Dot);
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(DrawFormat::Svg),
        Some("dot" | "gv") => Ok(DrawFormat::Dot),
        Some("json") => Ok(DrawFormat::Json),
        _ if path.as_os_str() == "-" => Ok(DrawFormat::Dot),
        _ => {
            let name = path.display();
            output::error(&format!("{name}: this is no format recurva draws"));
            output::help("drawings are .svg, .dot, .gv or .json; --format names the format");
            Err(Exit::BadInput)
        }
    }
}

fn drawing(arguments: &DrawArguments) -> Result<Drawing, Exit> {
    let (input, path) = (&arguments.model, Path::new(&arguments.model));
    let format = Format::of(path);
    if arguments.r_graph {
        let Some(format) = format.filter(|format| format.is_machine()) else {
            output::error("--r-graph is for machines (.pds, .rsm and .nsm)");
            return Err(Exit::BadInput);
        };
        return Ok(machines::resource(&pushdown(path, format)?, input));
    }
    let Some(format) = format else {
        if systems::is_system(path) {
            return Ok(machines::system(&systems::read(path, false)?.1, input));
        }
        return automaton(input);
    };
    let source = load::open(path)?;
    Ok(match format {
        Format::Rsm => {
            let parsed = rsm::parse(&source);
            let machine = checked(&source, &parsed.diagnostics, parsed.rsm)?;
            machines::rsm(&machine, input)
        }
        Format::Pds => {
            let parsed = pds::parse(&source);
            let system = checked(&source, &parsed.diagnostics, parsed.pds)?;
            machines::pds(&system, input)
        }
        Format::Nsm => {
            let parsed = nsm::parse(&source);
            let machine = checked(&source, &parsed.diagnostics, parsed.nsm)?;
            machines::nsm(&machine, input)
        }
        Format::Bp | Format::Rem => {
            let parsed = model::parse(&source, format, &model::Options::default());
            let model = checked(&source, &parsed.diagnostics, parsed.model)?;
            draw_program(&source, None, &model.program)
        }
    })
}

/// The question of a counterexample, as it would be asked of `check`. With one thread the same
/// engine answers each time.
fn as_check(arguments: &DrawArguments) -> Result<QuestionArguments, Exit> {
    let mut words: Vec<OsString> = ["recurva", "check", "--threads", "1"]
        .map(Into::into)
        .into();
    let listed = [
        ("--reach", &arguments.reach),
        ("--ltl", &arguments.ltl),
        ("--caret", &arguments.caret),
        ("--repeat", &arguments.repeat),
    ];
    for (option, values) in listed {
        words.extend(
            values
                .iter()
                .map(|value| format!("{option}={value}").into()),
        );
    }
    if let Some(spec) = &arguments.spec {
        words.extend(["--spec".into(), spec.into()]);
    }
    words.extend(["--".into(), (&arguments.model).into()]);
    match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Command::Check(check)) => Ok(check.question),
        other => {
            output::internal_error(&format!("this is no question: {other:?}"));
            Err(Exit::Internal)
        }
    }
}

fn counterexample(arguments: &DrawArguments) -> Result<Drawing, Exit> {
    let question = as_check(arguments)?;
    let branching = arguments.spec.as_deref().is_some_and(|path| {
        nested::is_spec(path) || woven::is_spec(path) || trees::is_automaton(path)
    });
    if branching {
        output::error("--counterexample draws runs that violate a .mon, .ltl, .caret or .hoa file");
        return Err(Exit::BadInput);
    }
    let model = load::model(&question)?;
    let asked = questions::properties(&question, &model)?;
    let properties: Vec<_> = asked.into_iter().map(|asked| asked.property).collect();
    let options = check::options(&question, &model, &properties)?;
    interrupt::listen();
    for property in &properties {
        let mut line = Line::new(Wanted::Yes);
        let result = recurva_check::check(&model.program, property, &options, &mut line);
        drop(line);
        let outcome = result.map_err(|error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        })?;
        match outcome.verdict {
            Verdict::Holds => {}
            Verdict::Violated(violation) => {
                let question = Question::new(&model.source, &model.program, property);
                return Ok(draw_trace(&question, &violation.replayed, ROWS));
            }
            Verdict::Unknown(Limit::Interrupted) => return Err(Exit::Interrupted),
            Verdict::Unknown(_) => {
                output::error("it is not known whether there is a counterexample");
                output::help("recurva check says which limit was hit");
                return Err(Exit::Unknown);
            }
        }
    }
    output::error("there is no counterexample: every property holds");
    Err(Exit::BadInput)
}

/// A machine as a pushdown system.
fn pushdown(path: &Path, format: Format) -> Result<Pds, Exit> {
    let source = load::open(path)?;
    if format == Format::Pds {
        let parsed = pds::parse(&source);
        return checked(&source, &parsed.diagnostics, parsed.pds);
    }
    let parsed = model::parse(&source, format, &model::Options::default());
    let model = checked(&source, &parsed.diagnostics, parsed.model)?;
    let machine = model.machine.ok_or(Exit::BadInput)?;
    Ok(machine.rsm.to_pds().pds)
}

/// The automaton of a formula or of a file.
fn automaton(input: &str) -> Result<Drawing, Exit> {
    let path = Path::new(
        input
            .rsplit_once(".ltl:")
            .map_or(input, |(before, _)| before),
    );
    let known = input.starts_with("ltl:")
        || input.contains(".ltl:")
        || path
            .extension()
            .is_some_and(|extension| extension == "hoa" || extension == "ltl");
    if !known {
        output::error(&format!("{input}: this is nothing that can be drawn"));
        output::help(INPUTS);
        return Err(Exit::BadInput);
    }
    interrupt::listen();
    let stop = || interrupt::requested();
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    let (name, automaton) = convert::read(input, &config)?;
    let title = if name.is_empty() { input } else { &name };
    Ok(machines::buchi(&automaton, title))
}

fn expressions(arguments: &DrawArguments) -> Result<String, Exit> {
    let path = Path::new(&arguments.model);
    if !systems::is_system(path) {
        output::error("--text is for systems of any size (.rmc and .json)");
        return Err(Exit::BadInput);
    }
    let (_, system) = systems::read(path, false)?;
    let text = regular::expressions(&system, arguments.only.as_deref());
    match text.is_empty() {
        true => {
            let parts = machines::parts(&system);
            let names: Vec<&str> = parts.iter().map(|(name, ..)| &**name).collect();
            Err(no_such_part(
                arguments.only.as_deref().unwrap_or(""),
                &names,
            ))
        }
        false => Ok(text),
    }
}

/// Keeps only the part that is asked for.
fn keep(drawing: &mut Drawing, only: Option<&str>) -> Result<(), Exit> {
    let Some(only) = only else {
        return Ok(());
    };
    let names: Vec<String> = drawing
        .graphs
        .iter()
        .map(|graph| graph.name.clone())
        .collect();
    drawing.graphs.retain(|graph| graph.name == only);
    match drawing.graphs.is_empty() {
        true => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Err(no_such_part(only, &names))
        }
        false => Ok(()),
    }
}

fn no_such_part(only: &str, names: &[&str]) -> Exit {
    const FEW: usize = 12;
    output::error(&format!("there is no part `{only}`"));
    let listed = names[..names.len().min(FEW)].join(", ");
    let more = if names.len() > FEW { ", …" } else { "" };
    let near = did_you_mean(only, names.iter().copied());
    match near {
        Some(near) => output::help(&near),
        None if listed.is_empty() => output::help("this drawing has no parts with names"),
        None => output::help(&format!("the parts are {listed}{more}")),
    }
    Exit::BadInput
}

fn rendered(drawing: &Drawing, format: DrawFormat) -> Result<String, Exit> {
    if format == DrawFormat::Dot {
        return Ok(recurva_draw::dot(drawing));
    }
    let placed = recurva_draw::place(drawing).map_err(|refused| {
        output::error(&refused.to_string());
        output::help("--only draws one part; --format dot leaves the layout to Graphviz");
        Exit::Unknown
    })?;
    match format {
        DrawFormat::Json => match serde_json::to_string(&placed) {
            Ok(text) => Ok(text + "\n"),
            Err(cause) => {
                output::internal_error(&cause.to_string());
                Err(Exit::Internal)
            }
        },
        _ => Ok(recurva_draw::svg(&placed)),
    }
}

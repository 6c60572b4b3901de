//! The `convert` command: formulas and automata into each other, models into machines.

use std::path::Path;

use recurva_check::{Format, Limit, Model, Options, ReadOptions, Refused, open};
use recurva_logic::{
    automaton::{Config, Tgba, TooLarge, translate},
    hoa, ltl,
    nta::{self, Automaton},
    ntmu,
};
use recurva_process::{
    Deadline, Exit, Line, files,
    output::{self, Loudness},
};
use recurva_syntax::{Diagnostics, Source, did_you_mean};

use crate::{
    limits::LimitArguments,
    options::{AutomatonFormat, ConvertArguments},
};

/// What may be converted, for messages.
const INPUTS: &str = "the input is a formula (`ltl:G(a -> F b)`, `ntmu:EF p`), a formula of a file (`x.ltl:name`, \
     `x.ntmu:name`), an automaton (`x.hoa`, `x.nta`) or, for a machine as output, a model";

/// How large a formula made of an automaton may be.
const MAX_FORMULAS: usize = 1_000_000;

/// Reads everything, then writes: on bad input nothing is written.
pub(crate) fn run(arguments: &ConvertArguments) -> Exit {
    match convert(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

fn convert(arguments: &ConvertArguments) -> Result<(), Exit> {
    let (input, to) = (arguments.input.as_str(), arguments.output.as_path());
    let text = match trees(input, to) {
        Some(text) => text?,
        None => match (Format::of(Path::new(input)), Format::of(to)) {
            (Some(_), Some(format)) => model(arguments, format)?,
            _ => {
                let format = format(arguments)?;
                let (name, automaton) = read_automaton(input, arguments.limits)?;
                written(&name, &automaton, format, arguments.limits)?
            }
        },
    };
    files::store(to, &[Path::new(input)], text.as_bytes())
}

/// A model in another format.
fn model(arguments: &ConvertArguments, to: &Format) -> Result<String, Exit> {
    let loudness = Loudness::default();
    let refused = |refused: Refused| output::refused(&refused, loudness);
    let limits = arguments.limits.limits();
    let source = open(Path::new(&arguments.input)).map_err(refused)?;
    let mut line = Line::new(false);
    let model = Model::read(source, &ReadOptions::default(), limits, &mut line);
    let model = model.map_err(refused)?;
    output::said(model.said(), loudness);
    let options = Options {
        limits,
        ..Options::default()
    };
    let converted = model.converted(to, &options, &mut line);
    drop(line);
    let Some(converted) = converted else {
        let (from, to) = (model.format().name, to.name);
        output::error(&format!("{from} are not converted to {to}"));
        output::help("machines are converted to each other, and programs to .nsm");
        return Err(Exit::BadInput);
    };
    converted.map_err(refused)
}

/// The format that is asked for or that the output's name says.
fn format(arguments: &ConvertArguments) -> Result<AutomatonFormat, Exit> {
    if let Some(format) = arguments.to {
        return Ok(format);
    }
    let path = &arguments.output;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("hoa") => Ok(AutomatonFormat::Hoa),
        Some("never") => Ok(AutomatonFormat::Never),
        _ if path.as_os_str() == "-" => Ok(AutomatonFormat::Hoa),
        _ => {
            let name = path.display();
            output::error(&format!("{name}: this is no format recurva writes"));
            output::help("automata are written as .hoa or .never; --to names the format");
            Err(Exit::BadInput)
        }
    }
}

/// Opens a file. On an error everything has been said.
fn opened(path: &Path) -> Result<Source, Exit> {
    open(path).map_err(|refused| output::refused(&refused, Loudness::default()))
}

/// What was read, if nothing was wrong; else that has been said.
fn checked<T>(source: &Source, diagnostics: &Diagnostics, read: Option<T>) -> Result<T, Exit> {
    if !diagnostics.is_empty() {
        output::diagnostics(source, diagnostics);
    }
    read.ok_or(Exit::BadInput)
}

/// An automaton on nested trees. On an error everything has been said.
pub(crate) fn read_tree(path: &Path) -> Result<Automaton, Exit> {
    let source = opened(path)?;
    let parsed = nta::parse(&source);
    checked(&source, &parsed.diagnostics, parsed.automaton)
}

/// The Büchi automaton of a formula or of a file, and what it is called. On an error everything
/// has been said.
pub(crate) fn read_automaton(input: &str, limits: LimitArguments) -> Result<(String, Tgba), Exit> {
    let deadline = Deadline::new(limits.limits());
    let stop = || deadline.is_over();
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    let failed = |error: TooLarge| too_large(error, &deadline);
    let translated = |formula: &ltl::Formula| {
        let automaton = translate(formula, &config).map_err(failed)?;
        // The name is a remark: a very long formula would only make the file slow to read.
        let mut name = formula.to_string();
        if name.chars().count() > 1_000 {
            name = name.chars().take(1_000).collect();
            name.push('…');
        }
        Ok((name, automaton))
    };
    if let Some(text) = input.strip_prefix("ltl:") {
        let source = source(text)?;
        let parsed = ltl::parse(&source);
        return translated(&checked(&source, &parsed.diagnostics, parsed.formula)?);
    }
    let (path, wanted) = named(input, ".ltl");
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("ltl") => {
            let source = opened(path)?;
            let parsed = ltl::parse_file(&source);
            let list = checked(&source, &parsed.diagnostics, parsed.formulas)?;
            let names = list.iter().map(|named| &*named.name).collect();
            let index = pick(path, wanted, names)?;
            translated(&list[index].formula)
        }
        Some("hoa") => {
            let source = opened(path)?;
            let parsed = hoa::parse(&source);
            let automaton = checked(&source, &parsed.diagnostics, parsed.automaton)?;
            let small = automaton.reduce(&config).map_err(failed)?;
            Ok((parsed.name.unwrap_or_default(), small))
        }
        _ => {
            output::error(&format!("{input}: this is no input that can be converted"));
            output::help(INPUTS);
            Err(Exit::BadInput)
        }
    }
}

fn source(text: &str) -> Result<Source, Exit> {
    Source::new("formula", text).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })
}

/// The file that an input names, and the name behind the colon. A file of that very name comes
/// first: names may have colons.
fn named<'i>(input: &'i str, ending: &str) -> (&'i Path, Option<&'i str>) {
    match input.rsplit_once(':') {
        Some((path, name)) if !Path::new(input).exists() && path.ends_with(ending) => {
            (Path::new(path), Some(name))
        }
        _ => (Path::new(input), None),
    }
}

/// Which of the formulas of a file is meant. On an error everything has been said.
fn pick(path: &Path, wanted: Option<&str>, names: Vec<&str>) -> Result<usize, Exit> {
    let file = path.display();
    match wanted {
        None if names.len() == 1 => Ok(0),
        None => {
            output::error(&format!("{file}: there are {} formulas", names.len()));
            if let Some(first) = names.first() {
                output::help(&format!("name one of them: `{file}:{first}`"));
            }
            Err(Exit::BadInput)
        }
        Some(wanted) => {
            let found = names.iter().position(|name| *name == wanted);
            found.ok_or_else(|| {
                output::error(&format!("{file}: there is no formula `{wanted}`"));
                if let Some(help) = did_you_mean(wanted, names) {
                    output::help(&help);
                }
                Exit::BadInput
            })
        }
    }
}

fn too_large(error: TooLarge, deadline: &Deadline) -> Exit {
    let limit = match error {
        TooLarge::Stopped => deadline.limit(),
        other => Limit::Automaton(other),
    };
    output::error(&format!("no answer: {}", recurva_report::limit(limit)));
    Exit::of_limit(limit)
}

fn written(
    name: &str,
    automaton: &Tgba,
    format: AutomatonFormat,
    limits: LimitArguments,
) -> Result<String, Exit> {
    let deadline = Deadline::new(limits.limits());
    let stop = || deadline.is_over();
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    let mut text = String::new();
    let written = match format {
        AutomatonFormat::Hoa => hoa::write(&mut text, automaton, name),
        AutomatonFormat::Never => {
            let classical = automaton.degeneralise(&config);
            let classical = classical.map_err(|error| too_large(error, &deadline))?;
            classical.write_never(&mut text, name)
        }
    };
    written.map_err(|cause| {
        output::internal_error(&cause.to_string());
        Exit::Internal
    })?;
    Ok(text)
}

/// Converts between formulas of NT-µ (`ntmu:F`, `x.ntmu`, `x.ntmu:NAME`) and automata (`.nta`).
/// `None` if this is another conversion. On the standard output goes what the input is not.
fn trees(input: &str, to: &Path) -> Option<Result<String, Exit>> {
    let extension = |path: &Path| path.extension().is_some_and(|it| it == "nta");
    let (path, _) = named(input, ".ntmu");
    let from_automaton = extension(Path::new(input));
    let from_formula =
        input.starts_with("ntmu:") || path.extension().is_some_and(|it| it == "ntmu");
    let shown = to.as_os_str() == "-";
    let to_formula = to.extension().is_some_and(|it| it == "ntmu");
    if from_automaton && extension(to) {
        Some(read_tree(Path::new(input)).map(|automaton| automaton.to_string()))
    } else if from_automaton && (to_formula || shown) {
        Some(formula_of(Path::new(input)))
    } else if from_formula && (extension(to) || shown) {
        Some(formula(input).map(|formula| nta::of_formula(&formula).to_string()))
    } else {
        None
    }
}

fn formula_of(path: &Path) -> Result<String, Exit> {
    let Automaton::Alternating(automaton) = read_tree(path)? else {
        output::error("formulas say what alternating automata do: this one is nondeterministic");
        return Err(Exit::BadInput);
    };
    match nta::to_formula(&automaton, MAX_FORMULAS) {
        Some(formula) => Ok(format!("accepted: {formula}\n")),
        None => {
            output::error(&format!("the formula has more than {MAX_FORMULAS} parts"));
            Err(Exit::Unknown)
        }
    }
}

fn formula(input: &str) -> Result<ntmu::Formula, Exit> {
    if let Some(text) = input.strip_prefix("ntmu:") {
        let source = source(text)?;
        let parsed = ntmu::parse(&source);
        return checked(&source, &parsed.diagnostics, parsed.formula);
    }
    let (path, wanted) = named(input, ".ntmu");
    let source = opened(path)?;
    let parsed = ntmu::parse_file(&source);
    let mut list = checked(&source, &parsed.diagnostics, parsed.formulas)?;
    let names = list.iter().map(|named| &*named.name).collect();
    let index = pick(path, wanted, names)?;
    Ok(list.swap_remove(index).formula)
}

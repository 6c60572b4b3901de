//! The `convert` command: formulas and automata into automata, machines into machines.

use std::path::Path;

use recurva_logic::{
    automaton::{Config, Tgba, TooLarge, translate},
    hoa, ltl,
};
use recurva_syntax::{Diagnostics, Source, did_you_mean};

use crate::{
    args::{AutomatonFormat, ConvertArguments},
    convert_model,
    exit::Exit,
    files, interrupt, load, output, trees,
};

/// What may be converted, for messages.
const INPUTS: &str = "the input is a formula (`ltl:G(a -> F b)`), a formula of a file (`x.ltl:name`), an automaton \
     (`x.hoa`) or, for a machine as output, a machine (`x.rsm`, `x.pds`, `x.nsm`), or a \
     program if that is a `.nsm`";

/// Reads everything, then writes: on bad input nothing is written.
pub(crate) fn run(arguments: &ConvertArguments) -> Exit {
    if let Some(exit) = trees::convert(&arguments.input, &arguments.output) {
        return exit;
    }
    let input = Path::new(&arguments.input);
    if let Some(exit) = convert_model::convert(input, &arguments.output) {
        return exit;
    }
    match convert(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

fn convert(arguments: &ConvertArguments) -> Result<(), Exit> {
    interrupt::listen();
    let format = format(arguments)?;
    let stop = || interrupt::requested();
    let config = Config {
        stop: &stop,
        ..Config::default()
    };
    let (name, automaton) = read(&arguments.input, &config)?;
    let text = write(&name, &automaton, format, &config)?;
    let (input, _) = file_of(&arguments.input);
    files::store(&arguments.output, &[input], text.as_bytes())
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

/// The automaton and what it is called.
pub(crate) fn read(input: &str, config: &Config<'_>) -> Result<(String, Tgba), Exit> {
    if let Some(text) = input.strip_prefix("ltl:") {
        let source = source("formula", text)?;
        let parsed = ltl::parse(&source);
        report(&source, &parsed.diagnostics);
        let formula = parsed.formula.ok_or(Exit::BadInput)?;
        return translated(&formula, config);
    }
    let (path, wanted) = file_of(input);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("ltl") => {
            let formula = formula(path, wanted)?;
            translated(&formula, config)
        }
        Some("hoa") => {
            let source = load::open(path)?;
            let parsed = hoa::parse(&source);
            report(&source, &parsed.diagnostics);
            let automaton = parsed.automaton.ok_or(Exit::BadInput)?;
            let small = automaton
                .reduce(config)
                .map_err(|error| too_large(&error))?;
            Ok((parsed.name.unwrap_or_default(), small))
        }
        _ => {
            output::error(&format!("{input}: this is no input that can be converted"));
            output::help(INPUTS);
            Err(Exit::BadInput)
        }
    }
}

/// The file that an input names, and the name behind the colon.
pub(crate) fn file_of(input: &str) -> (&Path, Option<&str>) {
    // A file of that very name comes first: names may have colons.
    match input.rsplit_once(':') {
        Some((path, name)) if !Path::new(input).exists() && path.ends_with(".ltl") => {
            (Path::new(path), Some(name))
        }
        _ => (Path::new(input), None),
    }
}

fn source(name: &str, text: &str) -> Result<Source, Exit> {
    Source::new(name, text).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })
}

/// The formula of a file with that name, or the only one.
fn formula(path: &Path, wanted: Option<&str>) -> Result<ltl::Formula, Exit> {
    let source = load::open(path)?;
    let parsed = ltl::parse_file(&source);
    report(&source, &parsed.diagnostics);
    let list = parsed.formulas.ok_or(Exit::BadInput)?;
    let file = path.display();
    match (wanted, &list[..]) {
        (Some(wanted), _) => {
            if let Some(named) = list.iter().find(|named| *named.name == *wanted) {
                return Ok(named.formula.clone());
            }
            output::error(&format!("{file}: there is no formula `{wanted}`"));
            if let Some(help) = did_you_mean(wanted, list.iter().map(|named| &*named.name)) {
                output::help(&help);
            }
            Err(Exit::BadInput)
        }
        (None, [only]) => Ok(only.formula.clone()),
        (None, _) => {
            output::error(&format!("{file}: there are {} formulas", list.len()));
            output::help(&format!("name one of them: `{file}:{}`", list[0].name));
            Err(Exit::BadInput)
        }
    }
}

fn translated(formula: &ltl::Formula, config: &Config<'_>) -> Result<(String, Tgba), Exit> {
    let automaton = translate(formula, config).map_err(|error| too_large(&error))?;
    // The name is a remark: a very long formula would only make the file slow to read.
    let mut name = formula.to_string();
    if name.chars().count() > 1_000 {
        name = name.chars().take(1_000).collect();
        name.push('…');
    }
    Ok((name, automaton))
}

fn too_large(error: &TooLarge) -> Exit {
    if *error == TooLarge::Stopped {
        return Exit::Interrupted;
    }
    output::error(&error.to_string());
    Exit::Unknown
}

fn write(
    name: &str,
    automaton: &Tgba,
    format: AutomatonFormat,
    config: &Config<'_>,
) -> Result<String, Exit> {
    let mut text = String::new();
    let written = match format {
        AutomatonFormat::Hoa => hoa::write(&mut text, automaton, name),
        AutomatonFormat::Never => {
            let classical = automaton.degeneralise(config);
            let classical = classical.map_err(|error| too_large(&error))?;
            classical.write_never(&mut text, name)
        }
    };
    written.map_err(|cause| {
        output::internal_error(&cause.to_string());
        Exit::Internal
    })?;
    Ok(text)
}

fn report(source: &Source, diagnostics: &Diagnostics) {
    if !diagnostics.is_empty() {
        output::diagnostics(source, diagnostics);
    }
}

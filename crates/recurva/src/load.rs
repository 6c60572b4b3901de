//! Files in, models and monitors out.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use recurva_lang::{
    bp,
    machine::{self, Format},
    rem,
};
use recurva_logic::monitor;
use recurva_model::{Monitor, Program};
use recurva_syntax::{Diagnostics, Source};

use crate::{
    args::{CheckArguments, Dialect, Extra},
    exit::Exit,
    output,
};

/// Model formats, by extension, for messages.
const MODELS: &str = ".bp (boolean programs), .rem (Remopla), .rsm (recursive state machines) \
                      and .pds (pushdown systems)";

/// Reads the model. On an error everything has been said.
pub(crate) fn model(arguments: &CheckArguments) -> Result<(Source, Program), Exit> {
    let path = &arguments.model;
    let source = if path.as_os_str() == "-" {
        source("<stdin>", read(io::stdin().lock()))?
    } else {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let known = matches!(extension, Some("bp" | "rem")) || Format::of(path).is_some();
        if !known && !path.is_dir() {
            let name = path.display();
            output::error(&format!("{name}: this is no model format recurva knows"));
            output::help(&format!("models are {MODELS}"));
            return Err(Exit::BadInput);
        }
        open(path)?
    };
    let parsed = match Format::of(path) {
        Some(format) => machine::parse(&source, format),
        None if path.extension().is_some_and(|e| e == "rem") => rem::parse(&source),
        None => {
            let dialect = match arguments.dialect {
                Dialect::Boppo => bp::Dialect::Boppo,
                Dialect::Moped => bp::Dialect::Moped,
            };
            bp::parse(&source, &bp::Options { dialect })
        }
    };
    report(&source, &parsed.diagnostics, arguments);
    let Some(program) = parsed.program else {
        return Err(Exit::BadInput);
    };
    let program = if arguments.check.contains(&Extra::Arithmetic) {
        program.with_arithmetic_checks()
    } else {
        program
    };
    Ok((source, program))
}

/// Reads the monitors of a file. On an error everything has been said.
pub(crate) fn monitors(
    path: &Path,
    program: &Program,
    arguments: &CheckArguments,
) -> Result<Vec<Monitor>, Exit> {
    if path.extension().is_none_or(|extension| extension != "mon") && !path.is_dir() {
        output::error(&format!(
            "{}: this is no property format recurva knows",
            path.display()
        ));
        output::help("properties are .mon (monitors)");
        return Err(Exit::BadInput);
    }
    let source = open(path)?;
    let parsed = monitor::parse(&source, program);
    report(&source, &parsed.diagnostics, arguments);
    parsed.monitors.ok_or(Exit::BadInput)
}

/// Opens a file. On an error everything has been said.
pub(crate) fn open(path: &Path) -> Result<Source, Exit> {
    let name = path.display().to_string();
    if path.is_dir() {
        output::error(&format!("{name}: this is a folder, not a file"));
        return Err(Exit::BadInput);
    }
    source(&name, File::open(path).and_then(read))
}

fn read(mut file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn source(name: &str, bytes: io::Result<Vec<u8>>) -> Result<Source, Exit> {
    let bytes = bytes.map_err(|cause| {
        let reason = match cause.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "no permission to read this file".to_owned(),
            _ => cause.to_string(),
        };
        output::error(&format!("{name}: {reason}"));
        Exit::BadInput
    })?;
    Source::from_bytes(name, bytes).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })
}

fn report(source: &Source, diagnostics: &Diagnostics, arguments: &CheckArguments) {
    if diagnostics.has_errors() || (!diagnostics.is_empty() && !arguments.quiet) {
        output::stderr(&diagnostics.render(source, output::style()));
    }
}

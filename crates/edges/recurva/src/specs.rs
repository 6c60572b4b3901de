//! Properties out of files and formulas. On an error everything has been said.

use std::path::Path;

use recurva_check::{
    Property,
    spec::{Named, Reader, Spec, SpecFormat},
};
use recurva_syntax::Source;

use crate::{args::QuestionArguments, exit::Exit, load, output};

/// A file and its properties.
pub(crate) fn file(
    reader: &Reader<'_>,
    path: &Path,
    arguments: &QuestionArguments,
) -> Result<(Source, Vec<Named>), Exit> {
    let format = SpecFormat::of(path);
    if format.is_none() && !path.is_dir() {
        let name = path.display();
        output::error(&format!("{name}: this is no property format recurva knows"));
        output::help(
            "properties are .mon, .pal and .spc (monitors), .ltl, .caret and .ntmu (formulas), .hoa and .nta (automata)",
        );
        return Err(Exit::BadInput);
    }
    let source = load::open(path)?;
    let format = format.ok_or(Exit::BadInput)?;
    let found = properties(&source, reader.read(&source, format), arguments)?;
    Ok((source, found))
}

/// What a formula is written in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Logic {
    Ltl,
    Caret,
}

/// A formula given on the command line.
pub(crate) fn formula(
    reader: &Reader<'_>,
    text: &str,
    logic: Logic,
    arguments: &QuestionArguments,
) -> Result<Vec<Property>, Exit> {
    let source = Source::new("formula", text).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })?;
    let spec = match logic {
        Logic::Ltl => reader.formula(&source),
        Logic::Caret => reader.caret(&source),
    };
    let named = properties(&source, spec, arguments)?;
    Ok(named.into_iter().map(|named| named.property).collect())
}

fn properties(
    source: &Source,
    spec: Spec,
    arguments: &QuestionArguments,
) -> Result<Vec<Named>, Exit> {
    load::report(source, &spec.diagnostics, arguments);
    spec.properties.ok_or(Exit::BadInput)
}

//! Rules of the library, by name: `--rule double-lock`.

use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use recurva_check::{Asked, Refused, Said, open};
use recurva_pal::library::{RULES, Rule};
use recurva_syntax::Source;

/// The names of the rules, on the command line.
pub(crate) fn names() -> impl TypedValueParser<Value = String> {
    let values = RULES.iter();
    let values = values.map(|rule| PossibleValue::new(rule.name).help(rule.about()));
    PossibleValuesParser::new(values)
}

/// The rule whose file is called so in traces and proofs. There is none on the disk.
pub(crate) fn of_file(path: &Path) -> Option<&'static Rule> {
    path.to_str().and_then(Rule::of_file)
}

/// Opens a file with properties, or a rule by the name of its file.
pub(crate) fn open_spec(path: &Path) -> Result<Source, Refused> {
    match of_file(path) {
        Some(rule) => source(rule),
        None => open(path),
    }
}

/// A rule's text.
pub(crate) fn source(rule: &Rule) -> Result<Source, Refused> {
    let source = rule.source();
    source.map_err(|cause| Refused::Said(vec![Said::error_if(cause.to_string(), None)]))
}

/// What rules ask of a C program, each by itself.
pub(crate) fn asked(names: &[String], property: Option<&str>) -> Result<Vec<Asked>, Refused> {
    let rules = names.iter().filter_map(|name| Rule::named(name));
    let asked = rules.map(|rule| {
        Ok(Asked {
            spec: Some(source(rule)?),
            property: property.map(str::to_owned),
            matched_only: true,
            ..Asked::default()
        })
    });
    asked.collect()
}

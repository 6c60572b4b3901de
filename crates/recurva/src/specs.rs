//! Properties out of files and formulas.

use std::path::Path;

use recurva_check::{Ltl, Never, Property};
use recurva_lang::machine::Format;
use recurva_logic::{
    automaton::Config,
    hoa,
    ltl::{self, Formula, Names},
    monitor,
};
use recurva_model::{Guard, Monitor, Program};
use recurva_syntax::{Diagnostics, Source};

use crate::{args::CheckArguments, exit::Exit, interrupt, load, output};

/// A property with the name it has in its file.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) property: Property,
}

/// Reads properties for a program. On an error everything has been said.
pub(crate) struct Specs<'a> {
    pub(crate) program: &'a Program,
    pub(crate) arguments: &'a CheckArguments,
}

impl Specs<'_> {
    /// The properties of a file.
    pub(crate) fn file(&self, path: &Path) -> Result<Vec<Named>, Exit> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("mon") => self.monitors(path),
            Some("ltl") => self.formulas(path),
            Some("hoa") => self.automaton(path).map(|named| vec![named]),
            _ if path.is_dir() => load::open(path).map(|_| Vec::new()),
            _ => {
                let name = path.display();
                output::error(&format!("{name}: this is no property format recurva knows"));
                output::help(
                    "properties are .mon (monitors), .ltl (formulas) and .hoa (an automaton)",
                );
                Err(Exit::BadInput)
            }
        }
    }

    /// A formula given on the command line.
    pub(crate) fn formula(&self, text: &str) -> Result<Property, Exit> {
        let source = source("formula", text)?;
        let parsed = ltl::parse(&source);
        load::report(&source, &parsed.diagnostics, self.arguments);
        let formula = parsed.formula.ok_or(Exit::BadInput)?;
        let guards = self.guards(&source, &formula)?;
        Ok(Property::Ltl(Ltl {
            name: text.trim().to_owned(),
            formula,
            guards,
        }))
    }

    fn monitors(&self, path: &Path) -> Result<Vec<Named>, Exit> {
        let source = load::open(path)?;
        let parsed = monitor::parse(&source, self.program);
        load::report(&source, &parsed.diagnostics, self.arguments);
        let mut properties = Vec::new();
        for monitor in parsed.monitors.ok_or(Exit::BadInput)? {
            properties.extend(monitor_properties(monitor)?);
        }
        Ok(properties)
    }

    fn formulas(&self, path: &Path) -> Result<Vec<Named>, Exit> {
        let source = load::open(path)?;
        let parsed = ltl::parse_file(&source);
        load::report(&source, &parsed.diagnostics, self.arguments);
        let mut properties = Vec::new();
        for named in parsed.formulas.ok_or(Exit::BadInput)? {
            let guards = self.guards(&source, &named.formula)?;
            properties.push(Named {
                name: named.name.to_string(),
                property: Property::Ltl(Ltl {
                    name: format!("{}: {}", named.name, named.formula),
                    formula: named.formula,
                    guards,
                }),
            });
        }
        Ok(properties)
    }

    /// What the atoms of a formula mean.
    fn guards(&self, source: &Source, formula: &Formula) -> Result<Vec<Guard>, Exit> {
        let mut diagnostics = Diagnostics::default();
        let (formulas, program) = (&formula.formulas, self.program);
        let guards = ltl::resolve(formulas, source, program, self.names(), &mut diagnostics);
        diagnostics.sort();
        load::report(source, &diagnostics, self.arguments);
        guards.ok_or(Exit::BadInput)
    }

    fn automaton(&self, path: &Path) -> Result<Named, Exit> {
        let source = load::open(path)?;
        let parsed = hoa::parse(&source);
        load::report(&source, &parsed.diagnostics, self.arguments);
        let automaton = parsed.automaton.ok_or(Exit::BadInput)?;
        let stop = || interrupt::requested();
        let config = Config {
            stop: &stop,
            ..Config::default()
        };
        let automaton = automaton.reduce(&config).map_err(|cause| {
            output::error(&format!("{}: {cause}", path.display()));
            Exit::Unknown
        })?;
        let mut guards = Vec::with_capacity(automaton.atoms().len());
        for (index, atom) in automaton.atoms().iter().enumerate() {
            let name = format!("{}, atomic proposition {index}", path.display());
            let source = self::source(&name, atom)?;
            let mut diagnostics = Diagnostics::default();
            let names = self.names();
            let guard = ltl::resolve_text(&source, self.program, names, &mut diagnostics);
            load::report(&source, &diagnostics, self.arguments);
            guards.push(guard);
        }
        let guards: Option<Vec<Guard>> = guards.into_iter().collect();
        let name = parsed.name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| path.display().to_string());
        Ok(Named {
            property: Property::Never(Never {
                name: format!("no infinite run is accepted by {name}"),
                automaton,
                guards: guards.ok_or(Exit::BadInput)?,
            }),
            name,
        })
    }

    /// Machines have no variables, so names are those of vertices, heads and propositions.
    fn names(&self) -> Names {
        match Format::of(&self.arguments.model) {
            Some(_) => Names::Labels,
            None => Names::Variables,
        }
    }
}

/// What a monitor warns of: its target states, its repeating states, or both.
fn monitor_properties(monitor: Monitor) -> Result<Vec<Named>, Exit> {
    let name = monitor.name().to_owned();
    let mut properties = Vec::new();
    if monitor.states().iter().any(|state| state.repeating) {
        let property = Property::repeating(&monitor).map_err(|cause| {
            output::error(&cause.to_string());
            Exit::BadInput
        })?;
        properties.push(property);
    }
    if monitor.states().iter().any(|state| state.target) {
        properties.insert(0, Property::Monitor(monitor));
    }
    if properties.is_empty() {
        output::error(&format!(
            "monitor `{name}` has neither a target nor a repeating state"
        ));
        output::help("give it a `target` line, or a `repeating` line for what must not recur");
        return Err(Exit::BadInput);
    }
    let named = properties.into_iter().map(|property| Named {
        name: name.clone(),
        property,
    });
    Ok(named.collect())
}

fn source(name: &str, text: &str) -> Result<Source, Exit> {
    Source::new(name, text).map_err(|cause| {
        output::error(&cause.to_string());
        Exit::BadInput
    })
}

//! From the command line to properties.

use recurva_check::Property;
use recurva_model::Program;
use recurva_syntax::did_you_mean;

use crate::{args::CheckArguments, exit::Exit, load, machine, output};

/// The properties asked for, in the order given. On an error everything has been said.
pub(crate) fn properties(
    arguments: &CheckArguments,
    program: &Program,
) -> Result<Vec<Property>, Exit> {
    let mut properties = Vec::new();
    let mut unknown = false;
    for label in &arguments.reach {
        match Property::label(program, label) {
            Ok(property) => properties.push(property),
            Err(error) => {
                unknown = true;
                output::error(&error.to_string());
                suggest_label(program, label);
            }
        }
    }
    if unknown {
        return Err(Exit::BadInput);
    }
    if let Some(path) = &arguments.spec {
        let mut monitors = load::monitors(path, program, arguments)?;
        if let Some(wanted) = &arguments.property {
            let names: Vec<String> = monitors.iter().map(|m| m.name().to_owned()).collect();
            monitors.retain(|monitor| monitor.name() == wanted);
            if monitors.is_empty() {
                let path = path.display();
                output::error(&format!("there is no monitor `{wanted}` in {path}"));
                suggest(wanted, names.iter().map(String::as_str), "monitors");
                return Err(Exit::BadInput);
            }
        }
        if let Some(monitor) = monitors
            .iter()
            .find(|m| !m.states().iter().any(|s| s.target))
        {
            output::error(&format!("monitor `{}` has no target state", monitor.name()));
            output::help("repeating states are not checked yet: give it a `target`");
            return Err(Exit::BadInput);
        }
        properties.extend(monitors.into_iter().map(Property::Monitor));
    }
    if properties.is_empty() {
        let own = machine::own_property(&arguments.model, program);
        let nothing = matches!(&own, Property::Unreachable { points, .. } if points.is_empty());
        if nothing && !arguments.quiet {
            output::note(machine::nothing_to_violate(&arguments.model));
            output::help("ask a question with --reach LABEL or --spec FILE");
        }
        properties.push(own);
    }
    Ok(properties)
}

fn suggest_label(program: &Program, wanted: &str) {
    let qualified: Vec<String> = program
        .labels()
        .iter()
        .map(|label| {
            format!(
                "{}::{}",
                program.procedure(label.point.procedure).name,
                label.name
            )
        })
        .collect();
    if wanted.contains("::") {
        suggest(wanted, qualified.iter().map(String::as_str), "labels");
    } else {
        suggest(
            wanted,
            program.labels().iter().map(|label| &*label.name),
            "labels",
        );
    }
}

/// The nearest name; if none is near, all of them while they are few.
fn suggest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>, what: &str) {
    const FEW: usize = 12;
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    if let Some(near) = did_you_mean(wanted, names.iter().copied()) {
        output::help(&near);
    } else if names.is_empty() {
        output::help(&format!("there are no {what}"));
    } else {
        let listed = names[..names.len().min(FEW)].join(", ");
        let more = if names.len() > FEW { ", …" } else { "" };
        output::help(&format!("the {what} are {listed}{more}"));
    }
}

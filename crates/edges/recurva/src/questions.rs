//! From the command line to properties.

use recurva_check::{Property, spec::Reader};
use recurva_model::Program;
use recurva_syntax::did_you_mean;
use recurva_trace::{FileMark, Question};

use crate::{
    args::{Extra, QuestionArguments},
    exit::Exit,
    load::Model,
    machine, nested, output, specs, woven,
};

/// A property, and how it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) property: Property,
    pub(crate) question: Question,
}

/// The properties asked for, in the order given. On an error everything has been said.
pub(crate) fn properties(arguments: &QuestionArguments, model: &Model) -> Result<Vec<Asked>, Exit> {
    let program = &model.program;
    let mut properties = Vec::new();
    let mut unknown = false;
    let reach = arguments.reach.iter().map(|label| (label, false));
    let repeat = arguments.repeat.iter().map(|label| (label, true));
    for (label, again) in reach.chain(repeat) {
        let property = if again {
            Property::repeat(program, label)
        } else {
            Property::label(program, label)
        };
        match property {
            Ok(property) => {
                let label = label.clone();
                let question = match again {
                    true => Question::Repeat { label },
                    false => Question::Reach { label },
                };
                properties.push(Asked { property, question });
            }
            Err(error) => {
                unknown = true;
                output::error(&error.to_string());
                suggest_label(program, label);
            }
        }
    }
    let reader = Reader::new(program, model.vocabulary(arguments));
    let ltl = arguments.ltl.iter().map(|text| (text, specs::Logic::Ltl));
    let caret = arguments.caret.iter();
    let caret = caret.map(|text| (text, specs::Logic::Caret));
    for (formula, logic) in ltl.chain(caret) {
        match specs::formula(&reader, formula, logic, arguments) {
            Ok(found) => properties.extend(found.into_iter().map(|property| {
                let formula = formula.clone();
                let question = match logic {
                    specs::Logic::Ltl => Question::Ltl { formula },
                    specs::Logic::Caret => Question::Caret { formula },
                };
                Asked { property, question }
            })),
            Err(_) => unknown = true,
        }
    }
    if unknown {
        return Err(Exit::BadInput);
    }
    let spec = arguments.spec.as_ref();
    if let Some(path) = spec.filter(|path| !nested::is_spec(path) && !woven::is_spec(path)) {
        let (source, mut found) = specs::file(&reader, path, arguments)?;
        only_wanted(arguments, &mut found, |named| &named.name)?;
        let file = FileMark::of(source.name(), source.text());
        properties.extend(found.into_iter().map(|named| Asked {
            property: named.property,
            question: Question::Spec {
                file: file.clone(),
                name: named.name,
            },
        }));
    }
    if properties.is_empty() && !nested::is_asked(arguments) && !woven::is_asked(arguments) {
        let own = machine::own_property(model);
        let nothing = matches!(&own, Property::Unreachable { points, .. } if points.is_empty());
        if nothing && !arguments.quiet {
            output::note(machine::nothing_to_violate(model));
            output::help("ask a question with --reach LABEL, --ltl FORMULA or --spec FILE");
        }
        properties.push(Asked {
            property: own,
            question: Question::Own {
                arithmetic: arguments.check.contains(&Extra::Arithmetic),
            },
        });
    }
    Ok(properties)
}

/// Keeps the property of a file that is asked for, if one is.
pub(crate) fn only_wanted<T>(
    arguments: &QuestionArguments,
    found: &mut Vec<T>,
    name: impl Fn(&T) -> &String,
) -> Result<(), Exit> {
    let (Some(wanted), Some(path)) = (&arguments.property, &arguments.spec) else {
        return Ok(());
    };
    let names: Vec<String> = found.iter().map(|item| name(item).clone()).collect();
    found.retain(|item| name(item) == wanted);
    if found.is_empty() {
        let path = path.display();
        output::error(&format!("there is no property `{wanted}` in {path}"));
        suggest(wanted, names.iter().map(String::as_str), "properties");
        return Err(Exit::BadInput);
    }
    Ok(())
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

//! `.pal` and `.spc` files: monitors that become part of the model.

use std::path::Path;

use recurva_check::Property;
use recurva_pal::{
    lang,
    weave::{Check, weave},
};
use recurva_trace::{FileMark, Question};

use crate::{
    args::QuestionArguments,
    exit::Exit,
    load::{self, Model},
    output,
    questions::{Asked, only_wanted},
};

/// Whether a file is such a monitor.
pub(crate) fn is_spec(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "pal" || extension == "spc")
}

/// Whether one is asked about.
pub(crate) fn is_asked(arguments: &QuestionArguments) -> bool {
    arguments.spec.as_deref().is_some_and(is_spec)
}

/// The model with the monitor in it, and what is asked of it. On an error everything has been
/// said.
pub(crate) fn questions(
    arguments: &QuestionArguments,
    model: &Model,
) -> Result<Option<(Model, Vec<Asked>)>, Exit> {
    let Some(path) = arguments.spec.as_deref().filter(|path| is_spec(path)) else {
        return Ok(None);
    };
    let source = load::open(path)?;
    let parsed = lang::parse(&source);
    load::report(&source, &parsed.diagnostics, arguments);
    let monitor = parsed.monitor.ok_or(Exit::BadInput)?;
    let weaving = weave(&model.program, &monitor, &source, model.source.end().end);
    load::report(&source, &weaving.diagnostics, arguments);
    let woven = weaving.woven.ok_or(Exit::BadInput)?;
    if arguments.verbose {
        for (event, matched) in monitor.events.iter().zip(&woven.matched) {
            let steps = if *matched == 1 { "step" } else { "steps" };
            output::note(&format!("{} matches {matched} {steps}", event.title()));
        }
    }
    let mut checks = woven.checks;
    checks.extend(woven.range);
    if checks.is_empty() && !arguments.quiet {
        output::note("this monitor has no guard: there is nothing to violate");
    }
    only_wanted(arguments, &mut checks, |check| &check.name)?;
    let file = FileMark::of(source.name(), source.text());
    let properties = checks
        .into_iter()
        .map(|check| asked(check, &file))
        .collect();
    Ok(Some((
        model.with_monitor(woven.program, source),
        properties,
    )))
}

fn asked(check: Check, file: &FileMark) -> Asked {
    Asked {
        property: Property::Unreachable {
            name: check.title,
            points: check.points,
        },
        question: Question::Spec {
            file: file.clone(),
            name: check.name,
        },
    }
}

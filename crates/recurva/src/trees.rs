//! Automata on nested trees: `check --spec x.nta`, `empty`, and their conversion.

use std::{ops::ControlFlow, path::Path, time::Instant};

use recurva_automata::{Limits, MemberError, Outcome, Progress, SolveError, accepts, empty};
use recurva_check::nested::Starts;
use recurva_lang::nsm;
use recurva_logic::{
    nta::{self, Alternating, Automaton},
    ntmu::{self, Formula},
};
use recurva_nested::Reduction;
use recurva_report::sarif::Rule;
use recurva_syntax::{Diagnostic, Diagnostics, Source, did_you_mean};

use crate::{
    args::{CheckArguments, EmptyArguments, ReportFormat},
    exit::Exit,
    files, interrupt, load, output,
    outputs::Outputs,
};

/// How large a formula made of an automaton may be.
const MAX_FORMULAS: usize = 1_000_000;

/// Whether a file has an automaton on nested trees.
pub(crate) fn is_automaton(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "nta")
}

fn report(source: &Source, diagnostics: &Diagnostics) {
    if !diagnostics.is_empty() {
        output::diagnostics(source, diagnostics);
    }
}

fn read(path: &Path) -> Result<(Source, Automaton), Exit> {
    let source = load::open(path)?;
    let parsed = nta::parse(&source);
    report(&source, &parsed.diagnostics);
    let automaton = parsed.automaton.ok_or(Exit::BadInput)?;
    Ok((source, automaton))
}

/// Whether the tree of the model is accepted by the automaton of the `--spec` file.
pub(crate) fn check(arguments: &CheckArguments, spec: &Path, outputs: &Outputs<'_>) -> Exit {
    if arguments.save_trace.is_some() || arguments.witness.is_some() {
        output::error(
            "--save-trace and --witness are for runs: an automaton on nested trees rejects a tree",
        );
        return Exit::BadInput;
    }
    match ask(arguments, spec, outputs) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn ask(arguments: &CheckArguments, spec: &Path, outputs: &Outputs<'_>) -> Result<Exit, Exit> {
    let model = load::model(&arguments.question)?;
    let (source, automaton) = read(spec)?;
    let Automaton::Alternating(automaton) = automaton else {
        output::error("the tree of a machine has no order: only alternating automata accept it");
        output::help("`recurva empty` asks whether a nondeterministic automaton accepts any tree");
        return Err(Exit::BadInput);
    };
    let machine = match model.nested() {
        Some((machine, Starts::Here)) => machine,
        Some((_, Starts::Behind)) => {
            output::error("a tree has one root: this machine has several initial states");
            return Err(Exit::BadInput);
        }
        None => {
            output::error("automata on nested trees are for machines: .nsm and .rsm");
            output::help("for a program write the property as a formula, --ntmu");
            return Err(Exit::BadInput);
        }
    };
    interrupt::listen();
    let started = Instant::now();
    let go_on = |_: &Progress| {
        let late = arguments
            .question
            .timeout
            .is_some_and(|limit| started.elapsed() > limit);
        match late || interrupt::requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let reduction = match arguments.question.no_quotient {
        true => Reduction::None,
        false => Reduction::Bisimulation,
    };
    let found = accepts(&machine, &automaton, reduction, &Limits::default(), go_on);
    let names = (
        arguments.question.model.display().to_string(),
        source.name().to_owned(),
    );
    match found {
        Ok(outcome) => {
            let seconds = started.elapsed().as_secs_f64();
            tell(outputs, &names, Ok(&outcome), seconds);
            Ok(match outcome.accepted() {
                true => Exit::Holds,
                false => Exit::Violated,
            })
        }
        Err(MemberError::Unknown(unknown)) => {
            let (text, span) = &automaton.propositions()[unknown.id().0 as usize];
            let mut diagnostics = Diagnostics::default();
            let known = machine.propositions().iter().map(|name| &**name);
            diagnostics.report(|| {
                Diagnostic::error(unknown.to_string(), *span)
                    .help_if(did_you_mean(text, known.clone()))
            });
            report(&source, &diagnostics);
            Err(Exit::BadInput)
        }
        Err(MemberError::Solve(error)) => {
            let seconds = started.elapsed().as_secs_f64();
            tell(outputs, &names, Err(error), seconds);
            Ok(unknown(error))
        }
    }
}

fn unknown(error: SolveError) -> Exit {
    match error {
        SolveError::Stopped if interrupt::requested() => Exit::Interrupted,
        _ => Exit::Unknown,
    }
}

fn tell(
    outputs: &Outputs<'_>,
    (model, property): &(String, String),
    result: Result<&Outcome, SolveError>,
    seconds: f64,
) {
    let arguments = outputs.arguments;
    if arguments.question.quiet {
        return;
    }
    let verdict = match result {
        Ok(outcome) if outcome.accepted() => "holds",
        Ok(_) => "violated",
        Err(_) => "unknown",
    };
    if arguments.format == ReportFormat::Sarif {
        let (exit, text) = match result {
            Ok(outcome) if outcome.accepted() => (Exit::Holds, String::new()),
            Ok(_) => (
                Exit::Violated,
                "The automaton does not accept the tree of the machine.".to_owned(),
            ),
            Err(error) => (Exit::Unknown, error.to_string()),
        };
        return outputs.log_plain(Rule::Tree, property, exit, &text);
    }
    let text = match arguments.format {
        ReportFormat::Json => {
            let mut value = serde_json::json!({
                "verdict": verdict,
                "property": property,
                "model": model,
                "engine": "game",
                "stats": { "seconds": seconds },
            });
            match result {
                Ok(outcome) => {
                    value["stats"]["positions"] = outcome.work.cells.into();
                    value["stats"]["evaluations"] = outcome.work.evaluations.into();
                }
                Err(error) => value["limit"] = error.to_string().into(),
            }
            format!("{value}\n")
        }
        _ => match result {
            Ok(outcome) => {
                let says = match outcome.accepted() {
                    true => "accepts",
                    false => "does not accept",
                };
                let positions = outcome.work.cells;
                format!(
                    "{verdict}: {property} ({model})\n  The automaton {says} the tree of the \
                     machine.\n  {positions} positions of the game without their stacks\n"
                )
            }
            Err(error) => format!("{verdict}: {property} ({model})\n  {error}.\n"),
        },
    };
    output::stdout(text.as_bytes());
}

/// The `empty` command: whether a nondeterministic automaton accepts no tree.
pub(crate) fn run_empty(arguments: &EmptyArguments) -> Exit {
    match ask_empty(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn ask_empty(arguments: &EmptyArguments) -> Result<Exit, Exit> {
    let (source, automaton) = read(&arguments.automaton)?;
    let Automaton::Nondeterministic(automaton) = automaton else {
        output::error("whether an alternating automaton accepts any tree cannot be decided");
        output::help("`recurva check MODEL --spec x.nta` asks for the tree of one machine");
        return Err(Exit::BadInput);
    };
    interrupt::listen();
    let go_on = |_: &Progress| match interrupt::requested() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let found = empty(&automaton, &Limits::default(), go_on).map_err(|error| {
        output::error(&error.to_string());
        unknown(error)
    })?;
    let name = source.name();
    let Some(machine) = found else {
        output::stdout(format!("empty: {name} accepts no tree\n").as_bytes());
        return Ok(Exit::Holds);
    };
    let text = nsm::write(&machine);
    match &arguments.witness {
        Some(path) => files::store(path, &[&arguments.automaton], text.as_bytes())?,
        None => {
            let text = format!("not empty: {name} accepts the tree of this machine\n\n{text}");
            output::stdout(text.as_bytes());
        }
    }
    Ok(Exit::Violated)
}

/// Converts between formulas of NT-µ (`ntmu:F`, `x.ntmu`, `x.ntmu:NAME`) and automata (`.nta`).
/// `None` if this is another conversion. On the standard output goes what the input is not.
pub(crate) fn convert(input: &str, to: &Path) -> Option<Exit> {
    let from_automaton = is_automaton(Path::new(input));
    let from_formula = input.starts_with("ntmu:") || formula_file(input).is_some();
    let shown = to.as_os_str() == "-";
    let to_formula = to.extension().is_some_and(|extension| extension == "ntmu");
    let result = if from_automaton && is_automaton(to) {
        read(Path::new(input)).map(|(_, automaton)| automaton.to_string())
    } else if from_automaton && (to_formula || shown) {
        of_automaton(Path::new(input))
    } else if from_formula && (is_automaton(to) || shown) {
        formula(input).map(|formula| nta::of_formula(&formula).to_string())
    } else {
        return None;
    };
    let file = formula_file(input).map_or(Path::new(input), |(file, _)| file);
    let written = result.and_then(|text| files::store(to, &[file], text.as_bytes()));
    Some(match written {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    })
}

fn of_automaton(path: &Path) -> Result<String, Exit> {
    let (_, automaton) = read(path)?;
    let Automaton::Alternating(automaton) = automaton else {
        output::error("formulas say what alternating automata do: this one is nondeterministic");
        return Err(Exit::BadInput);
    };
    let formula = formula_of(&automaton)?;
    Ok(format!("accepted: {formula}\n"))
}

fn formula_of(automaton: &Alternating) -> Result<Formula, Exit> {
    nta::to_formula(automaton, MAX_FORMULAS).ok_or_else(|| {
        output::error(&format!("the formula has more than {MAX_FORMULAS} parts"));
        Exit::Unknown
    })
}

/// The file of formulas that an input names, and the name behind the colon.
fn formula_file(input: &str) -> Option<(&Path, Option<&str>)> {
    if input.ends_with(".ntmu") {
        return Some((Path::new(input), None));
    }
    let (path, name) = input.rsplit_once(':')?;
    path.ends_with(".ntmu")
        .then_some((Path::new(path), Some(name)))
}

fn formula(input: &str) -> Result<Formula, Exit> {
    if let Some(text) = input.strip_prefix("ntmu:") {
        let source = Source::new("formula", text).map_err(|cause| {
            output::error(&cause.to_string());
            Exit::BadInput
        })?;
        let parsed = ntmu::parse(&source);
        report(&source, &parsed.diagnostics);
        return parsed.formula.ok_or(Exit::BadInput);
    }
    let (path, wanted) = formula_file(input).ok_or(Exit::BadInput)?;
    let source = load::open(path)?;
    let parsed = ntmu::parse_file(&source);
    report(&source, &parsed.diagnostics);
    let mut formulas = parsed.formulas.ok_or(Exit::BadInput)?;
    let names: Vec<String> = formulas
        .iter()
        .map(|named| named.name.to_string())
        .collect();
    let found = match wanted {
        None if formulas.len() == 1 => Some(0),
        None => None,
        Some(wanted) => names.iter().position(|name| name == wanted),
    };
    match found {
        Some(index) => Ok(formulas.swap_remove(index).formula),
        None => {
            let path = path.display();
            match wanted {
                Some(wanted) => {
                    output::error(&format!("{path} has no formula `{wanted}`"));
                    if let Some(help) = did_you_mean(wanted, names.iter().map(String::as_str)) {
                        output::help(&help);
                    }
                }
                None => {
                    output::error(&format!("{path} has several formulas"));
                    output::help(&format!("name one: {path}:{}", names[0]));
                }
            }
            Err(Exit::BadInput)
        }
    }
}

//! The `draw` command: pictures of models, automata, and of what shows an answer.

use std::path::Path;

use recurva_check::{Asked, Format, Model, Options, Picture, ReadOptions, Threads, Verdict, open};
use recurva_draw::{Drawing, machines};
use recurva_process::{
    Exit, Line, files,
    output::{self, Loudness},
};
use recurva_report::{Detail, Layout};
use recurva_syntax::did_you_mean;

use crate::{
    asking,
    c::Extra,
    commands::{check, convert},
    options::{DrawArguments, DrawFormat},
    rules,
};

/// How much of a counterexample is drawn.
const ROWS: Layout = Layout {
    detail: Detail::Folded,
    lines: 80,
    full_lines: 80,
    subformulas: false,
    dropped: false,
};

/// Reads everything, then writes: on bad input nothing is written.
pub(crate) fn run(arguments: &DrawArguments) -> Exit {
    match draw(arguments) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

fn draw(arguments: &DrawArguments) -> Result<(), Exit> {
    let format = format(arguments)?;
    let path = Path::new(&arguments.model);
    let text = match Format::of(path) {
        None if arguments.text => {
            output::error("--text is for systems of any size (.rmc and .json)");
            return Err(Exit::BadInput);
        }
        None => rendered(arguments, automaton(arguments)?, format)?,
        Some(_) => {
            let model = read(arguments)?;
            if arguments.text {
                expressions(&model, arguments.only.as_deref())?
            } else if arguments.counterexample {
                rendered(arguments, counterexample(arguments, &model)?, format)?
            } else {
                let picture = match arguments.r_graph {
                    true => Picture::Resources,
                    false => Picture::Whole,
                };
                let drawing = recurva_report::draw_model(&model, picture);
                let drawing = drawing.map_err(|refused| output::refused(&refused, LOUD))?;
                rendered(arguments, drawing, format)?
            }
        }
    };
    let out = arguments.output.as_deref().unwrap_or(Path::new("-"));
    let mut inputs = vec![path];
    inputs.extend(arguments.spec.as_deref());
    inputs.extend(arguments.c.inputs());
    files::store(out, &inputs, text.as_bytes())
}

/// Warnings are printed.
const LOUD: Loudness = Loudness {
    quiet: false,
    verbose: false,
};

fn read(arguments: &DrawArguments) -> Result<Model, Exit> {
    let refused = |refused| output::refused(&refused, LOUD);
    let source = open(Path::new(&arguments.model)).map_err(refused)?;
    let mut line = Line::new(false);
    let options = ReadOptions {
        arithmetic: arguments.check.contains(&Extra::Arithmetic),
        c: arguments.c.options(&arguments.check).map_err(refused)?,
        ..ReadOptions::default()
    };
    let model = Model::read(source, &options, arguments.limits.limits(), &mut line);
    drop(line);
    let model = model.map_err(refused)?;
    output::said(model.said(), LOUD);
    Ok(model)
}

/// The format that is asked for or that the output's name says.
fn format(arguments: &DrawArguments) -> Result<DrawFormat, Exit> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let Some(path) = arguments.output.as_ref().filter(|_| !arguments.text) else {
        return Ok(DrawFormat::Dot);
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(DrawFormat::Svg),
        Some("dot" | "gv") => Ok(DrawFormat::Dot),
        Some("json") => Ok(DrawFormat::Json),
        None if path.as_os_str() == "-" => Ok(DrawFormat::Dot),
        _ => {
            let name = path.display();
            output::error(&format!("{name}: this is no format recurva draws"));
            output::help("drawings are .svg, .dot, .gv or .json; --format names the format");
            Err(Exit::BadInput)
        }
    }
}

/// What shows that a property is violated. With one thread the same engine answers each time.
fn counterexample(arguments: &DrawArguments, model: &Model) -> Result<Drawing, Exit> {
    let spec = arguments.spec.as_deref().map(rules::open_spec).transpose();
    let asked = Asked {
        reach: arguments.reach.clone(),
        repeat: arguments.repeat.clone(),
        ltl: arguments.ltl.clone(),
        caret: arguments.caret.clone(),
        ntmu: arguments.ntmu.clone(),
        assertion: None,
        spec: spec.map_err(|refused| output::refused(&refused, LOUD))?,
        property: arguments.property.clone(),
        matched_only: false,
    };
    let options = Options {
        threads: Threads::One,
        limits: arguments.limits.limits(),
        ..Options::default()
    };
    for question in asking::questions(model, &asked, &options, LOUD)?.list {
        let answer = check::answer(&question, &options, false)?;
        match answer.verdict {
            Verdict::Holds => {}
            Verdict::Unknown(limit) => {
                output::error(&recurva_report::summary(&question.context(), &answer));
                return Err(Exit::of_limit(limit));
            }
            Verdict::Violated => {
                let drawing = recurva_report::draw_evidence(&question.context(), &answer, ROWS);
                if let Some(drawing) = drawing {
                    return Ok(drawing);
                }
                output::error("the property is violated, but its trace was not finished");
                return Err(Exit::Unknown);
            }
        }
    }
    output::error("nothing is violated: there is no counterexample to draw");
    Err(Exit::BadInput)
}

/// The automaton of a formula or of a file.
fn automaton(arguments: &DrawArguments) -> Result<Drawing, Exit> {
    let input = arguments.model.as_str();
    let path = match input.rsplit_once(".ltl:") {
        Some((before, _)) => Path::new(before),
        None => Path::new(input),
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("nta") if !input.starts_with("ltl:") => {
            let automaton = convert::read_tree(path)?;
            return Ok(machines::nta(&automaton, input));
        }
        Some("hoa" | "ltl") => {}
        _ if input.starts_with("ltl:") || input.contains(".ltl:") => {}
        _ => {
            output::error(&format!("{input}: this is nothing that can be drawn"));
            let list = Format::list();
            output::help(&format!(
                "drawn are {list}, automata (.hoa, .nta) and formulas (ltl:…, x.ltl:NAME)"
            ));
            return Err(Exit::BadInput);
        }
    }
    let (name, automaton) = convert::read_automaton(input, arguments.limits)?;
    let title = if name.is_empty() { input } else { &name };
    Ok(machines::buchi(&automaton, title))
}

/// The parts of a system as regular expressions.
fn expressions(model: &Model, only: Option<&str>) -> Result<String, Exit> {
    let Some(all) = model.expressions() else {
        output::error("--text is for systems of any size (.rmc and .json)");
        return Err(Exit::BadInput);
    };
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    let listed = all.iter().filter(|(name, _)| wanted(name));
    let text: String = listed.map(|(name, it)| format!("{name}: {it}\n")).collect();
    match (text.is_empty(), only) {
        (true, Some(only)) => {
            let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            Err(no_such_part(only, &names))
        }
        _ => Ok(text),
    }
}

fn no_such_part(only: &str, names: &[&str]) -> Exit {
    const FEW: usize = 12;
    output::error(&format!("there is no part `{only}`"));
    let listed = names[..names.len().min(FEW)].join(", ");
    let more = if names.len() > FEW { ", …" } else { "" };
    let near = did_you_mean(only, names.iter().copied());
    match near {
        Some(near) => output::help(&near),
        None if listed.is_empty() => output::help("this drawing has no parts with names"),
        None => output::help(&format!("the parts are {listed}{more}")),
    }
    Exit::BadInput
}

/// The drawing, or the part of it that is asked for, as text.
fn rendered(
    arguments: &DrawArguments,
    mut drawing: Drawing,
    format: DrawFormat,
) -> Result<String, Exit> {
    if let Some(only) = &arguments.only {
        let names: Vec<String> = (drawing.graphs.iter())
            .map(|graph| graph.name.clone())
            .collect();
        drawing.graphs.retain(|graph| graph.name == *only);
        if drawing.graphs.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(no_such_part(only, &names));
        }
    }
    if format == DrawFormat::Dot {
        return Ok(recurva_draw::dot(&drawing));
    }
    let placed = recurva_draw::place(&drawing).map_err(|refused| {
        output::error(&refused.to_string());
        output::help("--only draws one part; --format dot leaves the layout to Graphviz");
        Exit::Unknown
    })?;
    match format {
        DrawFormat::Json => match serde_json::to_string(&placed) {
            Ok(text) => Ok(text + "\n"),
            Err(cause) => {
                output::internal_error(&cause.to_string());
                Err(Exit::Internal)
            }
        },
        _ => Ok(recurva_draw::svg(&placed)),
    }
}

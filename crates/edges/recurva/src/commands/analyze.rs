//! `recurva analyze`: data flow over programs.

use std::path::PathBuf;

use clap::Args;
use recurva_check::{
    Model, ReadOptions, Refused, Sort, open,
    reach::{LiveVariables, Unassigned, live_variables, unassigned},
};
use recurva_model::{EdgeId, NodeId, Point, ProcId, Program, VarRef};
use recurva_process::{
    Exit, Line,
    output::{self, Loudness},
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};
use serde_json::json;

use crate::{limits::LimitArguments, options};

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArguments {
    /// The program: a boolean program (.bp) or a Remopla program (.rem).
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,

    /// Show where a variable may be read that was never assigned.
    #[arg(long, required_unless_present = "live", conflicts_with = "live")]
    uninitialised: bool,

    /// Show the variables that are live at each statement: their values may still be read.
    #[arg(long)]
    live: bool,

    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = options::Format::Text)]
    format: options::Format,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

pub(crate) fn run(arguments: &AnalyzeArguments) -> Exit {
    answer(arguments).unwrap_or_else(|exit| exit)
}

fn answer(arguments: &AnalyzeArguments) -> Result<Exit, Exit> {
    let refused = |refused: Refused| output::refused(&refused, Loudness::default());
    let limits = arguments.limits.limits();
    let source = open(&arguments.program).map_err(refused)?;
    let mut line = Line::new(false);
    let model = Model::read(source, &ReadOptions::default(), limits, &mut line);
    let model = model.map_err(refused)?;
    output::said(model.said(), Loudness::default());
    let Some(program) = model
        .program()
        .filter(|_| matches!(model.sort(), Sort::Program | Sort::C))
    else {
        output::error(&format!("{}: this is no program", model.name()));
        output::help("programs are .bp (boolean programs) and .rem (Remopla)");
        return Err(Exit::BadInput);
    };
    let source = model.source();
    if arguments.live {
        let live = live_variables(program, limits, &mut line);
        drop(line);
        show_live(source, program, &live.map_err(refused)?, arguments.format);
        return Ok(Exit::Holds);
    }
    let found = unassigned(program, limits, &mut line);
    drop(line);
    let found = found.map_err(refused)?;
    show_unassigned(source, program, &found, arguments.format);
    Ok(match found.is_empty() {
        true => Exit::Holds,
        false => Exit::Violated,
    })
}

fn show_unassigned(
    source: &Source,
    program: &Program,
    found: &[Unassigned],
    format: options::Format,
) {
    let mut diagnostics = Diagnostics::default();
    let mut rows = Vec::new();
    for it in found {
        let procedure = program.procedure(it.procedure);
        let variable = program.variable(it.procedure, it.variable);
        let origin = match it.edge {
            Some(EdgeId(edge)) => procedure.edges[edge as usize].origin,
            None => procedure.origin,
        };
        let (line, column) = source.line_column(origin.start);
        rows.push(json!({
            "procedure": *procedure.name, "variable": *variable.name,
            "line": line, "column": column,
        }));
        let name = &variable.name;
        let message = match it.edge {
            Some(_) => format!("`{name}` may be read here before it is assigned"),
            None => format!("`{name}` may be returned before it is assigned"),
        };
        let declared = Span::new(variable.origin.start, variable.origin.end);
        diagnostics.warn(|| {
            let warning = Diagnostic::warning(message, Span::new(origin.start, origin.end));
            match declared.is_empty() {
                true => warning,
                false => warning.note(declared, "declared here, without a value"),
            }
        });
    }
    match format {
        options::Format::Json => {
            let value = json!({ "model": source.name(), "uninitialised": rows });
            output::stdout(format!("{value}\n").as_bytes());
        }
        options::Format::Text if found.is_empty() => {
            output::stdout(b"every variable is assigned before it is read\n");
        }
        options::Format::Text => {
            diagnostics.sort();
            output::stdout(diagnostics.render(source, output::style()).as_bytes());
        }
    }
}

/// For each statement, in the order of the text.
fn show_live(
    source: &Source,
    program: &Program,
    live: &LiveVariables<'_>,
    format: options::Format,
) {
    let mut rows = Vec::new();
    for (index, procedure) in program.procedures().iter().enumerate() {
        let id = ProcId(index as u32);
        for (number, node) in procedure.nodes.iter().enumerate() {
            if node.origin.is_none() {
                continue;
            }
            let point = Point {
                procedure: id,
                node: NodeId(number as u32),
            };
            let name = |it: &VarRef| program.variable(id, *it).name.to_string();
            let visible = |it: &VarRef| !program.variable(id, *it).hidden;
            let mut variables = live.at(point);
            variables.retain(visible);
            let names: Vec<String> = variables.iter().map(name).collect();
            let place = source.line_column(node.origin.start);
            rows.push((place, procedure.name.to_string(), names));
        }
    }
    rows.sort();
    rows.dedup();
    let mut text = String::new();
    for ((line, column), procedure, names) in &rows {
        match format {
            options::Format::Text => {
                let names = names.join(", ");
                text.push_str(&format!("{line}:{column} {procedure}: {names}\n"));
            }
            options::Format::Json => {
                let row = json!({
                    "line": line, "column": column, "procedure": procedure, "live": names,
                });
                text.push_str(&format!("{row}\n"));
            }
        }
    }
    output::stdout(text.as_bytes());
}

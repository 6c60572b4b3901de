//! `recurva analyze`: data flow over programs.

use std::path::PathBuf;

use clap::Args;
use recurva_lang::model::{self, Format};
use recurva_model::{EdgeId, NodeId, Point, ProcId, Program, VarRef};
use recurva_reach::{LiveVariables, Unassigned, carry_on, live_variables, unassigned};
use recurva_syntax::{Diagnostic, Diagnostics, Lines, Source, Span};
use serde_json::json;

use crate::{args, exit::Exit, load, output};

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
    #[arg(long, value_enum, default_value_t = args::Format::Text)]
    format: args::Format,
}

pub(crate) fn run(arguments: &AnalyzeArguments) -> Exit {
    answer(arguments).unwrap_or_else(|exit| exit)
}

fn answer(arguments: &AnalyzeArguments) -> Result<Exit, Exit> {
    let path = &arguments.program;
    let format = Format::of(path).filter(|format| !format.is_machine());
    let Some(format) = format else {
        output::error(&format!("{}: this is no program", path.display()));
        output::help("programs are .bp (boolean programs) and .rem (Remopla)");
        return Err(Exit::BadInput);
    };
    let source = load::open(path)?;
    let parsed = model::parse(&source, format, &model::Options::default());
    if !parsed.diagnostics.is_empty() {
        output::diagnostics(&source, &parsed.diagnostics);
    }
    let program = parsed.model.ok_or(Exit::BadInput)?.program;
    let fail = |error: recurva_reach::Error| {
        output::error(&error.to_string());
        Exit::Unknown
    };
    if arguments.live {
        let live = live_variables(&program, u64::MAX, &mut carry_on).map_err(fail)?;
        show_live(&source, &program, &live, arguments.format);
        return Ok(Exit::Holds);
    }
    let found = unassigned(&program, u64::MAX, &mut carry_on).map_err(fail)?;
    show_unassigned(&source, &program, &found, arguments.format);
    Ok(match found.is_empty() {
        true => Exit::Holds,
        false => Exit::Violated,
    })
}

fn show_unassigned(source: &Source, program: &Program, found: &[Unassigned], format: args::Format) {
    let mut diagnostics = Diagnostics::default();
    let mut rows = Vec::new();
    let lines = Lines::new(source);
    for it in found {
        let procedure = program.procedure(it.procedure);
        let variable = program.variable(it.procedure, it.variable);
        let origin = match it.edge {
            Some(EdgeId(edge)) => procedure.edges[edge as usize].origin,
            None => procedure.origin,
        };
        let (line, column) = lines.line_column(origin.start);
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
        args::Format::Json => {
            let value = json!({ "model": source.name(), "uninitialised": rows });
            output::stdout(format!("{value}\n").as_bytes());
        }
        args::Format::Text if found.is_empty() => {
            output::stdout(b"every variable is assigned before it is read\n");
        }
        args::Format::Text => {
            diagnostics.sort();
            output::stdout(diagnostics.render(source, output::style()).as_bytes());
        }
    }
}

/// For each statement, in the order of the text.
fn show_live(source: &Source, program: &Program, live: &LiveVariables<'_>, format: args::Format) {
    let mut rows = Vec::new();
    let lines = Lines::new(source);
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
            let place = lines.line_column(node.origin.start);
            rows.push((place, procedure.name.to_string(), names));
        }
    }
    rows.sort();
    rows.dedup();
    let mut text = String::new();
    for ((line, column), procedure, names) in &rows {
        match format {
            args::Format::Text => {
                let names = names.join(", ");
                text.push_str(&format!("{line}:{column} {procedure}: {names}\n"));
            }
            args::Format::Json => {
                let row = json!({
                    "line": line, "column": column, "procedure": procedure, "live": names,
                });
                text.push_str(&format!("{row}\n"));
            }
        }
    }
    output::stdout(text.as_bytes());
}

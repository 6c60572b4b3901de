//! `recurva analyze`: data flow over programs.

use std::path::PathBuf;

use clap::Args;
use recurva_check::{
    CFlow, CFlowKind, CFlowRow, Model, ReadOptions, Refused, Sort, open,
    reach::{LiveVariables, Unassigned, live_variables, unassigned},
};
use recurva_model::{EdgeId, NodeId, Point, ProcId, Program, VarRef};
use recurva_process::{
    Exit, Line,
    output::{self, Loudness},
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};
use serde_json::json;

use crate::{c::CArguments, limits::LimitArguments, options};

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArguments {
    /// The program: a boolean program (.bp), a Remopla program (.rem) or a C program (.c, .i).
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,

    #[command(flatten)]
    c: CArguments,

    /// Show where a variable may be read that was never assigned.
    #[arg(long, required_unless_present_any = ["live", "uncalled"], conflicts_with = "live")]
    uninitialised: bool,

    /// Of a C program: show the functions that no run calls.
    #[arg(long, conflicts_with_all = ["live", "uninitialised"])]
    uncalled: bool,

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
    let options = ReadOptions {
        c: arguments.c.options(&[]).map_err(refused)?,
        ..ReadOptions::default()
    };
    let model = Model::read(source, &options, limits, &mut line);
    let model = model.map_err(refused)?;
    output::said(model.said(), Loudness::default());
    let kind = match (arguments.live, arguments.uncalled) {
        (true, _) => CFlowKind::Live,
        (false, true) => CFlowKind::Uncalled,
        (false, false) => CFlowKind::Uninitialised,
    };
    if let Some(flow) = model.c_flow(kind) {
        drop(line);
        return Ok(show_c(kind, &flow.map_err(refused)?, arguments.format));
    }
    let program = model.program().filter(|_| model.sort() == Sort::Program);
    let Some(program) = program.filter(|_| !arguments.uncalled) else {
        let (what, help) = match arguments.uncalled && program.is_some() {
            true => ("no C program", "C programs are .c and .i files"),
            false => (
                "no program",
                "programs are .bp (boolean programs), .rem (Remopla) and .c (C)",
            ),
        };
        output::error(&format!("{}: this is {what}", model.name()));
        output::help(help);
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

/// What was found in a C program, which may have several texts.
fn show_c(kind: CFlowKind, flow: &CFlow, format: options::Format) -> Exit {
    let message = |row: &CFlowRow| match kind {
        CFlowKind::Uncalled => format!("no run calls `{}`", row.function),
        _ => {
            let names = row.variables.join("`, `");
            format!("`{names}` may be read here before it has a value")
        }
    };
    let mut text = String::new();
    for row in &flow.rows {
        let source = &flow.sources[row.source];
        let (line, column) = source.line_column(row.place.0);
        let (file, function) = (source.name(), &row.function);
        match (format, kind) {
            (options::Format::Json, _) => {
                let row = json!({
                    "file": file, "line": line, "column": column, "procedure": function,
                    "variables": row.variables,
                });
                text.push_str(&format!("{row}\n"));
            }
            (options::Format::Text, CFlowKind::Live) => {
                let names = row.variables.join(", ");
                text.push_str(&format!("{file}:{line}:{column} {function}: {names}\n"));
            }
            (options::Format::Text, _) => {
                let mut diagnostics = Diagnostics::default();
                diagnostics.warn(|| Diagnostic::warning(message(row), row.span()));
                text.push_str(&diagnostics.render(source, output::style()));
            }
        }
    }
    if flow.rows.is_empty() && format == options::Format::Text {
        text = match kind {
            CFlowKind::Uninitialised => "every variable has a value before it is read\n",
            CFlowKind::Uncalled => "every function can be called\n",
            CFlowKind::Live => "",
        }
        .to_owned();
    }
    output::stdout(text.as_bytes());
    match (kind, flow.rows.is_empty()) {
        (CFlowKind::Live, _) | (_, true) => Exit::Holds,
        (_, false) => Exit::Violated,
    }
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

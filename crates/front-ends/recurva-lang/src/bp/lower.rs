//! From syntax to the model: declarations and procedures.

use recurva_model::{Parts, ProcId, Procedure, Program};
use recurva_syntax::{Diagnostic, Diagnostics, Source, did_you_mean};

use super::{
    ast::{self, Declaration, File},
    body::Builder,
    scope::{Shared, variable},
};
use crate::{
    expr::Dialect,
    flow::Lists,
    names::{Names, Table, hides, twice},
    parsed::assemble,
    variables::{hidden, span},
};

/// The program, or `None` if there was an error.
pub(crate) fn lower(
    source: &Source,
    mut file: File,
    names: &Names<'_>,
    dialect: Dialect,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let bodies: Vec<Vec<ast::Statement>> = file
        .procedures
        .iter_mut()
        .map(|p| std::mem::take(&mut p.body))
        .collect();
    let mut shared = Shared {
        source,
        names,
        dialect,
        globals: Vec::with_capacity(file.globals.len()),
        global_table: Table::new(names),
        procedures: &file.procedures,
        procedure_table: Table::new(names),
    };
    for declaration in &file.globals {
        let index = shared.globals.len() as u32;
        match shared.global_table.insert(declaration.name.id, index) {
            Ok(()) => shared.globals.push(variable(declaration, names)),
            Err(first) => {
                let first = span(shared.globals[first as usize].origin);
                twice(diagnostics, names, "variable", declaration.name, first);
            }
        }
    }
    for (index, procedure) in file.procedures.iter().enumerate() {
        if let Err(first) = shared
            .procedure_table
            .insert(procedure.name.id, index as u32)
        {
            let first = file.procedures[first as usize].name.span;
            twice(diagnostics, names, "procedure", procedure.name, first);
        }
    }
    let mut lists = Lists::new(names);
    let mut procedures = Vec::with_capacity(file.procedures.len());
    for (index, (syntax, body)) in file.procedures.iter().zip(bodies).enumerate() {
        let id = ProcId(index as u32);
        let lowered = procedure(&shared, id, syntax, &body, &mut lists, diagnostics);
        procedures.push(lowered);
    }
    let main = main_procedure(&shared, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let parts = Parts {
        globals: shared.globals,
        procedures,
        main: main?,
        labels: lists.labels,
        failures: lists.failures,
    };
    assemble(parts, diagnostics)
}

fn main_procedure(shared: &Shared<'_>, diagnostics: &mut Diagnostics) -> Option<ProcId> {
    let named_main = |p: &ast::Procedure| shared.names.text(p.name.id) == "main";
    let found = shared.procedures.iter().position(named_main);
    if found.is_none() {
        let procedures = shared
            .procedures
            .iter()
            .map(|p| shared.names.text(p.name.id));
        let place = match did_you_mean("main", procedures.clone()) {
            None => shared.source.end(),
            Some(_) => {
                let near = recurva_syntax::nearest("main", procedures);
                let is_near = |p: &&ast::Procedure| Some(shared.names.text(p.name.id)) == near;
                shared
                    .procedures
                    .iter()
                    .find(is_near)
                    .map_or(shared.source.end(), |p| p.name.span)
            }
        };
        diagnostics.report(|| {
            let error = Diagnostic::error("there is no procedure `main`", place);
            if place.is_empty() {
                error.help("runs begin in `void main() begin … end`")
            } else {
                error
                    .label("should this be `main`?")
                    .help("runs begin in `main`")
            }
        });
    }
    found.map(|index| ProcId(index as u32))
}

fn procedure(
    shared: &Shared<'_>,
    id: ProcId,
    syntax: &ast::Procedure,
    body: &[ast::Statement],
    lists: &mut Lists,
    diagnostics: &mut Diagnostics,
) -> Procedure {
    let names = shared.names;
    lists.local_table.clear();
    let mut locals = Vec::with_capacity(syntax.parameters.len() + syntax.locals.len());
    for declaration in syntax.parameters.iter().chain(&syntax.locals) {
        declare_local(shared, declaration, &mut locals, lists, diagnostics);
    }
    // A parameter declared twice is an error; the count only matters without errors.
    let parameters = syntax.parameters.len();
    let name = names.text(syntax.name.id);
    let first_result = locals.len() as u32;
    for (position, &ty) in syntax.results.iter().enumerate() {
        locals.push(hidden(format!("{name}#{}", position + 1), ty));
    }
    let results: Vec<u32> = (first_result..locals.len() as u32).collect();
    let builder = Builder::new(shared, id, syntax, locals, first_result, lists, diagnostics);
    let (graph, locals) = builder.build(body);
    graph.procedure(name, (locals, parameters), results, syntax.head)
}

fn declare_local(
    shared: &Shared<'_>,
    declaration: &Declaration,
    locals: &mut Vec<recurva_model::Variable>,
    lists: &mut Lists,
    diagnostics: &mut Diagnostics,
) {
    let (names, name) = (shared.names, declaration.name);
    if let Err(first) = lists.local_table.insert(name.id, locals.len() as u32) {
        let first = span(locals[first as usize].origin);
        return twice(diagnostics, names, "variable", name, first);
    }
    if let Some(global) = shared.global_table.get(name.id) {
        let global = span(shared.globals[global as usize].origin);
        hides(diagnostics, names, name, global);
    }
    locals.push(variable(declaration, names));
}

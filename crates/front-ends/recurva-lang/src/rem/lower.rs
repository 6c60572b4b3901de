//! From syntax to the model: declarations and modules.

use recurva_model::{Parts, ProcId, Procedure, Program, Variable};
use recurva_syntax::{Diagnostic, Diagnostics, Source, did_you_mean};

use super::{
    ast::{Declaration, File, Head, Module, Struct},
    body::Builder,
    scope::{Entry, Shared, Structs, declare},
};
use crate::{
    flow::Lists,
    names::{Names, Table, hides, twice},
    parsed::assemble,
    token::clip,
    variables::hidden,
};

/// The program, or `None` if there was an error.
pub(crate) fn lower(
    source: &Source,
    file: &File,
    names: &Names<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let mut shared = Shared {
        source,
        names,
        structs: Structs::new(&file.structs),
        globals: Vec::new(),
        global_entries: Vec::with_capacity(file.globals.len()),
        global_table: Table::new(names),
        modules: &file.modules,
        module_table: Table::new(names),
    };
    let mut lists = Lists::new(names);
    for entry in &file.structs {
        fields(entry, names, &mut lists.local_table, diagnostics);
    }
    for declaration in &file.globals {
        let index = shared.global_entries.len() as u32;
        match shared.global_table.insert(declaration.name.id, index) {
            Ok(()) => {
                let entry = declare(declaration, &shared.structs, names, &mut shared.globals);
                shared.global_entries.push(entry);
            }
            Err(first) => {
                let first = shared.global_entries[first as usize].span;
                twice(diagnostics, names, "variable", declaration.name, first);
            }
        }
    }
    for (index, module) in (0..).zip(&file.modules) {
        let name = module.head.name;
        if let Err(first) = shared.module_table.insert(name.id, index) {
            let first = file.modules[first as usize].head.name.span;
            twice(diagnostics, names, "module", name, first);
        }
    }
    for prototype in &file.prototypes {
        check_prototype(prototype, &shared, diagnostics);
    }
    let mut procedures = Vec::with_capacity(file.modules.len());
    for (index, module) in (0..).zip(&file.modules) {
        let lowered = procedure(&shared, ProcId(index), module, &mut lists, diagnostics);
        procedures.push(lowered);
    }
    let main = init(file, &shared, diagnostics);
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

/// Reports fields that a struct has twice.
fn fields(entry: &Struct, names: &Names<'_>, table: &mut Table, diagnostics: &mut Diagnostics) {
    table.clear();
    for (index, field) in (0..).zip(&entry.fields) {
        if let Err(first) = table.insert(field.name.id, index) {
            let first = entry.fields[first as usize].name.span;
            twice(diagnostics, names, "field", field.name, first);
        }
    }
}

/// Checks that a prototype has a module and says the same.
fn check_prototype(prototype: &Head, shared: &Shared<'_>, diagnostics: &mut Diagnostics) {
    let text = shared.names.text(prototype.name.id);
    let Some(index) = shared.module_table.get(prototype.name.id) else {
        diagnostics.report(|| {
            let modules = shared.module_table.names().iter();
            let modules = modules.map(|&id| shared.names.text(id));
            let message = format!("module `{}` has no body", clip(text));
            Diagnostic::error(message, prototype.name.span).help_if(did_you_mean(text, modules))
        });
        return;
    };
    let head = &shared.modules[index as usize].head;
    let shapes = |head: &Head| -> Vec<_> { head.parameters.iter().map(|p| p.shape).collect() };
    let what = if prototype.parameters.len() != head.parameters.len() {
        "number of parameters"
    } else if shapes(prototype) != shapes(head) {
        "parameters"
    } else if prototype.result != head.result {
        "result"
    } else {
        return;
    };
    diagnostics.report(|| {
        let message = format!(
            "the prototype of `{}` and its body differ in the {what}",
            clip(text)
        );
        Diagnostic::error(message, head.span).note(prototype.span, "the prototype")
    });
}

/// The module where runs begin.
fn init(file: &File, shared: &Shared<'_>, diagnostics: &mut Diagnostics) -> Option<ProcId> {
    let modules = || {
        file.modules
            .iter()
            .map(|m| shared.names.text(m.head.name.id))
    };
    let Some(name) = file.init else {
        diagnostics.report(|| {
            let main = modules().find(|name| *name == "main").or(modules().next());
            Diagnostic::error("there is no `init` line", shared.source.end()).help(format!(
                "say where runs begin: `init {};` before the modules",
                clip(main.unwrap_or("main"))
            ))
        });
        return None;
    };
    let found = shared.module_table.get(name.id).map(ProcId);
    if found.is_none() {
        let text = shared.names.text(name.id);
        diagnostics.report(|| {
            Diagnostic::error(format!("there is no module `{}`", clip(text)), name.span)
                .help_if(did_you_mean(text, modules()))
        });
    }
    found
}

fn procedure(
    shared: &Shared<'_>,
    id: ProcId,
    module: &Module,
    lists: &mut Lists,
    diagnostics: &mut Diagnostics,
) -> Procedure {
    let (head, body) = (&module.head, &module.body);
    lists.local_table.clear();
    let mut locals = Vec::new();
    let mut entries = Vec::new();
    for parameter in &head.parameters {
        declare_local(
            shared,
            parameter,
            &mut locals,
            &mut entries,
            lists,
            diagnostics,
        );
    }
    let parameters = locals.len();
    for local in &body.locals {
        declare_local(shared, local, &mut locals, &mut entries, lists, diagnostics);
    }
    let name = shared.names.text(head.name.id);
    let first_result = locals.len() as u32;
    let types = head.result.map(|shape| shared.structs.scalars(shape));
    for (position, ty) in types.into_iter().flatten().enumerate() {
        locals.push(hidden(format!("{name}#{}", position + 1), ty));
    }
    let results: Vec<u32> = (first_result..locals.len() as u32).collect();
    let builder = Builder::new(shared, id, module, lists, diagnostics);
    let (graph, locals) = builder.build(locals, entries, first_result);
    graph.procedure(name, (locals, parameters), results, head.span)
}

fn declare_local(
    shared: &Shared<'_>,
    declaration: &Declaration,
    locals: &mut Vec<Variable>,
    entries: &mut Vec<Entry>,
    lists: &mut Lists,
    diagnostics: &mut Diagnostics,
) {
    let (names, name) = (shared.names, declaration.name);
    if let Err(first) = lists.local_table.insert(name.id, entries.len() as u32) {
        let first = entries[first as usize].span;
        return twice(diagnostics, names, "variable", name, first);
    }
    if let Some(global) = shared.global_table.get(name.id) {
        let global = shared.global_entries[global as usize].span;
        hides(diagnostics, names, name, global);
    }
    entries.push(declare(declaration, &shared.structs, names, locals));
}

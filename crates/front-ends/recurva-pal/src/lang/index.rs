//! Where the names of a monitor in PAL are declared and used.

use std::collections::HashMap;

use recurva_syntax::{Index, Symbol, SymbolId, SymbolKind};

use super::{Decl, Event, Fragment, Monitor, OperandKind};

/// The index of a monitor: its variables and events. Names of the program are not in it.
pub fn index(monitor: &Monitor) -> Index {
    let mut index = Index::default();
    let mut globals = HashMap::new();
    for declaration in &monitor.globals {
        declare(declaration, "global", None, &mut index, &mut globals);
    }
    for declaration in &monitor.globals {
        uses(&declaration.text, &mut index, &[&globals]);
    }
    for event in &monitor.events {
        self::event(event, &mut index, &globals);
    }
    index.finish()
}

type Names<'m> = HashMap<&'m str, SymbolId>;

fn declare<'m>(
    declaration: &'m Decl,
    word: &str,
    parent: Option<SymbolId>,
    index: &mut Index,
    names: &mut Names<'m>,
) {
    for variable in &declaration.variables {
        let symbol = index.declare(Symbol {
            name: variable.name.text.to_string(),
            kind: SymbolKind::Variable,
            place: variable.name.span,
            extent: declaration.text.span,
            detail: format!("{word} {}", declaration.text.text()),
            parent,
        });
        names.insert(&variable.name.text, symbol);
    }
}

fn event(event: &Event, index: &mut Index, globals: &Names<'_>) {
    let name = event.name.as_ref();
    let symbol = index.declare(Symbol {
        name: name.map_or_else(|| event.title(), |name| name.text.to_string()),
        kind: SymbolKind::Action,
        place: name.map_or(event.pattern.span, |name| name.span),
        extent: event.span,
        detail: event.title(),
        parent: None,
    });
    let mut locals = HashMap::new();
    for declaration in &event.locals {
        let word = "local";
        declare(declaration, word, Some(symbol), index, &mut locals);
    }
    let scopes = [&locals, globals];
    for declaration in &event.locals {
        uses(&declaration.text, index, &scopes);
    }
    let operands = event.pattern.operands();
    let expressions = operands.filter_map(|operand| match &operand.kind {
        OperandKind::Expr(fragment) => Some(fragment),
        OperandKind::Any | OperandKind::Bind(_) => None,
    });
    let parts = event.before.fragments().chain(event.after.fragments());
    for fragment in expressions.chain(parts) {
        uses(fragment, index, &scopes);
    }
}

fn uses(fragment: &Fragment, index: &mut Index, scopes: &[&Names<'_>]) {
    for (name, place) in fragment.names() {
        if let Some(&symbol) = scopes.iter().find_map(|names| names.get(name)) {
            index.refer(place, symbol);
        }
    }
}

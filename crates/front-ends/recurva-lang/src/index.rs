//! What the indices of programs share.

use recurva_syntax::{Index, Source, Span, Symbol, SymbolId, SymbolKind};

use crate::names::{Name, NameId, Names, Table};

/// An index under construction: names are looked up as the lowering does, but nothing is
/// reported, and what is missing is left out.
pub(crate) struct Builder<'a> {
    pub(crate) source: &'a Source,
    pub(crate) names: &'a Names<'a>,
    pub(crate) index: Index,
    pub(crate) globals: Table,
    pub(crate) procedures: Table,
    pub(crate) locals: Table,
    pub(crate) labels: Table,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a Source, names: &'a Names<'a>) -> Self {
        Builder {
            source,
            names,
            index: Index::default(),
            globals: Table::new(names),
            procedures: Table::new(names),
            locals: Table::new(names),
            labels: Table::new(names),
        }
    }

    /// Enters a symbol whose declaration is no more than its name.
    pub(crate) fn declare(
        &mut self,
        name: Name,
        kind: SymbolKind,
        detail: String,
        parent: Option<SymbolId>,
    ) -> SymbolId {
        self.declare_in(name, kind, detail, parent, name.span)
    }

    pub(crate) fn declare_in(
        &mut self,
        name: Name,
        kind: SymbolKind,
        detail: String,
        parent: Option<SymbolId>,
        extent: Span,
    ) -> SymbolId {
        self.index.declare(Symbol {
            name: self.names.text(name.id).to_owned(),
            kind,
            place: name.span,
            extent,
            detail,
            parent,
        })
    }

    /// Begins another procedure: its locals and labels are its own.
    pub(crate) fn enter(&mut self) {
        self.locals.clear();
        self.labels.clear();
    }

    /// The variable of a name, as it is seen in the current procedure.
    pub(crate) fn variable(&self, name: NameId) -> Option<SymbolId> {
        let found = self.locals.get(name).or_else(|| self.globals.get(name));
        found.map(SymbolId)
    }

    /// Enters a use of a variable.
    pub(crate) fn use_variable(&mut self, name: Name) {
        if let Some(symbol) = self.variable(name.id) {
            self.index.refer(name.span, symbol);
        }
    }

    /// Enters a use of a procedure.
    pub(crate) fn use_procedure(&mut self, name: Name) {
        if let Some(symbol) = self.procedures.get(name.id) {
            self.index.refer(name.span, SymbolId(symbol));
        }
    }

    /// Enters labels of a procedure.
    pub(crate) fn declare_labels(&mut self, labels: &[Name], procedure: SymbolId) {
        let text = self.index.symbol(procedure).map(|it| it.name.clone());
        let text = text.unwrap_or_default();
        for &label in labels {
            let detail = format!("label {} of {text}", self.names.text(label.id));
            let symbol = self.declare(label, SymbolKind::Label, detail, Some(procedure));
            // The first of two counts.
            let _ = self.labels.insert(label.id, symbol.0);
        }
    }

    /// Enters a use of a label.
    pub(crate) fn use_label(&mut self, label: Name) {
        if let Some(symbol) = self.labels.get(label.id) {
            self.index.refer(label.span, SymbolId(symbol));
        }
    }
}

/// The dimension of an array as it is written.
pub(crate) fn dimension(len: Option<u32>) -> String {
    len.map_or_else(String::new, |len| format!("[{len}]"))
}

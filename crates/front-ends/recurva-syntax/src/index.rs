//! Where names are declared and used, for those who show sources.

use crate::Span;

/// A symbol of an [`Index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// Can be called.
    Procedure,
    /// A parameter of a procedure.
    Parameter,
    /// Has values that change.
    Variable,
    /// Stands for one value.
    Constant,
    /// A type made of fields.
    Struct,
    /// A part of a struct.
    Field,
    /// A place that has a name.
    Label,
    /// A value, a state or a letter that has a name.
    Value,
    /// A step that has a name.
    Action,
    /// Something that can be checked.
    Property,
}

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The name where it is declared.
    pub place: Span,
    /// All of the declaration.
    pub extent: Span,
    /// In a line, what is to be known of it: `int(8) n, global`.
    pub detail: String,
    /// What it is declared in.
    pub parent: Option<SymbolId>,
}

/// The symbols of a source and where they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    symbols: Vec<Symbol>,
    /// Places of names, declarations too.
    uses: Vec<(Span, SymbolId)>,
}

impl Index {
    /// Enters a symbol; its declaration counts as a use.
    pub fn declare(&mut self, symbol: Symbol) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.uses.push((symbol.place, id));
        self.symbols.push(symbol);
        id
    }

    /// Enters a use.
    pub fn refer(&mut self, place: Span, symbol: SymbolId) {
        self.uses.push((place, symbol));
    }

    /// The index, ready to be asked.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.uses.sort_unstable();
        self.uses.dedup();
        self
    }

    /// The symbols, in the order they were entered.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        (0..).map(SymbolId).zip(&self.symbols)
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(id.0 as usize)
    }

    /// The name at an offset, or one that ends there, and what it stands for.
    pub fn at(&self, offset: u32) -> Option<(Span, SymbolId)> {
        let behind = self
            .uses
            .partition_point(|(place, _)| place.start <= offset);
        let &(place, id) = self.uses.get(behind.checked_sub(1)?)?;
        (offset <= place.end).then_some((place, id))
    }

    /// Where a symbol is used, the declaration included, in the order of the text.
    pub fn uses(&self, symbol: SymbolId) -> impl Iterator<Item = Span> {
        let uses = self.uses.iter().filter(move |(_, id)| *id == symbol);
        uses.map(|&(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_at_an_offset() {
        let mut index = Index::default();
        let symbol = |name: &str, start| Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Variable,
            place: Span::new(start, start + name.len() as u32),
            extent: Span::new(start, start + 9),
            detail: String::new(),
            parent: None,
        };
        let x = index.declare(symbol("x", 4));
        let long = index.declare(symbol("long", 0));
        index.refer(Span::new(20, 24), long);
        let index = index.finish();
        assert_eq!(index.at(2), Some((Span::new(0, 4), long)));
        // Between two names the second counts.
        assert_eq!(index.at(4), Some((Span::new(4, 5), x)));
        assert_eq!(index.at(5), Some((Span::new(4, 5), x)));
        assert_eq!(index.at(6), None);
        assert_eq!(index.at(99), None);
        assert_eq!(index.uses(long).count(), 2);
    }
}

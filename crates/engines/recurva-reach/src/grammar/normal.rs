//! Grammars with at most two symbols on the right side (thesis, §6.2.2).

use super::{Grammar, Symbol};

/// A rule of a normal grammar. The index of an indexed symbol is the same everywhere in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    /// `A → ε`.
    Empty(Symbol),
    /// `A → B`.
    Unit(Symbol, Symbol),
    /// `A → B C`.
    Pair(Symbol, Symbol, Symbol),
}

/// A grammar of short rules over the symbols of another, and some more.
#[derive(Clone, Debug)]
pub(crate) struct Normal {
    /// For each symbol, whether it carries an index.
    pub(crate) indexed: Vec<bool>,
    pub(crate) rules: Vec<Short>,
    pub(crate) start: Symbol,
}

impl Normal {
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let mut normal = Normal {
            indexed: grammar.symbols.iter().map(|info| info.indexed).collect(),
            rules: Vec::with_capacity(grammar.rules.len()),
            start: grammar.start,
        };
        for rule in &grammar.rules {
            normal.shorten(rule.left, &rule.right);
        }
        normal
    }

    /// From the left: the symbol for a prefix carries the index if it is needed behind it.
    fn shorten(&mut self, left: Symbol, right: &[Symbol]) {
        match *right {
            [] => self.rules.push(Short::Empty(left)),
            [one] => self.rules.push(Short::Unit(left, one)),
            [first, second, ref rest @ ..] => {
                let mut prefix = first;
                let mut next = second;
                for (done, &behind) in rest.iter().enumerate() {
                    let has = self.is_indexed(prefix) || self.is_indexed(next);
                    let needed =
                        self.is_indexed(left) || rest[done..].iter().any(|&it| self.is_indexed(it));
                    self.indexed.push(has && needed);
                    let longer = self.indexed.len() as Symbol - 1;
                    self.rules.push(Short::Pair(longer, prefix, next));
                    (prefix, next) = (longer, behind);
                }
                self.rules.push(Short::Pair(left, prefix, next));
            }
        }
    }

    pub(crate) fn is_indexed(&self, symbol: Symbol) -> bool {
        self.indexed[symbol as usize]
    }
}

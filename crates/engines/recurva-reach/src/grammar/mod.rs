//! Context-free grammars with indexed symbols.
//!
//! A symbol whose name ends in `_i` is *indexed*: it stands for a family, and all indexed
//! symbols of a rule have the same index. `A → call_i A ret_i` is one rule, not one for each
//! number. Terminals are labels of edges, or labels of edges walked against their direction.

mod check;
mod ebnf;
mod lines;
pub(crate) mod normal;
pub(crate) mod structure;

use std::path::Path;

use recurva_syntax::{Diagnostics, Source, Span};
use rustc_hash::FxHashMap;

/// Number of a symbol in its grammar.
pub(crate) type Symbol = u32;

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    /// The name, `_i` included.
    pub(crate) name: Box<str>,
    /// Whether it carries an index.
    pub(crate) indexed: bool,
    /// Whether some rule has it on its left side.
    pub(crate) has_rules: bool,
    /// Whether a reader made it up.
    pub(crate) hidden: bool,
    /// Whether it is a terminal whose edges are walked backwards.
    pub(crate) reversed: bool,
    /// Where it is first named.
    pub(crate) span: Span,
}

/// A rule: the symbol on the left can be replaced by those on the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) left: Symbol,
    pub(crate) right: Vec<Symbol>,
    pub(crate) span: Span,
}

/// A checked grammar. Every indexed left side has its index on the right too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    pub(crate) symbols: Vec<Info>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) start: Symbol,
}

/// How a grammar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A rule on each line, `LEFT RIGHT…`, and the start symbol below `Count:`.
    Lines,
    /// `A = a (b | c)* ;`, see `docs/src/reference/reach.md`.
    Ebnf,
}

impl Notation {
    /// The notation of a file, by its extension.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("cfg" | "cnf") => Notation::Lines,
            _ => Notation::Ebnf,
        }
    }
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct ParsedGrammar {
    /// The grammar; `None` if and only if there were errors.
    pub grammar: Option<Grammar>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

impl Grammar {
    /// Reads a grammar.
    ///
    /// ```
    /// use recurva_reach::{Grammar, Notation};
    /// use recurva_syntax::Source;
    ///
    /// let source = Source::new("flow.ebnf", "A = (a | call_i A ret_i)*;")?;
    /// let grammar = Grammar::read(&source, Notation::Ebnf).grammar.expect("no errors");
    /// assert_eq!(grammar.terminals().collect::<Vec<_>>(), ["a", "call_i", "ret_i"]);
    /// # Ok::<(), recurva_syntax::LoadError>(())
    /// ```
    pub fn read(source: &Source, notation: Notation) -> ParsedGrammar {
        let mut diagnostics = Diagnostics::default();
        let draft = match notation {
            Notation::Lines => lines::read(source, &mut diagnostics),
            Notation::Ebnf => ebnf::read(source, &mut diagnostics),
        };
        let grammar = match diagnostics.has_errors() {
            true => None,
            false => check::check(draft, source, &mut diagnostics),
        };
        diagnostics.sort();
        ParsedGrammar {
            grammar,
            diagnostics,
        }
    }

    /// The names of the terminals, in the order in which the text first names them.
    pub fn terminals(&self) -> impl Iterator<Item = &str> {
        let terminals = self.symbols.iter().filter(|symbol| !symbol.has_rules);
        terminals.map(|symbol| &*symbol.name)
    }

    /// The name of the start symbol.
    pub fn start(&self) -> &str {
        &self.symbols[self.start as usize].name
    }
}

/// A grammar that is being read.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) symbols: Vec<Info>,
    pub(crate) rules: Vec<Rule>,
    /// The start symbol, once it is known.
    pub(crate) start: Option<(Symbol, Span)>,
    index: FxHashMap<(Box<str>, bool), Symbol>,
}

impl Draft {
    /// The symbol with a name.
    pub(crate) fn symbol(&mut self, name: &str, reversed: bool, span: Span) -> Symbol {
        if let Some(&symbol) = self.index.get(&(name.into(), reversed)) {
            return symbol;
        }
        let symbol = self.add(name, name.ends_with("_i") && name.len() > 2, false, span);
        self.symbols[symbol as usize].reversed = reversed;
        self.index.insert((name.into(), reversed), symbol);
        symbol
    }

    /// A symbol that no text names.
    pub(crate) fn fresh(&mut self, span: Span) -> Symbol {
        let name = format!("({})", self.symbols.len());
        self.add(&name, false, true, span)
    }

    fn add(&mut self, name: &str, indexed: bool, hidden: bool, span: Span) -> Symbol {
        self.symbols.push(Info {
            name: name.into(),
            indexed,
            has_rules: false,
            hidden,
            reversed: false,
            span,
        });
        self.symbols.len() as Symbol - 1
    }

    /// Adds a rule.
    pub(crate) fn rule(&mut self, left: Symbol, right: Vec<Symbol>, span: Span) {
        self.symbols[left as usize].has_rules = true;
        self.rules.push(Rule { left, right, span });
    }
}

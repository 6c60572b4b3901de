//! Whether a word can be derived from a grammar, by Earley's algorithm on the rules as they were
//! read, with indices.

use rustc_hash::{FxHashMap, FxHashSet};

use super::read::Reading;
use crate::{
    Grammar,
    grammar::{Info, Symbol},
};

/// More than this many times no rule is looked at.
const MOST_WORK: usize = 1_000_000;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Derived {
    Yes,
    No,
    /// It takes too long to find out.
    TooMuch,
}

/// A rule of which the first `dot` symbols have been read, from one place of the word to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Item {
    rule: usize,
    dot: usize,
    from: usize,
    at: usize,
    /// The index of the symbols that have one, once it is known.
    index: Option<u32>,
}

/// Where a symbol ends, and its index.
type End = (usize, Option<u32>);

struct Chart<'g> {
    grammar: &'g Grammar,
    rules_of: FxHashMap<Symbol, Vec<usize>>,
    seen: FxHashSet<Item>,
    open: Vec<Item>,
    /// The items that wait for a symbol at a place.
    waiting: FxHashMap<(Symbol, usize), Vec<Item>>,
    /// Where symbols that begin at a place end.
    found: FxHashMap<(Symbol, usize), Vec<End>>,
}

/// Whether the start symbol derives a word. Each of its places has all edges that may stand there.
pub(super) fn derive(grammar: &Grammar, word: &[&[Reading<'_>]]) -> Derived {
    let mut chart = Chart {
        grammar,
        rules_of: FxHashMap::default(),
        seen: FxHashSet::default(),
        open: Vec::new(),
        waiting: FxHashMap::default(),
        found: FxHashMap::default(),
    };
    for (number, rule) in grammar.rules.iter().enumerate() {
        chart.rules_of.entry(rule.left).or_default().push(number);
    }
    chart.expect(grammar.start, 0);
    let mut work = 0;
    while let Some(item) = chart.open.pop() {
        work += 1 + chart.take(item, word);
        if work > MOST_WORK {
            return Derived::TooMuch;
        }
        if let Some(ends) = chart.found.get(&(grammar.start, 0))
            && ends.contains(&(word.len(), None))
        {
            return Derived::Yes;
        }
    }
    Derived::No
}

impl Chart<'_> {
    fn info(&self, symbol: Symbol) -> &Info {
        &self.grammar.symbols[symbol as usize]
    }

    fn add(&mut self, item: Item) {
        if self.seen.insert(item) {
            self.open.push(item);
        }
    }

    /// The rules of a symbol may begin at a place.
    fn expect(&mut self, symbol: Symbol, at: usize) {
        for rule in self.rules_of.get(&symbol).cloned().unwrap_or_default() {
            self.add(Item {
                rule,
                dot: 0,
                from: at,
                at,
                index: None,
            });
        }
    }

    /// The item's next symbol has been read up to a place; it has an index or none.
    fn advance(&mut self, item: Item, to: usize, own: Option<u32>) {
        if item.index.is_some() && own.is_some() && item.index != own {
            return;
        }
        self.add(Item {
            dot: item.dot + 1,
            at: to,
            index: item.index.or(own),
            ..item
        });
    }

    /// Looks at an item; how many others it met.
    fn take(&mut self, item: Item, word: &[&[Reading<'_>]]) -> usize {
        let rule = &self.grammar.rules[item.rule];
        let Some(&symbol) = rule.right.get(item.dot) else {
            let left = rule.left;
            let index = item.index.filter(|_| self.info(left).indexed);
            let ends = self.found.entry((left, item.from)).or_default();
            if ends.contains(&(item.at, index)) {
                return ends.len();
            }
            ends.push((item.at, index));
            let waiting = self.waiting.get(&(left, item.from));
            let waiting = waiting.cloned().unwrap_or_default();
            for &other in &waiting {
                self.advance(other, item.at, index);
            }
            return waiting.len();
        };
        if self.info(symbol).has_rules {
            self.waiting
                .entry((symbol, item.at))
                .or_default()
                .push(item);
            self.expect(symbol, item.at);
            let ends = self.found.get(&(symbol, item.at));
            let ends = ends.cloned().unwrap_or_default();
            for &(to, index) in &ends {
                self.advance(item, to, index);
            }
            return ends.len();
        }
        let edges = word.get(item.at).copied().unwrap_or_default();
        for edge in edges {
            if let Some(index) = reads(self.info(symbol), edge) {
                self.advance(item, item.at + 1, index);
            }
        }
        edges.len()
    }
}

/// Whether an edge is what a terminal stands for, and with which index.
fn reads(terminal: &Info, edge: &Reading<'_>) -> Option<Option<u32>> {
    if terminal.reversed != edge.reversed {
        return None;
    }
    match terminal.indexed {
        true => {
            let (base, index) = edge.family?;
            (terminal.name.strip_suffix("_i") == Some(base)).then_some(Some(index))
        }
        false => (edge.exact == Some(&*terminal.name)).then_some(None),
    }
}

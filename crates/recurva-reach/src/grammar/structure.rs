//! The structure of a grammar: automata that call each other.
//!
//! A grammar is a recursive state machine: every symbol is a component, and a symbol on the
//! right side is a call. But a call where none is needed is expensive. So symbols are put in
//! for each other where that is possible, `A → A A | x` is read as `x+`, `V → B V | V A | x` as
//! `B* x A*`, and what is left of recursion stands between two terminals wherever the grammar
//! has it so: `call_i A ret_i` is one call, with its index, for all numbers.

mod automaton;
mod solve;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Grammar, Symbol};
use crate::meter::{Halt, Meter};

pub(crate) use automaton::Automaton;
use solve::{Regex, RegexId};

/// Index of a call in [`Structure::calls`].
pub(crate) type CallId = u32;

/// What an automaton reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Letter {
    /// An edge with this terminal, with any index.
    Terminal(Symbol),
    /// A call.
    Call(CallId),
}

/// A call of a component: `open body close`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    /// The terminal before the body.
    pub(crate) open: Option<Symbol>,
    /// The symbol that is called.
    pub(crate) body: Symbol,
    /// The terminal behind the body.
    pub(crate) close: Option<Symbol>,
    /// Whether both terminals have the same index.
    pub(crate) indexed: bool,
}

/// A component: a symbol and the automaton of what it derives.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) symbol: Symbol,
    pub(crate) automaton: Automaton,
}

/// A grammar as automata that call each other. The start symbol is the first component.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub(crate) components: Vec<Component>,
    pub(crate) calls: Vec<Call>,
}

impl Structure {
    /// The structure of a grammar; `None` if indices are used otherwise than in pairs of
    /// terminals around something.
    pub(crate) fn new(grammar: &Grammar, meter: &Meter<'_>) -> Result<Option<Self>, Halt> {
        Ok(Builder::new(grammar, meter)?.run())
    }

    /// Whether nothing is called: the language is regular.
    pub(crate) fn is_regular(&self) -> bool {
        self.calls.is_empty()
    }

    /// Whether each call stands between terminals, so that few nodes are entries.
    pub(crate) fn is_bracketed(&self) -> bool {
        self.calls.iter().all(|call| call.open.is_some())
    }
}

/// A part of a right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A terminal that carries the index of the rule.
    Indexed(Symbol),
    /// A symbol with rules.
    Symbol(Symbol),
    /// What an automaton can read.
    Letter(Letter),
    /// An expression over such.
    Closed(RegexId),
}

impl Item {
    fn is_closed(self) -> bool {
        matches!(self, Item::Letter(_) | Item::Closed(_))
    }
}

type Sequence = Vec<Item>;

/// No grammar becomes larger than this by putting symbols in for each other.
const MOST_ITEMS: usize = 20_000;

/// After so many turns whatever is left becomes calls at once.
const MOST_PUT_IN: usize = 500;

/// An expression with more letters is not copied.
const MOST_LETTERS: u32 = 64;

struct Builder<'g> {
    grammar: &'g Grammar,
    /// The alternatives of each symbol. Symbols that were put in everywhere keep theirs, in case
    /// they are called.
    alternatives: Vec<Vec<Sequence>>,
    indexed: Vec<bool>,
    /// For each symbol those in whose alternatives it occurs, and perhaps some more.
    lefts: Vec<Vec<Symbol>>,
    /// Symbols whose alternatives have changed.
    changed: Vec<Symbol>,
    /// The symbols that no longer occur in other's alternatives.
    gone: Vec<bool>,
    /// The strongly connected component of each symbol.
    knot: Vec<u32>,
    calls: Vec<Call>,
    call_index: FxHashMap<Call, CallId>,
    regexes: Vec<Regex>,
    /// How many letters each expression has.
    sizes: Vec<u32>,
}

impl<'g> Builder<'g> {
    fn new(grammar: &'g Grammar, meter: &Meter<'_>) -> Result<Self, Halt> {
        let symbols = grammar.symbols.len();
        let mut alternatives = vec![Vec::new(); symbols];
        let mut successors = vec![Vec::new(); symbols];
        let mut lefts = vec![Vec::new(); symbols];
        let item = |&symbol: &Symbol| {
            let info = &grammar.symbols[symbol as usize];
            match (info.has_rules, info.indexed) {
                (true, _) => Item::Symbol(symbol),
                (false, true) => Item::Indexed(symbol),
                (false, false) => Item::Letter(Letter::Terminal(symbol)),
            }
        };
        for rule in &grammar.rules {
            alternatives[rule.left as usize].push(rule.right.iter().map(item).collect());
            successors[rule.left as usize].extend(&rule.right);
            for &symbol in &rule.right {
                lefts[symbol as usize].push(rule.left);
            }
        }
        let graph = crate::closure::Arrows::new(symbols as u32, meter, |add| {
            for (from, list) in successors.iter().enumerate() {
                for &to in list {
                    add(from as u32, to);
                }
            }
        })?;
        let knot = crate::closure::Condensed::new(&graph, 0..symbols as u32, meter)?.of_node;
        Ok(Builder {
            grammar,
            alternatives,
            lefts,
            changed: (0..symbols as Symbol).rev().collect(),
            indexed: grammar.symbols.iter().map(|info| info.indexed).collect(),
            gone: grammar.symbols.iter().map(|info| !info.has_rules).collect(),
            knot,
            calls: Vec::new(),
            call_index: FxHashMap::default(),
            regexes: Vec::new(),
            sizes: Vec::new(),
        })
    }

    fn run(mut self) -> Option<Structure> {
        let mut put_in = 0;
        loop {
            // First what can be done at once, then one step that opens up more.
            while let Some(symbol) = self.changed.pop() {
                self.find_calls(symbol);
                self.close(symbol);
            }
            put_in += 1;
            if !(put_in < MOST_PUT_IN && self.put_in_one() || self.make_calls(put_in)) {
                break;
            }
        }
        self.finish()
    }

    /// Looks for matched terminals in the alternatives of a symbol.
    fn find_calls(&mut self, symbol: Symbol) {
        let mut alternatives = std::mem::take(&mut self.alternatives[symbol as usize]);
        for sequence in &mut alternatives {
            if !self.indexed[symbol as usize] {
                self.match_index(sequence);
            }
            self.match_terminals(symbol, sequence);
        }
        self.alternatives[symbol as usize] = alternatives;
    }

    /// `x_i … y_i` is a call of what is between, a lone `x_i` is an `x` with any index.
    fn match_index(&mut self, sequence: &mut Sequence) {
        let carries = |item: &Item| match *item {
            Item::Indexed(_) => true,
            Item::Symbol(symbol) => self.indexed[symbol as usize],
            Item::Letter(_) | Item::Closed(_) => false,
        };
        let places = sequence
            .iter()
            .enumerate()
            .filter(|(_, item)| carries(item));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        match *places {
            [place] => {
                if let Item::Indexed(terminal) = sequence[place] {
                    sequence[place] = Item::Letter(Letter::Terminal(terminal));
                }
            }
            [first, last] => {
                if let (Item::Indexed(open), Item::Indexed(close)) =
                    (sequence[first], sequence[last])
                {
                    let body = match sequence[first + 1..last] {
                        [Item::Symbol(symbol)] => symbol,
                        ref between => {
                            let between = between.to_vec();
                            self.symbol_for(between)
                        }
                    };
                    let call = self.call(Call {
                        open: Some(open),
                        body,
                        close: Some(close),
                        indexed: true,
                    });
                    sequence.splice(first..=last, [Item::Letter(Letter::Call(call))]);
                }
            }
            _ => {}
        }
    }

    /// A new symbol for a sequence.
    fn symbol_for(&mut self, sequence: Sequence) -> Symbol {
        let symbol = self.alternatives.len() as Symbol;
        for &item in &sequence {
            if let Item::Symbol(other) = item {
                self.lefts[other as usize].push(symbol);
            }
        }
        self.alternatives.push(vec![sequence]);
        self.lefts.push(Vec::new());
        self.changed.push(symbol);
        self.indexed.push(false);
        self.gone.push(false);
        self.knot.push(u32::MAX);
        symbol
    }

    fn call(&mut self, call: Call) -> CallId {
        let next = self.calls.len() as CallId;
        let id = *self.call_index.entry(call).or_insert(next);
        if id == next {
            self.calls.push(call);
        }
        id
    }

    /// `x S y` in a rule that `S` leads back to is a call.
    fn match_terminals(&mut self, left: Symbol, sequence: &mut Sequence) {
        let mut place = 1;
        while place + 1 < sequence.len() {
            if let (
                Item::Letter(Letter::Terminal(open)),
                Item::Symbol(body),
                Item::Letter(Letter::Terminal(close)),
            ) = (sequence[place - 1], sequence[place], sequence[place + 1])
                && self.knot[body as usize] == self.knot[left as usize]
                && !self.indexed[body as usize]
            {
                let call = self.call(Call {
                    open: Some(open),
                    body,
                    close: Some(close),
                    indexed: false,
                });
                sequence.splice(place - 1..=place + 1, [Item::Letter(Letter::Call(call))]);
            }
            place += 1;
        }
    }

    /// Turns a symbol into an expression and puts it in everywhere, if that is possible.
    fn close(&mut self, symbol: Symbol) {
        if self.gone[symbol as usize] || self.indexed[symbol as usize] {
            return;
        }
        let Some(regex) = self.solve(symbol) else {
            return;
        };
        let size = self.sizes[regex as usize];
        // What is large and occurs twice is called, or it would double at each level.
        let item = match size > MOST_LETTERS && self.places(symbol) > 1 {
            true => Item::Letter(Letter::Call(self.call(Call {
                open: None,
                body: symbol,
                close: None,
                indexed: false,
            }))),
            false => Item::Closed(regex),
        };
        self.replace(symbol, &[vec![item]]);
        self.alternatives[symbol as usize] = vec![vec![Item::Closed(regex)]];
    }

    /// In how many places a symbol occurs.
    fn places(&self, symbol: Symbol) -> usize {
        let lefts = self.lefts[symbol as usize].iter();
        let items = lefts.flat_map(|&left| self.alternatives[left as usize].iter().flatten());
        items.filter(|&&item| item == Item::Symbol(symbol)).count()
    }

    /// Puts the alternatives of one symbol in where it occurs; whether there was one.
    fn put_in_one(&mut self) -> bool {
        let size = |it: &[Sequence]| it.iter().map(|sequence| sequence.len() + 1).sum::<usize>();
        let total: usize = self.alternatives.iter().map(|it| size(it)).sum();
        if total > MOST_ITEMS {
            return false;
        }
        let candidates = (0..self.alternatives.len() as Symbol).filter(|&symbol| {
            let own = &self.alternatives[symbol as usize];
            let captures = |item: &Item| match *item {
                Item::Indexed(_) => true,
                Item::Symbol(other) => self.indexed[other as usize],
                Item::Letter(_) | Item::Closed(_) => false,
            };
            !self.gone[symbol as usize]
                && symbol != self.grammar.start
                && !own.iter().flatten().any(|&item| item == Item::Symbol(symbol))
                // The index inside of a symbol without one is not that of the place.
                && (self.indexed[symbol as usize] || !own.iter().flatten().any(captures))
        });
        let growth =
            |&symbol: &Symbol| self.places(symbol) * size(&self.alternatives[symbol as usize]);
        let Some(symbol) = candidates.min_by_key(growth) else {
            return false;
        };
        let own = self.alternatives[symbol as usize].clone();
        self.replace(symbol, &own);
        true
    }

    /// Puts sequences in for a symbol wherever it occurs.
    fn replace(&mut self, symbol: Symbol, by: &[Sequence]) {
        self.gone[symbol as usize] = true;
        let mut lefts = std::mem::take(&mut self.lefts[symbol as usize]);
        lefts.sort_unstable();
        lefts.dedup();
        for left in lefts {
            if left == symbol {
                continue;
            }
            let mut open = std::mem::take(&mut self.alternatives[left as usize]);
            open.reverse();
            let mut done = Vec::with_capacity(open.len());
            while let Some(sequence) = open.pop() {
                let place = sequence
                    .iter()
                    .position(|&item| item == Item::Symbol(symbol));
                match place {
                    None => done.push(sequence),
                    Some(place) => open.extend(by.iter().map(|middle| {
                        let mut longer = sequence[..place].to_vec();
                        longer.extend(middle);
                        longer.extend(&sequence[place + 1..]);
                        longer
                    })),
                }
            }
            self.alternatives[left as usize] = done;
            self.changed.push(left);
            for &item in by.iter().flatten() {
                if let Item::Symbol(other) = item {
                    self.lefts[other as usize].push(left);
                }
            }
        }
    }

    /// Recursion that is left becomes calls that stand where they stand: one, or all if that
    /// would take too many turns; whether there was any.
    fn make_calls(&mut self, turn: usize) -> bool {
        let bodies: FxHashSet<Symbol> = self.calls.iter().map(|call| call.body).collect();
        let mut any = false;
        for left in 0..self.alternatives.len() {
            let is_start = left == self.grammar.start as usize;
            if self.gone[left] && !is_start && !bodies.contains(&(left as Symbol)) {
                continue;
            }
            for number in 0..self.alternatives[left].len() {
                while self.make_call(left, number) {
                    any = true;
                    self.changed.push(left as Symbol);
                    if turn < MOST_PUT_IN {
                        return true;
                    }
                }
            }
        }
        any
    }

    /// Makes a symbol of a sequence a call; whether there was one.
    fn make_call(&mut self, left: usize, number: usize) -> bool {
        let sequence = &self.alternatives[left][number];
        let plain = |item: &Item| matches!(*item, Item::Symbol(it) if !self.indexed[it as usize]);
        let inner = sequence.len().saturating_sub(1);
        // One in the middle first: those at the ends may yet turn out to be loops.
        let middle = (1..inner).find(|&place| plain(&sequence[place]));
        let Some(place) = middle.or_else(|| sequence.iter().position(plain)) else {
            return false;
        };
        let Item::Symbol(body) = sequence[place] else {
            return false;
        };
        let terminal = |item: Option<&Item>| match item {
            Some(&Item::Letter(Letter::Terminal(terminal))) => Some(terminal),
            _ => None,
        };
        let open = terminal(place.checked_sub(1).and_then(|before| sequence.get(before)));
        let close = terminal(sequence.get(place + 1));
        let begin = place - usize::from(open.is_some());
        let end = place + usize::from(close.is_some());
        let call = self.call(Call {
            open,
            body,
            close,
            indexed: false,
        });
        let call = Item::Letter(Letter::Call(call));
        self.alternatives[left][number].splice(begin..=end, [call]);
        true
    }

    /// The start symbol and what is called from there, as automata.
    fn finish(mut self) -> Option<Structure> {
        let mut components: Vec<Component> = Vec::new();
        let mut seen: FxHashSet<Symbol> = FxHashSet::from_iter([self.grammar.start]);
        let mut open = vec![self.grammar.start];
        let mut used: Vec<CallId> = Vec::new();
        while let Some(symbol) = open.pop() {
            let regex = self.solve(symbol)?;
            let automaton = Automaton::new(&self.regexes, regex);
            for call in automaton.calls() {
                used.push(call);
                let body = self.calls[call as usize].body;
                if seen.insert(body) {
                    open.push(body);
                }
            }
            components.push(Component { symbol, automaton });
        }
        // Calls that were put aside on the way are not kept.
        used.sort_unstable();
        used.dedup();
        let renamed: FxHashMap<CallId, CallId> = used.iter().copied().zip(0..).collect();
        for component in &mut components {
            component.automaton.rename_calls(&renamed);
        }
        let calls = used.iter().map(|&call| self.calls[call as usize]).collect();
        Some(Structure { components, calls })
    }
}

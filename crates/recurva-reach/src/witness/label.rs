//! What the edges of a machine are in the graph or the machine that it was made from.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Labelled;
use crate::{
    Machine,
    bind::Bound,
    grammar::structure::{Letter, Structure},
    machine::{CallArc, Product, ReturnArc},
};

pub(super) enum Labels<'s> {
    /// Vertices of a machine are vertices.
    Machine,
    /// Nodes of a product.
    Grammar(Box<GrammarLabels<'s>>),
}

pub(super) struct GrammarLabels<'s> {
    structure: &'s Structure,
    names: &'s [(Box<str>, bool)],
    width: u32,
    /// Pairs of states with a silent move.
    silent: FxHashSet<(u32, u32)>,
    /// The terminals of pairs of states.
    terminals: FxHashMap<(u32, u32), Vec<u32>>,
    /// The index of an edge with a terminal, from its ends.
    links: FxHashMap<(u32, u32, u32), u32>,
    /// The index of the brackets of each key.
    index_of_key: Vec<u32>,
}

impl<'s> Labels<'s> {
    pub(super) fn grammar(
        structure: &'s Structure,
        bound: &Bound,
        product: &Product,
        names: &'s [(Box<str>, bool)],
    ) -> Self {
        let mut silent = FxHashSet::default();
        let mut terminals: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for (component, &first) in structure.components.iter().zip(&product.first_state) {
            for &(from, letter, to) in &component.automaton.moves {
                let states = (first + from, first + to);
                match letter {
                    None => {
                        silent.insert(states);
                    }
                    Some(Letter::Terminal(symbol)) => {
                        terminals.entry(states).or_default().push(symbol);
                    }
                    Some(Letter::Call(_)) => {}
                }
            }
        }
        // Terminals around a call whose index does not matter have that of some edge, too.
        let loose = structure.calls.iter().filter(|call| !call.indexed);
        let loose = loose.flat_map(|call| [call.open, call.close]).flatten();
        let used = terminals.values().flatten().copied().chain(loose);
        let used: FxHashSet<u32> = used.collect();
        let mut links = FxHashMap::default();
        for symbol in used {
            for link in &bound.links[symbol as usize] {
                links.insert((symbol, link.from, link.to), link.index);
            }
        }
        Labels::Grammar(Box::new(GrammarLabels {
            structure,
            names,
            width: product.width,
            silent,
            terminals,
            links,
            index_of_key: product.index_of_key.clone(),
        }))
    }

    /// How many edges of the graph an edge of the machine is.
    pub(super) fn weight(&self, from: u32, to: u32) -> u64 {
        match self {
            Labels::Machine => 1,
            Labels::Grammar(labels) => u64::from(!labels.is_silent(from, to)),
        }
    }

    /// How many edges a call and its return are.
    pub(super) fn call_weight(&self, group: u32) -> u64 {
        match self {
            Labels::Machine => 2,
            Labels::Grammar(labels) => {
                let call = labels.structure.calls[group as usize];
                u64::from(call.open.is_some()) + u64::from(call.close.is_some())
            }
        }
    }

    /// What an edge of the machine is; `None` if it is silent.
    pub(super) fn edge(&self, from: u32, to: u32) -> Option<Labelled> {
        match self {
            Labels::Machine => Some((from, to, "step".to_owned())),
            Labels::Grammar(labels) => labels.edge(from, to),
        }
    }

    /// What a call is.
    pub(super) fn call(&self, call: &CallArc, machine: &Machine) -> Option<Labelled> {
        match self {
            Labels::Machine => Some((call.site, call.entry, "call".to_owned())),
            Labels::Grammar(labels) => {
                let group = machine.group_of_key[call.key as usize];
                let open = labels.structure.calls[group as usize].open?;
                let ends = (call.site, call.entry % labels.width);
                labels.bracket(group, call.key, open, ends)
            }
        }
    }

    /// What a return is.
    pub(super) fn leave(&self, it: &ReturnArc, machine: &Machine) -> Option<Labelled> {
        match self {
            Labels::Machine => Some((it.exit, it.site, "return".to_owned())),
            Labels::Grammar(labels) => {
                let group = machine.group_of_key[it.key as usize];
                let close = labels.structure.calls[group as usize].close?;
                let ends = (it.exit % labels.width, it.site);
                labels.bracket(group, it.key, close, ends)
            }
        }
    }
}

impl GrammarLabels<'_> {
    fn is_silent(&self, from: u32, to: u32) -> bool {
        let states = (from / self.width, to / self.width);
        from % self.width == to % self.width && self.silent.contains(&states)
    }

    fn edge(&self, from: u32, to: u32) -> Option<Labelled> {
        if self.is_silent(from, to) {
            return None;
        }
        let states = (from / self.width, to / self.width);
        let (from, to) = (from % self.width, to % self.width);
        let symbols = self.terminals.get(&states)?;
        let found = symbols.iter().find_map(|&symbol| {
            let index = self.links.get(&(symbol, from, to))?;
            Some(self.name(symbol, *index))
        });
        Some((from, to, found?))
    }

    /// A terminal that a call stands between, with the index of the key or, if the call has
    /// none, that of an edge there.
    fn bracket(
        &self,
        group: u32,
        key: u32,
        symbol: u32,
        (from, to): (u32, u32),
    ) -> Option<Labelled> {
        let index = match self.structure.calls[group as usize].indexed {
            true => self.index_of_key[key as usize],
            false => *self.links.get(&(symbol, from, to))?,
        };
        Some((from, to, self.name(symbol, index)))
    }

    fn name(&self, symbol: u32, index: u32) -> String {
        let (name, reversed) = &self.names[symbol as usize];
        let name = match name.strip_suffix("_i") {
            Some(base) if base.len() < name.len() && !base.is_empty() => format!("{base}_{index}"),
            _ => name.to_string(),
        };
        match reversed {
            true => format!("^{name}"),
            false => name,
        }
    }
}

//! The reference: one fact at a time, found by looking at all that it may be put together with
//! (thesis, Fig. 6.4). Slow and plain; all other algorithms are tested against it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    bind::Bound,
    grammar::normal::{Normal, Short},
    limits::{Limits, OutOfMemory},
};

/// A symbol with its index, zero if it has none, between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fact {
    symbol: u32,
    index: u32,
    from: u32,
    to: u32,
}

/// About what a fact takes in all tables.
const BYTES: usize = 80;

/// The pairs of the start symbol, and how many facts there are in all.
pub(crate) fn naive(
    grammar: &Normal,
    bound: &Bound,
    limits: &Limits,
) -> Result<(Vec<(u32, u32)>, u64), OutOfMemory> {
    let mut facts: FxHashSet<Fact> = FxHashSet::default();
    let mut work: Vec<Fact> = Vec::new();
    // By symbol and node: the other node and the index.
    let mut outgoing: FxHashMap<(u32, u32), Vec<(u32, u32)>> = FxHashMap::default();
    let mut incoming: FxHashMap<(u32, u32), Vec<(u32, u32)>> = FxHashMap::default();
    let mut add = |fact: Fact, work: &mut Vec<Fact>| {
        if facts.insert(fact) {
            work.push(fact);
        }
        facts.len()
    };
    for (symbol, links) in bound.links.iter().enumerate() {
        for link in links {
            let fact = Fact {
                symbol: symbol as u32,
                index: link.index,
                from: link.from,
                to: link.to,
            };
            add(fact, &mut work);
        }
    }
    for rule in &grammar.rules {
        if let Short::Empty(symbol) = *rule {
            for node in 0..bound.nodes {
                let fact = Fact {
                    symbol,
                    index: 0,
                    from: node,
                    to: node,
                };
                add(fact, &mut work);
            }
        }
    }
    let mut count = work.len();
    // The index of the left side, from those on the right.
    let index = |left: u32, one: (u32, u32), other: (u32, u32)| match (
        grammar.is_indexed(left),
        grammar.is_indexed(one.0),
    ) {
        (false, _) => 0,
        (true, true) => one.1,
        (true, false) => other.1,
    };
    let agree = |one: (u32, u32), other: (u32, u32)| {
        !grammar.is_indexed(one.0) || !grammar.is_indexed(other.0) || one.1 == other.1
    };
    while let Some(fact) = work.pop() {
        limits.check(count * BYTES)?;
        let own = (fact.symbol, fact.index);
        outgoing
            .entry((fact.symbol, fact.from))
            .or_default()
            .push((fact.to, fact.index));
        incoming
            .entry((fact.symbol, fact.to))
            .or_default()
            .push((fact.from, fact.index));
        for rule in &grammar.rules {
            match *rule {
                Short::Unit(left, only) if only == fact.symbol => {
                    let symbol = left;
                    let index = index(left, own, own);
                    count = add(
                        Fact {
                            symbol,
                            index,
                            ..fact
                        },
                        &mut work,
                    );
                }
                Short::Pair(left, first, second) => {
                    if first == fact.symbol {
                        let list = outgoing.get(&(second, fact.to));
                        for &(to, other) in list.map_or(&[][..], Vec::as_slice) {
                            let other = (second, other);
                            if agree(own, other) {
                                let new = Fact {
                                    symbol: left,
                                    index: index(left, own, other),
                                    from: fact.from,
                                    to,
                                };
                                count = add(new, &mut work);
                            }
                        }
                    }
                    if second == fact.symbol {
                        let list = incoming.get(&(first, fact.from));
                        for &(from, other) in list.map_or(&[][..], Vec::as_slice) {
                            let other = (first, other);
                            if agree(own, other) {
                                let new = Fact {
                                    symbol: left,
                                    index: index(left, own, other),
                                    from,
                                    to: fact.to,
                                };
                                count = add(new, &mut work);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let start = facts.iter().filter(|fact| fact.symbol == grammar.start);
    Ok((
        start.map(|fact| (fact.from, fact.to)).collect(),
        count as u64,
    ))
}

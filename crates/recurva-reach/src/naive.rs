//! The reference: one fact at a time, found by looking at all that it may be put together with
//! (thesis, Fig. 6.4). Slow and plain; all other algorithms are tested against it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    bind::Bound,
    grammar::normal::{Normal, Short},
    meter::{Halt, Held, Meter, Tally, push},
};

/// A symbol with its index, zero if it has none, between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fact {
    symbol: u32,
    index: u32,
    from: u32,
    to: u32,
}

/// Facts found, and what they take.
struct Found {
    facts: FxHashSet<Fact>,
    work: Vec<Fact>,
    held: Held,
}

impl Found {
    fn add(&mut self, fact: Fact) -> Result<(), Halt> {
        let Found { facts, work, held } = self;
        held.room_in_set(facts)?;
        if facts.insert(fact) {
            held.room(work)?;
            work.push(fact);
        }
        Ok(())
    }
}

/// By symbol and node: the other node and the index.
#[derive(Default)]
struct Ends(FxHashMap<(u32, u32), Vec<(u32, u32)>>);

impl Ends {
    fn add(
        &mut self,
        key: (u32, u32),
        end: (u32, u32),
        found: &mut Found,
        tally: &mut Tally,
    ) -> Result<(), Halt> {
        found.held.room_in_map(&mut self.0)?;
        push(self.0.entry(key).or_default(), end, &mut tally.bytes);
        tally.tell()
    }

    fn get(&self, symbol: u32, node: u32) -> &[(u32, u32)] {
        self.0.get(&(symbol, node)).map_or(&[], Vec::as_slice)
    }
}

/// Pairs, and what they take.
pub(crate) type Pairs = (Vec<(u32, u32)>, Held);

/// The pairs of the start symbol, and how many facts there are in all.
pub(crate) fn naive(
    grammar: &Normal,
    bound: &Bound,
    meter: &Meter<'_>,
) -> Result<(Pairs, u64), Halt> {
    let mut found = Found {
        facts: FxHashSet::default(),
        work: Vec::new(),
        held: meter.hold(0)?,
    };
    let (mut outgoing, mut incoming) = (Ends::default(), Ends::default());
    let mut tally = Tally::new(meter);
    for (symbol, links) in bound.links.iter().enumerate() {
        for link in links {
            let fact = Fact {
                symbol: symbol as u32,
                index: link.index,
                from: link.from,
                to: link.to,
            };
            found.add(fact)?;
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
                found.add(fact)?;
            }
        }
    }
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
    while let Some(fact) = found.work.pop() {
        meter.work(1 + grammar.rules.len() as u64)?;
        meter.found(1);
        let own = (fact.symbol, fact.index);
        let (from, to) = ((fact.symbol, fact.from), (fact.symbol, fact.to));
        outgoing.add(from, (fact.to, fact.index), &mut found, &mut tally)?;
        incoming.add(to, (fact.from, fact.index), &mut found, &mut tally)?;
        for rule in &grammar.rules {
            match *rule {
                Short::Unit(left, only) if only == fact.symbol => {
                    let symbol = left;
                    let index = index(left, own, own);
                    found.add(Fact {
                        symbol,
                        index,
                        ..fact
                    })?;
                }
                Short::Pair(left, first, second) => {
                    if first == fact.symbol {
                        for &(to, other) in outgoing.get(second, fact.to) {
                            let other = (second, other);
                            meter.work(1)?;
                            if agree(own, other) {
                                found.add(Fact {
                                    symbol: left,
                                    index: index(left, own, other),
                                    from: fact.from,
                                    to,
                                })?;
                            }
                        }
                    }
                    if second == fact.symbol {
                        for &(from, other) in incoming.get(first, fact.from) {
                            let other = (first, other);
                            meter.work(1)?;
                            if agree(own, other) {
                                found.add(Fact {
                                    symbol: left,
                                    index: index(left, own, other),
                                    from,
                                    to: fact.to,
                                })?;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let (mut pairs, mut held) = (Vec::new(), meter.hold(0)?);
    for fact in found.facts.iter().filter(|it| it.symbol == grammar.start) {
        held.room(&mut pairs)?;
        pairs.push((fact.from, fact.to));
    }
    Ok(((pairs, held), found.facts.len() as u64))
}

//! The thesis' algorithm for any grammar (§6.2.2): a worklist, and set differences on rows and
//! columns of fast sets.

use rustc_hash::FxHashMap;

use crate::{
    bind::Bound,
    grammar::normal::{Normal, Short},
    meter::{Halt, Held, Meter, Tally, push, table},
    sets::Set,
};

/// The rows (or the columns) of a symbol.
enum Table {
    /// By node.
    Plain(Vec<Set>),
    /// By node and index, and the indices that occur at each node.
    Indexed {
        sets: FxHashMap<(u32, u32), Set>,
        indices: FxHashMap<u32, Vec<u32>>,
    },
}

static NOTHING: Set = Set::EMPTY;

impl Table {
    fn new(indexed: bool, nodes: u32, held: &mut Held) -> Result<Self, Halt> {
        Ok(match indexed {
            true => Table::Indexed {
                sets: FxHashMap::default(),
                indices: FxHashMap::default(),
            },
            false => Table::Plain(held.list(Set::default(), nodes as usize)?),
        })
    }

    fn get(&self, node: u32, index: u32) -> &Set {
        match self {
            Table::Plain(sets) => &sets[node as usize],
            Table::Indexed { sets, .. } => sets.get(&(node, index)).unwrap_or(&NOTHING),
        }
    }

    /// Adds an element; `bytes` is a sum that the sets' are part of.
    fn insert(
        &mut self,
        (node, index): (u32, u32),
        element: u32,
        universe: u32,
        bytes: &mut usize,
    ) -> bool {
        match self {
            Table::Plain(sets) => sets[node as usize].insert(element, universe, bytes),
            Table::Indexed { sets, indices } => {
                *bytes -= table(sets.capacity(), size_of::<((u32, u32), Set)>());
                let set = match sets.contains_key(&(node, index)) {
                    true => sets.entry((node, index)).or_default(),
                    false => {
                        let entry = size_of::<(u32, Vec<u32>)>();
                        *bytes -= table(indices.capacity(), entry);
                        push(indices.entry(node).or_default(), index, bytes);
                        *bytes += table(indices.capacity(), entry);
                        sets.entry((node, index)).or_default()
                    }
                };
                let new = set.insert(element, universe, bytes);
                *bytes += table(sets.capacity(), size_of::<((u32, u32), Set)>());
                new
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Fact {
    symbol: u32,
    index: u32,
    from: u32,
    to: u32,
}

/// A rule `left → B C`, seen from one of the two on the right.
#[derive(Clone, Copy)]
struct Partner {
    left: u32,
    other: u32,
}

struct State<'g> {
    grammar: &'g Normal,
    nodes: u32,
    rows: Vec<Table>,
    columns: Vec<Table>,
    work: Vec<Fact>,
    facts: u64,
    /// The tables and the list of work.
    held: Held,
    /// The sets.
    tally: Tally,
}

impl State<'_> {
    fn add(&mut self, fact: Fact) -> Result<(), Halt> {
        let Fact {
            symbol,
            index,
            from,
            to,
        } = fact;
        let bytes = &mut self.tally.bytes;
        if self.rows[symbol as usize].insert((from, index), to, self.nodes, bytes) {
            self.columns[symbol as usize].insert((to, index), from, self.nodes, bytes);
            self.tally.tell()?;
            self.held.room(&mut self.work)?;
            self.work.push(fact);
            self.facts += 1;
        }
        Ok(())
    }
}

/// The rows of the start symbol with what they take, and how many facts there are.
pub(crate) fn worklist(
    grammar: &Normal,
    bound: &Bound,
    meter: &Meter<'_>,
) -> Result<(Vec<Set>, Held, u64), Halt> {
    let symbols = grammar.indexed.len();
    let mut held = meter.hold(0)?;
    let mut tables = || -> Result<Vec<Table>, Halt> {
        let indexed = grammar.indexed.iter();
        indexed
            .map(|&it| Table::new(it, bound.nodes, &mut held))
            .collect()
    };
    let (rows, columns) = (tables()?, tables()?);
    let mut state = State {
        grammar,
        nodes: bound.nodes,
        rows,
        columns,
        work: Vec::new(),
        facts: 0,
        held,
        tally: Tally::new(meter),
    };
    let mut units: Vec<Vec<u32>> = vec![Vec::new(); symbols];
    let mut as_first: Vec<Vec<Partner>> = vec![Vec::new(); symbols];
    let mut as_second: Vec<Vec<Partner>> = vec![Vec::new(); symbols];
    for (symbol, links) in bound.links.iter().enumerate() {
        for link in links {
            state.add(Fact {
                symbol: symbol as u32,
                index: link.index,
                from: link.from,
                to: link.to,
            })?;
        }
    }
    for rule in &grammar.rules {
        match *rule {
            Short::Empty(symbol) => {
                for node in 0..bound.nodes {
                    state.add(Fact {
                        symbol,
                        index: 0,
                        from: node,
                        to: node,
                    })?;
                }
            }
            Short::Unit(left, only) => units[only as usize].push(left),
            Short::Pair(left, first, second) => {
                as_first[first as usize].push(Partner {
                    left,
                    other: second,
                });
                as_second[second as usize].push(Partner { left, other: first });
            }
        }
    }
    let mut made = Made::default();
    while let Some(fact) = state.work.pop() {
        meter.work(1)?;
        meter.found(1);
        for &left in &units[fact.symbol as usize] {
            let index = if grammar.is_indexed(left) {
                fact.index
            } else {
                0
            };
            state.add(Fact {
                symbol: left,
                index,
                ..fact
            })?;
        }
        for &partner in &as_first[fact.symbol as usize] {
            // What follows behind the end, and is not yet in the row of the beginning.
            let (theirs, ours) = (
                &state.rows[partner.other as usize],
                &state.rows[partner.left as usize],
            );
            combine(
                state.grammar,
                fact,
                partner,
                (theirs, fact.to),
                (ours, fact.from),
                &mut made,
                meter,
            )?;
            for (index, to) in made.list.drain(..) {
                state.add(Fact {
                    symbol: partner.left,
                    index,
                    from: fact.from,
                    to,
                })?;
            }
        }
        for &partner in &as_second[fact.symbol as usize] {
            let (theirs, ours) = (
                &state.columns[partner.other as usize],
                &state.columns[partner.left as usize],
            );
            combine(
                state.grammar,
                fact,
                partner,
                (theirs, fact.from),
                (ours, fact.to),
                &mut made,
                meter,
            )?;
            for (index, from) in made.list.drain(..) {
                state.add(Fact {
                    symbol: partner.left,
                    index,
                    from,
                    to: fact.to,
                })?;
            }
        }
    }
    let facts = state.facts;
    let rows = match state.rows.swap_remove(grammar.start as usize) {
        Table::Plain(rows) => rows,
        // The start symbol has no index: the reader sees to that.
        Table::Indexed { .. } => Vec::new(),
    };
    drop(state);
    let sets = rows.iter().map(|row| row.bytes() + size_of::<Set>());
    let held = meter.hold(sets.sum())?;
    Ok((rows, held, facts))
}

/// Lists that are used again and again.
#[derive(Default)]
struct Made {
    /// Indices and nodes.
    list: Vec<(u32, u32)>,
    difference: Vec<u32>,
}

/// What a fact and the facts of another symbol at one node make: indices and nodes.
fn combine(
    grammar: &Normal,
    fact: Fact,
    partner: Partner,
    (theirs, at): (&Table, u32),
    (ours, of): (&Table, u32),
    Made { list, difference }: &mut Made,
    meter: &Meter<'_>,
) -> Result<(), Halt> {
    let mut one = |set: &Set, index: u32| {
        let index = if grammar.is_indexed(partner.left) {
            index
        } else {
            0
        };
        difference.clear();
        meter.work(1 + set.words() / 4)?;
        set.difference(ours.get(of, index), difference);
        list.extend(difference.iter().map(|&node| (index, node)));
        Ok(())
    };
    match theirs {
        Table::Plain(sets) => one(&sets[at as usize], fact.index),
        Table::Indexed { .. } if grammar.is_indexed(fact.symbol) => {
            one(theirs.get(at, fact.index), fact.index)
        }
        Table::Indexed { indices, .. } => {
            let mut all = indices.get(&at).into_iter().flatten();
            all.try_for_each(|&index| one(theirs.get(at, index), index))
        }
    }
}

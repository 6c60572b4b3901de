//! The thesis' algorithm for any grammar (§6.2.2): a worklist, and set differences on rows and
//! columns of fast sets.

use rustc_hash::FxHashMap;

use crate::{
    bind::Bound,
    grammar::normal::{Normal, Short},
    limits::{Limits, OutOfMemory},
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
    fn new(indexed: bool, nodes: u32) -> Self {
        match indexed {
            true => Table::Indexed {
                sets: FxHashMap::default(),
                indices: FxHashMap::default(),
            },
            false => Table::Plain(vec![Set::default(); nodes as usize]),
        }
    }

    fn get(&self, node: u32, index: u32) -> &Set {
        match self {
            Table::Plain(sets) => &sets[node as usize],
            Table::Indexed { sets, .. } => sets.get(&(node, index)).unwrap_or(&NOTHING),
        }
    }

    fn insert(&mut self, node: u32, index: u32, element: u32, universe: u32) -> bool {
        match self {
            Table::Plain(sets) => sets[node as usize].insert(element, universe),
            Table::Indexed { sets, indices } => {
                let set = sets.entry((node, index)).or_insert_with(|| {
                    indices.entry(node).or_default().push(index);
                    Set::default()
                });
                set.insert(element, universe)
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Table::Plain(sets) => {
                let inside: usize = sets.iter().map(Set::bytes).sum();
                inside + sets.capacity() * size_of::<Set>()
            }
            Table::Indexed { sets, .. } => {
                let inside: usize = sets.values().map(Set::bytes).sum();
                inside + sets.capacity() * (size_of::<Set>() + 16)
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
}

impl State<'_> {
    fn add(&mut self, fact: Fact) {
        let Fact {
            symbol,
            index,
            from,
            to,
        } = fact;
        if self.rows[symbol as usize].insert(from, index, to, self.nodes) {
            self.columns[symbol as usize].insert(to, index, from, self.nodes);
            self.work.push(fact);
            self.facts += 1;
        }
    }

    fn bytes(&self) -> usize {
        let tables = self.rows.iter().chain(&self.columns);
        tables.map(Table::bytes).sum::<usize>() + self.work.capacity() * size_of::<Fact>()
    }
}

/// The rows of the start symbol, how many facts there are, and the bytes that they took.
pub(crate) fn worklist(
    grammar: &Normal,
    bound: &Bound,
    limits: &Limits,
) -> Result<(Vec<Set>, u64, usize), OutOfMemory> {
    let symbols = grammar.indexed.len();
    let tables = || {
        grammar
            .indexed
            .iter()
            .map(|&it| Table::new(it, bound.nodes))
            .collect()
    };
    limits.check(2 * symbols * bound.nodes as usize * size_of::<Set>())?;
    let mut state = State {
        grammar,
        nodes: bound.nodes,
        rows: tables(),
        columns: tables(),
        work: Vec::new(),
        facts: 0,
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
            });
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
                    });
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
    let mut next_check = 1 << 16;
    let mut list: Vec<(u32, u32)> = Vec::new();
    let mut difference: Vec<u32> = Vec::new();
    while let Some(fact) = state.work.pop() {
        if state.facts >= next_check {
            limits.check(state.bytes())?;
            next_check = state.facts + (1 << 16);
        }
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
            });
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
                &mut difference,
                &mut list,
            );
            for (index, to) in list.drain(..) {
                state.add(Fact {
                    symbol: partner.left,
                    index,
                    from: fact.from,
                    to,
                });
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
                &mut difference,
                &mut list,
            );
            for (index, from) in list.drain(..) {
                state.add(Fact {
                    symbol: partner.left,
                    index,
                    from,
                    to: fact.to,
                });
            }
        }
    }
    let bytes = state.bytes();
    let facts = state.facts;
    match state.rows.swap_remove(grammar.start as usize) {
        Table::Plain(rows) => Ok((rows, facts, bytes)),
        // The start symbol has no index: the reader sees to that.
        Table::Indexed { .. } => Ok((Vec::new(), facts, bytes)),
    }
}

/// What a fact and the facts of another symbol at one node make: indices and nodes.
fn combine(
    grammar: &Normal,
    fact: Fact,
    partner: Partner,
    (theirs, at): (&Table, u32),
    (ours, of): (&Table, u32),
    difference: &mut Vec<u32>,
    list: &mut Vec<(u32, u32)>,
) {
    let mut one = |set: &Set, index: u32| {
        let index = if grammar.is_indexed(partner.left) {
            index
        } else {
            0
        };
        difference.clear();
        set.difference(ours.get(of, index), difference);
        list.extend(difference.iter().map(|&node| (index, node)));
    };
    match theirs {
        Table::Plain(sets) => one(&sets[at as usize], fact.index),
        Table::Indexed { .. } if grammar.is_indexed(fact.symbol) => {
            one(theirs.get(at, fact.index), fact.index);
        }
        Table::Indexed { indices, .. } => {
            for &index in indices.get(&at).map_or(&[][..], Vec::as_slice) {
                one(theirs.get(at, index), index);
            }
        }
    }
}

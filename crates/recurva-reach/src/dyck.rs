//! Bidirected Dyck reachability by union-find, in almost linear time.
//!
//! If every opening edge can be walked back as the closing one, being connected by a balanced
//! word is an equivalence: two nodes from which the same bracket leads to equivalent nodes are
//! equivalent, and nothing else follows.

use rustc_hash::FxHashMap;

use crate::{
    bind::{Bound, Link},
    closure::Arrows,
    grammar::structure::{Letter, Structure},
    meter::{Halt, Held, Meter, Tally, heap, table},
    relation::Count,
};

/// A partition of the nodes.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// The class of each node.
    of_node: Vec<u32>,
    /// The nodes by class, in order.
    members: Arrows,
    _held: Held,
}

impl Classes {
    pub(crate) fn count(&self) -> Count {
        let sizes = (0..self.members.nodes()).map(|class| self.members.from(class).len() as u64);
        Count {
            pairs: sizes.map(|size| size * (size - 1)).sum(),
            diagonal: self.of_node.len() as u64,
        }
    }

    pub(crate) fn contains(&self, from: u32, to: u32) -> bool {
        self.of_node[from as usize] == self.of_node[to as usize]
    }

    /// The nodes that are equivalent to a node.
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        self.members.from(self.of_node[node as usize])
    }
}

/// The brackets and the plain links of a Dyck language, and what they take.
type Brackets = (Vec<(u32, Vec<Link>)>, Vec<Link>, Held);

/// The equivalence classes; `None` if the grammar is no Dyck language of brackets that are each
/// other's reverse in this graph.
pub(crate) fn classes(
    structure: &Structure,
    bound: &Bound,
    meter: &Meter<'_>,
) -> Result<Option<Classes>, Halt> {
    let Some((brackets, plain, _held)) = brackets(structure, bound, meter)? else {
        return Ok(None);
    };
    let mut forest = Forest::new(bound.nodes, meter)?;
    for (call, links) in brackets {
        for link in links {
            forest.bracket(link.to, (call, link.index), link.from, meter)?;
        }
    }
    for link in plain {
        forest.unite(link.from, link.to, meter)?;
    }
    forest.finish(meter).map(Some)
}

fn brackets(
    structure: &Structure,
    bound: &Bound,
    meter: &Meter<'_>,
) -> Result<Option<Brackets>, Halt> {
    let [component] = &structure.components[..] else {
        return Ok(None);
    };
    let automaton = &component.automaton;
    if automaton.states != 1 {
        return Ok(None);
    }
    let mut held = meter.hold(0)?;
    let mut plain: Vec<Link> = Vec::new();
    let mut brackets = Vec::new();
    for &(_, letter, _) in &automaton.moves {
        match letter {
            None => return Ok(None),
            Some(Letter::Terminal(symbol)) => {
                let links = &bound.links[symbol as usize];
                held.room_for(&mut plain, links.len())?;
                plain.extend(links.iter().map(|&link| Link { index: 0, ..link }));
            }
            Some(Letter::Call(call)) => {
                let it = structure.calls[call as usize];
                let (Some(open), Some(close)) = (it.open, it.close) else {
                    return Ok(None);
                };
                let (open, close) = (&bound.links[open as usize], &bound.links[close as usize]);
                let strip = |links: &[Link]| -> Vec<Link> {
                    let strip = |link: &Link| Link {
                        index: if it.indexed { link.index } else { 0 },
                        ..*link
                    };
                    links.iter().map(strip).collect()
                };
                held.add(heap(open.len() * size_of::<Link>()))?;
                let _close = meter.hold(heap(close.len() * size_of::<Link>()))?;
                let open = strip(open);
                if !are_reverse(&open, &strip(close), meter)? {
                    return Ok(None);
                }
                brackets.push((call, open));
            }
        }
    }
    Ok(are_reverse(&plain, &plain, meter)?.then_some((brackets, plain, held)))
}

fn are_reverse(links: &[Link], others: &[Link], meter: &Meter<'_>) -> Result<bool, Halt> {
    let all = links.len() + others.len();
    let _held = meter.hold(all * size_of::<Link>())?;
    meter.work(all as u64)?;
    let mut one = links.to_vec();
    let mut other: Vec<Link> = others
        .iter()
        .map(|link| Link {
            from: link.to,
            to: link.from,
            ..*link
        })
        .collect();
    for list in [&mut one, &mut other] {
        list.sort_unstable();
        list.dedup();
    }
    Ok(one == other)
}

/// A call and an index.
type Bracket = (u32, u32);

struct Forest {
    parent: Vec<u32>,
    /// For each root, a node from which a bracket leads into its class.
    into: Vec<FxHashMap<Bracket, u32>>,
    open: Vec<(u32, u32)>,
    held: Held,
    /// The tables.
    tally: Tally,
}

/// What the entries of a table take.
const ENTRY: usize = size_of::<(Bracket, u32)>();

impl Forest {
    fn new(nodes: u32, meter: &Meter<'_>) -> Result<Self, Halt> {
        let mut held = meter.hold(heap(4 * nodes as usize))?;
        Ok(Forest {
            parent: (0..nodes).collect(),
            into: held.list(FxHashMap::default(), nodes as usize)?,
            open: Vec::new(),
            held,
            tally: Tally::new(meter),
        })
    }

    /// Notes a node from which a bracket leads to a root.
    fn note(&mut self, root: u32, bracket: Bracket, from: u32) {
        let into = &mut self.into[root as usize];
        self.tally.bytes -= table(into.capacity(), ENTRY);
        into.insert(bracket, from);
        self.tally.bytes += table(into.capacity(), ENTRY);
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let up = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = up;
            node = up;
        }
        node
    }

    /// A bracket leads from `from` to `to`.
    fn bracket(
        &mut self,
        to: u32,
        bracket: Bracket,
        from: u32,
        meter: &Meter<'_>,
    ) -> Result<(), Halt> {
        let root = self.root(to);
        if let Some(&other) = self.into[root as usize].get(&bracket) {
            return self.unite(from, other, meter);
        }
        self.note(root, bracket, from);
        self.tally.tell()?;
        meter.work(1)
    }

    fn unite(&mut self, one: u32, other: u32, meter: &Meter<'_>) -> Result<(), Halt> {
        self.held.room(&mut self.open)?;
        self.open.push((one, other));
        while let Some((one, other)) = self.open.pop() {
            meter.work(1)?;
            let (mut keep, mut drop) = (self.root(one), self.root(other));
            if keep == drop {
                continue;
            }
            if self.into[keep as usize].len() < self.into[drop as usize].len() {
                (keep, drop) = (drop, keep);
            }
            self.parent[drop as usize] = keep;
            let moved = std::mem::take(&mut self.into[drop as usize]);
            let freed = table(moved.capacity(), ENTRY);
            for (bracket, from) in moved {
                meter.work(1)?;
                match self.into[keep as usize].get(&bracket) {
                    Some(&other) => {
                        self.held.room(&mut self.open)?;
                        self.open.push((from, other));
                    }
                    None => self.note(keep, bracket, from),
                }
            }
            self.tally.bytes -= freed;
            self.tally.tell()?;
        }
        Ok(())
    }

    fn finish(mut self, meter: &Meter<'_>) -> Result<Classes, Halt> {
        let nodes = self.parent.len() as u32;
        let mut number = self.held.list(u32::MAX, nodes as usize)?;
        let mut count = 0;
        let held = meter.hold(heap(4 * nodes as usize))?;
        let mut of_node = Vec::with_capacity(nodes as usize);
        for node in 0..nodes {
            let root = self.root(node);
            if number[root as usize] == u32::MAX {
                number[root as usize] = count;
                count += 1;
            }
            of_node.push(number[root as usize]);
        }
        let members = Arrows::new(count, meter, |add| {
            for (node, &class) in of_node.iter().enumerate() {
                add(class, node as u32);
            }
        })?;
        Ok(Classes {
            of_node,
            members,
            _held: held,
        })
    }
}

//! Bidirected Dyck reachability by union-find, in almost linear time.
//!
//! If every opening edge can be walked back as the closing one, being connected by a balanced
//! word is an equivalence: two nodes from which the same bracket leads to equivalent nodes are
//! equivalent, and nothing else follows.

use rustc_hash::FxHashMap;

use crate::{
    bind::{Bound, Link},
    grammar::structure::{Letter, Structure},
    relation::Count,
};

/// A partition of the nodes.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// The class of each node.
    of_node: Vec<u32>,
    /// The nodes by class, in order.
    members: crate::closure::Arrows,
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

    pub(crate) fn bytes(&self) -> usize {
        4 * self.of_node.capacity() + self.members.bytes()
    }
}

/// The equivalence classes; `None` if the grammar is no Dyck language of brackets that are each
/// other's reverse in this graph.
pub(crate) fn classes(structure: &Structure, bound: &Bound) -> Option<Classes> {
    let [component] = &structure.components[..] else {
        return None;
    };
    let automaton = &component.automaton;
    if automaton.states != 1 {
        return None;
    }
    let mut forest = Forest::new(bound.nodes);
    let mut plain: Vec<Link> = Vec::new();
    let mut brackets = Vec::new();
    for &(_, letter, _) in &automaton.moves {
        match letter? {
            Letter::Terminal(symbol) => {
                let links = bound.links[symbol as usize].iter();
                plain.extend(links.map(|&link| Link { index: 0, ..link }));
            }
            Letter::Call(call) => {
                let it = structure.calls[call as usize];
                let (open, close) = (it.open?, it.close?);
                let (open, close) = (&bound.links[open as usize], &bound.links[close as usize]);
                let strip = |links: &[Link]| -> Vec<Link> {
                    let strip = |link: &Link| Link {
                        index: if it.indexed { link.index } else { 0 },
                        ..*link
                    };
                    links.iter().map(strip).collect()
                };
                let open = strip(open);
                if !are_reverse(&open, &strip(close)) {
                    return None;
                }
                brackets.push((call, open));
            }
        }
    }
    if !are_reverse(&plain, &plain) {
        return None;
    }
    for (call, links) in brackets {
        for link in links {
            forest.bracket(link.to, (call, link.index), link.from);
        }
    }
    for link in plain {
        forest.unite(link.from, link.to);
    }
    Some(forest.finish())
}

fn are_reverse(links: &[Link], others: &[Link]) -> bool {
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
    one == other
}

/// A call and an index.
type Bracket = (u32, u32);

struct Forest {
    parent: Vec<u32>,
    /// For each root, a node from which a bracket leads into its class.
    into: Vec<FxHashMap<Bracket, u32>>,
    open: Vec<(u32, u32)>,
}

impl Forest {
    fn new(nodes: u32) -> Self {
        Forest {
            parent: (0..nodes).collect(),
            into: vec![FxHashMap::default(); nodes as usize],
            open: Vec::new(),
        }
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
    fn bracket(&mut self, to: u32, bracket: Bracket, from: u32) {
        let root = self.root(to);
        if let Some(&other) = self.into[root as usize].get(&bracket) {
            self.unite(from, other);
        } else {
            self.into[root as usize].insert(bracket, from);
        }
    }

    fn unite(&mut self, one: u32, other: u32) {
        self.open.push((one, other));
        while let Some((one, other)) = self.open.pop() {
            let (mut keep, mut drop) = (self.root(one), self.root(other));
            if keep == drop {
                continue;
            }
            if self.into[keep as usize].len() < self.into[drop as usize].len() {
                (keep, drop) = (drop, keep);
            }
            self.parent[drop as usize] = keep;
            let moved = std::mem::take(&mut self.into[drop as usize]);
            for (bracket, from) in moved {
                match self.into[keep as usize].get(&bracket) {
                    Some(&other) => self.open.push((from, other)),
                    None => {
                        self.into[keep as usize].insert(bracket, from);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Classes {
        let nodes = self.parent.len() as u32;
        let mut number = vec![u32::MAX; nodes as usize];
        let mut count = 0;
        let mut of_node = Vec::with_capacity(nodes as usize);
        for node in 0..nodes {
            let root = self.root(node);
            if number[root as usize] == u32::MAX {
                number[root as usize] = count;
                count += 1;
            }
            of_node.push(number[root as usize]);
        }
        let members = crate::closure::Arrows::new(count, |add| {
            for (node, &class) in of_node.iter().enumerate() {
                add(class, node as u32);
            }
        });
        Classes { of_node, members }
    }
}

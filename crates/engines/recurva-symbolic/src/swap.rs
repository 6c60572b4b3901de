//! A copy of diagrams whose neighbouring variables can be exchanged.
//!
//! The manager's own tables have a fixed size, and its way of moving levels ends the process
//! when they are full. A search for a better order begins when they are, so it works on a
//! copy, which is thrown away when the order is known.

use rustc_hash::FxHashMap;

use crate::space::VarNo;

/// The number of a node, doubled, plus one for its negation. Node 0 is the truth.
pub(crate) type Link = u32;

/// The diagram of the truth.
pub(crate) const TRUTH: Link = 0;

#[derive(Clone, Copy)]
struct Node {
    var: VarNo,
    /// Never negated.
    high: Link,
    low: Link,
    /// How many nodes and how many others refer to this one.
    references: u32,
}

/// Diagrams with shared nodes and negated links.
#[derive(Default)]
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    /// Numbers of nodes that are no longer in use.
    unused: Vec<u32>,
    /// For each variable its nodes, by their links.
    tables: Vec<FxHashMap<(Link, Link), u32>>,
    /// Nodes in use.
    size: usize,
    /// Nodes looked at so far.
    effort: u64,
}

impl Diagrams {
    /// No diagrams yet, over so many variables.
    pub(crate) fn new(variables: VarNo) -> Self {
        let truth = Node {
            var: VarNo::MAX,
            high: TRUTH,
            low: TRUTH,
            references: 1,
        };
        Diagrams {
            nodes: vec![truth],
            tables: vec![FxHashMap::default(); variables as usize],
            ..Diagrams::default()
        }
    }

    /// Copies a node whose links have been copied, and to which so many others refer, nodes
    /// that are yet to come included.
    pub(crate) fn copy(&mut self, var: VarNo, high: Link, low: Link, references: u32) -> Link {
        debug_assert!(high & 1 == 0 && high != low);
        self.insert(Node {
            var,
            high,
            low,
            references,
        })
    }

    /// Nodes in use.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Nodes of a variable.
    pub(crate) fn size_of(&self, var: VarNo) -> usize {
        self.tables[var as usize].len()
    }

    /// Nodes looked at so far.
    pub(crate) fn effort(&self) -> u64 {
        self.effort
    }

    /// Exchanges a variable with the one right below it.
    pub(crate) fn swap(&mut self, upper: VarNo, lower: VarNo) {
        let table = &self.tables[upper as usize];
        self.effort += 1 + table.len() as u64;
        let is_lower = |link: Link| self.nodes[link as usize / 2].var == lower;
        // All others only move down.
        let on_both: Vec<((Link, Link), u32)> = table
            .iter()
            .filter(|&(&(high, low), _)| is_lower(high) || is_lower(low))
            .map(|(&links, &number)| (links, number))
            .collect();
        self.effort += 4 * on_both.len() as u64;
        for (links, _) in &on_both {
            self.tables[upper as usize].remove(links);
        }
        for ((high, low), number) in on_both {
            let (high_high, high_low) = self.halves(high, lower);
            let (low_high, low_low) = self.halves(low, lower);
            let new_high = self.link(upper, high_high, low_high);
            let new_low = self.link(upper, high_low, low_low);
            let node = &mut self.nodes[number as usize];
            node.var = lower;
            (node.high, node.low) = (new_high, new_low);
            self.tables[lower as usize].insert((new_high, new_low), number);
            self.release(high);
            self.release(low);
        }
    }

    /// What a diagram says if a variable that nothing in it stands above is true, or false.
    fn halves(&self, link: Link, var: VarNo) -> (Link, Link) {
        let node = &self.nodes[link as usize / 2];
        if node.var == var {
            (node.high ^ (link & 1), node.low ^ (link & 1))
        } else {
            (link, link)
        }
    }

    /// The node with these links, referred to once more.
    fn link(&mut self, var: VarNo, high: Link, low: Link) -> Link {
        let negated = high & 1;
        let (high, low) = (high ^ negated, low ^ negated);
        if high == low {
            self.retain(high);
            return high ^ negated;
        }
        if let Some(&number) = self.tables[var as usize].get(&(high, low)) {
            self.nodes[number as usize].references += 1;
            return number * 2 + negated;
        }
        self.retain(high);
        self.retain(low);
        let node = Node {
            var,
            high,
            low,
            references: 1,
        };
        self.insert(node) + negated
    }

    fn insert(&mut self, node: Node) -> Link {
        let number = match self.unused.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.tables[node.var as usize].insert((node.high, node.low), number);
        self.size += 1;
        number * 2
    }

    fn retain(&mut self, link: Link) {
        if link / 2 != TRUTH {
            self.nodes[link as usize / 2].references += 1;
        }
    }

    /// Refers to a node once less. What nothing refers to goes.
    fn release(&mut self, link: Link) {
        let mut open = vec![link];
        while let Some(link) = open.pop() {
            let number = link / 2;
            if number == TRUTH {
                continue;
            }
            let node = &mut self.nodes[number as usize];
            node.references -= 1;
            if node.references == 0 {
                let Node { var, high, low, .. } = *node;
                self.tables[var as usize].remove(&(high, low));
                self.unused.push(number);
                self.size -= 1;
                open.extend([high, low]);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const VARIABLES: u32 = 6;

    /// The next of a row of arbitrary numbers.
    fn next(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        *seed ^ (*seed >> 29)
    }

    /// The diagram of a table with a bit for each valuation, for an order of the variables of
    /// which the first `above` have the values in `valuation`.
    pub(crate) fn build(
        made: &mut Diagrams,
        table: u64,
        order: &[VarNo],
        above: usize,
        valuation: u32,
    ) -> Link {
        let Some(&var) = order.get(above) else {
            return u32::from(table >> valuation & 1 == 0);
        };
        let high = build(made, table, order, above + 1, valuation | 1 << var);
        let low = build(made, table, order, above + 1, valuation);
        let link = made.link(var, high, low);
        made.release(high);
        made.release(low);
        link
    }

    fn value(made: &Diagrams, mut link: Link, valuation: u32) -> bool {
        let mut negated = link & 1;
        while link / 2 != TRUTH {
            let node = &made.nodes[link as usize / 2];
            link = if valuation >> node.var & 1 == 1 {
                node.high
            } else {
                node.low
            };
            negated ^= link & 1;
        }
        negated == 0
    }

    #[test]
    fn exchanges_keep_the_meaning_and_leave_nothing_behind() {
        let seed = &mut 1;
        for _ in 0..300 {
            // Some tables have more structure than others.
            let tables: Vec<u64> = (0..3)
                .map(|_| (0..next(seed) % 4).fold(next(seed), |table, _| table & next(seed)))
                .collect();
            let mut order: Vec<VarNo> = (0..VARIABLES).collect();
            let mut made = Diagrams::new(VARIABLES);
            let roots: Vec<Link> = tables
                .iter()
                .map(|&table| build(&mut made, table, &order, 0, 0))
                .collect();
            for _ in 0..40 {
                let upper = next(seed) as usize % (order.len() - 1);
                made.swap(order[upper], order[upper + 1]);
                order.swap(upper, upper + 1);
            }
            for (&root, &table) in roots.iter().zip(&tables) {
                for valuation in 0..64 {
                    let expected = table >> valuation & 1 == 1;
                    assert_eq!(value(&made, root, valuation), expected);
                }
            }
            let mut anew = Diagrams::new(VARIABLES);
            for &table in &tables {
                build(&mut anew, table, &order, 0, 0);
            }
            assert_eq!(made.size(), anew.size(), "{tables:x?} {order:?}");
            for var in 0..VARIABLES {
                assert_eq!(made.size_of(var), anew.size_of(var));
            }
            roots.into_iter().for_each(|root| made.release(root));
            assert_eq!(made.size(), 0);
        }
    }
}

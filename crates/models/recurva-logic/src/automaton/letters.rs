//! Sets of letters as binary decision diagrams, for work inside this crate only.
//!
//! There are at most [`MAX_ATOMS`] variables, which bounds the depth of every recursion here. A
//! diagram may still be exponentially large; once [`MOST_NODES`] are made, every further set is
//! empty and [`Letters::overflowed`] tells that results mean nothing.

use rustc_hash::FxHashMap;

use super::{Cube, Letter};

/// How many atoms an automaton may have: a letter is a word of the machine.
pub const MAX_ATOMS: usize = 64;

/// How many nodes all diagrams may have together.
const MOST_NODES: usize = 2_000_000;

/// A set of letters. Equal sets are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Set(u32);

impl Set {
    pub(crate) const NONE: Set = Set(0);
    pub(crate) const ALL: Set = Set(1);

    pub(crate) fn is_empty(self) -> bool {
        self == Set::NONE
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    atom: u8,
    low: Set,
    high: Set,
}

/// All sets of letters made so far.
#[derive(Debug)]
pub(crate) struct Letters {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Set>,
    intersections: FxHashMap<(Set, Set), Set>,
    differences: FxHashMap<(Set, Set), Set>,
    overflowed: bool,
}

impl Default for Letters {
    fn default() -> Self {
        let end = Node {
            atom: u8::MAX,
            low: Set::NONE,
            high: Set::NONE,
        };
        Letters {
            nodes: vec![end, end],
            ids: FxHashMap::default(),
            intersections: FxHashMap::default(),
            differences: FxHashMap::default(),
            overflowed: false,
        }
    }
}

impl Letters {
    fn node(&mut self, atom: u8, low: Set, high: Set) -> Set {
        if low == high {
            return low;
        }
        if self.nodes.len() > MOST_NODES {
            self.overflowed = true;
            return Set::NONE;
        }
        let node = Node { atom, low, high };
        let Letters { nodes, ids, .. } = self;
        *ids.entry(node).or_insert_with(|| {
            nodes.push(node);
            Set(nodes.len() as u32 - 1)
        })
    }

    /// Whether there were more sets than could be kept.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    fn top(&self, set: Set) -> u8 {
        self.nodes[set.0 as usize].atom
    }

    /// The halves of a set where an atom is false and true; the atom is not below its top.
    fn halves(&self, set: Set, atom: u8) -> (Set, Set) {
        let node = self.nodes[set.0 as usize];
        if node.atom == atom {
            (node.low, node.high)
        } else {
            (set, set)
        }
    }

    /// The letters with an atom.
    pub(crate) fn with(&mut self, atom: u32) -> Set {
        self.node(atom as u8, Set::NONE, Set::ALL)
    }

    /// The letters without an atom.
    pub(crate) fn without(&mut self, atom: u32) -> Set {
        self.node(atom as u8, Set::ALL, Set::NONE)
    }

    pub(crate) fn and(&mut self, a: Set, b: Set) -> Set {
        if a == b || b == Set::ALL {
            return a;
        }
        if a == Set::ALL {
            return b;
        }
        if a.is_empty() || b.is_empty() || self.overflowed {
            return Set::NONE;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.intersections.get(&key) {
            return known;
        }
        let atom = self.top(a).min(self.top(b));
        let ((a0, a1), (b0, b1)) = (self.halves(a, atom), self.halves(b, atom));
        let (low, high) = (self.and(a0, b0), self.and(a1, b1));
        let made = self.node(atom, low, high);
        self.intersections.insert(key, made);
        made
    }

    /// The letters of `a` that are not in `b`.
    pub(crate) fn minus(&mut self, a: Set, b: Set) -> Set {
        if a == b || a.is_empty() || b == Set::ALL || self.overflowed {
            return Set::NONE;
        }
        if b.is_empty() {
            return a;
        }
        if let Some(&known) = self.differences.get(&(a, b)) {
            return known;
        }
        let atom = self.top(a).min(self.top(b));
        let ((a0, a1), (b0, b1)) = (self.halves(a, atom), self.halves(b, atom));
        let (low, high) = (self.minus(a0, b0), self.minus(a1, b1));
        let made = self.node(atom, low, high);
        self.differences.insert((a, b), made);
        made
    }

    pub(crate) fn not(&mut self, a: Set) -> Set {
        self.minus(Set::ALL, a)
    }

    pub(crate) fn or(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// The letters of some cubes.
    pub(crate) fn of_cubes(&mut self, cubes: &[Cube]) -> Set {
        let mut all = Set::NONE;
        for cube in cubes {
            let mut set = Set::ALL;
            for atom in (0..MAX_ATOMS as u32).rev() {
                if cube.positive >> atom & 1 == 1 {
                    let with = self.with(atom);
                    set = self.and(set, with);
                }
                if cube.negative >> atom & 1 == 1 {
                    let without = self.without(atom);
                    set = self.and(set, without);
                }
            }
            all = self.or(all, set);
        }
        all
    }

    /// Few cubes that make up a set (Minato's irredundant sum of products); `None` if there are
    /// more than `limit`.
    pub(crate) fn cubes(&mut self, set: Set, limit: usize) -> Option<Vec<Cube>> {
        let mut room = limit;
        self.cover(set, set, &mut room).map(|(cubes, _)| cubes)
    }

    /// Cubes that cover `lower` and stay in `upper`, and what they cover.
    fn cover(&mut self, lower: Set, upper: Set, room: &mut usize) -> Option<(Vec<Cube>, Set)> {
        if lower.is_empty() {
            return Some((Vec::new(), Set::NONE));
        }
        if upper == Set::ALL {
            *room = room.checked_sub(1)?;
            return Some((vec![Cube::default()], Set::ALL));
        }
        let atom = self.top(lower).min(self.top(upper));
        let (lower0, lower1) = self.halves(lower, atom);
        let (upper0, upper1) = self.halves(upper, atom);
        let only0 = self.minus(lower0, upper1);
        let (mut cubes, covered0) = self.cover(only0, upper0, room)?;
        let only1 = self.minus(lower1, upper0);
        let (cubes1, covered1) = self.cover(only1, upper1, room)?;
        let (rest0, rest1) = (self.minus(lower0, covered0), self.minus(lower1, covered1));
        let (rest, both) = (self.or(rest0, rest1), self.and(upper0, upper1));
        let (cubes2, covered2) = self.cover(rest, both, room)?;
        let bit: Letter = 1 << atom;
        for cube in &mut cubes {
            cube.negative |= bit;
        }
        cubes.extend(cubes1.into_iter().map(|cube| Cube {
            positive: cube.positive | bit,
            ..cube
        }));
        cubes.extend(cubes2);
        let (low, high) = (self.or(covered0, covered2), self.or(covered1, covered2));
        Some((cubes, self.node(atom, low, high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_cover_what_they_should() {
        let mut letters = Letters::default();
        let (a, b, c) = (letters.with(0), letters.with(1), letters.without(2));
        let ab = letters.and(a, b);
        let set = letters.or(ab, c);
        let cubes = letters.cubes(set, 10).unwrap();
        assert_eq!(cubes.len(), 2);
        assert_eq!(letters.of_cubes(&cubes), set);
        assert_eq!(letters.cubes(set, 1), None);
        let not = letters.not(set);
        assert_eq!(letters.or(set, not), Set::ALL);
        assert_eq!(letters.and(set, not), Set::NONE);
    }
}

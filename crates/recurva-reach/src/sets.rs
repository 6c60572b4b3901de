//! Fast sets (thesis, §6.1): bit vectors with insertion, difference and iteration.
//!
//! A set of few elements is a sorted list, one of more is a list of blocks of 256 bits, and one
//! that fills its universe is all blocks. So a million sets with a few elements each fit in
//! memory, and differences of large ones work on words.

use crate::meter::heap;

/// 256 elements.
type Block = [u64; 4];

const BLOCK: u32 = 256;
/// Up to so many elements are a list.
const FEW: usize = 24;

#[derive(Clone, Debug, Default)]
enum Form {
    #[default]
    Empty,
    Few(Vec<u32>),
    Sparse {
        keys: Vec<u32>,
        blocks: Vec<Block>,
    },
    Dense(Vec<Block>),
}

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Set {
    form: Form,
    len: u32,
}

impl Set {
    /// The empty set.
    pub(crate) const EMPTY: Set = Set {
        form: Form::Empty,
        len: 0,
    };

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn contains(&self, element: u32) -> bool {
        let has = |block: &Block| block[(element % BLOCK / 64) as usize] >> (element % 64) & 1 == 1;
        match &self.form {
            Form::Empty => false,
            Form::Few(list) => list.binary_search(&element).is_ok(),
            Form::Sparse { keys, blocks } => keys
                .binary_search(&(element / BLOCK))
                .is_ok_and(|place| has(&blocks[place])),
            Form::Dense(blocks) => blocks.get((element / BLOCK) as usize).is_some_and(has),
        }
    }

    /// Adds an element; whether it is new. All elements are below `universe`, and `bytes` is a sum
    /// that this set's are part of.
    pub(crate) fn insert(&mut self, element: u32, universe: u32, bytes: &mut usize) -> bool {
        if let Form::Dense(blocks) = &mut self.form {
            let word = &mut blocks[(element / BLOCK) as usize][(element % BLOCK / 64) as usize];
            let bit = 1u64 << (element % 64);
            let new = *word & bit == 0;
            *word |= bit;
            self.len += u32::from(new);
            return new;
        }
        *bytes -= self.bytes();
        let new = self.insert_growing(element, universe);
        *bytes += self.bytes();
        new
    }

    fn insert_growing(&mut self, element: u32, universe: u32) -> bool {
        let (word, bit) = ((element % BLOCK / 64) as usize, 1u64 << (element % 64));
        let set = |block: &mut Block| {
            let new = block[word] & bit == 0;
            block[word] |= bit;
            new
        };
        let new = match &mut self.form {
            Form::Empty => {
                self.form = Form::Few(vec![element]);
                true
            }
            Form::Few(list) => match list.binary_search(&element) {
                Ok(_) => false,
                Err(place) => {
                    list.insert(place, element);
                    true
                }
            },
            Form::Sparse { keys, blocks } => match keys.binary_search(&(element / BLOCK)) {
                Ok(place) => set(&mut blocks[place]),
                Err(place) => {
                    keys.insert(place, element / BLOCK);
                    blocks.insert(place, [0; 4]);
                    set(&mut blocks[place])
                }
            },
            Form::Dense(blocks) => set(&mut blocks[(element / BLOCK) as usize]),
        };
        if new {
            self.len += 1;
            self.grow(universe);
        }
        new
    }

    /// Changes the form when the set has outgrown it.
    fn grow(&mut self, universe: u32) {
        let all = universe.div_ceil(BLOCK) as usize;
        match &mut self.form {
            Form::Few(list) if list.len() > FEW => {
                let mut keys: Vec<u32> = Vec::new();
                let mut blocks: Vec<Block> = Vec::new();
                for &element in list.iter() {
                    if keys.last() != Some(&(element / BLOCK)) {
                        keys.push(element / BLOCK);
                        blocks.push([0; 4]);
                    }
                    let last = blocks.len() - 1;
                    blocks[last][(element % BLOCK / 64) as usize] |= 1 << (element % 64);
                }
                self.form = Form::Sparse { keys, blocks };
                self.grow(universe);
            }
            Form::Sparse { keys, blocks } if keys.len() * 2 > all => {
                let mut dense = vec![[0; 4]; all];
                for (&key, block) in keys.iter().zip(blocks) {
                    dense[key as usize] = *block;
                }
                self.form = Form::Dense(dense);
            }
            _ => {}
        }
    }

    /// The block with that number.
    fn block(&self, key: u32) -> Block {
        match &self.form {
            Form::Empty => [0; 4],
            Form::Few(list) => {
                let begin = list.partition_point(|&element| element / BLOCK < key);
                let mut block = [0; 4];
                for &element in list[begin..].iter().take_while(|&&it| it / BLOCK == key) {
                    block[(element % BLOCK / 64) as usize] |= 1 << (element % 64);
                }
                block
            }
            Form::Sparse { keys, blocks } => match keys.binary_search(&key) {
                Ok(place) => blocks[place],
                Err(_) => [0; 4],
            },
            Form::Dense(blocks) => blocks.get(key as usize).copied().unwrap_or_default(),
        }
    }

    /// Lists the elements that another set does not have.
    pub(crate) fn difference(&self, other: &Set, out: &mut Vec<u32>) {
        let mut one = |key: u32, block: &Block, theirs: &Block| {
            for word in 0..4 {
                let mut rest = block[word] & !theirs[word];
                while rest != 0 {
                    out.push(key * BLOCK + word as u32 * 64 + rest.trailing_zeros());
                    rest &= rest - 1;
                }
            }
        };
        match (&self.form, &other.form) {
            (Form::Empty, _) => {}
            (Form::Few(list), _) => {
                out.extend(list.iter().filter(|&&element| !other.contains(element)));
            }
            (Form::Dense(mine), Form::Dense(theirs)) => {
                for (key, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
                    one(key as u32, mine, theirs);
                }
            }
            (Form::Dense(mine), _) => {
                for (key, mine) in mine.iter().enumerate() {
                    if *mine != [0; 4] {
                        one(key as u32, mine, &other.block(key as u32));
                    }
                }
            }
            (Form::Sparse { keys, blocks }, _) => {
                for (&key, mine) in keys.iter().zip(blocks) {
                    one(key, mine, &other.block(key));
                }
            }
        }
    }

    /// About how many words a difference with another set looks at.
    pub(crate) fn words(&self) -> u64 {
        match &self.form {
            Form::Empty => 0,
            Form::Few(list) => list.len() as u64,
            Form::Sparse { blocks, .. } | Form::Dense(blocks) => 4 * blocks.len() as u64,
        }
    }

    /// All elements in order.
    pub(crate) fn list(&self) -> Vec<u32> {
        let mut out = Vec::with_capacity(self.len as usize);
        self.difference(&Set::default(), &mut out);
        out
    }

    /// How much memory it takes, besides itself.
    pub(crate) fn bytes(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Few(list) => heap(4 * list.capacity()),
            Form::Sparse { keys, blocks } => {
                heap(4 * keys.capacity()) + heap(32 * blocks.capacity())
            }
            Form::Dense(blocks) => heap(32 * blocks.capacity()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use recurva_testkit::rng::Rng;

    use super::*;

    #[test]
    fn sets_of_all_forms_do_what_a_tree_does() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let universe = 1 + rng.below(3000) as u32;
            let sets: Vec<(Set, BTreeSet<u32>)> = (0..2)
                .map(|_| {
                    let (mut set, mut tree) = (Set::default(), BTreeSet::new());
                    let mut bytes = 0;
                    for _ in 0..rng.below(1500) {
                        let element = rng.below(universe as usize) as u32;
                        let new = set.insert(element, universe, &mut bytes);
                        assert_eq!(new, tree.insert(element));
                    }
                    assert_eq!(bytes, set.bytes());
                    (set, tree)
                })
                .collect();
            let [(a, tree_a), (b, tree_b)] = &sets[..] else {
                unreachable!("two sets were made")
            };
            assert_eq!(a.list(), tree_a.iter().copied().collect::<Vec<_>>());
            assert_eq!(a.len() as usize, tree_a.len());
            let mut difference = Vec::new();
            a.difference(b, &mut difference);
            let expected: Vec<u32> = tree_a.difference(tree_b).copied().collect();
            assert_eq!(difference, expected);
            for element in 0..universe {
                assert_eq!(b.contains(element), tree_b.contains(&element));
            }
        }
    }
}

//! Labels of automata: classes of letters that an automaton cannot tell apart.

use rustc_hash::FxHashMap;

/// A letter: an index into an alphabet, or a pair of such indices packed into one number.
pub type Letter = u32;

/// A partition of some letters into classes, numbered by their least letters. Letters that are in
/// no class label no edge. Automata have edges for classes, so that what an operation costs
/// depends on how many letters behave differently and not on how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Classes {
    /// Sorted by letter.
    letters: Vec<(Letter, u32)>,
    count: u32,
}

/// Of which class of two partitions a class is a part.
pub(crate) type Part = (Option<u32>, Option<u32>);

impl Classes {
    /// The coarsest partition in which each of some sets is a union of classes, and the classes
    /// of each set, in order.
    pub fn of_sets(sets: &[Vec<Letter>]) -> (Classes, Vec<Vec<u32>>) {
        let mut class_of: FxHashMap<Letter, u32> = FxHashMap::default();
        let mut sizes: Vec<u32> = Vec::new();
        for set in sets {
            // Letters of one class that this set takes out of it move to a new class together.
            let mut moved: FxHashMap<Option<u32>, u32> = FxHashMap::default();
            let mut seen: Vec<Letter> = set.clone();
            seen.sort_unstable();
            seen.dedup();
            for letter in seen {
                let old = class_of.get(&letter).copied();
                let fresh = sizes.len() as u32;
                let new = *moved.entry(old).or_insert(fresh);
                if new == fresh {
                    sizes.push(0);
                }
                if let Some(old) = old {
                    sizes[old as usize] -= 1;
                }
                sizes[new as usize] += 1;
                class_of.insert(letter, new);
            }
        }
        let mut letters: Vec<(Letter, u32)> = class_of.into_iter().collect();
        letters.sort_unstable();
        let classes = Classes::numbered(letters);
        let of_set = |set: &Vec<Letter>| {
            let mut list: Vec<u32> = set.iter().filter_map(|&a| classes.class(a)).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let lists = sets.iter().map(of_set).collect();
        (classes, lists)
    }

    /// Sorted letters with any class numbers: the numbers become those of the order of the text.
    pub(crate) fn numbered<K: std::hash::Hash + Eq + Copy>(letters: Vec<(Letter, K)>) -> Classes {
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let letters = letters
            .into_iter()
            .map(|(letter, key)| {
                let next = numbers.len() as u32;
                (letter, *numbers.entry(key).or_insert(next))
            })
            .collect();
        Classes {
            letters,
            count: numbers.len() as u32,
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.letters.capacity() * size_of::<(Letter, u32)>()
    }

    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The class of a letter.
    pub fn class(&self, letter: Letter) -> Option<u32> {
        let at = self.letters.binary_search_by_key(&letter, |&(l, _)| l);
        at.ok().map(|at| self.letters[at].1)
    }

    /// All letters with their classes, in the order of the letters.
    pub fn letters(&self) -> &[(Letter, u32)] {
        &self.letters
    }

    /// The letters of each class.
    pub fn members(&self) -> Vec<Vec<Letter>> {
        let mut members = vec![Vec::new(); self.count()];
        for &(letter, class) in &self.letters {
            members[class as usize].push(letter);
        }
        members
    }

    /// The coarsest partition finer than two, over the letters of either; and of which class of
    /// the two each class is a part.
    pub(crate) fn join(&self, other: &Classes) -> (Classes, Vec<Part>) {
        let (mut a, mut b) = (
            self.letters.iter().peekable(),
            other.letters.iter().peekable(),
        );
        let mut letters: Vec<(Letter, Part)> = Vec::new();
        loop {
            let entry = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&(x, p)), Some(&&(y, q))) if x == y => {
                    a.next();
                    b.next();
                    (x, (Some(p), Some(q)))
                }
                (Some(&&(x, p)), y) if y.is_none_or(|&&(y, _)| x < y) => {
                    a.next();
                    (x, (Some(p), None))
                }
                (_, Some(&&(y, q))) => {
                    b.next();
                    (y, (None, Some(q)))
                }
                (Some(_), None) => break,
            };
            letters.push(entry);
        }
        let parts: Vec<_> = letters.iter().map(|&(_, part)| part).collect();
        let classes = Classes::numbered(letters);
        let mut of = vec![(None, None); classes.count()];
        for (&(_, class), part) in classes.letters.iter().zip(parts) {
            of[class as usize] = part;
        }
        (classes, of)
    }

    /// With classes merged: `merge` gives each class a new key, or none for "in no class".
    /// Also the new number of each class.
    pub(crate) fn merged<K: std::hash::Hash + Eq + Copy>(
        &self,
        merge: impl Fn(u32) -> Option<K>,
    ) -> (Classes, Vec<Option<u32>>) {
        let kept = |&(letter, class): &(Letter, u32)| Some((letter, merge(class)?, class));
        let list: Vec<(Letter, K, u32)> = self.letters.iter().filter_map(kept).collect();
        let classes = Classes::numbered(list.iter().map(|&(l, key, _)| (l, key)).collect());
        let mut new = vec![None; self.count()];
        for (&(_, number), &(_, _, old)) in classes.letters.iter().zip(&list) {
            new[old as usize] = Some(number);
        }
        (classes, new)
    }
}

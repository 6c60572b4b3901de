//! Free choices as a sequence of numbers that can be enumerated, paused and taken up again.
//!
//! What an edge does is a function of the choices made on the way: each value of an unknown
//! variable that is read, each `*`, each monitor edge among several. Run it, and whenever it
//! asks for one more choice than is on record, the first value is taken and recorded. Then
//! [`Choices::advance`] to the next record, and run it again.

use smallvec::SmallVec;

/// A record of choices: each value with the largest it may take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    record: SmallVec<[(u64, u64); 4]>,
    /// How many choices the current run has asked for.
    asked: usize,
}

impl Choices {
    /// A value from 0 to `max`.
    pub(crate) fn choose(&mut self, max: u64) -> u64 {
        if self.asked == self.record.len() {
            self.record.push((0, max));
        }
        debug_assert_eq!(
            self.record[self.asked].1, max,
            "a run depends on its choices only"
        );
        self.asked += 1;
        self.record[self.asked - 1].0
    }

    /// Goes to the next record; false (and the empty record) after the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some((value, max)) = self.record.last_mut() {
            if *value < *max {
                *value += 1;
                return true;
            }
            self.record.pop();
        }
        false
    }

    /// Appends the record to a cursor, behind the number of what is being enumerated.
    pub(crate) fn save(&self, index: u64, cursor: &mut Vec<u64>) {
        cursor.extend([index, self.record.len() as u64]);
        cursor.extend(self.record.iter().flat_map(|&(value, max)| [value, max]));
    }

    /// Takes the first number and record from a cursor, if it is not empty.
    pub(crate) fn restore(cursor: &mut &[u64]) -> Option<(u64, Self)> {
        let (&[index, length], rest) = cursor.split_first_chunk()?;
        let (pairs, rest) = rest.split_at_checked(length as usize * 2)?;
        *cursor = rest;
        let pairs = pairs.chunks_exact(2);
        let record = pairs.map(|pair| (pair[0], pair[1])).collect();
        Some((index, Choices { record, asked: 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerates_a_tree_whose_shape_depends_on_the_choices() {
        let mut choices = Choices::default();
        let mut leaves = Vec::new();
        loop {
            let first = choices.choose(2);
            let rest = if first == 1 { choices.choose(1) } else { 0 };
            leaves.push((first, rest));
            let mut cursor = vec![];
            choices.save(7, &mut cursor);
            choices.save(8, &mut cursor);
            let mut rest = &cursor[..];
            let (index, restored) = Choices::restore(&mut rest).unwrap();
            assert_eq!(index, 7);
            choices = restored;
            assert_eq!(Choices::restore(&mut rest).unwrap().0, 8);
            assert!(Choices::restore(&mut rest).is_none());
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(leaves, [(0, 0), (1, 0), (1, 1), (2, 0)]);
    }
}

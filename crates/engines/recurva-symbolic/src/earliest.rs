//! Which of many sets, found one after the other, was the first to meet a set?

use crate::space::{Bdd, Res, Space};

/// Sets in a row, with the unions of neighbours, of neighbouring unions, and so on: the first
/// one that meets a set is found by looking at a few of them.
pub(crate) struct Earliest {
    /// The sets themselves, then the unions of two, of four, and so on.
    levels: Vec<Vec<Bdd>>,
}

impl Earliest {
    pub(crate) fn new<'b>(space: &Space, sets: impl Iterator<Item = &'b Bdd>) -> Res<Self> {
        let mut levels: Vec<Vec<Bdd>> = vec![sets.cloned().collect()];
        while let Some(last) = levels.last()
            && last.len() > 1
        {
            let pairs = last.chunks_exact(2);
            let unions = pairs.map(|pair| space.or(&pair[0], &pair[1]));
            let unions = unions.collect::<Res<_>>()?;
            levels.push(unions);
        }
        Ok(Earliest { levels })
    }

    /// The first one, of the first `count`, that meets a set.
    pub(crate) fn first(&self, space: &Space, count: usize, set: &Bdd) -> Res<Option<usize>> {
        let meets = |(level, at): (usize, usize)| -> Res<bool> {
            let meeting = space.and(&self.levels[level][at], set)?;
            Ok(!space.is_false(&meeting))
        };
        for (mut level, mut at) in self.parts(count) {
            if !meets((level, at))? {
                continue;
            }
            while level > 0 {
                level -= 1;
                at *= 2;
                if !meets((level, at))? {
                    at += 1;
                }
            }
            return Ok(Some(at));
        }
        Ok(None)
    }

    /// The union of the first `count`.
    pub(crate) fn union(&self, space: &Space, count: usize) -> Res<Bdd> {
        let mut parts = self.parts(count);
        parts.try_fold(space.falsity(), |all, (level, at)| {
            space.or(&all, &self.levels[level][at])
        })
    }

    /// The unions that make up the first `count`, largest ones first: a level and a position
    /// in it.
    fn parts(&self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let levels = (0..self.levels.len()).rev();
        let bits = levels.filter(move |level| count >> level & 1 == 1);
        bits.map(move |level| (level, ((count >> level) - 1)))
    }
}

//! Images as sequences of conjunctions, each followed by a quantification.
//!
//! A relation is kept in parts. Each variable that has to go is quantified as soon as no
//! later part mentions it, so that what is in between stays small.

use std::collections::HashSet;

use crate::space::{Bdd, Res, Space, VarNo};

/// Conjunctions, each with the cube of the variables that are quantified along with it.
#[derive(Clone, Default)]
pub(crate) struct Steps(Vec<(Bdd, Bdd)>);

impl From<Vec<(Bdd, Bdd)>> for Steps {
    fn from(steps: Vec<(Bdd, Bdd)>) -> Self {
        Steps(steps)
    }
}

impl Steps {
    /// The image of a set or relation.
    pub(crate) fn apply(&self, space: &Space, start: &Bdd) -> Res<Bdd> {
        self.0.iter().try_fold(start.clone(), |set, (part, cube)| {
            if space.is_true(cube) {
                space.and(&set, part)
            } else if space.is_true(part) {
                space.exists(&set, cube)
            } else {
                space.and_exists(&set, part, cube)
            }
        })
    }

    /// Adds a step, unless it does nothing.
    pub(crate) fn push(&mut self, space: &Space, part: Bdd, cube: Bdd) {
        if !(space.is_true(&part) && space.is_true(&cube)) {
            self.0.push((part, cube));
        }
    }

    /// Adds steps for all parts of a relation. The variables in `gone` are quantified, each
    /// with the last part that mentions it.
    pub(crate) fn push_parts(&mut self, space: &Space, parts: &[Bdd], gone: &[VarNo]) -> Res<()> {
        let mut left: HashSet<VarNo> = gone.iter().copied().collect();
        let supports: Vec<HashSet<VarNo>> = parts
            .iter()
            .map(|part| space.support(part).into_iter().collect())
            .collect();
        for (index, part) in parts.iter().enumerate() {
            let later = &supports[index + 1..];
            let now = left.iter().copied();
            let now: Vec<VarNo> = now
                .filter(|var| !later.iter().any(|support| support.contains(var)))
                .collect();
            now.iter().for_each(|var| {
                left.remove(var);
            });
            self.push(space, part.clone(), space.cube(now)?);
        }
        if parts.is_empty() {
            self.push(space, space.truth(), space.cube(gone.to_vec())?);
        }
        Ok(())
    }
}

/// The step that renames variables: each first one becomes the second one, which must not
/// occur before.
pub(crate) fn rename(space: &Space, pairs: &[(VarNo, VarNo)]) -> Res<(Bdd, Bdd)> {
    let relation = equate(space, pairs)?;
    let cube = space.cube(pairs.iter().map(|&(from, _)| from).collect())?;
    Ok((relation, cube))
}

/// The valuations in which the variables of each pair have the same value.
pub(crate) fn equate(space: &Space, pairs: &[(VarNo, VarNo)]) -> Res<Bdd> {
    let mut pairs = pairs.to_vec();
    // From the bottom of the order up, so that no step walks over what is there.
    pairs.sort_unstable_by_key(|&(from, to)| std::cmp::Reverse(from.min(to)));
    pairs.iter().try_fold(space.truth(), |all, &(from, to)| {
        space.and(&space.equiv(&space.var(from)?, &space.var(to)?)?, &all)
    })
}

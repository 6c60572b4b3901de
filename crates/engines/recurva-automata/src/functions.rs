//! Monotone Boolean functions of exits, as the minimal sets of exits that make them true.

/// A monotone Boolean function. The sets are sorted, and none contains another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    sets: Vec<Vec<u32>>,
}

/// There are more sets than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Function {
    pub(crate) fn constant(value: bool) -> Self {
        Function {
            sets: if value { vec![Vec::new()] } else { Vec::new() },
        }
    }

    pub(crate) fn variable(exit: u32) -> Self {
        Function {
            sets: vec![vec![exit]],
        }
    }

    /// The minimal sets of exits.
    pub(crate) fn sets(&self) -> &[Vec<u32>] {
        &self.sets
    }

    pub(crate) fn is_true(&self) -> bool {
        self.sets.first().is_some_and(Vec::is_empty)
    }

    pub(crate) fn is_false(&self) -> bool {
        self.sets.is_empty()
    }

    fn insert(&mut self, set: Vec<u32>) {
        if self.sets.iter().any(|known| contains(&set, known)) {
            return;
        }
        self.sets.retain(|known| !contains(known, &set));
        let place = self.sets.binary_search(&set).unwrap_or_else(|place| place);
        self.sets.insert(place, set);
    }

    pub(crate) fn or(mut self, other: &Function, limit: usize) -> Result<Self, TooMany> {
        for set in &other.sets {
            self.insert(set.clone());
        }
        self.within(limit)
    }

    pub(crate) fn and(self, other: &Function, limit: usize) -> Result<Self, TooMany> {
        if self.is_true() || other.is_false() {
            return Ok(other.clone());
        }
        if other.is_true() || self.is_false() {
            return Ok(self);
        }
        let mut product = Function::constant(false);
        for one in &self.sets {
            for other in &other.sets {
                product.insert(union(one, other));
            }
            product = product.within(limit)?;
        }
        Ok(product)
    }

    fn within(self, limit: usize) -> Result<Self, TooMany> {
        match self.sets.len() <= limit {
            true => Ok(self),
            false => Err(TooMany),
        }
    }

    /// The function with a function in the place of each exit.
    pub(crate) fn substitute<'v>(
        &self,
        value: impl Fn(u32) -> &'v Function,
        limit: usize,
    ) -> Result<Self, TooMany> {
        let mut sum = Function::constant(false);
        for set in &self.sets {
            let mut product = Function::constant(true);
            for &exit in set {
                product = product.and(value(exit), limit)?;
            }
            sum = sum.or(&product, limit)?;
        }
        Ok(sum)
    }
}

fn union(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = one.iter().chain(other).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a sorted set contains another.
fn contains(set: &[u32], part: &[u32]) -> bool {
    part.len() <= set.len() && {
        let mut rest = set.iter();
        part.iter().all(|exit| rest.any(|other| other == exit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function as a table over so many variables.
    fn table(function: &Function, variables: u32) -> Vec<bool> {
        let holds = |values: u32| {
            let mut sets = function.sets().iter();
            sets.any(|set| set.iter().all(|&exit| values >> exit & 1 == 1))
        };
        (0..1 << variables).map(holds).collect()
    }

    #[test]
    fn operations_agree_with_tables() {
        let variable = Function::variable;
        let and = |a: &Function, b: &Function| a.clone().and(b, 100).unwrap();
        let or = |a: &Function, b: &Function| a.clone().or(b, 100).unwrap();
        let mut list = vec![Function::constant(false), Function::constant(true)];
        list.extend((0..3).map(variable));
        for _ in 0..3 {
            let known = list.clone();
            for one in &known {
                for other in &known {
                    list.extend([and(one, other), or(one, other)]);
                }
            }
            list.sort_by_key(|function| function.sets().to_vec());
            list.dedup();
        }
        // All monotone functions of three variables.
        assert_eq!(list.len(), 20);
        for one in &list {
            for other in &list {
                let (left, right) = (table(one, 3), table(other, 3));
                let pairs = || left.iter().zip(&right);
                let both: Vec<bool> = pairs().map(|(a, b)| *a && *b).collect();
                let either: Vec<bool> = pairs().map(|(a, b)| *a || *b).collect();
                assert_eq!(table(&and(one, other), 3), both);
                assert_eq!(table(&or(one, other), 3), either);
            }
            for values in [[0, 1, 2], [7, 13, 19], [18, 3, 9]] {
                let made = one
                    .substitute(|exit| &list[values[exit as usize]], 100)
                    .unwrap();
                let tables = values.map(|index| table(&list[index], 3));
                let expected = (0..8).map(|row| {
                    let inner = (0..3)
                        .map(|v| usize::from(tables[v][row]) << v)
                        .sum::<usize>();
                    table(one, 3)[inner]
                });
                assert_eq!(table(&made, 3), expected.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_limit_is_an_answer() {
        let pairs = (0..10).map(|i| {
            let one = Function::variable(2 * i);
            one.or(&Function::variable(2 * i + 1), 100).unwrap()
        });
        let product = pairs
            .into_iter()
            .try_fold(Function::constant(true), |product, pair| {
                product.and(&pair, 500)
            });
        assert_eq!(product, Err(TooMany));
    }
}

//! Numbers that are only compared with constants, as the class they are in.
//!
//! `int x = nondet(); if (x > 10 && x == 13) …` asks three things of `x`, not 2^32: the constants cut
//! the numbers into `x < 11`, `11..=12`, `13` and `x > 13`. Variables that values are copied between
//! have the same classes, so a copy stays a copy. [`flow`] finds groups of such variables, here their
//! numbers are cut into classes, and [`rewrite`] puts the number of the class in place of the number.
//!
//! Values of a group may also be compared with each other, as long as one of the two is a constant in any
//! case: `s == NP` where `NP` is a variable that is only ever 1. Then each constant is a class of its own.
//!
//! Nothing is lost: a comparison has one result for all numbers of a class, and nothing else is done with
//! them. A number that a run chooses is any one of its class, of which [`ChosenPart::table`] has one.

mod flow;
mod rewrite;

use std::sync::Arc;

use recurva_model::{Binary, Parts, Patience, Stop, Type};

use self::flow::{Comparison, Flow, Group};
#[cfg(doc)]
use crate::lowered::ChosenPart;
use crate::lowered::EdgeInfo;

/// Numbers of so few bits are left as they are.
const FEW_BITS: u8 = 3;

/// Numbers in classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Classes {
    /// The bits of the numbers.
    bits: u8,
    /// The first number of each class, in the order of the bits without a sign; the first one is 0.
    starts: Vec<u64>,
}

impl Classes {
    /// The coarsest classes that comparisons cannot tell the numbers of apart.
    fn new(bits: u8, comparisons: &[Comparison]) -> Self {
        let all = Type::unsigned(bits);
        let mut starts = vec![0];
        for comparison in comparisons {
            starts.push(comparison.constant);
            starts.push(all.wrap(comparison.constant.wrapping_add(1)));
            if comparison.ty.is_signed() {
                starts.push(1 << (bits - 1));
            }
        }
        starts.sort_unstable();
        starts.dedup();
        // What all comparisons agree about need not be told apart.
        let mut kept: Vec<u64> = Vec::with_capacity(starts.len());
        for start in starts {
            let is_same = |known: u64| {
                comparisons
                    .iter()
                    .all(|it| it.holds(known) == it.holds(start))
            };
            if !kept.last().is_some_and(|&known| is_same(known)) {
                kept.push(start);
            }
        }
        Classes { bits, starts: kept }
    }

    /// The type of the numbers of classes. It may have more values than there are classes: what is
    /// too large means the last one.
    fn ty(&self) -> Type {
        let last = self.starts.len() as u64 - 1;
        Type::unsigned((64 - last.leading_zeros()).max(1) as u8)
    }

    /// Whether no constant is in the last class, or there is nothing behind it.
    fn is_last_free(&self, constants: &[u64]) -> bool {
        let last = self.starts.len() as u64 - 1;
        last == self.ty().mask() || constants.iter().all(|&it| self.of(it) != last)
    }

    /// The class of a number.
    fn of(&self, number: u64) -> u64 {
        let number = Type::unsigned(self.bits).wrap(number);
        self.starts.partition_point(|&start| start <= number) as u64 - 1
    }

    /// The classes whose numbers a comparison holds for, as the first and the last of each range.
    fn ranges(&self, comparison: Comparison) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (class, &start) in self.starts.iter().enumerate() {
            if !comparison.holds(start) {
                continue;
            }
            let class = class as u64;
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == class => *last = class,
                _ => ranges.push((class, class)),
            }
        }
        ranges
    }

    /// A number of each class, by the value that stands for the class: as near to 0 as there is one.
    fn table(&self) -> Arc<[u64]> {
        let all = Type::unsigned(self.bits);
        let middle = 1u64 << (self.bits - 1);
        let count = self.starts.len();
        let number = |value: u64| {
            let class = (value as usize).min(count - 1);
            let first = self.starts[class];
            let last = self
                .starts
                .get(class + 1)
                .map_or(all.mask(), |next| next - 1);
            // Small numbers come first, large ones are small negative ones.
            if first < middle { first } else { last }
        };
        (0..=self.ty().mask()).map(number).collect()
    }
}

/// Replaces such numbers.
///
/// # Errors
///
/// If patience ends.
pub(crate) fn classify(
    parts: &mut Parts,
    edges: &mut [Vec<EdgeInfo>],
    patience: &mut Patience<'_>,
) -> Result<(), Stop> {
    let flow = Flow::new(parts, patience)?;
    let groups = flow.into_groups(|group: &Group| {
        if group.bits <= FEW_BITS {
            return None;
        }
        let mut comparisons = group.comparisons.clone();
        if group.is_paired {
            let ty = Type::unsigned(group.bits);
            comparisons.extend(group.constants.iter().map(|&constant| Comparison {
                operator: Binary::Equal,
                constant,
                ty,
            }));
        }
        let classes = Classes::new(group.bits, &comparisons);
        let is_smaller = classes.ty().bits() < group.bits;
        // Values behind the last class mean the last one, but they are not the same number.
        let is_exact = !group.is_paired || classes.is_last_free(&group.constants);
        (is_smaller && is_exact).then_some(classes)
    });
    rewrite::rewrite(parts, edges, &groups, patience)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparisons(ty: Type, list: &[(Binary, i128)]) -> Vec<Comparison> {
        let make = |&(operator, number): &(Binary, i128)| Comparison {
            operator,
            constant: ty.from_number(number).expect("it fits"),
            ty,
        };
        list.iter().map(make).collect()
    }

    #[test]
    fn comparisons_agree_about_all_numbers_of_a_class() {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let lists: [&[(Binary, i128)]; 6] = [
            &[(Greater, 10), (Equal, 13)],
            &[(Less, -3), (GreaterEqual, 0), (NotEqual, 31)],
            &[(LessEqual, -32), (LessEqual, 31)],
            &[(Equal, 5)],
            &[],
            &[(Less, 0), (Equal, -1), (Equal, -2), (Greater, 20)],
        ];
        for list in lists {
            for ty in [Type::signed(6), Type::unsigned(6)] {
                let list: Vec<_> = (list.iter().copied())
                    .filter(|it| ty.from_number(it.1).is_some())
                    .collect();
                let comparisons = comparisons(ty, &list);
                let classes = Classes::new(6, &comparisons);
                let table = classes.table();
                for number in 0..64 {
                    let class = classes.of(number);
                    let other = table[class as usize];
                    assert_eq!(classes.of(other), class);
                    for &comparison in &comparisons {
                        assert_eq!(comparison.holds(number), comparison.holds(other));
                        let ranges = classes.ranges(comparison);
                        let is_in = ranges.iter().any(|it| (it.0..=it.1).contains(&class));
                        assert_eq!(is_in, comparison.holds(number), "{comparison:?} {number}");
                    }
                }
            }
        }
    }

    #[test]
    fn few_comparisons_make_few_classes() {
        let ty = Type::signed(32);
        let count = |list| Classes::new(32, &comparisons(ty, list)).starts.len();
        assert_eq!(count(&[(Binary::NotEqual, 77)]), 3);
        assert_eq!(count(&[(Binary::Equal, 0)]), 2);
        // In the order of bits, the numbers up to 10 lie at both ends.
        assert_eq!(count(&[(Binary::Greater, 10), (Binary::Equal, 13)]), 5);
        assert_eq!(count(&[]), 1);
    }
}

//! More bounds that no run has refuted: of differences, of parameters in cases, and of low bits.

use recurva_certificate::formula::{Arithmetic, BitOperator, Part, When};
use recurva_model::{Point, Program, Type, VarRef};

use super::candidates::{Column, Guess};
use crate::live::Live;

/// So many numbers are subtracted from each other, and so many bounds are tried on each side.
const SUBTRACTED: usize = 8;
const BOUNDS: usize = 3;

/// So many formulas say what bounds a parameter has in a case, and a parameter that stands for cases has so
/// many values.
const IN_CASES: usize = 300;
const VALUES: usize = 5;

/// So many globals are said to be as they were.
const UNCHANGED: usize = 100;

impl Guess<'_> {
    /// That globals that a procedure does not write are as they were. Nothing else says so after a call.
    pub(super) fn unchanged(&mut self, program: &Program, live: &Live, point: Point) {
        let globals = program.globals().iter().enumerate();
        let same = globals.filter_map(|(index, variable)| {
            let reference = VarRef::Global(index as u32);
            let is_same = variable.len.is_none()
                && live.is_read(reference)
                && !live.is_written_in(point.procedure, reference);
            is_same.then_some(reference)
        });
        for global in same.take(UNCHANGED) {
            let [now, before] = [When::Now, When::Entry].map(|it| self.column((global, it)));
            let same = self.builder.equal(now, before);
            self.keep(same);
        }
    }

    /// That low bits are always the same, if those are more than a remainder would be guessed of.
    pub(super) fn low_bits(&mut self, columns: &[(Column, Type)]) {
        for &(column, ty) in columns {
            let values = self.distinct(column);
            let (&[first, _, ..], Type::Int { bits, .. }) = (&values[..], ty) else {
                continue;
            };
            let differing = values.iter().fold(0, |all, it| all | (it ^ first));
            let same = differing.trailing_zeros().min(u32::from(bits));
            if same <= 6 {
                continue;
            }
            let mask = (1 << same) - 1;
            let (part, number) = (self.column(column), self.builder.int(mask));
            let low = self.builder.bits(BitOperator::And, ty, part, number);
            let wanted = self.builder.int(first & mask);
            let is_so = self.builder.equal(low, wanted);
            self.keep(is_so);
        }
    }

    /// Bounds of differences that are near numbers of the program.
    pub(super) fn differences(&mut self, numbers: &[Column], constants: &[i128]) {
        let numbers = &numbers[..numbers.len().min(SUBTRACTED)];
        for (index, &left) in numbers.iter().enumerate() {
            for &right in &numbers[..index] {
                let values = self.values(left).into_iter().zip(self.values(right));
                let values: Vec<i128> = values.map(|(left, right)| left - right).collect();
                let parts = [left, right].map(|it| self.column(it));
                let subtract = Arithmetic::Subtract;
                let difference = self.builder.arithmetic(subtract, parts[0], parts[1]);
                self.near_bounds(difference, &values, constants);
            }
        }
    }

    /// Bounds of a part that are near numbers of the program, the closest ones.
    fn near_bounds(&mut self, part: Part, values: &[i128], constants: &[i128]) {
        let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else {
            return;
        };
        let far = constants.iter().filter(|it| it.abs() > 2);
        let mut near: Vec<i128> = far
            .flat_map(|&it| (it - 2..=it + 2).chain(-it - 2..=-it + 2))
            .collect();
        near.sort_unstable();
        near.dedup();
        let above = near.iter().filter(|&&it| it >= most).take(BOUNDS);
        for &bound in above {
            let bound = self.builder.int(bound);
            let is_below = self.builder.less_equal(part, bound);
            self.keep(is_below);
        }
        let below = near.iter().rev().filter(|&&it| it <= least).take(BOUNDS);
        for &bound in below {
            let bound = self.builder.int(bound);
            let is_above = self.builder.less_equal(bound, part);
            self.keep(is_above);
        }
    }

    /// Upper bounds of parameters when another one has some value: near numbers of the program, and powers of
    /// two, as short runs do not come near to what is possible.
    pub(super) fn bounds_in_cases(&mut self, columns: &[(Column, Type)], constants: &[i128]) {
        let before = self.found.len();
        for &(column, ty) in columns {
            let values = self.distinct(column);
            if !(2..=VALUES).contains(&values.len()) {
                continue;
            }
            let samples = self.values(column);
            for value in values {
                let case = self.has_value(column, ty, value);
                for &(other, ty) in columns {
                    let Type::Int { bits, .. } = ty else {
                        continue;
                    };
                    if other == column || self.found.len() > before + IN_CASES {
                        continue;
                    }
                    let seen = self.values(other).into_iter().zip(&samples);
                    let seen = seen.filter(|it| *it.1 == value).map(|it| it.0);
                    let Some(most) = seen.max() else {
                        continue;
                    };
                    let near = constants.iter().flat_map(|&it| it - 1..=it + 1);
                    let mut near: Vec<i128> = near.filter(|it| *it >= most).collect();
                    near.sort_unstable();
                    near.dedup();
                    near.truncate(BOUNDS);
                    let powers = (4..u32::from(bits) - 1).map(|it| 1 << it);
                    near.extend(powers.filter(|it| *it >= most));
                    let part = self.column(other);
                    for bound in near {
                        let bound = self.builder.int(bound);
                        let is_below = self.builder.less_equal(part, bound);
                        let is_so = self.builder.implies(case, is_below);
                        self.keep(is_so);
                    }
                }
            }
        }
    }
}

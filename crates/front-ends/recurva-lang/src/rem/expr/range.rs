//! The values that an integer expression can have, as a range: what surely fits needs no test.

use recurva_model::Binary;

/// Numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    low: i128,
    high: i128,
}

impl Range {
    /// All numbers that expressions are computed with.
    const ALL: Range = Range {
        low: i64::MIN as i128,
        high: i64::MAX as i128,
    };

    pub(crate) const fn new(low: i64, high: i64) -> Self {
        Range {
            low: low as i128,
            high: high as i128,
        }
    }

    /// The numbers of so many bits.
    pub(crate) const fn bits(bits: u8) -> Self {
        Range {
            low: 0,
            high: (1 << bits) - 1,
        }
    }

    /// Whether all numbers are in the other range too.
    pub(crate) const fn within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Whether no number is in the other range.
    pub(crate) const fn misses(self, other: Range) -> bool {
        self.high < other.low || other.high < self.low
    }

    const fn is_natural(self) -> bool {
        self.low >= 0
    }

    /// What is not a 64-bit number wraps around, and then may be any.
    fn wrap(low: i128, high: i128) -> Range {
        let range = Range { low, high };
        if range.within(Range::ALL) {
            range
        } else {
            Range::ALL
        }
    }

    /// The negated numbers.
    pub(crate) fn negate(self) -> Range {
        Range::wrap(-self.high, -self.low)
    }

    /// The results of an operator that is no comparison.
    pub(crate) fn apply(operator: Binary, left: Range, right: Range) -> Range {
        let natural = left.is_natural() && right.is_natural();
        let from_zero = |high| Range::wrap(0, high);
        match operator {
            Binary::Add => Range::wrap(left.low + right.low, left.high + right.high),
            Binary::Subtract => Range::wrap(left.low - right.high, left.high - right.low),
            Binary::Multiply => {
                let ends = [
                    left.low * right.low,
                    left.low * right.high,
                    left.high * right.low,
                    left.high * right.high,
                ];
                let low = ends.into_iter().min().unwrap_or_default();
                Range::wrap(low, ends.into_iter().max().unwrap_or_default())
            }
            _ if !natural => Range::ALL,
            Binary::Divide => {
                Range::wrap(left.low / right.high.max(1), left.high / right.low.max(1))
            }
            Binary::Remainder => from_zero(left.high.min((right.high - 1).max(0))),
            Binary::ShiftLeft if right.high < 63 => from_zero(left.high << right.high),
            Binary::ShiftRight => from_zero(left.high >> right.low.min(64)),
            Binary::And => from_zero(left.high.min(right.high)),
            Binary::Or | Binary::Xor => {
                let bits = 128 - left.high.max(right.high).leading_zeros();
                from_zero((1 << bits) - 1)
            }
            _ => Range::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of small numbers, computed by the model's own operators.
    #[test]
    fn no_result_is_outside_its_range() {
        use Binary::*;
        let wide = recurva_model::Type::signed(64);
        let operators = [
            Add, Subtract, Multiply, Divide, Remainder, ShiftLeft, ShiftRight, And, Or, Xor,
        ];
        let ends = [-3i64, -1, 0, 1, 2, 5, 9];
        let ranges = || ends.iter().flat_map(|&l| ends.iter().map(move |&h| (l, h)));
        for operator in operators {
            for (l1, h1) in ranges().filter(|(l, h)| l <= h) {
                for (l2, h2) in ranges().filter(|(l, h)| l <= h) {
                    let range = Range::apply(operator, Range::new(l1, h1), Range::new(l2, h2));
                    for (a, b) in (l1..=h1).flat_map(|a| (l2..=h2).map(move |b| (a, b))) {
                        let Some(value) = operator.apply(wide, a as u64, b as u64) else {
                            continue;
                        };
                        let value = Range::new(value as i64, value as i64);
                        assert!(value.within(range), "{operator:?} {a} {b}: {range:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn large_results_wrap_around() {
        let large = Range::new(0, i64::MAX);
        assert_eq!(Range::apply(Binary::Multiply, large, large), Range::ALL);
        assert_eq!(
            Range::apply(Binary::ShiftLeft, large, Range::new(0, 62)),
            Range::ALL
        );
        assert_eq!(Range::ALL.negate(), Range::ALL);
    }
}

//! Linear equations that all of some points satisfy.

/// Factors of at most that size are of interest.
const LARGEST: i128 = 10_000;

/// A fraction in lowest terms, its divisor positive.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(over: i128, under: i128) -> Option<Self> {
        if under == 0 {
            return None;
        }
        let common = gcd(over, under).max(1);
        let sign = under.signum();
        Some(Fraction(sign * over / common, sign * under / common))
    }

    fn subtract_product(self, factor: Self, other: Self) -> Option<Self> {
        let product = Fraction::new(
            factor.0.checked_mul(other.0)?,
            factor.1.checked_mul(other.1)?,
        )?;
        let over = self.0.checked_mul(product.1)?;
        let over = over.checked_sub(product.0.checked_mul(self.1)?)?;
        Fraction::new(over, self.1.checked_mul(product.1)?)
    }

    fn divide(self, by: Self) -> Option<Self> {
        Fraction::new(self.0.checked_mul(by.1)?, self.1.checked_mul(by.0)?)
    }
}

/// Equations whose factors times the columns add up to zero in all rows: each says what one column is
/// of earlier ones.
pub(crate) fn equations(rows: &[Vec<i128>], columns: usize) -> Vec<Vec<i128>> {
    // Rows in reduced form, each with the column that it begins with.
    let mut reduced: Vec<(usize, Vec<Fraction>)> = Vec::new();
    for row in rows {
        let row: Vec<Fraction> = row.iter().map(|&it| Fraction(it, 1)).collect();
        let Some((first, row)) = rest(row, &reduced) else {
            continue;
        };
        let mut others = Vec::with_capacity(reduced.len() + 1);
        for (at, other) in reduced {
            match without(other.clone(), first, &row) {
                Some(other) => others.push((at, other)),
                // Numbers grew too large: what is known stays as it is.
                None => return Vec::new(),
            }
        }
        others.push((first, row));
        reduced = others;
    }
    let is_first = |column: usize| reduced.iter().any(|it| it.0 == column);
    let mut found = Vec::new();
    for column in (0..columns).filter(|&it| !is_first(it)) {
        let mut equation = vec![Fraction(0, 1); columns];
        equation[column] = Fraction(1, 1);
        for (first, row) in &reduced {
            equation[*first] = Fraction(-row[column].0, row[column].1);
        }
        let common = equation.iter().try_fold(1i128, |common, it| {
            (common / gcd(common, it.1)).checked_mul(it.1)
        });
        let Some(common) = common.filter(|it| *it <= LARGEST) else {
            continue;
        };
        let factors: Vec<i128> = equation.iter().map(|it| it.0 * (common / it.1)).collect();
        if factors.iter().all(|it| it.abs() <= LARGEST) {
            found.push(factors);
        }
    }
    found
}

/// What is left of a row when others are taken out of it, and where that begins; none if nothing is, or
/// numbers get too large.
fn rest(
    mut row: Vec<Fraction>,
    reduced: &[(usize, Vec<Fraction>)],
) -> Option<(usize, Vec<Fraction>)> {
    for (first, other) in reduced {
        row = without(row, *first, other)?;
    }
    let first = row.iter().position(|it| it.0 != 0)?;
    let by = row[first];
    let row: Option<Vec<Fraction>> = row.into_iter().map(|it| it.divide(by)).collect();
    Some((first, row?))
}

/// A row without its part in a column, where the other row has 1.
fn without(row: Vec<Fraction>, column: usize, other: &[Fraction]) -> Option<Vec<Fraction>> {
    let factor = row[column];
    if factor.0 == 0 {
        return Some(row);
    }
    let pairs = row.into_iter().zip(other);
    pairs
        .map(|(it, &other)| it.subtract_product(factor, other))
        .collect()
}

fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.abs(), right.abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_the_first_numbers_is_found() {
        // 1, i, s, i * i
        let rows: Vec<Vec<i128>> = (0..12)
            .map(|i| vec![1, i, i * (i + 1) / 2, i * i])
            .collect();
        assert_eq!(equations(&rows, 4), [vec![0, 1, -2, 1]]);
    }

    #[test]
    fn all_that_is_found_is_so() {
        let mut rng = recurva_testkit::rng::Rng::new(3);
        for _ in 0..500 {
            let mut number = || rng.below(9) as i128 - 4;
            let factors = [number(), number(), number()];
            let rows: Vec<Vec<i128>> = (0..8)
                .map(|_| {
                    let (x, y) = (number(), number());
                    vec![1, x, y, factors[0] + factors[1] * x + factors[2] * y]
                })
                .collect();
            let found = equations(&rows, 4);
            assert!(!found.is_empty());
            for equation in found {
                assert!(equation.iter().any(|it| *it != 0));
                for row in &rows {
                    let sum: i128 = equation.iter().zip(row).map(|(a, b)| a * b).sum();
                    assert_eq!(sum, 0);
                }
            }
        }
    }
}

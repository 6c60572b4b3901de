//! Equations that all samples satisfy, or all those in which some variable has some value: between
//! integers, and between words, where numbers wrap around.

use recurva_certificate::{
    Builder, Formula,
    formula::{Arithmetic, BitOperator, Part, Values as _, When},
};
use recurva_model::{Type, VarRef};

use super::{linear::equations, samples::Read};

/// A variable at one of the two moments, and its type.
pub(super) type Column = (VarRef, When, Type);

/// Sums are made of so many variables; if there are products in them, or if something is said to be the
/// case, of fewer.
const VARIABLES: usize = 7;
const WITH_PRODUCTS: usize = 4;
const IN_A_CASE: usize = 5;

/// An equation has so many summands.
const SUMMANDS: usize = 5;

/// So many cases are looked at, and a variable that stands for cases has so many values.
const CASES: usize = 12;
const VALUES: usize = 5;

/// So many formulas are made.
const MOST: usize = 80;

/// Equations are looked for where no number is larger than that.
const LARGEST: i128 = 1 << 14;

/// Two to the power of more is no word.
const EXPONENT: i128 = 62;

/// What is added up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summand {
    One,
    Variable(usize),
    Product(usize, usize),
    /// Two to the power of a variable.
    Power(usize),
}

/// What is known of some samples.
struct Case {
    condition: Part,
    samples: Vec<usize>,
}

/// Looks for equations.
pub(super) struct Relations<'a> {
    builder: &'a mut Builder,
    reads: &'a [Read<'a, 'a>],
    columns: Vec<Column>,
    /// For each of the columns, its value in each sample.
    values: Vec<Vec<i128>>,
    found: Vec<Formula>,
}

impl<'a> Relations<'a> {
    /// Equations between columns.
    pub(super) fn find(
        builder: &'a mut Builder,
        reads: &'a [Read<'a, 'a>],
        columns: &[Column],
    ) -> Vec<Formula> {
        let value = |it: &Read<'_, '_>, of: &Column| it.value(of.0, of.1, 0).unwrap_or(0);
        let columns: Vec<Column> = columns.iter().copied().take(VARIABLES).collect();
        let of = |column: &Column| reads.iter().map(|it| value(it, column)).collect();
        let mut relations = Relations {
            builder,
            reads,
            values: columns.iter().map(of).collect(),
            columns,
            found: Vec::new(),
        };
        relations.everywhere();
        relations.in_cases();
        relations.found
    }

    fn everywhere(&mut self) {
        let always = Case {
            condition: self.builder.bool(true),
            samples: (0..self.reads.len()).collect(),
        };
        let variables: Vec<usize> = (0..self.columns.len()).collect();
        let sums = with_one(&variables);
        let solved = self.equations(&always, &sums, 2);
        // What is a sum of others adds nothing to their products.
        let free: Vec<usize> = variables
            .iter()
            .copied()
            .filter(|it| !solved.contains(it))
            .collect();
        if free.len() <= WITH_PRODUCTS {
            let mut summands = with_one(&free);
            for (index, &left) in free.iter().enumerate() {
                let rights = free[index..].iter();
                summands.extend(rights.map(|&right| Summand::Product(left, right)));
            }
            self.equations(&always, &summands, 2);
        }
        let powers = self.powers(&always);
        if !powers.is_empty() {
            let mut summands = with_one(&variables);
            summands.extend(powers);
            self.equations(&always, &summands, 2);
        }
    }

    fn in_cases(&mut self) {
        for case in self.cases() {
            let others: Vec<usize> = (0..self.columns.len())
                .filter(|&it| self.varies(it, &case))
                .take(IN_A_CASE)
                .collect();
            let sums = with_one(&others);
            self.equations(&case, &sums, 1);
            let powers = self.powers(&case);
            for power in powers {
                for &other in &others {
                    let summands = [Summand::One, Summand::Variable(other), power];
                    if power != Summand::Power(other) {
                        self.equations(&case, &summands, 1);
                    }
                }
            }
        }
    }

    /// That a variable of few values has one of them, and that one of both signs is not negative, or not
    /// positive.
    fn cases(&mut self) -> Vec<Case> {
        let mut cases = Vec::new();
        for column in 0..self.columns.len() {
            let mut distinct = self.values[column].clone();
            distinct.sort_unstable();
            distinct.dedup();
            let (variable, when, _) = self.columns[column];
            let part = self.builder.variable(variable, when);
            let zero = self.builder.int(0);
            let (Some(&least), Some(&most)) = (distinct.first(), distinct.last()) else {
                continue;
            };
            let samples = |is_so: &dyn Fn(i128) -> bool| -> Vec<usize> {
                let all = 0..self.reads.len();
                all.filter(|&it| is_so(self.values[column][it])).collect()
            };
            if distinct.len() <= VALUES {
                for value in distinct {
                    let number = self.builder.int(value);
                    cases.push(Case {
                        condition: self.builder.equal(part, number),
                        samples: samples(&|it| it == value),
                    });
                }
            } else if least < 0 && most > 0 {
                cases.push(Case {
                    condition: self.builder.less_equal(zero, part),
                    samples: samples(&|it| it >= 0),
                });
                cases.push(Case {
                    condition: self.builder.less_equal(part, zero),
                    samples: samples(&|it| it <= 0),
                });
            }
        }
        cases.truncate(CASES);
        cases
    }

    fn varies(&self, column: usize, case: &Case) -> bool {
        let mut values = case.samples.iter().map(|&it| self.values[column][it]);
        let first = values.next();
        values.any(|it| Some(it) != first)
    }

    /// Powers of two whose exponents are small.
    fn powers(&self, case: &Case) -> Vec<Summand> {
        let is_exponent = |column: &usize| {
            let is_small = |&it: &usize| (0..=EXPONENT).contains(&self.values[*column][it]);
            self.varies(*column, case) && case.samples.iter().all(is_small)
        };
        let columns = (0..self.columns.len()).filter(is_exponent);
        columns.map(Summand::Power).collect()
    }

    fn value(&self, summand: Summand, sample: usize) -> i128 {
        let of = |column: usize| self.values[column][sample];
        match summand {
            Summand::One => 1,
            Summand::Variable(column) => of(column),
            Summand::Product(left, right) => of(left) * of(right),
            Summand::Power(column) => 1 << of(column).clamp(0, EXPONENT),
        }
    }

    /// Equations between some summands. There have to be so many more samples than summands. Returns the
    /// variables that are sums of others.
    fn equations(&mut self, case: &Case, summands: &[Summand], more: usize) -> Vec<usize> {
        let is_small = |sample: usize| {
            summands.iter().all(|&it| match it {
                Summand::One | Summand::Product(..) => true,
                _ => self.value(it, sample).abs() < LARGEST,
            })
        };
        let row = |sample: usize| -> Vec<i128> {
            summands.iter().map(|&it| self.value(it, sample)).collect()
        };
        let small = case.samples.iter().copied().filter(|&it| is_small(it));
        let rows: Vec<Vec<i128>> = small.map(row).collect();
        let mut solved = Vec::new();
        if rows.len() < summands.len() + more {
            return solved;
        }
        for factors in equations(&rows, summands.len()) {
            let sum: Vec<(i128, Summand)> = factors
                .into_iter()
                .zip(summands.iter().copied())
                .filter(|it| it.0 != 0)
                .collect();
            if sum.len() > SUMMANDS {
                continue;
            }
            let has_powers = sum.iter().any(|it| matches!(it.1, Summand::Power(_)));
            if !has_powers {
                let equation = self.between_numbers(&sum);
                self.keep(case, equation);
            }
            if let Some(equation) = self.between_words(&sum) {
                self.keep(case, equation);
            }
            if let Some(&(_, Summand::Variable(column))) = sum.last() {
                solved.push(column);
            }
        }
        solved
    }

    /// A formula that no sample refutes is kept.
    fn keep(&mut self, case: &Case, part: Part) {
        if self.found.len() >= MOST {
            return;
        }
        let everywhere = self.builder.finish(part);
        if self.found.contains(&everywhere) {
            return;
        }
        let part = self.builder.implies(case.condition, part);
        let formula = self.builder.finish(part);
        let holds = || self.reads.iter().all(|it| formula.holds(it) == Some(true));
        if !formula.is_truth() && holds() {
            self.found.push(formula);
        }
    }

    /// That a sum is zero, as one of numbers without bounds: both sides have factors above zero.
    fn between_numbers(&mut self, sum: &[(i128, Summand)]) -> Part {
        let mut sides = [self.builder.int(0); 2];
        for &(factor, summand) in sum {
            let part = self.part(summand, Type::signed(64));
            let number = self.builder.int(factor.abs());
            let part = self.times(number, part);
            let side = &mut sides[usize::from(factor < 0)];
            *side = self.plus(*side, part);
        }
        self.builder.equal(sides[0], sides[1])
    }

    /// That a sum is zero, as one of words: a variable that is there once, or minus once, and in no product,
    /// is what is left of the sum.
    fn between_words(&mut self, sum: &[(i128, Summand)]) -> Option<Part> {
        let is_alone = |column: usize| {
            sum.iter().all(|it| match it.1 {
                Summand::One | Summand::Variable(_) => true,
                Summand::Product(left, right) => left != column && right != column,
                Summand::Power(of) => of != column,
            })
        };
        let candidates = sum.iter().filter_map(|&(factor, summand)| match summand {
            Summand::Variable(column) if factor.abs() == 1 && is_alone(column) => {
                Some((factor, column))
            }
            _ => None,
        });
        let is_now = |it: &(i128, usize)| self.columns[it.1].1 == When::Now;
        let (sign, column) = candidates.max_by_key(is_now)?;
        let (variable, when, ty) = self.columns[column];
        let mut rest = self.builder.int(0);
        for &(factor, summand) in sum {
            if summand != Summand::Variable(column) {
                let part = self.part(summand, ty);
                let factor = self.builder.int(-sign * factor);
                let part = self.times(factor, part);
                rest = self.plus(rest, part);
            }
        }
        let word = self.builder.wrap(ty, rest);
        let part = self.builder.variable(variable, when);
        Some(self.builder.equal(part, word))
    }

    fn part(&mut self, summand: Summand, ty: Type) -> Part {
        let mut read = |column: usize| {
            let (variable, when, _) = self.columns[column];
            self.builder.variable(variable, when)
        };
        match summand {
            Summand::One => self.builder.int(1),
            Summand::Variable(column) => read(column),
            Summand::Product(left, right) => {
                let (left, right) = (read(left), read(right));
                self.times(left, right)
            }
            Summand::Power(column) => {
                let exponent = read(column);
                let one = self.builder.int(1);
                let shift = BitOperator::ShiftLeft;
                self.builder.bits(shift, ty, one, exponent)
            }
        }
    }

    fn plus(&mut self, left: Part, right: Part) -> Part {
        match left == self.builder.int(0) {
            true => right,
            false => self.builder.arithmetic(Arithmetic::Add, left, right),
        }
    }

    fn times(&mut self, left: Part, right: Part) -> Part {
        self.builder.arithmetic(Arithmetic::Multiply, left, right)
    }
}

/// One, and some variables.
fn with_one(variables: &[usize]) -> Vec<Summand> {
    let all = variables.iter().map(|&it| Summand::Variable(it));
    std::iter::once(Summand::One).chain(all).collect()
}

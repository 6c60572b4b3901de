//! Random questions, and what they mean by code that shares nothing with the crate's.
#![allow(dead_code, reason = "each test uses a part")]

use std::ops::ControlFlow;

use recurva_smt::{ArrayValue, Op, Scalar, Sort, Term, Terms, Value};

/// A small generator of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % bound as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    pub(crate) fn word(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

pub(crate) fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A formula as it was made up, before anything is simplified.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) sort: Sort,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Variable(usize),
    Bool(bool),
    Bits(u128),
    Int(i128),
    Constant(Box<Tree>),
    Apply(Op, Vec<Tree>),
}

/// What random formulas are made of.
pub(crate) struct Kinds {
    pub(crate) widths: Vec<u32>,
    pub(crate) arrays: Vec<(Scalar, Scalar)>,
    pub(crate) has_ints: bool,
    /// The variables, by number.
    pub(crate) variables: Vec<Sort>,
}

impl Kinds {
    pub(crate) fn name(&self, variable: usize) -> String {
        format!("v{variable}")
    }

    pub(crate) fn term(&self, terms: &mut Terms, variable: usize) -> Term {
        terms.variable(&self.name(variable), self.variables[variable])
    }

    fn leaf(&self, random: &mut Random, sort: Sort) -> Tree {
        let fitting: Vec<usize> = (0..self.variables.len())
            .filter(|&it| self.variables[it] == sort)
            .collect();
        if !fitting.is_empty() && random.below(4) != 0 {
            let shape = Shape::Variable(*random.pick(&fitting));
            return Tree { sort, shape };
        }
        let shape = match sort {
            Sort::Bool => Shape::Bool(random.below(2) == 0),
            Sort::Bits(width) => Shape::Bits(match random.below(6) {
                0 => 0,
                1 => cut(u128::MAX, width),
                2 => 1 << (width - 1),
                3 => cut(1, width),
                _ => cut(random.word(), width),
            }),
            Sort::Int => Shape::Int(random.below(9) as i128 - 4),
            Sort::Array(_, element) => Shape::Constant(Box::new(self.leaf(random, element.into()))),
        };
        Tree { sort, shape }
    }

    fn any_width(&self, random: &mut Random) -> Sort {
        Sort::Bits(*random.pick(&self.widths))
    }

    /// A random formula.
    pub(crate) fn tree(&self, random: &mut Random, sort: Sort, depth: usize) -> Tree {
        if depth == 0 || random.below(12) == 0 {
            return self.leaf(random, sort);
        }
        let (op, sorts) = self.plan(random, sort);
        let of = sorts
            .iter()
            .map(|&it| self.tree(random, it, depth - 1))
            .collect();
        let shape = Shape::Apply(op, of);
        Tree { sort, shape }
    }

    /// An operator with a result of that sort, and the sorts of its operands.
    fn plan(&self, random: &mut Random, sort: Sort) -> (Op, Vec<Sort>) {
        let make = |op: Op, sorts: &[Sort]| (op, sorts.to_vec());
        if random.below(8) == 0 {
            return make(Op::If, &[Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => {
                let bits = self.any_width(random);
                let compared = match (self.has_ints, random.below(2)) {
                    (true, 0) => Sort::Int,
                    _ => bits,
                };
                match random.below(9) {
                    0 => make(Op::Not, &[sort]),
                    1 => make(Op::And, &vec![sort; 2 + random.below(2)]),
                    2 => make(Op::Or, &vec![sort; 2 + random.below(2)]),
                    3 => make(Op::Equal, &[sort, sort]),
                    4 => {
                        let (index, element) = match self.arrays.is_empty() {
                            true => return make(Op::Equal, &[compared, compared]),
                            false => *random.pick(&self.arrays),
                        };
                        make(Op::Equal, &[Sort::Array(index, element); 2])
                    }
                    5 => make(Op::UnsignedLess, &[bits, bits]),
                    6 => make(Op::UnsignedLessEqual, &[bits, bits]),
                    7 => make(Op::Less, &[compared, compared]),
                    _ => make(
                        *random.pick(&[Op::LessEqual, Op::Equal]),
                        &[compared, compared],
                    ),
                }
            }
            Sort::Bits(width) => {
                let reads: Vec<_> = self
                    .arrays
                    .iter()
                    .filter(|it| Sort::from(it.1) == sort)
                    .collect();
                if !reads.is_empty() && random.below(4) == 0 {
                    let &&(index, element) = random.pick(&reads);
                    return make(Op::Select, &[Sort::Array(index, element), index.into()]);
                }
                match random.below(6) {
                    0 => make(*random.pick(&[Op::BitNot, Op::Negate]), &[sort]),
                    1 if width > 1 => {
                        let high = 1 + random.below(width as usize - 1) as u32;
                        make(Op::Concat, &[Sort::Bits(high), Sort::Bits(width - high)])
                    }
                    2 if width > 1 => {
                        let by = random.below(width as usize) as u32;
                        let op = match random.below(2) {
                            0 => Op::ZeroExtend(by),
                            _ => Op::SignExtend(by),
                        };
                        make(op, &[Sort::Bits(width - by)])
                    }
                    3 => {
                        let more = random.below(4) as u32;
                        let low = random.below(more as usize + 1) as u32;
                        if width + more > 128 {
                            return make(Op::Add, &[sort, sort]);
                        }
                        let op = Op::Extract {
                            high: low + width - 1,
                            low,
                        };
                        make(op, &[Sort::Bits(width + more)])
                    }
                    _ => make(*random.pick(&BINARY), &[sort, sort]),
                }
            }
            Sort::Int => match random.below(6) {
                0 => make(Op::Negate, &[sort]),
                1 => make(Op::IntDivide, &[sort, sort]),
                2 => make(Op::IntModulo, &[sort, sort]),
                _ => make(
                    *random.pick(&[Op::Add, Op::Subtract, Op::Multiply]),
                    &[sort, sort],
                ),
            },
            Sort::Array(index, element) => make(Op::Store, &[sort, index.into(), element.into()]),
        }
    }

    /// A random value.
    pub(crate) fn value(&self, random: &mut Random, sort: Sort) -> Value {
        let number = |random: &mut Random, scalar: Scalar| match scalar {
            Scalar::Bits(width) => cut(random.word(), width) as i128,
            Scalar::Int => random.below(7) as i128 - 3,
        };
        match sort {
            Sort::Bool => Value::Bool(random.below(2) == 0),
            Sort::Bits(width) => Value::Bits(match random.below(4) {
                0 => cut(u128::MAX - random.below(3) as u128, width),
                1 => cut(random.below(3) as u128, width),
                _ => cut(random.word(), width),
            }),
            Sort::Int => Value::Int(random.below(11) as i128 - 5),
            Sort::Array(index, element) => {
                let mut array = ArrayValue::constant(number(random, element));
                for _ in 0..random.below(4) {
                    let (place, value) = (number(random, index), number(random, element));
                    array.set(place, value);
                }
                Value::Array(array)
            }
        }
    }
}

pub(crate) const BINARY: [Op; 13] = [
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::UnsignedDivide,
    Op::UnsignedRemainder,
    Op::SignedDivide,
    Op::SignedRemainder,
    Op::ShiftLeft,
    Op::LogicalShiftRight,
    Op::ArithmeticShiftRight,
];

pub(crate) fn cut(bits: u128, width: u32) -> u128 {
    match width {
        128 => bits,
        _ => bits & ((1 << width) - 1),
    }
}

impl Tree {
    pub(crate) fn term(&self, kinds: &Kinds, terms: &mut Terms) -> Term {
        match &self.shape {
            Shape::Variable(number) => kinds.term(terms, *number),
            Shape::Bool(value) => terms.bool(*value),
            Shape::Bits(bits) => match self.sort {
                Sort::Bits(width) => terms.bits(*bits, width),
                _ => unreachable!(),
            },
            Shape::Int(number) => terms.int(*number),
            Shape::Constant(value) => {
                let value = value.term(kinds, terms);
                match self.sort {
                    Sort::Array(index, _) => terms.constant_array(value, index),
                    _ => unreachable!(),
                }
            }
            Shape::Apply(op, of) => {
                let of: Vec<Term> = of.iter().map(|it| it.term(kinds, terms)).collect();
                terms.apply(*op, &of)
            }
        }
    }

    fn width(&self) -> u32 {
        match self.sort {
            Sort::Bits(width) => width,
            _ => unreachable!(),
        }
    }

    /// What it means, slowly; `None` if an integer is divided by zero anywhere.
    pub(crate) fn value(&self, variables: &[Value]) -> Option<Value> {
        let (op, of) = match &self.shape {
            Shape::Variable(number) => return Some(variables[*number].clone()),
            Shape::Bool(value) => return Some(Value::Bool(*value)),
            Shape::Bits(bits) => return Some(Value::Bits(*bits)),
            Shape::Int(number) => return Some(Value::Int(*number)),
            Shape::Constant(value) => {
                let value = value.value(variables)?.code()?;
                return Some(Value::Array(ArrayValue::constant(value)));
            }
            Shape::Apply(op, of) => (*op, of),
        };
        let values: Vec<Value> = of
            .iter()
            .map(|it| it.value(variables))
            .collect::<Option<_>>()?;
        let truth = |at: usize| values[at] == Value::Bool(true);
        let width = match of[0].sort {
            Sort::Bits(width) => width,
            _ => 0,
        };
        Some(match op {
            Op::Not => Value::Bool(!truth(0)),
            Op::And => Value::Bool((0..of.len()).all(truth)),
            Op::Or => Value::Bool((0..of.len()).any(truth)),
            Op::If => values[if truth(0) { 1 } else { 2 }].clone(),
            Op::Select => match &values[0] {
                Value::Array(array) => Value::decoded(self.sort, array.get(values[1].code()?))?,
                _ => unreachable!(),
            },
            Op::Store => match &values[0] {
                Value::Array(array) => {
                    let mut array = array.clone();
                    array.set(values[1].code()?, values[2].code()?);
                    Value::Array(array)
                }
                _ => unreachable!(),
            },
            Op::Equal => Value::Bool(match (&values[0], &values[1], of[0].sort) {
                (Value::Array(a), Value::Array(b), Sort::Array(Scalar::Bits(width), _)) => {
                    match width {
                        // All places.
                        0..=10 => (0..1 << width).all(|it| a.get(it) == b.get(it)),
                        _ => a == b,
                    }
                }
                (one, other, _) => one == other,
            }),
            _ => match (&values[0], values.get(1)) {
                (Value::Int(a), None) => {
                    assert_eq!(op, Op::Negate);
                    Value::Int(-a)
                }
                (&Value::Int(a), Some(&Value::Int(b))) => match op {
                    Op::Add => Value::Int(a.checked_add(b)?),
                    Op::Subtract => Value::Int(a.checked_sub(b)?),
                    Op::Multiply => Value::Int(a.checked_mul(b)?),
                    Op::Less => Value::Bool(a < b),
                    Op::LessEqual => Value::Bool(a <= b),
                    _ if b == 0 => return None,
                    // a = b q + r with 0 <= r < |b|.
                    _ => {
                        let rest = (a % b + b.abs()) % b.abs();
                        match op {
                            Op::IntModulo => Value::Int(rest),
                            Op::IntDivide => Value::Int((a - rest) / b),
                            _ => unreachable!(),
                        }
                    }
                },
                (&Value::Bits(a), None) => Value::Bits(self.one_word(op, a, width)),
                (&Value::Bits(a), Some(&Value::Bits(b))) => match (self.sort, op) {
                    (Sort::Bool, _) => Value::Bool(compared(op, a, b, width)),
                    (_, Op::Concat) => Value::Bits(a << of[1].width() | b),
                    _ => Value::Bits(cut(two_words(op, a, b, width), width)),
                },
                _ => unreachable!(),
            },
        })
    }

    fn one_word(&self, op: Op, a: u128, width: u32) -> u128 {
        match op {
            Op::BitNot => cut(u128::MAX, width) - a,
            Op::Negate => cut((u128::MAX - a).wrapping_add(1), width),
            Op::Extract { high, low } => cut(a >> low, high - low + 1),
            Op::ZeroExtend(_) => a,
            Op::SignExtend(_) if is_negative(a, width) => {
                cut(u128::MAX, self.width()) - cut(u128::MAX, width) + a
            }
            Op::SignExtend(_) => a,
            _ => unreachable!(),
        }
    }
}

fn is_negative(a: u128, width: u32) -> bool {
    a >> (width - 1) == 1
}

/// The absolute value of a number with a sign.
fn magnitude(a: u128, width: u32) -> u128 {
    match is_negative(a, width) {
        true => cut((u128::MAX - a).wrapping_add(1), width),
        false => a,
    }
}

fn compared(op: Op, a: u128, b: u128, width: u32) -> bool {
    // Negative ones come first.
    let key = |a: u128| (!is_negative(a, width), a);
    match op {
        Op::UnsignedLess => a < b,
        Op::UnsignedLessEqual => a <= b,
        Op::Less => key(a) < key(b),
        Op::LessEqual => key(a) <= key(b),
        _ => unreachable!(),
    }
}

fn two_words(op: Op, a: u128, b: u128, width: u32) -> u128 {
    let negate = |a: u128| (u128::MAX - a).wrapping_add(1);
    let (one, other) = (magnitude(a, width), magnitude(b, width));
    match op {
        Op::BitAnd => a & b,
        Op::BitOr => a | b,
        Op::BitXor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_add(negate(b)),
        Op::Multiply => a.wrapping_mul(b),
        Op::UnsignedDivide if b == 0 => u128::MAX,
        Op::UnsignedDivide => a / b,
        Op::UnsignedRemainder if b == 0 => a,
        Op::UnsignedRemainder => a % b,
        Op::SignedDivide => {
            let quotient = match other {
                0 => u128::MAX,
                _ => one / other,
            };
            match is_negative(a, width) != is_negative(b, width) {
                true => negate(quotient),
                false => quotient,
            }
        }
        Op::SignedRemainder => {
            let rest = match other {
                0 => one,
                _ => one % other,
            };
            match is_negative(a, width) {
                true => negate(rest),
                false => rest,
            }
        }
        Op::ShiftLeft => (0..b.min(128)).fold(a, |a, _| a << 1),
        Op::LogicalShiftRight => (0..b.min(128)).fold(a, |a, _| a >> 1),
        Op::ArithmeticShiftRight => {
            let sign = if is_negative(a, width) {
                1 << (width - 1)
            } else {
                0
            };
            (0..b.min(128)).fold(a, |a, _| a >> 1 | sign)
        }
        _ => unreachable!(),
    }
}

/// All values of a sort.
pub(crate) fn all_values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Bits(width) => (0..1 << width).map(Value::Bits).collect(),
        Sort::Array(Scalar::Bits(index), Scalar::Bits(element)) => {
            let places = 1u32 << index;
            (0..1i128 << (places * element))
                .map(|all| {
                    let mut array = ArrayValue::constant(0);
                    for place in 0..places {
                        let value = all >> (place * element) & ((1 << element) - 1);
                        array.set(i128::from(place), value);
                    }
                    Value::Array(array)
                })
                .collect()
        }
        _ => unreachable!(),
    }
}

/// Whether `holds` for any values of the variables; all are tried.
pub(crate) fn exists(variables: &[Sort], holds: &mut dyn FnMut(&[Value]) -> bool) -> bool {
    let all: Vec<Vec<Value>> = variables.iter().map(|&it| all_values(it)).collect();
    let mut places = vec![0; all.len()];
    loop {
        let values: Vec<Value> = all
            .iter()
            .zip(&places)
            .map(|(all, &place)| all[place].clone())
            .collect();
        if holds(&values) {
            return true;
        }
        let Some(at) = (0..all.len()).find(|&at| places[at] + 1 < all[at].len()) else {
            return false;
        };
        places[at] += 1;
        places[..at].fill(0);
    }
}

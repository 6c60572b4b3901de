//! Random formulas over the variables of a procedure.

use recurva_certificate::{
    Builder, Formula,
    formula::{Arithmetic, BitOperator, Node, Part, Scope, Sort, When},
};
use recurva_model::{Type, VarRef};
use recurva_testkit::rng::Rng;

pub(crate) const ARITHMETIC: [Arithmetic; 5] = [
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::Remainder,
];

pub(crate) const BITS: [BitOperator; 5] = [
    BitOperator::And,
    BitOperator::Or,
    BitOperator::Xor,
    BitOperator::ShiftLeft,
    BitOperator::ShiftRight,
];

/// A random formula. Its parts are shared here and there, and nothing is simplified.
pub(crate) fn formula(rng: &mut Rng, scope: Scope<'_>, depth: usize) -> Formula {
    let mut make = Make {
        builder: Builder::default(),
        rng,
        variables: scope.variables().map(|(it, v)| (it, v.ty, v.len)).collect(),
        scope,
        made: Vec::new(),
    };
    let root = make.part(Sort::Bool, depth);
    make.builder.finish(root)
}

/// A type of any size.
pub(crate) fn ty(rng: &mut Rng) -> Type {
    let bits = match rng.below(3) {
        0 => *rng.pick(&[1u8, 8, 16, 32, 64]).expect("some"),
        1 => 1 + rng.below(64) as u8,
        _ => 1 + rng.below(4) as u8,
    };
    Type::Int {
        bits,
        signed: rng.chance(50),
    }
}

/// A number near something interesting.
pub(crate) fn number(rng: &mut Rng) -> i128 {
    let near = match rng.below(6) {
        0..=2 => 0,
        3 => 1i128 << rng.below(66),
        4 => -(1i128 << rng.below(66)),
        _ => i128::from(rng.bits() >> rng.below(64)),
    };
    near + rng.below(9) as i128 - 4
}

struct Make<'a> {
    builder: Builder,
    rng: &'a mut Rng,
    variables: Vec<(VarRef, Type, Option<u32>)>,
    scope: Scope<'a>,
    made: Vec<(Part, Sort)>,
}

impl Make<'_> {
    fn part(&mut self, sort: Sort, depth: usize) -> Part {
        let known: Vec<Part> = self
            .made
            .iter()
            .filter(|it| it.1 == sort)
            .map(|it| it.0)
            .collect();
        if self.rng.chance(8)
            && let Some(&part) = self.rng.pick(&known)
        {
            return part;
        }
        let part = match (sort, depth == 0 || self.rng.chance(12)) {
            (_, true) => self.leaf(sort, depth),
            (Sort::Bool, false) => self.truth(depth - 1),
            (Sort::Int, false) => self.number(depth - 1),
        };
        self.made.push((part, sort));
        part
    }

    fn leaf(&mut self, sort: Sort, depth: usize) -> Part {
        let fitting: Vec<_> = self
            .variables
            .iter()
            .copied()
            .filter(|it| Sort::of(it.1) == sort)
            .collect();
        match self.rng.pick(&fitting).copied() {
            Some((variable, _, len)) if self.rng.chance(75) => {
                let known = self.scope.is_known_at_entry(variable);
                let when = match known && self.rng.chance(35) {
                    true => When::Entry,
                    false => When::Now,
                };
                match len {
                    None => self.builder.variable(variable, when),
                    Some(_) => {
                        let index = match depth {
                            0 => {
                                let number = self.rng.below(6) as i128 - 1;
                                self.builder.int(number)
                            }
                            _ => self.part(Sort::Int, depth - 1),
                        };
                        self.builder.element(variable, when, index)
                    }
                }
            }
            _ => match sort {
                Sort::Bool => {
                    let value = self.rng.chance(50);
                    self.builder.bool(value)
                }
                Sort::Int => {
                    let number = number(self.rng);
                    self.builder.int(number)
                }
            },
        }
    }

    fn truth(&mut self, depth: usize) -> Part {
        let sort = match self.rng.below(9) {
            0..=5 => Sort::Int,
            _ => Sort::Bool,
        };
        let node = match (sort, self.rng.below(6)) {
            (Sort::Int, 0 | 1) => {
                let (left, right) = self.two(Sort::Int, depth);
                Node::Equal(left, right)
            }
            (Sort::Int, 2 | 3) => {
                let (left, right) = self.two(Sort::Int, depth);
                Node::Less(left, right)
            }
            (Sort::Int, _) => {
                let (left, right) = self.two(Sort::Int, depth);
                Node::LessEqual(left, right)
            }
            (Sort::Bool, 0) => Node::Not(self.part(Sort::Bool, depth)),
            (Sort::Bool, 1) => {
                let condition = self.part(Sort::Bool, depth);
                let (then, otherwise) = self.two(Sort::Bool, depth);
                Node::If(condition, then, otherwise)
            }
            (Sort::Bool, which) => {
                let (left, right) = self.two(Sort::Bool, depth);
                match which {
                    2 => Node::And(left, right),
                    3 => Node::Or(left, right),
                    4 => Node::Implies(left, right),
                    _ => Node::Equal(left, right),
                }
            }
        };
        let part = self.builder.intern(node);
        match self.rng.chance(20) {
            true => self.builder.intern(Node::Not(part)),
            false => part,
        }
    }

    fn two(&mut self, sort: Sort, depth: usize) -> (Part, Part) {
        let left = self.part(sort, depth);
        (left, self.part(sort, depth))
    }

    fn number(&mut self, depth: usize) -> Part {
        let node = match self.rng.below(8) {
            0..=3 => {
                let (left, right) = self.two(Sort::Int, depth);
                let operator = *self.rng.pick(&ARITHMETIC).expect("some");
                Node::Arithmetic(operator, left, right)
            }
            4 => {
                let ty = ty(self.rng);
                Node::Wrap(ty, self.part(Sort::Int, depth))
            }
            5 | 6 => {
                let ty = ty(self.rng);
                let operator = *self.rng.pick(&BITS).expect("some");
                let (left, right) = self.two(Sort::Int, depth);
                Node::Bits(operator, ty, left, right)
            }
            _ => {
                let condition = self.part(Sort::Bool, depth);
                let (then, otherwise) = self.two(Sort::Int, depth);
                Node::If(condition, then, otherwise)
            }
        };
        self.builder.intern(node)
    }
}

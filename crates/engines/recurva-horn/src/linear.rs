//! Linear inequalities between integers, made easy to read: what is added on the one side is not
//! subtracted on the other, and two that are an equation are one.

use std::collections::BTreeMap;

use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// A sum of multiples of terms, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Linear {
    factors: BTreeMap<Term, i128>,
    number: i128,
}

/// Sums with more parts than that are left as they are.
const MOST: usize = 64;

impl Linear {
    fn of(term: Term, factor: i128) -> Self {
        Linear {
            factors: [(term, factor)].into(),
            number: 0,
        }
    }

    fn plus(mut self, other: &Linear, times: i128) -> Option<Self> {
        for (&term, &factor) in &other.factors {
            let sum = self.factors.entry(term).or_default();
            *sum = sum.checked_add(factor.checked_mul(times)?)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        self.number = self.number.checked_add(other.number.checked_mul(times)?)?;
        (self.factors.len() <= MOST).then_some(self)
    }

    fn opposite(&self) -> Option<Self> {
        Linear::default().plus(self, -1)
    }
}

/// A conjunction with its inequalities made readable.
pub(crate) fn readable(terms: &mut Terms, root: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut sums: FxHashMap<Term, Option<Linear>> = FxHashMap::default();
    for part in terms.parts(&[root]) {
        let sum = summed(terms, part, &sums);
        sums.insert(part, sum);
        let new = match terms.node(part).clone() {
            Node::Apply(Op::And, of) => {
                let of: Vec<Term> = of.iter().map(|it| done[it]).collect();
                conjunction(terms, &of)
            }
            Node::Apply(op @ (Op::LessEqual | Op::Less | Op::Equal), of)
                if terms.sort(of[0]) == Sort::Int =>
            {
                let difference = match (&sums[&of[0]], &sums[&of[1]]) {
                    (Some(left), Some(right)) => left.clone().plus(right, -1),
                    _ => None,
                };
                difference
                    .and_then(|it| compared(terms, op, &it))
                    .unwrap_or(part)
            }
            Node::Apply(op, of) => {
                let of: Vec<Term> = of.iter().map(|it| done[it]).collect();
                terms.apply(op, &of)
            }
            _ => part,
        };
        done.insert(part, new);
    }
    done[&root]
}

/// An integer as a sum.
fn summed(terms: &Terms, part: Term, sums: &FxHashMap<Term, Option<Linear>>) -> Option<Linear> {
    if terms.sort(part) != Sort::Int {
        return None;
    }
    let sum = match terms.node(part) {
        Node::Int(number) => Some(Linear {
            number: *number,
            ..Linear::default()
        }),
        Node::Apply(op, of) => {
            let sum = |at: usize| of.get(at).and_then(|it| sums.get(it)?.clone());
            match op {
                Op::Add => sum(0)?.plus(&sum(1)?, 1),
                Op::Subtract => sum(0)?.plus(&sum(1)?, -1),
                Op::Negate => sum(0)?.opposite(),
                Op::Multiply => match (sum(0)?, sum(1)?) {
                    (one, other) if one.factors.is_empty() => {
                        Linear::default().plus(&other, one.number)
                    }
                    (one, other) if other.factors.is_empty() => {
                        Linear::default().plus(&one, other.number)
                    }
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    };
    sum.or_else(|| Some(Linear::of(part, 1)))
}

/// A sum compared with zero.
fn compared(terms: &mut Terms, op: Op, sum: &Linear) -> Option<Term> {
    let mut sides = [Vec::new(), Vec::new()];
    for (&term, &factor) in &sum.factors {
        let side = usize::from(factor < 0);
        let count = terms.int(factor.checked_abs()?);
        sides[side].push(terms.multiply(term, count));
    }
    let is_right_empty = sides[1].is_empty();
    let [mut left, mut right] = sides.map(|side| {
        let mut parts = side.into_iter();
        let first = parts.next()?;
        Some(parts.fold(first, |sum, part| terms.add(sum, part)))
    });
    let zero = terms.int(0);
    // A number stands on the right, unless something has to be added to the left.
    if sum.number <= 0 || is_right_empty {
        let number = terms.int(sum.number.checked_neg()?);
        right = Some(match right {
            Some(right) => terms.add(right, number),
            None => number,
        });
    } else {
        let number = terms.int(sum.number);
        left = Some(match left {
            Some(left) => terms.add(left, number),
            None => number,
        });
    }
    let (left, right) = (left.unwrap_or(zero), right.unwrap_or(zero));
    Some(terms.apply(op, &[left, right]))
}

/// Conjuncts; a sum that is at most and at least some number is that number.
fn conjunction(terms: &mut Terms, of: &[Term]) -> Term {
    let mut sides: BTreeMap<Linear, Term> = BTreeMap::new();
    let mut kept: Vec<Term> = Vec::new();
    for &conjunct in of {
        let Some(sum) = at_most_zero(terms, conjunct) else {
            kept.push(conjunct);
            continue;
        };
        let other = sum.opposite().and_then(|it| sides.remove(&it));
        match other {
            Some(_) => match compared(terms, Op::Equal, &sum) {
                Some(equal) => kept.push(equal),
                None => kept.push(conjunct),
            },
            None => {
                sides.insert(sum, conjunct);
            }
        }
    }
    kept.extend(sides.into_values());
    terms.and(&kept)
}

/// The sum of which a conjunct says that it is at most zero.
fn at_most_zero(terms: &Terms, conjunct: Term) -> Option<Linear> {
    let Node::Apply(op, of) = terms.node(conjunct) else {
        return None;
    };
    let (left, right, more) = match op {
        Op::LessEqual => (of[0], of[1], 0),
        Op::Less => (of[0], of[1], 1),
        Op::Not => match terms.node(of[0]) {
            Node::Apply(Op::LessEqual, of) => (of[1], of[0], 1),
            Node::Apply(Op::Less, of) => (of[1], of[0], 0),
            _ => return None,
        },
        _ => return None,
    };
    if terms.sort(left) != Sort::Int {
        return None;
    }
    let mut sums: FxHashMap<Term, Option<Linear>> = FxHashMap::default();
    for part in terms.parts(&[left, right]) {
        let sum = summed(terms, part, &sums);
        sums.insert(part, sum);
    }
    let (left, right) = (sums.remove(&left)??, sums.remove(&right)??);
    let mut sum = left.plus(&right, -1)?;
    sum.number = sum.number.checked_add(more)?;
    Some(sum)
}

//! Terms as literals.

use std::{
    ops::{ControlFlow, Range},
    time::Instant,
};

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::{EmbeddedLimits, gates::Gates, words::Shift};
use crate::{Node, Op, Sort, Term, Terms, Unknown, Value};

/// The one who waits is asked once in so many terms.
const TERMS: u32 = 64;

/// About what a literal of a term takes in the tables.
const PER_LITERAL: u64 = 8;

/// When to end.
pub(super) struct Patience<'a> {
    pub(super) limits: &'a EmbeddedLimits,
    pub(super) deadline: Option<Instant>,
    pub(super) ask: &'a mut dyn FnMut() -> ControlFlow<()>,
}

impl Patience<'_> {
    pub(super) fn check(&mut self, held: u64) -> Result<(), Unknown> {
        if held > self.limits.memory {
            return Err(Unknown::Memory);
        }
        if self.deadline.is_some_and(|it| Instant::now() >= it) {
            return Err(Unknown::Time);
        }
        match (self.ask)() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Unknown::Stopped),
        }
    }
}

/// The literals of terms. Those of arrays are none: reads of them are words that anything can be, until
/// they are told apart.
pub(super) struct Blaster {
    pub(super) gates: Gates,
    literals: Vec<Lit>,
    places: FxHashMap<Term, (u32, u32)>,
    /// Divisions, with or without a sign: who wants the quotient often wants the remainder too.
    divisions: FxHashMap<(Op, Term, Term), Division>,
    /// Variables, in the order in which they came.
    pub(super) variables: Vec<Term>,
    /// Reads, stores and equalities of arrays, in the order in which they came.
    pub(super) about_arrays: Vec<Term>,
    since: u32,
}

#[derive(Clone)]
struct Division {
    quotient: Vec<Lit>,
    rest: Vec<Lit>,
}

impl Blaster {
    pub(super) fn new(memory: u64) -> Self {
        Blaster {
            gates: Gates::new(memory),
            literals: Vec::new(),
            places: FxHashMap::default(),
            divisions: FxHashMap::default(),
            variables: Vec::new(),
            about_arrays: Vec::new(),
            since: 0,
        }
    }

    pub(super) fn held(&self) -> u64 {
        self.gates.held() + (self.literals.len() + 8 * self.places.len()) as u64 * PER_LITERAL
    }

    /// The literal of a boolean term.
    pub(super) fn literal(
        &mut self,
        terms: &Terms,
        term: Term,
        patience: &mut Patience<'_>,
    ) -> Result<Lit, Unknown> {
        self.blast(terms, term, patience)?;
        Ok(self.word(term)[0])
    }

    /// The literals of a term that has been blasted.
    pub(super) fn word(&self, term: Term) -> &[Lit] {
        &self.literals[self.range(term)]
    }

    fn range(&self, term: Term) -> Range<usize> {
        match self.places.get(&term) {
            Some(&(start, end)) => start as usize..end as usize,
            None => 0..0,
        }
    }

    pub(super) fn is_blasted(&self, term: Term) -> bool {
        self.places.contains_key(&term)
    }

    /// Gives literals to a term and all that it is made of.
    pub(super) fn blast(
        &mut self,
        terms: &Terms,
        root: Term,
        patience: &mut Patience<'_>,
    ) -> Result<(), Unknown> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.is_blasted(term) {
                continue;
            }
            if !is_ready {
                stack.push((term, true));
                stack.extend(terms.operands(term).iter().map(|&it| (it, false)));
                continue;
            }
            self.since += 1 + terms.width(term).unwrap_or(1) / 8;
            if self.since >= TERMS {
                self.since = 0;
                patience.check(self.held())?;
            }
            let word = self.made(terms, term)?;
            let start = self.literals.len();
            self.literals.extend(word);
            let too_many = |_| Unknown::Memory;
            let start = u32::try_from(start).map_err(too_many)?;
            let end = u32::try_from(self.literals.len()).map_err(too_many)?;
            self.places.insert(term, (start, end));
        }
        Ok(())
    }

    fn made(&mut self, terms: &Terms, term: Term) -> Result<Vec<Lit>, Unknown> {
        let width = match terms.sort(term) {
            Sort::Bool => 1,
            Sort::Bits(width) => width as usize,
            Sort::Int => return Err(Unknown::Unsupported("integers".to_owned())),
            Sort::Array(index, element) => {
                let is_int = |it| Sort::from(it) == Sort::Int;
                if is_int(index) || is_int(element) {
                    return Err(Unknown::Unsupported("arrays of integers".to_owned()));
                }
                0
            }
        };
        Ok(match terms.node(term) {
            Node::Bool(value) => vec![self.gates.constant(*value)],
            Node::Bits(bits, _) => self.gates.number(*bits, width),
            Node::Int(_) | Node::Constant(..) => Vec::new(),
            Node::Variable(_) => {
                self.variables.push(term);
                self.free(width)
            }
            Node::Apply(Op::Select, _) => {
                self.about_arrays.push(term);
                self.free(width)
            }
            Node::Apply(Op::Store, _) => {
                self.about_arrays.push(term);
                Vec::new()
            }
            Node::Apply(Op::Equal, of) if matches!(terms.sort(of[0]), Sort::Array(..)) => {
                self.about_arrays.push(term);
                self.free(width)
            }
            Node::Apply(Op::If, _) if width == 0 => Vec::new(),
            Node::Apply(op, of) => self.applied(terms, *op, of),
        })
    }

    fn free(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.gates.sat.fresh()).collect()
    }

    fn applied(&mut self, terms: &Terms, op: Op, of: &[Term]) -> Vec<Lit> {
        let word = |at: usize| -> Vec<Lit> {
            of.get(at)
                .map_or_else(Vec::new, |&it| self.word(it).to_vec())
        };
        let (a, b, c) = (word(0), word(1), word(2));
        let gates = &mut self.gates;
        match op {
            Op::Not | Op::BitNot => a.iter().map(|&it| !it).collect(),
            Op::And | Op::Or => {
                let is_or = op == Op::Or;
                let all = of.iter().map(|&it| {
                    let (start, _) = self.places[&it];
                    let literal = self.literals[start as usize];
                    if is_or { !literal } else { literal }
                });
                let all: Vec<Lit> = all.collect();
                let out = gates.all(&all);
                vec![if is_or { !out } else { out }]
            }
            Op::Equal => vec![gates.equal(&a, &b)],
            Op::If => gates.choose(a[0], &b, &c),
            Op::BitAnd => gates.each(&a, &b, Gates::and),
            Op::BitOr => gates.each(&a, &b, Gates::or),
            Op::BitXor => gates.each(&a, &b, Gates::xor),
            Op::Negate => gates.negate(&a),
            Op::Add => gates.add(&a, &b),
            Op::Subtract => gates.subtract(&a, &b),
            Op::Multiply => gates.multiply(&a, &b),
            Op::UnsignedDivide => self.division(Op::UnsignedDivide, of).quotient,
            Op::UnsignedRemainder => self.division(Op::UnsignedDivide, of).rest,
            Op::SignedDivide => self.division(Op::SignedDivide, of).quotient,
            Op::SignedRemainder => self.division(Op::SignedDivide, of).rest,
            Op::ShiftLeft => gates.shift(Shift::Left, &a, &b),
            Op::LogicalShiftRight => gates.shift(Shift::Right, &a, &b),
            Op::ArithmeticShiftRight => gates.shift(Shift::RightWithSign, &a, &b),
            Op::UnsignedLess => vec![gates.less(&a, &b)],
            Op::UnsignedLessEqual => vec![!gates.less(&b, &a)],
            Op::Less => vec![gates.signed_less(&a, &b)],
            Op::LessEqual => vec![!gates.signed_less(&b, &a)],
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                let (by, fill) = match op {
                    Op::SignExtend(by) => (by, a[a.len() - 1]),
                    Op::ZeroExtend(by) => (by, gates.constant(false)),
                    _ => unreachable!("an extension"),
                };
                let mut word = a;
                word.extend(std::iter::repeat_n(fill, by as usize));
                word
            }
            // Words of their own, or of integers: `made` has seen to them.
            Op::Select | Op::Store | Op::IntDivide | Op::IntModulo => {
                debug_assert!(false, "{op:?} of {}", terms.count());
                Vec::new()
            }
        }
    }

    fn division(&mut self, op: Op, of: &[Term]) -> Division {
        let key = (op, of[0], of[1]);
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let (left, right) = (self.word(of[0]).to_vec(), self.word(of[1]).to_vec());
        let (quotient, rest) = match op {
            Op::SignedDivide => self.gates.signed_divide(&left, &right),
            _ => self.gates.divide(&left, &right),
        };
        let made = Division { quotient, rest };
        self.divisions.insert(key, made.clone());
        made
    }

    /// The value of a term in the model that was found last; `None` if it is an array, or is not
    /// known to the solver.
    pub(super) fn value(&self, terms: &Terms, term: Term) -> Option<Value> {
        let sort = terms.sort(term);
        if matches!(sort, Sort::Array(..)) || !self.is_blasted(term) {
            return None;
        }
        let bits = self.word(term).iter().rev().fold(0, |bits, &it| {
            bits << 1 | u128::from(self.gates.sat.value(it))
        });
        Some(match sort {
            Sort::Bool => Value::Bool(bits == 1),
            _ => Value::Bits(bits),
        })
    }
}

//! What a solver said of integers, said of bit vectors: each number gets as many bits as it needs, so
//! that nothing overflows.

use recurva_model::Type;
use recurva_smt::{Node, Op, Scalar, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// An integer as bits, the highest of which is its sign.
#[derive(Clone, Copy, Debug)]
struct Number {
    term: Term,
    width: u32,
}

#[derive(Clone, Copy, Debug)]
enum Exact {
    Truth(Term),
    Number(Number),
}

/// What stands for a variable of sort Int or Bool: a term over bits, and its type; or an array of such.
pub(crate) type Variables = FxHashMap<Term, (Term, Type)>;

/// Numbers with more bits than that are not said.
const MOST: u32 = 128;

/// A term of sort Bool over integers as one over bits; `None` if it cannot be said.
pub(crate) fn exact(terms: &mut Terms, root: Term, variables: &Variables) -> Option<Term> {
    let mut done: FxHashMap<Term, Exact> = FxHashMap::default();
    for part in terms.parts(&[root]) {
        let mut reader = Reader {
            terms: &mut *terms,
            variables,
            done: &done,
        };
        if let Some(said) = reader.say(part) {
            done.insert(part, said);
        }
    }
    match done.get(&root)? {
        Exact::Truth(term) => Some(*term),
        Exact::Number(_) => None,
    }
}

/// An equation between integers, modulo 2^n where n is the largest number of bits of a variable in it;
/// `None` if it is none, or cannot be said.
pub(crate) fn modular(terms: &mut Terms, equation: Term, variables: &Variables) -> Option<Term> {
    let Node::Apply(Op::Equal, of) = terms.node(equation).clone() else {
        return None;
    };
    let read = terms.variables_of(&of);
    let types = read.iter().filter_map(|it| variables.get(it));
    let width = types.map(|it| u32::from(it.1.bits())).max()?;
    let mut sides = Vec::new();
    for &side in &of {
        let zero = terms.int(0);
        let compared = terms.apply(Op::LessEqual, &[side, zero]);
        let mut done: FxHashMap<Term, Exact> = FxHashMap::default();
        for part in terms.parts(&[compared]) {
            let mut reader = Reader {
                terms: &mut *terms,
                variables,
                done: &done,
            };
            if let Some(said) = reader.say(part) {
                done.insert(part, said);
            }
        }
        let Exact::Number(number) = *done.get(&side)? else {
            return None;
        };
        sides.push(low(terms, number, width));
    }
    Some(terms.equal(sides[0], sides[1]))
}

fn extended(terms: &mut Terms, number: Number, width: u32) -> Term {
    terms.sign_extend(number.term, width - number.width)
}

/// The lowest bits of a number.
fn low(terms: &mut Terms, number: Number, width: u32) -> Term {
    match number.width < width {
        true => extended(terms, number, width),
        false => terms.extract(number.term, width - 1, 0),
    }
}

struct Reader<'a> {
    terms: &'a mut Terms,
    variables: &'a Variables,
    done: &'a FxHashMap<Term, Exact>,
}

impl Reader<'_> {
    fn truth(&self, term: Term) -> Option<Term> {
        match self.done.get(&term)? {
            Exact::Truth(term) => Some(*term),
            Exact::Number(_) => None,
        }
    }

    fn number(&self, term: Term) -> Option<Number> {
        match self.done.get(&term)? {
            Exact::Number(number) => Some(*number),
            Exact::Truth(_) => None,
        }
    }

    fn say(&mut self, part: Term) -> Option<Exact> {
        if let Some(&(term, ty)) = self.variables.get(&part) {
            return match self.terms.sort(term) {
                Sort::Bool => Some(Exact::Truth(term)),
                Sort::Bits(_) => Some(Exact::Number(self.of_type(term, ty))),
                _ => None,
            };
        }
        match self.terms.node(part).clone() {
            Node::Bool(_) => Some(Exact::Truth(part)),
            Node::Int(number) => Some(Exact::Number(self.literal(number))),
            Node::Apply(op, of) => self.applied(op, &of),
            _ => None,
        }
    }

    fn of_type(&mut self, term: Term, ty: Type) -> Number {
        let bits = match self.terms.sort(term) {
            Sort::Bits(width) => width,
            _ => u32::from(ty.bits()),
        };
        match ty.is_signed() {
            true => Number { term, width: bits },
            false => Number {
                term: self.terms.zero_extend(term, 1),
                width: bits + 1,
            },
        }
    }

    fn literal(&mut self, number: i128) -> Number {
        let used = match number < 0 {
            true => 128 - number.leading_ones(),
            false => 128 - number.leading_zeros(),
        };
        let width = (used + 1).min(MOST);
        Number {
            term: self.terms.bits(number as u128, width),
            width,
        }
    }

    fn applied(&mut self, op: Op, of: &[Term]) -> Option<Exact> {
        let is_int = of
            .first()
            .is_some_and(|&it| self.terms.sort(it) == Sort::Int);
        let truth = |term| Some(Exact::Truth(term));
        match op {
            Op::Not => {
                let inner = self.truth(of[0])?;
                truth(self.terms.not(inner))
            }
            Op::And | Op::Or => {
                let of: Option<Vec<Term>> = of.iter().map(|&it| self.truth(it)).collect();
                truth(self.terms.apply(op, &of?))
            }
            Op::Equal if !is_int => {
                let (left, right) = (self.truth(of[0])?, self.truth(of[1])?);
                truth(self.terms.equal(left, right))
            }
            Op::Equal | Op::Less | Op::LessEqual => {
                let (left, right, _) = self.together(of[0], of[1], 0)?;
                truth(self.terms.apply(op, &[left, right]))
            }
            Op::If => {
                let condition = self.truth(of[0])?;
                if let (Some(then), Some(otherwise)) = (self.truth(of[1]), self.truth(of[2])) {
                    return truth(self.terms.if_then_else(condition, then, otherwise));
                }
                let (then, otherwise, width) = self.together(of[1], of[2], 0)?;
                let term = self.terms.if_then_else(condition, then, otherwise);
                Some(Exact::Number(Number { term, width }))
            }
            Op::Negate => {
                let zero = self.literal(0);
                let one = self.number(of[0])?;
                self.arithmetic(Op::Subtract, zero, one, one.width + 1)
            }
            Op::Add | Op::Subtract => {
                let (left, right) = (self.number(of[0])?, self.number(of[1])?);
                self.arithmetic(op, left, right, left.width.max(right.width) + 1)
            }
            Op::Multiply => {
                let (left, right) = (self.number(of[0])?, self.number(of[1])?);
                self.arithmetic(op, left, right, left.width + right.width)
            }
            Op::IntDivide | Op::IntModulo => self.divided(op, of[0], of[1]),
            Op::Select => self.selected(of[0], of[1]),
            _ => None,
        }
    }

    /// Two numbers with as many bits.
    fn together(&mut self, left: Term, right: Term, more: u32) -> Option<(Term, Term, u32)> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let width = left.width.max(right.width) + more;
        if width > MOST {
            return None;
        }
        let left = extended(self.terms, left, width);
        let right = extended(self.terms, right, width);
        Some((left, right, width))
    }

    fn arithmetic(&mut self, op: Op, left: Number, right: Number, width: u32) -> Option<Exact> {
        if width > MOST {
            return None;
        }
        let left = extended(self.terms, left, width);
        let right = extended(self.terms, right, width);
        let term = self.terms.apply(op, &[left, right]);
        Some(Exact::Number(Number { term, width }))
    }

    /// Division by a positive number, with a remainder that is not negative.
    fn divided(&mut self, op: Op, left: Term, right: Term) -> Option<Exact> {
        let divisor = match *self.terms.node(right) {
            Node::Int(number) if number > 0 => number,
            _ => return None,
        };
        if op == Op::IntModulo && divisor & (divisor - 1) == 0 && divisor > 1 {
            let number = self.number(left)?;
            let bits = divisor.trailing_zeros();
            let term = low(self.terms, number, bits);
            let term = self.terms.zero_extend(term, 1);
            return Some(Exact::Number(Number {
                term,
                width: bits + 1,
            }));
        }
        let (left, right, width) = self.together(left, right, 1)?;
        let quotient = self.terms.apply(Op::SignedDivide, &[left, right]);
        let remainder = self.terms.apply(Op::SignedRemainder, &[left, right]);
        let zero = self.terms.bits(0, width);
        let one = self.terms.bits(1, width);
        let is_low = self.terms.apply(Op::Less, &[remainder, zero]);
        let (plain, corrected) = match op {
            Op::IntDivide => (quotient, self.terms.subtract(quotient, one)),
            _ => (remainder, self.terms.add(remainder, right)),
        };
        let term = self.terms.if_then_else(is_low, corrected, plain);
        Some(Exact::Number(Number { term, width }))
    }

    fn selected(&mut self, array: Term, index: Term) -> Option<Exact> {
        let &(array, ty) = self.variables.get(&array)?;
        let Sort::Array(Scalar::Bits(width), _) = self.terms.sort(array) else {
            return None;
        };
        let index = self.number(index)?;
        let index = low(self.terms, index, width);
        let term = self.terms.select(array, index);
        Some(Exact::Number(self.of_type(term, ty)))
    }
}

//! Operators by name: those that terms have, and those that are made of them.

use super::{read::read_sort, sexpr::Sexpr};
use crate::{Op, Scalar, Sort, Term, Terms};

/// What stands at the beginning of a term.
#[derive(Clone, Copy)]
pub(super) enum Head<'a> {
    Name(&'a str),
    /// `(_ name number …)`
    Indexed(&'a str, u32, Option<u32>),
    /// `(as const sort)`, with the sort of its indices and that of its elements
    Constant(Scalar, Scalar),
}

impl<'a> Head<'a> {
    pub(super) fn read(text: Sexpr<'a>) -> Option<Self> {
        if let Some(name) = text.symbol() {
            return Some(Head::Name(name));
        }
        let list = text.list();
        let symbol = |at: usize| list.get(at).and_then(|it: &Sexpr<'a>| it.symbol());
        match (symbol(0)?, symbol(1)?, list.len()) {
            ("_", name, 3) => Some(Head::Indexed(name, list[2].numeral()?, None)),
            ("_", name, 4) => {
                let (first, second) = (list[2].numeral()?, list[3].numeral()?);
                Some(Head::Indexed(name, first, Some(second)))
            }
            ("as", "const", 3) => match read_sort(list[2]).ok()? {
                Sort::Array(index, element) => Some(Head::Constant(index, element)),
                _ => None,
            },
            _ => None,
        }
    }

    fn name(self) -> &'a str {
        match self {
            Head::Name(name) | Head::Indexed(name, ..) => name,
            Head::Constant(..) => "const",
        }
    }
}

/// The term of an operator and operands.
pub(super) fn apply(terms: &mut Terms, head: Head<'_>, of: &[Term]) -> Result<Term, String> {
    let made = match head {
        Head::Name(name) => named(terms, name, of),
        Head::Indexed(name, first, second) => indexed(terms, (name, first, second), of),
        Head::Constant(index, element) => match *of {
            [value] if terms.sort(value) == element.into() => {
                Some(terms.constant_array(value, index))
            }
            _ => None,
        },
    };
    made.ok_or_else(|| format!("no operator for these operands: `{}`", head.name()))
}

fn named(terms: &mut Terms, name: &str, of: &[Term]) -> Option<Term> {
    // One operator of terms has a name for integers and one for words.
    let is_int = |it: &Term| terms.sort(*it) == Sort::Int;
    let fits = match name {
        "+" | "-" | "*" | "<" | "<=" | ">" | ">=" => of.iter().all(is_int),
        _ => !name.starts_with("bv") || !of.iter().any(is_int),
    };
    if !fits {
        return None;
    }
    if let Some(op) = associative(name) {
        return folded(terms, op, of);
    }
    if let Some((op, is_turned)) = comparison(name) {
        return chained(terms, op, of, is_turned);
    }
    if let Some(op) = simple(name) {
        return terms.try_apply(op, of);
    }
    let is_bool = |terms: &Terms| of.iter().all(|&it| terms.sort(it) == Sort::Bool);
    match (name, of) {
        ("and", [_, ..]) => terms.try_apply(Op::And, of),
        ("or", [_, ..]) => terms.try_apply(Op::Or, of),
        ("=>", [left @ .., last]) if is_bool(terms) => {
            let mut all: Vec<Term> = left.iter().map(|&it| terms.not(it)).collect();
            all.push(*last);
            Some(terms.or(&all))
        }
        ("xor", [first, rest @ ..]) if is_bool(terms) => {
            let mut odd = *first;
            for &it in rest {
                let same = terms.equal(odd, it);
                odd = terms.not(same);
            }
            Some(odd)
        }
        ("distinct", [_, _, ..]) => distinct(terms, of),
        ("-", [_]) => terms.try_apply(Op::Negate, of),
        ("-", [_, _, ..]) => folded(terms, Op::Subtract, of),
        ("bvnand" | "bvnor" | "bvxnor", [_, _]) => {
            let op = match name {
                "bvnand" => Op::BitAnd,
                "bvnor" => Op::BitOr,
                _ => Op::BitXor,
            };
            let inner = terms.try_apply(op, of)?;
            terms.try_apply(Op::BitNot, &[inner])
        }
        ("bvcomp", [_, _]) => {
            terms.width(of[0])?;
            let same = terms.try_apply(Op::Equal, of)?;
            let (one, zero) = (terms.bits(1, 1), terms.bits(0, 1));
            Some(terms.if_then_else(same, one, zero))
        }
        ("bvsmod", &[left, right]) => signed_modulo(terms, left, right),
        ("abs", &[of]) if terms.sort(of) == Sort::Int => {
            let zero = terms.int(0);
            let is_negative = terms.apply(Op::Less, &[of, zero]);
            let negated = terms.apply(Op::Negate, &[of]);
            Some(terms.if_then_else(is_negative, negated, of))
        }
        // What z3 makes of a division by what is not 0.
        (_, &[_, right]) => {
            let op = simple(name.strip_suffix("_i")?)?;
            let is_divisor =
                terms.is_literal(right) && terms.evaluate(right, &|_| None)?.code()? != 0;
            is_divisor.then(|| terms.try_apply(op, of)).flatten()
        }
        _ => None,
    }
}

fn simple(name: &str) -> Option<Op> {
    Some(match name {
        "not" => Op::Not,
        "ite" => Op::If,
        "bvnot" => Op::BitNot,
        "bvneg" => Op::Negate,
        "bvsub" => Op::Subtract,
        "bvudiv" => Op::UnsignedDivide,
        "bvurem" => Op::UnsignedRemainder,
        "bvsdiv" => Op::SignedDivide,
        "bvsrem" => Op::SignedRemainder,
        "div" => Op::IntDivide,
        "mod" => Op::IntModulo,
        "bvshl" => Op::ShiftLeft,
        "bvlshr" => Op::LogicalShiftRight,
        "bvashr" => Op::ArithmeticShiftRight,
        "select" => Op::Select,
        "store" => Op::Store,
        _ => return None,
    })
}

fn associative(name: &str) -> Option<Op> {
    Some(match name {
        "bvand" => Op::BitAnd,
        "bvor" => Op::BitOr,
        "bvxor" => Op::BitXor,
        "bvadd" | "+" => Op::Add,
        "bvmul" | "*" => Op::Multiply,
        "concat" => Op::Concat,
        _ => return None,
    })
}

/// A comparison, and whether its operands are the other way round.
fn comparison(name: &str) -> Option<(Op, bool)> {
    Some(match name {
        "=" => (Op::Equal, false),
        "bvult" => (Op::UnsignedLess, false),
        "bvule" => (Op::UnsignedLessEqual, false),
        "bvugt" => (Op::UnsignedLess, true),
        "bvuge" => (Op::UnsignedLessEqual, true),
        "<" | "bvslt" => (Op::Less, false),
        "<=" | "bvsle" => (Op::LessEqual, false),
        ">" | "bvsgt" => (Op::Less, true),
        ">=" | "bvsge" => (Op::LessEqual, true),
        _ => return None,
    })
}

fn folded(terms: &mut Terms, op: Op, of: &[Term]) -> Option<Term> {
    let (&first, rest) = of.split_first()?;
    rest.iter()
        .try_fold(first, |done, &it| terms.try_apply(op, &[done, it]))
}

fn chained(terms: &mut Terms, op: Op, of: &[Term], is_turned: bool) -> Option<Term> {
    let pairs: Option<Vec<Term>> = of
        .windows(2)
        .map(|pair| match is_turned {
            true => terms.try_apply(op, &[pair[1], pair[0]]),
            false => terms.try_apply(op, pair),
        })
        .collect();
    let pairs = pairs.filter(|it| !it.is_empty())?;
    Some(terms.and(&pairs))
}

fn distinct(terms: &mut Terms, of: &[Term]) -> Option<Term> {
    let mut all = Vec::new();
    for (at, &one) in of.iter().enumerate() {
        for &other in &of[at + 1..] {
            let same = terms.try_apply(Op::Equal, &[one, other])?;
            all.push(terms.not(same));
        }
    }
    Some(terms.and(&all))
}

/// The remainder with the sign of the divisor; the dividend if the divisor is 0.
fn signed_modulo(terms: &mut Terms, left: Term, right: Term) -> Option<Term> {
    let rest = terms.try_apply(Op::SignedRemainder, &[left, right])?;
    let zero = terms.bits(0, terms.width(left)?);
    let of_rest = terms.apply(Op::Less, &[rest, zero]);
    let of_right = terms.apply(Op::Less, &[right, zero]);
    let has_right_sign = terms.equal(of_rest, of_right);
    let is_zero = terms.equal(rest, zero);
    // The sum with 0 is the remainder itself.
    let stays = terms.or(&[has_right_sign, is_zero]);
    let moved = terms.add(rest, right);
    Some(terms.if_then_else(stays, rest, moved))
}

fn indexed(
    terms: &mut Terms,
    (name, first, second): (&str, u32, Option<u32>),
    of: &[Term],
) -> Option<Term> {
    let &[term] = of else {
        return None;
    };
    match (name, second) {
        ("extract", Some(low)) => terms.try_apply(Op::Extract { high: first, low }, of),
        ("zero_extend", None) => terms.try_apply(Op::ZeroExtend(first), of),
        ("sign_extend", None) => terms.try_apply(Op::SignExtend(first), of),
        ("rotate_left" | "rotate_right", None) => {
            let width = terms.width(term)?;
            let by = match name {
                "rotate_left" => first % width,
                _ => (width - first % width) % width,
            };
            if by == 0 {
                return Some(term);
            }
            let high = terms.extract(term, width - 1 - by, 0);
            let low = terms.extract(term, width - 1, width - by);
            terms.try_apply(Op::Concat, &[high, low])
        }
        ("repeat", None) if (1..=128).contains(&first) => {
            let mut done = term;
            for _ in 1..first {
                done = terms.try_apply(Op::Concat, &[done, term])?;
            }
            Some(done)
        }
        ("divisible", None) if terms.sort(term) == Sort::Int && first > 0 => {
            let divisor = terms.int(i128::from(first));
            let rest = terms.apply(Op::IntModulo, &[term, divisor]);
            let zero = terms.int(0);
            Some(terms.equal(rest, zero))
        }
        _ => None,
    }
}

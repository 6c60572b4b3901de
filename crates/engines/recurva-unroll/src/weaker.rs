//! What follows from a condition, said without values that have no name.
//!
//! Each part of the condition is replaced by what can be said of it: of a truth value, something that it implies
//! and something that implies it; of a number, a few that it may be, each with something that is true if it is.
//!
//! Products of unknown numbers are left out too: a solver that looks at bits cannot show that two of them are
//! equal, unless they are made in the same way, and a formula's are made in its own.

use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// A number may be one of so many.
const CASES: usize = 8;

/// Products and quotients of fewer bits are no trouble.
const FEW_BITS: u32 = 12;

/// A value that a number may have, or any, with what is true if it has.
type Case = (Term, Option<Term>);

/// What can be said of a part.
#[derive(Clone)]
enum Known {
    /// What a truth value implies, and what implies it.
    Truth { over: Term, under: Term },
    /// What a number may be, and what is true if it is.
    Cases(Vec<Case>),
}

/// Something that a condition implies, in which all variables have names.
pub(crate) fn weaker(terms: &mut Terms, condition: Term, has_name: &dyn Fn(Term) -> bool) -> Term {
    let mut known: FxHashMap<Term, Known> = FxHashMap::default();
    for part in terms.parts(&[condition]) {
        let said = match terms.node(part).clone() {
            Node::Variable(_) if !has_name(part) => Known::nothing(terms),
            Node::Constant(value, _) => match &known[&value] {
                Known::Cases(cases) if cases.len() == 1 && cases[0].1 == Some(value) => {
                    Known::exactly(terms, part)
                }
                _ => Known::nothing(terms),
            },
            Node::Apply(op, operands) if is_hard(terms, op, &operands) => Known::nothing(terms),
            Node::Apply(op, operands) => {
                let operands: Vec<&Known> = operands.iter().map(|it| &known[it]).collect();
                of_operator(terms, op, &operands)
            }
            _ => Known::exactly(terms, part),
        };
        let said = match (terms.sort(part), said) {
            (Sort::Bool, Known::Cases(_)) => Known::Truth {
                over: terms.truth(),
                under: terms.falsity(),
            },
            (_, said) => said,
        };
        known.insert(part, said);
    }
    match known.get(&condition) {
        Some(Known::Truth { over, .. }) => *over,
        _ => terms.truth(),
    }
}

impl Known {
    fn exactly(terms: &mut Terms, term: Term) -> Self {
        match terms.sort(term) {
            Sort::Bool => Known::Truth {
                over: term,
                under: term,
            },
            _ => Known::Cases(vec![(terms.truth(), Some(term))]),
        }
    }

    fn nothing(terms: &mut Terms) -> Self {
        Known::Cases(vec![(terms.truth(), None)])
    }

    /// What a number may be.
    fn cases(&self) -> &[Case] {
        match self {
            Known::Cases(cases) => cases,
            Known::Truth { .. } => &[],
        }
    }
}

/// Whether this is a product or quotient of unknown numbers.
fn is_hard(terms: &Terms, op: Op, operands: &[Term]) -> bool {
    let is_long = |it: &Term| matches!(terms.sort(*it), Sort::Bits(bits) if bits > FEW_BITS);
    match (op, operands) {
        (Op::Multiply, [left, right]) => {
            is_long(left) && !terms.is_literal(*left) && !terms.is_literal(*right)
        }
        (
            Op::UnsignedDivide | Op::UnsignedRemainder | Op::SignedDivide | Op::SignedRemainder,
            [left, right],
        ) => is_long(left) && !terms.is_literal(*right),
        _ => false,
    }
}

fn of_operator(terms: &mut Terms, op: Op, operands: &[&Known]) -> Known {
    let truths: Option<Vec<(Term, Term)>> = operands
        .iter()
        .map(|it| match it {
            Known::Truth { over, under } => Some((*over, *under)),
            _ => None,
        })
        .collect();
    match (op, truths, operands) {
        (Op::Not, Some(truths), _) => Known::Truth {
            over: terms.not(truths[0].1),
            under: terms.not(truths[0].0),
        },
        (Op::And | Op::Or, Some(truths), _) => {
            let overs: Vec<Term> = truths.iter().map(|it| it.0).collect();
            let unders: Vec<Term> = truths.iter().map(|it| it.1).collect();
            Known::Truth {
                over: terms.apply(op, &overs),
                under: terms.apply(op, &unders),
            }
        }
        (_, Some(truths), _) if truths.iter().all(|it| it.0 == it.1) => {
            let exact: Vec<Term> = truths.iter().map(|it| it.0).collect();
            let term = terms.apply(op, &exact);
            Known::exactly(terms, term)
        }
        (Op::If, Some(truths), _) => {
            let [(over, under), then, otherwise] = truths[..] else {
                return Known::nothing(terms);
            };
            let not_over = terms.not(over);
            let not_under = terms.not(under);
            let ways = [
                terms.and(&[over, then.0]),
                terms.and(&[not_under, otherwise.0]),
            ];
            let needs = [
                terms.or(&[not_over, then.1]),
                terms.or(&[under, otherwise.1]),
            ];
            Known::Truth {
                over: terms.or(&ways),
                under: terms.and(&needs),
            }
        }
        (Op::If, None, [Known::Truth { over, under }, then, otherwise]) => {
            let (then, otherwise) = (then.cases(), otherwise.cases());
            if let ([(left, Some(ours))], [(right, Some(theirs))]) = (then, otherwise)
                && over == under
            {
                let guard = terms.if_then_else(*over, *left, *right);
                let value = terms.if_then_else(*over, *ours, *theirs);
                return Known::Cases(vec![(guard, Some(value))]);
            }
            let not_under = terms.not(*under);
            let mut cases = Vec::new();
            for &(guard, value) in then {
                cases.push((terms.and(&[*over, guard]), value));
            }
            for &(guard, value) in otherwise {
                cases.push((terms.and(&[not_under, guard]), value));
            }
            possible(terms, cases)
        }
        (_, None, _) => combined(terms, op, operands),
        _ => Known::nothing(terms),
    }
}

/// An operator on numbers, for all that each of them may be.
fn combined(terms: &mut Terms, op: Op, operands: &[&Known]) -> Known {
    let mut all: Vec<(Term, Option<Vec<Term>>)> = vec![(terms.truth(), Some(Vec::new()))];
    for operand in operands {
        let cases = operand.cases();
        if cases.is_empty() || all.len() * cases.len() > CASES * CASES {
            return Known::nothing(terms);
        }
        let mut longer = Vec::new();
        for (guard, values) in &all {
            for &(also, value) in cases {
                let mut values = values.clone();
                match (&mut values, value) {
                    (Some(values), Some(value)) => values.push(value),
                    _ => values = None,
                }
                longer.push((terms.and(&[*guard, also]), values));
            }
        }
        all = longer;
    }
    let results = all.into_iter();
    let results: Vec<Case> = results
        .map(|(guard, values)| (guard, values.map(|it| terms.apply(op, &it))))
        .collect();
    let is_truth = |it: &Case| it.1.is_some_and(|it| terms.sort(it) == Sort::Bool);
    if !results.iter().any(is_truth) {
        return possible(terms, results);
    }
    let (truth, falsity) = (terms.truth(), terms.falsity());
    let (mut ways, mut needs) = (Vec::new(), Vec::new());
    for (guard, value) in results {
        ways.push(terms.and(&[guard, value.unwrap_or(truth)]));
        needs.push(terms.implies(guard, value.unwrap_or(falsity)));
    }
    Known::Truth {
        over: terms.or(&ways),
        under: terms.and(&needs),
    }
}

/// The cases that can be, each value once, if they are few.
fn possible(terms: &mut Terms, cases: Vec<Case>) -> Known {
    let mut found: Vec<Case> = Vec::new();
    for (guard, value) in cases {
        if *terms.node(guard) == Node::Bool(false) {
            continue;
        }
        match found.iter_mut().find(|it| it.1 == value) {
            Some(same) => same.0 = terms.or(&[same.0, guard]),
            None => found.push((guard, value)),
        }
    }
    match found.len() {
        1..=CASES => Known::Cases(found),
        _ => Known::nothing(terms),
    }
}

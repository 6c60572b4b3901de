//! What follows from a condition, said without values that have no name.
//!
//! Each part of the condition is replaced by what can be said of it: of a truth value, something that it implies
//! and something that implies it; of a number, a few that it may be, each with something that is true if it is.

use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::unroll::Ended;

/// A number may be one of so many.
const CASES: usize = 8;

/// Finds out whether a condition is always true, or never; `None` if neither, or it is not known.
pub(crate) type Decide<'d> = dyn FnMut(&mut Terms, Term) -> Result<Option<bool>, Ended> + 'd;

/// What can be said of a part.
#[derive(Clone)]
enum Known {
    /// What a truth value implies, and what implies it.
    Truth { over: Term, under: Term },
    /// What a number may be, and what is true if it is.
    Cases(Vec<(Term, Term)>),
    /// Nothing.
    Nothing,
}

/// Something that a condition implies, in which all variables have names.
pub(crate) fn weaker(
    terms: &mut Terms,
    condition: Term,
    has_name: &dyn Fn(Term) -> bool,
    decide: &mut Decide<'_>,
) -> Result<Term, Ended> {
    let mut known: FxHashMap<Term, Known> = FxHashMap::default();
    for part in terms.parts(&[condition]) {
        let said = match terms.node(part).clone() {
            Node::Variable(_) if !has_name(part) => Known::Nothing,
            Node::Constant(value, _) => match &known[&value] {
                Known::Cases(cases) if cases.len() == 1 && cases[0].1 == value => {
                    Known::exactly(terms, part)
                }
                _ => Known::Nothing,
            },
            Node::Apply(op, operands) => {
                let operands: Vec<&Known> = operands.iter().map(|it| &known[it]).collect();
                of_operator(terms, op, &operands)
            }
            _ => Known::exactly(terms, part),
        };
        let said = match (terms.sort(part), said) {
            (Sort::Bool, Known::Truth { over, under }) if !is_nothing(terms, over, under) => {
                Known::Truth { over, under }
            }
            (Sort::Bool, _) => {
                let decided = match is_junction(terms, part) {
                    true => None,
                    false => decide(terms, part)?,
                };
                Known::Truth {
                    over: terms.bool(decided != Some(false)),
                    under: terms.bool(decided == Some(true)),
                }
            }
            (_, said) => said,
        };
        known.insert(part, said);
    }
    Ok(match known.get(&condition) {
        Some(Known::Truth { over, .. }) => *over,
        _ => terms.truth(),
    })
}

impl Known {
    fn exactly(terms: &mut Terms, term: Term) -> Self {
        match terms.sort(term) {
            Sort::Bool => Known::Truth {
                over: term,
                under: term,
            },
            _ => Known::Cases(vec![(terms.truth(), term)]),
        }
    }

    /// What it may be, and what is true if it is.
    fn cases(&self) -> Option<Vec<(Term, Term)>> {
        match self {
            Known::Cases(cases) => Some(cases.clone()),
            _ => None,
        }
    }
}

/// Whether all that is said is that it may be true and may be false.
fn is_nothing(terms: &Terms, over: Term, under: Term) -> bool {
    *terms.node(over) == Node::Bool(true) && *terms.node(under) == Node::Bool(false)
}

/// Whether a condition is made of others, which were decided by themselves.
fn is_junction(terms: &Terms, condition: Term) -> bool {
    matches!(
        terms.node(condition),
        Node::Apply(Op::Not | Op::And | Op::Or, _)
    )
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
                return Known::Nothing;
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
            let (Some(then), Some(otherwise)) = (then.cases(), otherwise.cases()) else {
                return Known::Nothing;
            };
            if over == under && then.len() == 1 && otherwise.len() == 1 {
                let guards = terms.if_then_else(*over, then[0].0, otherwise[0].0);
                let value = terms.if_then_else(*over, then[0].1, otherwise[0].1);
                return Known::Cases(vec![(guards, value)]);
            }
            let not_under = terms.not(*under);
            let mut cases = Vec::new();
            for (guard, value) in then {
                cases.push((terms.and(&[*over, guard]), value));
            }
            for (guard, value) in otherwise {
                cases.push((terms.and(&[not_under, guard]), value));
            }
            possible(terms, cases)
        }
        (_, None, _) => combined(terms, op, operands),
        _ => Known::Nothing,
    }
}

/// An operator on numbers, for all that each of them may be.
fn combined(terms: &mut Terms, op: Op, operands: &[&Known]) -> Known {
    let mut all: Vec<(Term, Vec<Term>)> = vec![(terms.truth(), Vec::new())];
    for operand in operands {
        let Some(cases) = operand.cases() else {
            return Known::Nothing;
        };
        if all.len() * cases.len() > CASES * CASES {
            return Known::Nothing;
        }
        let mut longer = Vec::new();
        for (guard, values) in &all {
            for (also, value) in &cases {
                let mut values = values.clone();
                values.push(*value);
                longer.push((terms.and(&[*guard, *also]), values));
            }
        }
        all = longer;
    }
    let results = all.into_iter();
    let results: Vec<(Term, Term)> = results
        .map(|(guard, values)| (guard, terms.apply(op, &values)))
        .collect();
    if results.iter().any(|it| terms.sort(it.1) != Sort::Bool) {
        return possible(terms, results);
    }
    let (mut ways, mut needs) = (Vec::new(), Vec::new());
    for (guard, value) in results {
        ways.push(terms.and(&[guard, value]));
        needs.push(terms.implies(guard, value));
    }
    Known::Truth {
        over: terms.or(&ways),
        under: terms.and(&needs),
    }
}

/// The cases that can be, each value once, if they are few.
fn possible(terms: &mut Terms, cases: Vec<(Term, Term)>) -> Known {
    let mut found: Vec<(Term, Term)> = Vec::new();
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
        _ => Known::Nothing,
    }
}

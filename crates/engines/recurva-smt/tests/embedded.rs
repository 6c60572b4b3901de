//! The embedded solver against enumeration.

mod common;

use std::{ops::ControlFlow, time::Duration};

use common::{Kinds, Random, Tree, exists, go_on};
use recurva_smt::{
    Answer, Embedded, EmbeddedLimits, Op, Scalar, Sort, Term, Terms, Unknown, Value,
};

/// Variables with few values together.
fn kinds(random: &mut Random) -> Kinds {
    let one_bit = (Scalar::Bits(1), Scalar::Bits(1));
    let wide = (Scalar::Bits(1), Scalar::Bits(2));
    let long = (Scalar::Bits(2), Scalar::Bits(1));
    let array = |it: (Scalar, Scalar)| Sort::Array(it.0, it.1);
    let bits = |width: u32| Sort::Bits(width);
    match random.below(7) {
        0 => plain(vec![bits(5), bits(4), Sort::Bool], vec![5, 4, 1]),
        1 => plain(vec![bits(3), bits(3), bits(2)], vec![3, 2]),
        2 => plain(vec![bits(4), bits(4), bits(1)], vec![1, 4]),
        3 => Kinds {
            arrays: vec![one_bit],
            ..plain(
                vec![array(one_bit), array(one_bit), array(one_bit), bits(1)],
                vec![1],
            )
        },
        4 => Kinds {
            arrays: vec![wide],
            ..plain(vec![array(wide), array(wide), bits(1), bits(2)], vec![1, 2])
        },
        5 => Kinds {
            arrays: vec![long],
            ..plain(
                vec![array(long), array(long), bits(2), Sort::Bool],
                vec![1, 2],
            )
        },
        _ => Kinds {
            arrays: vec![one_bit, long],
            ..plain(
                vec![array(long), array(one_bit), bits(2), bits(1)],
                vec![1, 2],
            )
        },
    }
}

fn plain(variables: Vec<Sort>, widths: Vec<u32>) -> Kinds {
    Kinds {
        widths,
        arrays: Vec::new(),
        has_ints: false,
        variables,
    }
}

fn hold(trees: &[&Tree], values: &[Value]) -> bool {
    trees
        .iter()
        .all(|it| it.value(values) == Some(Value::Bool(true)))
}

#[test]
fn random_questions_one_after_the_other() {
    let mut random = Random::new(7);
    let (mut yes, mut no) = (0, 0);
    for round in 0..500 {
        let kinds = kinds(&mut random);
        let mut terms = Terms::default();
        let mut solver = Embedded::new(EmbeddedLimits::default());
        let mut asserted: Vec<(Tree, Term)> = Vec::new();
        for _ in 0..5 {
            let mut formula = |random: &mut Random, depth: usize| {
                let tree = kinds.tree(random, Sort::Bool, depth);
                let term = tree.term(&kinds, &mut terms);
                (tree, term)
            };
            let (depth, count) = (2 + random.below(3), random.below(4));
            let new = formula(&mut random, depth);
            let assumed: Vec<(Tree, Term)> = (0..count).map(|_| formula(&mut random, 2)).collect();
            if random.below(3) != 0 {
                solver.assert(&mut terms, new.1);
                asserted.push(new);
            }
            let assumptions: Vec<Term> = assumed.iter().map(|it| it.1).collect();
            let all: Vec<&Tree> = asserted.iter().chain(&assumed).map(|it| &it.0).collect();
            let expected = exists(&kinds.variables, &mut |values| hold(&all, values));
            match solver.check(&mut terms, &assumptions, &mut go_on) {
                Answer::Satisfiable(model) => {
                    yes += 1;
                    let values: Vec<Value> = (0..kinds.variables.len())
                        .map(|it| {
                            let variable = kinds.term(&mut terms, it);
                            model.value(&terms, variable).unwrap()
                        })
                        .collect();
                    assert!(expected && hold(&all, &values), "{round}: {values:?}");
                }
                Answer::Unsatisfiable(core) => {
                    no += 1;
                    assert!(!expected, "{round}: {all:?}");
                    assert!(core.iter().all(|it| assumptions.contains(it)));
                    let minimal = solver.minimal_core(&mut terms, &core, &mut go_on);
                    for core in [core, minimal] {
                        let needed: Vec<&Tree> = asserted
                            .iter()
                            .chain(assumed.iter().filter(|it| core.contains(&it.1)))
                            .map(|it| &it.0)
                            .collect();
                        let is_core =
                            !exists(&kinds.variables, &mut |values| hold(&needed, values));
                        assert!(is_core, "{round}: {needed:?}");
                    }
                }
                Answer::Unknown(why) => panic!("{round}: {why}"),
            }
        }
    }
    assert!(yes > 400 && no > 400, "{yes} {no}");
}

/// A question that takes very long: the factors of a product of two large primes.
fn hard(terms: &mut Terms) -> Term {
    let (x, y) = (
        terms.variable("x", Sort::Bits(64)),
        terms.variable("y", Sort::Bits(64)),
    );
    let (x, y) = (terms.zero_extend(x, 64), terms.zero_extend(y, 64));
    let product = terms.multiply(x, y);
    let number = terms.bits(4_294_967_291 * 4_294_967_279 * 65_521, 128);
    let same = terms.equal(product, number);
    let one = terms.bits(1 << 20, 128);
    let above = |terms: &mut Terms, it| terms.apply(Op::UnsignedLess, &[one, it]);
    let (x, y) = (above(terms, x), above(terms, y));
    terms.and(&[same, x, y])
}

fn unknown(answer: &Answer) -> Unknown {
    match answer {
        Answer::Unknown(unknown) => unknown.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_check_can_be_interrupted_and_asked_again() {
    let mut terms = Terms::default();
    let mut solver = Embedded::new(EmbeddedLimits::default());
    let activation = terms.variable("hard", Sort::Bool);
    let formula = hard(&mut terms);
    let guarded = terms.implies(activation, formula);
    solver.assert(&mut terms, guarded);
    // While terms become clauses, and at several moments of the search.
    for wait in [0, 1, 3, 10, 100] {
        let mut asked = 0;
        let mut ask = || {
            asked += 1;
            match asked > wait {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let answer = solver.check(&mut terms, &[activation], &mut ask);
        assert_eq!(unknown(&answer), Unknown::Stopped);
    }
    // Without the hard part it is easy, also afterwards.
    let answer = solver.check(&mut terms, &[], &mut go_on);
    assert!(answer.is_satisfiable());
    let off = terms.not(activation);
    solver.assert(&mut terms, off);
    let answer = solver.check(&mut terms, &[activation], &mut go_on);
    assert!(answer.is_unsatisfiable());
}

#[test]
fn limits_are_answers() {
    let mut terms = Terms::default();
    let formula = hard(&mut terms);
    let ask = |terms: &mut Terms, limits: EmbeddedLimits| {
        let mut solver = Embedded::new(limits);
        solver.assert(terms, formula);
        unknown(&solver.check(terms, &[], &mut go_on))
    };
    let little = EmbeddedLimits {
        memory: 1 << 20,
        time: None,
    };
    assert_eq!(ask(&mut terms, little), Unknown::Memory);
    let short = EmbeddedLimits {
        time: Some(Duration::from_millis(50)),
        ..EmbeddedLimits::default()
    };
    assert_eq!(ask(&mut terms, short), Unknown::Time);
}

#[test]
fn integers_are_refused() {
    let mut terms = Terms::default();
    let (x, y) = (
        terms.variable("x", Sort::Int),
        terms.variable("y", Sort::Int),
    );
    let less = terms.apply(Op::Less, &[x, y]);
    let mut solver = Embedded::new(EmbeddedLimits::default());
    let answer = solver.check(&mut terms, &[less], &mut go_on);
    assert!(matches!(unknown(&answer), Unknown::Unsupported(_)));
    // It is as if that had not been asked.
    assert!(solver.check(&mut terms, &[], &mut go_on).is_satisfiable());
    solver.assert(&mut terms, less);
    let answer = solver.check(&mut terms, &[], &mut go_on);
    assert!(matches!(unknown(&answer), Unknown::Unsupported(_)));
}

#[test]
fn all_models_by_blocking_clauses() {
    let mut terms = Terms::default();
    let mut solver = Embedded::new(EmbeddedLimits::default());
    let x = terms.variable("x", Sort::Bits(12));
    let y = terms.variable("y", Sort::Bits(12));
    let sum = terms.add(x, y);
    let number = terms.bits(100, 12);
    let is_number = terms.equal(sum, number);
    let limit = terms.bits(500, 12);
    let is_less = terms.apply(Op::UnsignedLess, &[x, limit]);
    let active = terms.variable("active", Sort::Bool);
    for formula in [is_number, is_less] {
        solver.assert(&mut terms, formula);
    }
    let mut found = 0;
    while let Answer::Satisfiable(model) = solver.check(&mut terms, &[active], &mut go_on) {
        found += 1;
        let Some(Value::Bits(bits)) = model.value(&terms, x) else {
            panic!("x has no value");
        };
        let value = terms.bits(bits, 12);
        let again = terms.equal(x, value);
        let blocked = terms.and(&[active, again]);
        let clause = terms.not(blocked);
        solver.assert(&mut terms, clause);
    }
    assert_eq!(found, 500);
    // Without the literal that activates them, the clauses say nothing.
    assert!(solver.check(&mut terms, &[], &mut go_on).is_satisfiable());
}

#[test]
fn memory_as_a_chain_of_stores() {
    // What is written at different places can be read again, whatever the order.
    let mut terms = Terms::default();
    let sort = Sort::Array(Scalar::Bits(32), Scalar::Bits(8));
    let start = terms.variable("memory", sort);
    let base = terms.variable("base", Sort::Bits(32));
    let mut memory = start;
    let places: Vec<Term> = (0..40)
        .map(|it| {
            let offset = terms.bits(it * 8, 32);
            terms.add(base, offset)
        })
        .collect();
    for (number, &place) in places.iter().enumerate() {
        let value = terms.bits(number as u128, 8);
        memory = terms.store(memory, place, value);
    }
    let place = terms.variable("place", Sort::Bits(32));
    let (before, after) = (terms.select(start, place), terms.select(memory, place));
    let same = terms.equal(before, after);
    let changed = terms.not(same);
    let misses: Vec<Term> = places
        .iter()
        .map(|&it| {
            let hits = terms.equal(it, place);
            terms.not(hits)
        })
        .collect();
    let mut solver = Embedded::new(EmbeddedLimits::default());
    solver.assert(&mut terms, changed);
    assert!(solver.check(&mut terms, &[], &mut go_on).is_satisfiable());
    let Answer::Unsatisfiable(core) = solver.check(&mut terms, &misses, &mut go_on) else {
        panic!("nothing else was written");
    };
    assert_eq!(core.len(), 40);
    // Both arrays are equal only where what was there was the same.
    let equal = terms.equal(start, memory);
    assert!(
        solver
            .check(&mut terms, &[equal], &mut go_on)
            .is_unsatisfiable()
    );
}

//! What terms are simplified to means the same.

mod common;

use common::{Kinds, Random};
use recurva_smt::{Scalar, Sort, Term, Terms, Value};

/// Random formulas, each in random worlds.
fn agree(kinds: &Kinds, sorts: &[Sort], seed: u64, rounds: usize) {
    let mut random = Random::new(seed);
    for round in 0..rounds {
        let mut terms = Terms::default();
        let sort = *random.pick(sorts);
        let depth = 1 + random.below(5);
        let tree = kinds.tree(&mut random, sort, depth);
        let term = tree.term(kinds, &mut terms);
        assert_eq!(terms.sort(term), sort);
        let variables: Vec<Term> = (0..kinds.variables.len())
            .map(|it| kinds.term(&mut terms, it))
            .collect();
        for _ in 0..12 {
            let values: Vec<Value> = kinds
                .variables
                .iter()
                .map(|&it| kinds.value(&mut random, it))
                .collect();
            let Some(expected) = tree.value(&values) else {
                continue;
            };
            let of = |it: Term| {
                let place = variables.iter().position(|&variable| variable == it)?;
                Some(values[place].clone())
            };
            let found = terms.evaluate(term, &of);
            let is_same = match (&expected, &found, sort) {
                (Value::Array(one), Some(Value::Array(other)), Sort::Array(index, _)) => {
                    one.equals(other, index)
                }
                (one, other, _) => Some(one) == other.as_ref(),
            };
            assert!(
                is_same,
                "{round}: {tree:?} with {values:?} is {expected:?}, not {found:?}"
            );
        }
    }
}

#[test]
fn small_words_and_arrays() {
    let bits = |width| Sort::Bits(width);
    let arrays = vec![
        (Scalar::Bits(1), Scalar::Bits(2)),
        (Scalar::Bits(2), Scalar::Bits(3)),
    ];
    let variables = vec![
        Sort::Bool,
        Sort::Bool,
        bits(1),
        bits(2),
        bits(2),
        bits(3),
        bits(4),
        bits(5),
        Sort::Array(arrays[0].0, arrays[0].1),
        Sort::Array(arrays[1].0, arrays[1].1),
    ];
    let kinds = Kinds {
        widths: vec![1, 2, 3, 4, 5],
        arrays,
        has_ints: false,
        variables: variables.clone(),
    };
    agree(&kinds, &variables, 1, 60_000);
}

#[test]
fn wide_words() {
    let widths = vec![7, 8, 32, 63, 64, 65, 127, 128];
    let variables: Vec<Sort> = widths
        .iter()
        .flat_map(|&it| [Sort::Bits(it); 2])
        .chain([Sort::Bool; 2])
        .collect();
    let arrays = vec![(Scalar::Bits(64), Scalar::Bits(128))];
    let kinds = Kinds {
        widths,
        arrays,
        has_ints: false,
        variables: variables.clone(),
    };
    agree(&kinds, &variables, 2, 20_000);
}

#[test]
fn integers() {
    let variables = vec![
        Sort::Int,
        Sort::Int,
        Sort::Bool,
        Sort::Array(Scalar::Int, Scalar::Int),
    ];
    let kinds = Kinds {
        widths: vec![3],
        arrays: Vec::new(),
        has_ints: true,
        variables: variables.clone(),
    };
    agree(&kinds, &variables, 3, 40_000);
}

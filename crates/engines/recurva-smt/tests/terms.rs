//! What terms are simplified to means the same.

mod common;

use common::{Kinds, Random, Shape, Tree};
use recurva_smt::{Equations, Op, Scalar, Sort, Term, Terms, Value};

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

/// A random sum of products of words of one width, some of them cut out of wider ones.
fn ring(random: &mut Random, width: u32, depth: usize) -> Tree {
    let sort = Sort::Bits(width);
    if depth == 0 || random.below(6) == 0 {
        let shape = match random.below(3) {
            0 => Shape::Bits(random.below(3) as u128 & 1),
            _ if width == 4 => Shape::Variable(random.below(3)),
            _ => return extended(random, width, depth),
        };
        return Tree { sort, shape };
    }
    if width == 4 && random.below(5) == 0 {
        let of = ring(random, 7, depth - 1);
        let shape = Shape::Apply(Op::Extract { high: 3, low: 0 }, vec![of]);
        return Tree { sort, shape };
    }
    let op = *random.pick(&[Op::Add, Op::Subtract, Op::Multiply, Op::Multiply]);
    let of = (0..2).map(|_| ring(random, width, depth - 1)).collect();
    let shape = Shape::Apply(op, of);
    Tree { sort, shape }
}

fn extended(random: &mut Random, width: u32, depth: usize) -> Tree {
    let op = *random.pick(&[Op::ZeroExtend(width - 4), Op::SignExtend(width - 4)]);
    let of = vec![ring(random, 4, depth.saturating_sub(1))];
    let shape = Shape::Apply(op, of);
    Tree {
        sort: Sort::Bits(width),
        shape,
    }
}

/// All values of three words of four bits.
fn all_values() -> impl Iterator<Item = [Value; 3]> {
    (0..1 << 12).map(|it: u128| [it, it >> 4, it >> 8].map(|it| Value::Bits(it & 15)))
}

fn three_words() -> Kinds {
    Kinds {
        widths: vec![4, 7],
        arrays: Vec::new(),
        has_ints: false,
        variables: vec![Sort::Bits(4); 3],
    }
}

#[test]
fn sums_are_equal_as_they_are_for_all_values() {
    let kinds = three_words();
    let mut random = Random::new(4);
    let mut decided = [0, 0];
    for _ in 0..1_500 {
        let mut terms = Terms::default();
        let [left, right] = [0; 2].map(|_| ring(&mut random, 4, 3));
        let terms_of_both = [&left, &right].map(|it| it.term(&kinds, &mut terms));
        let equal = terms.equal(terms_of_both[0], terms_of_both[1]);
        let Some(is_equal) = [terms.falsity(), terms.truth()]
            .iter()
            .position(|it| *it == equal)
        else {
            continue;
        };
        decided[is_equal] += 1;
        for values in all_values() {
            let is_same = left.value(&values) == right.value(&values);
            assert_eq!(is_same, is_equal == 1, "{left:?} {right:?} {values:?}");
        }
    }
    assert!(decided[0] > 20 && decided[1] > 20, "{decided:?}");
}

#[test]
fn what_equations_say_is_so_where_they_hold() {
    let kinds = three_words();
    let mut random = Random::new(5);
    let mut used = 0;
    for _ in 0..400 {
        let mut terms = Terms::default();
        let facts: Vec<(Tree, Tree)> = (0..2)
            .map(|_| {
                let variable = Tree {
                    sort: Sort::Bits(4),
                    shape: Shape::Variable(random.below(3)),
                };
                (variable, ring(&mut random, 4, 2))
            })
            .collect();
        let goal = (ring(&mut random, 4, 2), ring(&mut random, 4, 2));
        let mut equation = |(left, right): &(Tree, Tree)| {
            let left = left.term(&kinds, &mut terms);
            let right = right.term(&kinds, &mut terms);
            terms.equal(left, right)
        };
        let said: Vec<Term> = facts.iter().map(&mut equation).collect();
        let asked = equation(&goal);
        let equations = Equations::new(&mut terms, &said);
        used += equations.used().len();
        assert!(equations.used().iter().all(|it| said.contains(it)));
        let found = equations.apply(&mut terms, asked);
        let variables: Vec<Term> = (0..3).map(|it| kinds.term(&mut terms, it)).collect();
        for values in all_values() {
            let holds = |(left, right): &(Tree, Tree)| left.value(&values) == right.value(&values);
            if !facts.iter().all(holds) {
                continue;
            }
            let of = |it: Term| {
                let place = variables.iter().position(|&variable| variable == it)?;
                Some(values[place].clone())
            };
            let expected = Some(Value::Bool(holds(&goal)));
            assert_eq!(terms.evaluate(found, &of), expected, "{facts:?} {goal:?}");
        }
    }
    assert!(used > 100, "{used}");
}

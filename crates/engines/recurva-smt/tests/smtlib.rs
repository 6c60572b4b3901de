//! Terms written and read again, and what is no term.

mod common;

use common::{Kinds, Random};
use recurva_smt::{
    Op, Scalar, Sort, Terms, Value,
    smtlib::{
        Sexpr, Sexprs, name, print_script, print_sort, print_term, read_model, read_sort,
        read_term, symbol,
    },
};

fn kinds() -> Kinds {
    let arrays = vec![
        (Scalar::Bits(3), Scalar::Bits(128)),
        (Scalar::Int, Scalar::Bits(5)),
    ];
    let array = |it: &(Scalar, Scalar)| Sort::Array(it.0, it.1);
    Kinds {
        variables: arrays
            .iter()
            .map(array)
            .chain([3, 5, 5, 8, 128].map(Sort::Bits))
            .chain([Sort::Int, Sort::Int, Sort::Bool])
            .collect(),
        widths: vec![1, 3, 5, 8, 128],
        arrays,
        has_ints: true,
    }
}

#[test]
fn what_is_printed_is_read() {
    let kinds = kinds();
    let mut random = Random::new(21);
    for _ in 0..20_000 {
        let mut terms = Terms::default();
        let sort = *random.pick(&kinds.variables);
        let depth = 1 + random.below(5);
        let tree = kinds.tree(&mut random, sort, depth);
        let term = tree.term(&kinds, &mut terms);
        let text = print_term(&terms, term);
        let read = Sexprs::read(&text).unwrap();
        let whole: Vec<Sexpr<'_>> = read.iter().collect();
        let known: Vec<(String, recurva_smt::Term)> = terms
            .variables_of(&[term])
            .into_iter()
            .map(|it| (symbol(terms.variable_name(it).unwrap()), it))
            .collect();
        let variables = |name: &str| {
            let found = known.iter().find(|it| it.0 == name);
            found.map(|it| it.1)
        };
        let again = read_term(&mut terms, whole[0], &variables).unwrap();
        assert_eq!(again, term, "{text}");
        let sorts = print_sort(sort);
        let read = Sexprs::read(&sorts).unwrap();
        assert_eq!(read_sort(read.iter().next().unwrap()), Ok(sort));
    }
}

fn read(terms: &mut Terms, text: &str) -> Result<recurva_smt::Term, String> {
    let x = terms.variable("x", Sort::Bits(4));
    let i = terms.variable("i", Sort::Int);
    let p = terms.variable("p", Sort::Bool);
    let all = Sexprs::read(text)?;
    let first = all.iter().next().ok_or("nothing")?;
    read_term(terms, first, &|name| match name {
        "x" => Some(x),
        "i" => Some(i),
        "p" => Some(p),
        _ => None,
    })
}

/// The value of a text for all values of `x`, and for `i` and `p` that depend on it.
fn values(text: &str) -> Vec<Value> {
    let mut terms = Terms::default();
    let term = read(&mut terms, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let [x, i] = ["x", "i"].map(|it| terms.find_variable(it).unwrap());
    (0..16)
        .map(|bits| {
            let of = |it| {
                Some(match it {
                    _ if it == x => Value::Bits(bits),
                    _ if it == i => Value::Int(bits as i128 - 8),
                    _ => Value::Bool(bits % 3 == 0),
                })
            };
            terms.evaluate(term, &of).unwrap()
        })
        .collect()
}

#[test]
fn operators_that_are_made_of_others() {
    let bits = |of: &dyn Fn(u128) -> u128| -> Vec<Value> {
        (0..16).map(|it| Value::Bits(of(it))).collect()
    };
    let ints = |of: &dyn Fn(i128) -> i128| -> Vec<Value> {
        (0..16).map(|it| Value::Int(of(it - 8))).collect()
    };
    let truth = |of: &dyn Fn(i128) -> bool| -> Vec<Value> {
        (0..16).map(|it| Value::Bool(of(it))).collect()
    };
    let signed = |it: u128| if it > 7 { it as i128 - 16 } else { it as i128 };
    assert_eq!(
        values("((_ rotate_left 5) x)"),
        bits(&|it| (it << 1 | it >> 3) & 15)
    );
    assert_eq!(
        values("((_ rotate_right 1) x)"),
        bits(&|it| it >> 1 | it << 3 & 15)
    );
    assert_eq!(values("((_ repeat 2) x)"), bits(&|it| it << 4 | it));
    assert_eq!(values("(bvnand x #b0110)"), bits(&|it| 15 - (it & 6)));
    assert_eq!(values("(bvnor x #x6)"), bits(&|it| 15 - (it | 6)));
    assert_eq!(values("(bvxnor x (_ bv6 4))"), bits(&|it| 15 - (it ^ 6)));
    assert_eq!(values("(bvcomp x #x3)"), bits(&|it| u128::from(it == 3)));
    for divisor in -8..8 {
        let modulo = |it: u128| match divisor {
            0 => it,
            _ => {
                let rest = signed(it).rem_euclid(divisor);
                let rest = if rest != 0 && divisor < 0 {
                    rest + divisor
                } else {
                    rest
                };
                rest as u128 & 15
            }
        };
        let text = format!("(bvsmod x (_ bv{} 4))", divisor & 15);
        assert_eq!(values(&text), bits(&modulo), "{text}");
    }
    assert_eq!(values("(bvadd x x x)"), bits(&|it| (it * 3) & 15));
    assert_eq!(values("(bvudiv_i x #x3)"), bits(&|it| it / 3));
    assert_eq!(values("(concat x #b1 x)"), bits(&|it| it << 5 | 16 | it));
    assert_eq!(values("(- i)"), ints(&|it| -it));
    assert_eq!(values("(- i 1 2)"), ints(&|it| it - 3));
    assert_eq!(values("(* i i 2)"), ints(&|it| it * it * 2));
    assert_eq!(values("(abs i)"), ints(&i128::abs));
    assert_eq!(values("(mod i (- 3))"), ints(&|it| it.rem_euclid(3)));
    assert_eq!(values("(div i (- 3))"), ints(&|it| it.div_euclid(-3)));
    assert_eq!(
        values("((_ divisible 3) i)"),
        truth(&|it| (it - 8) % 3 == 0)
    );
    assert_eq!(
        values("(< (- 3) i 2 5)"),
        truth(&|it| -3 < it - 8 && it - 8 < 2)
    );
    assert_eq!(values("(bvugt x #x3)"), truth(&|it| it > 3));
    assert_eq!(
        values("(bvsge #x3 x)"),
        truth(&|it| signed(it as u128) <= 3)
    );
    assert_eq!(values("(distinct i 1 2)"), truth(&|it| it != 9 && it != 10));
    assert_eq!(values("(xor p true p)"), truth(&|_| true));
    assert_eq!(values("(=> p p false)"), truth(&|it| it % 3 != 0));
    assert_eq!(values("(and p)"), truth(&|it| it % 3 == 0));
    assert_eq!(values("(= i 1 1)"), truth(&|it| it == 9));
    assert_eq!(values("(let ((i 3) (y i)) (+ i y))"), ints(&|it| it + 3));
    assert_eq!(
        values("(let ((i (let ((i 2)) i))) (let ((i (+ i 1))) i))"),
        ints(&|_| 3)
    );
    assert_eq!(
        values("(! (ite p i 0) :named |a b|)"),
        ints(&|it| if (it + 8) % 3 == 0 { it } else { 0 })
    );
    let select = "(select (store ((as const (Array Int Int)) 7) 3 4) i)";
    assert_eq!(values(select), ints(&|it| if it == 3 { 4 } else { 7 }));
}

#[test]
fn what_is_no_term() {
    for text in [
        "",
        "(",
        ")",
        "()",
        "(()",
        "y",
        "(foo x)",
        "(bvadd x i)",
        "(bvadd)",
        "(bvnot x x)",
        "(_ bv3 0)",
        "(_ bv3 200)",
        "#b",
        "#xyz",
        "1.5",
        "\"a\"",
        "(let ((a)) x)",
        "(let x)",
        "((_ extract 4 0) x)",
        "((_ extract 0 1) x)",
        "((_ zero_extend 125) x)",
        "((_ repeat 0) x)",
        "((_ repeat 4000000000) x)",
        "(ite p x i)",
        "(select x x)",
        "((as const Int) i)",
        "(forall ((x Int)) p)",
        "(and)",
        "(= x)",
        "(not)",
        "(distinct i)",
        "(concat x ((_ zero_extend 124) x))",
        "|a",
        "\"a",
        "(- x)",
        "(bvudiv_i x #x0)",
        "99999999999999999999999999999999999999999999",
        "(< p p)",
        "(xor x x)",
        "(=>)",
        "(- )",
        "(as x)",
        "((as const (Array Int Bool)) p)",
        "((_ sign_extend 4294967295) x)",
    ] {
        let mut terms = Terms::default();
        assert!(read(&mut terms, text).is_err(), "{text}");
    }
    // Random bytes, and pieces of terms in any order.
    let mut random = Random::new(5);
    let pieces = [
        "(", ")", " ", "x", "let", "_", "|", "\"", ";", "\n", "bvadd", "#b1", "3", "extract",
        "as const",
    ];
    for _ in 0..20_000 {
        let text: String = (0..random.below(12))
            .map(|_| *random.pick(&pieces))
            .collect();
        let _ = read(&mut Terms::default(), &text);
    }
}

#[test]
fn what_is_deep_or_wide() {
    let mut terms = Terms::default();
    let deep = 200_000;
    let text = format!("{}p{}", "(not (and p ".repeat(deep), "))".repeat(deep));
    read(&mut terms, &text).unwrap();
    // A sum of itself: 2^60 leaves.
    let mut sum = terms.variable("s", Sort::Bits(64));
    let start = sum;
    for _ in 0..60 {
        let other = terms.apply(Op::BitNot, &[sum]);
        sum = terms.multiply(sum, other);
    }
    let text = print_term(&terms, sum);
    assert!(text.len() < 10_000);
    let all = Sexprs::read(&text).unwrap();
    let whole = all.iter().next().unwrap();
    assert_eq!(read_term(&mut terms, whole, &|_| Some(start)), Ok(sum));
    assert_eq!(whole.to_string(), text);
    // A long chain is written in pieces.
    let i = terms.variable("i", Sort::Int);
    let mut term = i;
    for _ in 0..10_000 {
        let product = terms.multiply(term, i);
        term = terms.apply(Op::Negate, &[product]);
    }
    let formula = terms.equal(term, i);
    let script = print_script(&terms, &[formula]);
    let depth = script.chars().scan(0, |depth: &mut usize, it| {
        match it {
            '(' => *depth += 1,
            ')' => *depth -= 1,
            _ => {}
        }
        Some(*depth)
    });
    assert!(depth.max() < Some(400));
}

#[test]
fn any_name_can_be_written() {
    let mut random = Random::new(9);
    let letters = [
        'a', '|', '\\', '%', ' ', '$', '7', 'c', 'ü', '\n', '(', ';', '"', '!',
    ];
    let mut seen = std::collections::HashMap::new();
    for _ in 0..5_000 {
        let text: String = (0..random.below(5))
            .map(|_| *random.pick(&letters))
            .collect();
        let written = symbol(&text);
        let all = Sexprs::read(&written).unwrap();
        let first = all.iter().next().unwrap().symbol().unwrap();
        assert_eq!(name(first).as_deref(), Some(&*text));
        assert_eq!(seen.entry(written).or_insert_with(|| text.clone()), &text);
    }
    assert_eq!(name("and"), None);
    assert_eq!(name("$%zz"), None);
}

#[test]
fn models_of_both_solvers() {
    let mut terms = Terms::default();
    let x = terms.variable("x", Sort::Bits(8));
    let i = terms.variable("i", Sort::Int);
    let a = terms.variable("a", Sort::Array(Scalar::Bits(8), Scalar::Bits(4)));
    for text in [
        "(model (define-fun $x () (_ BitVec 8) #xff) (define-fun $i () Int (- 5))
          (define-fun $a () (Array (_ BitVec 8) (_ BitVec 4))
            (store (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) #x0) #x01 #x2) #xff #x3)))",
        "((define-fun $i () Int (- 5)) (define-fun |$x| () (_ BitVec 8) (_ bv255 8)) (define-fun other () Bool true)
          (define-fun f ((y Int)) Int y)
          (define-fun $a () (Array (_ BitVec 8) (_ BitVec 4)) (let ((b ((as const (Array (_ BitVec 8) (_ BitVec 4))) #b0000)))
             (store (store b #b11111111 #x3) #x01 #b0010))))",
    ] {
        let all = Sexprs::read(text).unwrap();
        let model = read_model(&terms, all.iter().next().unwrap()).unwrap();
        assert_eq!(model.value(&terms, x), Some(Value::Bits(255)));
        assert_eq!(model.value(&terms, i), Some(Value::Int(-5)));
        let Some(Value::Array(array)) = model.value(&terms, a) else {
            panic!("no array");
        };
        assert_eq!((array.get(1), array.get(255), array.get(7)), (2, 3, 0));
    }
    for text in [
        "sat",
        "(x)",
        "((define-fun $x () Int 3))",
        "((define-fun $x () (_ BitVec 8) #b1))",
        "((define-fun $x () (_ BitVec 8)))",
        "((define-fun $x ((y Int)) (_ BitVec 8) #xff))",
        "((define-fun $a () (Array (_ BitVec 8) (_ BitVec 4)) (_ as-array k)))",
        "((define-fun $i () Int (div 1 0)))",
    ] {
        let all = Sexprs::read(text).unwrap();
        assert!(
            read_model(&terms, all.iter().next().unwrap()).is_err(),
            "{text}"
        );
    }
}

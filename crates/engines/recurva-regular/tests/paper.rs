//! The answers of "Regular Model Checking", and the models of the corpus.

use std::path::Path;

use recurva_regular::{
    Meter, Relation,
    columns::{self, Depth},
    engine::{self, Engine, Problem, Verdict},
    express::{Alphabet, expression},
    lang,
    live::{self, LiveVerdict},
    system::System,
    widen,
};
use recurva_syntax::{Source, Style};

fn load(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../corpus/rmc")
        .join(name);
    let text = std::fs::read_to_string(&path).expect("the model is there");
    let source = Source::new(name, text).expect("it is short");
    let parsed = lang::parse(&source);
    parsed
        .value
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics.render(&source, Style::Plain)))
}

/// Section 4.4: R*(φ) is ⊥* t ⊥*, and R⁺ is (⊥,⊥)* (t,⊥) (⊥,⊥)* (⊥,t) (⊥,⊥)*.
#[test]
fn token_passing_has_the_answers_of_section_4_4() {
    let system = load("token.rmc");
    let mut meter = Meter::new(1_000_000);
    let relation = system.relation(&mut meter).unwrap();
    let set = |dfa| expression(dfa, Alphabet::Letters(&system.letters)).unwrap();
    let pairs = |dfa| expression(dfa, Alphabet::Pairs(&system.letters)).unwrap();

    let by_columns = columns::reach(&system.initial, &relation, Depth::Any, &mut meter).unwrap();
    assert_eq!(set(&by_columns.dfa), "n* t n*");
    assert_eq!((by_columns.subsets, by_columns.dfa.states()), (5, 2));
    let widened =
        widen::reach(&system.initial, std::slice::from_ref(&relation), &mut meter).unwrap();
    assert!(widened.exact);
    assert_eq!(widened.set, by_columns.dfa);

    let by_columns = columns::closure(&relation, Depth::Any, &mut meter).unwrap();
    assert_eq!(pairs(&by_columns.dfa), "n* t/n n* n/t n*");
    assert_eq!((by_columns.subsets, by_columns.dfa.states()), (4, 3));
    let widened = widen::closure(&relation, &mut meter).unwrap();
    assert!(widened.exact);
    assert_eq!(widened.set, by_columns.dfa);
    // Local depth 2 is enough: a letter is rewritten twice at most.
    let bounded = columns::closure(&relation, Depth::Local(2), &mut meter).unwrap();
    assert_eq!(bounded.dfa, by_columns.dfa);
}

/// What a simple relation is, section 4.2.
#[test]
fn simple_relations_are_recognised() {
    let mut meter = Meter::new(1_000_000);
    let token = load("token.rmc").relation(&mut meter).unwrap();
    assert!(widen::never_comes_back(&token, &mut meter).unwrap());
    let back = token.inverse(&mut meter).unwrap();
    assert!(widen::never_comes_back(&back, &mut meter).unwrap());
    let both = token.union(&back, &mut meter).unwrap();
    assert!(!widen::never_comes_back(&both, &mut meter).unwrap());
    let idle = Relation::identity(&load("token.rmc").initial, &mut meter).unwrap();
    assert!(!widen::never_comes_back(&idle, &mut meter).unwrap());
}

/// Model, property, and the smallest size that violates it, if one does.
const SAFETY: &[(&str, &str, Option<usize>)] = &[
    ("token.rmc", "two", None),
    ("token.rmc", "none", None),
    ("token_buggy.rmc", "two", Some(3)),
    ("token_buggy.rmc", "none", None),
    ("token_ring.rmc", "two", None),
    ("token_ring.rmc", "none", None),
    ("szymanski.rmc", "mutex", None),
    ("szymanski_buggy.rmc", "mutex", Some(2)),
    ("burns.rmc", "mutex", None),
    ("burns_buggy.rmc", "mutex", Some(2)),
    ("dijkstra.rmc", "mutex", None),
    ("dijkstra.rmc", "points", None),
    ("dijkstra_buggy.rmc", "mutex", Some(2)),
    ("dijkstra_buggy.rmc", "points", None),
    ("bakery.rmc", "mutex", None),
    ("bakery_buggy.rmc", "mutex", Some(3)),
    ("alternating_bit.rmc", "twice", None),
    ("alternating_bit.rmc", "lost", None),
    ("alternating_bit_buggy.rmc", "twice", Some(5)),
    ("alternating_bit_buggy.rmc", "lost", Some(5)),
    ("sliding_window.rmc", "ahead", None),
    ("sliding_window.rmc", "behind", None),
    ("sliding_window.rmc", "wide", None),
    ("sliding_window_buggy.rmc", "behind", Some(3)),
    ("wave.rmc", "gap", None),
];

#[test]
fn the_corpus_has_its_verdicts() {
    for (model, property, smallest) in SAFETY {
        let system = load(model);
        let bad = system
            .bad
            .iter()
            .find(|bad| bad.name == *property)
            .expect("the property");
        let mut meter = Meter::new(u64::MAX);
        let problem = Problem::new(&system, &bad.words, &mut meter).unwrap();
        let outcome = engine::check(&problem, Engine::Auto, &mut meter).expect("claims are right");
        match (outcome.verdict, smallest) {
            (Verdict::Safe(_), None) => {}
            (Verdict::Violated(run), Some(size)) => {
                assert_eq!(run.words[0].len(), *size, "{model}");
            }
            (verdict, _) => panic!("{model}, {property}: {verdict:?}"),
        }
    }
}

/// Model, formula, and the smallest size that violates it, if one does.
const LIVENESS: &[(&str, &str, Option<usize>)] = &[
    ("token_array.rmc", "gets", None),
    ("token_ring.rmc", "gets", None),
    ("token_ring_unfair.rmc", "gets", Some(2)),
    ("bakery.rmc", "served", None),
    ("bakery_unfair.rmc", "served", Some(2)),
    ("token_mutex_unfair.rmc", "served", Some(2)),
    ("wave.rmc", "spread", None),
    ("wave.rmc", "whole", None),
];

#[test]
fn formulas_have_their_verdicts() {
    for (model, property, smallest) in LIVENESS {
        let system = load(model);
        let formula = system
            .live
            .iter()
            .find(|live| live.name == *property)
            .expect("the formula");
        let mut meter = Meter::new(u64::MAX);
        let outcome =
            live::check(&system, formula, Engine::Auto, &mut meter).expect("claims are right");
        match (outcome.verdict, smallest) {
            (LiveVerdict::Holds(_), None) => {}
            (LiveVerdict::Violated(lasso), Some(size)) => {
                assert_eq!(lasso.turn[0].len(), *size, "{model}");
                assert_eq!(
                    live::check_lasso(&system, formula, &lasso),
                    Ok(()),
                    "{model}"
                );
            }
            (verdict, _) => panic!("{model}, {property}: {verdict:?}"),
        }
    }
}

/// Section 5: the closure of the augmented relation by the column construction. The part of it that
/// begins in reachable words has six states.
#[test]
fn the_liveness_proof_of_section_5_is_found_by_columns() {
    let system = load("token_array.rmc");
    let mut meter = Meter::new(u64::MAX);
    let outcome = live::check(&system, &system.live[0], Engine::Columns, &mut meter);
    match outcome.expect("claims are right").verdict {
        LiveVerdict::Holds(proof) => assert_eq!(proof.loops.states(), 6),
        verdict => panic!("{verdict:?}"),
    }
}

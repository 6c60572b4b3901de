//! Abbreviations and patterns mean what the reference page says, in terms of paths: random
//! machines and formulas, against code that shares nothing with how they are written out.

mod common;
mod growing;
mod walked;

use std::ops::ControlFlow;

use common::{formula, holds, machine};
use growing::Random;
use recurva_nested::{Options, check};
use walked::{Formula, Meaning, PATTERNS, Which, grow_formula, grow_machine, runs_agree};

/// Asks the engine, and compares.
fn compare(walked: &walked::Machine, asked: &Formula) -> bool {
    let expected = Meaning::new(walked).closed(asked, walked.init, None);
    let (real, text) = (machine(&walked.to_string()), formula(&asked.to_string()));
    let outcome = check(&real, &text, &Options::default(), |_| {
        ControlFlow::Continue(())
    });
    let outcome = outcome.expect("it is small");
    assert_eq!(outcome.holds, expected, "{asked} on\n{walked}");
    expected
}

/// The same formula for a called procedure, if there is one: there a path can end by a return.
fn called(random: &mut Random, walked: &walked::Machine, inner: Formula) -> Formula {
    let which = random.pick(&[Which::Some, Which::All]);
    match walked.callees(walked.init) {
        [] => inner,
        _ => Formula::Call(which, Box::new(inner), Vec::new()),
    }
}

#[test]
fn a_path_may_end_by_a_return_where_it_could_go_on() {
    let machine = machine(
        "call c
         local x : q
         local y
         return r
         init c
         c -call-> x
         x -> y
         (x, c) -ret-> r
         (y, c) -ret-> r",
    );
    let holds = |text: &str| holds(&machine, &formula(text));
    for local in ["", "_l"] {
        assert!(!holds(&format!("<call> (AF{local} !q) {{}}")));
        assert!(holds(&format!("<call> (EG{local} q) {{}}")));
        assert!(!holds(&format!("<call> A[q U{local} !q] {{}}")));
        assert!(holds(&format!("<call> E[q W{local} false] {{}}")));
        // The others do not change.
        assert!(holds(&format!("<call> (EF{local} !q) {{}}")));
        assert!(!holds(&format!("<call> (AG{local} q) {{}}")));
        assert!(holds(&format!("<call> E[q U{local} !q] {{}}")));
        assert!(holds(&format!("<call> A[q W{local} !q] {{}}")));
    }
    // It returns from the call all the same, and the path of the caller goes on there.
    assert!(holds("terminates & AF ret & AF_l ret & [jump] ret"));
    assert!(holds(
        "<call> (<ret> true & <loc> <ret> true) {} & [ret] false"
    ));
}

#[test]
fn temporal_operators_are_about_paths() {
    let random = &mut Random(21);
    let (mut true_ones, mut count) = (0, 0);
    for _ in 0..2_000 {
        let walked = grow_machine(random);
        for index in 0..16 {
            let (which, weak) = ([Which::Some, Which::All][index % 2], index / 2 % 2 == 0);
            let depth = random.below(2);
            let inner = Formula::Path {
                which,
                weak,
                local: index / 4 % 2 == 0,
                parts: Box::new([grow_formula(random, depth, 0), grow_formula(random, 0, 0)]),
            };
            let asked = match index / 8 {
                0 => inner,
                _ => called(random, &walked, inner),
            };
            count += 1;
            true_ones += usize::from(compare(&walked, &asked));
        }
    }
    assert!(
        (count / 4..count * 3 / 4).contains(&true_ones),
        "{true_ones}"
    );
}

#[test]
fn patterns_are_about_paths() {
    let random = &mut Random(22);
    let mut true_ones = [0; PATTERNS.len()];
    for _ in 0..2_000 {
        let walked = grow_machine(random);
        for (index, &(name, count)) in PATTERNS.iter().enumerate() {
            let arguments = (0..count).map(|_| {
                let depth = random.below(4) / 3;
                grow_formula(random, depth, 0)
            });
            let inner = Formula::Pattern(name, arguments.collect());
            let asked = match random.below(2) {
                0 => inner,
                _ => called(random, &walked, inner),
            };
            true_ones[index] += usize::from(compare(&walked, &asked));
        }
    }
    for (index, (name, _)) in PATTERNS.iter().enumerate() {
        let count = true_ones[index];
        assert!((10..1_990).contains(&count), "{name}: {count}");
    }
}

#[test]
fn all_abbreviations_inside_each_other_are_about_paths() {
    let random = &mut Random(23);
    let mut true_ones = 0;
    for _ in 0..12_000 {
        let walked = grow_machine(random);
        let depth = 1 + random.below(4);
        let inner = grow_formula(random, depth, 0);
        let asked = called(random, &walked, inner);
        true_ones += usize::from(compare(&walked, &asked));
    }
    assert!((3_000..9_000).contains(&true_ones), "{true_ones}");
}

/// The same with everything that gives an answer, and proofs.
#[test]
fn engines_and_proofs_agree_about_paths() {
    let random = &mut Random(24);
    for _ in 0..1_000 {
        let walked = grow_machine(random);
        let depth = 1 + random.below(3);
        let inner = grow_formula(random, depth, 0);
        let asked = called(random, &walked, inner);
        let expected = Meaning::new(&walked).closed(&asked, walked.init, None);
        let (real, text) = (machine(&walked.to_string()), formula(&asked.to_string()));
        assert_eq!(holds(&real, &text), expected, "{asked} on\n{walked}");
    }
}

/// Who tells what paths there are without a stack is tested by runs with one.
#[test]
fn paths_are_runs_with_a_stack() {
    let random = &mut Random(25);
    let (mut found, mut missed) = (0, 0);
    for _ in 0..3_000 {
        let walked = grow_machine(random);
        let meaning = Meaning::new(&walked);
        let asked = Formula::Path {
            which: random.pick(&[Which::Some, Which::All]),
            weak: random.below(2) == 0,
            local: random.below(2) == 0,
            parts: Box::new([grow_formula(random, 0, 0), grow_formula(random, 0, 0)]),
        };
        for (state, pending) in walked.positions() {
            let holds = meaning.closed(&asked, state, pending);
            match runs_agree(&meaning, &asked, state, pending, holds) {
                Some(true) => found += 1,
                Some(false) => missed += 1,
                None => {}
            }
        }
    }
    // Nearly every path that there is said to be is found.
    assert!(found > 15_000 && missed * 50 < found, "{found}, {missed}");
}

//! Random small systems: every technique against enumeration.

mod support;

use recurva_regular::{
    Dfa, Letter, Meter, abstraction,
    columns::{self, Depth},
    engine::{self, Engine, Problem, Verdict, reach_by_actions},
    widen, zip,
};
use recurva_testkit::rng::Rng;
use support::{accepts_exactly, random, random_relation, reachable, steps, words};

const CASES: u64 = 5000;
/// What each technique may use: most systems of this kind end within it, some never would.
const WORK: u64 = 8_000;

#[test]
fn closures_are_exact() {
    let (mut ended, mut widened) = (0, 0);
    for seed in 0..CASES {
        let mut rng = Rng::new(seed);
        let letters = 2 + u32::from(rng.chance(20));
        let longest = if letters == 2 { 6 } else { 4 };
        let relation = random_relation(&mut rng, letters);
        let mut found: Vec<(Dfa, &str)> = Vec::new();
        if let Ok(closed) = columns::closure(&relation, Depth::Any, &mut Meter::new(WORK)) {
            ended += 1;
            found.push((closed.dfa, "columns"));
        }
        match widen::closure(&relation, &mut Meter::new(WORK)) {
            Ok(closed) if closed.exact => {
                widened += 1;
                found.push((closed.set, "widening"));
            }
            _ => {}
        }
        if found.is_empty() {
            continue;
        }
        for length in 0..=longest {
            let list = words(letters, length);
            let next = steps(&relation, letters, &list);
            for (at, from) in list.iter().enumerate() {
                let met = reachable(&next, next[at].iter().copied());
                for (to, &met) in list.iter().zip(&met) {
                    for (closed, name) in &found {
                        let holds = closed.accepts(&zip(from, to));
                        assert_eq!(holds, met, "seed {seed}, {name}: {from:?} to {to:?}");
                    }
                }
            }
        }
    }
    assert!(
        ended > CASES / 3,
        "the construction ends often enough to be tested: {ended}"
    );
    assert!(widened > CASES / 20, "so does widening: {widened}");
}

#[test]
fn reachable_sets_are_exact_or_larger() {
    let mut counts = [0u64; 5];
    for seed in 0..CASES {
        let mut rng = Rng::new(seed + 1_000_000);
        let letters = 2 + u32::from(rng.chance(20));
        let longest = if letters == 2 { 7 } else { 4 };
        let relation = random_relation(&mut rng, letters);
        let alphabet: Vec<Letter> = (0..letters).collect();
        let initial = random(&mut rng, &alphabet, 3, 4)
            .determinise(&mut support::free())
            .unwrap();
        let mut exact: Vec<(Dfa, usize)> = Vec::new();
        let mut larger: Vec<Dfa> = Vec::new();
        let meter = || Meter::new(WORK);
        if let Ok(found) = columns::reach(&initial, &relation, Depth::Any, &mut meter()) {
            exact.push((found.dfa, 0));
        }
        if let Ok(set) = reach_by_actions(&initial, &relation, &mut meter()) {
            exact.push((set, 1));
        }
        let actions = relation.actions(&mut support::free()).unwrap();
        match widen::reach(&initial, &actions, &mut meter()) {
            Ok(found) if found.exact => exact.push((found.set, 2)),
            Ok(found) => larger.push(found.set),
            Err(_) => {}
        }
        for depth in 1..=2 {
            // Too small if it is not closed, exact if it is.
            if let Ok(found) =
                columns::reach(&initial, &relation, Depth::Local(depth), &mut meter())
            {
                let image = relation.image(&found.dfa, &mut support::free()).unwrap();
                if found.dfa.union(&image, &mut support::free()).unwrap() == found.dfa {
                    exact.push((found.dfa, 3));
                }
            }
        }
        for depth in 0..=2 {
            let none = Dfa::empty();
            let asked = (&initial, &relation, &none);
            if let Ok(Some(set)) = abstraction::over_approximation(asked, depth, &mut meter()) {
                larger.push(set);
            }
        }
        exact
            .iter()
            .for_each(|(_, technique)| counts[*technique] += 1);
        counts[4] += larger.len() as u64;
        for length in 0..=longest {
            let list = words(letters, length);
            let next = steps(&relation, letters, &list);
            let from = (0..list.len()).filter(|&at| initial.accepts(&list[at]));
            let met = reachable(&next, from);
            for (set, technique) in &exact {
                assert!(
                    accepts_exactly(set, &list, &met),
                    "seed {seed}, technique {technique}"
                );
            }
            for set in &larger {
                let all = list
                    .iter()
                    .zip(&met)
                    .all(|(word, &met)| !met || set.accepts(word));
                assert!(all, "seed {seed}: something is missing");
            }
        }
    }
    assert!(
        counts.iter().all(|&count| count > CASES / 20),
        "each technique is tested: {counts:?}"
    );
}

#[test]
fn verdicts_are_right() {
    let (mut safe, mut violated) = (0, 0);
    for seed in 0..1000 {
        let mut rng = Rng::new(seed + 2_000_000);
        let relation = random_relation(&mut rng, 2);
        let mut automaton = || {
            random(&mut rng, &[0, 1], 3, 4)
                .determinise(&mut support::free())
                .unwrap()
        };
        let (initial, bad) = (automaton(), automaton());
        let problem = Problem {
            letters: 2,
            initial,
            actions: vec![relation.clone()],
            relation,
            bad,
        };
        // The smallest size with a bad word, by enumeration.
        let smallest = (0..=7).find(|&length| hits(&problem, length));
        for engine in [
            Engine::Auto,
            Engine::Columns,
            Engine::Actions,
            Engine::Widening,
            Engine::Abstraction,
        ] {
            let outcome = engine::check(&problem, engine, &mut Meter::new(100_000)).unwrap();
            match outcome.verdict {
                Verdict::Safe(invariant) => {
                    safe += 1;
                    assert_eq!(smallest, None, "seed {seed}, {engine:?}");
                    let nfa = problem.initial.nfa();
                    let included = nfa.is_included(&invariant.words.nfa(), &mut support::free());
                    assert_eq!(included, Ok(true), "seed {seed}, {engine:?}");
                }
                Verdict::Violated(run) => {
                    violated += 1;
                    let size = run.words[0].len();
                    match smallest {
                        Some(smallest) => assert_eq!(size, smallest, "seed {seed}, {engine:?}"),
                        None => assert!(size > 7, "seed {seed}, {engine:?}"),
                    }
                }
                Verdict::Unknown(_) => {}
            }
        }
    }
    assert!(safe > 500 && violated > 500, "{safe} {violated}");
}

fn hits(problem: &Problem, length: usize) -> bool {
    let list = words(2, length);
    let next = steps(&problem.relation, 2, &list);
    let from = (0..list.len()).filter(|&at| problem.initial.accepts(&list[at]));
    let met = reachable(&next, from);
    list.iter()
        .zip(&met)
        .any(|(word, &met)| met && problem.bad.accepts(word))
}

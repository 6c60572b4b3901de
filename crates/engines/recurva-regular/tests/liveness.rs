//! Random small systems with fairness and a formula: a proof for every size against the search of
//! single sizes, and both against a search that knows neither automata nor formulas.

mod support;

use recurva_regular::{
    Letter, Meter,
    engine::Engine,
    lang,
    live::{self, LiveVerdict, check_lasso},
    system::System,
};
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;
use support::{reachable, steps, words};

fn read(text: &str) -> System {
    let source = Source::new("test.rmc", text).expect("it is short");
    let parsed = lang::parse(&source);
    parsed
        .value
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics.render(&source, Style::Plain)))
}

/// Whether a loop in which the process has these values violates a formula.
type Violates = fn(&[u32]) -> bool;

/// The formulas, all of which say that something happens again and again or for ever, so that a
/// loop shows by its words alone whether it violates one: whether the process has a value never,
/// or at least once, in the loop.
const FORMULAS: &[(&str, Violates)] = &[
    ("G F b[i]", |turn| !turn.contains(&1)),
    ("F G a[i]", |turn| turn.iter().any(|&v| v != 0)),
    ("G F a[i] | G F b[i]", |turn| {
        !turn.contains(&0) && !turn.contains(&1)
    }),
    ("F G !b[i]", |turn| turn.contains(&1)),
];

fn random(rng: &mut Rng, formula: &str) -> String {
    let set = |rng: &mut Rng| ["a", "b", "c", "a | b", "b | c", "true"][rng.below(6)];
    let value = |rng: &mut Rng| ["a", "b", "c"][rng.below(3)];
    let mut text = "process { x : a, b, c }\n".to_owned();
    text += if rng.chance(50) {
        "topology ring\n"
    } else {
        "topology line\n"
    };
    text += ["initial a*\n", "initial b a*\n", "initial a* c\n"][rng.below(3)];
    let rules = 1 + rng.below(3);
    for rule in 0..rules {
        text += &format!("rule r{rule} : when {}", value(rng));
        match rng.below(5) {
            0 => text += &format!(" forall left : {}", set(rng)),
            1 => text += &format!(" exists others : {}", set(rng)),
            2 => text += &format!(" right : {} -> x := {}", set(rng), value(rng)),
            _ => {}
        }
        text += &format!(" do x := {}\n", value(rng));
    }
    match rng.below(3) {
        0 => text += &format!("fair i : {}\n", set(rng)),
        1 => text += "fair i : r0\n",
        _ => {}
    }
    text + &format!("live f : forall i : {formula}\n")
}

/// Whether some closed way of a size violates the formula and is fair, by enumeration of the sets of
/// words that strongly connected parts have. Without fairness, so that it is simple: a part violates
/// if one of its words, alone or with others, does.
fn violated_without_fairness(system: &System, length: usize, never: Violates) -> bool {
    let list = words(3, length);
    let mut next = vec![Vec::new(); list.len()];
    for action in &system.actions {
        for (at, more) in steps(&action.relation, 3, &list).into_iter().enumerate() {
            next[at].extend(more);
        }
    }
    let from = (0..list.len()).filter(|&at| system.initial.accepts(&list[at]));
    let met = reachable(&next, from);
    for start in (0..list.len()).filter(|&at| met[at]) {
        for process in 0..length {
            let value = |at: usize| -> Letter { list[at][process] };
            // Loops through words in which the process has only some of the values.
            for allowed in 1u32..8 {
                let inside = |at: usize| allowed >> value(at) & 1 == 1;
                if !inside(start) {
                    continue;
                }
                let part: Vec<Vec<usize>> = (0..list.len())
                    .map(|at| {
                        next[at]
                            .iter()
                            .copied()
                            .filter(|&to| inside(at) && inside(to))
                            .collect()
                    })
                    .collect();
                let on: Vec<bool> = reachable(&part, part[start].iter().copied());
                if !on[start] {
                    continue;
                }
                // All values met on closed ways through the start.
                let back = |at: usize| reachable(&part, part[at].iter().copied())[start];
                let mut turn: Vec<u32> = (0..list.len())
                    .filter(|&at| on[at] && (at == start || back(at)))
                    .map(value)
                    .collect();
                turn.sort_unstable();
                turn.dedup();
                if never(&turn) {
                    return true;
                }
            }
        }
    }
    false
}

#[test]
fn proofs_and_searches_agree() {
    let (mut proofs, mut loops) = (0, 0);
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let (formula, never) = FORMULAS[rng.below(FORMULAS.len())];
        let text = random(&mut rng, formula);
        let system = read(&text);
        let live = &system.live[0];
        // The search of single sizes.
        let searched = live::check(&system, live, Engine::Finite, &mut Meter::new(200_000));
        let searched = searched.expect("claims are right");
        let smallest = match &searched.verdict {
            LiveVerdict::Violated(lasso) => {
                assert_eq!(check_lasso(&system, live, lasso), Ok(()), "{text}");
                loops += 1;
                Some(lasso.turn[0].len())
            }
            _ => None,
        };
        if system.fair.is_empty() {
            for length in 1..=3 {
                let found = violated_without_fairness(&system, length, never);
                // A size may be fine though a smaller one is not.
                let known = match smallest {
                    Some(smallest) => length <= smallest,
                    None => length < searched.searched,
                };
                if known {
                    assert_eq!(found, smallest == Some(length), "{text}size {length}");
                }
            }
        }
        let proved = live::check(
            &system,
            live,
            Engine::Abstraction,
            &mut Meter::new(3_000_000),
        );
        if let LiveVerdict::Holds(_) = proved.expect("claims are right").verdict {
            proofs += 1;
            assert_eq!(smallest, None, "{text}");
        }
    }
    assert!(
        proofs > 60 && loops > 60,
        "both are tested: {proofs} {loops}"
    );
}

//! Random programs and automata: whatever the ranks are, a program of spines that never fails belongs to a
//! program without an accepted run, as a reference says that knows neither spines nor ranks.

use std::ops::ControlFlow;

use recurva_lang::bp;
use recurva_model::{Automaton, Ending, Patience, ProcId, Program, Stack};
use recurva_rank::{Asked, Pool, Ranks, Spines, Watcher, choose, simulate};
use recurva_states::Outcome;
use recurva_syntax::Source;
use recurva_testkit::{
    generate::{self, Config, generate},
    live,
    rng::Rng,
};

const STACKS: [Stack; 3] = [Stack::Any, Stack::Finite, Stack::Diverging];

/// A small program. In every other one the runs begin in the first procedure, which may call
/// itself and has parameters.
fn program(seed: u64) -> Program {
    let config = Config {
        integers: 70,
        bits: 1 + seed as usize / 2 % 3,
        statements: 3,
        faults: 10,
        ..Config::default()
    };
    let source = Source::new("random.bp", generate(seed, &config)).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    let mut parts = parsed.program.expect("it is right").into_parts();
    if seed % 2 == 1 {
        parts.main = ProcId(0);
    }
    Program::new(parts).expect("all parts fit")
}

/// What a test has seen, so that it is known to test something.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    shown: usize,
    not_shown: usize,
    with_ranks: usize,
}

/// Whether no target of a ranked program is reached; `None` if that takes too long.
fn never_fails(spines: &Spines<'_>, ranks: &[Ranks]) -> Option<bool> {
    let ranked = spines.with_ranks(ranks).expect("the ranks fit");
    let config = recurva_states::Config {
        max_path_edges: 20_000,
        ..recurva_states::Config::default()
    };
    let mut ask = || ControlFlow::Continue(());
    match recurva_states::prove(&ranked.program, &ranked.targets, &config, &mut ask) {
        Outcome::Proof(_) => Some(true),
        Outcome::Reachable => Some(false),
        Outcome::TooLarge(_) | Outcome::Stopped => None,
    }
}

/// Ranks from what was seen, and others at random.
fn guesses(spines: &Spines<'_>, program: &Program, rng: &mut Rng) -> Vec<Vec<Ranks>> {
    let count = spines.cuts().len();
    let pools: Vec<Pool> = (0..count)
        .map(|it| Pool::new(program, spines, it))
        .collect();
    let none = vec![Ranks::new(); count];
    let ranked = spines.with_ranks(&none).expect("no ranks fit");
    let mut patience = Patience::endless();
    let seen = simulate(&ranked, &pools, &mut patience).expect("patience is endless");
    let mut found = vec![none];
    let chosen = pools.iter().zip(&seen);
    found.extend(
        chosen
            .map(|(pool, seen)| choose(pool, seen, &[]))
            .collect::<Option<_>>(),
    );
    for _ in 0..3 {
        let random = |pool: &Pool| match pool.len() {
            0 => Ranks::new(),
            len => (0..1 + rng.below(2))
                .map(|_| pool.rank(rng.below(len)).clone())
                .collect(),
        };
        let mut random = random;
        found.push(pools.iter().map(&mut random).collect());
    }
    found
}

fn compare(program: &Program, automaton: &Automaton, seed: u64, tally: &mut Tally) {
    let Some(truth) = live::accepted(program, automaton, &live::Limits::default()) else {
        return;
    };
    let watcher = Watcher::of_automaton(automaton);
    let mut rng = Rng::new(seed);
    for ending in [Ending::Stops, Ending::Stutters] {
        for stack in STACKS {
            let accepted = match ending {
                Ending::Stops => truth.infinite,
                Ending::Stutters => truth.stutter,
            };
            let is_accepted = match stack {
                Stack::Any => accepted.any(),
                Stack::Finite => accepted.finite,
                Stack::Diverging => accepted.diverging,
            };
            let asked = Asked {
                program,
                watcher: &watcher,
                ending,
                stack,
                limits: &[],
            };
            let spines = Spines::new(asked, &mut Patience::endless()).expect("patience is endless");
            let mut is_shown = false;
            for ranks in guesses(&spines, program, &mut rng) {
                if never_fails(&spines, &ranks) == Some(true) {
                    assert!(
                        !is_accepted,
                        "seed {seed}, {ending:?}, {stack:?}: {ranks:?}"
                    );
                    is_shown = true;
                    tally.with_ranks += usize::from(ranks.iter().any(|it| !it.is_empty()));
                }
            }
            match (is_accepted, is_shown) {
                (true, _) => tally.accepted += 1,
                (false, true) => tally.shown += 1,
                (false, false) => tally.not_shown += 1,
            }
        }
    }
}

#[test]
fn what_never_fails_has_no_accepted_run() {
    let mut tally = Tally::default();
    for seed in 0..120 {
        let program = program(seed);
        let automaton = generate::automaton(seed, &program).expect("it fits");
        compare(&program, &automaton, seed, &mut tally);
    }
    assert!(
        tally.accepted > 100 && tally.shown > 300 && tally.with_ranks > 10,
        "{tally:?}"
    );
}

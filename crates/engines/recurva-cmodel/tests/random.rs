//! Random programs: what the engines say of the model is what the interpreter sees in the program.
//!
//! `RECURVA_RANDOM` sets how many programs there are, `RECURVA_RANDOM_SEED` where they begin;
//! with `RECURVA_RANDOM_SHOW` those are named for which there is no answer.
#![allow(clippy::print_stdout)]

mod common;
#[path = "random/generate.rs"]
mod generate;
#[path = "random/oracle.rs"]
mod oracle;

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use common::{Engine, Verdict, build, verdict_within};
use generate::{Dice, Features, program};
use oracle::{Truth, truth};
use recurva_cir::Check;
use recurva_cmodel::{LowerOptions, Memory, Wanted};

/// How many programs there are unless somebody asks for more.
const PROGRAMS: usize = 5_000;

/// More runs than this leave it open what a program does.
const RUNS: usize = 3_000;

fn from_environment(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// The kinds of checks that a program is asked about.
fn checks(dice: &mut Dice) -> Vec<Check> {
    let list: &[Check] = match dice.below(8) {
        0..=2 => &[],
        3 => &[Check::Overflow, Check::Division, Check::Shift],
        4 => &[Check::Bounds, Check::Null, Check::Lifetime],
        5 => &[Check::Free, Check::Lifetime, Check::Null, Check::Bounds],
        6 => &[Check::Leak, Check::Free],
        _ => &[Check::Uninitialised],
    };
    list.to_vec()
}

/// How often what was found.
#[derive(Default)]
struct Tally {
    violated: AtomicUsize,
    holds: AtomicUsize,
    limited: AtomicUsize,
    unknown: AtomicUsize,
    spurious: AtomicUsize,
    open: AtomicUsize,
}

fn compare(seed: u64, tally: &Tally) -> Result<(), String> {
    let dice = &mut Dice::new(seed ^ 0x5eed);
    let checks = checks(dice);
    let memory = *dice.pick(&[
        Memory::Fields,
        Memory::Fields,
        Memory::Addressed,
        Memory::Bytes,
    ]);
    let options = LowerOptions {
        memory,
        classes: dice.one_in(2),
        ..LowerOptions::default()
    };
    let engine = match dice.one_in(16) {
        true => Engine::Symbolic,
        false => Engine::Explicit,
    };
    let features = Features {
        uninitialised: checks.contains(&Check::Uninitialised),
        extremes: checks.contains(&Check::Shift) || dice.one_in(4),
        heap: checks.contains(&Check::Free) || dice.one_in(3),
        bytes: dice.one_in(3),
        wide: options.classes && memory != Memory::Bytes || engine == Engine::Symbolic,
    };
    let text = program(seed, features);
    let module = build(&text, &checks).map_err(|error| format!("seed {seed}: {error}\n{text}"))?;
    let wanted = Wanted {
        checks,
        ..Wanted::errors()
    };
    let truth = truth(&module, &wanted, RUNS);
    if truth == Truth::Open {
        tally.open.fetch_add(1, Ordering::Relaxed);
    }
    let patience = Duration::from_millis(1_500);
    let found = verdict_within(&module, &wanted, &options, engine, patience);
    let counter = match &found {
        Verdict::Violated => &tally.violated,
        Verdict::Holds => &tally.holds,
        Verdict::Limited(_) => &tally.limited,
        Verdict::Unknown => &tally.unknown,
        Verdict::Spurious(_) => &tally.spurious,
    };
    counter.fetch_add(1, Ordering::Relaxed);
    if env::var("RECURVA_RANDOM_SHOW").is_ok() {
        match &found {
            Verdict::Limited(why) => println!("seed {seed}: {memory:?}, {why}"),
            Verdict::Unknown => println!("seed {seed}: {memory:?}, {engine:?}, unknown"),
            _ => {}
        }
    }
    let is_right = match (&found, &truth) {
        (Verdict::Violated, Truth::Holds) | (Verdict::Holds, Truth::Fails) => false,
        (Verdict::Limited(_) | Verdict::Unknown, _) => true,
        (Verdict::Spurious(_), _) => false,
        (Verdict::Violated | Verdict::Holds, _) => true,
    };
    match is_right {
        true => Ok(()),
        false => Err(format!(
            "seed {seed}: {found:?}, in truth {truth:?}\n{options:?} {engine:?} {:?}\n{text}",
            wanted.checks
        )),
    }
}

#[test]
fn the_model_and_the_interpreter_agree() {
    let count = from_environment("RECURVA_RANDOM").map_or(PROGRAMS, |it| it as usize);
    let first = from_environment("RECURVA_RANDOM_SEED").unwrap_or(1);
    let (next, tally) = (AtomicUsize::new(0), Tally::default());
    let workers = 2.min(count.max(1));
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let work = || {
            let mut wrong = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return wrong;
                }
                let seed = first + number as u64;
                let compared = catch_unwind(AssertUnwindSafe(|| compare(seed, &tally)));
                match compared {
                    Ok(compared) => wrong.extend(compared.err()),
                    Err(_) => wrong.push(format!("seed {seed}: a panic")),
                }
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = handles.into_iter().map(|it| it.join().expect("no panic"));
        joined.flatten().collect()
    });
    let get = |it: &AtomicUsize| it.load(Ordering::Relaxed);
    println!(
        "{count} programs: {} violated, {} hold, {} limited, {} unknown, {} spurious, {} open",
        get(&tally.violated),
        get(&tally.holds),
        get(&tally.limited),
        get(&tally.unknown),
        get(&tally.spurious),
        get(&tally.open)
    );
    for text in wrong.iter().take(3) {
        println!("{text}\n");
    }
    assert!(wrong.is_empty(), "{} programs disagree", wrong.len());
}

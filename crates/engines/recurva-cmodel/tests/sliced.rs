//! Random programs and their slices: what holds of a slice holds of the program, found by running it with
//! every input.
//!
//! `RECURVA_RANDOM` sets how many programs there are, `RECURVA_RANDOM_SEED` where they begin.
#![allow(clippy::print_stdout)]

mod common;
#[path = "random/generate.rs"]
mod generate;
#[path = "random/oracle.rs"]
mod oracle;

use std::{
    env,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use common::{Engine, Verdict, build, verdict_within};
use generate::{Dice, Features, program};
use oracle::{Truth, truth};
use recurva_cir::{Check, validate};
use recurva_cmodel::{LowerOptions, Wanted};
use recurva_cslice::{Slice, Targets};
use recurva_model::Patience;

/// How many programs there are unless somebody asks for more.
const PROGRAMS: usize = 1_500;

/// More runs than this leave it open what a program does.
const RUNS: usize = 3_000;

fn from_environment(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn checks(dice: &mut Dice) -> Vec<Check> {
    let list: &[Check] = match dice.below(8) {
        0..=3 => &[],
        4 => &[Check::Overflow, Check::Division, Check::Shift],
        5 => &[Check::Bounds, Check::Null, Check::Lifetime],
        6 => &[Check::Free, Check::Lifetime],
        _ => &[Check::Null, Check::Division],
    };
    list.to_vec()
}

/// How often what was found.
#[derive(Default)]
struct Tally {
    holds: AtomicUsize,
    of_those_that_hold: AtomicUsize,
    reached: AtomicUsize,
    open: AtomicUsize,
}

fn compare(seed: u64, tally: &Tally) -> Result<(), String> {
    let dice = &mut Dice::new(seed ^ 0x0511_ce00);
    let checks = checks(dice);
    let features = Features {
        uninitialised: false,
        extremes: checks.contains(&Check::Shift) || dice.one_in(4),
        heap: checks.contains(&Check::Free) || dice.one_in(4),
        bytes: dice.one_in(4),
        wide: true,
    };
    let text = program(seed, features);
    let module = build(&text, &checks).map_err(|error| format!("seed {seed}: {error}\n{text}"))?;
    let wanted = Wanted {
        checks,
        ..Wanted::errors()
    };
    let targets = Targets {
        errors: true,
        checks: &wanted.checks,
        ..Targets::default()
    };
    let slice = Slice::new(&module, &targets, &mut Patience::endless());
    let slice = slice.ok().flatten().ok_or("there is no slice")?;
    validate(&slice.module).map_err(|cause| format!("seed {seed}: {cause}\n{text}"))?;
    let truth = truth(&module, &wanted, RUNS);
    let options = LowerOptions::default();
    let patience = Duration::from_millis(1_500);
    let found = verdict_within(&slice.module, &wanted, &options, Engine::Explicit, patience);
    if truth == Truth::Holds {
        tally.of_those_that_hold.fetch_add(1, Ordering::Relaxed);
    }
    let counter = match found {
        Verdict::Holds => &tally.holds,
        Verdict::Violated => &tally.reached,
        _ => &tally.open,
    };
    counter.fetch_add(1, Ordering::Relaxed);
    let is_wrong = matches!(
        (&found, &truth),
        (Verdict::Holds, Truth::Fails) | (Verdict::Spurious(_), _)
    );
    match is_wrong {
        false => Ok(()),
        true => Err(format!(
            "seed {seed}: {found:?}, in truth {truth:?}, {:?}\n{text}\n{}",
            wanted.checks, slice.module
        )),
    }
}

#[test]
fn what_holds_of_a_slice_holds_of_the_program() {
    let count = from_environment("RECURVA_RANDOM").map_or(PROGRAMS, |it| it as usize);
    let first = from_environment("RECURVA_RANDOM_SEED").unwrap_or(1);
    let (next, tally) = (AtomicUsize::new(0), Tally::default());
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return wrong;
            }
            wrong.extend(compare(first + number as u64, &tally).err());
        }
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let handles: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let joined = handles.into_iter().map(|it| it.join().expect("no panic"));
        joined.flatten().collect()
    });
    let get = |it: &AtomicUsize| it.load(Ordering::Relaxed);
    println!(
        "{count} programs, {} of which hold for every input: {} slices hold, of {} a target is reached, {} open",
        get(&tally.of_those_that_hold),
        get(&tally.holds),
        get(&tally.reached),
        get(&tally.open)
    );
    for text in wrong.iter().take(2) {
        println!("{text}\n");
    }
    assert!(wrong.is_empty(), "{} programs disagree", wrong.len());
}

//! Every case of the corpus under all treatments: both orders, each reduction on and off, and
//! without slicing.
//!
//! A verdict is the one in the corpus, and in shortest-first order a counterexample is as long
//! as the corpus says. A treatment without one of the reductions may run out of its budget,
//! since it enumerates wide integers, and so may infinite runs in shortest-first order; which ones
//! do is printed (`--nocapture`). All else is decided with the reductions on.

#![allow(
    clippy::print_stdout,
    reason = "which treatments were skipped is printed"
)]

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use recurva_check::{Engine, Limit, Limits, Options, Order, Progress, Question, Reductions, Watch};
use recurva_corpus as corpus;

/// What a treatment may use before it is skipped: memory, and a share of work that does not
/// depend on how fast the machine is.
const LIMITS: Limits = Limits {
    time: None,
    memory: Some(64 << 20),
};

/// Stops a search after so many calls, which come at fixed amounts of work.
struct Budget(u32);

impl Watch for Budget {
    fn progress(&mut self, _: &Progress) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Orders, reductions, and whether the program is sliced: always with one of the reductions off,
/// both ways with all on.
fn treatments() -> impl Iterator<Item = (Order, Reductions, bool)> {
    let switches = [
        (true, true, true),
        (true, true, false),
        (true, false, true),
        (false, true, true),
        (false, false, true),
    ];
    let orders = [Order::DepthFirst, Order::ShortestFirst].into_iter();
    orders.flat_map(move |order| {
        switches.map(|(liveness, laziness, slice)| {
            let reductions = Reductions { liveness, laziness };
            (order, reductions, slice)
        })
    })
}

/// The answer to all questions of a case, and how long the shortest counterexample is that was
/// found; or which limit was hit.
fn answer(
    questions: &[Question<'_>],
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<(corpus::Verdict, Option<u64>), String> {
    let (mut length, mut limit) = (None::<u64>, None);
    let mut violated = false;
    for question in questions {
        let name = question.name();
        question
            .fits(options)
            .unwrap_or_else(|refused| panic!("{name}: {}", refused.first()));
        let answer = question
            .answer(options, watch)
            .unwrap_or_else(|error| panic!("{name}, {options:?}: {error}"));
        violated |= answer.is_violated();
        limit = limit.or(answer.limit());
        if let Some(run) = answer.run() {
            length = Some(length.map_or(run.length(), |other| other.min(run.length())));
        } else if answer.is_violated() && limit.is_none() {
            let evidence = answer.evidence.as_ref();
            assert!(
                evidence.is_some(),
                "{name}: violated, and nothing shows why"
            );
        }
    }
    match (violated, limit) {
        (true, None) => Ok((corpus::Verdict::Violated, length)),
        (false, None) => Ok((corpus::Verdict::Holds, None)),
        (_, Some(limit)) => Err(format!("{limit:?}")),
    }
}

#[test]
fn every_case_under_all_treatments() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut skipped) = (Vec::new(), Vec::new());
    let (mut measured, mut all) = (0, 0);
    // C programs are asked in tests/c_corpus.rs.
    let is_c = |model: &Path| model.extension().is_some_and(|it| it == "c");
    for case in cases.iter().filter(|case| !is_c(&case.model)) {
        let opened = case.open().expect(&case.name);
        let questions = opened.questions().expect(&case.name);
        let Some((_, property)) = corpus::runs(&questions[0]) else {
            // Of branching only merging is a treatment, and a system has none.
            let merges: &[bool] = match questions[0].is_infinite() {
                None => &[true, false],
                Some(_) => &[true],
            };
            for &merge in merges {
                let options = Options {
                    merge,
                    ..opened.options
                };
                let found = answer(&questions, &options, &mut ()).expect(&case.name);
                assert_eq!(found.0, case.verdict, "{}, merged: {merge}", case.name);
            }
            continue;
        };
        let infinite = property.is_liveness();
        for (order, reductions, slice) in treatments() {
            all += 1;
            let what = format!("{}, {order:?}, {reductions:?}, sliced: {slice}", case.name);
            // Of infinite runs shortest-first order searches everything, however early the
            // violation.
            let everything = infinite && order == Order::ShortestFirst;
            let reduced = reductions == Reductions::default() && !everything;
            let options = Options {
                // With all reductions as a user gets it: both engines.
                engine: if reduced {
                    Engine::Auto
                } else {
                    Engine::Explicit
                },
                order,
                slice,
                reductions,
                limits: if reduced { Limits::default() } else { LIMITS },
                ..opened.options
            };
            let mut budget = Budget(if reduced { u32::MAX } else { 25 });
            let (found, length) = match answer(&questions, &options, &mut budget) {
                Ok(found) => found,
                Err(limit) if reduced => panic!("{what}: {limit}"),
                Err(limit) => {
                    skipped.push(format!("{what}: {limit}"));
                    continue;
                }
            };
            if found != case.verdict {
                wrong.push(format!("{what}: {found:?}"));
            }
            let (Some(shortest), Some(length)) = (case.shortest, length) else {
                continue;
            };
            measured += 1;
            let shortest = shortest as u64;
            let fits = match order {
                Order::DepthFirst => length >= shortest,
                Order::ShortestFirst => length == shortest,
            };
            if !fits {
                wrong.push(format!(
                    "{what}: {length} steps, the shortest has {shortest}"
                ));
            }
        }
    }
    println!(
        "skipped, {} treatments:\n{}",
        skipped.len(),
        skipped.join("\n")
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(measured >= 30, "{measured} lengths compared");
    assert!(
        skipped.len() * 5 < all,
        "{} of {all} skipped",
        skipped.len()
    );
}

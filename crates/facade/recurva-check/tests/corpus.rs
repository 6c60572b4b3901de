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

use recurva_check::{Engine, Limits, Options, Order, Progress, Reductions, Verdict, Watch, check};
use recurva_corpus::{self as corpus, Question};

/// What a treatment may use before it is skipped: memory, and a share of work that does not
/// depend on how fast the machine is.
const LIMITS: Limits = Limits {
    time: None,
    memory: Some(64 << 20),
};

/// Stops a search after so many calls, which come at fixed amounts of work.
struct Budget(u32);

impl Watch for Budget {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            ControlFlow::Break(())
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

#[test]
fn every_case_under_all_treatments() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut skipped) = (Vec::new(), Vec::new());
    let mut measured = 0;
    for case in &cases {
        let Question {
            program,
            properties,
            options: asked,
        } = Question::of(case).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let [property] = &properties[..] else {
            panic!("{}: not one property", case.name);
        };
        for (order, reductions, slice) in treatments() {
            let what = format!("{}, {order:?}, {reductions:?}, sliced: {slice}", case.name);
            // Of infinite runs shortest-first order searches everything, however early the
            // violation.
            let everything = property.is_liveness() && order == Order::ShortestFirst;
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
                ..asked
            };
            let mut budget = Budget(if reduced { u32::MAX } else { 25 });
            let outcome = check(&program, property, &options, &mut budget)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let (found, length) = match outcome.verdict {
                Verdict::Holds => (corpus::Verdict::Holds, None),
                Verdict::Violated(violation) => {
                    let length = violation.replayed.length();
                    (corpus::Verdict::Violated, Some(length))
                }
                Verdict::Unfinished(limit) => panic!("{what}: {limit:?}"),
                Verdict::Unknown(limit) if reduced => panic!("{what}: {limit:?}"),
                Verdict::Unknown(limit) => {
                    skipped.push(format!("{what}: {limit:?}"));
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
    let all = cases.len() * treatments().count();
    assert!(
        skipped.len() * 5 < all,
        "{} of {all} skipped",
        skipped.len()
    );
}

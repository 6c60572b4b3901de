//! Every case of the corpus under all treatments: both orders, each reduction on and off.
//!
//! A verdict is the one in the corpus, and in shortest-first order a counterexample is as long
//! as the corpus says. A treatment without one of the reductions may run out of its budget,
//! since it enumerates wide integers; which ones do is printed (`--nocapture`). With the
//! reductions on every case is decided.

#![allow(
    clippy::print_stdout,
    reason = "which treatments were skipped is printed"
)]

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use recurva_check::{
    Limits, Options, Order, Progress, Property, Reductions, Verdict, Watch, check,
};
use recurva_lang::{
    bp,
    machine::{self, Format},
    rem,
};
use recurva_logic::monitor;
use recurva_model::Program;
use recurva_syntax::{Source, Style};
use recurva_testkit::corpus::{self, Case, Dialect};

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

fn treatments() -> impl Iterator<Item = (Order, Reductions)> {
    [Order::DepthFirst, Order::ShortestFirst]
        .into_iter()
        .flat_map(|order| {
            [(true, true), (true, false), (false, true), (false, false)].map(
                move |(liveness, laziness)| {
                    let reductions = Reductions { liveness, laziness };
                    (order, reductions)
                },
            )
        })
}

fn read(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::from_bytes(path.display().to_string(), bytes).expect("a readable source")
}

fn program(case: &Case) -> Program {
    let source = read(&case.model);
    let dialect = match case.dialect {
        Dialect::Boppo => bp::Dialect::Boppo,
        Dialect::Moped => bp::Dialect::Moped,
    };
    let parsed = match Format::of(&case.model) {
        Some(format) => machine::parse(&source, format),
        None if case.model.extension().is_some_and(|e| e == "rem") => rem::parse(&source),
        None => bp::parse(&source, &bp::Options { dialect }),
    };
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    let program = parsed.program.unwrap_or_else(|| panic!("{}", errors()));
    match case.check_arithmetic {
        true => program.with_arithmetic_checks(),
        false => program,
    }
}

fn property(case: &Case, program: &Program) -> Property {
    if let Some(label) = &case.reach {
        return Property::label(program, label).expect("the label is in the program");
    }
    let Some(path) = &case.spec else {
        return Property::own(program);
    };
    let source = read(path);
    let parsed = monitor::parse(&source, program);
    match parsed.monitors.as_deref() {
        Some([monitor]) => Property::Monitor(monitor.clone()),
        _ => panic!("{}", parsed.diagnostics.render(&source, Style::Plain)),
    }
}

#[test]
fn every_case_under_all_treatments() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut skipped) = (Vec::new(), Vec::new());
    let mut measured = 0;
    for case in &cases {
        let program = program(case);
        let property = property(case, &program);
        for (order, reductions) in treatments() {
            let what = format!("{}, {order:?}, {reductions:?}", case.name);
            let reduced = reductions == Reductions::default();
            let options = Options {
                order,
                reductions,
                limits: if reduced { Limits::default() } else { LIMITS },
            };
            let mut budget = Budget(if reduced { u32::MAX } else { 25 });
            let outcome = check(&program, &property, &options, &mut budget)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let (found, length) = match outcome.verdict {
                Verdict::Holds => (corpus::Verdict::Holds, None),
                Verdict::Violated(violation) => {
                    let length = violation.replayed.length();
                    (corpus::Verdict::Violated, Some(length))
                }
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

//! The symbolic engine on families where the order of variables, the number of procedures or
//! the width of data decides, beside the explicit one.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_check::{Limit, Limits, Options, Property, Verdict, check};
use recurva_evidence::{Claim, replay};
use recurva_model::Program;
use recurva_symbolic::{Answer, Config, Stopped, reach};

use super::{Size, example, families, parse};

/// What each engine may use for one question.
const TIME: Duration = Duration::from_secs(20);
const MEMORY: u64 = 3 << 30;

/// A question to both engines.
struct Question {
    name: String,
    program: Program,
    property: Property,
    /// Whether a target can be reached.
    reachable: bool,
    /// The seconds Moped 2 needed for the same question.
    peer: &'static str,
}

impl Question {
    fn new(name: String, text: &str, reachable: bool, peer: &'static str) -> Result<Self, String> {
        let program = parse(text)?;
        let property = Property::own(&program);
        Ok(Question {
            name,
            program,
            property,
            reachable,
            peer,
        })
    }
}

/// Prints one table for all families.
pub(super) fn run(size: Size) -> Result<(), String> {
    println!(
        "{:>26} {:>12} {:>8} {:>10} {:>9} {:>10} {:>10} {:>10}",
        "family",
        "answer",
        "steps",
        "peak nodes",
        "peak MB",
        "symbolic s",
        "explicit s",
        "Moped 2 s"
    );
    let full = size == Size::Full;
    let up_to = |sizes: &[u64], quick: usize| -> Vec<u64> {
        sizes[..if full { sizes.len() } else { quick }].to_vec()
    };
    for k in up_to(&[10, 20, 50, 100, 200], 1) {
        let name = format!("uninitialised, k = {k}");
        ask(&Question::new(
            name,
            &families::uninitialised(k),
            false,
            "-",
        )?)?;
    }
    let peers = ["0.00", "0.04", "24.5", "> 200", "-"];
    for (k, peer) in up_to(&[8, 16, 24, 32, 200], 2).into_iter().zip(peers) {
        let name = format!("pairwise equal, k = {k}");
        ask(&Question::new(name, &families::pairwise(k), false, peer)?)?;
    }
    for bits in up_to(&[6, 8, 16, 64], 1) {
        let name = format!("shallow bug, {bits} bits");
        ask(&Question::new(name, &families::shallow(bits), true, "-")?)?;
    }
    for bits in up_to(&[4, 8, 10, 12], 2) {
        let name = format!("counter, {bits} bits");
        ask(&Question::new(name, &families::counter(bits), false, "-")?)?;
    }
    for lines in up_to(&[1_000, 10_000, 50_000], 1) {
        for reachable in [false, true] {
            let name = format!("driver, {lines} lines");
            ask(&Question::new(
                name,
                &families::driver(lines, reachable),
                reachable,
                "-",
            )?)?;
        }
    }
    let proofs = ["0.01", "0.10", "0.21", "-"];
    let traces = ["0.11", "1.61", "6.34", "-"];
    for (index, n) in up_to(&[100, 500, 1_000, 10_000], 1).into_iter().enumerate() {
        for (reachable, peer) in [(false, proofs[index]), (true, traces[index])] {
            let name = format!("levels, n = {n}");
            ask(&Question::new(
                name,
                &families::levels(n, reachable),
                reachable,
                peer,
            )?)?;
        }
    }
    let peers = ["0.13", "0.69", "2.35", "17.3", "> 300"];
    let text = example("quicksort.bp")?;
    for (bits, peer) in up_to(&[4, 5, 6, 7, 8], 2).into_iter().zip(peers) {
        let program = parse(&text.replace("int(8)", &format!("int({bits})")))?;
        let property = Property::label(&program, "DONE").map_err(|error| error.to_string())?;
        ask(&Question {
            name: format!("quicksort, {bits} bits"),
            program,
            property,
            reachable: true,
            peer,
        })?;
    }
    Ok(())
}

fn ask(question: &Question) -> Result<(), String> {
    let Question {
        name,
        program,
        property,
        reachable,
        peer,
    } = question;
    let Property::Unreachable { points, .. } = property else {
        return Err(format!("{name}: a monitor was not expected"));
    };
    let config = Config {
        max_bytes: Some(MEMORY),
        ..Config::default()
    };
    let started = Instant::now();
    let finished = reach(program, None, points, &config, |_| {
        if started.elapsed() > TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let (found, symbolic) = match finished.answer {
        Answer::Unreachable => (Some(false), seconds(started)),
        Answer::Reached(trace) => {
            let trace = *trace.ok_or_else(|| format!("{name}: no trace"))?;
            replay(program, trace, &Claim::Reaches(points.clone()))
                .map_err(|error| format!("{name}: {error}"))?;
            (Some(true), seconds(started))
        }
        Answer::Stopped(Stopped::Asked) => (None, "time".into()),
        Answer::Stopped(_) => (None, "memory".into()),
    };
    if found.is_some_and(|found| found != *reachable) {
        return Err(format!("{name}: the symbolic engine is wrong"));
    }
    println!(
        "{name:>26} {:>12} {:>8} {:>10} {:>9.1} {symbolic:>10} {:>10} {peer:>10}",
        if *reachable {
            "reachable"
        } else {
            "unreachable"
        },
        finished.progress.iterations,
        finished.progress.peak_nodes,
        finished.progress.peak_bytes as f64 / 1e6,
        explicit(question)?,
    );
    Ok(())
}

/// The explicit engine's time for the same question.
fn explicit(question: &Question) -> Result<String, String> {
    let options = Options {
        limits: Limits {
            time: Some(TIME),
            memory: Some(MEMORY),
        },
        ..Options::default()
    };
    let started = Instant::now();
    let outcome = check(&question.program, &question.property, &options, &mut ())
        .map_err(|error| error.to_string())?;
    match (&outcome.verdict, question.reachable) {
        (Verdict::Holds, false) | (Verdict::Violated(_), true) => Ok(seconds(started)),
        (Verdict::Unknown(Limit::Time(_)), _) => Ok("time".into()),
        (Verdict::Unknown(_), _) => Ok("memory".into()),
        _ => Err(format!("{}: the explicit engine is wrong", question.name)),
    }
}

fn seconds(started: Instant) -> String {
    format!("{:.3}", started.elapsed().as_secs_f64())
}

//! Speed and memory of the search on families of models that grow.
//!
//! Besides times the tables print counts and ratios: path edges a second, bytes for each path
//! edge, and how the time for a path edge changes when the size doubles. Linear growth is a
//! last column around 1.

mod automata;
mod c;
mod engines;
mod families;
mod flat;
mod live;
mod ltl;
mod nested;
mod pal;
mod peer;
mod reach;
mod regular;
mod remopla;

use std::{path::Path, process::ExitCode, time::Instant};

use recurva_check::{Answer, Engine, Options, Property, Verdict, check};
use recurva_lang::bp;
use recurva_logic::monitor;
use recurva_model::Program;
use recurva_syntax::Source;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Enough to see that the benches run.
    Quick,
    /// Enough to see how cost grows.
    Full,
}

/// Runs the benches of the search and prints what they measure.
pub(crate) fn run(size: Size) -> ExitCode {
    finish(run_all(size))
}

/// Runs the benches of monitors in C programs and prints what they measure.
pub(crate) fn run_pal(size: Size) -> ExitCode {
    finish(pal::run(size))
}

/// Runs the C tasks of the shared benchmarks and prints what was decided; `None` if the words are no
/// options.
pub(crate) fn run_c(words: &[&str]) -> Option<ExitCode> {
    c::run(words).map(finish)
}

/// Runs the benches of flat machines and prints what they measure.
pub(crate) fn run_flat(size: Size) -> ExitCode {
    finish(flat::run(size))
}

/// Runs the benches of all-pairs reachability and prints what they measure.
pub(crate) fn run_reach(size: Size) -> ExitCode {
    finish(reach::run(size))
}

/// Measures one graph, grammar and algorithm in this process.
pub(crate) fn run_reach_one(graph: &str, grammar: &str, algorithm: &str) -> ExitCode {
    finish(reach::one(graph, grammar, algorithm))
}

/// Runs the benches of infinite runs and prints what they measure.
pub(crate) fn run_live(size: Size) -> ExitCode {
    finish(live::run(size))
}

/// Runs the benches of NT-µ and prints what they measure.
pub(crate) fn run_nested(size: Size) -> ExitCode {
    finish(nested::run(size))
}

/// Runs the benches of automata on nested trees and prints what they measure.
pub(crate) fn run_automata(size: Size) -> ExitCode {
    finish(automata::run(size))
}

/// Runs the benches of regular model checking and prints what they measure.
pub(crate) fn run_regular(size: Size) -> ExitCode {
    finish(regular::run(size))
}

/// Prints the sizes of automata for well-known formulas.
pub(crate) fn run_ltl() -> ExitCode {
    finish(ltl::run())
}

/// Compares the engines on files with known answers and on families that tell them apart, and
/// with Moped 2 if it is there.
pub(crate) fn run_engines(size: Size, moped: Option<&str>) -> ExitCode {
    finish(engines::run(size, moped.map(Path::new)))
}

fn finish(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run_all(size: Size) -> Result<(), String> {
    let sizes = |start: u64, quick: u32, full: u32| {
        let doublings = if size == Size::Quick { quick } else { full };
        (0..=doublings).map(move |doubling| start << doubling)
    };
    growth(
        "deep recursion (depth)",
        sizes(20_000, 1, 6),
        families::deep,
    )?;
    let bits: Vec<u64> = if size == Size::Quick {
        vec![8, 9]
    } else {
        (10..=16).collect()
    };
    growth("wide data (bits)", bits.into_iter(), families::wide)?;
    growth(
        "many procedures (procedures)",
        sizes(2_000, 1, 6),
        families::many,
    )?;
    if size == Size::Full {
        growth(
            "ten million calls deep (depth)",
            [10_000_000].into_iter(),
            families::deep,
        )?;
    }
    levels(size)?;
    quicksort()?;
    drivers()
}

/// One table: the same question for growing sizes.
fn growth(
    title: &str,
    sizes: impl Iterator<Item = u64>,
    family: fn(u64) -> String,
) -> Result<(), String> {
    println!("\n{title}");
    println!(
        "{:>10} {:>11} {:>11} {:>11} {:>9} {:>8} {:>10} {:>11} {:>8}",
        "size",
        "states",
        "path edges",
        "summaries",
        "parse s",
        "check s",
        "edges/s",
        "bytes/edge",
        "growth"
    );
    let mut before: Option<f64> = None;
    for size in sizes {
        let started = Instant::now();
        let program = parse(&family(size))?;
        let parsing = started.elapsed().as_secs_f64();
        let outcome = ask(&program, &Property::own(&program))?;
        expect(&outcome, false, title)?;
        let stats = outcome.stats;
        let edges = stats.path_edges as f64;
        let per_edge = stats.seconds / edges;
        println!(
            "{size:>10} {:>11} {:>11} {:>11} {parsing:>9.3} {:>8.3} {:>10.0} {:>11.1} {:>8}",
            stats.states,
            stats.path_edges,
            stats.summaries,
            stats.seconds,
            1.0 / per_edge,
            stats.peak_bytes as f64 / edges,
            before.map_or("-".to_owned(), |before| format!("{:.2}", per_edge / before)),
        );
        before = Some(per_edge);
    }
    Ok(())
}

/// The levels family, with the seconds that Moped 2 needed for the same programs on a machine
/// of its time.
fn levels(size: Size) -> Result<(), String> {
    println!("\nlevels: n procedures, each calls the next one twice");
    println!(
        "{:>10} {:>12} {:>11} {:>8} {:>9} {:>22}",
        "n", "answer", "path edges", "check s", "Moped 2 s", "steps of the trace"
    );
    let peers = [
        (100, "0.01", "0.11"),
        (500, "0.10", "1.61"),
        (1000, "0.21", "6.34"),
    ];
    let more = [(10_000, "-", "-")];
    let rows = if size == Size::Quick {
        &peers[..1]
    } else {
        &peers[..]
    };
    let more = if size == Size::Quick {
        &more[..0]
    } else {
        &more[..]
    };
    for &(n, proof, trace) in rows.iter().chain(more) {
        for (reachable, peer) in [(false, proof), (true, trace)] {
            let program = parse(&families::levels(n, reachable))?;
            let outcome = ask(&program, &Property::own(&program))?;
            expect(&outcome, reachable, "levels")?;
            let run = outcome.run();
            let steps = run.map_or("-".to_owned(), |run| steps(run.length()));
            println!(
                "{n:>10} {:>12} {:>11} {:>8.3} {peer:>9} {steps:>22}",
                if reachable {
                    "reachable"
                } else {
                    "unreachable"
                },
                outcome.stats.path_edges,
                outcome.stats.seconds,
            );
        }
    }
    Ok(())
}

fn steps(length: u64) -> String {
    if length == u64::MAX {
        "more than 2^64".to_owned()
    } else {
        length.to_string()
    }
}

/// The Vera paper's Fig. 6, "does some run terminate": the states visited must not depend on
/// the width of the inputs.
fn quicksort() -> Result<(), String> {
    println!("\nquicksort: some run terminates, two arbitrary N-bit inputs");
    println!(
        "{:>10} {:>8} {:>11} {:>8}",
        "N", "states", "path edges", "check s"
    );
    let text = example("quicksort.bp")?;
    for bits in [4, 8, 16, 32, 64] {
        let program = parse(&text.replace("int(8)", &format!("int({bits})")))?;
        let done = Property::label(&program, "DONE").map_err(|e| e.to_string())?;
        let outcome = ask(&program, &done)?;
        expect(&outcome, true, "quicksort")?;
        let stats = outcome.stats;
        println!(
            "{bits:>10} {:>8} {:>11} {:>8.4}",
            stats.states, stats.path_edges, stats.seconds
        );
    }
    Ok(())
}

/// The Vera paper's driver: the double acquire is found, and its absence proved. The paper's
/// tool needed 51 s for the proof at two bits.
fn drivers() -> Result<(), String> {
    println!("\nlock-handling driver, monitor double_lock");
    println!(
        "{:>16} {:>6} {:>10} {:>8} {:>11} {:>8}",
        "model", "bits", "answer", "states", "path edges", "check s"
    );
    for (file, violated) in [("driver_buggy.bp", true), ("driver_fixed.bp", false)] {
        let text = example(file)?;
        for bits in [2, 4, 8] {
            let program = parse(&text.replace("int(2)", &format!("int({bits})")))?;
            let source = Source::new("double_lock.mon", example("double_lock.mon")?)
                .map_err(|e| e.to_string())?;
            let monitors = monitor::parse(&source, &program).monitors;
            let [monitor] = &monitors.ok_or("the monitor has errors")?[..] else {
                return Err("one monitor was expected".into());
            };
            let outcome = ask(&program, &Property::Monitor(monitor.clone()))?;
            expect(&outcome, violated, file)?;
            let stats = outcome.stats;
            println!(
                "{file:>16} {bits:>6} {:>10} {:>8} {:>11} {:>8.4}",
                if violated { "violated" } else { "holds" },
                stats.states,
                stats.path_edges,
                stats.seconds
            );
        }
    }
    Ok(())
}

fn example(name: &str) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<Program, String> {
    let source = Source::new("bench.bp", text).map_err(|error| error.to_string())?;
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = || {
        parsed
            .diagnostics
            .render(&source, recurva_syntax::Style::Plain)
    };
    parsed.program.ok_or_else(errors)
}

/// Asks the search over explicit states.
fn ask<'p>(program: &'p Program, property: &Property) -> Result<Answer<'p>, String> {
    let options = Options {
        engine: Engine::Explicit,
        ..Options::default()
    };
    check(program, property, &options, &mut ()).map_err(|error| error.to_string())
}

fn expect(outcome: &Answer<'_>, violated: bool, what: &str) -> Result<(), String> {
    match (&outcome.verdict, violated) {
        (Verdict::Violated, true) | (Verdict::Holds, false) => Ok(()),
        (other, _) => Err(format!("{what}: a wrong verdict, {other:?}")),
    }
}

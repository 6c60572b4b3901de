//! The engines beside each other: explicit, symbolic, and both as a portfolio, on files with
//! known answers and on families that tell them apart.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use recurva_check::{Engine, Limit, Limits, Options, Property, Stats, Verdict, check};
use recurva_lang::model::{self, Format};
use recurva_model::Program;
use recurva_syntax::{Source, Style};

use super::{Size, example, families, parse, peer, remopla};
use crate::{corpus::Expected, manifest, run::shared};

/// What an engine may use for one question.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 3 << 30;

/// A question that was answered in less is asked again: the best of three counts.
const SHORT: f64 = 0.2;

/// By how much the portfolio may be slower than the better engine.
const FACTOR: f64 = 1.3;
const SECONDS: f64 = 0.02;

/// Moped 2 at a question: its figure on a machine of its time, and the model to give it.
struct Peer {
    figure: &'static str,
    text: String,
    label: &'static str,
}

/// Prints one table for all.
pub(super) fn run(size: Size, moped: Option<&Path>) -> Result<(), String> {
    let mut table = Table::new(moped);
    let full = size == Size::Full;
    let up_to = |sizes: &[u64], quick: usize| -> Vec<u64> {
        sizes[..if full { sizes.len() } else { quick }].to_vec()
    };
    let folder = shared("bp");
    if folder.is_dir() {
        for question in manifest::questions(&folder)? {
            let name = question
                .name
                .strip_prefix("boppo/")
                .unwrap_or(&question.name);
            let reachable = question.expected == Expected::Reachable;
            table.ask(name, &question.program, &question.property, reachable)?;
        }
    } else {
        println!("the shared boolean programs are not there: only families");
    }
    for k in up_to(&[10, 20, 50, 100, 200], 1) {
        table.ask_bp(
            &format!("uninitialised, k = {k}"),
            &families::uninitialised(k),
            false,
        )?;
    }
    for bits in up_to(&[6, 8, 16, 64], 1) {
        table.ask_bp(
            &format!("shallow bug, {bits} bits"),
            &families::shallow(bits),
            true,
        )?;
    }
    for bits in up_to(&[4, 8, 10, 12], 2) {
        table.ask_bp(
            &format!("counter, {bits} bits"),
            &families::counter(bits),
            false,
        )?;
    }
    for lines in up_to(&[1_000, 10_000, 50_000], 1) {
        for buggy in [false, true] {
            let text = families::driver(lines, buggy);
            table.ask_bp(&format!("driver, {lines} lines"), &text, buggy)?;
        }
    }
    let figures = ["0.00", "0.04", "24.5", "> 200", "-"];
    for (k, figure) in up_to(&[8, 16, 24, 32, 200], 2).into_iter().zip(figures) {
        let peer = Peer {
            figure,
            text: remopla::pairwise(k),
            label: "error",
        };
        table.ask_rem(&format!("pairwise equal, k = {k}"), &peer, false)?;
    }
    let figures = [
        ("0.01", "0.11"),
        ("0.10", "1.61"),
        ("0.21", "6.34"),
        ("-", "-"),
    ];
    for (n, (proof, trace)) in up_to(&[100, 500, 1_000, 10_000], 1)
        .into_iter()
        .zip(figures)
    {
        for (reachable, figure) in [(false, proof), (true, trace)] {
            let peer = Peer {
                figure,
                text: remopla::levels(n, reachable),
                label: "error",
            };
            table.ask_rem(&format!("levels, n = {n}"), &peer, reachable)?;
        }
    }
    let figures = ["0.13", "0.69", "2.35", "17.3", "> 300", "-", "-"];
    for (bits, figure) in up_to(&[4, 5, 6, 7, 8, 16, 32], 2).into_iter().zip(figures) {
        let peer = Peer {
            figure,
            text: remopla::quicksort(bits),
            label: "done",
        };
        table.ask_rem(&format!("quicksort, {bits} bits"), &peer, true)?;
    }
    let program = parse(&example("quicksort.bp")?.replace("int(8)", "int(64)"))?;
    let done = Property::label(&program, "DONE").map_err(|e| e.to_string())?;
    table.ask("quicksort, 64 bits", &program, &done, true)?;
    table.finish();
    Ok(())
}

/// The rows so far.
struct Table<'a> {
    moped: Option<&'a Path>,
    rows: usize,
    undecided: usize,
    slow: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(moped: Option<&'a Path>) -> Self {
        println!(
            "{:>30} {:>12} {:>9} {:>10} {:>10} {:>10} {:>8} {:>9} {:>9}",
            "question",
            "answer",
            "states",
            "explicit s",
            "nodes",
            "symbolic s",
            "auto s",
            "auto/best",
            "Moped 2 s"
        );
        Table {
            moped,
            rows: 0,
            undecided: 0,
            slow: Vec::new(),
        }
    }

    fn ask_bp(&mut self, name: &str, text: &str, reachable: bool) -> Result<(), String> {
        let program = parse(text)?;
        self.ask(name, &program, &Property::own(&program), reachable)
    }

    /// Asks about a label of a model that Moped 2 can read, too.
    fn ask_rem(&mut self, name: &str, peer: &Peer, reachable: bool) -> Result<(), String> {
        let source = Source::new("bench.rem", peer.text.as_str()).map_err(|e| e.to_string())?;
        let parsed = model::parse(&source, Format::Rem, &model::Options::default());
        let errors = || parsed.diagnostics.render(&source, Style::Plain);
        let program = parsed.model.ok_or_else(errors)?.program;
        let property = Property::label(&program, peer.label).map_err(|e| e.to_string())?;
        let best = self.row(name, &program, &property, reachable)?;
        let measured = match self.moped {
            None => String::new(),
            Some(moped) => match peer::ask(moped, &peer.text, peer.label, TIME)? {
                peer::Answer::Decided(answer, _) if answer != reachable => {
                    return Err(format!("{name}: Moped 2 says something else"));
                }
                peer::Answer::Decided(_, seconds) => {
                    format!("; here {seconds:.3}, {:.1} times ours", seconds / best)
                }
                peer::Answer::TooLong => "; here too long".to_owned(),
                peer::Answer::Failed(line) => format!("; here: {line}"),
            },
        };
        println!(" {:>9}{measured}", peer.figure);
        Ok(())
    }

    fn ask(
        &mut self,
        name: &str,
        program: &Program,
        property: &Property,
        reachable: bool,
    ) -> Result<(), String> {
        self.row(name, program, property, reachable)?;
        println!();
        Ok(())
    }

    /// Has all engines answer, and begins a row. The seconds of the portfolio.
    fn row(
        &mut self,
        name: &str,
        program: &Program,
        property: &Property,
        reachable: bool,
    ) -> Result<f64, String> {
        let asked = |engine| measure(program, property, engine, reachable);
        let explicit = asked(Engine::Explicit).map_err(|it| format!("{name}: explicit {it}"))?;
        let symbolic = asked(Engine::Symbolic).map_err(|it| format!("{name}: symbolic {it}"))?;
        let auto = asked(Engine::Auto).map_err(|it| format!("{name}: auto {it}"))?;
        let best = explicit.seconds().min(symbolic.seconds());
        self.rows += 1;
        if auto.limit.is_some() {
            self.undecided += 1;
        }
        if auto.seconds() > FACTOR * best + SECONDS {
            self.slow.push(name.to_owned());
        }
        print!(
            "{name:>30} {:>12} {:>9} {:>10} {:>10} {:>10} {:>8} {:>9.2}",
            if reachable {
                "reachable"
            } else {
                "unreachable"
            },
            explicit.stats.states,
            explicit.text(),
            symbolic.stats.nodes,
            symbolic.text(),
            auto.text(),
            auto.seconds() / best,
        );
        Ok(auto.seconds())
    }

    fn finish(&self) {
        println!(
            "\n{} questions; auto left {} undecided, and was slower than {FACTOR} times the better \
             engine and {:.0} ms in {}",
            self.rows,
            self.undecided,
            SECONDS * 1e3,
            self.slow.len()
        );
        for name in &self.slow {
            println!("  slow: {name}");
        }
    }
}

/// What an engine needed, or which limit it hit.
struct Measured {
    stats: Stats,
    limit: Option<&'static str>,
}

impl Measured {
    fn seconds(&self) -> f64 {
        match self.limit {
            None => self.stats.seconds,
            Some(_) => TIME.as_secs_f64(),
        }
    }

    fn text(&self) -> String {
        match self.limit {
            None => format!("{:.3}", self.stats.seconds),
            Some(limit) => limit.to_owned(),
        }
    }
}

/// An engine's numbers for a question; the error says that it is wrong.
fn measure(
    program: &Program,
    property: &Property,
    engine: Engine,
    reachable: bool,
) -> Result<Measured, String> {
    let options = Options {
        engine,
        limits: Limits {
            time: Some(TIME),
            memory: Some(MEMORY),
        },
        ..Options::default()
    };
    let once = || -> Result<Measured, String> {
        let started = Instant::now();
        let outcome = check(program, property, &options, &mut ()).map_err(|e| e.to_string())?;
        let limit = match (&outcome.verdict, reachable) {
            (Verdict::Holds, false) | (Verdict::Violated, true) => None,
            (Verdict::Unknown(Limit::Time(_)), _) => Some("time"),
            (Verdict::Unknown(_), _) => Some("memory"),
            _ => return Err("is wrong".to_owned()),
        };
        let seconds = started.elapsed().as_secs_f64();
        let stats = Stats {
            seconds,
            ..outcome.stats
        };
        Ok(Measured { stats, limit })
    };
    let mut best = once()?;
    if best.seconds() < SHORT {
        for _ in 0..2 {
            let again = once()?;
            if again.seconds() < best.seconds() {
                best = again;
            }
        }
    }
    Ok(best)
}

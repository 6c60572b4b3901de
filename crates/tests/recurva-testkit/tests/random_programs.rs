//! The generator makes programs that the front end accepts and that are worth checking, and
//! the two reference searches agree on them.

use std::ops::Range;

use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    brute,
    generate::{self, Config, generate},
    oracle,
};

fn parse(seed: u64) -> (String, Program) {
    let text = generate(seed, &Config::default());
    let source = Source::new("random.bp", text.clone()).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    match parsed.program {
        Some(program) => (text, program),
        None => panic!(
            "{text}\n{}",
            parsed.diagnostics.render(&source, Style::Plain)
        ),
    }
}

#[derive(Debug, Default)]
struct Statistics {
    programs: usize,
    exhaustive: usize,
    recursive: usize,
    results_used: usize,
    /// Programs with reachable and unreachable labels.
    mixed: usize,
    /// Programs with an assertion that can fail.
    failing: usize,
}

fn limits() -> brute::Limits {
    brute::Limits {
        configurations: 5_000,
        ..brute::Limits::default()
    }
}

/// Compares the two searches on the programs of some seeds.
fn compare(seeds: Range<u64>) -> Statistics {
    let mut statistics = Statistics::default();
    for seed in seeds {
        let (text, program) = parse(seed);
        let force = brute::reachable(&program, &limits());
        let facts = oracle::reachable(&program, &oracle::Limits::default()).expect("small");
        assert!(force.nodes.is_subset(&facts.nodes), "{text}");
        assert!(!force.exhaustive || force.nodes == facts.nodes, "{text}");

        let labels = brute::labels(&program, &facts.nodes);
        let reachable = labels.values().filter(|&&reachable| reachable).count();
        let failing = program
            .failures()
            .iter()
            .any(|f| facts.nodes.contains(&f.point));
        statistics.programs += 1;
        statistics.exhaustive += usize::from(force.exhaustive);
        statistics.recursive += usize::from(force.recursive);
        statistics.results_used += usize::from(force.results_used);
        statistics.mixed += usize::from(reachable > 0 && reachable < labels.len());
        statistics.failing += usize::from(failing);
    }
    statistics
}

#[test]
fn brute_force_and_fixpoint_agree() {
    // In four parts, as tests run on several threads.
    let parts = [0..500, 500..1000, 1000..1500, 1500..2000];
    let statistics = std::thread::scope(|scope| {
        let threads = parts.map(|seeds| scope.spawn(|| compare(seeds)));
        let mut all = Statistics::default();
        for thread in threads {
            let part = thread.join().expect("agreement");
            all.programs += part.programs;
            all.exhaustive += part.exhaustive;
            all.recursive += part.recursive;
            all.results_used += part.results_used;
            all.mixed += part.mixed;
            all.failing += part.failing;
        }
        all
    });
    let percent = |part: usize| part * 100 / statistics.programs;
    assert!(percent(statistics.exhaustive) >= 60, "{statistics:?}");
    assert!(percent(statistics.recursive) >= 25, "{statistics:?}");
    assert!(percent(statistics.results_used) >= 25, "{statistics:?}");
    assert!(percent(statistics.mixed) >= 40, "{statistics:?}");
    assert!(percent(statistics.failing) >= 10, "{statistics:?}");
}

#[test]
fn brute_force_and_fixpoint_agree_under_monitors() {
    let mut exhaustive = 0;
    for seed in 0..300 {
        let (text, program) = parse(seed);
        let monitor = generate::monitor(seed, &program).expect("a well-formed monitor");
        let force = brute::watched(&program, &monitor, &limits());
        let limits = oracle::Limits::default();
        let facts = oracle::watched(&program, &monitor, &limits).expect("small");
        assert!(force.watched.is_subset(&facts.watched), "{text}");
        assert!(
            !force.exhaustive || force.watched == facts.watched,
            "{text}"
        );
        exhaustive += usize::from(force.exhaustive);
    }
    assert!(exhaustive >= 120, "{exhaustive}");
}

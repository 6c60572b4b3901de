//! Random programs with random monitors: the woven program against the monitor run beside the
//! program, as the definition says.

#[path = "random/monitor.rs"]
mod monitor;
#[path = "random/run.rs"]
mod run;

use std::collections::BTreeSet;

use recurva_check::{Engine, Options, Property, Verdict, check};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_pal::{
    lang,
    weave::{Woven, weave},
};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    generate::{Config, generate},
    rng::Rng,
};

use run::Wrong;

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn woven(program: &Program, text: &str) -> Woven {
    let source = Source::new("random.pal", text).expect("a short text");
    let parsed = lang::parse(&source);
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    let monitor = parsed.monitor.unwrap_or_else(|| panic!("{text}\n{errors}"));
    let weaving = weave(program, &monitor, &source, 1 << 20);
    let errors = weaving.diagnostics.render(&source, Style::Plain);
    weaving.woven.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

/// Whether one of the nodes can be reached; the trace, if there is one, has been replayed.
fn violated(program: &Program, points: &[Point], engine: Engine) -> bool {
    let property = Property::Unreachable {
        name: "random".into(),
        points: points.to_vec(),
    };
    let options = Options {
        engine,
        ..Options::default()
    };
    let outcome = check(program, &property, &options, &mut ()).expect("an answer that replays");
    match outcome.verdict {
        Verdict::Holds => false,
        Verdict::Violated => true,
        Verdict::Unknown(limit) => panic!("{limit:?}"),
    }
}

#[test]
fn woven_programs_do_what_monitors_say() {
    let (mut decided, mut violations, mut ranges, mut matched) = (0, 0, 0, 0);
    let rounds = 2000;
    for seed in 0..rounds {
        let config = Config {
            arrays: 0,
            statements: 3,
            bits: 2 + seed as usize % 2,
            faults: 50,
            integers: 50,
            ..Config::default()
        };
        let text = generate(seed, &config);
        let program = parse(&text);
        let mut rng = Rng::new(seed ^ 0x9a1);
        let monitor = monitor::monitor(&mut rng, &program);
        let rule = monitor.text();
        let woven = woven(&program, &rule);
        assert_eq!(woven.checks.len(), monitor.checks, "{rule}");
        let engine = match seed % 10 {
            0 => Engine::Symbolic,
            _ => Engine::Explicit,
        };
        let mut wrong = BTreeSet::new();
        for (index, check) in woven.checks.iter().enumerate() {
            if violated(&woven.program, &check.points, engine) {
                wrong.insert(Wrong::Check(index));
            }
        }
        let range = woven.range.as_ref();
        if range.is_some_and(|range| violated(&woven.program, &range.points, engine)) {
            wrong.insert(Wrong::Range);
        }
        let found = run::run(&program, &monitor);
        let shown = || format!("{text}\n{rule}\nwoven: {wrong:?}, run: {found:?}");
        assert!(found.wrong.is_subset(&wrong), "{}", shown());
        if found.exhaustive {
            assert_eq!(found.wrong, wrong, "{}", shown());
            decided += 1;
        }
        violations += usize::from(wrong.iter().any(|it| matches!(it, Wrong::Check(_))));
        ranges += usize::from(wrong.contains(&Wrong::Range));
        matched += usize::from(woven.matched.iter().any(|&it| it > 0));
    }
    // The programs and monitors have something to say.
    assert!(decided > rounds as usize / 3, "{decided}");
    assert!(violations > rounds as usize / 20, "{violations}");
    assert!(ranges > rounds as usize / 50, "{ranges}");
    assert!(matched > rounds as usize / 3, "{matched}");
}

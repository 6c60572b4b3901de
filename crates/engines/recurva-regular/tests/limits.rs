//! Reading and answering can be stopped, and keep within their memory.

use std::{fmt::Write as _, ops::ControlFlow, path::Path};

use recurva_regular::{
    Meter, Progress, Stop,
    engine::{self, Engine, Problem, Verdict},
    json, lang,
    live::{self, LiveVerdict},
    system::System,
};
use recurva_syntax::{Source, Style};

/// A machine with some counters.
fn counters(count: usize) -> Source {
    let names: Vec<String> = (0..count).map(|number| format!("c{number}")).collect();
    let mut text = format!(
        "control {{ s : a, b }}\ncounter {}\ninitial a\n",
        names.join(", ")
    );
    for name in &names {
        writeln!(text, "rule up_{name} : when a do {name} := {name} + 1").unwrap();
        writeln!(
            text,
            "rule down_{name} : when b if {name} > 0 do {name} := {name} - 1, s := a"
        )
        .unwrap();
    }
    text.push_str("rule go : when a do s := b\nbad ahead : when b if c0 > c1 + 2\n");
    Source::new("counters.rmc", text).unwrap()
}

fn corpus(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../corpus/rmc")
        .join(name);
    let source = Source::new(name, std::fs::read_to_string(path).unwrap()).unwrap();
    let parsed = lang::parse(&source);
    let problems = parsed.diagnostics.render(&source, Style::Plain);
    parsed.value.unwrap_or_else(|| panic!("{problems}"))
}

/// A model with an automaton whose deterministic form is large.
fn wide() -> Source {
    let mut edges = String::from(
        r#"{"source":"0","letter":"a","target":"0"},{"source":"0","letter":"b","target":"0"},{"source":"0","letter":"a","target":"1"}"#,
    );
    for state in 1..24 {
        for letter in ["a", "b"] {
            let next = state + 1;
            write!(
                edges,
                r#",{{"source":"{state}","letter":"{letter}","target":"{next}"}}"#
            )
            .unwrap();
        }
    }
    let text = format!(
        r#"{{"alphabet":["a","b"],"initial":{{"initialStates":["0"],"accepting":["24"],"transitions":[{edges}]}},
        "transducer":{{"initialStates":["0"],"accepting":["0"],"transitions":[{{"source":"0","letter":"[a,b]","target":"0"}}]}}}}"#
    );
    Source::new("wide.json", text).unwrap()
}

#[test]
fn six_counters_compile_with_little_work() {
    let mut meter = Meter::new(2_000_000);
    let parsed = lang::compile(&counters(6), &mut meter).expect("it takes little work");
    let system = parsed.value.expect("no errors");
    assert_eq!(system.actions.len(), 13);
    assert!(meter.peak_bytes() < 2_000_000, "{}", meter.peak_bytes());
}

#[test]
fn a_wrong_text_is_not_compiled() {
    let mut meter = Meter::new(u64::MAX);
    let parsed = lang::compile(&counters(40), &mut meter).expect("nothing stops it");
    assert!(parsed.value.is_none());
    assert_eq!(parsed.diagnostics.iter().count(), 1);
    assert!(meter.used() < 1000, "{}", meter.used());
}

#[test]
fn a_stop_while_compiling_is_no_mistake_in_the_text() {
    let source = counters(6);
    let mut looks = 0;
    let mut watch = |progress: &Progress| {
        looks += 1;
        assert_eq!(progress.technique, "compiling");
        // The first look is before anything is done.
        match looks < 2 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let stopped = lang::compile(&source, &mut Meter::watched(&mut watch));
    assert_eq!(stopped.err(), Some(Stop::Watch));
    assert_eq!(looks, 2);
    let stopped = lang::compile(&source, &mut Meter::new(1000));
    assert_eq!(stopped.err(), Some(Stop::Work(1000)));
    let mut meter = Meter::new(u64::MAX).with_memory(10_000);
    let stopped = lang::compile(&source, &mut meter);
    assert_eq!(stopped.err(), Some(Stop::Memory(10_000)));
    assert!(meter.peak_bytes() <= 10_000);
}

#[test]
fn a_model_with_transducers_can_be_stopped_too() {
    let source = wide();
    let mut watch = |_: &Progress| ControlFlow::Break(());
    let stopped = json::compile(&source, &mut Meter::watched(&mut watch));
    assert_eq!(stopped.err(), Some(Stop::Watch));
    let mut meter = Meter::new(u64::MAX).with_memory(1 << 20);
    let stopped = json::compile(&source, &mut meter);
    assert_eq!(stopped.err(), Some(Stop::Memory(1 << 20)));
    assert!(meter.peak_bytes() <= 1 << 20);
}

#[test]
fn answers_keep_within_their_memory() {
    for (name, engine) in [
        ("szymanski.rmc", Engine::Columns),
        ("szymanski.rmc", Engine::Finite),
        ("szymanski.rmc", Engine::Abstraction),
        ("szymanski.rmc", Engine::Actions),
        ("szymanski.rmc", Engine::Bounded),
        ("szymanski.rmc", Engine::Widening),
        ("szymanski.rmc", Engine::Auto),
    ] {
        let system = corpus(name);
        let mut most = 0;
        let mut watch = |progress: &Progress| {
            most = most.max(progress.bytes);
            ControlFlow::Continue(())
        };
        let limit = 15_000;
        let mut meter = Meter::watched(&mut watch).with_memory(limit);
        let problem = Problem::new(&system, &system.bad[0].words, &mut Meter::new(u64::MAX));
        let outcome = engine::check(&problem.unwrap(), engine, &mut meter).unwrap();
        let Verdict::Unknown(stop) = outcome.verdict else {
            panic!("{name} {engine:?}: {outcome:?}")
        };
        assert_eq!(stop, Stop::Memory(limit), "{name} {engine:?}");
        assert!(outcome.peak_bytes > 0 && outcome.peak_bytes <= limit);
        assert!(most <= limit);
    }
}

#[test]
fn more_memory_is_an_answer() {
    let system = corpus("szymanski.rmc");
    let mut free = Meter::new(u64::MAX);
    let problem = Problem::new(&system, &system.bad[0].words, &mut free).unwrap();
    let outcome = engine::check(&problem, Engine::Auto, &mut free).unwrap();
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    let mut meter = Meter::new(u64::MAX).with_memory(outcome.peak_bytes);
    let again = engine::check(&problem, Engine::Auto, &mut meter).unwrap();
    assert!(matches!(again.verdict, Verdict::Safe(_)));
    assert!(again.peak_bytes <= outcome.peak_bytes);
}

#[test]
fn formulas_keep_within_their_memory() {
    let system = corpus("token_ring.rmc");
    let Some(live) = system.live.first() else {
        panic!("it has a formula")
    };
    let mut meter = Meter::new(u64::MAX).with_memory(100_000);
    let outcome = live::check(&system, live, Engine::Auto, &mut meter).unwrap();
    let LiveVerdict::Unknown(stop) = outcome.verdict else {
        panic!("{outcome:?}")
    };
    assert_eq!(stop, Stop::Memory(100_000));
    assert!(outcome.peak_bytes <= 100_000);
}

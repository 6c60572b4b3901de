//! Files with strategies: why a formula about branching fails.

use recurva_check::{
    Asked, End as CheckEnd, Limits, Model, Options as CheckOptions, Question as CheckQuestion,
    ReadOptions,
};
use recurva_syntax::Source;
use recurva_testkit::{
    generate::{Config, generate},
    rng::Rng,
};
use recurva_trace::{
    FileMark, Options, Question, Run, StrategyClaim, StrategyReason, StrategyRecording, TraceFile,
};
use serde_json::Value;

use crate::{
    damage::{damaged, place, somewhere},
    message, schema, written,
};

/// A random program, and a formula about it that is likely to be violated.
fn asked(seed: u64) -> (Model, Asked) {
    let config = Config {
        bits: 2,
        statements: 3,
        ..Config::default()
    };
    let source = Source::new("random.bp", generate(seed, &config)).unwrap();
    let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).unwrap();
    let formulas = [
        "AG !ret",
        "all_calls_return",
        "AG(call -> [jump] call)",
        "EF(ret & EG !call)",
        "AF ret",
    ];
    let asked = Asked {
        ntmu: vec![formulas[seed as usize % formulas.len()].to_owned()],
        ..Asked::default()
    };
    (model, asked)
}

/// Has a question with its strategy looked at, if it has one.
fn with_strategy(seed: u64, mut look: impl FnMut(&CheckQuestion<'_>, TraceFile)) {
    let (model, asked) = asked(seed);
    let questions = model.questions(&asked).unwrap();
    let question = &questions.list[0];
    let options = CheckOptions::default();
    let answer = question.answer(&options, &mut ()).unwrap();
    if let Some(file) = question.saved(&answer, &options, CheckEnd::default()) {
        look(question, file);
    }
}

fn files(count: u64) -> Vec<TraceFile> {
    let mut files = Vec::new();
    for seed in 0..count {
        with_strategy(seed, |_, file| files.push(file));
    }
    files
}

#[test]
fn what_is_written_is_read_fits_the_schema_and_is_confirmed() {
    let schema = schema();
    let (mut count, mut calls) = (0, 0);
    for seed in 0..250 {
        with_strategy(seed, |question, file| {
            assert!(matches!(file.question, Question::Ntmu { .. }));
            let bytes = written(&file);
            let value: Value = serde_json::from_slice(&bytes).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
            let read = TraceFile::read(&bytes).unwrap();
            assert_eq!(read, file);
            assert_eq!(read.run.is_infinite(), None);
            let answer = question.replay(&read.run, &CheckOptions::default());
            assert!(answer.unwrap().is_violated());
            let Run::Strategy(recording) = &read.run else {
                panic!("a strategy");
            };
            let made = |claim: &StrategyClaim| matches!(claim.reason, StrategyReason::Calls(_));
            calls += usize::from(recording.claims.iter().any(made));
            count += 1;
        });
    }
    assert!(count > 80 && calls > 20, "{count} {calls}");
}

#[test]
fn damaged_files_are_refused_or_harmless() {
    let schema = schema();
    let mut rng = Rng::new(11);
    let (mut refused, mut read, mut replayed) = (0, 0, 0);
    for seed in 0..120 {
        with_strategy(seed, |question, file| {
            let whole = written(&file);
            for _ in 0..100 {
                let bytes = damaged(&whole, &mut rng);
                let Ok(file) = TraceFile::read(&bytes) else {
                    refused += 1;
                    continue;
                };
                read += 1;
                let value: Value = serde_json::from_slice(&bytes).unwrap();
                assert!(schema.is_valid(&value), "{value}");
                assert_eq!(TraceFile::read(&written(&file)).unwrap(), file);
                // What is confirmed may only be the truth: the formula is violated.
                let answer = question.replay(&file.run, &CheckOptions::default());
                replayed += usize::from(answer.is_ok());
            }
        });
    }
    assert!(
        refused > 1000 && read > 300 && replayed > 50,
        "{refused} {read} {replayed}"
    );
}

#[test]
fn what_the_schema_refuses_is_refused() {
    let schema = schema();
    let files = files(60);
    let mut rng = Rng::new(12);
    let mut refused = 0;
    for round in 0..4000 {
        let mut value: Value =
            serde_json::from_slice(&written(&files[round % files.len()])).unwrap();
        let other = &files[rng.below(files.len())];
        let other: Value = serde_json::from_slice(&written(other)).unwrap();
        *place(&mut value, &mut rng) = somewhere(other, &mut rng);
        let read = TraceFile::read(&serde_json::to_vec(&value).unwrap());
        if !schema.is_valid(&value) {
            assert!(read.is_err(), "{value}");
            refused += 1;
        }
    }
    assert!(refused > 500, "{refused}");
}

fn small() -> TraceFile {
    TraceFile {
        property: "AG !ret".to_owned(),
        model: FileMark::of("m.nsm", ""),
        question: Question::Ntmu {
            formula: "AG !ret".to_owned(),
        },
        options: Options::default(),
        end: CheckEnd::default(),
        run: Run::Strategy(StrategyRecording {
            states: vec!["a".to_owned(), "b".to_owned()],
            claims: vec![
                StrategyClaim {
                    formula: 3,
                    state: 0,
                    pending: None,
                    colours: 0,
                    reason: StrategyReason::Calls(vec![(1, vec![(1, 0)])]),
                },
                StrategyClaim {
                    formula: 2,
                    state: 1,
                    pending: Some(0),
                    colours: 1,
                    reason: StrategyReason::Returns(vec![1]),
                },
                StrategyClaim {
                    formula: 1,
                    state: 1,
                    pending: None,
                    colours: 0,
                    reason: StrategyReason::Claims(vec![0, 1]),
                },
                StrategyClaim {
                    formula: 0,
                    state: 1,
                    pending: None,
                    colours: 0,
                    reason: StrategyReason::Seen,
                },
            ],
            colours: vec![vec![], vec![(1, 1), (2, 0)]],
        }),
    }
}

#[test]
fn all_kinds_of_reasons_are_kept() {
    let file = small();
    let bytes = written(&file);
    assert_eq!(TraceFile::read(&bytes).unwrap(), file);
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    assert!(schema().is_valid(&value), "{value}");
}

#[test]
fn mistakes_are_refused_by_the_schema_too() {
    let text = String::from_utf8(written(&small())).unwrap();
    let schema = schema();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}\n{text}");
        text.replacen(from, to, 1)
    };
    for (text, expected) in [
        (with("\"seen\"", "\"sein\""), "expected \"seen\""),
        (with("\"seen\"", "{\"seen\":null}"), "no trace file"),
        (
            with("\"seen\"", "{\"claims\":[0],\"returns\":[]}"),
            "no trace file",
        ),
        (with("\"formula\":3", "\"formula\":-3"), "invalid value"),
        (
            with("\"formula\":3", "\"formula\":4294967296"),
            "invalid value",
        ),
        (
            with("\"pending\":0", "\"pending\":null"),
            "invalid type: null",
        ),
        (with("\"pending\":0", "\"waiting\":0"), "unknown field"),
        (
            with("\"options\": {}", "\"options\": []"),
            "expected an object",
        ),
        (
            with("\"end\": {\"what\":\"\"}", "\"end\": [\"\"]"),
            "expected an object",
        ),
        (
            with(
                "{\"kind\":\"ntmu\",\"formula\":\"AG !ret\"}",
                "[\"ntmu\",\"AG !ret\"]",
            ),
            "expected an object",
        ),
        (with("[1,1]", "[1,1,1]"), "no trace file"),
        (with("[1,1]", "[1]"), "no trace file"),
        (with("[[],[[1,1],[2,0]]]", "[]"), "there is no claim"),
        (with("\"strategy\": {", "\"trace\": {"), "unknown field"),
        (
            with(
                "\"kind\":\"ntmu\",\"formula\"",
                "\"kind\":\"system\",\"name\"",
            ),
            "`words`",
        ),
        (
            with(
                "\"strategy\": {",
                "\"words\":{\"stem\":[[]]},\"strategy\": {",
            ),
            "there are two runs",
        ),
    ] {
        let found = message(&text);
        assert!(found.contains(expected), "{expected}: {found}\n{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(!schema.is_valid(&value), "{text}");
    }
}

//! Trace files of random programs: they are read as they were written, fit the published schema,
//! and the property can be confirmed from them. Damaged ones are refused or at least harmless.

mod damage;
mod strategies;

use damage::{damaged, place, somewhere};
use jsonschema::Validator;
use recurva_check::{Options as CheckOptions, Property, check, confirm};
use recurva_lang::bp;
use recurva_model::Program;
use recurva_syntax::Source;
use recurva_testkit::{
    generate::{Config, generate},
    rng::Rng,
};
use recurva_trace::{
    Dialect, End, FileMark, Options, Question, Recording, Run, Runs, Stack, TraceFile, Words,
};
use serde_json::Value;

fn schema() -> Validator {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/src/reference/trace.schema.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).unwrap();
    bp::parse(&source, &bp::Options::default()).program.unwrap()
}

fn written(file: &TraceFile) -> Vec<u8> {
    let mut out = Vec::new();
    file.write(&mut out).unwrap();
    out
}

fn file(text: &str, property: &Property, label: &str, recording: Recording) -> TraceFile {
    TraceFile {
        property: property.name(),
        model: FileMark::of("random.bp", text),
        question: match property.is_liveness() {
            true => Question::Repeat {
                label: label.to_owned(),
            },
            false => Question::Reach {
                label: label.to_owned(),
            },
        },
        options: Options {
            dialect: Some(Dialect::Boppo),
            letters: false,
            stack: property.is_liveness().then_some(Stack::Any),
            runs: property.is_liveness().then_some(Runs::Stutter),
            c: None,
        },
        end: End::default(),
        run: Run::Trace(recording),
    }
}

/// Trace files of random programs, with the program and the property that each violates.
fn random(count: u64) -> Vec<(Program, Property, TraceFile)> {
    let mut found = Vec::new();
    for seed in 0..count {
        let text = generate(seed, &Config::default());
        let program = parse(&text);
        let Some(label) = program.labels().last().map(|label| label.name.to_string()) else {
            continue;
        };
        for property in [
            Property::label(&program, &label).unwrap(),
            Property::repeat(&program, &label).unwrap(),
        ] {
            let outcome = check(&program, &property, &CheckOptions::default(), &mut ()).unwrap();
            if let Some(run) = outcome.run() {
                let trace = run.trace().clone();
                let recording = Recording::of(&program, trace);
                let file = file(&text, &property, &label, recording);
                found.push((program.clone(), property, file));
            }
        }
    }
    found
}

#[test]
fn what_is_written_is_read_fits_the_schema_and_is_confirmed() {
    let schema = schema();
    let files = random(400);
    assert!(files.len() > 100, "{} violations", files.len());
    assert!(files.iter().any(|(_, property, _)| property.is_liveness()));
    for (program, property, file) in files {
        let bytes = written(&file);
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let read = TraceFile::read(&bytes).unwrap();
        assert_eq!(read, file);
        let Run::Trace(recording) = read.run else {
            panic!("a run of a program");
        };
        let trace = recording.on(&program).unwrap();
        let outcome = confirm(&program, &property, trace, &CheckOptions::default()).unwrap();
        assert!(outcome.is_violated());
    }
}

#[test]
fn damaged_files_are_refused_or_harmless() {
    let schema = schema();
    let files = random(120);
    let mut rng = Rng::new(9);
    let (mut refused, mut read, mut replayed) = (0, 0, 0);
    for round in 0..20_000 {
        let (program, property, file) = &files[round % files.len()];
        let bytes = damaged(&written(file), &mut rng);
        let Ok(file) = TraceFile::read(&bytes) else {
            refused += 1;
            continue;
        };
        read += 1;
        // Whatever is read here is read by others who trust the schema.
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(schema.is_valid(&value), "{value}");
        assert_eq!(TraceFile::read(&written(&file)).unwrap(), file);
        let Run::Trace(recording) = file.run else {
            panic!("a run of a program");
        };
        if let Ok(trace) = recording.on(program) {
            // What is confirmed may only be the truth: the property is violated.
            replayed +=
                usize::from(confirm(program, property, trace, &CheckOptions::default()).is_ok());
        }
    }
    assert!(
        refused > 5000 && read > 1000 && replayed > 100,
        "{refused} {read} {replayed}"
    );
}

/// Documents made of pieces of trace files, where mistakes are more subtle than broken JSON.
#[test]
fn what_the_schema_refuses_is_refused() {
    let schema = schema();
    let files = random(60);
    let mut rng = Rng::new(10);
    let mut refused = 0;
    for round in 0..5000 {
        let mut value: Value =
            serde_json::from_slice(&written(&files[round % files.len()].2)).unwrap();
        let other = &files[rng.below(files.len())].2;
        let other: Value = serde_json::from_slice(&written(other)).unwrap();
        let donor = somewhere(other, &mut rng);
        *place(&mut value, &mut rng) = donor;
        let bytes = serde_json::to_vec(&value).unwrap();
        let read = TraceFile::read(&bytes);
        if !schema.is_valid(&value) {
            assert!(read.is_err(), "{value}");
            refused += 1;
        }
    }
    assert!(refused > 1000, "{refused}");
}

fn message(text: &str) -> String {
    TraceFile::read(text.as_bytes()).unwrap_err().to_string()
}

/// A file in which one piece of text is another.
fn with(from: &str, to: &str) -> String {
    let mark = "0".repeat(64);
    let text = format!(
        r#"{{"format":"recurva-trace","version":1,"model":{{"name":"a.bp","sha256":"{mark}"}},
        "property":"p","question":{{"kind":"own","arithmetic":false}},"options":{{}},
        "end":{{"what":"w"}},"trace":{{"globals":[1],"locals":[],
        "bodies":[{{"procedure":"f","steps":[{{"edge":0}}]}}],
        "stem":[{{"edge":1,"through":0}}]}}}}"#
    );
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn mistakes_are_named_with_their_place() {
    TraceFile::read(with("p", "p").as_bytes()).unwrap();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, expected) in [
        ("", "EOF while parsing"),
        ("[]", "no trace file"),
        ("{}", "no trace file"),
        (r#"{"format":"sarif","version":1}"#, "no trace file"),
        (&*with("\"version\":1", "\"version\":2"), "of version 2"),
        (
            &with("\"through\":0", "\"through\":1"),
            "trace.stem[0]: `through` names a body",
        ),
        (
            &with("{\"edge\":0}", "{\"edge\":0,\"through\":0}"),
            "trace.bodies[0].steps[0]",
        ),
        (
            &with("{\"edge\":0}", "{\"edge\":0,\"into\":true}"),
            "a call in a body returns",
        ),
        (
            &with("\"through\":0", "\"through\":0,\"into\":true"),
            "not both",
        ),
        (
            &with("\"through\":0", "\"through\":null"),
            "invalid type: null",
        ),
        (
            &with("\"through\":0", "\"trough\":0"),
            "unknown field `trough`",
        ),
        (&with("[1]", "[9007199254740992]"), "larger one as a string"),
        (
            &with("[1]", "[\"18446744073709551616\"]"),
            "larger one as a string",
        ),
        (&with("[1]", "[\"01\"]"), "larger one as a string"),
        (&with("[1]", "[-1]"), "a value"),
        (&with("[1]", &deep), "a value"),
        (
            &with("\"version\":1", &format!("\"version\":{deep}")),
            "recursion limit",
        ),
        (&with("000", "x00"), "model.sha256: expected 64"),
        (
            &with(
                "\"kind\":\"own\",\"arithmetic\":false",
                "\"kind\":\"system\",\"name\":\"x\"",
            ),
            "the runs of a system have `words`",
        ),
    ] {
        let message = message(text);
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn large_values_keep_all_their_bits() {
    for value in [0, 1, (1 << 53) - 1, 1 << 53, u64::MAX] {
        let text = with("[1]", &format!("[\"{value}\"]"));
        let file = TraceFile::read(text.as_bytes()).unwrap();
        let bytes = written(&file);
        assert_eq!(TraceFile::read(&bytes).unwrap(), file);
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        let shown = &json["trace"]["globals"][0];
        assert_eq!(shown.is_string(), value >= 1 << 53, "{shown}");
    }
}

#[test]
fn runs_of_systems_are_words() {
    let word = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let file = TraceFile {
        property: "mutex".to_owned(),
        model: FileMark::of("token.rmc", ""),
        question: Question::System {
            name: "mutex".to_owned(),
        },
        options: Options::default(),
        end: End {
            what: "a bad word".to_owned(),
            file: Some("token.rmc".to_owned()),
            line: Some(3),
        },
        run: Run::Words(Words {
            stem: vec![word("t n"), word("n t")],
            turn: Some(vec![word("t n")]),
            process: Some(2),
        }),
    };
    let bytes = written(&file);
    assert_eq!(TraceFile::read(&bytes).unwrap(), file);
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    assert!(schema().is_valid(&value));
    let wrong = String::from_utf8(bytes)
        .unwrap()
        .replace("\"process\":2", "\"process\":3");
    assert!(message(&wrong).contains("there is no such process"));
}

//! SARIF logs of all questions of the corpus fit the published schema; two are shown in full.

use std::{path::Path, time::Duration};

use jsonschema::Validator;
use recurva_check::{
    Asked, Context, Dialect, Limits, Model, Options, Property, ReadOptions, Rejected, RunContext,
    Runs, Stack, Threads, check, open,
};
use recurva_corpus::{Case, load};
use recurva_lang::{bp, provenance::Provenance};
use recurva_report::{Layout, sarif::Log};
use recurva_syntax::Source;
use serde_json::Value;

fn schema() -> Validator {
    let text = include_str!("data/sarif-schema-2.1.0.json");
    let mut schema: Value = serde_json::from_str(text).unwrap();
    // The published pattern of languages has a bracket too many, which not all readers forgive.
    for part in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][part]["properties"]["language"];
        let pattern = language["pattern"].as_str().unwrap().replace("]?$", "?$");
        language["pattern"] = pattern.into();
    }
    jsonschema::validator_for(&schema).unwrap()
}

fn assert_fits(schema: &Validator, log: &Value) {
    let errors: Vec<String> = schema
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Checks what the schema does not say: regions are ordered, execution is in order, and what
/// locations refer to is there.
fn assert_consistent(log: &Value) {
    let run = &log["runs"][0];
    let artifacts = run["artifacts"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        let related = result["relatedLocations"].as_array();
        let related = related.map_or(0, Vec::len) as u64;
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
        for (index, step) in steps.into_iter().flatten().enumerate() {
            assert_eq!(step["executionOrder"], index as u64 + 1);
            let location = &step["location"];
            for relation in location["relationships"].as_array().into_iter().flatten() {
                assert!((1..=related).contains(&relation["target"].as_u64().unwrap()));
            }
            let place = &location["physicalLocation"];
            let file = place["artifactLocation"]["index"].as_u64().unwrap() as usize;
            let uri = &place["artifactLocation"]["uri"];
            assert_eq!(&artifacts[file]["location"]["uri"], uri);
            let region = &place["region"];
            if region.is_object() {
                let number = |name: &str| region[name].as_u64().unwrap();
                let start = (number("startLine"), number("startColumn"));
                let end = (number("endLine"), number("endColumn"));
                assert!(start <= end, "{region}");
            }
        }
    }
}

/// The model of a case, and what is asked of it.
fn asked(case: &Case) -> (Model, Asked, Options) {
    let read = ReadOptions {
        dialect: match case.dialect {
            recurva_corpus::Dialect::Boppo => Dialect::Boppo,
            recurva_corpus::Dialect::Moped => Dialect::Moped,
        },
        letters: case.letters,
        arithmetic: case.check_arithmetic,
        ..ReadOptions::default()
    };
    let source = open(&case.model).unwrap();
    let model = Model::read(source, &read, Limits::default(), &mut ()).unwrap();
    let one = |text: &Option<String>| text.iter().cloned().collect();
    let asked = Asked {
        reach: one(&case.reach),
        repeat: one(&case.repeat),
        ltl: one(&case.ltl),
        caret: one(&case.caret),
        spec: case.spec.as_deref().map(|path| open(path).unwrap()),
        property: case.property.clone(),
        ..Asked::default()
    };
    let options = Options {
        threads: Threads::One,
        stack: match case.stack {
            recurva_corpus::Stack::Any => Stack::Any,
            recurva_corpus::Stack::Finite => Stack::Finite,
            recurva_corpus::Stack::Diverging => Stack::Diverging,
        },
        runs: match case.runs {
            recurva_corpus::Runs::Stutter => Runs::Usual,
            recurva_corpus::Runs::Infinite => Runs::Infinite,
        },
        // What is not answered by then has a log, too.
        limits: Limits {
            time: Some(Duration::from_secs(2)),
            memory: None,
        },
        ..Options::default()
    };
    (model, asked, options)
}

#[test]
fn the_corpus_fits_the_schema() {
    let schema = schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let (mut violated, mut turns) = (0, 0);
    // C programs have tests of their own.
    let is_c = |case: &Case| case.model.extension().is_some_and(|it| it == "c");
    for case in load(&folder)
        .unwrap()
        .into_iter()
        .filter(|case| !is_c(case))
    {
        let (model, asked, options) = asked(&case);
        let mut log = Log::new("0.1.0");
        for question in model.questions(&asked).unwrap().list {
            let answer = question.answer(&options, &mut ()).unwrap();
            violated += usize::from(answer.is_violated());
            log.add(&question.context(), &answer, Layout::default());
            let rejected = Rejected {
                why: "it shows nothing".to_owned(),
                place: None,
            };
            log.add_refusal(&question.context(), &rejected);
        }
        let log = log.finish(0);
        assert_fits(&schema, &log);
        assert_consistent(&log);
        turns += usize::from(log.to_string().contains("repeated for ever:"));
    }
    assert!(violated > 50 && turns > 10, "{violated} {turns}");
}

fn log_of(text: &str, property: impl Fn(&recurva_model::Program) -> Property) -> Value {
    let source = Source::new("folder/a model.bp", text).unwrap();
    let program = bp::parse(&source, &bp::Options::default()).program.unwrap();
    let property = property(&program);
    let options = Options {
        threads: Threads::One,
        ..Options::default()
    };
    let answer = check(&program, &property, &options, &mut ()).unwrap();
    let places = Provenance::of(&source);
    let about = RunContext {
        places: Some(&places),
        ..RunContext::new(&source, &program, &property)
    };
    let mut log = Log::new("0.1.0");
    log.add(&Context::from(about), &answer, Layout::default());
    let mut log = log.finish(1);
    assert_fits(&schema(), &log);
    assert_consistent(&log);
    // The rules are the same in every log.
    log["runs"][0]["tool"]["driver"]["rules"] = "…".into();
    log
}

#[test]
fn a_run_is_nested_by_calls() {
    let log = log_of(
        "decl g;\nvoid main() begin\n  decl b1; /* é */ b1 := T; set(b1);\n  // file a.c line 7 column 3 function c::main\n  assert(!g);\nend\n\
         void set(b) begin\n  g := b;\nend\n",
        Property::own,
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn the_turn_of_an_infinite_run_is_marked() {
    let log = log_of(
        "decl g;\nvoid main() begin\n  while (T) do\n    L: g := !g;\n  od\nend\n",
        |program| Property::repeat(program, "L").unwrap(),
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn a_long_run_is_folded() {
    let text = "void main() begin\n  decl int(15) i; i := 0; while (i < 30000) do i := i + 1; od\n  assert(F);\nend\n";
    let source = Source::new("long.bp", text).unwrap();
    let parsed = bp::parse(&source, &bp::Options::default());
    let Some(program) = parsed.program else {
        panic!(
            "{}",
            parsed
                .diagnostics
                .render(&source, recurva_syntax::Style::Plain)
        );
    };
    let property = Property::own(&program);
    let answer = check(&program, &property, &Options::default(), &mut ()).unwrap();
    let mut log = Log::new("0.1.0");
    let context = Context::from(RunContext::new(&source, &program, &property));
    log.add(&context, &answer, Layout::default());
    let log = log.finish(1);
    assert_fits(&schema(), &log);
    let flow = &log["runs"][0]["results"][0]["codeFlows"][0];
    assert!(
        flow["threadFlows"][0]["locations"]
            .as_array()
            .unwrap()
            .len()
            < 300
    );
    assert!(
        flow["message"]["text"]
            .as_str()
            .unwrap()
            .contains("are folded here")
    );
}

#[test]
fn what_is_wrong_with_a_text_is_a_result_at_its_place() {
    let source = Source::new("wrong.bp", "void main() begin\n  ä := T;\nend\n").unwrap();
    let parsed = bp::parse(&source, &bp::Options::default());
    let mut log = Log::new("0.1.0");
    log.add_diagnostics(&source, &parsed.diagnostics);
    log.notify(recurva_report::sarif::Level::Error, "and more");
    let log = log.finish(2);
    assert_fits(&schema(), &log);
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["invocations"][0]["exitCode"], 2);
    let result = &run["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"input".into(), &"error".into())
    );
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 2);
    assert_eq!(region["startColumn"], 3);
}

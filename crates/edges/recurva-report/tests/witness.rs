//! Witnesses are YAML of the right shape, lead through the C program, and can be made again.

use std::path::Path;

use recurva_check::{Options, Property, RunContext, check};
use recurva_lang::{bp, provenance::Provenance};
use recurva_report::witness::{CFile, DataModel, NoWitness, Task, utc, witness};
use recurva_syntax::Source;
use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Boolean(truth) => Value::from(*truth),
        Yaml::Array(items) => items.iter().map(json).collect(),
        Yaml::Hash(fields) => {
            let field = |(key, value): (&Yaml, &Yaml)| {
                let key = key.as_str().expect("keys are texts").to_owned();
                (key, json(value))
            };
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
        other => panic!("{other:?} is in no witness"),
    }
}

fn parsed(text: &str) -> Value {
    let documents = YamlLoader::load_from_str(text).unwrap();
    assert_eq!(documents.len(), 1);
    let value = json(&documents[0]);
    let schema: Value = serde_json::from_str(include_str!("data/witness-2.0.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    value
}

fn witness_of(text: &str, file: &str, path: &str) -> Result<String, NoWitness> {
    let source = Source::new("model.bp", text).unwrap();
    let program = bp::parse(&source, &bp::Options::default()).program.unwrap();
    let property = match text.contains("REPEAT") {
        true => Property::repeat(&program, "REPEAT").unwrap(),
        false => Property::own(&program),
    };
    let answer = check(&program, &property, &Options::default(), &mut ()).unwrap();
    let replayed = answer.run().expect("it is violated");
    let places = Provenance::of(&source);
    let about = RunContext {
        places: Some(&places),
        ..RunContext::new(&source, &program, &property)
    };
    let files = [CFile {
        named: file.to_owned(),
        path: path.to_owned(),
        sha256: "a".repeat(64),
    }];
    let task = Task {
        files: &files,
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        data_model: DataModel::Ilp32,
        creation_time: &utc(1_000_000_000),
        version: "0.1.0",
    };
    witness(&about, replayed, None, &task)
}

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/from_c/lock.bp");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_run_is_a_sequence_of_waypoints() {
    let text = witness_of(&example(), "lock.c", "lock.c").unwrap();
    let value = parsed(&text);
    let segments = value[0]["content"].as_array().unwrap();
    let waypoints: Vec<String> = segments
        .iter()
        .map(|segment| {
            let waypoint = &segment["segment"][0]["waypoint"];
            let kind = waypoint["type"].as_str().unwrap();
            let line = &waypoint["location"]["line"];
            match waypoint["constraint"]["value"].as_str() {
                Some(value) => format!("{kind} {line} {value}"),
                None => format!("{kind} {line}"),
            }
        })
        .collect();
    assert_eq!(
        waypoints,
        [
            "function_enter 20",
            "branching 8 false",
            "branching 22 false",
            "branching 24 true",
            "function_enter 20",
            "branching 8 true",
            "target 9"
        ]
    );
    // The same question has the same witness.
    assert_eq!(witness_of(&example(), "lock.c", "lock.c").unwrap(), text);
    let metadata = &value[0]["metadata"];
    assert_eq!(metadata["creation_time"], "2001-09-09T01:46:40Z");
    assert_eq!(metadata["task"]["data_model"], "ILP32");
}

#[test]
fn names_are_quoted() {
    let name = "we: \"ird\" #1 \u{1f600}\t.c";
    let text = format!("void main() begin\n// file {name} line 7\nassert(F); end");
    let path = format!("folder with \\ /{name}");
    let value = parsed(&witness_of(&text, name, &path).unwrap());
    let task = &value[0]["metadata"]["task"];
    assert_eq!(task["input_files"][0], path);
    assert_eq!(task["input_file_hashes"][&path], "a".repeat(64));
    let target = &value[0]["content"][0]["segment"][0]["waypoint"];
    assert_eq!(target["location"]["file_name"], path);
}

#[test]
fn some_runs_have_no_witness() {
    let plain = "void main() begin assert(F); end";
    assert_eq!(witness_of(plain, "a.c", "a.c"), Err(NoWitness::NoPlace));
    let other = "void main() begin\n// file b.c line 1\nassert(F); end";
    assert_eq!(witness_of(other, "a.c", "a.c"), Err(NoWitness::NoFile));
    let infinite = "void main() begin while (T) do\n// file a.c line 1\nREPEAT: skip; od end";
    assert_eq!(witness_of(infinite, "a.c", "a.c"), Err(NoWitness::Infinite));
}

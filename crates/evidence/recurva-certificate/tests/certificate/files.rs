//! Proofs in files.

use recurva_certificate::{
    Proof,
    file::{Header, ProofFile, ToolMark},
    formula::Scope,
    text::{ProgramNames, print},
};
use recurva_model::Program;
use recurva_testkit::rng::Rng;
use serde_json::{Value, json};

use crate::{make, reach::reached, states::World};

fn header() -> Header {
    let tool = |name: &str, version: &str| ToolMark {
        name: name.into(),
        version: version.into(),
    };
    Header {
        model: "dir/a \"model\".bp".into(),
        sha256: "0123456789abcdef".repeat(4),
        property: "no assertion fails".into(),
        asked: [("question".to_owned(), json!({ "kind": "own" }))]
            .into_iter()
            .collect(),
        tools: vec![tool("recurva", "0.1.0"), tool("z3", "4.8.12")],
    }
}

fn proof(seed: u64) -> Option<(Program, Proof)> {
    let (_, program) = make::program(seed);
    let reached = reached(&program, 5_000)?;
    let mut rng = Rng::new(seed);
    let proof = make::proof(&World::new(&program), &reached, &mut rng);
    Some((program, proof))
}

fn texts(program: &Program, proof: &Proof) -> Vec<String> {
    let names = ProgramNames::new(program);
    let text = |(point, formula): (&recurva_model::Point, &recurva_certificate::Formula)| {
        let scope = Scope {
            program,
            procedure: point.procedure,
        };
        let text = print(formula, scope, &names, usize::MAX).expect("a text");
        format!("{point:?} {text}")
    };
    proof.formulas.iter().map(text).collect()
}

#[test]
fn there_and_back() {
    for seed in 0..60 {
        let Some((program, proof)) = proof(seed) else {
            continue;
        };
        let names = ProgramNames::new(&program);
        let line = |point: recurva_model::Point| Some(point.node.0);
        let file = ProofFile::of(header(), &program, &proof, &names, &line).expect("a file");
        let text = file.to_json();
        let read = ProofFile::read(text.as_bytes()).expect("what was written");
        assert_eq!(read, file);
        assert_eq!(read.to_json(), text);
        let again = read.on(&program, &names).expect("formulas of this program");
        assert_eq!(texts(&program, &again), texts(&program, &proof));
    }
}

fn sample() -> (Program, Value) {
    let (program, proof) = (0..)
        .find_map(|seed| proof(seed).filter(|it| it.1.formulas.len() > 4))
        .expect("one");
    let names = ProgramNames::new(&program);
    let file = ProofFile::of(header(), &program, &proof, &names, &|_| Some(3)).expect("a file");
    let value = serde_json::from_str(&file.to_json()).expect("JSON");
    (program, value)
}

#[test]
fn what_is_wrong_is_said_with_its_path() {
    let (program, value) = sample();
    let names = ProgramNames::new(&program);
    let error = |change: &dyn Fn(&mut Value)| {
        let mut value = value.clone();
        change(&mut value);
        match ProofFile::read(value.to_string().as_bytes()) {
            Err(error) => error.to_string(),
            Ok(file) => file.on(&program, &names).expect_err("an error").to_string(),
        }
    };
    let said = "/procedures/0/formulas/0";
    let set = |path: &'static str, new: Value| {
        error(&|value| *value.pointer_mut(path).expect("a place") = new.clone())
    };
    let add = |path: &'static str, name: &'static str, new: Value| {
        error(&|value| {
            let object = value.pointer_mut(path).and_then(Value::as_object_mut);
            object.expect("an object").insert(name.into(), new.clone());
        })
    };
    let cases = [
        (
            set("/format", json!("recurva-trace")),
            "this is no proof file: the field `format` is not \"recurva-proof\"",
        ),
        (
            set("/version", json!(2)),
            "this is a proof file of version 2, and 1 is what is known here",
        ),
        (set("/model", json!(3)), "model: expected an object"),
        (
            set("/model/sha256", json!("12")),
            "model.sha256: expected 64 hexadecimal digits",
        ),
        (set("/property", json!(null)), "property: expected a text"),
        (
            set("/tools/1/version", json!(4)),
            "tools[1].version: expected a text",
        ),
        (
            add("/tools/1", "path", json!("z3")),
            "tools[1]: there is no field `path`",
        ),
        (
            set("/procedures/0", json!([])),
            "procedures[0]: expected an object",
        ),
        (
            set("/procedures/0/procedure", json!("nobody")),
            "procedures[0].procedure: there is no procedure of that name",
        ),
        (
            set("/procedures/0/procedure", json!(77)),
            "procedures[0].procedure: there is no procedure of that number",
        ),
        (
            set("/procedures/0/procedure", json!(1.5)),
            "procedures[0].procedure: expected a number below 2^32",
        ),
        (
            add(said, "node", json!(4_000_000)),
            "procedures[0].formulas[0].node: there is no such node",
        ),
        (
            add(said, "node", json!(-1)),
            "procedures[0].formulas[0].node: expected a number below 2^32",
        ),
        (
            add(said, "line", json!(0)),
            "procedures[0].formulas[0].line: lines are counted from 1",
        ),
        (
            add(said, "kind", json!("heap")),
            "procedures[0].formulas[0].kind: there is no such kind of node",
        ),
        (
            add(said, "formula", json!("zero == 0")),
            "procedures[0].formulas[0].formula: there is no variable `zero`, at character 1",
        ),
        (
            add(said, "formula", json!("1 == 1 +")),
            "procedures[0].formulas[0].formula: expected an operand, found the end of the text, at character 9",
        ),
        (
            error(&|value| {
                let list = value
                    .pointer_mut("/procedures/0/formulas")
                    .and_then(Value::as_array_mut);
                let list = list.expect("a list");
                list.push(list[0].clone());
                list.swap(1, 2);
                list.truncate(2);
                list[1] = list[0].clone();
            }),
            "procedures[0].formulas[1].node: it has a formula already",
        ),
        (
            error(&|value| {
                value.as_object_mut().expect("an object").remove("tools");
            }),
            "the file: there is no field `tools`",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let long = "b".repeat((1 << 20) + 1);
    let found = add(said, "formula", json!(long));
    assert!(found.ends_with("the formula has more than 1048576 bytes"));
    assert!(ProofFile::read(b"").is_err() && ProofFile::read(b"[]").is_err());
    assert!(ProofFile::read("[".repeat(100_000).as_bytes()).is_err());
}

#[test]
fn damaged_files_are_no_harm() {
    let (program, value) = sample();
    let names = ProgramNames::new(&program);
    let bytes = value.to_string().into_bytes();
    let mut rng = Rng::new(3);
    let mut readable = 0;
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(5) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => bytes[at] = b"0123456789{}[],:\"tfn-.e &|!()="[rng.below(30)],
                2 if rng.chance(20) => bytes.truncate(at.max(1)),
                3 => {
                    let end = (at + rng.below(30)).min(bytes.len());
                    let piece: Vec<u8> = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
                _ => {
                    let end = (at + 1 + rng.below(20)).min(bytes.len());
                    if end - at < bytes.len() {
                        bytes.drain(at..end);
                    }
                }
            }
        }
        match ProofFile::read(&bytes) {
            Ok(file) => {
                readable += 1;
                // Either way there are words for it.
                if let Err(error) = file.on(&program, &names) {
                    assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(readable > 1_000, "{readable}");
}

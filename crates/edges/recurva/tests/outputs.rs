//! Trace files, logs and witnesses through the command line: what is written is replayed, fits its
//! schema, and is the same each time.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use jsonschema::Validator;
use serde_json::Value;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    Command::new(env!("CARGO_BIN_EXE_recurva"))
        .args(arguments)
        .current_dir(root)
        .env("SOURCE_DATE_EPOCH", "1000000000")
        .output()
        .expect("recurva runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn schema(path: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(path).unwrap();
    // See the tests of recurva-report for this pattern.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

/// Questions of every kind that are answered by a violation, each with what its report has to say.
const VIOLATED: [(&[&str], &str); 17] = [
    (&["examples/assert_fails.bp"], "assertion fails"),
    (
        &[
            "examples/driver_buggy.bp",
            "--spec",
            "examples/double_lock.mon",
        ],
        "target state",
    ),
    (
        &["examples/out_of_range.bp", "--check", "arithmetic"],
        "index out of range",
    ),
    (
        &["examples/vera_fig1.bp", "--reach", "HIT"],
        "`HIT` is reached",
    ),
    (
        &["examples/flip.bp", "--ltl", "G F @reach"],
        "repeated for ever",
    ),
    (
        &[
            "examples/calls/privileged_forgotten.bp",
            "--spec",
            "examples/calls/privileged.caret",
        ],
        "",
    ),
    (
        &[
            "examples/pal/fcron_leak.bp",
            "--spec",
            "examples/pal/stream.pal",
        ],
        "guard",
    ),
    (&["examples/deep_trace.bp"], "folded"),
    (&["examples/resource_fig2.pds"], ""),
    (&["examples/rsm_fig1.rsm"], ""),
    (
        &["corpus/liveness/deep.bp", "--repeat", "TOP"],
        "repeated for ever",
    ),
    (&["examples/from_c/lock.bp"], "ERROR"),
    (
        &["corpus/liveness/letters.rsm", "--letters", "--ltl", "G F a"],
        "",
    ),
    (&["corpus/rmc/token_buggy.rmc"], "bad word"),
    (&["corpus/rmc/szymanski_buggy.rmc"], "bad word"),
    (&["corpus/rmc/token_ring_unfair.rmc"], "fair run"),
    (&["corpus/rmc/bakery_unfair.rmc"], "fair run"),
];

#[test]
fn violations_are_saved_and_replayed() {
    let folder = TempDir::new().unwrap();
    let schema = schema("../../../docs/src/reference/trace.schema.json");
    for (index, (question, says)) in VIOLATED.iter().enumerate() {
        let path = folder.path().join(format!("{index}.trace.json"));
        let path = path.to_str().unwrap();
        let mut arguments = vec!["check"];
        arguments.extend(*question);
        arguments.extend(["--threads", "1", "--save-trace", path]);
        let checked = run(&arguments);
        assert_eq!(code(&checked), 1, "{question:?}: {}", text(&checked.stderr));
        assert!(text(&checked.stdout).contains(says), "{question:?}");
        let value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        assert!(schema.is_valid(&value), "{question:?}");
        let replayed = run(&["replay", question[0], path]);
        assert_eq!(
            code(&replayed),
            1,
            "{question:?}: {}",
            text(&replayed.stdout)
        );
        assert_eq!(text(&replayed.stderr), "", "{question:?}");
        // The same report, but for the figures of the search and the properties that hold.
        let shown = text(&replayed.stdout);
        let (trace, _) = shown.trim_end().rsplit_once('\n').unwrap();
        let trace = trace.trim_end().lines().take(3).last().unwrap_or_default();
        assert!(
            text(&checked.stdout).contains(trace),
            "{question:?}: {trace}"
        );
        let quiet = run(&["replay", question[0], path, "--quiet"]);
        assert_eq!((code(&quiet), text(&quiet.stdout)), (1, String::new()));
    }
}

#[test]
fn several_violations_have_files_of_their_own() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.trace.json");
    let model = "examples/vera_fig1.bp";
    let output = run(&[
        "check",
        model,
        "--reach",
        "HIT",
        "--reach",
        "MISS",
        "--ltl",
        "F @MISS",
        "--save-trace",
        path.to_str().unwrap(),
    ]);
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let mut written: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, ["a.2.trace.json", "a.trace.json"]);
    for name in written {
        let path = folder.path().join(name);
        assert_eq!(code(&run(&["replay", model, path.to_str().unwrap()])), 1);
    }
}

fn saved(folder: &TempDir, question: &[&str]) -> PathBuf {
    let path = folder.path().join("saved.trace.json");
    let mut arguments = vec!["check"];
    arguments.extend(question);
    arguments.extend(["--quiet", "--save-trace", path.to_str().unwrap()]);
    assert_eq!(code(&run(&arguments)), 1);
    path
}

#[test]
fn a_changed_model_is_replayed_and_a_repaired_one_refused() {
    let folder = TempDir::new().unwrap();
    let trace = saved(&folder, &["examples/assert_fails.bp"]);
    let trace = trace.to_str().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let source = fs::read_to_string(root.join("examples/assert_fails.bp")).unwrap();
    let model = folder.path().join("model.bp");
    let replay = |text: &str, more: &[&str]| {
        fs::write(&model, text).unwrap();
        let mut arguments = vec!["replay", model.to_str().unwrap(), trace];
        arguments.extend(more);
        run(&arguments)
    };
    // A comment moves lines, and the bug is still there.
    let moved = replay(&format!("// A comment.\n{source}"), &[]);
    assert_eq!(code(&moved), 1);
    assert!(text(&moved.stderr).contains("is not what it was"));
    assert!(text(&moved.stdout).contains("model.bp:16)"));
    let repaired = source.replace("(lo + hi) / 2", "lo");
    assert_ne!(repaired, source);
    let refused = replay(&repaired, &[]);
    assert_eq!(code(&refused), 3);
    let said = text(&refused.stdout);
    assert!(
        said.starts_with("not confirmed: no assertion fails"),
        "{said}"
    );
    assert!(
        said.contains("model.bp:15: the trace is not a run of"),
        "{said}"
    );
    assert!(
        said.contains("step 3: the guard or constraint does not hold"),
        "{said}"
    );
    let json = replay(&repaired, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["limit"]["line"], 15);
    let renamed = replay(&source.replace("midpoint", "middle"), &[]);
    assert_eq!(code(&renamed), 3);
    assert!(text(&renamed.stdout).contains("there is no procedure `midpoint`"));
    let wrong = replay("void main() begin", &[]);
    assert_eq!(code(&wrong), 2);
}

#[test]
fn a_system_without_the_bug_refuses_its_run() {
    let folder = TempDir::new().unwrap();
    let trace = saved(&folder, &["corpus/rmc/token_buggy.rmc"]);
    let trace = trace.to_str().unwrap();
    let repaired = run(&["replay", "corpus/rmc/token.rmc", trace]);
    let said = format!("{}{}", text(&repaired.stdout), text(&repaired.stderr));
    assert_eq!(code(&repaired), 3, "{said}");
    assert!(said.contains("not confirmed"), "{said}");
    let program = run(&["replay", "examples/flip.bp", trace]);
    assert_eq!(code(&program), 2);
}

#[test]
fn a_property_that_has_moved_is_found_again() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let (here, there) = (folder.path().join("a.mon"), folder.path().join("b.mon"));
    fs::copy(root.join("examples/double_lock.mon"), &here).unwrap();
    let model = "examples/driver_buggy.bp";
    let trace = saved(&folder, &[model, "--spec", here.to_str().unwrap()]);
    let trace = trace.to_str().unwrap();
    fs::rename(&here, &there).unwrap();
    let lost = run(&["replay", model, trace]);
    assert_eq!(code(&lost), 2);
    assert!(text(&lost.stderr).contains("--spec FILE"));
    let found = run(&["replay", model, trace, "--spec", there.to_str().unwrap()]);
    assert_eq!(code(&found), 1, "{}", text(&found.stderr));
}

#[test]
fn every_log_fits_the_schema() {
    let schema = schema("../recurva-report/tests/data/sarif-schema-2.1.0.json");
    let mut questions: Vec<(Vec<&str>, i32)> = VIOLATED
        .iter()
        .map(|(question, _)| (question.to_vec(), 1))
        .collect();
    questions.extend([
        (vec!["examples/assert_holds.bp"], 0),
        (vec!["examples/thesis_fig2_1.nsm", "--ntmu", "AG wr"], 1),
        (
            vec![
                "corpus/ntmu/interrupts_wrong.bp",
                "--ntmu",
                "AG(@BETWEEN -> !enabled)",
            ],
            1,
        ),
        (
            vec!["corpus/ntmu/reentrancy_wrong.bp", "--ntmu", "AF @DONE"],
            1,
        ),
        (vec!["examples/gap.nsm", "--spec", "examples/gap.nta"], 0),
        (vec!["corpus/rmc/token.rmc"], 0),
        (
            vec![
                "crates/edges/recurva/tests/cmd/input/endless.bp",
                "--memory",
                "1MB",
            ],
            3,
        ),
        (
            vec![
                "crates/edges/recurva/tests/cmd/input/endless.bp",
                "--ntmu",
                "EF blocked",
                "--max-states",
                "1000",
            ],
            3,
        ),
        (vec!["crates/edges/recurva/tests/cmd/input/wrong.bp"], 2),
        (vec!["crates/edges/recurva/tests/cmd/input/wrong.rmc"], 2),
        (vec!["crates/edges/recurva/tests/cmd/input/not_utf8.bp"], 2),
        (vec!["there/is no/such file.bp"], 2),
        (vec!["examples/flip.bp", "--reach", "NOWHERE"], 2),
        (vec!["examples/flip.bp", "--ltl", "F ("], 2),
    ]);
    for (question, expected) in questions {
        let mut arguments = vec!["check"];
        arguments.extend(&question);
        arguments.extend(["--threads", "1", "--format", "sarif"]);
        let output = run(&arguments);
        let said = text(&output.stderr);
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<String> = schema.iter_errors(&log).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{question:?}: {errors:?}");
        let invocation = &log["runs"][0]["invocations"][0];
        let exit = code(&output);
        assert_eq!(invocation["exitCode"], exit, "{question:?}");
        assert_eq!(invocation["executionSuccessful"], exit != 2, "{question:?}");
        assert_eq!(exit, expected, "{question:?}: {said}");
        if exit == 2 {
            assert!(said.contains("error"), "{question:?}");
            let run = &log["runs"][0];
            let notifications = &run["invocations"][0]["toolConfigurationNotifications"];
            let told = [&run["results"], notifications];
            let mut told = told.into_iter().filter_map(Value::as_array).flatten();
            assert!(told.any(|it| it["level"] == "error"), "{question:?}");
        }
    }
}

#[test]
fn a_replay_has_a_log_too() {
    let schema = schema("../recurva-report/tests/data/sarif-schema-2.1.0.json");
    let folder = TempDir::new().unwrap();
    let trace = saved(&folder, &["examples/assert_fails.bp"]);
    let trace = trace.to_str().unwrap();
    for (model, kind) in [
        ("examples/assert_fails.bp", "fail"),
        ("examples/assert_holds.bp", "open"),
    ] {
        let output = run(&["replay", model, trace, "--format", "sarif"]);
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(schema.is_valid(&log));
        assert_eq!(log["runs"][0]["results"][0]["kind"], kind);
    }
}

#[test]
fn witnesses_are_written_for_models_made_from_c() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("witness.yml");
    let witness = path.to_str().unwrap();
    let model = "examples/from_c/lock.bp";
    let options = [
        "check",
        model,
        "--witness",
        witness,
        "--data-model",
        "ilp32",
    ];
    let written = run(&options);
    assert_eq!(code(&written), 1, "{}", text(&written.stderr));
    let first = fs::read_to_string(&path).unwrap();
    for expected in [
        "format_version: \"2.0\"",
        "creation_time: \"2001-09-09T01:46:40Z\"",
        "- \"examples/from_c/lock.c\"",
        "type: \"target\"",
        "data_model: \"ILP32\"",
    ] {
        assert!(first.contains(expected), "{expected}: {first}");
    }
    run(&options);
    assert_eq!(fs::read_to_string(&path).unwrap(), first);
    // Without the C file beside it, the file has to be given.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let alone = folder.path().join("alone.bp");
    fs::copy(root.join(model), &alone).unwrap();
    let alone = alone.to_str().unwrap();
    fs::remove_file(&path).unwrap();
    let lost = run(&["check", alone, "--witness", witness]);
    assert_eq!(code(&lost), 2);
    assert!(text(&lost.stderr).contains("--c-file FILE"));
    assert!(!path.exists());
    let given = ["--c-file", "examples/from_c/lock.c"];
    let found = run(&["check", alone, "--witness", witness, given[0], given[1]]);
    assert_eq!(code(&found), 1);
    assert!(path.exists());
    let plain = run(&["check", "examples/assert_fails.bp", "--witness", witness]);
    assert_eq!(code(&plain), 2);
    assert!(text(&plain.stderr).contains("where in C"));
}

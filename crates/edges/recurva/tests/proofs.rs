//! Proofs through the command line: they are found, written, and checked by `recurva verify`; what is
//! damaged, or about another program, is not accepted; a solver that lies changes no verdict.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// A loop whose bound is an input, and a function that calls itself.
const SUM: &str = "
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned half(unsigned n) { return n == 0 ? 0 : half(n - 1) + 1; }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000000) return 0;
  unsigned sum = 0, i = 0;
  while (i < n) {
    sum += 2;
    i++;
  }
  if (sum != 2 * n) reach_error();
  return 0;
}
";

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_recurva"))
}

fn run(arguments: &[&str]) -> Output {
    command().args(arguments).output().expect("recurva runs")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn shown(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// A file in a folder that is gone after the test.
fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

/// A program with a proof that it is safe.
fn proved(folder: &TempDir) -> (String, String) {
    let program = file(folder, "sum.c", SUM);
    let proof = folder.path().join("sum.proof.json").display().to_string();
    let found = run(&[
        "check",
        &program,
        "--engine",
        "candidates",
        "--certificate",
        &proof,
    ]);
    assert_eq!(code(&found), Some(0), "{}", shown(&found));
    assert!(
        shown(&found).contains("loop invariant"),
        "{}",
        shown(&found)
    );
    (program, proof)
}

#[test]
fn a_proof_is_written_and_verified() {
    let folder = TempDir::new().expect("a folder");
    let (program, proof) = proved(&folder);
    let verified = run(&["verify", &program, &proof]);
    assert_eq!(code(&verified), Some(0), "{}", shown(&verified));
    let json = run(&["verify", &program, &proof, "--format", "json"]);
    let report: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["verdict"], "holds");
    assert_eq!(report["engine"], "verify");
    assert_eq!(report["evidence"]["kind"], "proof");
    assert_eq!(report["evidence"]["checked_by"][0], "recurva");

    // Another program, of which it is no proof.
    let wrong = SUM.replace("sum += 2", "sum += 3");
    let other = file(&folder, "other.c", &wrong);
    let refused = run(&["verify", &other, &proof]);
    assert_eq!(code(&refused), Some(3), "{}", shown(&refused));
    assert!(shown(&refused).contains("not confirmed"));
    assert!(shown(&refused).contains("is not what it was"));
}

#[test]
fn damaged_proofs_are_not_accepted() {
    let folder = TempDir::new().expect("a folder");
    let (program, proof) = proved(&folder);
    let text = fs::read_to_string(&proof).expect("the proof");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    // Every formula in turn is weakened to true: those that say something are missed.
    let mut missed = 0;
    for (procedure, formulas) in value["procedures"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        for index in 0..formulas["formulas"].as_array().map_or(0, Vec::len) {
            let mut damaged = value.clone();
            let formula = &mut damaged["procedures"][procedure]["formulas"][index]["formula"];
            let says_something = *formula != "\\true";
            *formula = "\\true".into();
            let path = file(&folder, "damaged.json", &damaged.to_string());
            let found = run(&["verify", &program, &path]);
            let expected = if says_something { 3 } else { 0 };
            assert_eq!(code(&found), Some(expected), "{}", shown(&found));
            missed += usize::from(says_something);
        }
    }
    assert!(missed > 0, "the proof says nothing");
    for (damaged, what) in [
        (
            text.replace("recurva-proof", "something-else"),
            "no proof file",
        ),
        (text.replace("\"formula\"", "\"formla\""), "formla"),
        (text[..text.len() / 2].to_owned(), "no proof file"),
    ] {
        let path = file(&folder, "damaged.json", &damaged);
        let found = run(&["verify", &program, &path]);
        assert_eq!(code(&found), Some(2), "{}", shown(&found));
        assert!(shown(&found).contains(what), "{}", shown(&found));
    }
}

/// Answers that a broken solver may give to questions about Horn clauses and about bits.
const LIES: [&str; 5] = [
    "echo sat; echo '(model)'",
    "echo unsat; echo '()'",
    "echo unsat; echo '(define-fun p () Bool true)'",
    "echo unknown",
    "exit 1",
];

#[cfg(unix)]
#[test]
fn a_solver_that_lies_changes_no_verdict() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a folder");
    let unsafe_program = file(&folder, "unsafe.c", &SUM.replace("sum += 2", "sum += 3"));
    let safe_program = file(&folder, "safe.c", SUM);
    for (number, lie) in LIES.iter().enumerate() {
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in *version) echo 'Z3 version 4.8.12'; exit 0;; esac\ncat > /dev/null\n{lie}\n"
        );
        let solver = PathBuf::from(file(&folder, &format!("z3-{number}"), &script));
        fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("a script");
        for program in [&unsafe_program, &safe_program] {
            let found = command()
                .args(["check", program, "--engine", "horn", "--timeout", "20s"])
                .env("RECURVA_Z3", &solver)
                .output()
                .expect("recurva runs");
            let code = code(&found);
            // What needs no solver may be proved all the same.
            let is_fine = code == Some(3) || (code == Some(0) && program == &safe_program);
            assert!(is_fine, "{lie}: {}", shown(&found));
        }
    }
}

#[test]
fn contracts_are_checked_and_told_by_the_exit_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/c");
    let right = root.join("twice.c").display().to_string();
    let found = run(&["check", &right]);
    assert_eq!(code(&found), Some(0), "{}", shown(&found));
    assert!(
        shown(&found).contains("2 of 2 clauses"),
        "{}",
        shown(&found)
    );
    let wrong = root.join("twice_wrong.c").display().to_string();
    let found = run(&["check", &wrong]);
    assert_eq!(code(&found), Some(1), "{}", shown(&found));
    let text = shown(&found);
    assert!(
        text.contains("the function does not establish what it ensures"),
        "{text}"
    );
    assert!(text.contains("twice_wrong.c:11"), "{text}");
    // Where nothing is wrong but a clause, that alone is told.
    let folder = TempDir::new().expect("a folder");
    let text =
        "//@ ensures \\result == 1;\nint f(void) { return 2; }\nint main(void) { return f(); }\n";
    let clause = file(&folder, "clause.c", text);
    let found = run(&["check", &clause]);
    assert_eq!(code(&found), Some(3), "{}", shown(&found));
    assert!(shown(&found).contains("holds:"), "{}", shown(&found));
}

#[test]
fn a_proof_is_written_as_a_witness() {
    let folder = TempDir::new().expect("a folder");
    let program = file(&folder, "sum.c", SUM);
    let witness = folder.path().join("sum.yml").display().to_string();
    let found = run(&[
        "check",
        &program,
        "--engine",
        "candidates",
        "--witness",
        &witness,
    ]);
    assert_eq!(code(&found), Some(0), "{}", shown(&found));
    let text = fs::read_to_string(&witness).expect("the witness");
    assert!(text.contains("entry_type: \"invariant_set\""), "{text}");
    assert!(text.contains("type: \"loop_invariant\""), "{text}");
    assert!(text.contains("line: 9"), "{text}");
    // It is read again, and what it says helps whoever asks next.
    let again = run(&[
        "check",
        &program,
        "--assume-invariants",
        &witness,
        "--engine",
        "candidates",
    ]);
    assert_eq!(code(&again), Some(0), "{}", shown(&again));
}

#[test]
fn invariants_of_others_help_and_are_not_believed() {
    let folder = TempDir::new().expect("a folder");
    let program = file(&folder, "sum.c", &SUM.replace("sum += 2", "sum += 3"));
    let witness = format!(
        "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n  content:\n    - invariant:\n        \
         type: loop_invariant\n        location:\n          file_name: \"{program}\"\n          line: 9\n          \
         column: 3\n          function: main\n        value: \"sum == 2 * i\"\n        format: c_expression\n"
    );
    let witness = file(&folder, "witness.yml", &witness);
    let found = run(&[
        "check",
        &program,
        "--assume-invariants",
        &witness,
        "--timeout",
        "20s",
    ]);
    assert_eq!(code(&found), Some(1), "{}", shown(&found));
}

/// A loop and a recursion, both of which end.
const ENDS: &str = "
extern int __VERIFIER_nondet_int(void);
static void down(int n) { if (n > 0) down(n - 1); }
int main(void) {
  for (int i = __VERIFIER_nondet_int(); i > 0; i--) down(i);
  return 0;
}
";

#[test]
fn that_every_run_ends_is_proved_and_verified() {
    let folder = TempDir::new().expect("a folder");
    let program = file(&folder, "ends.c", ENDS);
    let proof = folder.path().join("ends.proof.json").display().to_string();
    let check = ["check", &program, "--check", "termination"];
    let more = ["--engine", "predicates", "--certificate", &proof];
    let found = run(&[&check[..], &more].concat());
    assert_eq!(code(&found), Some(0), "{}", shown(&found));
    let text = shown(&found);
    assert!(text.contains("holds: every run ends"), "{text}");
    assert!(text.contains("recursion in down"), "{text}");
    let verified = run(&["verify", &program, &proof]);
    assert_eq!(code(&verified), Some(0), "{}", shown(&verified));

    // Another program, of which it is no proof.
    let wrong = ENDS.replace("down(n - 1)", "down(n)");
    let other = file(&folder, "other.c", &wrong);
    let refused = run(&["verify", &other, &proof]);
    assert_eq!(code(&refused), Some(3), "{}", shown(&refused));
    let violated = run(&["check", &other, "--check", "termination"]);
    assert_eq!(code(&violated), Some(1), "{}", shown(&violated));
    let text = shown(&violated);
    assert!(text.contains("a recursion goes on for ever"), "{text}");
}

//! What only a process can show: pipes that close, signals, streams.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Output, Stdio},
};

fn recurva(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recurva"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    recurva(arguments).output().expect("recurva runs")
}

const EXAMPLES: &str = "../../../examples";

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let model = format!("{EXAMPLES}/deep_trace.bp");
    let mut child = recurva(&["check", &model, "--trace", "full"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("recurva starts");
    let mut first = String::new();
    let out = child.stdout.take().expect("a pipe");
    BufReader::with_capacity(16, out)
        .read_line(&mut first)
        .expect("a line");
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut errors)
        .expect("text");
    assert!(first.starts_with("violated"), "{first}");
    assert_eq!(errors, "");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn every_line_of_a_json_report_is_an_object() {
    let model = format!("{EXAMPLES}/vera_fig1.bp");
    let output = run(&[
        "check", &model, "--reach", "HIT", "--reach", "MISS", "--format", "json",
    ]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let reports: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let verdicts: Vec<_> = reports
        .iter()
        .map(|report| report["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, [Some("violated"), Some("holds")]);
    let evidence = &reports[0]["evidence"];
    assert_eq!(evidence["kind"], "trace");
    let length = evidence["length"].as_str().expect("a string");
    assert!(length.parse::<u64>().expect("a number") > 0);
    assert_eq!(evidence["exact"], true);
    assert_eq!(evidence["final"]["procedure"], "A2");
    assert!(reports[1]["evidence"].is_null());
    for key in ["states", "path_edges", "summaries", "seconds", "peak_bytes"] {
        assert!(reports[0]["stats"][key].is_number(), "{key}");
    }
}

#[test]
fn no_progress_line_is_written_to_a_pipe() {
    let output = run(&["check", "tests/cmd/input/endless.bp", "--timeout", "1s"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("recurva"));
        assert_eq!(output.status.code(), Some(0));
    }
    let page = String::from_utf8(run(&["man"]).stdout).expect("UTF-8");
    for part in [
        ".TH recurva",
        "reach",
        "memory",
        "Exit codes",
        "completions",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_while_the_model_is_read_ends_the_process() {
    let mut child = recurva(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("recurva starts");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    // The input stays open: if it went on, it would wait for ever.
    let input = child.stdin.take();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(input);
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_was_learned() {
    let child = recurva(&["check", "tests/cmd/input/endless.bp", "--timeout", "60s"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("recurva starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .expect("kill runs")
            .success()
    );
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted"), "{text}");
    assert!(text.contains("No violation among the"), "{text}");
}

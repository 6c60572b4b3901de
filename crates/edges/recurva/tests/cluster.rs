//! Two processes on this computer, which agree with one.

#![cfg(feature = "cluster")]

use std::{
    fs,
    net::TcpListener,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

#[test]
fn two_processes_follow_the_edges() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // Two ports that are free now.
    let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let hosts = listeners
        .each_ref()
        .map(|it| it.local_addr().unwrap().to_string());
    drop(listeners);
    let hosts_file = folder.join("hosts.txt");
    fs::write(&hosts_file, hosts.join("\n")).unwrap();
    let updates = folder.join("updates.txt");
    fs::write(&updates, "D 4 5 a\nA 4 5 a\nA 3 0 a\nD 1 4 call_1\n").unwrap();
    let start = |process: &str| -> Child {
        Command::new(env!("CARGO_BIN_EXE_recurva"))
            .args([
                "reach",
                "tests/cmd/input/calls.g",
                "--grammar",
                "tests/cmd/input/calls.ebnf",
            ])
            .args(["--process", process, "--cluster"])
            .arg(&hosts_file)
            .arg("--updates")
            .arg(&updates)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = ["0", "1"].map(start);
    let [first, second] = both.map(|child| child.wait_with_output().unwrap());
    assert!(first.status.success() && second.status.success());
    // The library that connects the processes says so on the standard output.
    let counts = |output: &Output| -> String {
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = text.lines().filter(|line| line.starts_with("pairs"));
        counts.map(|line| format!("{line}\n")).collect()
    };
    assert_eq!(counts(&second), "");
    assert_eq!(
        counts(&first),
        "pairs: 8, with the diagonal: 16\n\
         pairs: 2, with the diagonal: 10\n\
         pairs: 8, with the diagonal: 16\n\
         pairs: 14, with the diagonal: 22\n\
         pairs: 8, with the diagonal: 16\n"
    );
}

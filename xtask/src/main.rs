//! The tasks of the project, each run one way: `cargo xtask TASK`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tasks talk to a terminal"
)]

mod bench;
mod c_corpus;
mod c_tasks;
mod corpus;
mod manifest;
mod measured;
mod node;
mod real;
mod real_read;
mod run;
mod solvers;
mod table;

use std::{process::ExitCode, time::Duration};

const USAGE: &str = "\
usage: cargo xtask TASK

  test                 all tests and doc tests of the workspace, of the explorer's page in a browser,
                       and of the editor extension; z3, cvc5 and a browser are installed if they are
                       missing and can be
  book [--update]      the book in docs: its tests, and its pages if mdbook is installed;
                       or first write what its commands print, its pictures and options
  corpus [--seconds N] every model with a known answer, N seconds for each (default 60)
  corpus --c [SECONDS [NAME]]
                       the C tasks of the shared benchmarks, SECONDS for each (default 30); with
                       NAME only those with that in their name
  bench [--quick]      speed and memory of the search on growing families
  bench engines [--quick] [--peer moped=PATH]
                       explicit, symbolic, both side by side, and Moped 2 if it is there
  bench c [--quick] [--timeout SECONDS] [--wall SECONDS] [--memory MIB] [--only CATEGORY]
          [--row primary|extra|all] [--jobs N] [--json FILE]
                       C: what is decided and certified within 30 s CPU and 2048 MiB a task, beside
                       CBMC, Korn and EVA. --wall: the time on the clock that a task is given, where
                       the machine has other work. RECURVA_CBMC and RECURVA_KORN: run these, too
  bench ltl            sizes of automata for well-known formulas, beside spin -f and lbt
  bench live [--quick] infinite runs: the papers' families beside the papers' figures
  bench flat [--quick] flat machines: time against size, entries and exits
  bench nested [--quick] NT-µ: time against the size of machines, and against colours
  bench automata [--quick]
                        Automata on nested trees: the game against the size of machines
  bench regular [--quick]
                        systems of any size: each technique on each protocol, growth with letters
  bench pal [--quick]  monitors in C: nanoseconds a call, for 1, 10 and 100 events
  bench reach [--quick] all-pairs reachability: real graphs beside other solvers, and growth
  real                 Lua and coreutils, from the network, built with a monitor and compared
  real --read          zlib, Lua, jq, dash, coreutils and SQLite: every unit read, typed and lowered
  csemantics           10,000 random C programs and 1,000 of Csmith's, interpreted and compiled
  proofs               5,000 random C programs: verdicts are the truth, and so are proofs
  fuzz [SECONDS]       every fuzz target for that long (default 60); needs cargo-fuzz
  ci                   all that has to pass before a change goes in
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["test"] => run::test(),
        ["book"] => run::book(),
        ["book", "--update"] => run::update_book(),
        ["corpus"] => corpus::run(Duration::from_secs(60)),
        ["corpus", "--seconds", seconds] => match seconds.parse() {
            Ok(seconds) => corpus::run(Duration::from_secs(seconds)),
            Err(_) => usage(),
        },
        ["corpus", "--c", ref rest @ ..] => c_corpus(rest),
        ["bench"] => bench::run(bench::Size::Full),
        ["bench", "--quick"] => bench::run(bench::Size::Quick),
        ["bench", "engines", ref rest @ ..] => engines(rest),
        ["bench", "c", ref rest @ ..] => bench::run_c(rest).unwrap_or_else(usage),
        ["bench", "ltl"] => bench::run_ltl(),
        ["bench", "live"] => bench::run_live(bench::Size::Full),
        ["bench", "live", "--quick"] => bench::run_live(bench::Size::Quick),
        ["bench", "flat"] => bench::run_flat(bench::Size::Full),
        ["bench", "flat", "--quick"] => bench::run_flat(bench::Size::Quick),
        ["bench", "automata"] => bench::run_automata(bench::Size::Full),
        ["bench", "automata", "--quick"] => bench::run_automata(bench::Size::Quick),
        ["bench", "nested"] => bench::run_nested(bench::Size::Full),
        ["bench", "nested", "--quick"] => bench::run_nested(bench::Size::Quick),
        ["bench", "regular"] => bench::run_regular(bench::Size::Full),
        ["bench", "regular", "--quick"] => bench::run_regular(bench::Size::Quick),
        ["bench", "pal"] => bench::run_pal(bench::Size::Full),
        ["bench", "pal", "--quick"] => bench::run_pal(bench::Size::Quick),
        ["real"] => real::run(),
        ["real", "--read"] => real_read::run(),
        // What the task itself starts, to take its time.
        ["real", "--read", unit] => real_read::run_one(unit),
        ["csemantics"] => run::csemantics(),
        ["proofs"] => run::proofs(),
        ["bench", "reach"] => bench::run_reach(bench::Size::Full),
        ["bench", "reach", "--quick"] => bench::run_reach(bench::Size::Quick),
        // What the bench itself starts, for each row.
        ["bench", "reach", "--one", graph, grammar, algorithm] => {
            bench::run_reach_one(graph, grammar, algorithm)
        }
        ["fuzz"] => run::fuzz(60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => run::fuzz(seconds),
            Err(_) => usage(),
        },
        ["ci"] => run::ci(),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => usage(),
    }
}

fn c_corpus(words: &[&str]) -> ExitCode {
    match *words {
        [] => c_corpus::run(30, ""),
        [seconds, ref name @ ..] if name.len() <= 1 => match seconds.parse() {
            Ok(seconds) => c_corpus::run(seconds, name.first().copied().unwrap_or("")),
            Err(_) => usage(),
        },
        _ => usage(),
    }
}

fn engines(options: &[&str]) -> ExitCode {
    let (size, rest) = match options {
        ["--quick", rest @ ..] => (bench::Size::Quick, rest),
        rest => (bench::Size::Full, rest),
    };
    match rest {
        [] => bench::run_engines(size, None),
        ["--peer", peer] => match peer.strip_prefix("moped=") {
            Some(path) => bench::run_engines(size, Some(path)),
            None => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprint!("{USAGE}");
    ExitCode::from(2)
}

//! Monitors in C: nanoseconds for a monitored call, and how much slower a program gets, for
//! monitors with 1, 10 and 100 events.
//!
//! The program spends its time as interpreters do: a loop over small functions. Every event of
//! the monitor has a pattern, a guard and code before and after; all functions are watched.

use std::{
    fmt::Write,
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use recurva_pal::{
    c::{CompilerCommand, Policy, Toolchain},
    lang,
};
use recurva_syntax::Source;

use super::Size;

pub(crate) fn run(size: Size) -> Result<(), String> {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("no gcc here: nothing is measured");
        return Ok(());
    }
    let calls: u64 = match size {
        Size::Quick => 10_000_000,
        Size::Full => 200_000_000,
    };
    println!("monitored calls in C, {calls} calls, gcc -O2");
    println!(
        "{:>7} {:>10} {:>10} {:>12} {:>9} {:>12}",
        "events", "plain", "monitored", "ns/call more", "slower", "compile"
    );
    for events in [1, 10, 100] {
        measure(events, calls)?;
    }
    Ok(())
}

fn measure(events: usize, calls: u64) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("recurva-bench-pal-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|cause| cause.to_string())?;
    let result = in_folder(&folder, events, calls);
    // What cannot be removed stays in the folder for temporary files.
    let _ = fs::remove_dir_all(&folder);
    result
}

fn in_folder(folder: &Path, events: usize, calls: u64) -> Result<(), String> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|cause| cause.to_string())?;
        Ok::<_, String>(path)
    };
    let program = write("program.c", &program(events))?;
    let work = write("work.c", &work(events))?;
    let rule = rule(events);
    let plain = folder.join("plain");
    let began = Instant::now();
    let status = Command::new("gcc")
        .args(["-O2", "-o"])
        .args([&plain, &program, &work])
        .status();
    let plain_compile = began.elapsed();
    if !status.is_ok_and(|status| status.success()) {
        return Err("gcc fails on the plain program".into());
    }
    let monitored = folder.join("monitored");
    let mut words: Vec<_> = ["gcc", "-O2", "-o"].map(Into::into).into();
    words.extend([&monitored, &program, &work].map(Into::into));
    let command = CompilerCommand::new(&words).map_err(|error| error.to_string())?;
    let source = Source::new("rule.pal", rule).map_err(|error| error.to_string())?;
    let monitor = lang::parse(&source).monitor.ok_or("a wrong monitor")?;
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch).map_err(|cause| cause.to_string())?;
    let toolchain = Toolchain {
        command: &command,
        monitor: &monitor,
        source: &source,
        folder,
        scratch: &scratch,
    };
    let began = Instant::now();
    let built = toolchain.build(Policy::Abort);
    let built = built.map_err(|failure| format!("{failure:?}"))?;
    let compile = began.elapsed();
    if built.matched.contains(&0) {
        return Err("an event matches nothing".into());
    }
    let rounds = calls / events as u64;
    let before = best(&plain, rounds)?;
    let after = best(&monitored, rounds)?;
    println!(
        "{events:>7} {:>8.2} s {:>8.2} s {:>12.2} {:>9.2} {:>6.2}/{:.2} s",
        before.as_secs_f64(),
        after.as_secs_f64(),
        (after.as_secs_f64() - before.as_secs_f64()) * 1e9 / calls as f64,
        after.as_secs_f64() / before.as_secs_f64(),
        compile.as_secs_f64(),
        plain_compile.as_secs_f64(),
    );
    Ok(())
}

/// The best time of three.
fn best(program: &Path, rounds: u64) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let began = Instant::now();
        let status = Command::new(program).arg(rounds.to_string()).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err("a program of the bench fails".into());
        }
        best = best.min(began.elapsed());
    }
    Ok(best)
}

/// Calls each function once a round.
fn program(events: usize) -> String {
    let mut text = String::from("#include <stdlib.h>\n");
    for event in 0..events {
        let _ = writeln!(text, "long work{event}(long, long);");
    }
    text.push_str(
        "int main(int argc, char **argv)\n{\n  long sum = argc;\n\
         \x20 for (long i = atol(argv[1]); i > 0; i--) {\n",
    );
    for event in 0..events {
        let _ = writeln!(text, "    sum = work{event}(sum, i);");
    }
    text.push_str("  }\n  return sum == 42;\n}\n");
    text
}

/// The functions, in a unit of their own so that they are called.
fn work(events: usize) -> String {
    let functions = (0..events).map(|event| {
        format!("long work{event}(long a, long b) {{ return a * {event} + (b ^ a); }}\n")
    });
    functions.collect()
}

fn rule(events: usize) -> String {
    let mut text = String::from("global unsigned long pending = 0;\n");
    for event in 0..events {
        let _ = writeln!(
            text,
            "event {{ pattern {{ $? = work{event}($1, $2); }} local unsigned long stored;\n\
             before {{ guard {{ pending == 0 }} action {{ stored = pending; pending = 1; }} }}\n\
             after {{ guard {{ pending == 1 }} action {{ pending = stored; }} }} }}"
        );
    }
    text
}

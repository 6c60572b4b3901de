//! Real C projects, read: every unit is parsed, typed and lowered, and what is refused is counted.
//!
//! The projects are built with a compiler of ours in front of the system's, which keeps the
//! preprocessed text of each unit. Needs the network, `apt-get source` and some minutes.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use recurva_cbuild::{BuildOptions, Scope, read};
use recurva_cir::{Operation, SourceText, validate};
use recurva_ctype::Target;

use crate::{
    real::{fetch, said},
    run::root,
};

/// How a project is built: commands of a shell, in its folder. `$CC` keeps what it compiles.
struct Project {
    package: &'static str,
    script: &'static str,
}

const PROJECTS: [Project; 6] = [
    Project {
        package: "zlib",
        script: "./configure --static && make -k static CC=$CC \
                 CFLAGS='-O0 -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN'",
    },
    Project {
        package: "lua5.4",
        script: "make -C src linux-noreadline MYCFLAGS='-O0 -DLUA_USE_LINUX' CC=$CC",
    },
    Project {
        package: "jq",
        // Its archive has no `configure`: the same by hand.
        script: r#"sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc
                 echo '#define JQ_VERSION "1.6"' > src/version.h
                 have=$(sed -n 's/^LIBM_D*A*(\([a-z0-9_]*\).*/\1/p' src/libm.h | tr a-z A-Z | sed 's/.*/-DHAVE_&=1/')
                 for unit in src/*.c; do
                   $CC -w -c -o unit.o -I. -Isrc -D_GNU_SOURCE -DIEEE_8087=1 -DHAVE_MEMMEM=1 -DHAVE_TIMEGM=1 \
                     -DHAVE_GMTIME_R=1 -DHAVE_STRFTIME=1 -DHAVE_STRPTIME=1 -DHAVE_TM_TM_GMT_OFF=1 \
                     -DHAVE_GETTIMEOFDAY=1 -DHAVE_PTHREAD_KEY_CREATE=1 $have $unit
                 done; true"#,
    },
    Project {
        package: "dash",
        script: "./configure && make -k CC=$CC CFLAGS=-O0",
    },
    Project {
        package: "coreutils",
        script: "FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls && make -k CC=$CC CFLAGS=-O0; true",
    },
    Project {
        package: "sqlite3",
        script: "./configure --disable-tcl && make sqlite3.c shell.c && \
                 $CC -c -O0 sqlite3.c && $CC -c -O0 -I. shell.c",
    },
];

/// The compiler that keeps the preprocessed text of what it compiles in `$UNITS`.
const COMPILER: &str = r#"#!/bin/sh
for word; do
  case "$word" in
    -c) compiles=yes;;
    *.c) source=$word;;
  esac
done
if [ -n "$compiles" ] && [ -n "$source" ]; then (
  for word; do
    [ -n "$started" ] || { set --; started=yes; }
    case "$drop$word" in
      yes*) drop=;;
      -o) drop=yes;;
      *) set -- "$@" "$word";;
    esac
  done
  gcc "$@" -E > "$UNITS/$(basename "$source" .c)-$$.i"
) fi
exec gcc "$@"
"#;

/// What became of units.
#[derive(Default)]
struct Counts {
    units: usize,
    functions: usize,
    refused: usize,
    /// Why functions are refused.
    reasons: BTreeMap<String, usize>,
    /// What must not be: units that are not read, modules that are not well formed.
    failures: Vec<String>,
}

/// Reads all projects.
pub(crate) fn run() -> ExitCode {
    let folder = root().join("target").join("real-read");
    let mut is_fine = true;
    for project in PROJECTS {
        match project_units(&folder, &project) {
            Ok(units) => {
                let counts = count(&units);
                is_fine &= counts.failures.is_empty() && counts.units > 0;
                show(project.package, &counts);
                if project.package == "sqlite3" {
                    is_fine &= compare_time(&units);
                }
            }
            Err(message) => {
                eprintln!("{}: {message}", project.package);
                is_fine = false;
            }
        }
    }
    match is_fine {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Reads one unit and says nothing: its time is taken from outside.
pub(crate) fn run_one(path: &str) -> ExitCode {
    let mut counts = Counts::default();
    add(Path::new(path), &mut counts, IsValidated::No);
    match counts.failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// The preprocessed units of a project, which is built unless that has been done.
fn project_units(folder: &Path, project: &Project) -> Result<Vec<PathBuf>, String> {
    let home = folder.join(project.package);
    let units = home.join("units");
    let done = home.join("done");
    if !done.exists() {
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&units).map_err(|cause| cause.to_string())?;
        println!("{}: fetching and building", project.package);
        let source = fetch(&home, project.package)?;
        let compiler = home.join("cc");
        fs::write(&compiler, COMPILER).map_err(|cause| cause.to_string())?;
        said(Command::new("chmod").arg("+x").arg(&compiler))?;
        let mut shell = Command::new("sh");
        shell.args(["-c", project.script]).current_dir(source);
        said(shell.env("CC", &compiler).env("UNITS", &units))?;
        fs::write(&done, "").map_err(|cause| cause.to_string())?;
    }
    let entries = fs::read_dir(&units).map_err(|cause| cause.to_string())?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // What `configure` tries is often meant not to compile.
    let is_trial = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("conftest")
    };
    paths.retain(|path| !is_trial(path));
    paths.sort();
    Ok(paths)
}

fn count(units: &[PathBuf]) -> Counts {
    let mut counts = Counts::default();
    for unit in units {
        add(unit, &mut counts, IsValidated::Yes);
    }
    counts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IsValidated {
    Yes,
    No,
}

fn add(path: &Path, counts: &mut Counts, is_validated: IsValidated) {
    let Ok(text) = fs::read(path) else {
        counts
            .failures
            .push(format!("{} cannot be read", path.display()));
        return;
    };
    counts.units += 1;
    let options = BuildOptions {
        scope: Scope::All,
        ..BuildOptions::default()
    };
    let text = SourceText {
        name: path.to_string_lossy().into(),
        text,
        is_library: false,
    };
    let built = match read(vec![text], Target::lp64(), &options) {
        Ok(built) => built,
        Err(errors) => {
            for error in errors.iter().flat_map(|(_, list)| list.iter()) {
                let message = format!("{}: {}", path.display(), error.message());
                counts.failures.push(message);
            }
            return;
        }
    };
    let module = &built.module;
    if is_validated == IsValidated::No {
        // The process ends: to give back every node of the program one by one is no part of reading.
        std::mem::forget(built);
        return;
    }
    if let Err(malformed) = validate(module) {
        let message = format!("{}: malformed: {malformed:?}", path.display());
        counts.failures.push(message);
    }
    for function in &module.functions {
        if !function.has_body() || module.sources[function.origin.source.0 as usize].is_library {
            continue;
        }
        counts.functions += 1;
        let mut is_refused = false;
        for edge in &function.edges {
            if let Operation::Unsupported(what) = &edge.operation {
                is_refused = true;
                *counts.reasons.entry(what.to_string()).or_default() += 1;
            }
        }
        counts.refused += usize::from(is_refused);
    }
}

fn show(package: &str, counts: &Counts) {
    println!(
        "{package}: {} units, {} functions, {} of them with something that is refused",
        counts.units, counts.functions, counts.refused
    );
    for (reason, places) in &counts.reasons {
        println!("  {places} places: {reason}");
    }
    for failure in &counts.failures {
        println!("  FAILED {failure}");
    }
}

/// CPU time of reading the largest unit, beside that of the compiler checking its syntax.
fn compare_time(units: &[PathBuf]) -> bool {
    let Some(unit) = units.iter().find(|it| {
        let name = it.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("sqlite3-")
    }) else {
        return false;
    };
    let Ok(task) = std::env::current_exe() else {
        return false;
    };
    let unit = unit.to_string_lossy();
    let task = task.to_string_lossy();
    let ours = seconds(&[&task, "real", "--read", &unit]);
    let theirs = seconds(&["gcc", "-fsyntax-only", "-w", &unit]);
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            println!(
                "sqlite3.c: {ours:.2} s of CPU to read, type and lower it, {theirs:.2} s for gcc \
                 -fsyntax-only: ratio {:.2}",
                ours / theirs
            );
            true
        }
        _ => false,
    }
}

/// The least CPU time of five runs of a command, from the shell's clock.
fn seconds(words: &[&str]) -> Option<f64> {
    let once = || {
        let mut shell = Command::new("bash");
        let script = "TIMEFORMAT='%U %S'; time \"$@\" > /dev/null 2>&1";
        shell.args(["-c", script, "bash"]).args(words);
        let output = shell.env("LC_ALL", "C").output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let numbers = text.split_whitespace().map(str::parse::<f64>);
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().ok()?;
        output.status.success().then(|| numbers.iter().sum())
    };
    let times: Vec<f64> = (0..5).map(|_| once()).collect::<Option<_>>()?;
    times.into_iter().reduce(f64::min)
}

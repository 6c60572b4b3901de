//! Real C projects, built plain and with a monitor in every unit, and compared: the warnings of
//! the compiler, the units that were refused, and what the project's own tests say.
//!
//! Needs the network, `apt-get source` and some minutes, so it is no part of the tests.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::run::root;

/// Warnings are asked for, and debug information is left out to save time.
const FLAGS: &str = "CFLAGS=-O1 -Wall -g0";

struct Project {
    /// The source package.
    package: &'static str,
    /// Whether it has to be configured.
    is_configured: bool,
    /// What is made.
    targets: &'static [&'static str],
    /// What its own tests are made with, and what begins the lines of their summary.
    tests: Option<(&'static [&'static str], &'static str)>,
}

const PROJECTS: [Project; 2] = [
    Project {
        package: "lua5.4",
        is_configured: false,
        targets: &["-C", "src", "linux-noreadline", "MYCFLAGS=-DLUA_USE_LINUX"],
        tests: None,
    },
    Project {
        package: "coreutils",
        is_configured: true,
        targets: &["-k", FLAGS],
        tests: Some((&["-k", "check", "SUBDIRS=.", FLAGS], "# ")),
    },
];

pub(crate) fn run() -> ExitCode {
    let folder = root().join("target").join("real");
    for project in PROJECTS {
        if let Err(message) = compare(&folder, &project) {
            eprintln!("{}: {message}", project.package);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn compare(folder: &Path, project: &Project) -> Result<(), String> {
    let package = project.package;
    let home = folder.join(package);
    // A tree that stayed from an earlier time would not be compiled again.
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).map_err(|cause| cause.to_string())?;
    println!("{package}: fetching");
    let source = fetch(&home, package)?;
    if project.is_configured {
        let mut configure = Command::new("./configure");
        configure.env("FORCE_UNSAFE_CONFIGURE", "1");
        said(configure.arg("--disable-nls").current_dir(&source))?;
    }
    let watched = home.join("watched");
    said(Command::new("cp").arg("-a").args([&source, &watched]))?;
    println!("{package}: building it plain");
    let plain_log = make(&source, project.targets, None);
    println!("{package}: building it with a monitor");
    let watched_log = make(&watched, project.targets, Some(&compiler()?));

    let plain = warnings(&plain_log);
    let more: Vec<_> = warnings(&watched_log).difference(&plain).cloned().collect();
    let refused = watched_log
        .lines()
        .filter(|line| line.starts_with("error: "));
    let refused: Vec<_> = refused.collect();
    println!(
        "{package}: {} kinds of warnings plain, new ones with the monitor: {}",
        plain.len(),
        more.len()
    );
    println!("{package}: {} messages of recurva", refused.len());
    for line in more.iter().map(String::as_str).chain(refused) {
        println!("  {line}");
    }
    if let Some((targets, summary)) = project.tests {
        println!("{package}: its own tests, plain and with the monitor");
        let compiler = compiler()?;
        let results = |log: &str| -> Vec<String> {
            let lines = log.lines().filter(|line| line.starts_with(summary));
            lines.map(str::to_owned).collect()
        };
        let one = results(&make(&source, targets, None));
        let two = results(&make(&watched, targets, Some(&compiler)));
        for (one, two) in one.iter().zip(&two) {
            println!("  {one:<16} {two}");
        }
        if one != two {
            return Err("its tests say something else with the monitor".into());
        }
    }
    Ok(())
}

/// Downloads and unpacks a source package with a configuration of apt's own for it.
pub(crate) fn fetch(home: &Path, package: &str) -> Result<PathBuf, String> {
    let lists = home.join("lists");
    fs::create_dir_all(&lists).map_err(|cause| cause.to_string())?;
    let parts = home.join("parts");
    fs::create_dir_all(&parts).map_err(|cause| cause.to_string())?;
    // Where this machine has its packages from, there are their sources.
    let list = fs::read_to_string("/etc/apt/sources.list").unwrap_or_default();
    let list = list.replace("deb ", "deb-src ");
    fs::write(home.join("sources.list"), list).map_err(|cause| cause.to_string())?;
    let part = fs::read_to_string("/etc/apt/sources.list.d/debian.sources").unwrap_or_default();
    let part = part.replace("Types: deb\n", "Types: deb-src\n");
    fs::write(parts.join("debian.sources"), part).map_err(|cause| cause.to_string())?;
    let configuration = format!(
        "Dir::Etc::sourcelist \"{0}/sources.list\";\nDir::Etc::sourceparts \"{0}/parts\";\n\
         Dir::State::lists \"{0}/lists\";\nDir::Cache \"{0}\";\n",
        home.display()
    );
    let file = home.join("apt.conf");
    fs::write(&file, configuration).map_err(|cause| cause.to_string())?;
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        said(
            command
                .args(arguments)
                .env("APT_CONFIG", &file)
                .current_dir(home),
        )
    };
    apt(&["update"])?;
    // Where the newest version is not there, that of the release is.
    let release = format!("{package}/{}", code_name());
    apt(&["source", "--download-only", package])
        .or_else(|_| apt(&["source", "--download-only", &release]))?;
    let entries = fs::read_dir(home).map_err(|cause| cause.to_string())?;
    let archive = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().contains(".orig.tar"))
        .ok_or("no archive came")?;
    let source = home.join("plain");
    fs::create_dir_all(&source).map_err(|cause| cause.to_string())?;
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=1", "-xf"]).arg(archive);
    said(tar.current_dir(&source))?;
    Ok(source)
}

/// The name of the system's release.
fn code_name() -> String {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.unwrap_or("stable").to_owned()
}

/// The compiler with the monitor of the examples that watches memory and streams.
fn compiler() -> Result<String, String> {
    let program = root().join("target").join("debug").join("recurva");
    let program = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder).join("debug").join("recurva"),
        None => program,
    };
    if !program.exists() {
        return Err("build the command line first: cargo build".into());
    }
    let monitor = root().join("examples/pal/c/memory.pal");
    Ok(format!(
        "CC={} pal cc --quiet -m {} -- gcc -std=gnu99",
        program.display(),
        monitor.display()
    ))
}

/// Everything that make says. A part of a project that cannot be made is no reason to stop.
fn make(folder: &Path, targets: &[&str], compiler: Option<&str>) -> String {
    let mut command = Command::new("make");
    command
        .args(targets)
        .arg(compiler.unwrap_or("CC=gcc -std=gnu99"));
    match command.env("LC_ALL", "C").current_dir(folder).output() {
        Ok(output) => {
            let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
            log.push_str(&String::from_utf8_lossy(&output.stderr));
            log
        }
        Err(cause) => format!("error: make: {cause}"),
    }
}

/// The warnings of a log, without lines and columns: what a macro of a header does is reported
/// at the header's line in one build, and at the line that uses it in the other.
fn warnings(log: &str) -> BTreeSet<String> {
    let lines = log.lines().filter_map(|line| {
        let (_, text) = line.split_once(": warning: ")?;
        Some(text.to_owned())
    });
    lines.collect()
}

/// Runs a command that must succeed; what it says is only shown if it does not.
pub(crate) fn said(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|cause| cause.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let name = command.get_program().display();
    Err(format!(
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    ))
}

//! `recurva pal`: C programs with monitors in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use recurva_pal::{
    c::{
        CommandError, CompilerCommand, Failure, HEADER, Policy, SOURCE, Stage, Toolchain, coverage,
    },
    lang::{self, Monitor},
    library::Rule,
};
use recurva_process::{
    Exit, files,
    output::{self, Loudness},
};
use recurva_syntax::Source;
use tempfile::TempDir;

use crate::{
    options::{PalCcArguments, PalCommand, PalInstrumentArguments, PalPolicy},
    rules,
};

pub(crate) fn run(command: &PalCommand) -> Exit {
    let result = match command {
        PalCommand::Cc(arguments) => cc(arguments),
        PalCommand::Instrument(arguments) => instrument(arguments),
        PalCommand::Coverage { monitor, files } => print_coverage(monitor, files),
        PalCommand::Runtime { out } => write_run_time(out),
    };
    match result {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

/// Compiles or links what the command says, with the monitor in it.
fn cc(arguments: &PalCcArguments) -> Result<(), Exit> {
    let command =
        CompilerCommand::new(&arguments.command).map_err(|error| wrong_command(&error))?;
    let rule = arguments.rule.as_deref().and_then(Rule::named);
    let path = rule.map(|rule| PathBuf::from(rule.file()));
    let path = path
        .or_else(|| arguments.monitor.clone())
        .unwrap_or_default();
    let (source, monitor) = read(&path)?;
    let scratch = scratch()?;
    let toolchain = Toolchain {
        command: &command,
        monitor: &monitor,
        source: &source,
        folder: folder(&path),
        scratch: scratch.path(),
    };
    let built = failed(toolchain.build(policy(arguments.policy)))?;
    if built.stage == Stage::Link && !arguments.quiet {
        match arguments.rule {
            Some(_) => warn_of_none(&built.matched),
            None => warn(&monitor, &built.matched, "this program"),
        }
    }
    Ok(())
}

fn instrument(arguments: &PalInstrumentArguments) -> Result<(), Exit> {
    let mut words = arguments.command.clone();
    words.extend(["-c".into(), arguments.unit.clone().into()]);
    let command = CompilerCommand::new(&words).map_err(|error| wrong_command(&error))?;
    command.units().map_err(|error| wrong_command(&error))?;
    let (source, monitor) = read(&arguments.monitor)?;
    let scratch = scratch()?;
    let toolchain = Toolchain {
        command: &command,
        monitor: &monitor,
        source: &source,
        folder: folder(&arguments.monitor),
        scratch: scratch.path(),
    };
    let order = failed(toolchain.order())?;
    let unit = failed(toolchain.unit(&arguments.unit, order))?;
    output::stderr(&String::from_utf8_lossy(&unit.said));
    let text = unit.woven.text.unwrap_or(unit.text);
    let matched = unit.woven.matched;
    let out = arguments.out.as_deref().unwrap_or(Path::new("-"));
    files::store(out, &[&arguments.unit, &arguments.monitor], &text)?;
    output::stderr(&table(&monitor, &matched));
    warn(&monitor, &matched, "this unit");
    Ok(())
}

fn print_coverage(path: &Path, files: &[PathBuf]) -> Result<(), Exit> {
    let (_, monitor) = read(path)?;
    let mut matched = vec![0; monitor.events.len()];
    for file in files {
        let bytes = fs::read(file).map_err(|cause| cannot("read", file, &cause))?;
        match coverage(&bytes) {
            Some(counts) => add(&mut matched, &counts),
            None => output::note(&format!("{}: nothing in it is monitored", file.display())),
        }
    }
    output::stdout(table(&monitor, &matched).as_bytes());
    warn(&monitor, &matched, "these files");
    Ok(())
}

fn write_run_time(folder: &Path) -> Result<(), Exit> {
    for (name, text) in [("recurva_pal.h", HEADER), ("recurva_pal.c", SOURCE)] {
        files::store(&folder.join(name), &[], text.as_bytes())?;
    }
    Ok(())
}

/// Reads a monitor; what is wrong with it is printed.
fn read(path: &Path) -> Result<(Source, Monitor), Exit> {
    let refused = |refused| output::refused(&refused, Loudness::default());
    let source = rules::open_spec(path).map_err(refused)?;
    let parsed = lang::parse(&source);
    if !parsed.diagnostics.is_empty() {
        output::diagnostics(&source, &parsed.diagnostics);
    }
    let monitor = parsed.monitor.ok_or(Exit::BadInput)?;
    Ok((source, monitor))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn scratch() -> Result<TempDir, Exit> {
    TempDir::with_prefix("recurva-pal-").map_err(|cause| {
        output::error(&format!("cannot make a temporary folder: {cause}"));
        Exit::BadInput
    })
}

fn policy(policy: PalPolicy) -> Policy {
    match policy {
        PalPolicy::Abort => Policy::Abort,
        PalPolicy::Exit => Policy::Exit,
        PalPolicy::Log => Policy::Log,
        PalPolicy::Count => Policy::Count,
    }
}

fn add(total: &mut [usize], counts: &[usize]) {
    for (sum, count) in total.iter_mut().zip(counts) {
        *sum += count;
    }
}

fn table(monitor: &Monitor, matched: &[usize]) -> String {
    let rows = monitor.events.iter().zip(matched).map(|(event, count)| {
        let sites = if *count == 1 { "site" } else { "sites" };
        format!("{}: {count} {sites}\n", event.title())
    });
    rows.collect()
}

/// An event that matches nothing may be a slip.
fn warn(monitor: &Monitor, matched: &[usize], place: &str) {
    let without = monitor.events.iter().zip(matched);
    let without = without.filter(|(_, count)| **count == 0);
    for (event, _) in without {
        let title = event.title();
        output::stderr(&format!("warning: {title} matches nothing in {place}\n"));
    }
}

/// A rule of the library knows more functions than any program calls.
fn warn_of_none(matched: &[usize]) {
    if matched.iter().all(|count| *count == 0) {
        output::stderr("warning: nothing in this program matches an event of the rule\n");
    }
}

fn wrong_command(error: &CommandError) -> Exit {
    output::error(&error.to_string());
    match error {
        CommandError::Empty => output::help("write `-- gcc` and the compiler's arguments"),
        CommandError::Stdin => output::help("say `-x c` before it"),
        CommandError::Language(_) => output::help("compile this file with the compiler itself"),
        CommandError::Response(_) => output::help("write the arguments into the command line"),
    }
    Exit::BadInput
}

fn cannot(what: &str, path: &Path, cause: &std::io::Error) -> Exit {
    output::error(&format!("cannot {what} {}: {cause}", path.display()));
    Exit::BadInput
}

/// Prints why something failed.
fn failed<T>(result: Result<T, Failure>) -> Result<T, Exit> {
    result.map_err(|failure| {
        match failure {
            Failure::Said => {}
            Failure::Command(error) => return wrong_command(&error),
            Failure::Compiler(compiler, cause) => {
                let compiler = compiler.to_string_lossy();
                output::error(&format!("cannot run {compiler}: {cause}"));
            }
            Failure::File(path, cause) => return cannot("use", &path, &cause),
            Failure::Refused(all) => {
                for refused in all {
                    output::error(&refused.to_string());
                    output::help(refused.help);
                }
            }
            Failure::Unprepared(unit) => {
                let unit = unit.display();
                output::error(&format!(
                    "{unit}: a macro of this unit breaks the C of the monitor"
                ));
                output::help("`recurva pal instrument` preprocesses the monitor behind the unit");
            }
        }
        Exit::BadInput
    })
}

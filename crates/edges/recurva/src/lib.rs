//! The command line of Recurva: what users may write, and what is asked of the libraries for it.
//! Every decision is made in those.

mod asking;
mod c;
mod cache;
mod certificates;
mod commands;
mod kept;
mod known;
mod limits;
mod options;
mod reports;
mod rules;
mod test_cases;
mod witness;

use std::{
    io::{self, Write},
    panic::{self, PanicHookInfo},
    path::PathBuf,
    process::ExitCode,
};

use clap::{CommandFactory, Parser, error::ErrorKind};
use clap_mangen::Man;
use recurva_check::{Format, Limits};
use recurva_process::{Exit, interrupt, output, watchdog};

use commands::{
    analyze, check, convert, draw, empty, explore, lsp, pal, reach, replay, rules as library,
    verify,
};
use limits::LimitArguments;
use options::{Arguments, Command};

/// The command line's grammar, for completions, the manual, and tests of what pages say about it.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Does what the arguments of the process say; how the process ends.
pub fn main() -> ExitCode {
    recurva_process::prepare();
    // Clap prints usage errors itself and exits with 2, as we want.
    let arguments = Arguments::try_parse().unwrap_or_else(|error| usage(&error));
    // From the first phase on, so that a command can be stopped in every one.
    interrupt::listen();
    panic::set_hook(Box::new(report_panic));
    let exit = panic::catch_unwind(|| run(&arguments)).unwrap_or(Exit::Internal);
    // An answer that nobody got is none.
    let exit = match output::is_lost() {
        true => exit.max(Exit::BadInput),
        false => exit,
    };
    exit.into()
}

/// A model where a command should be is most likely meant to be checked.
fn usage(error: &clap::Error) -> ! {
    let first = std::env::args_os().nth(1).map(PathBuf::from);
    match first.filter(|_| error.kind() == ErrorKind::InvalidSubcommand) {
        Some(path) if Format::of(&path).is_some() => {
            let path = path.display();
            output::error(&format!("`{path}` is a model, not a command"));
            output::help(&format!("recurva check {path}"));
            std::process::exit(Exit::BadInput.code().into())
        }
        _ => error.exit(),
    }
}

/// The limits of a command, which hold in all of its phases.
fn limits(command: &Command) -> Limits {
    let limits = match command {
        // Whoever walks through a strategy takes their time.
        Command::Check(arguments) if arguments.walk => LimitArguments {
            timeout: None,
            ..arguments.question.limits
        },
        Command::Check(arguments) => arguments.question.limits,
        Command::Explore(arguments) => arguments.question.limits,
        Command::Convert(arguments) => arguments.limits,
        Command::Draw(arguments) => arguments.limits,
        Command::Empty(arguments) => arguments.limits,
        Command::Analyze(arguments) => arguments.limits,
        Command::Reach(arguments) => arguments.limits,
        Command::Replay(arguments) => arguments.limits,
        Command::Verify(arguments) => arguments.limits,
        Command::Pal(_)
        | Command::Rules(_)
        | Command::Lsp
        | Command::Completions { .. }
        | Command::Man => {
            return Limits::default();
        }
    };
    limits.limits()
}

fn run(arguments: &Arguments) -> Exit {
    watchdog::start(limits(&arguments.command));
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::Empty(arguments) => empty::run(arguments),
        Command::Pal(command) => pal::run(command),
        Command::Rules(arguments) => library::run(arguments),
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Reach(arguments) => reach::run(arguments),
        Command::Lsp => lsp::run(),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command(), "recurva", &mut script);
            output::stdout(&script);
            Exit::Holds
        }
        Command::Man => {
            output::stdout_with(|out| manual(out));
            Exit::Holds
        }
    }
}

/// The manual: one page, with a section for each command.
fn manual(out: &mut dyn Write) -> io::Result<()> {
    let mut command = command().disable_help_subcommand(true);
    command.build();
    let page = Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    for command in command.get_subcommands() {
        let section = Man::new(command.clone());
        writeln!(out, ".SH \"RECURVA {}\"", command.get_name().to_uppercase())?;
        section.render_synopsis_section(out)?;
        section.render_description_section(out)?;
        section.render_options_section(out)?;
        section.render_extra_section(out)?;
    }
    page.render_version_section(out)
}

/// What the libraries that panic when they get no thread say of that.
const NO_THREAD: &str = "Resource temporarily unavailable";

/// A panic is a mistake of ours: say so in one line, with where it happened. But a thread that the
/// system has no memory for is none: whoever wanted it knows what to answer.
fn report_panic(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    if what.contains(NO_THREAD) {
        return;
    }
    let place = info
        .location()
        .map(|at| format!(" ({}:{})", at.file(), at.line()));
    output::internal_error(&format!("{what}{}", place.unwrap_or_default()));
}

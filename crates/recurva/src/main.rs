//! The command line of Recurva. This is the only crate that reads files, prints, and knows
//! what a terminal is; every decision is made in the libraries below it.

mod analyze;
mod args;
#[cfg(test)]
mod book;
mod check;
mod convert;
mod convert_model;
mod draw;
mod exit;
mod explore;
mod files;
mod flat;
mod interrupt;
mod limits;
mod load;
mod lsp;
mod machine;
mod nested;
mod output;
mod outputs;
mod pal;
mod progress;
mod questions;
mod reach;
#[cfg(feature = "cluster")]
mod reach_cluster;
mod regular;
mod regular_trace;
mod replay;
mod save;
mod specs;
mod systems;
mod trees;
mod witness;
mod woven;

use std::{
    io::{self, Write},
    panic::{self, PanicHookInfo},
    process::ExitCode,
};

use clap::{CommandFactory, Parser};
use clap_mangen::Man;

use args::{Arguments, Command};
use exit::Exit;

fn main() -> ExitCode {
    // Clap prints usage errors itself and exits with 2, as we want.
    let arguments = Arguments::parse();
    panic::set_hook(Box::new(report_panic));
    let exit = panic::catch_unwind(|| run(&arguments)).unwrap_or(Exit::Internal);
    // An answer that nobody got is none.
    let exit = match output::is_lost() {
        true => exit.max(Exit::BadInput),
        false => exit,
    };
    exit.into()
}

fn run(arguments: &Arguments) -> Exit {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::Empty(arguments) => trees::run_empty(arguments),
        Command::Pal(command) => pal::run(command),
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Reach(arguments) => reach::run(arguments),
        Command::Lsp => lsp::run(),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "recurva", &mut script);
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
    let mut command = Arguments::command().disable_help_subcommand(true);
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

/// A panic is a mistake of ours: say so in one line, with where it happened.
fn report_panic(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let place = info
        .location()
        .map(|at| format!(" ({}:{})", at.file(), at.line()));
    output::internal_error(&format!("{what}{}", place.unwrap_or_default()));
}

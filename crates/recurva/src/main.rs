//! The command line of Recurva. This is the only crate that reads files, prints, and knows
//! what a terminal is; every decision is made in the libraries below it.

mod args;
mod check;
mod exit;
mod interrupt;
mod limits;
mod load;
mod output;
mod progress;
mod questions;

use std::{
    panic::{self, PanicHookInfo},
    process::ExitCode,
};

use clap::{CommandFactory, Parser};

use args::{Arguments, Command};
use exit::Exit;

fn main() -> ExitCode {
    // Clap prints usage errors itself and exits with 2, as we want.
    let arguments = Arguments::parse();
    panic::set_hook(Box::new(report_panic));
    let exit = panic::catch_unwind(|| run(&arguments)).unwrap_or(Exit::Internal);
    exit.into()
}

fn run(arguments: &Arguments) -> Exit {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "recurva", &mut script);
            output::stdout(&script);
            Exit::Holds
        }
        Command::Man => {
            let mut page = Vec::new();
            match clap_mangen::Man::new(Arguments::command()).render(&mut page) {
                Ok(()) => output::stdout(&page),
                Err(error) => {
                    output::error(&error.to_string());
                    return Exit::Internal;
                }
            }
            Exit::Holds
        }
    }
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

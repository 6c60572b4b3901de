//! Prints the program that a preprocessed text becomes.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::{fs, process::ExitCode};

use recurva_cbuild::{BuildOptions, Scope, read};
use recurva_cir::SourceText;
use recurva_ctype::Target;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let texts = paths.iter().map(|path| SourceText {
        name: path.as_str().into(),
        text: fs::read(path).unwrap_or_default(),
        is_library: false,
    });
    let options = BuildOptions {
        scope: Scope::All,
        ..BuildOptions::default()
    };
    match read(texts.collect(), Target::lp64(), &options) {
        Ok(built) => {
            println!("{}", built.module);
            ExitCode::SUCCESS
        }
        Err(errors) => {
            for (number, list) in errors {
                for error in list.iter() {
                    eprintln!("{}: {}", paths[number], error.message());
                }
            }
            ExitCode::FAILURE
        }
    }
}

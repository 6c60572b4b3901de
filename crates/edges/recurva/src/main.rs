//! The program `recurva`: all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    recurva::main()
}

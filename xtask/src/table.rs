//! Results of checks, one line each, and their sum.

use std::{fmt, process::ExitCode};

/// How a case came out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Result {
    /// As it should.
    Right(String),
    /// Not as it should.
    Wrong(String),
    /// Not decided within the limit.
    OverLimit(String),
}

/// Results so far.
#[derive(Debug, Default)]
pub(crate) struct Table {
    right: usize,
    wrong: Vec<String>,
    over: Vec<String>,
}

impl Table {
    /// Prints a result and counts it.
    pub(crate) fn add(&mut self, name: &str, seconds: f64, result: &Result) {
        let (mark, text) = match result {
            Result::Right(text) => ("ok", text),
            Result::Wrong(text) => ("WRONG", text),
            Result::OverLimit(text) => ("limit", text),
        };
        println!("{mark:<6} {seconds:>8.2} s  {name:<48} {text}");
        match result {
            Result::Right(_) => self.right += 1,
            Result::Wrong(_) => self.wrong.push(name.to_owned()),
            Result::OverLimit(_) => self.over.push(name.to_owned()),
        }
    }

    /// Success if nothing came out wrong.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.wrong.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (right, wrong, over) = (self.right, self.wrong.len(), self.over.len());
        writeln!(
            f,
            "\n{right} as expected, {wrong} wrong, {over} over the limit"
        )?;
        for (what, names) in [("wrong", &self.wrong), ("over the limit", &self.over)] {
            for name in names {
                writeln!(f, "  {what}: {name}")?;
            }
        }
        Ok(())
    }
}

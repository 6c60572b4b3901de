//! Which compiler there is, and what it makes of a unit.

use std::{
    env,
    ffi::{OsStr, OsString},
    io,
    path::Path,
    process::Command,
};

use crate::process::{Ended, Finished, run};

/// A C compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    program: OsString,
    version: String,
}

/// A unit as the user wrote it.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// The name of its file. Its headers are looked for beside it.
    pub name: &'a str,
    /// Its text.
    pub text: &'a [u8],
    /// Options of the compiler: `-Iinclude`, `-DX`, `-m32`.
    pub options: &'a [String],
}

/// Why a compiler did not do what it should.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be run.
    NotRun(OsString, io::Error),
    /// It found mistakes, and said so.
    Said(String),
    /// Nobody wanted to wait any longer.
    Stopped,
}

impl Compiler {
    /// The compiler that the user has chosen by `RECURVA_CC` or `CC`, or else `cc`, `gcc` or `clang`.
    pub fn find() -> Option<Self> {
        let chosen = ["RECURVA_CC", "CC"].into_iter().filter_map(env::var_os);
        let usual = ["cc", "gcc", "clang"].into_iter().map(OsString::from);
        let mut all = chosen.filter(|it| !it.is_empty()).chain(usual);
        all.find_map(|program| Compiler::of(&program))
    }

    /// A compiler by its name or path; `None` if it cannot be run.
    pub fn of(program: &OsStr) -> Option<Self> {
        let mut command = Command::new(program);
        let finished = run(command.arg("--version"), b"", &mut || false).ok()?;
        let said = String::from_utf8_lossy(&finished.output);
        let first = said.lines().next().unwrap_or_default();
        finished.is_success().then(|| Compiler {
            program: program.to_owned(),
            version: short_version(first),
        })
    }

    /// What it is called.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Its name and number: `gcc 12.2.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Runs it. Paths among the words are relative to where we are.
    pub fn run(
        &self,
        words: &[OsString],
        input: &[u8],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Finished, Failure> {
        let mut command = Command::new(&self.program);
        // Messages that can be understood, and parsed.
        command.args(words).env("LC_ALL", "C");
        let finished = run(&mut command, input, is_over);
        let finished = finished.map_err(|cause| Failure::NotRun(self.program.clone(), cause))?;
        match finished.ended {
            Ended::Stopped => Err(Failure::Stopped),
            Ended::With(_) if !finished.is_success() => {
                let said = String::from_utf8_lossy(&finished.said);
                Err(Failure::Said(said.into_owned()))
            }
            Ended::With(_) => Ok(finished),
        }
    }

    /// What the preprocessor makes of a unit, with line markers.
    ///
    /// # Errors
    ///
    /// What it has to say about it.
    pub fn preprocess(
        &self,
        unit: &Unit<'_>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, Failure> {
        let folder = Path::new(unit.name).parent();
        let folder = folder.filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut words: Vec<OsString> = ["-E", "-w", "-iquote"].map(OsString::from).to_vec();
        words.push(folder.into());
        words.extend(unit.options.iter().map(OsString::from));
        words.extend(["-x", "c", "-"].map(OsString::from));
        // The text may be newer than the file, as in an editor.
        let mut input = format!("# 1 {}\n", quoted(unit.name)).into_bytes();
        input.extend_from_slice(unit.text);
        Ok(self.run(&words, &input, is_over)?.output)
    }

    /// The macros that are defined before the first line: what the machine is like.
    ///
    /// # Errors
    ///
    /// What it has to say about the options.
    pub fn macros(
        &self,
        options: &[String],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<String, Failure> {
        let mut words: Vec<OsString> = ["-dM", "-E"].map(OsString::from).to_vec();
        words.extend(options.iter().map(OsString::from));
        words.extend(["-x", "c", "-"].map(OsString::from));
        let finished = self.run(&words, b"", is_over)?;
        Ok(String::from_utf8_lossy(&finished.output).into_owned())
    }
}

/// `cc (Debian 12.2.0-14) 12.2.0` is `gcc 12.2.0`, `Debian clang version 14.0.6` is `clang 14.0.6`.
fn short_version(line: &str) -> String {
    let name = match line.contains("clang") {
        true => "clang",
        false => "gcc",
    };
    let is_number = |word: &&str| {
        let digits = word.chars().next().is_some_and(|it| it.is_ascii_digit());
        digits && word.contains('.')
    };
    let number = line.split_whitespace().rfind(is_number);
    match number {
        Some(number) => format!("{name} {number}"),
        None => line.to_owned(),
    }
}

/// A text as C writes it in quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_short() {
        let gcc = "cc (Debian 12.2.0-14+deb12u1) 12.2.0";
        assert_eq!(short_version(gcc), "gcc 12.2.0");
        let clang = "Debian clang version 14.0.6";
        assert_eq!(short_version(clang), "clang 14.0.6");
        let apple = "Apple clang version 15.0.0 (clang-1500.3.9.4)";
        assert_eq!(short_version(apple), "clang 15.0.0");
        assert_eq!(short_version("tcc"), "tcc");
    }

    #[test]
    fn a_unit_is_preprocessed() {
        let Some(compiler) = Compiler::find() else {
            return; // Nothing can be said without a compiler.
        };
        let options = ["-DX=3".to_owned()];
        let unit = Unit {
            name: "no such folder/a \"b.c",
            text: b"#line 7\nint x = X;\n",
            options: &options,
        };
        let text = compiler.preprocess(&unit, &mut || false).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("int x = 3;"), "{text}");
        assert!(text.contains("# 7 \"no such folder/a \\\"b.c\""), "{text}");
        let wrong = Unit {
            text: b"#include \"none.h\"\n",
            ..unit
        };
        let said = compiler.preprocess(&wrong, &mut || false).unwrap_err();
        assert!(matches!(said, Failure::Said(text) if text.contains("none.h")));
        let macros = compiler.macros(&[], &mut || false).unwrap();
        assert!(macros.contains("#define __CHAR_BIT__ 8"));
        let stopped = compiler.macros(&[], &mut || true);
        assert!(matches!(stopped, Err(Failure::Stopped)));
    }
}

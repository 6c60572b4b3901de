//! `--save-trace`: runs that violate a property, as files.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
};

use recurva_evidence::Replayed;
use recurva_report::{Ending, Question, ending};
use recurva_trace::{
    Dialect, End, FileMark, Options, Question as Asked, Recording, Run, Runs, Stack, TraceFile,
    Words,
};

use crate::{
    args::{self, CheckArguments, QuestionArguments},
    exit::Exit,
    files::Output,
    output,
};

/// How the names of trace files end.
const ENDING: &str = ".trace.json";

/// Writes the runs of one command.
pub(crate) struct Saver<'a> {
    arguments: &'a CheckArguments,
    /// How many files have been written.
    written: Cell<usize>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(arguments: &'a CheckArguments) -> Self {
        Saver {
            arguments,
            written: Cell::new(0),
        }
    }

    /// Writes a run of a program, if that is wanted. On an error everything has been said.
    pub(crate) fn save_run(
        &self,
        question: &Question<'_>,
        asked: &Asked,
        replayed: &Replayed<'_>,
    ) -> Result<(), Exit> {
        let Some(path) = &self.arguments.save_trace else {
            return Ok(());
        };
        let Ending { what, file, line } = ending(question, replayed);
        let trace = TraceFile {
            property: question.property.name(),
            model: FileMark::of(question.source.name(), question.source.text()),
            question: asked.clone(),
            options: self.options(question.property.is_liveness()),
            end: End {
                what,
                file: Some(file),
                line: line.and_then(|line| u32::try_from(line).ok()),
            },
            run: Run::Trace(Recording::of(replayed.program(), replayed.trace().clone())),
        };
        self.save(path, &trace)
    }

    /// Writes a run of a system of any size, if that is wanted. On an error everything has been
    /// said.
    pub(crate) fn save_words(&self, text: &str, name: &str, words: Words) -> Result<(), Exit> {
        let Some(path) = &self.arguments.save_trace else {
            return Ok(());
        };
        let what = match words.turn {
            Some(_) => "a fair run violates it",
            None => "a bad word is reached",
        };
        let trace = TraceFile {
            property: name.to_owned(),
            model: FileMark::of(self.arguments.question.model.display().to_string(), text),
            question: Asked::System {
                name: name.to_owned(),
            },
            options: Options::default(),
            end: End {
                what: what.to_owned(),
                ..End::default()
            },
            run: Run::Words(words),
        };
        self.save(path, &trace)
    }

    fn options(&self, infinite: bool) -> Options {
        let QuestionArguments {
            dialect,
            letters,
            stack,
            runs,
            ..
        } = &self.arguments.question;
        let stack = match stack {
            args::Stack::Any => Stack::Any,
            args::Stack::Finite => Stack::Finite,
            args::Stack::Diverging => Stack::Diverging,
        };
        let runs = runs.map(|runs| match runs {
            args::Runs::Stutter => Runs::Stutter,
            args::Runs::Infinite => Runs::Infinite,
        });
        Options {
            dialect: Some(match dialect {
                args::Dialect::Boppo => Dialect::Boppo,
                args::Dialect::Moped => Dialect::Moped,
            }),
            letters: *letters,
            stack: infinite.then_some(stack),
            runs: runs.filter(|_| infinite),
        }
    }

    fn save(&self, path: &Path, trace: &TraceFile) -> Result<(), Exit> {
        let number = self.written.get() + 1;
        let path = numbered(path, number);
        let out = Output::open(&path, &self.arguments.inputs())?;
        out.write_with(|out| trace.write(out))?;
        self.written.set(number);
        if !self.arguments.question.quiet && !out.is_stdout() {
            output::note(&format!("the run is in {}", path.display()));
        }
        Ok(())
    }

    /// Says so if a file was wanted and there is none.
    pub(crate) fn finish(&self, exit: Exit) {
        let answered = matches!(exit, Exit::Holds | Exit::Unknown);
        let wanted = self.arguments.save_trace.as_ref().filter(|_| answered);
        if let Some(path) =
            wanted.filter(|_| self.written.get() == 0 && !self.arguments.question.quiet)
        {
            let path = path.display();
            output::note(&format!(
                "no run violates a property: {path} was not written"
            ));
        }
    }
}

/// The name of a file, with a number if it is not the first: `a.2.trace.json`. The standard output
/// takes them all.
pub(crate) fn numbered(path: &Path, number: usize) -> PathBuf {
    if number < 2 || path.as_os_str() == "-" {
        return path.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = match name.strip_suffix(ENDING) {
        Some(stem) => (stem, ENDING),
        None => {
            let dot = name.rfind('.').filter(|&dot| dot > 0);
            name.split_at(dot.unwrap_or(name.len()))
        }
    };
    path.with_file_name(format!("{stem}.{number}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_are_numbered() {
        for (name, second) in [
            ("a.trace.json", "a.2.trace.json"),
            ("x/a.json", "x/a.2.json"),
            ("a", "a.2"),
            (".a", ".a.2"),
        ] {
            assert_eq!(numbered(Path::new(name), 1), Path::new(name));
            assert_eq!(numbered(Path::new(name), 2), Path::new(second));
        }
        assert_eq!(numbered(Path::new("-"), 2), Path::new("-"));
    }
}

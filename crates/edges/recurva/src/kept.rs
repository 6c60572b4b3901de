//! `--save-trace`: what shows that a property is violated, as files.

use std::path::{Path, PathBuf};

use recurva_check::{Answer, Options, Question};
use recurva_process::{Exit, files::Output, output};

use crate::options::CheckArguments;

/// How the names of trace files end.
const ENDING: &str = ".trace.json";

/// Writes the runs and strategies of one command.
pub(crate) struct Kept<'a> {
    arguments: &'a CheckArguments,
    /// How many files have been written.
    written: usize,
}

impl<'a> Kept<'a> {
    pub(crate) fn new(arguments: &'a CheckArguments) -> Self {
        Kept {
            arguments,
            written: 0,
        }
    }

    /// Writes the evidence of a violation, if that is wanted. On an error everything has been said.
    pub(crate) fn keep(
        &mut self,
        question: &Question<'_>,
        answer: &Answer<'_>,
        options: &Options,
    ) -> Result<(), Exit> {
        let Some(path) = &self.arguments.save_trace else {
            return Ok(());
        };
        if !answer.is_violated() {
            return Ok(());
        }
        let quiet = self.arguments.question.quiet;
        let end = recurva_report::ending(&question.context(), answer);
        let Some(file) = question.saved(answer, options, end) else {
            if !quiet {
                output::note("there is no run to be written: its trace was not finished");
            }
            return Ok(());
        };
        let path = numbered(path, self.written + 1);
        let inputs = self.arguments.question.inputs();
        Output::open(&path, &inputs)?.write_with(|out| file.write(out))?;
        self.written += 1;
        if !quiet && path.as_os_str() != "-" {
            output::note(&format!("the run is in {}", path.display()));
        }
        Ok(())
    }

    /// Says so if a file was wanted and there is none.
    pub(crate) fn finish(&self, exit: Exit) {
        let answered = matches!(exit, Exit::Holds | Exit::Unknown);
        let wanted = self.arguments.save_trace.as_ref().filter(|_| answered);
        if let Some(path) = wanted.filter(|_| self.written == 0 && !self.arguments.question.quiet) {
            let path = path.display();
            output::note(&format!(
                "no run violates a property: {path} was not written"
            ));
        }
    }
}

/// The name of a file, with a number if it is not the first: `a.2.trace.json`.
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
            ("-", "-"),
        ] {
            assert_eq!(numbered(Path::new(name), 1), Path::new(name));
            assert_eq!(numbered(Path::new(name), 2), Path::new(second));
        }
    }
}

//! `--test-case`: violations of C programs as folders that can be compiled and run.

use std::fs;

use recurva_check::Answer;
use recurva_process::{Exit, files, output};

use crate::{kept::numbered, options::CheckArguments};

/// Writes the test cases of one command.
pub(crate) struct TestCases<'a> {
    arguments: &'a CheckArguments,
    /// How many have been written.
    written: usize,
}

impl<'a> TestCases<'a> {
    pub(crate) fn new(arguments: &'a CheckArguments) -> Self {
        TestCases {
            arguments,
            written: 0,
        }
    }

    /// Writes the run of a violation, if that is wanted. On an error everything has been said.
    pub(crate) fn keep(&mut self, answer: &Answer<'_>) -> Result<(), Exit> {
        let Some(folder) = &self.arguments.test_case else {
            return Ok(());
        };
        if !answer.is_violated() {
            return Ok(());
        }
        let quiet = self.arguments.question.quiet;
        let Some(case) = &answer.test_case else {
            if !quiet {
                output::note("there is no test case: only finite runs of C programs are ones");
            }
            return Ok(());
        };
        let folder = numbered(folder, self.written + 1);
        fs::create_dir_all(&folder).map_err(|cause| {
            output::error(&format!("{}: {cause}", folder.display()));
            Exit::BadInput
        })?;
        let inputs = self.arguments.question.inputs();
        for (name, text) in &case.sources {
            files::store(&folder.join(name), &inputs, text)?;
        }
        files::store(&folder.join("Makefile"), &inputs, case.makefile.as_bytes())?;
        self.written += 1;
        if !quiet {
            let folder = folder.display();
            output::note(&format!("the test case is in {folder}: make -C {folder}"));
        }
        Ok(())
    }
}

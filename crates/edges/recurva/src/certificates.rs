//! `--certificate`: proofs that properties hold, as files.

use recurva_check::{About, Answer, Options, Property, Question, RunContext};
use recurva_process::{Exit, files, output};
use recurva_report::node_line;

use crate::{kept::numbered, options::CheckArguments};

/// Writes the proofs of one command.
pub(crate) struct Certificates<'a> {
    arguments: &'a CheckArguments,
    /// How many files have been written.
    written: usize,
}

impl<'a> Certificates<'a> {
    pub(crate) fn new(arguments: &'a CheckArguments) -> Self {
        Certificates {
            arguments,
            written: 0,
        }
    }

    /// Writes the proof of an answer, if that is wanted. On an error everything has been said.
    pub(crate) fn keep(
        &mut self,
        question: &Question<'_>,
        answer: &Answer<'_>,
        options: &Options,
    ) -> Result<(), Exit> {
        let Some(path) = self
            .arguments
            .certificate
            .as_ref()
            .filter(|_| answer.holds())
        else {
            return Ok(());
        };
        let quiet = self.arguments.question.quiet;
        let context = question.context();
        let line = node_line(&context, answer);
        let version = env!("CARGO_PKG_VERSION");
        let file = match question.proof_file(answer, options, version, &line) {
            Some(Ok(file)) => file,
            Some(Err(cause)) => {
                output::error(&format!("the proof cannot be written: {cause}"));
                return Err(Exit::Internal);
            }
            None => {
                match has_errors(&context.about) {
                    _ if quiet => {}
                    true => {
                        output::note("no proof was found that can be checked: none was written");
                        output::help("a longer --timeout gives the engines for proofs more time");
                    }
                    false => output::note("there is nothing to prove: no proof was written"),
                }
                return Ok(());
            }
        };
        let path = numbered(path, self.written + 1);
        let inputs = self.arguments.question.inputs();
        files::store(&path, &inputs, file.to_json().as_bytes())?;
        self.written += 1;
        if !quiet && path.as_os_str() != "-" {
            output::note(&format!("the proof is in {}", path.display()));
        }
        Ok(())
    }
}

/// Whether there is anything in the program that the property speaks of.
fn has_errors(about: &About<'_>) -> bool {
    !matches!(
        about,
        About::Runs(RunContext {
            property: Property::Unreachable { points, .. },
            ..
        }) if points.is_empty()
    )
}

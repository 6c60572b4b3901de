//! What a command writes besides its text: a log, trace files.

use std::cell::RefCell;

use recurva_report::sarif::{Answer, Level, Log, Plain, Rule};

use crate::{
    args::{CheckArguments, ReportFormat},
    exit::Exit,
    output::{self, Said},
    save::Saver,
    witness::Witnesses,
};

/// The outputs of one command.
pub(crate) struct Outputs<'a> {
    pub(crate) arguments: &'a CheckArguments,
    pub(crate) saver: Saver<'a>,
    pub(crate) log: RefCell<Log>,
    pub(crate) witnesses: Witnesses,
}

impl<'a> Outputs<'a> {
    /// Whatever is said from now on is part of the log, if there is to be one.
    pub(crate) fn new(arguments: &'a CheckArguments) -> Self {
        if arguments.format == ReportFormat::Sarif {
            output::keep();
        }
        Outputs {
            arguments,
            saver: Saver::new(arguments),
            log: RefCell::new(Log::new(env!("CARGO_PKG_VERSION"))),
            witnesses: Witnesses::default(),
        }
    }

    /// Adds an outcome to the log that is not about a program.
    pub(crate) fn log_plain(&self, rule: Rule, property: &str, exit: Exit, text: &str) {
        self.log.borrow_mut().add_plain(&Plain {
            rule,
            property,
            model: &self.arguments.question.model.display().to_string(),
            answer: match exit {
                Exit::Holds => Answer::Holds,
                Exit::Violated => Answer::Violated,
                _ => Answer::Unknown,
            },
            text,
        });
    }

    /// Prints the log, if there is to be one.
    pub(crate) fn finish(self, exit: Exit) -> Exit {
        self.saver.finish(exit);
        if self.arguments.format == ReportFormat::Sarif && !self.arguments.question.quiet {
            let mut log = self.log.into_inner();
            for said in output::kept() {
                match said {
                    Said::Error(text) => log.notify(Level::Error, &text),
                    Said::Note(text) => log.notify(Level::Note, &text),
                    Said::Diagnostics(source, diagnostics) => {
                        log.add_diagnostics(&source, &diagnostics);
                    }
                }
            }
            let log = log.finish(exit.code());
            output::stdout_with(|out| {
                serde_json::to_writer_pretty(&mut *out, &log)?;
                out.write_all(b"\n")
            });
        }
        exit
    }
}

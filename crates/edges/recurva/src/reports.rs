//! Reports in the form that was asked for: text, JSON, or one SARIF log for all of them.

use recurva_check::{Answer, Context, Rejected, Said};
use recurva_report::{
    Detail, Layout,
    sarif::{Level, Log},
};

use crate::{
    exit::Exit,
    options::{CheckArguments, ReplayArguments, ReportFormat, Trace},
    output,
};

/// How reports look.
pub(crate) struct Report {
    pub(crate) format: ReportFormat,
    pub(crate) layout: Layout,
}

impl CheckArguments {
    /// How reports look.
    pub(crate) fn report(&self) -> Report {
        Report {
            format: self.format,
            layout: Layout {
                subformulas: self.subformulas,
                dropped: self.question.verbose,
                ..Layout::with_detail(detail(self.trace))
            },
        }
    }
}

impl ReplayArguments {
    /// How reports look.
    pub(crate) fn report(&self) -> Report {
        Report {
            format: self.format,
            layout: Layout {
                subformulas: self.subformulas,
                ..Layout::with_detail(detail(self.trace))
            },
        }
    }
}

fn detail(trace: Trace) -> Detail {
    match trace {
        Trace::Full => Detail::Full,
        Trace::Folded => Detail::Folded,
        Trace::Calls => Detail::Calls,
        Trace::None => Detail::None,
    }
}

/// The reports of one command.
pub(crate) struct Reports {
    format: ReportFormat,
    layout: Layout,
    quiet: bool,
    log: Log,
    /// How many have been printed.
    printed: usize,
}

impl Reports {
    /// Whatever is said from now on is part of the log, if there is to be one.
    pub(crate) fn new(report: &Report, quiet: bool) -> Self {
        if report.format == ReportFormat::Sarif {
            output::keep();
        }
        Reports {
            format: report.format,
            layout: report.layout,
            quiet,
            log: Log::new(env!("CARGO_PKG_VERSION")),
            printed: 0,
        }
    }

    /// Reports an answer. On an error everything has been said.
    pub(crate) fn add(&mut self, context: &Context<'_>, answer: &Answer<'_>) -> Result<(), Exit> {
        if self.quiet {
            return Ok(());
        }
        self.printed += 1;
        match self.format {
            ReportFormat::Sarif => {
                self.log.add(context, answer, self.layout);
                Ok(())
            }
            ReportFormat::Json => {
                let layout = self.layout;
                output::report(|out| recurva_report::json(out, context, answer, layout))
            }
            ReportFormat::Text => {
                let before = if self.printed > 1 { "\n" } else { "" };
                let text = recurva_report::text(context, answer, self.layout);
                output::report(|out| write!(out, "{before}{text}"))
            }
        }
    }

    /// Reports why a saved run shows nothing. On an error everything has been said.
    pub(crate) fn add_rejected(
        &mut self,
        context: &Context<'_>,
        rejected: &Rejected,
    ) -> Result<(), Exit> {
        if self.quiet {
            return Ok(());
        }
        let text = match self.format {
            ReportFormat::Sarif => {
                self.log.add_rejected(context, rejected);
                return Ok(());
            }
            ReportFormat::Text => recurva_report::rejected_text(context, rejected),
            ReportFormat::Json => recurva_report::rejected_json(context, rejected),
        };
        output::report(|out| out.write_all(text.as_bytes()))
    }

    /// Prints the log, if there is to be one; how the command ends.
    pub(crate) fn finish(mut self, exit: Exit) -> Exit {
        if self.format != ReportFormat::Sarif || self.quiet {
            return exit;
        }
        for said in output::kept() {
            let with = |text: String, help: Option<String>| match help {
                Some(help) => format!("{text}\nhelp: {help}"),
                None => text,
            };
            match said {
                Said::Text(source, diagnostics) => self.log.add_diagnostics(&source, &diagnostics),
                Said::Error { text, help } => self.log.notify(Level::Error, &with(text, help)),
                Said::Note { text, help } => self.log.notify(Level::Note, &with(text, help)),
                Said::Detail(text) => self.log.notify(Level::Note, &text),
            }
        }
        let log = self.log.finish(exit.code());
        let printed = output::report(|out| {
            serde_json::to_writer_pretty(&mut *out, &log)?;
            out.write_all(b"\n")
        });
        printed.err().unwrap_or(exit)
    }
}

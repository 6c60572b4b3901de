//! Reports in the form that was asked for: text, JSON, or one SARIF log for all of them.

use recurva_check::{Answer, Context, Rejected, Said};
use recurva_process::{Exit, output};
use recurva_report::{
    Detail, Layout,
    sarif::{Level, Log},
};

use crate::options::{CheckArguments, ReplayArguments, ReportFormat, Trace};

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

/// How reports look with so much of a run.
pub(crate) fn layout(trace: Trace) -> Layout {
    Layout::with_detail(detail(trace))
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

    /// Reports an answer.
    pub(crate) fn add(&mut self, context: &Context<'_>, answer: &Answer<'_>) {
        if self.quiet {
            return;
        }
        self.printed += 1;
        let layout = self.layout;
        match self.format {
            ReportFormat::Sarif => self.log.add(context, answer, layout),
            ReportFormat::Json => {
                output::stdout_with(|out| recurva_report::json(out, context, answer, layout));
            }
            ReportFormat::Text => {
                let before = if self.printed > 1 { "\n" } else { "" };
                let text = recurva_report::text(context, answer, layout);
                output::stdout(format!("{before}{text}").as_bytes());
            }
        }
    }

    /// Reports why evidence from a file shows nothing; `by` stands for the engine.
    pub(crate) fn add_rejected(
        &mut self,
        context: &Context<'_>,
        rejected: &Rejected,
        by: &'static str,
    ) {
        if self.quiet {
            return;
        }
        let text = match self.format {
            ReportFormat::Sarif => return self.log.add_refusal(context, rejected),
            ReportFormat::Text => recurva_report::rejected_text(context, rejected),
            ReportFormat::Json => recurva_report::rejected_json(context, rejected, by),
        };
        output::stdout(text.as_bytes());
    }

    /// Prints the log, if there is to be one, of a command that ends so.
    pub(crate) fn finish(mut self, exit: Exit) {
        if self.format != ReportFormat::Sarif || self.quiet {
            return;
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
        output::stdout_with(|out| {
            serde_json::to_writer_pretty(&mut *out, &log)?;
            out.write_all(b"\n")
        });
    }
}

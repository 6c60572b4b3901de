//! Reports in the form that was asked for: text, JSON, or one SARIF log for all of them.

use recurva_check::{Answer, Context, Rejected, Said};
use recurva_process::{Exit, output};
use recurva_report::{
    Detail, EntryRow, Layout,
    sarif::{Baseline, Level, Log, State},
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
    /// Of runs that begin at many functions: a line for each.
    rows: Vec<EntryRow>,
    baseline: Option<Baseline>,
}

/// What is said of an answer besides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Besides<'a> {
    /// The function where runs begin, if there are several such functions.
    pub(crate) entry: Option<&'a str>,
    /// That it is known from before, in a word.
    pub(crate) mark: Option<&'static str>,
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
            rows: Vec::new(),
            baseline: None,
        }
    }

    /// Compares with an earlier log.
    pub(crate) fn compared(mut self, baseline: Option<Baseline>) -> Self {
        self.baseline = baseline;
        self
    }

    /// Whether an answer is in the earlier log, if there is one.
    pub(crate) fn state(&self, context: &Context<'_>, answer: &Answer<'_>) -> Option<State> {
        let baseline = self.baseline.as_ref().filter(|_| !answer.holds())?;
        let fingerprint = recurva_report::fingerprint(context, answer);
        Some(baseline.state(&fingerprint, answer.is_violated()))
    }

    /// Reports an answer about runs that begin at one of several functions. As text, a violation is told in full.
    pub(crate) fn add_besides(
        &mut self,
        context: &Context<'_>,
        answer: &Answer<'_>,
        besides: Besides<'_>,
    ) {
        let is_text = self.format == ReportFormat::Text;
        let is_new = besides.mark.is_none() && answer.is_violated();
        if besides.entry.is_none() || !is_text || is_new {
            self.add(context, answer);
        }
        match (besides.entry, besides.mark) {
            (Some(entry), mark) => self.rows.push(EntryRow {
                mark,
                ..EntryRow::new(entry, context, answer)
            }),
            (None, Some(mark)) if is_text && !self.quiet => {
                output::stdout(format!("{mark}: it is in the baseline\n").as_bytes());
            }
            (None, _) => {}
        }
    }

    /// Reports that the program that begins at a function was not built.
    pub(crate) fn add_unread(&mut self, entry: &str, model: &str, why: &str) {
        if self.quiet {
            return;
        }
        match self.format {
            ReportFormat::Text => {}
            ReportFormat::Json => {
                let report = serde_json::json!({
                    "verdict": "unknown",
                    "summary": format!("unknown: {why} ({model})"),
                    "property": "",
                    "model": model,
                    "entry": entry,
                    "engine": "none",
                    "notes": [{ "text": why }],
                    "stats": { "states": 0, "path_edges": 0, "summaries": 0, "seconds": 0.0, "peak_bytes": 0 },
                    "evidence": null,
                });
                output::stdout(format!("{report}\n").as_bytes());
            }
            ReportFormat::Sarif => {
                self.log
                    .notify(Level::Note, &format!("unknown: {entry}: {why}"));
            }
        }
        self.rows.push(EntryRow {
            entry: entry.to_owned(),
            verdict: "unknown",
            what: why.to_owned(),
            mark: None,
            seconds: 0.0,
        });
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
        if self.quiet {
            return;
        }
        if self.format == ReportFormat::Text && !self.rows.is_empty() {
            let before = if self.printed > 0 { "\n" } else { "" };
            let table = recurva_report::entries_table(&self.rows);
            output::stdout(format!("{before}{table}").as_bytes());
        }
        if self.format != ReportFormat::Sarif {
            return;
        }
        if let Some(baseline) = &self.baseline {
            self.log.compare(baseline);
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

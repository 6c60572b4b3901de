//! Answers as a SARIF 2.1.0 log, for editors and code scanning.
//!
//! One log is for all that one command was asked. A violated property is a result of the level
//! `error` with a code flow, nested by calls; one that holds has the kind `pass`, one without an
//! answer the kind `open`. Mistakes in texts are results too; what has no place in a text is a
//! notification of the invocation.
//!
//! ```
//! use recurva_check::{Context, Options, Property, RunContext, check};
//! use recurva_lang::bp;
//! use recurva_report::{Layout, sarif::Log};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("model.bp", "void main() begin decl b; assert(b); end")?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//! let property = Property::own(&program);
//! let answer = check(&program, &property, &Options::default(), &mut ())?;
//! let context = Context::from(RunContext::new(&source, &program, &property));
//! let mut log = Log::new("0.1.0");
//! log.add(&context, &answer, Layout::default());
//! let log = log.finish(1);
//! assert_eq!(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod flow;
mod rules;
mod uri;

use std::collections::HashMap;

use recurva_check::{Answer, CRun, Context, Evidence, Rejected, RunContext, Verdict};
use recurva_evidence::Replayed;
use recurva_lang::provenance::Place;
use recurva_syntax::{Diagnostics, Severity, Source};
use serde_json::{Map, Value, json};

pub use baseline::{Baseline, State};
pub use rules::Rule;

use crate::{
    Detail, Layout,
    ending::{rejected_summary, why},
    fingerprint::fingerprint,
    found::shown_run,
    lines::{Lines, Region},
    strategy::write_strategy,
    text::head,
    verdict::failing,
    words::write_words,
};
use flow::Flow;
use uri::uri;

/// Where the published schema of the format is.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log that is being written.
#[derive(Debug)]
pub struct Log {
    version: String,
    results: Vec<Value>,
    notifications: Vec<Value>,
    files: Files,
}

/// The files that are spoken of, in the order of their first mention.
#[derive(Debug, Default)]
struct Files {
    names: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Files {
    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn location(&mut self, name: &str) -> Value {
        json!({ "uri": uri(name), "index": self.index(name) })
    }

    /// A place in a file; the file alone if there is none.
    fn physical(&mut self, file: &str, region: Option<&Region<'_>>) -> Value {
        let mut out = json!({ "artifactLocation": self.location(file) });
        if let Some(Region { start, end, .. }) = region {
            out["region"] = json!({
                "startLine": start.0,
                "startColumn": start.1,
                "endLine": end.0,
                "endColumn": end.1,
            });
        }
        out
    }

    /// A place in C.
    fn place(&mut self, place: &Place) -> Value {
        let mut region = json!({ "startLine": place.line });
        if let Some(column) = place.column {
            region["startColumn"] = column.into();
        }
        let mut out = json!({
            "physicalLocation": {
                "artifactLocation": self.location(&place.file),
                "region": region,
            },
        });
        if let Some(function) = &place.function {
            out["logicalLocations"] = json!([function_of(function)]);
        }
        out
    }
}

/// A procedure.
fn function_of(name: &str) -> Value {
    json!({ "name": name, "fullyQualifiedName": name, "kind": "function" })
}

/// The kind of a result.
#[derive(Clone, Copy)]
enum Kind {
    Pass,
    Fail,
    Open,
}

impl From<Verdict> for Kind {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Kind::Pass,
            Verdict::Violated => Kind::Fail,
            Verdict::Unknown(_) => Kind::Open,
        }
    }
}

/// The name of our fingerprints. They have another name once they are made in another way.
const FINGERPRINT: &str = "recurva/v1";

/// At most this many characters stand in a message.
const LONG: usize = 4000;

impl Log {
    /// An empty log of that version of the program.
    pub fn new(version: &str) -> Self {
        Log {
            version: version.to_owned(),
            results: Vec::new(),
            notifications: Vec::new(),
            files: Files::default(),
        }
    }

    /// Adds an answer. A run of a program is a code flow; what else shows a verdict is told in the
    /// message.
    pub fn add(&mut self, context: &Context<'_>, answer: &Answer<'_>, layout: Layout) {
        let mut text = head(context, answer);
        let shown = shown_run(context, answer);
        if shown.is_none() {
            match &answer.evidence {
                Some(Evidence::Strategy(refutation)) => {
                    write_strategy(&mut text, context.source, refutation, layout);
                }
                Some(Evidence::Words(words)) => write_words(&mut text, words, layout),
                _ => {}
            }
        }
        let mut text = text.trim_end().to_owned();
        if let Some((end, _)) = text.char_indices().nth(LONG) {
            text.truncate(end);
            text.push_str("…\n(The rest is left out.)");
        }
        let model = context.source.name();
        let mut result = self.result(Rule::of(context), model, answer.verdict.into(), &text);
        if let Some((run, replayed)) = shown {
            self.add_run(&mut result, (&run, replayed), answer.c_run.as_ref(), layout);
        }
        result["properties"] = json!({ "property": context.name, "engine": answer.engine });
        if let Some(entry) = context.entry {
            result["properties"]["entry"] = entry.into();
        }
        result["partialFingerprints"] = json!({ (FINGERPRINT): fingerprint(context, answer) });
        self.results.push(result);
    }

    /// Adds a run to the result that it shows.
    fn add_run(
        &mut self,
        result: &mut Value,
        (run, replayed): (&RunContext<'_>, &Replayed<'_>),
        c_run: Option<&CRun>,
        layout: Layout,
    ) {
        let lines = Lines::of(run);
        let failing = failing(run, replayed, &lines);
        let mut flow = Flow::new(&mut self.files, run, replayed, &lines, c_run);
        result["locations"] = json!([flow.location(failing.origin, &failing.what)]);
        if layout.detail != Detail::None {
            let (message, thread) = flow.thread(layout, &failing);
            result["codeFlows"] = json!([{
                "message": { "text": message },
                "threadFlows": [{ "locations": thread }],
            }]);
        }
        result["stacks"] = json!([flow.stack(failing.origin)]);
        let related = flow.into_related();
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
    }

    /// Adds why evidence from elsewhere shows nothing.
    pub fn add_refusal(&mut self, context: &Context<'_>, rejected: &Rejected) {
        let lines = Lines::in_context(context);
        let region = rejected.place.and_then(|place| lines.region(place));
        let file = region.map_or(context.source.name(), |region| region.file);
        let text = format!("{}\n{}", rejected_summary(context), why(context, rejected));
        let physical = self.files.physical(file, region.as_ref());
        let mut result = self.result(Rule::of(context), file, Kind::Open, &text);
        result["locations"][0]["physicalLocation"] = physical;
        self.results.push(result);
    }

    /// A result that is about a file as a whole.
    fn result(&mut self, rule: Rule, file: &str, kind: Kind, text: &str) -> Value {
        let (kind, level) = match kind {
            Kind::Pass => ("pass", "none"),
            Kind::Fail => ("fail", "error"),
            Kind::Open => ("open", "none"),
        };
        json!({
            "ruleId": rule.id(),
            "ruleIndex": rule.index(),
            "kind": kind,
            "level": level,
            "message": { "text": text },
            "locations": [{ "physicalLocation": self.files.physical(file, None) }],
        })
    }

    /// Adds what is wrong with a text.
    pub fn add_diagnostics(&mut self, source: &Source, diagnostics: &Diagnostics) {
        let lines = Lines::new(source);
        for diagnostic in diagnostics.iter() {
            let level = match diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let span = diagnostic.primary().span;
            let origin = recurva_model::Origin {
                start: span.start,
                end: span.end,
            };
            let region = lines.region(origin);
            let mut text = diagnostic.message().to_owned();
            for help in diagnostic.helps() {
                text += &format!("\nhelp: {help}");
            }
            self.results.push(json!({
                "ruleId": Rule::Input.id(),
                "ruleIndex": Rule::Input.index(),
                "kind": "fail",
                "level": level,
                "message": { "text": text },
                "locations": [{
                    "physicalLocation": self.files.physical(source.name(), region.as_ref()),
                }],
            }));
        }
    }

    /// Adds what was said that has no place in a text.
    pub fn notify(&mut self, level: Level, text: &str) {
        let level = match level {
            Level::Error => "error",
            Level::Note => "note",
        };
        self.notifications
            .push(json!({ "level": level, "message": { "text": text } }));
    }

    /// Says of each result whether it was known before, and adds those that are gone.
    pub fn compare(&mut self, baseline: &Baseline) {
        baseline.mark(&mut self.results);
    }

    /// The log of a command that ends with that exit code.
    pub fn finish(self, exit: u8) -> Value {
        let artifact = |name: &String| {
            json!({
                "location": { "uri": uri(name) },
                "roles": ["analysisTarget"],
                "encoding": "UTF-8",
            })
        };
        let artifacts: Vec<Value> = self.files.names.iter().map(artifact).collect();
        let mut invocation = Map::new();
        // A violation, or an answer that is not known, is what the program is there for.
        invocation.insert(
            "executionSuccessful".to_owned(),
            (exit <= 3 && exit != 2).into(),
        );
        invocation.insert("exitCode".to_owned(), exit.into());
        if !self.notifications.is_empty() {
            let list = self.notifications.into();
            invocation.insert("toolConfigurationNotifications".to_owned(), list);
        }
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "recurva",
                    "version": self.version,
                    "semanticVersion": self.version,
                    "rules": Rule::descriptors(),
                }},
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "artifacts": artifacts,
                "results": self.results,
            }],
        })
    }
}

/// How bad something is that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The command cannot go on.
    Error,
    /// A remark.
    Note,
}

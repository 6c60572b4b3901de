//! Outcomes as a SARIF 2.1.0 log, for editors and code scanning.
//!
//! One log is for all that one command was asked. A violated property is a result of the level
//! `error` with a code flow, nested by calls; one that holds has the kind `pass`, one without an
//! answer the kind `open`. Mistakes in texts are results too; what has no place in a text is a
//! notification of the invocation.
//!
//! ```
//! use recurva_check::{Options, Property, check};
//! use recurva_lang::bp;
//! use recurva_report::{Layout, Question, sarif::Log};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("model.bp", "void main() begin decl b; assert(b); end")?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//! let property = Property::own(&program);
//! let outcome = check(&program, &property, &Options::default(), &mut ())?;
//! let mut log = Log::new("0.1.0");
//! log.add(&Question::new(&source, &program, &property), &outcome, Layout::default());
//! let log = log.finish(1);
//! assert_eq!(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branching;
mod flow;
mod rules;
mod uri;

use std::collections::HashMap;

use recurva_check::{Outcome, Verdict};
use recurva_lang::provenance::Place;
use recurva_syntax::{Diagnostics, Severity, Source};
use serde_json::{Map, Value, json};

pub use rules::Rule;

use crate::{
    Detail, Layout, Question, Refusal,
    lines::{Lines, Region},
    text::{explain, unfinished},
    verdict::failing,
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

/// How a question was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The property holds.
    Holds,
    /// It does not.
    Violated,
    /// It is not known.
    Unknown,
}

/// The outcome of a question that is not about a program: its report is a text.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    /// What was asked.
    pub rule: Rule,
    /// The property in words.
    pub property: &'a str,
    /// The model.
    pub model: &'a str,
    /// The answer.
    pub answer: Answer,
    /// What there is to say about it.
    pub text: &'a str,
}

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

    /// Adds the outcome of a check.
    pub fn add(&mut self, question: &Question<'_>, outcome: &Outcome<'_>, layout: Layout) {
        let rule = Rule::of(question.property);
        let property = question.property.name();
        let model = question.source.name();
        let mut result = match &outcome.verdict {
            Verdict::Holds => {
                let said = format!("holds: {property}");
                self.answered(rule, model, Answer::Holds, &said)
            }
            Verdict::Unfinished(limit) => {
                let said = format!("violated: {property}\n{}", unfinished(*limit));
                self.answered(rule, model, Answer::Violated, &said)
            }
            Verdict::Unknown(limit) => {
                let why = explain(*limit, &outcome.stats);
                let said = format!("unknown: {property}\n{why}");
                self.answered(rule, model, Answer::Unknown, &said)
            }
            Verdict::Violated(violation) => {
                let lines = Lines::of(question);
                let replayed = &violation.replayed;
                let failing = failing(question, replayed, &lines);
                let said = format!("violated: {property}\n{}", failing.what);
                let mut result = self.answered(rule, model, Answer::Violated, &said);
                let mut flow = Flow::new(&mut self.files, question, replayed, &lines);
                let location = flow.location(failing.origin, &failing.what);
                result["locations"] = json!([location]);
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
                result
            }
        };
        result["properties"] = json!({ "property": property, "engine": outcome.engine });
        self.results.push(result);
    }

    /// Adds why a trace from elsewhere shows nothing.
    pub fn add_refusal(&mut self, question: &Question<'_>, refusal: &Refusal) {
        let property = question.property.name();
        let said = format!("not confirmed: {property}\n{}", refusal.why.what);
        let rule = Rule::of(question.property);
        let mut result = self.answered(rule, &refusal.why.file, Answer::Unknown, &said);
        if let Some(line) = refusal.why.line {
            result["locations"][0]["physicalLocation"]["region"] = json!({ "startLine": line });
        }
        self.results.push(result);
    }

    /// Adds an outcome that is not about a program.
    pub fn add_plain(&mut self, plain: &Plain<'_>) {
        let verdict = match plain.answer {
            Answer::Holds => "holds",
            Answer::Violated => "violated",
            Answer::Unknown => "unknown",
        };
        let said = format!("{verdict}: {}\n{}", plain.property, plain.text);
        let mut result = self.answered(plain.rule, plain.model, plain.answer, said.trim_end());
        result["properties"] = json!({ "property": plain.property });
        self.results.push(result);
    }

    /// A result that is about a file as a whole.
    fn answered(&mut self, rule: Rule, file: &str, answer: Answer, text: &str) -> Value {
        let (kind, level) = match answer {
            Answer::Holds => ("pass", "none"),
            Answer::Violated => ("fail", "error"),
            Answer::Unknown => ("open", "none"),
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

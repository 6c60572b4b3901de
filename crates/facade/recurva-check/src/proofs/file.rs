//! Proofs in files, with what was asked, so that it can be asked again.

use std::ops::ControlFlow;

pub use recurva_certificate::file::ProofFile;
use recurva_certificate::{
    check::{Rejected as Unproved, Why},
    file::{Header, ToolMark},
    text::ProgramNames,
};
use recurva_model::Point;
use recurva_syntax::Source;
use recurva_trace::{Options as SavedOptions, Question as SavedQuestion};
use serde_json::{Value, json};

use super::{Certified, Named, certified::certified, engines::Task, judges::Judges};
use crate::{Answer, AskedAgain, Evidence, FileMark, Options, Question, Refused, Rejected, Work};

/// What stands for the engine where a proof from a file was checked.
pub const VERIFY: &str = "verify";

/// Where a file keeps the ranks of loops, if the proof is about infinite runs: beside what was asked, as they
/// too say which program the formulas are about.
pub(crate) const RANKS: &str = "ranks";

/// What a proof in a file is a proof of.
#[derive(Debug)]
pub struct ProofQuestion {
    question: SavedQuestion,
    options: SavedOptions,
}

impl ProofQuestion {
    /// What a file says that was asked.
    ///
    /// # Errors
    ///
    /// If it does not say so in a way that can be read.
    pub fn of(file: &ProofFile) -> Result<Self, String> {
        let part = |name: &str| file.header.asked.get(name).cloned().unwrap_or(Value::Null);
        let wrong = |name: &str, cause: serde_json::Error| format!("asked.{name}: {cause}");
        let question = serde_json::from_value(part("question"));
        let options = serde_json::from_value(part("options"));
        Ok(ProofQuestion {
            question: question.map_err(|cause| wrong("question", cause))?,
            options: options.map_err(|cause| wrong("options", cause))?,
        })
    }

    /// The file that the property is in, if it is in one.
    pub fn spec(&self) -> Option<&FileMark> {
        AskedAgain::spec_of(&self.question)
    }

    /// The question, to be asked again. `spec` is the text of the file that its property is in.
    ///
    /// # Errors
    ///
    /// If there is a file of properties and none is needed, or the other way round.
    pub fn again(&self, spec: Option<&Source>) -> Result<AskedAgain, Refused> {
        AskedAgain::as_saved(&self.question, &self.options, spec)
    }
}

impl Question<'_> {
    /// The proof of an answer to this question as a file, if the answer has one. `version` is that of
    /// who writes it, `line` gives the lines of nodes.
    ///
    /// # Errors
    ///
    /// If a formula cannot be written down.
    pub fn proof_file(
        &self,
        answer: &Answer<'_>,
        options: &Options,
        version: &str,
        line: &dyn Fn(Point) -> Option<u32>,
    ) -> Option<Result<ProofFile, String>> {
        let Some(Evidence::Proof(certified)) = &answer.evidence else {
            return None;
        };
        let source = self.model().source();
        let mark = FileMark::of(source.name(), source.text());
        let tool = |name: &str, version: &str| ToolMark {
            name: name.to_owned(),
            version: version.to_owned(),
        };
        let mut tools = vec![tool("recurva", version)];
        let others = certified.solvers.iter().filter(|it| !it.version.is_empty());
        tools.extend(others.map(|it| tool(&it.name, &it.version)));
        let mut asked: serde_json::Map<String, Value> = [
            ("question".to_owned(), json!(self.asked)),
            ("options".to_owned(), json!(self.saved_options(options))),
        ]
        .into_iter()
        .collect();
        if let Some(ranks) = &certified.ranks {
            let saved: Vec<&Value> = ranks.iter().map(|it| &it.saved).collect();
            asked.insert(RANKS.to_owned(), json!(saved));
        }
        let header = Header {
            model: mark.name,
            sha256: mark.sha256,
            property: self.name().to_owned(),
            asked,
            tools,
        };
        let program = &certified.program;
        let names = ProgramNames::new(program);
        let file = ProofFile::of(header, program, &certified.proof, &names, line);
        Some(file.map_err(|cause| cause.to_string()))
    }
}

/// Checks a proof from a file with all solvers there are.
pub(crate) fn verify(
    task: &Task<'_>,
    file: &ProofFile,
    tell: &mut dyn FnMut(Work) -> ControlFlow<()>,
) -> Result<Certified, Rejected> {
    let names = ProgramNames::new(task.program);
    let proof = file
        .on(task.program, &names)
        .map_err(|cause| Rejected::new(format!("the proof does not fit the program: {cause}")))?;
    let mut judges = Judges::all(task.limits);
    let named = Named {
        names,
        is_integer: task.is_integer,
    };
    certified(task, proof, VERIFY, &mut judges, &named, tell).map_err(|unproved| Rejected {
        why: why(task, &unproved),
        place: Some(place(task, &unproved)).filter(|it| !it.is_none()),
    })
}

/// Why a proof was not accepted, in words.
pub(super) fn why(task: &Task<'_>, unproved: &Unproved) -> String {
    let what = unproved.obligation.describe(task.program);
    match &unproved.why {
        Why::Refuted(_) => format!("it does not follow that {what}"),
        Why::Unknown(cause) => format!("it could not be decided whether {what}: {cause}"),
        other => format!("it was not shown that {what}: {other}"),
    }
}

fn place(task: &Task<'_>, unproved: &Unproved) -> recurva_model::Origin {
    let point = unproved.obligation.to;
    let procedure = task.program.procedure(point.procedure);
    let nodes = procedure.nodes.get(point.node.index());
    nodes.map_or(procedure.origin, |it| it.origin)
}

//! Questions that have been read, ready to be answered.

use std::fmt::Debug;

use recurva_certificate::file::ProofFile;
use recurva_lang::provenance::Provenance;
use recurva_model::{Origin, Program};
use recurva_syntax::{Source, Span};
use recurva_trace::Question as SavedQuestion;

use crate::{
    Answer, InternalError, Model, Options, Property, QuestionKind, Refused, Watch,
    asked::Sort,
    options::{Engine, WorksOn},
    saved::SavedRun,
};

/// A question about a model.
#[derive(Debug)]
pub struct Question<'m> {
    pub(crate) model: &'m Model,
    pub(crate) name: String,
    pub(crate) kind: QuestionKind,
    /// How it was asked, so that it can be asked again.
    pub(crate) asked: SavedQuestion,
    /// Where it is declared in the file that it is of.
    pub(crate) declared: Option<Span>,
    pub(crate) ask: Box<dyn Ask + 'm>,
}

/// What is asked, behind the façade. There is one implementation for each kind of engine.
pub(crate) trait Ask: Debug {
    /// Answers.
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError>;

    /// What runs and strategies are about.
    fn about(&self) -> About<'_>;

    /// Whether it is about infinite runs; `None` if about no runs at all.
    fn is_infinite(&self) -> Option<bool>;

    /// Replays evidence from elsewhere.
    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected>;

    /// Checks a proof from elsewhere.
    fn verify<'q>(
        &'q self,
        _: &ProofFile,
        _: &Options,
        _: &mut dyn Watch,
    ) -> Result<Answer<'q>, Rejected> {
        Err(Rejected::new(
            "proofs are about C programs, and about errors that are not reached",
        ))
    }

    /// What answers depend on, if they can be used again: a hash of each program that may be searched, what is
    /// most likely to stay the same first.
    fn contents(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which of these the last answer was about.
    fn answered(&self) -> usize {
        0
    }

    /// The answer that it holds, for those who know that.
    fn known_to_hold(&self) -> Option<Answer<'_>> {
        None
    }

    /// Refuses an engine that does not know such questions, though it knows the model.
    fn fits(&self, _: Engine) -> Result<(), Refused> {
        Ok(())
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug)]
pub enum About<'a> {
    /// The runs of a program.
    Runs(RunContext<'a>),
    /// How a program or a machine branches.
    Branching {
        /// The program, if it is one.
        program: Option<&'a Program>,
    },
    /// A system of any size.
    System,
}

/// What reports of a run of a program are told.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    /// The text of the model.
    pub source: &'a Source,
    /// Further texts, whose places follow those of the model's: of other units, of a monitor that is
    /// part of the program.
    pub more: &'a [Source],
    /// The program.
    pub program: &'a Program,
    /// The property.
    pub property: &'a Property,
    /// Where the model's statements came from, if it was made from C.
    pub places: Option<&'a Provenance>,
}

impl<'a> RunContext<'a> {
    /// A property of a model.
    pub fn new(source: &'a Source, program: &'a Program, property: &'a Property) -> Self {
        RunContext {
            source,
            more: &[],
            program,
            property,
            places: None,
        }
    }
}

/// What a report is told of a question.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The property in words.
    pub name: String,
    /// The kind of question.
    pub kind: QuestionKind,
    /// The text of the model.
    pub source: &'a Source,
    /// What it is about.
    pub about: About<'a>,
    /// Whether it is about infinite runs; `None` if about no runs at all.
    pub infinite: Option<bool>,
    /// Of a C program: the function where runs begin, if that is not `main`.
    pub entry: Option<&'a str>,
}

impl<'a> From<RunContext<'a>> for Context<'a> {
    /// A property of a program, for those who made the property themselves.
    fn from(about: RunContext<'a>) -> Self {
        Context {
            name: about.property.name(),
            kind: about.property.kind(),
            source: about.source,
            infinite: Some(about.property.is_liveness()),
            entry: None,
            about: About::Runs(about),
        }
    }
}

/// Why a saved run does not show that a property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Why.
    pub why: String,
    /// Where in the model, if it is about a place.
    pub place: Option<Origin>,
}

impl Rejected {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Rejected {
            why: why.into(),
            place: None,
        }
    }
}

impl<'m> Question<'m> {
    /// The property in words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of question.
    pub fn kind(&self) -> QuestionKind {
        self.kind
    }

    /// The model that it is about.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where it is declared in the file that it is of, if it is of one.
    pub fn declared(&self) -> Option<Span> {
        self.declared
    }

    /// What a report is told of it.
    pub fn context(&self) -> Context<'_> {
        Context {
            name: self.name.clone(),
            kind: self.kind,
            source: self.model.source(),
            about: self.ask.about(),
            infinite: self.is_infinite(),
            entry: self.model.options().c.entry.as_deref(),
        }
    }

    /// Whether it is about infinite runs; `None` if about no runs at all.
    pub fn is_infinite(&self) -> Option<bool> {
        self.ask.is_infinite()
    }

    /// Refuses options that make no sense of it.
    ///
    /// # Errors
    ///
    /// What is wrong, and what to use instead.
    pub fn fits(&self, options: &Options) -> Result<(), Refused> {
        let sort = self.model.sort();
        if options.runs == crate::Runs::Stutter && matches!(sort, Sort::Machine | Sort::Pushdown) {
            return Err(Refused::error(
                "the runs of a machine do not stutter: only infinite ones count",
                "leave out --runs",
            ));
        }
        if !options.engine.knows(sort) {
            let known = Engine::ALL.iter().filter(|engine| engine.knows(sort));
            let known: Vec<&str> = known.map(|engine| engine.name()).collect();
            let what = match options.engine.works_on() {
                WorksOn::Systems => "systems of any size (.rmc and .json)",
                WorksOn::Machines => "flat machines (.rsm, .nsm and .pds)",
                WorksOn::C => "C programs",
                WorksOn::Programs | WorksOn::Anything => "programs and machines",
            };
            return Err(Refused::error(
                format!("the engine {} is for {what}", options.engine.name()),
                format!("for this model use {}", crate::words::either(&known)),
            ));
        }
        self.ask.fits(options.engine)
    }

    /// Answers it.
    ///
    /// # Errors
    ///
    /// A fault of the checker itself.
    pub fn answer(
        &self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'_>, InternalError> {
        self.ask.answer(options, watch)
    }

    /// Replays a run or a strategy that was kept in a file. Of the options only those count that
    /// say which runs are asked about.
    ///
    /// # Errors
    ///
    /// Why it does not show that the property is violated.
    pub fn replay(&self, run: &SavedRun, options: &Options) -> Result<Answer<'_>, Rejected> {
        self.ask.replay(run, options)
    }
}

impl Question<'_> {
    /// What answers depend on, if they can be used again for a question with the same contents: hashes, of which
    /// any is enough. None if it is not a question about errors of a C program.
    pub fn contents(&self) -> Vec<String> {
        self.ask.contents()
    }

    /// Which of its contents the last answer was about.
    pub fn answered(&self) -> usize {
        self.ask.answered()
    }

    /// The answer that it holds, for those who have found that out about a question with the same contents.
    pub fn known_to_hold(&self) -> Option<Answer<'_>> {
        self.ask.known_to_hold()
    }

    /// Checks a proof that was kept in a file.
    ///
    /// # Errors
    ///
    /// Why it does not show that the property holds.
    pub fn verify(
        &self,
        proof: &ProofFile,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'_>, Rejected> {
        self.ask.verify(proof, options, watch)
    }
}

impl Engine {
    /// Whether it can be asked about models of this sort at all.
    pub(crate) fn knows(self, sort: Sort) -> bool {
        match self.works_on() {
            WorksOn::Anything => true,
            WorksOn::Programs => sort != Sort::System,
            WorksOn::C => sort == Sort::C,
            WorksOn::Machines => matches!(sort, Sort::Machine | Sort::Pushdown),
            WorksOn::Systems => sort == Sort::System,
        }
    }
}

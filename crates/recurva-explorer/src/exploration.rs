//! A model, what was asked of it, and what came out.

use recurva_check::{
    Outcome, Property, Verdict,
    nested::{NestedOutcome, NestedVerdict, Ntmu},
};
use recurva_draw::machines;
use recurva_evidence::Replayed;
use recurva_model::{Program, semantics::Machine as Semantics};
use recurva_report::{
    Question as Asked,
    parts::{Lines, figures, message, nested_figures, nested_message},
};
use recurva_syntax::Source;

use crate::{
    document::{Document, Evidence, FreeState, NamedDrawing, Question},
    drawing::all_laid_out,
    free::{Free, FreeError},
    machine::machine,
    places::Texts,
    run::run,
    strategy::strategy,
};

/// A program to be explored.
#[derive(Clone, Copy, Debug)]
pub struct Exploration<'a> {
    /// The text of the model.
    pub source: &'a Source,
    /// The text of a monitor that is part of the model: its places follow those of the model's.
    pub monitor: Option<&'a Source>,
    /// The model.
    pub program: &'a Program,
}

/// A question and its answer.
#[derive(Debug)]
pub enum Answer<'a> {
    /// About runs.
    Runs(Property, Outcome<'a>),
    /// About branching.
    Branching(Ntmu, NestedOutcome<'a>),
}

impl<'a> Exploration<'a> {
    /// All that a page shows. With `stored` it can be explored freely without a server, near the
    /// start and along the runs.
    pub fn document(&self, command: &str, answers: &[Answer<'a>], stored: Stored) -> Document {
        let texts = Texts::new(self.source, self.monitor);
        let lines = Lines::with_monitor(self.source, self.monitor);
        let answers_with_runs = expand(answers);
        let questions = answers_with_runs.iter();
        let questions = questions.map(|answer| self.question(*answer, &lines, &texts));
        let questions = questions.collect();
        let free = match stored {
            Stored::No => None,
            Stored::Near => self.with_free(answers, |free| Some(free.table())),
        };
        Document {
            machine: Some(machine(self.program, &lines, &texts)),
            sources: texts.sources(),
            questions,
            free,
            ..Document::empty(self.source.name(), command)
        }
    }

    /// A state for free exploration, by its name (see `page/src/document.ts`). Whoever asks for many
    /// uses [`Self::with_free`].
    ///
    /// # Errors
    ///
    /// If there is no such state.
    pub fn free(&self, answers: &[Answer<'a>], picks: &str) -> Result<FreeState, FreeError> {
        self.with_free(answers, |free| free.state(picks))
    }

    /// Does something with all states of the program, which can begin along the answers' runs.
    pub fn with_free<T>(&self, answers: &[Answer<'a>], then: impl FnOnce(&Free<'_, 'a>) -> T) -> T {
        let lines = Lines::with_monitor(self.source, self.monitor);
        let semantics = Semantics::new(self.program);
        let runs = expand(answers).into_iter().map(replayed).collect();
        then(&Free::new(&semantics, &lines, runs))
    }

    fn question(&self, answer: One<'_, 'a>, lines: &Lines<'_>, texts: &Texts<'_>) -> Question {
        match answer {
            One::Runs(property, outcome) => {
                let asked = Asked {
                    monitor: self.monitor,
                    ..Asked::new(self.source, self.program, property)
                };
                let evidence = replayed(answer)
                    .map(|replayed| Evidence::Run(Box::new(run(&asked, replayed, texts))));
                Question {
                    property: property.name(),
                    verdict: match outcome.verdict {
                        Verdict::Holds => "holds",
                        Verdict::Violated(_) | Verdict::Unfinished(_) => "violated",
                        Verdict::Unknown(_) => "unknown",
                    },
                    message: message(&asked, outcome),
                    engine: outcome.engine.to_owned(),
                    stats: figures(&outcome.stats),
                    evidence,
                }
            }
            One::Branching(property, outcome) => {
                let (verdict, evidence) = match &outcome.verdict {
                    NestedVerdict::Holds => ("holds", None),
                    NestedVerdict::Violated(refutation) => {
                        let strategy = strategy(refutation, lines, texts);
                        ("violated", Some(Evidence::Strategy(strategy)))
                    }
                    NestedVerdict::Unfinished(_) => ("violated", None),
                    NestedVerdict::Unknown(_) => ("unknown", None),
                };
                Question {
                    property: property.name.to_string(),
                    verdict,
                    message: nested_message(outcome),
                    engine: "nested".to_owned(),
                    stats: nested_figures(&outcome.stats),
                    evidence,
                }
            }
        }
    }
}

/// Whether a document holds states for free exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// There is a server to ask.
    No,
    /// Those near the start and along the runs.
    Near,
}

/// One of the questions on the page.
#[derive(Clone, Copy)]
enum One<'x, 'a> {
    Runs(&'x Property, &'x Outcome<'a>),
    Branching(&'x Ntmu, &'x NestedOutcome<'a>),
}

/// The questions on the page: a formula about branching may come with a run to where it fails.
fn expand<'x, 'a>(answers: &'x [Answer<'a>]) -> Vec<One<'x, 'a>> {
    let mut all = Vec::new();
    for answer in answers {
        match answer {
            Answer::Runs(property, outcome) => all.push(One::Runs(property, outcome)),
            Answer::Branching(property, outcome) => {
                all.push(One::Branching(property, outcome));
                if let NestedVerdict::Violated(refutation) = &outcome.verdict
                    && let Some(run) = &refutation.run
                {
                    all.push(One::Runs(&run.0, &run.1));
                }
            }
        }
    }
    all
}

fn replayed<'x, 'a>(answer: One<'x, 'a>) -> Option<&'x Replayed<'a>> {
    match answer {
        One::Runs(_, outcome) => match &outcome.verdict {
            Verdict::Violated(violation) => Some(&violation.replayed),
            Verdict::Holds | Verdict::Unfinished(_) | Verdict::Unknown(_) => None,
        },
        One::Branching(..) => None,
    }
}

/// A nested state machine as a whole; `None` if it is too large to be drawn.
pub fn nested_drawing(nsm: &recurva_model::Nsm) -> Option<NamedDrawing> {
    Some(NamedDrawing {
        name: "machine".to_owned(),
        about: format!("{} states", nsm.states().len()),
        drawing: all_laid_out(&machines::nsm(nsm, ""))?,
    })
}

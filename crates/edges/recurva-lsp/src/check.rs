//! Checks that were asked for in the editor: each on a thread of its own.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use lsp_types::{DiagnosticRelatedInformation, Location, Url};
use recurva_check::{
    Answer, Limit, Limits, Model, Options, Progress, Question, ReadOptions, Said, Verdict, Watch,
};
use recurva_report::{Layout, Place};
use recurva_syntax::Span;

use crate::{
    ask::Ask,
    position::Encoding,
    text::{Content, Text},
};

/// A check to be carried out.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) model: (Url, Content),
    pub(crate) spec: Option<(Url, Content)>,
    pub(crate) ask: Ask,
    /// What all of it may take.
    pub(crate) limits: Limits,
    pub(crate) encoding: Encoding,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// The verdict in one line.
    pub(crate) summary: String,
    /// All there is to say.
    pub(crate) report: String,
    pub(crate) finding: Option<Finding>,
}

/// What a violation says about a place.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) location: Location,
    /// The steps of the run.
    pub(crate) steps: Vec<DiagnosticRelatedInformation>,
}

/// Tells a check to stop, and is told how far it is.
struct Watcher<'w> {
    cancelled: Arc<AtomicBool>,
    began: Instant,
    /// For reading the model and all questions together.
    time: Option<Duration>,
    due: Instant,
    tell: &'w mut dyn FnMut(String),
}

/// How often progress is told.
const TELL: Duration = Duration::from_millis(250);

impl Watch for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit> {
        let now = Instant::now();
        if now >= self.due {
            self.due = now + TELL;
            (self.tell)(
                match (&progress.explicit, &progress.symbolic, &progress.work) {
                    (Some(explicit), ..) => format!("{} states", explicit.states),
                    (None, _, Some(work)) => work.to_string(),
                    (None, Some(_), None) => format!("{} MB", progress.bytes() >> 20),
                    (None, None, None) => String::new(),
                },
            );
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(Limit::Interrupted);
        }
        match self.time.filter(|&time| now >= self.began + time) {
            Some(time) => ControlFlow::Break(Limit::Time(time)),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Carries a check out: the questions in order, up to the first that does not hold. What is wrong
/// with what was asked is an error.
pub(crate) fn run(
    order: Order,
    cancelled: Arc<AtomicBool>,
    tell: &mut dyn FnMut(String),
) -> Result<Outcome, String> {
    let began = Instant::now();
    let mut watcher = Watcher {
        cancelled,
        began,
        time: order.limits.time,
        due: began + TELL,
        tell,
    };
    let texts = Texts {
        model: order.model.1.read(order.model.0)?,
        spec: match order.spec {
            Some((uri, content)) => Some(content.read(uri)?),
            None => None,
        },
        encoding: order.encoding,
    };
    let (source, limits) = (texts.model.source.clone(), order.limits);
    let mut options = ReadOptions::default();
    options.c.entry.clone_from(&order.ask.entry);
    let model = Model::read(source, &options, limits, &mut watcher);
    let model = model.map_err(|refused| refused.first())?;
    let spec = texts.spec.as_ref().map(|text| text.source.clone());
    let questions = model.questions(&order.ask.asked(spec));
    let questions = questions.map_err(|refused| refused.first())?;
    let options = Options {
        limits,
        ..Options::default()
    };
    let mut last = None;
    let mut reports: Vec<String> = Vec::new();
    for question in &questions.list {
        let answer = question.answer(&options, &mut watcher);
        let answer = answer.map_err(|error| format!("internal error: {error}"))?;
        let context = question.context();
        reports.push(recurva_report::text(&context, &answer, Layout::default()));
        last = Some(Outcome {
            verdict: answer.verdict,
            summary: recurva_report::summary(&context, &answer),
            report: String::new(),
            finding: answer
                .is_violated()
                .then(|| texts.finding(question, &answer)),
        });
        if !answer.holds() {
            break;
        }
    }
    let nothing = || {
        let mut notes = questions.said.iter();
        let note = notes.find_map(|it| match it {
            Said::Note { text, .. } => Some(text.clone()),
            _ => None,
        });
        note.unwrap_or_else(|| "there is nothing to check".to_owned())
    };
    let outcome = last.ok_or_else(nothing)?;
    Ok(Outcome {
        report: reports.join("\n"),
        ..outcome
    })
}

/// The texts of a check.
struct Texts {
    model: Text,
    spec: Option<Text>,
    encoding: Encoding,
}

impl Texts {
    fn location(&self, place: Place) -> Location {
        match (place, &self.spec) {
            (Place::More(_, span), Some(spec)) => spec.location(span, self.encoding),
            (Place::Model(span) | Place::More(_, span), _) => {
                self.model.location(span, self.encoding)
            }
        }
    }

    /// A violation where the property is declared, or where the run ends.
    fn finding(&self, question: &Question<'_>, answer: &Answer<'_>) -> Finding {
        let context = question.context();
        let location = match question.declared() {
            Some(span) => {
                let text = self.spec.as_ref().unwrap_or(&self.model);
                text.location(span, self.encoding)
            }
            None => {
                let end = recurva_report::end(&context, answer);
                self.location(end.unwrap_or(Place::Model(Span::default())))
            }
        };
        let steps = recurva_report::steps(&context, answer);
        let related = steps.into_iter().map(|step| DiagnosticRelatedInformation {
            location: match step.place {
                Some(place) => self.location(place),
                None => location.clone(),
            },
            message: step.text,
        });
        Finding {
            steps: related.collect(),
            location,
        }
    }
}

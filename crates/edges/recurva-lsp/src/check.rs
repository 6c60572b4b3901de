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
    Limits, Options, Progress, Property, Runs, Verdict, Watch, nested, spec, spec::SpecFormat,
};
use recurva_lang::model::Model;
use recurva_model::{Origin, Program};
use recurva_pal::{lang as pal, weave};
use recurva_report::{Layout, NestedQuestion, Question};
use recurva_syntax::{Source, Span};

use crate::{
    analysis::{Content, monitor_names},
    ask::Ask,
    language::Language,
    loaded::{Branching, Loaded, Text, own, vocabulary},
    position::Encoding,
    regular, trace,
};

/// A check to be carried out.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) model: (Url, Content),
    pub(crate) spec: Option<(Url, Content)>,
    pub(crate) ask: Ask,
    pub(crate) limit: Duration,
    pub(crate) encoding: Encoding,
}

/// What a check says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Holds,
    Violated,
    Unknown,
}

impl Word {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Violated => "violated",
            Word::Unknown => "unknown",
        }
    }
}

/// The answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) word: Word,
    /// All there is to say; the first line is the verdict.
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
pub(crate) struct Watcher<'w> {
    pub(crate) cancelled: Arc<AtomicBool>,
    pub(crate) until: Instant,
    due: Instant,
    tell: &'w mut dyn FnMut(String),
}

/// How often progress is told.
const TELL: Duration = Duration::from_millis(250);

impl Watcher<'_> {
    /// Whether the check goes on; `progress` is only made when it is time to tell.
    pub(crate) fn look(&mut self, progress: impl FnOnce() -> String) -> ControlFlow<()> {
        let now = Instant::now();
        if now >= self.due {
            self.due = now + TELL;
            (self.tell)(progress());
        }
        match self.cancelled.load(Ordering::Relaxed) || now >= self.until {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Watch for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.look(|| match (&progress.explicit, &progress.symbolic) {
            (Some(explicit), _) => format!("{} states", explicit.states),
            (None, Some(_)) => format!("{} MB", progress.bytes() >> 20),
            (None, None) => String::new(),
        })
    }
}

/// Carries a check out. What is wrong with the question is an error.
pub(crate) fn run(
    order: Order,
    cancelled: Arc<AtomicBool>,
    tell: &mut dyn FnMut(String),
) -> Result<Answer, String> {
    let mut watcher = Watcher {
        cancelled,
        until: Instant::now() + order.limit,
        due: Instant::now() + TELL,
        tell,
    };
    let (uri, content) = order.model;
    let text = Text::new(uri.clone(), content.read()?)?;
    let format = match Language::of(&uri) {
        Some(Language::Model(format)) => format,
        Some(Language::Regular) => {
            let (ask, encoding) = (&order.ask, order.encoding);
            return regular::check(&text, ask, encoding, &mut watcher, order.limit);
        }
        _ => return Err(format!("{} is no model", text.source.name())),
    };
    let loaded = Loaded::new(text, format);
    let Some(model) = &loaded.model else {
        return Err(format!("{} has errors", loaded.text.source.name()));
    };
    let spec = match order.spec {
        Some((uri, content)) => Some(Text::new(uri, content.read()?)?),
        None => None,
    };
    let runs = match model.machine {
        Some(_) => Runs::Infinite,
        None => Runs::Stutter,
    };
    let options = Options {
        runs,
        limits: Limits {
            time: Some(order.limit),
            memory: None,
        },
        ..Options::default()
    };
    let check = Check {
        loaded: &loaded,
        model,
        spec: spec.as_ref(),
        ask: &order.ask,
        options,
        encoding: order.encoding,
    };
    check.run(&mut watcher)
}

struct Check<'c> {
    loaded: &'c Loaded,
    model: &'c Model,
    spec: Option<&'c Text>,
    ask: &'c Ask,
    options: Options,
    encoding: Encoding,
}

/// A program, and the text of the monitor that is part of it.
#[derive(Clone, Copy)]
struct Woven<'w> {
    program: &'w Program,
    monitor: Option<&'w Source>,
}

impl Check<'_> {
    /// The model without a monitor.
    fn plain(&self) -> Woven<'_> {
        Woven {
            program: &self.model.program,
            monitor: None,
        }
    }

    fn run(&self, watcher: &mut Watcher<'_>) -> Result<Answer, String> {
        let Some(spec) = self.spec else {
            let property = self.own()?;
            return self.ask(self.plain(), &property, None, watcher);
        };
        match Language::of(&spec.uri) {
            Some(Language::Ntmu) => self.branching(spec, watcher),
            Some(Language::Pal) => self.pal(spec, watcher),
            Some(Language::Ltl) => self.formula(spec, SpecFormat::Formulas, watcher),
            Some(Language::Caret) => self.formula(spec, SpecFormat::Caret, watcher),
            Some(Language::Monitors) => self.formula(spec, SpecFormat::Monitors, watcher),
            _ => Err(format!("{} has no properties", spec.source.name())),
        }
    }

    /// What is asked of the model itself.
    fn own(&self) -> Result<Property, String> {
        let program = &self.model.program;
        if self.ask.property.is_some() {
            return Err("a property is in a file: `spec` says in which".to_owned());
        }
        if self.ask.label.is_some() && self.ask.assertion.is_some() {
            return Err("a label or an assertion: one of them can be asked about".to_owned());
        }
        if let Some(label) = &self.ask.label {
            return Property::label(program, label).map_err(|cause| cause.to_string());
        }
        let Some(number) = self.ask.assertion else {
            return Ok(own(self.model));
        };
        let failure = program.failures().get(number);
        let failure = failure.ok_or_else(|| format!("there is no assertion {number}"))?;
        let source = &self.loaded.text.source;
        let (line, _) = source.line_column(failure.origin.start);
        Ok(Property::Unreachable {
            name: format!("the assertion in line {line} does not fail"),
            points: vec![failure.point],
        })
    }

    fn wanted(&self, name: &str) -> bool {
        self.ask.property.as_ref().is_none_or(|it| it == name)
    }

    fn missing(&self, spec: &Text) -> String {
        let wanted = self.ask.property.as_deref().unwrap_or_default();
        format!("there is no property `{wanted}` in {}", spec.source.name())
    }

    fn formula(
        &self,
        spec: &Text,
        format: SpecFormat,
        watcher: &mut Watcher<'_>,
    ) -> Result<Answer, String> {
        let program = &self.model.program;
        let reader = spec::Reader::new(program, vocabulary(self.model));
        let read = reader.read(&spec.source, format);
        let properties = read.properties.ok_or_else(|| wrong(spec))?;
        // A monitor may be two properties.
        let named = properties.iter().filter(|it| self.wanted(&it.name));
        let mut answers = Vec::new();
        for named in named {
            let place = declaration(spec, format, &named.name);
            let answer = self.ask(self.plain(), &named.property, place, watcher)?;
            let done = answer.word != Word::Holds;
            answers.push(answer);
            if done {
                break;
            }
        }
        answers.pop().ok_or_else(|| self.missing(spec))
    }

    fn pal(&self, spec: &Text, watcher: &mut Watcher<'_>) -> Result<Answer, String> {
        let monitor = pal::parse(&spec.source).monitor;
        let monitor = monitor.ok_or_else(|| wrong(spec))?;
        let base = self.loaded.text.source.end().end;
        let weaving = weave::weave(&self.model.program, &monitor, &spec.source, base);
        let woven = weaving.woven.ok_or_else(|| wrong(spec))?;
        let mut checks = woven.checks.into_iter().chain(woven.range);
        let check = checks.find(|it| self.wanted(&it.name));
        let check = check.ok_or_else(|| self.missing(spec))?;
        let property = Property::Unreachable {
            name: check.title,
            points: check.points,
        };
        let program = Woven {
            program: &woven.program,
            monitor: Some(&spec.source),
        };
        self.ask(program, &property, Some(check.place), watcher)
    }

    fn branching(&self, spec: &Text, watcher: &mut Watcher<'_>) -> Result<Answer, String> {
        let branching = Branching::of(self.model);
        let model = branching.model();
        let read = nested::Reader::new(model).file(&spec.source);
        let properties = read.properties.ok_or_else(|| wrong(spec))?;
        let named = properties.iter().find(|it| self.wanted(&it.name));
        let named = named.ok_or_else(|| self.missing(spec))?;
        let options = nested::NestedOptions {
            options: self.options,
            ..nested::NestedOptions::default()
        };
        let outcome = nested::check(&model, &named.property, &options, watcher);
        let outcome = outcome.map_err(|error| format!("internal error: {error}"))?;
        let question = NestedQuestion {
            source: &self.loaded.text.source,
            property: &named.property,
        };
        let program = self.model.machine.is_none().then_some(&self.model.program);
        let report = recurva_report::nested_text(&question, program, &outcome, Layout::default());
        let place = formula_place(spec, &named.name);
        let (word, steps) = match &outcome.verdict {
            nested::NestedVerdict::Holds => (Word::Holds, Vec::new()),
            nested::NestedVerdict::Unknown(_) => (Word::Unknown, Vec::new()),
            nested::NestedVerdict::Unfinished(_) => (Word::Violated, Vec::new()),
            nested::NestedVerdict::Violated(refutation) => {
                let run = refutation.run.as_deref();
                let steps = run.and_then(|(_, outcome)| match &outcome.verdict {
                    Verdict::Violated(violation) => Some(trace::steps(&violation.replayed)),
                    Verdict::Holds | Verdict::Unfinished(_) | Verdict::Unknown(_) => None,
                });
                (Word::Violated, steps.unwrap_or_default())
            }
        };
        let finding = (word == Word::Violated).then(|| Finding {
            location: self.location(spec, place.unwrap_or_default()),
            steps: self.related(&steps),
        });
        Ok(Answer {
            word,
            report,
            finding,
        })
    }

    /// Asks, and shows a violation at `place` of the file with the property, or where the run
    /// ends.
    fn ask(
        &self,
        woven: Woven<'_>,
        property: &Property,
        place: Option<Span>,
        watcher: &mut Watcher<'_>,
    ) -> Result<Answer, String> {
        let outcome = recurva_check::check(woven.program, property, &self.options, watcher);
        let outcome = outcome.map_err(|error| format!("internal error: {error}"))?;
        let question = Question {
            monitor: woven.monitor,
            ..Question::new(&self.loaded.text.source, woven.program, property)
        };
        let report = recurva_report::text(&question, &outcome, Layout::default());
        let (word, finding) = match &outcome.verdict {
            Verdict::Holds => (Word::Holds, None),
            Verdict::Unknown(_) => (Word::Unknown, None),
            Verdict::Unfinished(_) => {
                let location = self
                    .spec
                    .zip(place)
                    .map(|(spec, at)| self.location(spec, at));
                let finding = location.map(|location| Finding {
                    location,
                    steps: Vec::new(),
                });
                (Word::Violated, finding)
            }
            Verdict::Violated(violation) => {
                let steps = trace::steps(&violation.replayed);
                let location = match (self.spec, place) {
                    (Some(spec), Some(place)) => self.location(spec, place),
                    _ => self.locate(trace::end(&violation.replayed)),
                };
                let steps = self.related(&steps);
                (Word::Violated, Some(Finding { location, steps }))
            }
        };
        Ok(Answer {
            word,
            report,
            finding,
        })
    }

    fn location(&self, text: &Text, place: Span) -> Location {
        let range = text.lines.range(text.source.text(), place, self.encoding);
        Location::new(text.uri.clone(), range)
    }

    /// A place of a program: behind the end of the model's text it is one of a monitor's.
    fn locate(&self, origin: Origin) -> Location {
        let base = self.loaded.text.source.end().end;
        match self.spec {
            Some(spec) if origin.start >= base && origin.end > base => {
                let place = Span::new(origin.start - base, origin.end - base);
                self.location(spec, place)
            }
            _ => self.location(&self.loaded.text, Span::new(origin.start, origin.end)),
        }
    }

    fn related(&self, steps: &[trace::Step]) -> Vec<DiagnosticRelatedInformation> {
        let related = steps.iter().map(|step| DiagnosticRelatedInformation {
            location: self.locate(step.origin),
            message: step.text.clone(),
        });
        related.collect()
    }
}

fn wrong(spec: &Text) -> String {
    format!("{} has errors", spec.source.name())
}

/// Where a property is declared.
fn declaration(spec: &Text, format: SpecFormat, name: &str) -> Option<Span> {
    if format == SpecFormat::Monitors {
        let mut names = monitor_names(&spec.source).into_iter();
        return names.find(|&place| spec.source.slice(place) == name);
    }
    let parsed = match format {
        SpecFormat::Caret => recurva_logic::caret::parse_file(&spec.source),
        _ => recurva_logic::ltl::parse_file(&spec.source),
    };
    let mut formulas = parsed.formulas.into_iter().flatten();
    let found = formulas.find(|it| *it.name == *name);
    found.map(|it| it.place)
}

fn formula_place(spec: &Text, name: &str) -> Option<Span> {
    let parsed = recurva_logic::ntmu::parse_file(&spec.source);
    let mut formulas = parsed.formulas.into_iter().flatten();
    let found = formulas.find(|it| *it.name == *name);
    found.map(|it| it.place)
}

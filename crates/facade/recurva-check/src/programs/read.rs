//! The questions asked of a program.

use std::sync::Arc;

use recurva_logic::nta::{self, Automaton};
use recurva_model::{Origin, Program};
use recurva_pal::{lang, weave::weave};
use recurva_syntax::{Source, Span};
use recurva_trace::{FileMark, Question as SavedQuestion};

use super::{
    ProgramContent, Property, RunQuestion, Woven,
    spec::{Reader, Spec, SpecFormat},
};
use crate::{
    Asked, Model, Question, QuestionKind, Refused, Said,
    branching::{self, NtmuQuestion, Tree, TreeQuestion},
    question::Ask,
    words::suggestion,
};

/// Reads all that is asked, in order. Every mistake is said before anything is refused.
pub(super) fn questions<'m>(
    content: &'m ProgramContent,
    model: &'m Model,
    asked: &Asked,
    said: &mut Vec<Said>,
) -> Result<Vec<Question<'m>>, Refused> {
    let mut reading = Reading {
        content,
        model,
        asked,
        said: Vec::new(),
        list: Vec::new(),
    };
    reading.labels();
    reading.formulas();
    reading.assertion();
    reading.spec();
    if asked.kinds() == [QuestionKind::Own] && asked.assertion.is_none() {
        reading.own();
    }
    if reading.said.iter().any(Said::is_error) {
        return Err(Refused::Said(reading.said));
    }
    said.append(&mut reading.said);
    Ok(reading.list)
}

struct Reading<'m, 'a> {
    content: &'m ProgramContent,
    model: &'m Model,
    asked: &'a Asked,
    said: Vec<Said>,
    list: Vec<Question<'m>>,
}

/// A property of a file, before it is a question.
struct OfFile<'m> {
    /// Its name in the file.
    name: String,
    /// The property in words.
    words: String,
    place: Span,
    ask: Box<dyn Ask + 'm>,
}

impl<'m> Reading<'m, '_> {
    fn push(
        &mut self,
        (name, kind): (String, QuestionKind),
        asked: SavedQuestion,
        declared: Option<Span>,
        ask: Box<dyn Ask + 'm>,
    ) {
        self.list.push(Question {
            model: self.model,
            name,
            kind,
            asked,
            declared,
            ask,
        });
    }

    /// A property of the program itself.
    fn push_run(
        &mut self,
        property: Property,
        kind: QuestionKind,
        asked: SavedQuestion,
        declared: Option<Span>,
    ) {
        let name = property.name();
        let ask = RunQuestion::new(self.content, self.model, property);
        self.push((name, kind), asked, declared, Box::new(ask));
    }

    fn report(&mut self, source: &Source, diagnostics: recurva_syntax::Diagnostics) {
        if !diagnostics.is_empty() {
            self.said.push(Said::Text(source.clone(), diagnostics));
        }
    }

    fn labels(&mut self) {
        let program = &self.content.program;
        let reach = self.asked.reach.iter();
        let reach = reach.map(|label| (label, QuestionKind::Reach));
        let repeat = self.asked.repeat.iter();
        let repeat = repeat.map(|label| (label, QuestionKind::Repeat));
        for (label, kind) in reach.chain(repeat) {
            let (property, asked) = match kind {
                QuestionKind::Repeat => (
                    Property::repeat(program, label),
                    SavedQuestion::Repeat {
                        label: label.clone(),
                    },
                ),
                _ => (
                    Property::label(program, label),
                    SavedQuestion::Reach {
                        label: label.clone(),
                    },
                ),
            };
            match property {
                Ok(property) => self.push_run(property, kind, asked, None),
                // A stack symbol that never comes to the top is reached by no run.
                Err(_) if self.content.is_unseen(label) => {
                    let property = Property::Unreachable {
                        name: format!("label {label} is unreachable"),
                        points: Vec::new(),
                    };
                    self.push_run(property, kind, asked, None);
                }
                Err(error) => {
                    let near = suggest_label(program, label);
                    self.said.push(Said::error(error.to_string(), near));
                }
            }
        }
    }

    fn formulas(&mut self) {
        let reader = Reader::new(&self.content.program, self.content.vocabulary());
        let ltl = self.asked.ltl.iter();
        let caret = self.asked.caret.iter();
        let all = (ltl.map(|text| (text, QuestionKind::Ltl)))
            .chain(caret.map(|text| (text, QuestionKind::Caret)));
        for (text, kind) in all {
            let Some(source) = self.source(text) else {
                continue;
            };
            let formula = text.clone();
            let (spec, asked) = match kind {
                QuestionKind::Caret => (reader.caret(&source), SavedQuestion::Caret { formula }),
                _ => (reader.formula(&source), SavedQuestion::Ltl { formula }),
            };
            let Spec {
                properties,
                diagnostics,
            } = spec;
            self.report(&source, diagnostics);
            for named in properties.into_iter().flatten() {
                self.push_run(named.property, kind, asked.clone(), None);
            }
        }
        if self.asked.ntmu.is_empty() {
            return;
        }
        let reader = branching::Reader::new(self.content.subject());
        for text in &self.asked.ntmu {
            let Some(source) = self.source(text) else {
                continue;
            };
            let read = reader.formula(&source);
            self.report(&source, read.diagnostics);
            for named in read.properties.into_iter().flatten() {
                let asked = SavedQuestion::Ntmu {
                    formula: text.clone(),
                };
                let words = (named.property.name.clone(), QuestionKind::Ntmu);
                let ask = NtmuQuestion::new(self.content.subject(), named.property);
                self.push(words, asked, None, Box::new(ask));
            }
        }
    }

    /// A formula as a text of its own.
    fn source(&mut self, text: &str) -> Option<Source> {
        match Source::new("formula", text) {
            Ok(source) => Some(source),
            Err(cause) => {
                self.said.push(Said::error_if(cause.to_string(), None));
                None
            }
        }
    }

    fn assertion(&mut self) {
        let Some(number) = self.asked.assertion else {
            return;
        };
        let program = &self.content.program;
        let Some(failure) = program.failures().get(number) else {
            let text = format!("there is no assertion {number}");
            self.said.push(Said::error_if(text, None));
            return;
        };
        let (line, _) = self.model.source().line_column(failure.origin.start);
        let property = Property::Unreachable {
            name: format!("the assertion in line {line} does not fail"),
            points: vec![failure.point],
        };
        let asked = self.own_question();
        self.push_run(property, QuestionKind::Own, asked, None);
    }

    fn own_question(&self) -> SavedQuestion {
        SavedQuestion::Own {
            arithmetic: self.model.options().arithmetic,
        }
    }

    fn own(&mut self) {
        let program = &self.content.program;
        let property = match self.content.is_machine() {
            true => Property::accepting(program),
            false => Property::own(program),
        };
        let asked = self.own_question();
        self.push_run(property, QuestionKind::Own, asked, None);
    }

    fn spec(&mut self) {
        let asked = self.asked;
        let Some(source) = &asked.spec else {
            return;
        };
        let Some(kind) = QuestionKind::of_file(source.name()) else {
            return;
        };
        let found = match kind {
            QuestionKind::Pal => self.pal(source),
            QuestionKind::Ntmu => self.ntmu(source),
            QuestionKind::Tree => self.tree(source),
            _ => self.runs(source, kind),
        };
        let Some(mut found) = found else {
            return;
        };
        if let Some(wanted) = &asked.property {
            let names: Vec<String> = found.iter().map(|it| it.name.clone()).collect();
            found.retain(|it| it.name == *wanted);
            if found.is_empty() {
                let near = suggestion(wanted, names.iter().map(String::as_str), "properties");
                let text = format!("there is no property `{wanted}` in {}", source.name());
                self.said.push(Said::error(text, near));
            }
        }
        let file = FileMark::of(source.name(), source.text());
        for OfFile {
            name,
            words,
            place,
            ask,
        } in found
        {
            let file = file.clone();
            let asked = SavedQuestion::Spec { file, name };
            self.push((words, kind), asked, Some(place), ask);
        }
    }

    /// Monitors, formulas about runs, and automata.
    fn runs(&mut self, source: &Source, kind: QuestionKind) -> Option<Vec<OfFile<'m>>> {
        let format = match kind {
            QuestionKind::Monitor => SpecFormat::Monitors,
            QuestionKind::Caret => SpecFormat::Caret,
            QuestionKind::Automaton => SpecFormat::Automaton,
            _ => SpecFormat::Formulas,
        };
        let reader = Reader::new(&self.content.program, self.content.vocabulary());
        let read = reader.read(source, format);
        self.report(source, read.diagnostics);
        let of_file = |named: super::spec::Named| OfFile {
            name: named.name,
            words: named.property.name(),
            place: named.place,
            ask: Box::new(RunQuestion::new(self.content, self.model, named.property)),
        };
        Some(read.properties?.into_iter().map(of_file).collect())
    }

    fn ntmu(&mut self, source: &Source) -> Option<Vec<OfFile<'m>>> {
        let subject = self.content.subject();
        let read = branching::Reader::new(subject).file(source);
        self.report(source, read.diagnostics);
        let of_file = |named: branching::Named| OfFile {
            name: named.name,
            words: named.property.name.clone(),
            place: named.place,
            ask: Box::new(NtmuQuestion::new(subject, named.property)),
        };
        Some(read.properties?.into_iter().map(of_file).collect())
    }

    fn tree(&mut self, source: &Source) -> Option<Vec<OfFile<'m>>> {
        let parsed = nta::parse(source);
        let mut diagnostics = parsed.diagnostics;
        let automaton = match parsed.automaton {
            Some(Automaton::Alternating(automaton)) => automaton,
            Some(Automaton::Nondeterministic(_)) => {
                self.report(source, diagnostics);
                self.said.push(Said::error(
                    "the tree of a model has no order: only alternating automata accept it",
                    "`recurva empty` asks whether a nondeterministic automaton accepts any tree",
                ));
                return None;
            }
            None => {
                self.report(source, diagnostics);
                return None;
            }
        };
        let subject = self.content.subject();
        let reader = branching::Reader::new(subject);
        // Not `collect` at once: every proposition that is wrong is reported.
        let meanings: Vec<Option<branching::Meaning>> = (automaton.propositions().iter())
            .map(|(text, place)| reader.meaning(text, *place, &mut diagnostics))
            .collect();
        diagnostics.sort();
        self.report(source, diagnostics);
        let tree = Tree {
            name: source.name().to_owned(),
            automaton,
            meanings: meanings.into_iter().collect::<Option<_>>()?,
        };
        Some(vec![OfFile {
            name: source.name().to_owned(),
            words: format!("{} accepts the tree of the model", source.name()),
            place: Span::new(0, 0),
            ask: Box::new(TreeQuestion::new(subject, tree)),
        }])
    }

    /// A monitor that becomes part of the program: each of its guards is a question.
    fn pal(&mut self, source: &Source) -> Option<Vec<OfFile<'m>>> {
        let parsed = lang::parse(source);
        self.report(source, parsed.diagnostics);
        let monitor = parsed.monitor?;
        let more = self.content.more.iter();
        let base = self.model.source().end().end + more.map(|it| it.end().end).sum::<u32>();
        let weaving = weave(&self.content.program, &monitor, source, base);
        self.report(source, weaving.diagnostics);
        let woven = weaving.woven?;
        let mut silent = Vec::new();
        for (event, matched) in monitor.events.iter().zip(&woven.matched) {
            let steps = if *matched == 1 { "step" } else { "steps" };
            let text = format!("{} matches {matched} {steps}", event.title());
            self.said.push(Said::Detail(text));
            if *matched == 0 {
                let place = Origin {
                    start: base + event.span.start,
                    end: base + event.span.end,
                };
                silent.push((event.title(), place));
            }
        }
        let mut checks = woven.checks;
        checks.extend(woven.range);
        if checks.is_empty() {
            let text = "this monitor has no guard: there is nothing to violate";
            self.said.push(Said::note(text));
        }
        let whole = Arc::new(Woven {
            program: woven.program,
            more: self.content.more.iter().chain([source]).cloned().collect(),
            silent,
        });
        let of_file = |check: recurva_pal::weave::Check| {
            let property = Property::Unreachable {
                name: check.title.clone(),
                points: check.points,
            };
            OfFile {
                name: check.name,
                words: check.title,
                place: check.place,
                ask: Box::new(RunQuestion::woven(
                    self.content,
                    self.model,
                    Arc::clone(&whole),
                    property,
                )) as Box<dyn Ask + 'm>,
            }
        };
        Some(checks.into_iter().map(of_file).collect())
    }
}

fn suggest_label(program: &Program, wanted: &str) -> String {
    if !wanted.contains("::") {
        let names = program.labels().iter().map(|label| &*label.name);
        return suggestion(wanted, names, "labels");
    }
    let qualified: Vec<String> = (program.labels().iter())
        .map(|label| {
            let procedure = program.procedure(label.point.procedure);
            format!("{}::{}", procedure.name, label.name)
        })
        .collect();
    suggestion(wanted, qualified.iter().map(String::as_str), "labels")
}

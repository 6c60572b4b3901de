//! The properties of the software verification competition as questions.

use std::sync::Arc;

use recurva_cir::{Check, ErrorKind};
use recurva_cmodel::{Failure, Wanted};
use recurva_logic::ltl::{Formula, Formulas};
use recurva_syntax::Source;
use recurva_trace::{FileMark, Question as Saved};

use super::{
    CContent,
    ask::CQuestion,
    lowered::{Extent, Purpose},
    rule::Watched,
    task::{TaskProperty, properties},
};
use crate::{
    Asked, Ltl, Model, Property, Question, QuestionKind, Refused, Runs, Said, content::Content,
    watch::Clock, words::suggestion,
};

/// What the property is called that a program has no infinite run.
pub const TERMINATION: &str = "every run ends";

/// Reads the properties of files.
pub(super) struct OfFiles<'m, 'a, 'w> {
    pub(super) content: &'m CContent,
    pub(super) model: &'m Model,
    /// The questions so far.
    pub(super) list: &'a mut Vec<Question<'m>>,
    pub(super) said: &'a mut Vec<Said>,
    pub(super) clock: &'a mut Clock<'w>,
}

impl<'m> OfFiles<'m, '_, '_> {
    /// The properties of files, or only those of a name. What asks for something that is not decided
    /// here is left out if there are others, and that is said.
    pub(super) fn add(&mut self, files: &[&Source], wanted: Option<&str>) -> Result<(), Refused> {
        let mut names = Vec::new();
        for file in files {
            let found = match properties(file.text()) {
                Ok(found) => found,
                Err(line) if files.len() > 1 => {
                    let text = format!("{}: not decided: {line}", file.name());
                    self.said.push(Said::Detail(text));
                    continue;
                }
                Err(line) => {
                    return Err(Refused::error(
                        format!("{}: this is not decided: {line}", file.name()),
                        "known are unreach-call, no-overflow, valid-memsafety, valid-memcleanup, \
                         termination and formulas of LTL",
                    ));
                }
            };
            for property in found {
                let name = name(&property);
                if wanted.is_none_or(|wanted| wanted == name) {
                    let question = self.question(file, &property)?;
                    self.list.push(question);
                }
                names.push(name);
            }
        }
        match wanted.filter(|wanted| !names.iter().any(|name| name == wanted)) {
            Some(wanted) => Err(Refused::error(
                format!("there is no property `{wanted}`"),
                suggestion(wanted, names.iter().map(String::as_str), "properties"),
            )),
            None => Ok(()),
        }
    }

    fn question(
        &mut self,
        file: &Source,
        property: &TaskProperty,
    ) -> Result<Question<'m>, Refused> {
        let content = self.content;
        let asked = Saved::Spec {
            file: FileMark::of(file.name(), file.text()),
            name: name(property),
        };
        let checks: &[Check] = match property {
            TaskProperty::NoCall(_) => &[],
            TaskProperty::NoOverflow => &[Check::Overflow],
            TaskProperty::ValidFree => &[Check::Free],
            TaskProperty::ValidDeref => &[Check::Null, Check::Lifetime, Check::Bounds],
            TaskProperty::ValidMemtrack | TaskProperty::ValidMemcleanup => &[Check::Leak],
            TaskProperty::Termination => {
                return content.termination(self.model, QuestionKind::Task, asked, self.clock);
            }
            TaskProperty::Formula(formula) => return self.formula(formula, asked),
        };
        let purpose = Purpose {
            wanted: Wanted {
                checks: checks.to_vec(),
                ..Wanted::errors()
            },
            is_watched: false,
            has_classes: true,
            marks: Vec::new(),
            extent: Extent::Whole,
        };
        let program = Arc::new(content.lower(&purpose, self.clock)?);
        let counts = |kind: &Failure| match (kind, property) {
            (Failure::Error(ErrorKind::Call(found)), TaskProperty::NoCall(name)) => {
                **found == **name
            }
            (Failure::Check(found), _) => checks.contains(found),
            _ => false,
        };
        let errors = program.lowered.errors.iter();
        let points = errors.filter(|it| counts(&it.kind)).map(|it| it.point);
        let property = Property::Unreachable {
            name: in_words(property),
            points: points.collect(),
        };
        Ok(content.about(self.model, program, property, QuestionKind::Task, asked))
    }

    fn formula(&mut self, formula: &str, saved: Saved) -> Result<Question<'m>, Refused> {
        let asked = Asked {
            ltl: vec![formula.to_owned()],
            ..Asked::default()
        };
        let lowering = self.content.watched(self.clock)?;
        let mut found = lowering
            .content
            .questions(self.model, &asked, self.said, self.clock)?;
        let Some(question) = found.pop() else {
            return Err(Refused::Internal(
                "a formula that is no question".to_owned(),
            ));
        };
        let question = Question {
            asked: saved,
            kind: QuestionKind::Task,
            ..question
        };
        let program = Arc::clone(&lowering.program);
        Ok(CQuestion::around(
            question,
            Watched::Not(self.content),
            program,
        ))
    }
}

impl CContent {
    /// That there is no infinite run.
    pub(super) fn termination<'m>(
        &'m self,
        model: &'m Model,
        kind: QuestionKind,
        asked: Saved,
        clock: &mut Clock<'_>,
    ) -> Result<Question<'m>, Refused> {
        let purpose = Purpose {
            wanted: Wanted::errors(),
            is_watched: true,
            has_classes: false,
            marks: Vec::new(),
            extent: Extent::Whole,
        };
        let program = Arc::new(self.lower(&purpose, clock)?);
        let mut formulas = Formulas::new();
        let root = formulas.constant(false);
        let property = Property::Ltl(Ltl {
            name: TERMINATION.to_owned(),
            formula: Formula { formulas, root },
            guards: Vec::new(),
            positions: None,
        });
        let question = self.about(model, program, property, kind, asked);
        Ok(CQuestion::with_runs(question, Runs::Infinite))
    }
}

/// What the competition calls it.
fn name(property: &TaskProperty) -> String {
    match property {
        TaskProperty::NoCall(_) => "unreach-call",
        TaskProperty::NoOverflow => "no-overflow",
        TaskProperty::ValidFree => "valid-free",
        TaskProperty::ValidDeref => "valid-deref",
        TaskProperty::ValidMemtrack => "valid-memtrack",
        TaskProperty::ValidMemcleanup => "valid-memcleanup",
        TaskProperty::Termination => "termination",
        TaskProperty::Formula(_) => "ltl",
    }
    .to_owned()
}

fn in_words(property: &TaskProperty) -> String {
    match property {
        TaskProperty::NoCall(name) => format!("function {name} is never called"),
        TaskProperty::NoOverflow => "no signed overflow".to_owned(),
        TaskProperty::ValidFree => "no wrong free".to_owned(),
        TaskProperty::ValidDeref => {
            "no null pointer is used, no access out of bounds, no object is used that is gone"
                .to_owned()
        }
        TaskProperty::ValidMemtrack | TaskProperty::ValidMemcleanup => "no memory leak".to_owned(),
        TaskProperty::Termination => TERMINATION.to_owned(),
        TaskProperty::Formula(formula) => formula.clone(),
    }
}

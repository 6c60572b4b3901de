//! A toy format for tests, `.csv`: a finite automaton with an edge on each line, `from,letter,to`.
//! Runs begin in the first state; `accept` is a letter whose edges lead to where a run must not
//! come. It shows what a new format takes: this file, and one line in the registry.

use recurva_lang::model;
use recurva_syntax::{Diagnostic, Diagnostics, Index, Source, Span};

use super::{Format, Parsed};
use crate::{content::Content, programs::ProgramContent};

pub(super) static FORMAT: Format = Format {
    name: "finite automata",
    extension: "csv",
    keywords: &["accept"],
    takes_properties: true,
    read: |source, options, _| {
        let mut diagnostics = Diagnostics::default();
        let text = program(source, &mut diagnostics);
        let content = (!diagnostics.has_errors()).then(|| content(source, &text, options));
        Ok(Parsed {
            content: content.flatten(),
            diagnostics,
            said: Vec::new(),
        })
    },
    index: |_, _| Index::default(),
};

/// The automaton as a boolean program: a label for each state, a choice among its edges.
fn program(source: &Source, diagnostics: &mut Diagnostics) -> String {
    let mut states: Vec<&str> = Vec::new();
    let mut edges: Vec<(&str, &str, &str)> = Vec::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let span = Span::new(start, start + line.trim_end().len() as u32);
        start += line.len() as u32;
        match line.trim().split(',').collect::<Vec<_>>()[..] {
            [""] => {}
            [from, letter, to] => {
                states.extend([from, to]);
                edges.push((from, letter, to));
            }
            _ => diagnostics.report(|| {
                Diagnostic::error("an edge has three parts", span).help("from,letter,to")
            }),
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    states.retain(|state| {
        !seen.contains(state) && {
            seen.push(state);
            true
        }
    });
    let mut text = "void main() begin\n".to_owned();
    for state in states {
        let out = edges.iter().filter(|(from, ..)| *from == state);
        text += &format!("{state}: skip;\n");
        for (_, letter, to) in out {
            let target = match *letter {
                "accept" => "goto ERROR;".to_owned(),
                _ => format!("goto {to};"),
            };
            text += &format!("if (*) then {target} fi\n");
        }
        text += "assume(F);\n";
    }
    text + "ERROR: skip;\nend"
}

fn content(source: &Source, text: &str, options: &super::ReadOptions) -> Option<Box<dyn Content>> {
    let made = Source::new(source.name(), text).ok()?;
    let parsed = model::parse(&made, model::Format::Bp, &options.for_programs());
    let content = ProgramContent::new(source, parsed.model?, options);
    Some(Box::new(content))
}

#[cfg(test)]
mod tests {
    use crate::{Asked, Document, Format, Language, Limits, Model, Options, ReadOptions};
    use recurva_syntax::Source;
    use std::path::Path;

    const TEXT: &str = "a,x,b\nb,y,a\nb,accept,c\n";

    fn read(text: &str) -> Model {
        let source = Source::new("toy.csv", text).unwrap();
        Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).unwrap()
    }

    #[test]
    fn a_new_format_has_every_question_at_once() {
        let model = read(TEXT);
        let asked = Asked {
            reach: vec!["b".to_owned()],
            repeat: vec!["a".to_owned()],
            ltl: vec!["G F @a".to_owned()],
            caret: vec!["F_a @b".to_owned()],
            ntmu: vec!["EF @b".to_owned()],
            ..Asked::default()
        };
        let questions = model.questions(&asked).unwrap().list;
        let verdicts: Vec<&str> = (questions.iter())
            .map(|question| {
                let answer = question.answer(&Options::default(), &mut ()).unwrap();
                answer.verdict.word()
            })
            .collect();
        assert_eq!(
            verdicts,
            ["violated", "violated", "violated", "holds", "holds"]
        );
        let own = model.questions(&Asked::default()).unwrap().list;
        let answer = own[0].answer(&Options::default(), &mut ()).unwrap();
        assert!(answer.run().is_some(), "it comes to ERROR");
    }

    #[test]
    fn editors_and_messages_know_it() {
        let path = Path::new("toy.csv");
        assert_eq!(Format::of(path).unwrap().keywords, ["accept"]);
        let Some(Language::Model(format)) = Language::of(path) else {
            panic!("a model");
        };
        let wrong = Source::new("toy.csv", "a,b\n").unwrap();
        let document = Document::of_model(wrong, format, Limits::default(), &mut ());
        assert!(document.diagnostics.has_errors());
        assert!(Format::list().ends_with(".csv (finite automata)"));
    }
}

//! A model, what was asked of it, and what came out.

use recurva_check::{About, Answer, Context, Evidence as Found, Model, RunContext};
use recurva_draw as draw;
use recurva_model::{Program, semantics::Machine as Semantics};
use recurva_report::{
    figures, message,
    parts::{Lines, failing},
    summary,
};
use recurva_syntax::Source;

use crate::{
    c_run::c_run,
    document::{Document, Evidence, Machine, NamedDrawing, Note, Question},
    drawing::laid_out,
    free::{Free, SEARCHED, SEARCHED_TO_STORE, States},
    machine::machine,
    places::{Texts, source_text},
    run::run,
    strategy::strategy,
    words::words,
};

/// A model to be explored, with what is known of it.
#[derive(Debug)]
pub struct Exploration<'a> {
    model: &'a Model,
    /// The texts: the model's own, then those of monitors.
    sources: Vec<&'a Source>,
    /// The programs that the questions are about: one, or another with a monitor in it besides.
    programs: Vec<Part<'a>>,
    asked: Vec<Asked<'a>>,
}

/// A program with its texts.
#[derive(Debug)]
struct Part<'a> {
    program: &'a Program,
    lines: Lines<'a>,
    texts: Texts<'a>,
}

/// A question on the page.
#[derive(Debug)]
struct Asked<'a> {
    context: Context<'a>,
    answer: &'a Answer<'a>,
    /// Which of the programs it is about.
    program: Option<usize>,
}

/// Whether a document holds states for free exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// There is a server to ask.
    No,
    /// Those near the start and along the runs.
    Near,
}

impl<'a> Exploration<'a> {
    /// A model with answers to questions about it.
    pub fn new(model: &'a Model, answers: &'a [(Context<'a>, Answer<'a>)]) -> Self {
        let mut made = Exploration {
            model,
            sources: vec![model.source()],
            programs: Vec::new(),
            asked: Vec::new(),
        };
        for (context, answer) in answers {
            made.ask(context.clone(), answer);
            // A formula about branching may come with a run to where it fails.
            if let Some(Found::Strategy(refutation)) = &answer.evidence
                && let Some((property, answer)) = refutation.run.as_deref()
                && let About::Branching { program } = context.about
                && let Some(program) = program
            {
                let about = RunContext::new(context.source, program, property);
                made.ask(about.into(), answer);
            }
        }
        if let (true, Some(program)) = (made.programs.is_empty(), model.program()) {
            made.program(program, model.more());
        }
        made
    }

    fn ask(&mut self, context: Context<'a>, answer: &'a Answer<'a>) {
        let program = match context.about {
            About::Runs(about) => Some(self.program(about.program, about.more)),
            About::Branching { program } => {
                let program = program.or(self.model.program());
                program.map(|program| self.program(program, self.model.more()))
            }
            About::System => None,
        };
        self.asked.push(Asked {
            context,
            answer,
            program,
        });
    }

    /// The number of a program, which becomes part of the page.
    fn program(&mut self, program: &'a Program, more: &'a [Source]) -> usize {
        let mut known = self.programs.iter();
        if let Some(number) = known.position(|part| std::ptr::eq(part.program, program)) {
            return number;
        }
        let mut numbered = Vec::new();
        for text in more {
            let mut known = self.sources.iter();
            let number = known.position(|source| *source == text);
            let number = number.unwrap_or(self.sources.len());
            if number == self.sources.len() {
                self.sources.push(text);
            }
            numbered.push((number, text));
        }
        let source = self.model.source();
        self.programs.push(Part {
            program,
            lines: Lines::with_more(source, more),
            texts: Texts::new(source, &numbered),
        });
        self.programs.len() - 1
    }

    /// All that a page shows; `command` asks the same with a server. With `stored` it can be
    /// explored freely without one, near the start and along the runs.
    pub fn document(&self, command: &str, stored: Stored) -> Document {
        let whole = self.model.drawings();
        let whole = whole.iter().filter_map(|drawing| {
            let is_model = drawing.title == self.model.name();
            let name = if is_model { "machine" } else { &drawing.title };
            named(name.to_owned(), drawing)
        });
        let mut drawings: Vec<NamedDrawing> = whole.collect();
        let asked = self.asked.iter();
        let machines = self.programs.iter();
        let machines = machines.map(|part| machine(part.program, &part.lines, &part.texts));
        let mut machines: Vec<Machine> = machines.collect();
        let questions = asked.map(|asked| self.question(asked, &mut drawings, &mut machines));
        let questions = questions.collect();
        Document {
            sources: self.sources.iter().map(|it| source_text(it)).collect(),
            machines,
            drawings,
            questions,
            free: match (stored, self.programs.is_empty()) {
                (Stored::Near, false) => Some(self.states(SEARCHED_TO_STORE).table()),
                _ => None,
            },
            ..Document::empty(self.model.name(), command)
        }
    }

    /// All states of the programs, for free exploration. A model without a program has none.
    pub fn free(&self) -> Free<'_> {
        self.states(SEARCHED)
    }

    fn states(&self, searched: usize) -> Free<'_> {
        let programs = self.programs.iter().map(|part| States {
            machine: Semantics::new(part.program),
            lines: &part.lines,
            searched,
        });
        let runs = self.asked.iter();
        // The statements of a C program are not the steps of the program that stands for it.
        let runs = runs.map(|asked| match asked.answer.c_run {
            Some(_) => None,
            None => Some((asked.program?, asked.answer.run()?)),
        });
        Free {
            programs: programs.collect(),
            runs: runs.collect(),
        }
    }

    fn question(
        &self,
        asked: &Asked<'a>,
        drawings: &mut Vec<NamedDrawing>,
        machines: &mut Vec<Machine>,
    ) -> Question {
        let Asked {
            context, answer, ..
        } = asked;
        let part = asked.program.map(|number| &self.programs[number]);
        let mut drawing = None;
        let mut machine = asked.program;
        let of_c = match (&answer.evidence, context.about, part, &answer.c_run) {
            (Some(Found::Run(replayed)), About::Runs(about), Some(part), Some(run)) => {
                let failing = failing(&about, replayed, &part.lines);
                c_run(run, &failing, &part.lines, &part.texts)
            }
            _ => None,
        };
        let of_c = of_c.map(|(own, run)| {
            machine = Some(machines.len());
            machines.push(own);
            Evidence::Run(Box::new(run))
        });
        let evidence = of_c.or_else(|| match (&answer.evidence, context.about, part) {
            (Some(Found::Run(replayed)), About::Runs(about), Some(part)) => {
                let run = run(&about, replayed, &part.lines, &part.texts);
                Some(Evidence::Run(Box::new(run)))
            }
            (Some(Found::Strategy(refutation)), _, Some(part)) => {
                let strategy = strategy(refutation, &part.lines, &part.texts);
                Some(Evidence::Strategy(strategy))
            }
            (Some(Found::Words(found)), ..) => Some(Evidence::Words(words(found))),
            (Some(Found::Invariant(invariant)), ..) => {
                let name = format!("invariant for {}", context.name);
                if let Some(mut drawn) = named(name, &invariant.drawing) {
                    drawn.about = invariant.expression.clone().unwrap_or_default();
                    drawing = Some(drawings.len());
                    drawings.push(drawn);
                }
                None
            }
            _ => None,
        });
        let notes = answer.notes.iter().map(|note| Note {
            text: note.text.clone(),
            help: note.help.clone(),
            place: note.place.and_then(|place| match part {
                Some(part) => part.texts.place(place),
                None => Texts::new(self.model.source(), &[]).place(place),
            }),
        });
        Question {
            property: context.name.clone(),
            verdict: answer.verdict.word(),
            summary: summary(context, answer),
            message: message(context, answer),
            notes: notes.collect(),
            engine: answer.engine.to_owned(),
            stats: figures(answer),
            machine,
            drawing,
            evidence,
        }
    }
}

/// Expressions are left out where they are longer.
const EXPRESSION: usize = 400;

/// A drawing of the whole; `None` if it is too large to be laid out.
fn named(name: String, drawing: &draw::Drawing) -> Option<NamedDrawing> {
    let about = Some(&drawing.description);
    let about = about.filter(|text| text.chars().count() <= EXPRESSION);
    Some(NamedDrawing {
        name,
        about: about.cloned().unwrap_or_default(),
        drawing: laid_out(drawing)?,
    })
}

//! Models and evidence as drawings, with the text of statements.

mod run;
mod strategy;
mod words;

use recurva_check::{About, Answer, Context, Evidence, Model, Picture, Refused};
use recurva_draw::{
    Drawing,
    machines::{self, Texts},
};
use recurva_model::{EdgeId, Origin, ProcId, Program};
use recurva_syntax::Source;

use crate::{Layout, found::summary, lines::Lines, trace::branch};

impl Texts for Lines<'_> {
    fn line(&self, origin: Origin) -> Option<String> {
        self.label(origin)
    }

    fn edge(&self, program: &Program, procedure: ProcId, edge: EdgeId) -> String {
        let origin = program.edge(procedure, edge).origin;
        let text = self.excerpt(origin).unwrap_or_default();
        match branch(program, procedure, edge) {
            Some(truth) => format!("{text} ({truth})"),
            None => text,
        }
    }
}

/// A model of any kind; a program with its text.
///
/// # Errors
///
/// If there is no such picture of it.
pub fn draw_model(model: &Model, picture: Picture) -> Result<Drawing, Refused> {
    let drawing = model.drawing(picture)?;
    Ok(match (drawing, model.program()) {
        (Some(drawing), _) => drawing,
        (None, Some(program)) => draw_program(model.source(), model.more(), program),
        (None, None) => Drawing::default(),
    })
}

/// All procedures of a program; `more` are further texts whose places follow.
pub fn draw_program(source: &Source, more: &[Source], program: &Program) -> Drawing {
    let lines = Lines::with_more(source, more);
    machines::program(program, &lines, source.name())
}

/// What shows a verdict, if it can be drawn: a run with a row for each step, a strategy with a node
/// for each position, a row for each word, or the automaton of an invariant. What does not fit the
/// layout is left out, and that is said.
pub fn draw_evidence(
    context: &Context<'_>,
    answer: &Answer<'_>,
    layout: Layout,
) -> Option<Drawing> {
    let title = summary(context, answer);
    match answer.evidence.as_ref()? {
        Evidence::Run(replayed) => {
            let About::Runs(run) = &context.about else {
                return None;
            };
            Some(run::draw(
                run,
                replayed,
                answer.c_run.as_ref(),
                title,
                layout,
            ))
        }
        Evidence::Strategy(refutation) => {
            let lines = Lines::new(context.source);
            Some(strategy::draw(refutation, &lines, title, layout))
        }
        Evidence::Words(words) => Some(words::draw(words, title, layout)),
        Evidence::Invariant(invariant) => Some(invariant.drawing.clone()),
        Evidence::Proof(_) | Evidence::NoFairLoop(_) => None,
    }
}

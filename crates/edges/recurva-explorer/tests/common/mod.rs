//! Models that are read and answered as users do it.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};

use recurva_check::{
    Answer, Asked, Context, Engine, Limits, Model, Options, Question, ReadOptions, open,
};
use recurva_syntax::Source;

/// Reads a model from a text.
pub(crate) fn read(name: &str, text: &str) -> Model {
    let source = Source::new(name, text).expect("a short text");
    Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).expect("a right model")
}

/// A file of the repository.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join(name)
}

/// The text of a file of the repository.
pub(crate) fn source(name: &str) -> Source {
    open(&path(name)).expect("a file")
}

/// Reads a model of the repository.
pub(crate) fn model(name: &str) -> Model {
    let source = source(name);
    Model::read(source, &ReadOptions::default(), Limits::default(), &mut ()).expect("a right model")
}

/// The questions asked.
pub(crate) fn questions<'m>(model: &'m Model, asked: &Asked) -> Vec<Question<'m>> {
    model.questions(asked).expect("right questions").list
}

/// The answers to questions, as the explorer takes them.
pub(crate) fn answers<'q>(
    questions: &'q [Question<'_>],
    options: &Options,
) -> Vec<(Context<'q>, Answer<'q>)> {
    let answer = |question: &'q Question<'_>| {
        let answer = question.answer(options, &mut ()).expect("an answer");
        (question.context(), answer)
    };
    questions.iter().map(answer).collect()
}

/// The default options with the engine that finds short runs.
pub(crate) fn explicit() -> Options {
    Options {
        engine: Engine::Explicit,
        ..Options::default()
    }
}

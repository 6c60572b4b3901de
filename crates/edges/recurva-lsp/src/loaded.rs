//! Models, read for those who are about them.

use std::borrow::Cow;

use lsp_types::Url;
use recurva_check::{Property, nested, spec::Vocabulary};
use recurva_lang::model::{self, Format, Model};
use recurva_model::Nsm;
use recurva_syntax::{Index, Source};

use crate::position::Lines;

/// A text that has been read, and where its lines are.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) uri: Url,
    pub(crate) source: Source,
    pub(crate) lines: Lines,
}

impl Text {
    /// A text, or why it cannot be read.
    pub(crate) fn new(uri: Url, text: String) -> Result<Self, String> {
        let lines = Lines::new(&text);
        let source = Source::new(name(&uri), text).map_err(|cause| cause.to_string())?;
        Ok(Text { uri, source, lines })
    }
}

/// How messages call a document.
pub(crate) fn name(uri: &Url) -> String {
    let path = uri.to_file_path().ok();
    let name = path.as_deref().and_then(std::path::Path::file_name);
    name.map_or_else(|| uri.to_string(), |name| name.display().to_string())
}

/// A model that has been read.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) text: Text,
    pub(crate) model: Option<Model>,
    pub(crate) index: Index,
}

impl Loaded {
    pub(crate) fn new(text: Text, format: Format) -> Self {
        let options = model::Options::default();
        let parsed = model::parse(&text.source, format, &options);
        Loaded {
            index: model::index(&text.source, format, &options),
            model: parsed.model,
            text,
        }
    }
}

/// What properties of infinite runs of a model speak about.
pub(crate) fn vocabulary(model: &Model) -> Vocabulary<'_> {
    match &model.machine {
        None => Vocabulary::Program,
        Some(machine) => Vocabulary::Machine {
            positions: &machine.positions,
            vertices: machine.has_procedures.then_some(&machine.points),
        },
    }
}

/// The model's own property.
pub(crate) fn own(model: &Model) -> Property {
    match model.machine {
        Some(_) => Property::accepting(&model.program),
        None => Property::own(&model.program),
    }
}

/// A model as formulas of NT-µ see it.
pub(crate) enum Branching<'m> {
    Program(&'m Model),
    Machine(Cow<'m, Nsm>, nested::Starts),
}

impl<'m> Branching<'m> {
    pub(crate) fn of(model: &'m Model) -> Self {
        match &model.machine {
            None => Branching::Program(model),
            // A machine with several initial states gets one before them.
            Some(machine) => {
                let starts = match machine.rsm.init().len() {
                    1 => nested::Starts::Here,
                    _ => nested::Starts::Behind,
                };
                Branching::Machine(machine.nested(), starts)
            }
        }
    }

    pub(crate) fn model(&self) -> nested::Model<'_> {
        match self {
            Branching::Program(model) => nested::Model::Program(&model.program),
            Branching::Machine(nsm, starts) => nested::Model::Machine {
                nsm,
                starts: *starts,
            },
        }
    }
}

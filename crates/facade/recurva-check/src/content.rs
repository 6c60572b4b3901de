//! What a model is made of, behind the façade. There is one implementation for each kind of model.

use std::fmt::Debug;

use recurva_draw::Drawing;
use recurva_model::Program;
use recurva_syntax::{Source, Span};

use crate::{
    Asked, CFlow, CFlowKind, Contracts, Format, Model, Question, Refused, Said, Watch, asked::Sort,
    options::Options, watch::Clock,
};

/// What a model is made of.
pub(crate) trait Content: Debug + Send + Sync {
    /// What kind of thing it is.
    fn sort(&self) -> Sort;

    /// The questions asked. What else is to be said about them is added to `said`.
    fn questions<'m>(
        &'m self,
        model: &'m Model,
        asked: &Asked,
        said: &mut Vec<Said>,
        clock: &mut Clock<'_>,
    ) -> Result<Vec<Question<'m>>, Refused>;

    /// What can be asked of the text itself, and where.
    fn offers(&self, model: &Model) -> Vec<Offer>;

    /// Data flow over its functions, if it is a C program.
    fn flow(&self, _: CFlowKind) -> Option<Result<CFlow, Refused>> {
        None
    }

    /// What its annotations and a witness say, checked, if it is a C program.
    fn contracts(
        &self,
        _: Option<&Source>,
        _: &mut Clock<'_>,
    ) -> Option<Result<Contracts, Refused>> {
        None
    }

    /// How many clauses of annotations were found not to hold, or are not known to, when questions were
    /// asked.
    fn unshown_clauses(&self) -> usize {
        0
    }

    /// The program, if it is one or was made into one.
    fn program(&self) -> Option<&Program> {
        None
    }

    /// Texts that it was made from besides the model's own.
    fn more(&self) -> &[Source] {
        &[]
    }

    /// A drawing of it; `None` for a program, which is drawn with its text.
    fn drawing(&self, model: &Model, picture: Picture) -> Result<Option<Drawing>, Refused>;

    /// Drawings besides that of the program, for the explorer.
    fn drawings(&self, _: &Model) -> Vec<Drawing> {
        Vec::new()
    }

    /// The parts of it as regular expressions, each with its name.
    fn expressions(&self) -> Option<Vec<(String, String)>> {
        None
    }

    /// The model in another format.
    fn converted(
        &self,
        model: &Model,
        to: &Format,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Option<Converted>;
}

/// What is drawn of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    /// The model itself.
    #[default]
    Whole,
    /// Of a machine: its R-graph and its Erase relation, which tell how runs use the stack.
    Resources,
}

/// Something that can be asked about a place of a text.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Where.
    pub place: Span,
    /// What is offered: "check this assertion".
    pub title: &'static str,
    /// The question. The text of a file with properties is left out.
    pub asked: Asked,
    /// The name of the property, if it is one of a file.
    pub name: Option<String>,
    /// More about it, for those who look at its name.
    pub detail: String,
    /// Of C: the function where runs begin, if that is not `main`.
    pub entry: Option<String>,
}

/// A text in another format, or why there is none.
pub type Converted = Result<String, Refused>;

//! The syntax of a `.rsm` file.

use recurva_model::{Origin, rsm::Role};
use recurva_syntax::Span;

use crate::flat::Name;

/// A file. What could not be read has been reported and is left out.
#[derive(Debug, Default)]
pub(crate) struct File<'s> {
    pub(crate) components: Vec<Component<'s>>,
    pub(crate) init: Vec<Path<'s>>,
    pub(crate) accept: Vec<Path<'s>>,
    /// An `init` line could not be read: do not complain that there is none.
    pub(crate) init_broken: bool,
    /// A declaration could not be read: its names would be blamed on their users.
    pub(crate) incomplete: bool,
}

#[derive(Debug)]
pub(crate) struct Component<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) nodes: Vec<(Name<'s>, Role)>,
    /// Boxes and the names of what they stand for.
    pub(crate) boxes: Vec<(Name<'s>, Name<'s>)>,
    pub(crate) edges: Vec<Edge<'s>>,
    pub(crate) labels: Vec<(Path<'s>, Vec<Name<'s>>)>,
}

#[derive(Debug)]
pub(crate) struct Edge<'s> {
    pub(crate) from: Path<'s>,
    pub(crate) to: Path<'s>,
    pub(crate) letter: Option<Name<'s>>,
    pub(crate) origin: Origin,
}

/// Names with dots between them: at most three.
#[derive(Debug)]
pub(crate) struct Path<'s> {
    pub(crate) names: Vec<Name<'s>>,
    pub(crate) span: Span,
}

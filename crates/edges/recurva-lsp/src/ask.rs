//! What a check is asked for: the second argument of the command `recurva.check`.

use lsp_types::Url;
use recurva_check::{Asked, Offer};
use recurva_syntax::Source;
use serde::{Deserialize, Serialize};

/// The name of the command.
pub(crate) const COMMAND: &str = "recurva.check";

/// A question about a model. Without anything it is the model's own property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Ask {
    /// That a label, as `procedure::label`, is not reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// That an assertion does not fail: its place among those of the program, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) assertion: Option<usize>,
    /// The file with the property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spec: Option<Url>,
    /// The name of the property: of that file, or of a system of any size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) property: Option<String>,
    /// Of C: the function where runs begin, if that is not `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<String>,
}

impl Ask {
    /// What a lens asks, if it is one of a file with properties.
    pub(crate) fn new(offer: &Offer, spec: Option<&Url>) -> Self {
        let asked = &offer.asked;
        Ask {
            entry: offer.entry.clone(),
            label: asked.reach.first().cloned(),
            assertion: asked.assertion,
            spec: spec.cloned(),
            property: asked.property.clone(),
        }
    }

    /// The question, with the text of the file.
    pub(crate) fn asked(self, spec: Option<Source>) -> Asked {
        Asked {
            reach: self.label.into_iter().collect(),
            assertion: self.assertion,
            spec,
            property: self.property,
            ..Asked::default()
        }
    }
}

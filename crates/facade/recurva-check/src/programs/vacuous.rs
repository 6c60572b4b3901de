//! What a proof about runs says nothing about.

use recurva_model::Program;

use super::Property;
use crate::{Note, Options, Watch};

/// What should be known of a property that holds: that there is nothing to violate.
pub(super) fn notes(
    program: &Program,
    property: &Property,
    options: &Options,
    watch: &mut dyn Watch,
) -> Vec<Note> {
    let _ = (program, options, watch);
    match property {
        Property::Unreachable { points, .. } if points.is_empty() => vec![
            Note::new("there is nothing to violate")
                .help("ask a question with --reach LABEL, --ltl FORMULA or --spec FILE"),
        ],
        _ => Vec::new(),
    }
}

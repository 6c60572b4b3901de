//! What is asked of a flat machine when nothing is asked.

use std::path::Path;

use recurva_check::Property;
use recurva_lang::machine::Format;
use recurva_model::Program;

/// The model's own property: of a machine that nothing accepting is reached.
pub(crate) fn own_property(path: &Path, program: &Program) -> Property {
    match Format::of(path) {
        Some(_) => Property::accepting(program),
        None => Property::own(program),
    }
}

/// What is said of a model that has nothing to violate.
pub(crate) fn nothing_to_violate(path: &Path) -> &'static str {
    match Format::of(path) {
        Some(_) => {
            "the machine has neither an `accept` line nor a proposition ERROR or SLIC_ERROR: \
             there is nothing to reach"
        }
        None => {
            "the model has neither an assertion nor a label ERROR or SLIC_ERROR: \
             there is nothing to violate"
        }
    }
}

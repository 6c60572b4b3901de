//! What is asked of a flat machine when nothing is asked.

use recurva_check::Property;

use crate::load::Model;

/// The model's own property: of a machine that nothing accepting is reached.
pub(crate) fn own_property(model: &Model) -> Property {
    match model.is_machine() {
        true => Property::accepting(&model.program),
        false => Property::own(&model.program),
    }
}

/// What is said of a model that has nothing to violate.
pub(crate) fn nothing_to_violate(model: &Model) -> &'static str {
    match model.is_machine() {
        true => {
            "the machine has neither an `accept` line nor a proposition ERROR or SLIC_ERROR: \
             there is nothing to reach"
        }
        false => {
            "the model has neither an assertion nor a label ERROR or SLIC_ERROR: \
             there is nothing to violate"
        }
    }
}

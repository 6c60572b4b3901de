//! Recursive state machines, `.rsm`.

use recurva_lang::model;

use super::{Format, program};

pub(super) static FORMAT: Format = Format {
    name: "recursive state machines",
    extension: "rsm",
    takes_properties: true,
    keywords: &[],
    read: |source, options, _| program(source, options, model::Format::Rsm),
    index: |source, options| model::index(source, model::Format::Rsm, &options.for_programs()),
};

//! Nested state machines, `.nsm`.

use recurva_lang::model;

use super::{Format, program};

pub(super) static FORMAT: Format = Format {
    name: "nested state machines",
    extension: "nsm",
    takes_properties: true,
    keywords: &[],
    read: |source, options, _| program(source, options, model::Format::Nsm),
    index: |source, options| model::index(source, model::Format::Nsm, &options.for_programs()),
};

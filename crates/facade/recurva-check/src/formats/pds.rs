//! Pushdown systems, `.pds`.

use recurva_lang::model;

use super::{Format, program};

pub(super) static FORMAT: Format = Format {
    name: "pushdown systems",
    extension: "pds",
    takes_properties: true,
    keywords: &[],
    read: |source, options, _| program(source, options, model::Format::Pds),
    index: |source, options| model::index(source, model::Format::Pds, &options.for_programs()),
};

//! Systems of any size, `.rmc`.

use recurva_regular::lang;

use super::Format;
use crate::systems;

pub(super) static FORMAT: Format = Format {
    name: "systems of any size",
    extension: "rmc",
    takes_properties: false,
    keywords: &[
        "bad",
        "bool",
        "channel",
        "control",
        "counter",
        "fair",
        "initial",
        "live",
        "process",
        "rule",
        "system",
        "topology",
        "transition",
    ],
    read: |source, _, clock| systems::read(source, clock, lang::compile),
    index: |source, _| lang::index(source),
};

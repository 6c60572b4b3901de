//! Tasks of the software verification competition, `.yml`: a C program and what is asked of it.

use recurva_syntax::Index;

use super::Format;
use crate::c;

pub(super) static FORMAT: Format = Format {
    name: "tasks of the software verification competition",
    extension: "yml",
    takes_properties: false,
    keywords: &[],
    read: |source, options, clock| c::read_task(source, &options.for_c(), clock),
    index: |_, _| Index::default(),
};

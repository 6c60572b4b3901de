//! Boolean programs, `.bp`.

use recurva_lang::model;

use super::{Format, program};

pub(super) static FORMAT: Format = Format {
    name: "boolean programs",
    extension: "bp",
    takes_properties: true,
    keywords: KEYWORDS,
    read: |source, options, _| program(source, options, model::Format::Bp),
    index: |source, options| model::index(source, model::Format::Bp, &options.for_programs()),
};

const KEYWORDS: &[&str] = &[
    "abortif",
    "assert",
    "assume",
    "begin",
    "bool",
    "constrain",
    "dead",
    "decl",
    "do",
    "else",
    "elsif",
    "end",
    "enforce",
    "fi",
    "goto",
    "if",
    "int",
    "od",
    "print",
    "return",
    "schoose",
    "sint",
    "skip",
    "then",
    "void",
    "while",
];

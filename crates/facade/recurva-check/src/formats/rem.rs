//! Remopla, `.rem`.

use recurva_lang::model;

use super::{Format, program};

pub(super) static FORMAT: Format = Format {
    name: "Remopla",
    extension: "rem",
    takes_properties: true,
    keywords: KEYWORDS,
    read: |source, options, _| program(source, options, model::Format::Rem),
    index: |source, options| model::index(source, model::Format::Rem, &options.for_programs()),
};

const KEYWORDS: &[&str] = &[
    "bool", "break", "define", "do", "else", "false", "fi", "goto", "if", "init", "int", "module",
    "od", "return", "skip", "struct", "true", "undef", "void",
];

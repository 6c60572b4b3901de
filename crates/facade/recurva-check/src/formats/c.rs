//! C programs: `.c`, `.i` after preprocessing, and projects of many units.

use recurva_syntax::Index;

use super::Format;
use crate::c;

pub(super) static FORMAT: Format = Format {
    name: "C programs",
    extension: "c",
    takes_properties: true,
    keywords: KEYWORDS,
    read: |source, options, clock| c::read(source, &options.for_c(), clock),
    index: |_, _| Index::default(),
};

pub(super) static PREPROCESSED: Format = Format {
    name: "preprocessed C programs",
    extension: "i",
    ..FORMAT
};

pub(super) static PROJECT: Format = Format {
    name: "C projects",
    extension: "compile_commands.json",
    keywords: &[],
    read: |source, options, clock| c::read_project(source, &options.for_c(), clock),
    ..FORMAT
};

const KEYWORDS: &[&str] = &[
    "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "int", "long", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

//! C programs: `.c`, and `.i` after preprocessing.

use recurva_syntax::Index;

use super::Format;
use crate::c;

pub(super) static FORMAT: Format = Format {
    name: "C programs",
    extension: "c",
    takes_properties: true,
    keywords: KEYWORDS,
    read: |source, options, clock| c::read(source, &options.c, clock),
    index: |_, _| Index::default(),
};

pub(super) static PREPROCESSED: Format = Format {
    name: "preprocessed C programs",
    extension: "i",
    ..FORMAT
};

const KEYWORDS: &[&str] = &[
    "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "int", "long", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

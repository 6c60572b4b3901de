//! The languages that the server knows.

use std::path::Path;

use lsp_types::Url;
use recurva_lang::model::Format;

/// What a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// A model that becomes a program.
    Model(Format),
    /// A system of any size.
    Regular,
    /// Formulas of linear time.
    Ltl,
    /// Formulas of CaRet.
    Caret,
    /// Formulas of NT-µ.
    Ntmu,
    /// Monitors.
    Monitors,
    /// A monitor that becomes part of a program.
    Pal,
    /// An automaton on nested trees.
    Nta,
}

impl Language {
    /// The language of a document, by the extension of its name.
    pub(crate) fn of(uri: &Url) -> Option<Self> {
        Language::of_path(Path::new(uri.path()))
    }

    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        if let Some(format) = Format::of(path) {
            return Some(Language::Model(format));
        }
        Some(match path.extension()?.to_str()? {
            "rmc" => Language::Regular,
            "ltl" => Language::Ltl,
            "caret" => Language::Caret,
            "ntmu" => Language::Ntmu,
            "mon" => Language::Monitors,
            "pal" | "spc" => Language::Pal,
            "nta" => Language::Nta,
            _ => return None,
        })
    }

    /// Whether properties of other files can be about it.
    pub(crate) fn is_model(self) -> bool {
        matches!(self, Language::Model(_))
    }

    /// Whether it is about a model in another file.
    pub(crate) fn is_about_model(self) -> bool {
        matches!(
            self,
            Language::Ltl | Language::Caret | Language::Ntmu | Language::Monitors | Language::Pal
        )
    }

    /// Words with a meaning of their own, for completion.
    pub(crate) fn words(self) -> &'static [&'static str] {
        match self {
            Language::Model(Format::Bp) => &[
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
            ],
            Language::Model(Format::Rem) => &[
                "bool", "break", "define", "do", "else", "false", "fi", "goto", "if", "init",
                "int", "module", "od", "return", "skip", "struct", "true", "undef", "void",
            ],
            Language::Model(_) | Language::Nta => &[],
            Language::Regular => &[
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
            Language::Ltl | Language::Caret => &["in", "true", "false"],
            Language::Ntmu => &["def", "mu", "nu", "true", "false"],
            Language::Monitors => &["init", "monitor", "repeating", "target", "when"],
            Language::Pal => &[
                "action", "after", "before", "event", "global", "guard", "local", "monitor",
                "pattern",
            ],
        }
    }
}

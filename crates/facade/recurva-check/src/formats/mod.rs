//! The registry of model formats. A new format is a module here that makes a [`Content`] of a
//! text, and one line in [`FORMATS`]: every command, the explorer, the language server and the
//! reports have it at once.

mod bp;
mod c;
#[cfg(test)]
mod csv;
mod json;
mod nsm;
mod pds;
mod rem;
mod rmc;
mod rsm;
mod yml;

use std::{fmt, path::Path};

use recurva_lang::{bp::Dialect, model};
use recurva_model::rsm::Letters;
use recurva_syntax::{Diagnostics, Index, Source};

use crate::{
    CCheck, COptions, Limit, Said, content::Content, programs::ProgramContent, watch::Clock,
};

/// All formats, in the order in which they are listed for users.
pub static FORMATS: &[&Format] = &[
    &bp::FORMAT,
    &rem::FORMAT,
    &rsm::FORMAT,
    &nsm::FORMAT,
    &pds::FORMAT,
    &rmc::FORMAT,
    &json::FORMAT,
    &c::FORMAT,
    &c::PREPROCESSED,
    &yml::FORMAT,
    &c::PROJECT,
    #[cfg(test)]
    &csv::FORMAT,
];

/// A format of models.
pub struct Format {
    /// What users call models of this format, in the plural.
    pub name: &'static str,
    /// How the names of its files end, without the dot before it.
    pub extension: &'static str,
    /// Whether properties in other files can be about its models. Systems of any size have theirs
    /// in their own file.
    pub takes_properties: bool,
    /// Words with a meaning of their own, for editors.
    pub keywords: &'static [&'static str],
    /// Reads a text.
    pub(crate) read: fn(&Source, &ReadOptions, &mut Clock<'_>) -> Result<Parsed, Limit>,
    /// Where names are declared and used, as far as the text can be read.
    pub(crate) index: fn(&Source, &ReadOptions) -> Index,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.extension)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.extension == other.extension
    }
}

impl Eq for Format {}

/// What came of a text.
pub(crate) struct Parsed {
    /// The model; `None` if and only if there were errors.
    pub(crate) content: Option<Box<dyn Content>>,
    /// Errors and warnings in the order of the text.
    pub(crate) diagnostics: Diagnostics,
    /// What is to be said besides: about other texts, or about none.
    pub(crate) said: Vec<Said>,
}

/// How to read a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How `=` and `!=` bind in a boolean program.
    pub dialect: Dialect,
    /// Of a flat machine: whether formulas and automata are about the letters that a run reads.
    pub letters: bool,
    /// Whether division by zero and an index out of range are errors, too.
    pub arithmetic: bool,
    /// How C is read.
    pub c: COptions,
}

impl ReadOptions {
    /// What arithmetic must not do has its own names in C.
    pub(crate) fn for_c(&self) -> COptions {
        let mut options = self.c.clone();
        for check in [CCheck::Division, CCheck::Bounds] {
            if self.arithmetic && !options.checks.contains(&check) {
                options.checks.push(check);
            }
        }
        options
    }

    fn for_programs(&self) -> model::Options {
        model::Options {
            dialect: self.dialect,
            letters: match self.letters {
                true => Letters::Nodes,
                false => Letters::Dropped,
            },
        }
    }
}

impl Format {
    /// The format of a file, by the end of its name.
    pub fn of(path: &Path) -> Option<&'static Format> {
        let name = path.file_name()?.to_str()?;
        let fits = |format: &&Format| match name.strip_suffix(format.extension) {
            Some("") => format.extension.contains('.'),
            Some(before) => before.len() > 1 && before.ends_with('.'),
            None => false,
        };
        let fitting = FORMATS.iter().copied().filter(fits);
        fitting.max_by_key(|format| format.extension.len())
    }

    /// How the names of its files end, as users write it: `.bp`. A project's file has one name.
    pub fn ending(&self) -> String {
        match self.extension.contains('.') {
            true => self.extension.to_owned(),
            false => format!(".{}", self.extension),
        }
    }

    /// Whether its files are units of C programs.
    pub(crate) fn is_unit(&self) -> bool {
        matches!(self.extension, "c" | "i")
    }

    /// The formats as a user would list them: `.bp (boolean programs), …`.
    pub fn list() -> String {
        let mut out = String::new();
        for (at, format) in FORMATS.iter().enumerate() {
            let before = match at {
                0 => "",
                _ if at + 1 == FORMATS.len() => " and ",
                _ => ", ",
            };
            out += &format!("{before}{} ({})", format.ending(), format.name);
        }
        out
    }

    /// Where the names of a model are declared and used, as far as the text can be read.
    pub fn index(&self, source: &Source, options: &ReadOptions) -> Index {
        (self.index)(source, options)
    }
}

/// Reads a model that becomes a program.
fn program(source: &Source, options: &ReadOptions, format: model::Format) -> Result<Parsed, Limit> {
    let parsed = model::parse(source, format, &options.for_programs());
    let content = parsed
        .model
        .map(|model| Box::new(ProgramContent::new(source, model, options)) as Box<dyn Content>);
    Ok(Parsed {
        content,
        diagnostics: parsed.diagnostics,
        said: Vec::new(),
    })
}

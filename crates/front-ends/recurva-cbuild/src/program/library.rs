//! Models of the library, read when a program calls a function that it does not define.

use std::sync::LazyLock;

use recurva_cir::SourceText;
use rustc_hash::FxHashMap;

use super::Program;
use crate::{Library, unit::read_unit};

/// A file of models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
    /// Whether it only computes: no input, no output.
    pub(crate) is_computing: bool,
}

macro_rules! model {
    ($name:literal, $is_computing:literal) => {
        Model {
            name: $name,
            text: include_str!(concat!("../../library/", $name)),
            is_computing: $is_computing,
        }
    };
}

/// All models.
pub(crate) const MODELS: &[Model] = &[
    model!("ctype.c", true),
    model!("memory.c", true),
    model!("string.c", true),
    model!("search.c", true),
    model!("numbers.c", true),
    model!("sort.c", true),
    model!("allocate.c", true),
    model!("errno.c", true),
    model!("stdio.c", false),
    model!("print.c", false),
    model!("scan.c", false),
    model!("system.c", false),
];

/// The model that defines each name; each name is defined by one.
static DEFINED: LazyLock<FxHashMap<&str, &Model>> = LazyLock::new(|| {
    let names = |model: &'static Model| model.text.lines().filter_map(defined);
    let all = MODELS
        .iter()
        .flat_map(|model| names(model).map(move |name| (name, model)));
    all.collect()
});

impl Model {
    fn source(&self) -> SourceText {
        SourceText {
            name: format!("<library>/{}", self.name).into(),
            text: self.text.as_bytes().to_vec(),
            is_library: true,
        }
    }
}

/// The name that a line defines for all. Definitions begin their line with a type that is no
/// `static`, and the name is followed by `(`, `[`, `=` or `;`.
fn defined(line: &str) -> Option<&str> {
    let is_definition = line.starts_with(|it: char| it.is_ascii_alphabetic())
        && !["static", "typedef", "struct {", "extern", "enum"]
            .iter()
            .any(|word| line.starts_with(word))
        && (line.ends_with('{') || (line.ends_with(';') && !line.contains('(')));
    if !is_definition {
        return None;
    }
    let end = line.find(['(', '[', '=', ';'])?;
    let head = line[..end].trim_end();
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let start = head.rfind(|it: char| !is_part(it)).map_or(0, |it| it + 1);
    (start > 0).then(|| &head[start..])
}

impl Program<'_> {
    /// Reads the model of a function or a variable; whether there was one to read.
    pub(super) fn load_library(&mut self, name: &str) -> bool {
        let is_used = |model: &&Model| match self.options.library {
            Library::All => true,
            Library::Computing => model.is_computing,
            Library::None => false,
        };
        let Some(model) = DEFINED.get(name).copied().filter(is_used) else {
            return false;
        };
        if self.names.has_function(name) || self.names.has_object(name) {
            return false;
        }
        if !self.loaded_models.insert(model.name) {
            return false;
        }
        let source = model.source();
        match read_unit(&source, self.target) {
            Ok(unit) => {
                self.add(source, std::sync::Arc::new(unit));
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recurva_ctype::Target;

    #[test]
    fn names_have_one_model() {
        let names = MODELS
            .iter()
            .flat_map(|it| it.text.lines().filter_map(defined));
        let mut all: Vec<&str> = names.collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn models_can_be_read() {
        for model in MODELS {
            for target in [Target::lp64(), Target::ilp32()] {
                let unit = read_unit(&model.source(), target);
                let errors = unit.err().map(|errors| {
                    let messages = errors.iter().map(|it| it.message().to_owned());
                    messages.collect::<Vec<_>>()
                });
                assert_eq!(errors, None, "{}", model.name);
            }
        }
    }
}

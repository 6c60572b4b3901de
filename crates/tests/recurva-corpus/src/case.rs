//! The reader of the corpus: models with questions and known answers. The schema is in the
//! corpus's own README.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// One question with its answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique in the corpus.
    pub name: String,
    /// The model.
    pub model: PathBuf,
    /// The question: can this label be reached?
    pub reach: Option<String>,
    /// The question: does every infinite run satisfy this formula?
    pub ltl: Option<String>,
    /// The question: does every infinite run satisfy this formula of CaRet?
    pub caret: Option<String>,
    /// The question: does some run come to this label again and again?
    pub repeat: Option<String>,
    /// The question: does the tree of all runs satisfy this formula of NT-µ?
    pub ntmu: Option<String>,
    /// The question: what is in this file, a monitor, a formula or an automaton?
    pub spec: Option<PathBuf>,
    /// The question: the property of this name, in the file if there is one, or else of the model
    /// itself.
    pub property: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// How many steps the shortest counterexample has.
    pub shortest: Option<usize>,
    /// How `=` and `!=` are read.
    #[serde(default)]
    pub dialect: Dialect,
    /// Which infinite runs are asked about.
    #[serde(default)]
    pub stack: Stack,
    /// What counts as an infinite run; for machines always those that take steps for ever.
    #[serde(default)]
    pub runs: Runs,
    /// Whether formulas and automata are about the letters of a machine.
    #[serde(default)]
    pub letters: bool,
    /// Whether faults are errors.
    #[serde(default)]
    pub check_arithmetic: bool,
    /// Of a C program: what else is an error.
    #[serde(default)]
    pub check: Vec<String>,
    /// Of a C program: whether allocations may fail.
    #[serde(default)]
    pub malloc_may_fail: bool,
    /// Of a C program: the function where runs begin.
    pub entry: Option<String>,
    /// For the reader.
    pub note: Option<String>,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The property holds: a label, target, error or failure cannot be reached.
    Holds,
    /// It does not.
    Violated,
}

/// Which infinite runs are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stack {
    /// All.
    #[default]
    Any,
    /// Those whose stack stays bounded.
    Finite,
    /// Those whose stack does not.
    Diverging,
}

/// What counts as an infinite run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Runs {
    /// Also a run that returns from main.
    #[default]
    Stutter,
    /// Only one that takes steps for ever.
    Infinite,
}

/// How `=` and `!=` are read in a boolean program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// They bind weakest.
    #[default]
    Boppo,
    /// They bind tighter than `&`.
    Moped,
}

/// Why the corpus cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file is not as the schema says.
    #[error("{}: {reason}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// All cases of a corpus folder, file by file in the order of their names. The paths in them
/// are made relative to where `folder` is relative to.
pub fn load(folder: &Path) -> Result<Vec<Case>, CorpusError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| CorpusError::Read { path, source }
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
    files.sort();
    let mut cases = Vec::new();
    let mut names = BTreeSet::new();
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
        let schema = |reason| CorpusError::Schema {
            path: path.clone(),
            reason,
        };
        let file: File = toml::from_str(&text).map_err(|error| schema(error.to_string()))?;
        for mut case in file.case {
            let questions = [
                case.reach.is_some(),
                case.ltl.is_some(),
                case.caret.is_some(),
                case.repeat.is_some(),
                case.ntmu.is_some(),
                case.spec.is_some() || case.property.is_some(),
            ];
            if questions.iter().filter(|&&given| given).count() > 1 {
                return Err(schema(format!("{} asks more than one question", case.name)));
            }
            if !names.insert(case.name.clone()) {
                return Err(schema(format!("{} occurs twice", case.name)));
            }
            case.model = folder.join(&case.model);
            case.spec = case.spec.map(|spec| folder.join(spec));
            cases.push(case);
        }
    }
    Ok(cases)
}

//! `--witness`: violations of C programs, for their validators.

use std::{
    cell::{Cell, OnceCell},
    env, fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use recurva_evidence::Replayed;
use recurva_report::{
    Question,
    witness::{CFile, DataModel, NoWitness, Task, utc, witness},
};
use recurva_trace::sha256;

use crate::{
    args::{self, CheckArguments},
    exit::Exit,
    files::Output,
    load::Model,
    output,
    save::numbered,
};

/// What unreachable errors are called in the language of the competition.
const SPECIFICATION: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// Writes the witnesses of one command.
#[derive(Default)]
pub(crate) struct Witnesses {
    files: OnceCell<Vec<CFile>>,
    /// How many have been written.
    written: Cell<usize>,
}

impl Witnesses {
    /// Finds the C files of a model, if a witness is wanted. On an error everything has been said.
    pub(crate) fn prepare(&self, arguments: &CheckArguments, model: &Model) -> Result<(), Exit> {
        if arguments.witness.is_none() {
            return Ok(());
        }
        let mut names: Vec<&str> = Vec::new();
        for place in model.places.places() {
            if !names.contains(&&*place.file) {
                names.push(&place.file);
            }
        }
        if names.is_empty() {
            output::error("--witness: no statement of this model says where in C it came from");
            output::help(
                "comments such as `// file a.c line 7 column 3 function main` before statements do",
            );
            return Err(Exit::BadInput);
        }
        let files: Result<Vec<CFile>, Exit> = names
            .iter()
            .map(|name| find(arguments, name, names.len()))
            .collect();
        // Nothing was there before.
        let _ = self.files.set(files?);
        Ok(())
    }

    /// Writes a run, if that is wanted. On an error everything has been said.
    pub(crate) fn save(
        &self,
        arguments: &CheckArguments,
        question: &Question<'_>,
        replayed: &Replayed<'_>,
    ) -> Result<(), Exit> {
        let (Some(path), Some(files)) = (&arguments.witness, self.files.get()) else {
            return Ok(());
        };
        let task = Task {
            files,
            specification: SPECIFICATION,
            data_model: match arguments.data_model {
                args::DataModel::Ilp32 => DataModel::Ilp32,
                args::DataModel::Lp64 => DataModel::Lp64,
            },
            creation_time: &utc(now()),
            version: env!("CARGO_PKG_VERSION"),
        };
        let text = witness(question, replayed, &task).map_err(|cause| {
            output::error(&format!("no witness: {cause}"));
            if cause == NoWitness::NoPlace {
                output::help("put a comment such as `// file a.c line 7` before the statement");
            }
            Exit::BadInput
        })?;
        let number = self.written.get() + 1;
        let path = numbered(path, number);
        let out = Output::open(&path, &arguments.inputs())?;
        out.write(text.as_bytes())?;
        self.written.set(number);
        if !arguments.question.quiet && !out.is_stdout() {
            output::note(&format!("the witness is in {}", path.display()));
        }
        Ok(())
    }
}

/// Finds a C file: the one given, or one near the model.
fn find(arguments: &CheckArguments, name: &str, names: usize) -> Result<CFile, Exit> {
    let last = Path::new(name).file_name();
    let given = arguments.c_file.as_ref();
    let given = given.filter(|path| names == 1 || path.file_name() == last);
    let folder = arguments.question.model.parent().unwrap_or(Path::new(""));
    let near = [Some(name.as_ref()), last.map(Path::new)];
    let near = near.into_iter().flatten().map(|name| folder.join(name));
    let path: Option<PathBuf> = match given {
        Some(path) => Some(path.clone()),
        None => near.into_iter().find(|path| path.is_file()),
    };
    let missing = |cause: &str| {
        output::error(&format!("--witness: {cause}"));
        output::help("give the C file with --c-file FILE");
        Exit::BadInput
    };
    let path = path.ok_or_else(|| missing(&format!("{name} is not beside the model")))?;
    let shown = path.display().to_string();
    let bytes = fs::read(&path).map_err(|cause| missing(&format!("{shown}: {cause}")))?;
    Ok(CFile {
        named: name.to_owned(),
        path: shown,
        sha256: sha256(&bytes),
    })
}

/// The time in seconds since 1970; `SOURCE_DATE_EPOCH`, if that is set, so that the same command can
/// write the same file again.
fn now() -> u64 {
    let fixed = env::var("SOURCE_DATE_EPOCH").ok();
    let fixed = fixed.and_then(|seconds| seconds.parse().ok());
    fixed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0, |now| now.as_secs())
    })
}

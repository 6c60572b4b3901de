//! `--witness`: violations and proofs of C programs, for their validators.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use recurva_check::{About, Answer, Evidence, Question, RunContext};
use recurva_process::{Exit, files, output};
use recurva_report::witness::{
    CFile, DataModel, NoWitness, Task, correctness_witness, specification, utc, witness,
};
use recurva_trace::sha256;

use crate::{c, kept::numbered, options::CheckArguments};

/// Writes the witnesses of one command.
pub(crate) struct Witnesses<'a> {
    arguments: &'a CheckArguments,
    files: Vec<CFile>,
    /// How many have been written.
    written: usize,
}

impl<'a> Witnesses<'a> {
    /// Finds the C files of a model, if a witness is wanted. On an error everything has been said.
    pub(crate) fn new(
        arguments: &'a CheckArguments,
        questions: &[Question<'_>],
    ) -> Result<Self, Exit> {
        let mut witnesses = Witnesses {
            arguments,
            files: Vec::new(),
            written: 0,
        };
        if arguments.witness.is_none() {
            return Ok(witnesses);
        }
        let mut names: Vec<String> = Vec::new();
        for question in questions {
            let About::Runs(RunContext { places, .. }) = question.context().about else {
                continue;
            };
            for place in places.iter().flat_map(|places| places.places()) {
                if !names.iter().any(|name| **name == *place.file) {
                    names.push(place.file.to_string());
                }
            }
        }
        if names.is_empty() {
            output::error("--witness: no statement of this model says where in C it came from");
            output::help(
                "comments such as `// file a.c line 7 column 3 function main` before statements do",
            );
            return Err(Exit::BadInput);
        }
        for name in &names {
            witnesses.files.push(find(arguments, name, names.len())?);
        }
        Ok(witnesses)
    }

    /// Writes a run or a proof, if that is wanted. On an error everything has been said.
    pub(crate) fn write(
        &mut self,
        question: &Question<'_>,
        answer: &Answer<'_>,
    ) -> Result<(), Exit> {
        let Some(path) = &self.arguments.witness else {
            return Ok(());
        };
        let About::Runs(context) = question.context().about else {
            return Ok(());
        };
        let failure = answer.run().and_then(|replayed| {
            let point = replayed.end().top().point();
            let mut failures = context.program.failures().iter();
            failures.find(|it| it.point == point).map(|it| it.kind)
        });
        let entry = self.arguments.question.c.entry.first().map(String::as_str);
        let specification = specification(entry.unwrap_or("main"), failure);
        let task = Task {
            files: &self.files,
            specification: &specification,
            data_model: match self.arguments.question.c.data_model {
                Some(c::DataModel::Ilp32) => DataModel::Ilp32,
                Some(c::DataModel::Lp64) | None => DataModel::Lp64,
            },
            creation_time: &utc(now()),
            version: env!("CARGO_PKG_VERSION"),
        };
        let text = match (&answer.evidence, answer.run()) {
            (_, Some(replayed)) => witness(&context, replayed, answer.c_run.as_ref(), &task),
            (Some(Evidence::Proof(proof)), None) => correctness_witness(&context, proof, &task),
            _ => return Ok(()),
        };
        let text = text.map_err(|cause| {
            output::error(&format!("no witness: {cause}"));
            if cause == NoWitness::NoPlace {
                output::help("put a comment such as `// file a.c line 7` before the statement");
            }
            Exit::BadInput
        })?;
        let path = numbered(path, self.written + 1);
        let mut inputs = self.arguments.question.inputs();
        inputs.extend(self.files.iter().map(|file| Path::new(&file.path)));
        files::store(&path, &inputs, text.as_bytes())?;
        self.written += 1;
        if !self.arguments.question.quiet && path.as_os_str() != "-" {
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
    // A C program names its files as they were given.
    let near = near.chain([PathBuf::from(name)]);
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

//! The `verify` command: whether a proof in a file shows that a property holds, of the program as it is
//! now.

use std::path::PathBuf;

use clap::Args;
use recurva_check::{FileMark, Model, Options, ProofFile, ProofQuestion, Question, VERIFY, open};
use recurva_process::{
    Exit, Line,
    output::{self, Loudness},
};

use crate::{
    commands::replay::note_changes,
    limits::LimitArguments,
    options::{ReportFormat, Trace},
    reports::{Report, Reports},
    rules,
};

/// What `verify` is told.
#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// The program, which may have changed since.
    pub(crate) model: PathBuf,

    /// The proof.
    #[arg(value_name = "PROOF")]
    pub(crate) file: PathBuf,

    /// The file that the property is in, if it is not where it was.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The form of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// Print nothing but errors: the exit code is the answer.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The exit codes, for help.
pub(crate) const VERIFY_CODES: &str = "\
Exit codes:
  0    accepted: the proof shows that the property holds
  2    the input or the command line is wrong
  3    not accepted: it is no proof of this, or a limit was hit
  70   internal error";

/// Checks a proof; the exit code says whether it is one.
pub(crate) fn run(arguments: &VerifyArguments) -> Exit {
    let report = Report {
        format: arguments.format,
        layout: crate::reports::layout(Trace::None),
    };
    let mut reports = Reports::new(&report, arguments.quiet);
    let exit = verify(arguments, &mut reports).unwrap_or_else(|exit| exit);
    reports.finish(exit);
    exit
}

fn verify(arguments: &VerifyArguments, reports: &mut Reports) -> Result<Exit, Exit> {
    let loudness = Loudness {
        quiet: arguments.quiet,
        verbose: false,
    };
    let refused = |refused| output::refused(&refused, loudness);
    let wrong = |text: String| {
        output::error(&text);
        output::help("proofs are written by `recurva check PROGRAM.c --certificate FILE`");
        Exit::BadInput
    };
    let source = open(&arguments.file).map_err(refused)?;
    let in_file = |cause: String| wrong(format!("{}: {cause}", source.name()));
    let proof =
        ProofFile::read(source.text().as_bytes()).map_err(|cause| in_file(cause.to_string()))?;
    let asked = ProofQuestion::of(&proof).map_err(in_file)?;
    let named = asked.spec().map(|mark| PathBuf::from(&mark.name));
    let spec = arguments.spec.clone().or(named);
    let spec = spec
        .map(|path| rules::open_spec(&path))
        .transpose()
        .map_err(refused)?;
    let again = asked.again(spec.as_ref()).map_err(refused)?;
    let mut line = Line::new(arguments.quiet);
    let limits = arguments.limits.limits();
    let text = open(&arguments.model).map_err(refused)?;
    let model = Model::read(text, &again.read, limits, &mut line).map_err(refused)?;
    output::said(model.said(), loudness);
    let mark = FileMark {
        name: proof.header.model.clone(),
        sha256: proof.header.sha256.clone(),
    };
    let text = (model.source().text(), model.name());
    note_changes(&mark, text, "proof", arguments.quiet);
    let questions = model.questions_within(&again.asked, limits, &mut line);
    let questions = questions.map_err(refused)?;
    let question = picked(questions.list, &proof.header.property).ok_or_else(|| {
        output::error("the question of this proof cannot be asked of this program any more");
        Exit::BadInput
    })?;
    let options = Options {
        limits,
        ..again.options
    };
    let verified = question.verify(&proof, &options, &mut line);
    drop(line);
    match verified {
        Ok(answer) => {
            reports.add(&question.context(), &answer);
            Ok(Exit::Holds)
        }
        Err(rejected) => {
            reports.add_rejected(&question.context(), &rejected, VERIFY);
            Ok(Exit::Unknown)
        }
    }
}

/// The question that a proof is about: the one of that name, or the first one.
fn picked<'m>(questions: Vec<Question<'m>>, name: &str) -> Option<Question<'m>> {
    let position = questions.iter().position(|it| it.name() == name);
    questions.into_iter().nth(position.unwrap_or(0))
}

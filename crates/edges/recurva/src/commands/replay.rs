//! The `replay` command: what a trace file shows, on the model as it is now.

use std::path::{Path, PathBuf};

use recurva_check::{AskedAgain, FileMark, Model, Options, Question, REPLAY, TraceFile, open};
use recurva_process::{
    Exit, Line,
    output::{self, Loudness},
};

use crate::{limits::LimitArguments, options::ReplayArguments, reports::Reports, rules};

/// Replays a run or a strategy; the exit code says whether it is a violation.
pub(crate) fn run(arguments: &ReplayArguments) -> Exit {
    let mut reports = Reports::new(&arguments.report(), arguments.quiet);
    let exit = replay(arguments, &mut reports).unwrap_or_else(|exit| exit);
    reports.finish(exit);
    exit
}

fn replay(arguments: &ReplayArguments, reports: &mut Reports) -> Result<Exit, Exit> {
    let again = Again::open(&arguments.file, arguments.spec.as_deref(), arguments.quiet)?;
    let model = again.model(&arguments.model, arguments.limits)?;
    let question = again.question(&model, arguments.limits)?;
    match question.replay(&again.file.run, &again.options) {
        Ok(answer) => {
            reports.add(&question.context(), &answer);
            Ok(Exit::Violated)
        }
        Err(rejected) => {
            reports.add_rejected(&question.context(), &rejected, REPLAY);
            Ok(Exit::Unknown)
        }
    }
}

/// A trace file, and what it asks.
pub(crate) struct Again {
    pub(crate) file: TraceFile,
    pub(crate) options: Options,
    asked: AskedAgain,
    loudness: Loudness,
}

impl Again {
    /// Reads a trace file. `spec` is where the property is now, if it has moved. On an error
    /// everything has been said.
    pub(crate) fn open(path: &Path, spec: Option<&Path>, quiet: bool) -> Result<Self, Exit> {
        let loudness = Loudness {
            quiet,
            verbose: false,
        };
        let refused = |refused| output::refused(&refused, loudness);
        let source = open(path).map_err(refused)?;
        let file = TraceFile::read(source.text().as_bytes()).map_err(|cause| {
            output::error(&format!("{}: {cause}", source.name()));
            output::help("trace files are written by `recurva check MODEL --save-trace FILE`");
            Exit::BadInput
        })?;
        let named = AskedAgain::spec(&file).map(|mark| PathBuf::from(&mark.name));
        let path = spec.map(Path::to_owned).or(named);
        let text = match &path {
            Some(path) if !path.exists() && rules::of_file(path).is_none() => {
                let path = path.display();
                output::error(&format!("{path}: there is no such file"));
                output::help("the property of the trace is in it: give it with --spec FILE");
                return Err(Exit::BadInput);
            }
            Some(path) => Some(rules::open_spec(path).map_err(refused)?),
            None => None,
        };
        if let (Some(mark), Some(text)) = (AskedAgain::spec(&file), &text) {
            note_changes(mark, (text.text(), text.name()), "trace", quiet);
        }
        let asked = AskedAgain::of(&file, text.as_ref()).map_err(refused)?;
        Ok(Again {
            options: asked.options,
            file,
            asked,
            loudness,
        })
    }

    /// Reads the model as it is now. On an error everything has been said.
    pub(crate) fn model(&self, path: &Path, limits: LimitArguments) -> Result<Model, Exit> {
        let refused = |refused| output::refused(&refused, self.loudness);
        let source = open(path).map_err(refused)?;
        let mut line = Line::new(self.loudness.quiet);
        let model = Model::read(source, &self.asked.read, limits.limits(), &mut line);
        drop(line);
        let model = model.map_err(refused)?;
        output::said(model.said(), self.loudness);
        let text = (model.source().text(), model.name());
        note_changes(&self.file.model, text, "trace", self.loudness.quiet);
        Ok(model)
    }

    /// The question, asked of the model as it is now. On an error everything has been said.
    pub(crate) fn question<'m>(
        &self,
        model: &'m Model,
        limits: LimitArguments,
    ) -> Result<Question<'m>, Exit> {
        let mut line = Line::new(self.loudness.quiet);
        let questions = model.questions_within(&self.asked.asked, limits.limits(), &mut line);
        drop(line);
        let questions = questions.map_err(|refused| output::refused(&refused, self.loudness))?;
        output::said(&questions.said, self.loudness);
        let infinite = self.file.run.is_infinite();
        // A monitor may be two properties: one of them is about infinite runs.
        let mut fitting = (questions.list.into_iter()).filter(|it| it.is_infinite() == infinite);
        fitting.next().ok_or_else(|| {
            output::error("the property of this trace is about other runs now");
            Exit::BadInput
        })
    }
}

/// Says so if a file is not what it was.
pub(crate) fn note_changes(mark: &FileMark, (text, name): (&str, &str), what: &str, quiet: bool) {
    if !quiet && !mark.is_of(text) {
        output::note(&format!(
            "{name} is not what it was when the {what} was written"
        ));
    }
}

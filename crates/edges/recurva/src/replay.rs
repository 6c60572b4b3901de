//! The `replay` command: a run from a trace file, on the model as it is now.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::Parser;
use recurva_check::{Options, Outcome, confirm};
use recurva_report::{Question, Refusal, refusal};
use recurva_syntax::Source;
use recurva_trace::{self as trace, Recording, Run, TraceFile};

use crate::{
    args::{
        self, Arguments, CheckArguments, Command, Dialect, QuestionArguments, ReplayArguments,
        ReportFormat,
    },
    check,
    exit::Exit,
    load::{self, Model},
    output,
    outputs::Outputs,
    questions::{self, Asked},
    regular_trace, systems, woven,
};

/// Replays a run; the exit code says whether it is a violation.
pub(crate) fn run(arguments: &ReplayArguments) -> Exit {
    let opened = open(&arguments.file).and_then(|file| {
        let asking = asking(&arguments.model, arguments.spec.as_deref(), &file)?;
        Ok((asking, file))
    });
    let (mut asking, file) = match opened {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    asking.trace = arguments.trace;
    asking.subformulas = arguments.subformulas;
    asking.format = arguments.format;
    asking.question.quiet = arguments.quiet;
    let outputs = Outputs::new(&asking);
    let exit = match replay(arguments, &outputs, &file) {
        Ok(exit) | Err(exit) => exit,
    };
    outputs.finish(exit)
}

fn replay(
    arguments: &ReplayArguments,
    outputs: &Outputs<'_>,
    file: &TraceFile,
) -> Result<Exit, Exit> {
    let recording = match &file.run {
        Run::Words(words) => return regular_trace::replay(outputs, file, words),
        Run::Trace(_) if systems::is_system(&arguments.model) => {
            output::error("this is a run of a program, and the model a system of any size");
            return Err(Exit::BadInput);
        }
        Run::Trace(recording) => recording,
    };
    let reopened = Reopened::new(&outputs.arguments.question, file)?;
    let question = reopened.question();
    match reopened.confirm(recording) {
        Ok(outcome) => {
            if !arguments.quiet {
                check::print(outputs, &question, &outcome);
            }
            Ok(Exit::Violated)
        }
        Err(refusal) => {
            if !arguments.quiet {
                match arguments.format {
                    ReportFormat::Text => output::stdout(refusal.text(&question).as_bytes()),
                    ReportFormat::Json => output::stdout(refusal.json(&question).as_bytes()),
                    ReportFormat::Sarif => {
                        let mut log = outputs.log.borrow_mut();
                        log.add_refusal(&question, &refusal);
                    }
                }
            }
            Ok(Exit::Unknown)
        }
    }
}

/// Reads a trace file. On an error everything has been said.
pub(crate) fn open(path: &Path) -> Result<TraceFile, Exit> {
    let source = load::open(path)?;
    TraceFile::read(source.text().as_bytes()).map_err(|cause| {
        output::error(&format!("{}: {cause}", source.name()));
        output::help("trace files are written by `recurva check MODEL --save-trace FILE`");
        Exit::BadInput
    })
}

/// The command that asks the question of a trace file of a model. `spec` is where the property is
/// now, if it has moved. On an error everything has been said.
pub(crate) fn asking(
    model: &Path,
    spec: Option<&Path>,
    file: &TraceFile,
) -> Result<CheckArguments, Exit> {
    let mut command: Vec<OsString> = vec!["recurva".into(), "check".into()];
    let mut option = |name: &str, value: OsString| {
        let mut option = OsString::from(format!("--{name}="));
        option.push(value);
        command.push(option);
    };
    let mut is_spec = false;
    match &file.question {
        trace::Question::Own { arithmetic: false } => {}
        trace::Question::Own { arithmetic: true } => option("check", "arithmetic".into()),
        trace::Question::Reach { label } => option("reach", label.into()),
        trace::Question::Repeat { label } => option("repeat", label.into()),
        trace::Question::Ltl { formula } => option("ltl", formula.into()),
        trace::Question::Caret { formula } => option("caret", formula.into()),
        trace::Question::System { name } => option("property", name.into()),
        trace::Question::Spec { file, name } => {
            is_spec = true;
            let path = spec.map_or_else(|| PathBuf::from(&file.name), Path::to_owned);
            if !path.exists() {
                let path = path.display();
                output::error(&format!("{path}: there is no such file"));
                output::help("the property of the trace is in it: give it with --spec FILE");
                return Err(Exit::BadInput);
            }
            // An automaton may have no name but that of its file.
            if path.extension().is_none_or(|ending| ending != "hoa") {
                option("property", name.into());
            }
            option("spec", path.into());
        }
    }
    if spec.is_some() && !is_spec {
        output::error("--spec: the property of this trace is in no file");
        return Err(Exit::BadInput);
    }
    let trace::Options {
        dialect,
        letters,
        stack,
        runs,
    } = &file.options;
    let dialect = dialect.map(|dialect| match dialect {
        trace::Dialect::Boppo => Dialect::Boppo,
        trace::Dialect::Moped => Dialect::Moped,
    });
    let stack = stack.map(|stack| match stack {
        trace::Stack::Any => args::Stack::Any,
        trace::Stack::Finite => args::Stack::Finite,
        trace::Stack::Diverging => args::Stack::Diverging,
    });
    let runs = runs.map(|runs| match runs {
        trace::Runs::Stutter => args::Runs::Stutter,
        trace::Runs::Infinite => args::Runs::Infinite,
    });
    if *letters {
        command.push("--letters".into());
    }
    command.push("--".into());
    command.push(model.into());
    let refused = |cause: &dyn std::fmt::Display| {
        output::error(&format!(
            "the question of the trace cannot be asked: {cause}"
        ));
        Exit::BadInput
    };
    let parsed = Arguments::try_parse_from(command).map_err(|cause| refused(&cause))?;
    let Command::Check(mut asking) = parsed.command else {
        return Err(refused(&"it is another command"));
    };
    let question = &mut asking.question;
    question.dialect = dialect.unwrap_or(question.dialect);
    question.stack = stack.unwrap_or(question.stack);
    question.runs = runs;
    Ok(*asking)
}

/// The question of a trace file about the model as it is now.
pub(crate) struct Reopened {
    pub(crate) model: Model,
    pub(crate) asked: Asked,
    options: Options,
}

impl Reopened {
    /// Reads the model and the question. On an error everything has been said.
    pub(crate) fn new(asking: &QuestionArguments, file: &TraceFile) -> Result<Self, Exit> {
        let model = load::model(asking)?;
        if !asking.quiet {
            note_changes(&file.model, &model.source);
        }
        let (model, all) = match woven::questions(asking, &model)? {
            Some(woven) => woven,
            None => {
                let all = questions::properties(asking, &model)?;
                (model, all)
            }
        };
        let infinite = matches!(&file.run, Run::Trace(recording) if recording.is_infinite());
        let properties: Vec<_> = all.iter().map(|it| it.property.clone()).collect();
        let options = check::options(asking, &model, &properties)?;
        let fits = |asked: &Asked| asked.property.is_liveness() == infinite;
        let Some(asked) = all.into_iter().find(fits) else {
            output::error("the property of this trace is about other runs now");
            return Err(Exit::BadInput);
        };
        if let (trace::Question::Spec { file, .. }, trace::Question::Spec { file: now, .. }) =
            (&file.question, &asked.question)
            && file.sha256 != now.sha256
            && !asking.quiet
        {
            note_change(&now.name);
        }
        Ok(Reopened {
            model,
            asked,
            options,
        })
    }

    /// What is asked, for reports.
    pub(crate) fn question(&self) -> Question<'_> {
        Question {
            monitor: self.model.monitor.as_ref(),
            places: Some(&self.model.places),
            ..Question::new(
                &self.model.source,
                &self.model.program,
                &self.asked.property,
            )
        }
    }

    /// Replays a run.
    pub(crate) fn confirm(&self, recording: &Recording) -> Result<Outcome<'_>, Refusal> {
        let program = &self.model.program;
        let trace = recording.on(program).map_err(|cause| {
            let model = self.model.source.name();
            let what = format!("the trace is not a run of {model}: {cause}");
            Refusal::new(&self.question(), what)
        })?;
        confirm(program, &self.asked.property, trace.clone(), &self.options)
            .map_err(|cause| refusal(&self.question(), &trace, &cause))
    }
}

fn note_change(name: &str) {
    output::note(&format!(
        "{name} is not what it was when the trace was written"
    ));
}

/// Says so if a model is not what it was.
pub(crate) fn note_changes(mark: &trace::FileMark, source: &Source) {
    if !mark.is_of(source.text()) {
        note_change(source.name());
    }
}

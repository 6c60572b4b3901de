//! `--ntmu` and `.ntmu` files: questions about branching.

use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
    path::Path,
};

use recurva_check::{
    Options, Watch,
    nested::{
        Model as NestedModel, NestedOptions, NestedOutcome, NestedVerdict, Ntmu, Read, Reader,
        Reduction, Refutation, Starts, check,
    },
};
use recurva_model::Nsm;
use recurva_report::{NestedQuestion, Walk};
use recurva_syntax::Source;

use crate::{
    args::{QuestionArguments, ReportFormat},
    check::layout,
    exit::Exit,
    load::{self, Model},
    output,
    outputs::Outputs,
    progress::{Line, Wanted},
    questions::only_wanted,
};

/// Whether a file has questions about branching.
pub(crate) fn is_spec(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "ntmu")
}

/// Whether there are such questions.
pub(crate) fn is_asked(arguments: &QuestionArguments) -> bool {
    !arguments.ntmu.is_empty() || arguments.spec.as_deref().is_some_and(is_spec)
}

/// The questions, and what they are about if that is no program.
pub(crate) struct Questions<'m> {
    machine: Option<(Cow<'m, Nsm>, Starts)>,
    properties: Vec<Ntmu>,
}

impl<'m> Questions<'m> {
    /// The questions asked. On an error everything has been said.
    pub(crate) fn new(arguments: &QuestionArguments, model: &'m Model) -> Result<Self, Exit> {
        let mut questions = Questions {
            machine: is_asked(arguments).then(|| model.nested()).flatten(),
            properties: Vec::new(),
        };
        let reader = Reader::new(questions.model(model));
        let mut properties = Vec::new();
        let mut wrong = false;
        for text in &arguments.ntmu {
            let source = Source::new("formula", text.as_str()).map_err(|cause| {
                output::error(&cause.to_string());
                Exit::BadInput
            })?;
            match read(&source, reader.formula(&source), arguments) {
                Ok(found) => properties.extend(found.into_iter().map(|named| named.property)),
                Err(_) => wrong = true,
            }
        }
        if wrong {
            return Err(Exit::BadInput);
        }
        if let Some(path) = arguments.spec.as_deref().filter(|path| is_spec(path)) {
            let source = load::open(path)?;
            let mut found = read(&source, reader.file(&source), arguments)?;
            only_wanted(arguments, &mut found, |named| &named.name)?;
            properties.extend(found.into_iter().map(|named| named.property));
        }
        questions.properties = properties;
        Ok(questions)
    }

    fn model<'a>(&'a self, model: &'a Model) -> NestedModel<'a> {
        match &self.machine {
            Some((nsm, starts)) => NestedModel::Machine {
                nsm,
                starts: *starts,
            },
            None => NestedModel::Program(&model.program),
        }
    }

    /// The formulas asked about.
    pub(crate) fn properties(&self) -> &[Ntmu] {
        &self.properties
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.properties.len()
    }

    /// Checks one of them. On an error everything has been said.
    pub(crate) fn ask<'a>(
        &'a self,
        model: &'a Model,
        property: &Ntmu,
        options: &NestedOptions,
        watch: &mut dyn Watch,
    ) -> Result<NestedOutcome<'a>, Exit> {
        check(&self.model(model), property, options, watch).map_err(|error| {
            output::internal_error(&error.to_string());
            Exit::Internal
        })
    }

    /// Checks all of them; the exit code is that of the worst verdict. `behind` says whether
    /// something has been printed before.
    pub(crate) fn check(
        &self,
        outputs: &Outputs<'_>,
        model: &Model,
        options: &Options,
        behind: bool,
    ) -> Exit {
        let arguments = outputs.arguments;
        let options = self::options(&arguments.question, options);
        let mut worst = Exit::Holds;
        for (index, property) in self.properties.iter().enumerate() {
            let text = arguments.format == ReportFormat::Text && !arguments.question.quiet;
            if (index > 0 || behind) && text {
                output::stdout(b"\n");
            }
            let exit = self.check_one(outputs, model, property, &options);
            worst = worst.max(exit);
            if matches!(exit, Exit::Interrupted | Exit::Internal) {
                break;
            }
        }
        worst
    }

    fn check_one(
        &self,
        outputs: &Outputs<'_>,
        model: &Model,
        property: &Ntmu,
        options: &NestedOptions,
    ) -> Exit {
        let arguments = outputs.arguments;
        let mut line = Line::new(match arguments.question.quiet {
            true => Wanted::No,
            false => Wanted::Yes,
        });
        let result = self.ask(model, property, options, &mut line);
        drop(line);
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(exit) => return exit,
        };
        let question = NestedQuestion {
            source: &model.source,
            property,
        };
        let program = self.machine.is_none().then_some(&model.program);
        if !arguments.question.quiet {
            match arguments.format {
                ReportFormat::Json => {
                    output::stdout_with(|out| {
                        recurva_report::nested_json(out, &question, &outcome)
                    });
                }
                ReportFormat::Sarif => {
                    let mut log = outputs.log.borrow_mut();
                    log.add_nested(&question, program, &outcome, layout(arguments));
                }
                ReportFormat::Text => {
                    let layout = layout(arguments);
                    let text = recurva_report::nested_text(&question, program, &outcome, layout);
                    output::stdout(text.as_bytes());
                }
            }
        }
        if let (true, NestedVerdict::Violated(refutation)) = (arguments.walk, &outcome.verdict) {
            walk(&model.source, refutation);
        }
        Exit::of_nested(&outcome.verdict)
    }
}

/// How such questions are checked.
pub(crate) fn options(question: &QuestionArguments, options: &Options) -> NestedOptions {
    NestedOptions {
        options: *options,
        reduction: match question.no_quotient {
            true => Reduction::None,
            false => Reduction::Bisimulation,
        },
        max_states: question.max_states,
    }
}

fn read(
    source: &Source,
    read: Read,
    arguments: &QuestionArguments,
) -> Result<Vec<recurva_check::nested::Named>, Exit> {
    load::report(source, &read.diagnostics, arguments);
    read.properties.ok_or(Exit::BadInput)
}

/// Lets the user walk through a strategy until the input ends.
fn walk(source: &Source, refutation: &Refutation<'_>) {
    const HELP: &str = "a number takes a way, Enter the first, b goes back, q ends the walk\n";
    let mut walk = Walk::new(source, refutation);
    output::stdout(format!("\n{HELP}\n{}", walk.text()).as_bytes());
    let mut input = io::stdin().lock();
    loop {
        output::stdout(b"> ");
        // What cannot be written here cannot be written anywhere.
        let _ = io::stdout().flush();
        let mut command = String::new();
        match input.read_line(&mut command) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let moved = match command.trim() {
            "q" | "quit" => break,
            "b" | "back" => walk.back(),
            "" => walk.take(1),
            text => text.parse().is_ok_and(|number| walk.take(number)),
        };
        match moved {
            true => output::stdout(walk.text().as_bytes()),
            false => output::stdout(HELP.as_bytes()),
        }
    }
    output::stdout(b"\n");
}

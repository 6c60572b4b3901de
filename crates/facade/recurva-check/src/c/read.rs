//! Reads a C program: preprocesses its units, and has them built.

use std::{
    path::Path,
    sync::{Mutex, OnceLock},
};

use recurva_cc::{Compiler, Failure, Unit};
use recurva_cir::SourceText;
use recurva_ctype::Target;
use recurva_model::Patience;
use recurva_syntax::{Diagnostic, Diagnostics, Severity, Source, Span};

use super::{
    CContent, COptions, DataModel, Lowering, Units,
    lowered::{CProgram, Purpose},
    places::{Files, Preprocessed},
    task::task,
};
use crate::{Limit, Progress, Refused, Said, Work, formats::Parsed, open, watch::Clock};

/// Reads a C program whose first unit is this.
pub(crate) fn read(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<Parsed, Limit> {
    parsed(content(source, None, options, clock))
}

/// Reads a task, and the program and the properties that it names.
pub(crate) fn read_task(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<Parsed, Limit> {
    parsed(of_task(source, options, clock))
}

fn of_task(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<CContent, Refused> {
    let folder = Path::new(source.name()).parent().unwrap_or(Path::new(""));
    let wrong = |cause| {
        Refused::error(
            format!("{}: {cause}", source.name()),
            "a task has `input_files`",
        )
    };
    let task = task(source.text(), folder).map_err(wrong)?;
    let mut inputs = task.inputs.iter().map(|path| open(path));
    let first = match inputs.next() {
        Some(first) => first?,
        None => return Err(wrong("`input_files` names no file".to_owned())),
    };
    let mut options = options.clone();
    options.machine = options.machine.or(Some(task.machine));
    for unit in inputs {
        options.units.push(unit?);
    }
    let properties = task.properties.iter().map(|path| open(path));
    let mut content = content(&first, Some(source), &options, clock)?;
    content.task = properties.collect::<Result<_, _>>()?;
    Ok(content)
}

fn parsed(content: Result<CContent, Refused>) -> Result<Parsed, Limit> {
    let refused = match content {
        Ok(content) => {
            return Ok(Parsed {
                content: Some(Box::new(content)),
                diagnostics: Diagnostics::default(),
                said: Vec::new(),
            });
        }
        Err(refused) => refused,
    };
    let said = match refused {
        Refused::Limit(limit) => return Err(limit),
        Refused::Said(said) => said,
        Refused::Internal(text) => vec![Said::error_if(format!("internal error: {text}"), None)],
    };
    Ok(Parsed {
        content: None,
        diagnostics: Diagnostics::default(),
        said,
    })
}

/// The program whose first unit is `source`; `task` is the text that names it, if there is one.
fn content(
    source: &Source,
    task: Option<&Source>,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<CContent, Refused> {
    let mut files = Files::new(task.unwrap_or(source));
    let compiler = Compiler::find();
    let mut options = options.clone();
    options
        .compiler
        .extend(options.machine.map(|it| it.option().to_owned()));
    let mut stopped = || clock.tick(&progress("the compiler")).is_break();
    let target = match &compiler {
        Some(compiler) => {
            let macros = compiler.macros(&options.compiler, &mut stopped);
            Target::of_macros(&macros.map_err(compiler_failed)?)
        }
        None => match options.machine {
            Some(DataModel::Ilp32) => Target::ilp32(),
            _ => Target::lp64(),
        },
    };
    let mut texts = Vec::new();
    let mut whole = Vec::new();
    for unit in std::iter::once(source).chain(&options.units) {
        let number = match std::ptr::eq(unit, source) && task.is_none() {
            true => 0,
            false => files.add(unit.clone()),
        };
        let is_preprocessed = unit.name().ends_with(".i");
        let text = match (&compiler, is_preprocessed) {
            (_, true) => unit.text().as_bytes().to_vec(),
            (Some(compiler), false) => {
                let unit = Unit {
                    name: unit.name(),
                    text: unit.text().as_bytes(),
                    options: &options.compiler,
                };
                compiler
                    .preprocess(&unit, &mut stopped)
                    .map_err(compiler_failed)?
            }
            (None, false) => {
                return Err(Refused::error(
                    format!("{}: there is no C compiler to preprocess it", unit.name()),
                    "install gcc or clang, or give the preprocessed text as a .i file",
                ));
            }
        };
        texts.push(SourceText {
            name: unit.name().into(),
            text,
            is_library: false,
        });
        whole.push(is_preprocessed.then_some(number));
    }
    let units = Units {
        texts,
        whole,
        target,
        options,
        compiler,
    };
    let own = Purpose::own(&units.options);
    let mut tick = || clock.tick(&progress("building the program"));
    let mut patience = Patience::new(&mut tick);
    let own = CProgram::new(&units, &own, &mut files, &mut patience)?;
    Ok(CContent {
        units,
        files: Mutex::new(files),
        own: Lowering::new(own),
        watched: OnceLock::new(),
        task: Vec::new(),
    })
}

fn progress(what: &'static str) -> Progress {
    Progress::from(Work {
        what,
        ..Work::default()
    })
}

fn compiler_failed(failure: Failure) -> Refused {
    match failure {
        Failure::NotRun(program, cause) => Refused::error(
            format!("{}: {cause}", program.display()),
            "RECURVA_CC names the compiler",
        ),
        // Its messages name the user's files and lines.
        Failure::Said(said) => {
            let said = said.trim_end();
            Refused::Said(vec![Said::error_if(
                format!("the compiler cannot preprocess it:\n{said}"),
                None,
            )])
        }
        Failure::Stopped => Refused::Limit(Limit::Interrupted),
    }
}

impl Units {
    /// The units' texts, for places.
    pub(super) fn preprocessed(&self) -> Vec<Preprocessed<'_>> {
        let texts = self.texts.iter().zip(&self.whole);
        texts
            .map(|(text, whole)| match *whole {
                Some(number) => Preprocessed::whole(&text.text, number),
                None => Preprocessed::new(&text.text),
            })
            .collect()
    }
}

/// What is wrong with the units, said about the user's files.
pub(super) fn wrong(units: &Units, wrong: Vec<(usize, Diagnostics)>, files: &mut Files) -> Refused {
    let texts = units.preprocessed();
    let mut said = Vec::new();
    for (unit, diagnostics) in wrong {
        let Some(text) = texts.get(unit) else {
            let first = diagnostics.iter().next().map(Diagnostic::message);
            return Refused::Internal(format!("a model of the library: {}", first.unwrap_or("?")));
        };
        let mut by_file: Vec<(usize, Diagnostics)> = Vec::new();
        for diagnostic in diagnostics.iter() {
            match files.place(text, diagnostic.primary().span) {
                Some((file, span)) => {
                    let moved = moved(diagnostic, span, |span| {
                        let (other, span) = files.place(text, span)?;
                        (other == file).then_some(span)
                    });
                    let known = by_file.iter_mut().find(|(number, _)| *number == file);
                    let list = match known {
                        Some((_, list)) => list,
                        None => {
                            by_file.push((file, Diagnostics::default()));
                            &mut by_file.last_mut().expect("just added").1
                        }
                    };
                    list.report(|| moved);
                }
                None if diagnostic.severity() == Severity::Error => {
                    let name = &units.texts[unit].name;
                    let text = format!("{name}: in a header: {}", diagnostic.message());
                    said.push(Said::error_if(text, None));
                }
                None => {}
            }
        }
        let of_files = by_file.into_iter();
        said.extend(of_files.map(|(file, list)| Said::Text(files.source(file).clone(), list)));
    }
    Refused::Said(said)
}

/// A message at another place. Other places that are not in the same file are left out.
fn moved(
    diagnostic: &Diagnostic,
    span: Span,
    mut place: impl FnMut(Span) -> Option<Span>,
) -> Diagnostic {
    let message = diagnostic.message().to_owned();
    let mut moved = match diagnostic.severity() {
        Severity::Error => Diagnostic::error(message, span),
        Severity::Warning => Diagnostic::warning(message, span),
    };
    moved = moved.label(diagnostic.primary().text.clone());
    for label in diagnostic.secondary() {
        if let Some(span) = place(label.span) {
            moved = moved.note(span, label.text.clone());
        }
    }
    diagnostic
        .helps()
        .iter()
        .fold(moved, |moved, help| moved.help(help.clone()))
}

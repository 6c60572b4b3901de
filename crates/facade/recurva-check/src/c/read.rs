//! Reads a C program: preprocesses its units, and has them built.

use std::{
    path::Path,
    sync::{Arc, Mutex, OnceLock},
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
    project::{self, ProjectUnit},
    task::task,
};
use crate::{
    Format, Limit, Progress, Refused, Said, Work, formats::Parsed, open, watch::Clock,
    words::suggestion,
};

/// Reads a C program whose first unit is this.
pub(crate) fn read(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<Parsed, Limit> {
    let read = content(source, None, options, clock);
    parsed(read.map(|content| (content, Vec::new())), clock)
}

/// Reads a project: all its units, compiled as it says.
pub(crate) fn read_project(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<Parsed, Limit> {
    parsed(of_project(source, options, clock), clock)
}

fn of_project(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<(CContent, Vec<Said>), Refused> {
    let (first, options, said) = project(source, options)?;
    Ok((content(&first, Some(source), &options, clock)?, said))
}

/// The first unit of a project, the options with all others, and what is to be said.
fn project(source: &Source, options: &COptions) -> Result<(Source, COptions, Vec<Said>), Refused> {
    let listed = listed(source)?;
    let (units, others): (Vec<_>, Vec<_>) =
        (listed.iter()).partition(|unit| Format::of(&unit.file).is_some_and(Format::is_unit));
    let said = others.iter().map(|unit| {
        let file = unit.file.display();
        Said::note(format!("{file} is left out: it is no C program"))
    });
    let said = said.collect();
    let mut units = units.iter().map(|unit| open(&unit.file));
    let first = match units.next() {
        Some(first) => first?,
        None => {
            let text = format!("{}: it names no C file", source.name());
            return Err(Refused::error(
                text,
                "a command has `file`, `directory` and `arguments`",
            ));
        }
    };
    let mut options = options.clone();
    for unit in units {
        options.units.push(unit?);
    }
    options.compile_commands = Some(source.clone());
    Ok((first, options, said))
}

/// The units of a program or a project, and what is to be said. Nothing is built.
pub(super) fn only_units(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<(Units, Files, Vec<Said>), Refused> {
    let format = Format::of(Path::new(source.name()));
    let (units, files, said) = match format {
        Some(format) if format.is_unit() => {
            let (units, files) = units(source, None, options, clock)?;
            (units, files, Vec::new())
        }
        _ => {
            let (first, options, said) = project(source, options)?;
            let (units, files) = units(&first, Some(source), &options, clock)?;
            (units, files, said)
        }
    };
    Ok((units, files, said))
}

/// The units that a `compile_commands.json` lists.
fn listed(source: &Source) -> Result<Vec<ProjectUnit>, Refused> {
    project::units(source).map_err(|cause| {
        Refused::error(
            format!("{}: {cause}", source.name()),
            "a compile_commands.json is written by CMake, Meson or Bear",
        )
    })
}

/// Reads a task, and the program and the properties that it names.
pub(crate) fn read_task(
    source: &Source,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<Parsed, Limit> {
    let read = of_task(source, options, clock);
    parsed(read.map(|content| (content, Vec::new())), clock)
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

fn parsed(
    content: Result<(CContent, Vec<Said>), Refused>,
    clock: &Clock<'_>,
) -> Result<Parsed, Limit> {
    let refused = match content {
        Ok((content, said)) => {
            return Ok(Parsed {
                content: Some(Box::new(content)),
                diagnostics: Diagnostics::default(),
                said,
            });
        }
        Err(refused) => stopped(refused, clock),
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

/// Work that was stopped was stopped by the limit that was hit.
pub(super) fn stopped(refused: Refused, clock: &Clock<'_>) -> Refused {
    match refused {
        Refused::Limit(Limit::Memory(_)) => Refused::Limit(clock.memory()),
        Refused::Limit(_) => Refused::Limit(clock.hit()),
        other => other,
    }
}

/// The program whose first unit is `source`; `task` is the text that names it, if there is one.
fn content(
    source: &Source,
    task: Option<&Source>,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<CContent, Refused> {
    let (units, files) = units(source, task, options, clock)?;
    built(units, files, clock)
}

/// The units of that program, preprocessed.
fn units(
    source: &Source,
    task: Option<&Source>,
    options: &COptions,
    clock: &mut Clock<'_>,
) -> Result<(Units, Files), Refused> {
    let mut files = Files::new(task.unwrap_or(source));
    let compiler = Compiler::find();
    let mut options = options.clone();
    options
        .compiler
        .extend(options.machine.map(|it| it.option().to_owned()));
    let listed = match &options.compile_commands {
        Some(commands) => listed(commands)?,
        None => Vec::new(),
    };
    let own = |unit: &Source| own_options(unit, &listed, &options);
    let mut is_over = || clock.tick(&progress("the compiler")).is_break();
    let target = match &compiler {
        Some(compiler) => {
            let macros = compiler.macros(&own(source)?, &mut is_over);
            Target::of_macros(&macros.map_err(compiler_failed)?)
        }
        None => match options.machine {
            Some(DataModel::Ilp32) => Target::ilp32(),
            _ => Target::lp64(),
        },
    };
    let mut texts = Vec::new();
    let mut whole = Vec::new();
    let mut given = Vec::new();
    let of_program = std::iter::once(source).chain(&options.units);
    let of_program = of_program.map(|unit| (unit, false));
    let models = options.models.iter().map(|unit| (unit, true));
    for (unit, is_library) in of_program.chain(models) {
        let number = match std::ptr::eq(unit, source) && task.is_none() {
            true => 0,
            false => files.add(unit.clone()),
        };
        let is_preprocessed = unit.name().ends_with(".i");
        let of_compiler = match is_library || is_preprocessed {
            true => options.compiler.clone(),
            false => own(unit)?,
        };
        let text = match (&compiler, is_preprocessed) {
            (_, true) => unit.text().as_bytes().to_vec(),
            (Some(compiler), false) => {
                let unit = Unit {
                    name: unit.name(),
                    text: unit.text().as_bytes(),
                    options: &of_compiler,
                };
                compiler
                    .preprocess(&unit, &mut is_over)
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
            is_library,
        });
        whole.push(is_preprocessed.then_some(number));
        given.push(of_compiler);
    }
    let units = Units {
        texts: Arc::new(texts),
        whole,
        given,
        target,
        options,
        compiler,
        rule: None,
        typed: Arc::default(),
    };
    Ok((units, files))
}

/// The program of some units.
pub(super) fn built(
    units: Units,
    mut files: Files,
    clock: &mut Clock<'_>,
) -> Result<CContent, Refused> {
    let purpose = Purpose::own(&units.options);
    let mut tick = || clock.tick(&progress("building the program"));
    let mut patience = Patience::new(&mut tick);
    let own = CProgram::new(&units, &purpose, &mut files, &mut patience)?;
    Ok(CContent {
        units,
        files: Mutex::new(files),
        own: Lowering::new(own),
        whole: OnceLock::new(),
        watched: OnceLock::new(),
        contracts: OnceLock::new(),
        task: Vec::new(),
    })
}

/// The compiler's options for a unit: those of its project, and those for all.
fn own_options(
    unit: &Source,
    listed: &[ProjectUnit],
    options: &COptions,
) -> Result<Vec<String>, Refused> {
    let Some(commands) = &options.compile_commands else {
        return Ok(options.compiler.clone());
    };
    let same = |file: &Path| {
        let real = |path: &Path| path.canonicalize().ok();
        file == Path::new(unit.name()) || real(file) == real(Path::new(unit.name()))
    };
    let Some(found) = listed.iter().find(|it| same(&it.file)) else {
        let names: Vec<String> = listed
            .iter()
            .map(|it| it.file.display().to_string())
            .collect();
        let near = suggestion(unit.name(), names.iter().map(String::as_str), "files");
        let text = format!(
            "{} does not say how {} is compiled",
            commands.name(),
            unit.name()
        );
        return Err(Refused::error(text, near));
    };
    Ok([&found.options[..], &options.compiler[..]].concat())
}

pub(super) fn progress(what: &'static str) -> Progress {
    Progress::from(Work {
        what,
        ..Work::default()
    })
}

pub(super) fn compiler_failed(failure: Failure) -> Refused {
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

/// How a message begins that is none about the program.
const NO_MEMORY: &str = "there is no memory";

/// What is wrong with the units, said about the user's files.
pub(super) fn wrong(units: &Units, wrong: Vec<(usize, Diagnostics)>, files: &mut Files) -> Refused {
    let texts = units.preprocessed();
    let mut said = Vec::new();
    for (unit, diagnostics) in wrong {
        let mut messages = diagnostics.iter().map(Diagnostic::message);
        if messages.any(|message| message.starts_with(NO_MEMORY)) {
            return Refused::Limit(Limit::Memory(0));
        }
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
                    let place = match diagnostic.primary().span == Span::at(0) {
                        true => "",
                        false => "in a header: ",
                    };
                    let text = format!("{name}: {place}{}", diagnostic.message());
                    said.push(Said::error_if(text, diagnostic.helps().first().cloned()));
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

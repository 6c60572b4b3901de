//! C programs with a monitor of PAL in them.
//!
//! The monitor is put into the preprocessed units twice: once to be checked, as plain C in which a guard
//! that does not hold is a call of a function that is an error, and once to be compiled, as `recurva pal
//! cc` does, for the test case. What is checked goes the way of every C program from there on.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use recurva_cbuild::Built;
use recurva_cc::{Compiler, Unit};
use recurva_cir::{ErrorKind, SourceText};
use recurva_cmodel::Failure;
use recurva_ctest::Goal;
use recurva_model::{FailureKind, Origin, Patience};
use recurva_pal::{
    c::{
        GuardKind, GuardSite, HEADER, Moment, OWN, Order, Prepared, Purpose as WovenFor, SOURCE,
        VARIABLE, Weaving, header_beside, request,
    },
    lang::{self, Monitor},
};
use recurva_syntax::Source;
use recurva_trace::{FileMark, Question as Saved};
use rustc_hash::FxHashSet;

use super::{
    CContent, Lowering, Units,
    ask::CQuestion,
    lowered::{CProgram, Extent, Purpose, edges},
    places::Files,
    read::{compiler_failed, progress, stopped},
    stages::MOST,
};
use crate::{
    Asked, Model, Property, Question, QuestionKind, Refused, Said,
    programs::{RunQuestion, Woven},
    watch::Clock,
    words::suggestion,
};

/// A monitor that is in the units.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    source: Source,
    /// The number of its file.
    file: usize,
    monitor: Monitor,
    guards: Vec<GuardSite>,
    /// The texts of the units to be compiled.
    compiled: Vec<Vec<u8>>,
}

/// The program that a question is about: the model as it was read, or with a monitor in it.
#[derive(Clone, Debug)]
pub(super) enum Watched<'m> {
    Not(&'m CContent),
    By(Arc<CContent>),
}

impl Deref for Watched<'_> {
    type Target = CContent;

    fn deref(&self) -> &CContent {
        match self {
            Watched::Not(content) => content,
            Watched::By(content) => content,
        }
    }
}

impl Rule {
    /// The functions whose calls say that something does not hold.
    pub(super) fn functions(&self) -> Vec<String> {
        (0..self.guards.len()).map(GuardSite::function).collect()
    }

    /// What a failure of the program means to the monitor.
    pub(super) fn failed(&self, failure: &Failure) -> Option<&GuardSite> {
        let Failure::Error(ErrorKind::Call(name)) = failure else {
            return None;
        };
        let mut guards = self.guards.iter().enumerate();
        let found = guards.find(|(number, _)| *GuardSite::function(*number) == **name);
        found.map(|(_, guard)| guard)
    }

    /// The same as a failure of the model, with its place among all files.
    pub(super) fn failure(
        &self,
        failure: &Failure,
        files: &Files,
    ) -> Option<(FailureKind, Origin)> {
        let guard = self.failed(failure)?;
        let kind = match guard.kind {
            GuardKind::Guard => FailureKind::Guard,
            GuardKind::Assertion => FailureKind::Assertion,
        };
        Some((kind, files.origin_of(self.file, guard.place)))
    }

    /// What happens there, in words.
    pub(super) fn in_words(&self, guard: &GuardSite) -> String {
        format!("the {} fails", guard.name(&self.monitor))
    }

    /// What a test case must come to.
    pub(super) fn goal(&self, guard: &GuardSite) -> Goal {
        let event = &self.monitor.events[guard.event];
        let line = |offset: u32| self.source.line_column(offset).0 as u32;
        let part = match guard.moment {
            Moment::Before => &event.before,
            Moment::After => &event.after,
        };
        match (guard.kind, &part.guard, &part.action) {
            (GuardKind::Guard, Some(written), _) => Goal::Guard {
                event: event.title(),
                moment: guard.moment.name(),
                place: format!("{}:{}", self.source.name(), line(written.span.start)),
            },
            (_, _, action) => {
                let span = action.as_ref().map_or(guard.place, |it| it.span);
                Goal::Action {
                    file: self.source.name().to_owned(),
                    lines: (line(span.start), line(span.end)),
                }
            }
        }
    }

    /// The text of a unit that is compiled.
    pub(super) fn compiled(&self, unit: usize) -> Option<&[u8]> {
        self.compiled.get(unit).map(Vec::as_slice)
    }

    /// The run-time that it is linked with.
    pub(super) fn run_time() -> Vec<(PathBuf, Vec<u8>)> {
        vec![
            ("recurva_pal.c".into(), SOURCE.into()),
            ("recurva_pal.h".into(), HEADER.into()),
        ]
    }
}

/// Gives the monitor's variables the names that they have in the monitor. Where the program has such a
/// name too, it is the monitor's with `monitor::` before it.
pub(super) fn rename(built: &mut Built) {
    let module = &mut built.module;
    let globals = module.globals.iter().map(|it| it.name.clone());
    let functions = module.functions.iter().map(|it| it.name.clone());
    let taken: FxHashSet<Box<str>> = globals.chain(functions).collect();
    for global in &mut module.globals {
        plain(&mut global.name, |name| taken.contains(name));
    }
    for function in &mut module.functions {
        let own: FxHashSet<Box<str>> = function.locals.iter().map(|it| it.name.clone()).collect();
        for local in &mut function.locals {
            plain(&mut local.name, |name| own.contains(name));
        }
    }
}

fn plain(name: &mut Box<str>, is_taken: impl Fn(&str) -> bool) {
    if let Some(plain) = name.strip_prefix(VARIABLE) {
        *name = match is_taken(plain) {
            true => format!("monitor::{plain}").into(),
            false => plain.into(),
        };
    }
}

/// Whether a variable was made up to put the monitor in.
pub(super) fn is_made_up(name: &str) -> bool {
    name.starts_with(OWN)
}

impl CContent {
    /// The questions of a monitor: that each of its guards holds.
    pub(super) fn monitored<'m>(
        &'m self,
        model: &'m Model,
        source: &Source,
        asked: &Asked,
        said: &mut Vec<Said>,
        clock: &mut Clock<'_>,
    ) -> Result<Vec<Question<'m>>, Refused> {
        let parsed = lang::parse(source);
        if !parsed.diagnostics.is_empty() {
            said.push(Said::Text(source.clone(), parsed.diagnostics));
        }
        let Some(monitor) = parsed.monitor else {
            return Ok(Vec::new());
        };
        let mut weaver = Weaver {
            content: self,
            source,
            monitor: &monitor,
            matched: vec![0; monitor.events.len()],
        };
        let (checked, compiled) = weaver.units(clock)?;
        let matched = weaver.matched;
        let mut files = {
            let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.clone()
        };
        let file = files.add(source.clone());
        let mut silent = silent(&monitor, &matched, file, &files, said);
        if asked.matched_only {
            silent.clear();
        }
        let guards = GuardSite::all(&monitor);
        if guards.is_empty() {
            let text = "this monitor has no guard: there is nothing to violate";
            said.push(Said::note(text));
        }
        let units = Units {
            whole: vec![None; checked.len()],
            texts: Arc::new(checked),
            typed: Arc::default(),
            given: self.units.given.clone(),
            target: self.units.target,
            options: self.units.options.clone(),
            compiler: self.units.compiler.clone(),
            rule: Some(Rule {
                source: source.clone(),
                file,
                monitor,
                guards,
                compiled,
            }),
        };
        let content = Arc::new(content(units, files, clock)?);
        let Some(rule) = &content.units.rule else {
            return Ok(Vec::new());
        };
        let program = &content.own.program;
        let woven = Arc::new(Woven {
            program: program.program.clone(),
            more: program.more.clone(),
            silent,
        });
        let mark = FileMark::of(source.name(), source.text());
        let mut questions = Vec::new();
        for (number, guard) in rule.guards.iter().enumerate() {
            let name = guard.name(&rule.monitor);
            if asked
                .property
                .as_ref()
                .is_some_and(|wanted| *wanted != name)
            {
                continue;
            }
            if asked.matched_only && asked.property.is_none() && matched[guard.event] == 0 {
                continue;
            }
            let fails = Failure::Error(ErrorKind::Call(GuardSite::function(number).into()));
            let errors = program.lowered.errors.iter();
            let errors = errors.filter(|it| it.kind == fails);
            let words = guard.title(&rule.monitor, source);
            let property = Property::Unreachable {
                name: words.clone(),
                points: errors.map(|it| it.point).collect(),
            };
            let inner = RunQuestion::woven(&self.own.content, model, Arc::clone(&woven), property);
            let inner = Question {
                model,
                name: words,
                kind: QuestionKind::Pal,
                asked: Saved::Spec {
                    file: mark.clone(),
                    name,
                },
                declared: Some(guard.place),
                ask: Box::new(inner),
            };
            let watched = Watched::By(Arc::clone(&content));
            questions.push(CQuestion::around(inner, watched, Arc::clone(program)));
        }
        match &asked.property {
            Some(wanted) if questions.is_empty() => {
                let names: Vec<String> = (rule.guards.iter())
                    .map(|it| it.name(&rule.monitor))
                    .collect();
                let near = suggestion(wanted, names.iter().map(String::as_str), "properties");
                let text = format!("there is no property `{wanted}` in {}", source.name());
                Err(Refused::error(text, near))
            }
            None if questions.is_empty() && asked.matched_only => {
                said.push(Said::note(format!(
                    "{}: no guard of it stands at a call of this program: there is nothing to violate",
                    source.name()
                )));
                Ok(questions)
            }
            _ => Ok(questions),
        }
    }
}

/// A program with a monitor in it.
fn content(units: Units, mut files: Files, clock: &mut Clock<'_>) -> Result<CContent, Refused> {
    let purpose = Purpose {
        wanted: recurva_cmodel::Wanted::errors(),
        ..Purpose::own(&units.options)
    };
    let mut tick = || clock.tick(&progress("building the program"));
    let mut patience = Patience::new(&mut tick);
    let own = fitting(&units, &purpose, &mut files, &mut patience);
    let own = own.map_err(|refused| stopped(refused, clock))?;
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

/// All of a program, or a slice of it if there is too much to search.
fn fitting(
    units: &Units,
    purpose: &Purpose,
    files: &mut Files,
    patience: &mut Patience<'_>,
) -> Result<CProgram, Refused> {
    let program = CProgram::new(units, purpose, files, patience)?;
    match &program.cut {
        Some(cut) if edges(&cut.whole) <= MOST => {
            let purpose = Purpose {
                extent: Extent::Whole,
                ..purpose.clone()
            };
            CProgram::new(units, &purpose, files, patience)
        }
        _ => Ok(program),
    }
}

/// The events that match nothing, with their places.
fn silent(
    monitor: &Monitor,
    matched: &[usize],
    file: usize,
    files: &Files,
    said: &mut Vec<Said>,
) -> Vec<(String, Origin)> {
    let mut silent = Vec::new();
    for (event, &count) in monitor.events.iter().zip(matched) {
        let sites = if count == 1 { "place" } else { "places" };
        let text = format!("{} matches {count} {sites}", event.title());
        said.push(Said::Detail(text));
        if count == 0 {
            silent.push((event.title(), files.origin_of(file, event.span)));
        }
    }
    silent
}

/// Puts a monitor into the units of a program.
struct Weaver<'a> {
    content: &'a CContent,
    source: &'a Source,
    monitor: &'a Monitor,
    /// For each event, how many calls and assignments it matched.
    matched: Vec<usize>,
}

impl Weaver<'_> {
    /// The texts of the units to be checked, and to be compiled. Models of the library are as they are.
    fn units(&mut self, clock: &mut Clock<'_>) -> Result<(Vec<SourceText>, Vec<Vec<u8>>), Refused> {
        let units = &self.content.units;
        let Some(compiler) = &units.compiler else {
            return Err(Refused::error(
                format!(
                    "{}: there is no C compiler to preprocess the C in it",
                    self.source.name()
                ),
                "install gcc or clang",
            ));
        };
        let mut checked = Vec::new();
        let mut compiled = Vec::new();
        for (number, text) in units.texts.iter().enumerate() {
            if text.is_library {
                checked.push(text.clone());
                compiled.push(text.text.clone());
                continue;
            }
            let [one, other] = self.unit(number, text, compiler, clock)?;
            checked.push(SourceText {
                text: one,
                ..text.clone()
            });
            compiled.push(other);
        }
        Ok((checked, compiled))
    }

    /// A unit to be checked, and to be compiled.
    fn unit(
        &mut self,
        number: usize,
        text: &SourceText,
        compiler: &Compiler,
        clock: &mut Clock<'_>,
    ) -> Result<[Vec<u8>; 2], Refused> {
        let units = &self.content.units;
        let own = match units.whole[number] {
            Some(_) => numbered(&text.name, &text.text),
            None => text.text.clone(),
        };
        let prepared = self.prepared(number, text, compiler, clock)?;
        let order = match compiler.version().starts_with("clang") {
            true => Order::FirstFirst,
            false => Order::LastFirst,
        };
        let weaving = Weaving {
            monitor: self.monitor,
            source: self.source,
            prepared: &prepared,
            order,
            purpose: WovenFor::Check,
        };
        let refused = |all: Vec<recurva_pal::c::Refused>| {
            let said = all.iter().map(|it| Said::error(it.to_string(), it.help));
            Refused::Said(said.collect())
        };
        let checked = weaving.weave(&own).map_err(refused)?;
        for (sum, count) in self.matched.iter_mut().zip(&checked.matched) {
            *sum += count;
        }
        let run = Weaving {
            purpose: WovenFor::Run,
            ..weaving
        };
        let compiled = run.weave(&own).map_err(refused)?;
        let texts = [checked.text, compiled.text];
        Ok(texts.map(|text| text.unwrap_or_else(|| own.clone())))
    }

    /// The C of the monitor, preprocessed behind the unit.
    fn prepared(
        &self,
        number: usize,
        text: &SourceText,
        compiler: &Compiler,
        clock: &mut Clock<'_>,
    ) -> Result<Prepared, Refused> {
        let folder = Path::new(self.source.name())
            .parent()
            .unwrap_or(Path::new(""));
        let wanted = request(self.monitor, self.source, None, |header| {
            header_beside(folder, header)
        });
        let mut unit = match self.content.units.whole[number] {
            Some(_) => String::new(),
            None => self.written(&text.name),
        };
        unit.push('\n');
        unit.push_str(&wanted);
        let unit = Unit {
            name: &text.name,
            text: unit.as_bytes(),
            options: &self.content.units.given[number],
        };
        let mut is_over = || clock.tick(&progress("the compiler")).is_break();
        let out = compiler.preprocess(&unit, &mut is_over);
        let out = out.map_err(compiler_failed)?;
        Prepared::new(self.monitor, &out).ok_or_else(|| {
            Refused::error(
                format!(
                    "{}: a macro of this unit breaks the C of {}",
                    text.name,
                    self.source.name()
                ),
                "the monitor's C is preprocessed behind the unit: use other names in it",
            )
        })
    }

    /// A unit as it was written.
    fn written(&self, name: &str) -> String {
        let files = self.content.files.lock();
        let files = files.unwrap_or_else(PoisonError::into_inner);
        let all = files.all();
        let found = all.iter().find(|it| it.name() == name);
        found.map_or_else(String::new, |it| it.text().to_owned())
    }
}

/// A text that the user has preprocessed, with its own lines instead of those that it names: what is put
/// in has lines of its own.
fn numbered(name: &str, text: &[u8]) -> Vec<u8> {
    let mut out = format!(
        "# 1 \"{}\"\n",
        name.replace('\\', "\\\\").replace('"', "\\\"")
    )
    .into_bytes();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let is_marker = line.trim_ascii_start().starts_with(b"#")
            && !line.trim_ascii_start()[1..]
                .trim_ascii_start()
                .starts_with(b"pragma");
        match is_marker {
            true => out.push(b'\n'),
            false => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn lines_of_preprocessed_texts_are_their_own() {
        let text = b"# 1 \"x.c\"\nint a;\n#pragma once\n  # 7 \"y.h\" 3\nint b;";
        let found = numbered("a\".i", text);
        let expected = "# 1 \"a\\\".i\"\n\nint a;\n#pragma once\n\nint b;";
        assert_eq!(String::from_utf8(found).unwrap(), expected);
    }
}

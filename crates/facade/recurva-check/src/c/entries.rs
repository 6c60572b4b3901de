//! Programs in which runs can begin at many functions: libraries, and parts of large programs.
//!
//! The units are preprocessed, parsed and typed once. For each function a program of its own is made of
//! them, with what that function may call.

use std::path::Path;

use recurva_ctype::typed::Linkage;
use recurva_syntax::Source;

use super::{
    Units,
    places::Files,
    read::{built, only_units, progress, stopped, wrong},
};
use crate::{Format, Limits, Model, ReadOptions, Refused, Said, Watch, watch::Clock, words};

/// At which functions runs begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichEntries {
    /// At these.
    Named(Vec<String>),
    /// At every function that has a body and that other units can call.
    External,
}

/// The units of a C program, for runs that begin at many functions.
#[derive(Debug)]
pub struct CEntries {
    source: Source,
    format: &'static Format,
    options: ReadOptions,
    units: Units,
    files: Files,
    said: Vec<Said>,
    names: Vec<String>,
}

impl CEntries {
    /// Reads the units of a program.
    ///
    /// # Errors
    ///
    /// If it is no C program, something is wrong with it, or a limit is hit first.
    pub fn read(
        source: Source,
        which: &WhichEntries,
        options: &ReadOptions,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Self, Refused> {
        let format = Format::of(Path::new(source.name()));
        let is_c = |it: &&Format| it.is_unit() || it.extension == "compile_commands.json";
        let Some(format) = format.filter(is_c) else {
            return Err(Refused::error(
                format!("{}: runs begin at functions of C programs", source.name()),
                "give a .c or .i file, or a compile_commands.json",
            ));
        };
        let mut clock = Clock::new(limits, watch);
        let (units, mut files, said) = only_units(&source, &options.for_c(), &mut clock)
            .map_err(|refused| stopped(refused, &clock))?;
        if clock.tick(&progress("reading the units")).is_break() {
            return Err(Refused::Limit(clock.hit()));
        }
        let names = match names(&units, which) {
            Ok(names) => names?,
            Err(errors) => return Err(wrong(&units, errors, &mut files)),
        };
        Ok(CEntries {
            source,
            format,
            options: options.clone(),
            units,
            files,
            said,
            names,
        })
    }

    /// The functions, in the order of the units or as they were named.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Remarks about the units.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// Its name: that of its file.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The program whose runs begin at one of the functions.
    ///
    /// # Errors
    ///
    /// If it cannot be built, or a limit is hit first.
    pub fn model(
        &self,
        name: &str,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Model, Refused> {
        let mut clock = Clock::new(limits, watch);
        let mut units = self.units.clone();
        let mut options = self.options.clone();
        // The program's own beginning has arguments of its own.
        let entry = (name != "main").then(|| name.to_owned());
        options.c.entry.clone_from(&entry);
        units.options.entry = entry;
        let content = built(units, self.files.clone(), &mut clock);
        let content = content.map_err(|refused| stopped(refused, &clock))?;
        let source = self.source.clone();
        Ok(Model::of_content(
            source,
            self.format,
            options,
            Box::new(content),
        ))
    }
}

/// The names of the functions; or what is wrong with the units.
fn names(
    units: &Units,
    which: &WhichEntries,
) -> Result<Result<Vec<String>, Refused>, recurva_cbuild::Errors> {
    let typed = units.typed().map_err(Clone::clone)?;
    let of_user = typed.iter().zip(units.texts.iter());
    let of_user = of_user.filter(|(_, text)| !text.is_library);
    let functions = of_user.flat_map(|(unit, _)| &unit.functions);
    let defined: Vec<_> = functions.filter(|it| it.body.is_some()).collect();
    let mut names: Vec<String> = Vec::new();
    match which {
        WhichEntries::External => {
            let external = defined.iter();
            let external = external.filter(|it| it.linkage == Linkage::External && !it.is_inline);
            names.extend(external.map(|it| it.name.to_string()));
            if names.is_empty() {
                return Ok(Err(Refused::error(
                    "no function of these units can be called by others",
                    "--entry FUNCTION names functions to begin at, static ones too",
                )));
            }
        }
        WhichEntries::Named(wanted) => {
            for name in wanted {
                if !defined.iter().any(|it| *it.name == **name) {
                    let all = defined.iter().map(|it| &*it.name);
                    return Ok(Err(Refused::error(
                        format!("the program has no function `{name}`"),
                        words::suggestion(name, all, "functions"),
                    )));
                }
                names.push(name.clone());
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    Ok(Ok(names))
}

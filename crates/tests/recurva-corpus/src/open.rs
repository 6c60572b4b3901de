//! From a case to what the façade is asked.

use std::path::Path;

use recurva_check::{
    About, Asked, CCheck, COptions, Limits, Model, Options, Property, Question, QuestionKind,
    ReadOptions, Refused, Said, Sort,
};
use recurva_model::Program;
use recurva_syntax::{Source, Style};

use crate::case::{Case, Dialect, Runs, Stack};

/// A case whose files have been read.
#[derive(Debug)]
pub struct Opened {
    /// The model.
    pub model: Model,
    /// What is asked of it.
    pub asked: Asked,
    /// Which runs are asked about; all else is the default.
    pub options: Options,
}

impl Case {
    /// Reads the files of the case. What is found in a C program is not compiled and executed, which
    /// takes long.
    ///
    /// # Errors
    ///
    /// What is wrong with them, as a user would see it.
    pub fn open(&self) -> Result<Opened, String> {
        self.open_for(false)
    }

    /// The same, and what is found in a C program is compiled and executed.
    ///
    /// # Errors
    ///
    /// As above.
    pub fn open_to_execute(&self) -> Result<Opened, String> {
        self.open_for(true)
    }

    fn open_for(&self, execute: bool) -> Result<Opened, String> {
        let checks = self.check.iter().map(|name| {
            let mut known = CCheck::ALL.into_iter();
            known
                .find(|check| check.name() == name)
                .ok_or_else(|| format!("no check is called {name}"))
        });
        let is_c = self.model.extension().is_some_and(|it| it == "c");
        let read_options = ReadOptions {
            dialect: match self.dialect {
                Dialect::Boppo => recurva_check::Dialect::Boppo,
                Dialect::Moped => recurva_check::Dialect::Moped,
            },
            letters: self.letters,
            arithmetic: self.check_arithmetic,
            c: COptions {
                checks: checks.collect::<Result<_, _>>()?,
                malloc_may_fail: self.malloc_may_fail,
                entry: self.entry.clone(),
                execute: execute || !is_c,
                ..COptions::default()
            },
        };
        let source = read(&self.model)?;
        let model = Model::read(source, &read_options, Limits::default(), &mut ());
        let model = model.map_err(|refused| told(&refused))?;
        let list = |asked: &Option<String>| asked.iter().cloned().collect();
        let asked = Asked {
            reach: list(&self.reach),
            repeat: list(&self.repeat),
            ltl: list(&self.ltl),
            caret: list(&self.caret),
            ntmu: list(&self.ntmu),
            assertion: None,
            matched_only: false,
            spec: self.spec.as_deref().map(read).transpose()?,
            property: self.property.clone(),
        };
        // Said in full: an engine that is asked without the façade does not know what is usual.
        let runs = match (model.sort(), self.runs) {
            (Sort::Program | Sort::C, Runs::Stutter) => recurva_check::Runs::Stutter,
            (Sort::System, _) => recurva_check::Runs::Usual,
            _ => recurva_check::Runs::Infinite,
        };
        let stack = match self.stack {
            Stack::Any => recurva_check::Stack::Any,
            Stack::Finite => recurva_check::Stack::Finite,
            Stack::Diverging => recurva_check::Stack::Diverging,
        };
        Ok(Opened {
            model,
            asked,
            options: Options {
                runs,
                stack,
                ..Options::default()
            },
        })
    }
}

impl Opened {
    /// The question; several if it is a monitor of PAL with several guards, and then the case is
    /// violated if one of them is.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as a user would see it.
    pub fn questions(&self) -> Result<Vec<Question<'_>>, String> {
        let questions = self.model.questions(&self.asked);
        let list = questions.map_err(|refused| told(&refused))?.list;
        match &list[..] {
            [] => Err("the case asks nothing".to_owned()),
            [_] => Ok(list),
            [first, ..] if first.kind() == QuestionKind::Pal => Ok(list),
            _ => Err("the case asks more than one question".to_owned()),
        }
    }
}

/// The program and the property that a question is about, for engines that are asked without the
/// façade; `None` if it is not about the runs of a program.
pub fn runs<'q>(question: &'q Question<'_>) -> Option<(&'q Program, &'q Property)> {
    match question.context().about {
        About::Runs(about) => Some((about.program, about.property)),
        About::Branching { .. } | About::System => None,
    }
}

/// Reads a file.
///
/// # Errors
///
/// Why it cannot be read.
pub fn read(path: &Path) -> Result<Source, String> {
    recurva_check::open(path).map_err(|refused| told(&refused))
}

/// All that a user would be told.
fn told(refused: &Refused) -> String {
    let Refused::Said(said) = refused else {
        return refused.first();
    };
    let lines = said.iter().map(|said| match said {
        Said::Text(source, diagnostics) => diagnostics.render(source, Style::Plain),
        Said::Error { text, help } | Said::Note { text, help } => match help {
            Some(help) => format!("{text}: {help}"),
            None => text.clone(),
        },
        Said::Detail(text) => text.clone(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

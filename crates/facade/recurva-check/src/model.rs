//! Models: a text of any known format, read.

use std::{fs, io, path::Path};

use recurva_draw::Drawing;
use recurva_model::Program;
use recurva_syntax::Source;

use crate::{
    Asked, CFlow, CFlowKind, Contracts, Format, Limits, Question, QuestionKind, ReadOptions,
    Refused, Said, Watch,
    asked::{SPEC_FORMATS, Sort, senseless},
    content::{Content, Converted, Offer, Picture},
    options::Options,
    watch::Clock,
};

/// A model that has been read.
#[derive(Debug)]
pub struct Model {
    source: Source,
    format: &'static Format,
    options: ReadOptions,
    content: Box<dyn Content>,
    said: Vec<Said>,
}

/// The questions asked of a model, and what else is to be said about them.
#[derive(Debug, Default)]
pub struct Questions<'m> {
    /// The questions, in the order in which they were asked.
    pub list: Vec<Question<'m>>,
    /// Warnings and remarks.
    pub said: Vec<Said>,
    /// Of a C program: how many clauses of its annotations were not shown to hold.
    pub unshown_clauses: usize,
}

impl Model {
    /// Reads a model. The name of the text says its format.
    ///
    /// # Errors
    ///
    /// If it is no model, or a limit is hit first.
    pub fn read(
        source: Source,
        options: &ReadOptions,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Self, Refused> {
        let Some(format) = Format::of(Path::new(source.name())) else {
            return Err(unknown_format(source.name()));
        };
        Self::read_as(source, format, options, limits, watch)
    }

    /// Reads a model of a format.
    ///
    /// # Errors
    ///
    /// If it is no such model, or a limit is hit first.
    pub fn read_as(
        source: Source,
        format: &'static Format,
        options: &ReadOptions,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Self, Refused> {
        let mut clock = Clock::new(limits, watch);
        let parsed = (format.read)(&source, options, &mut clock).map_err(Refused::Limit)?;
        let mut said = parsed.said;
        if !parsed.diagnostics.is_empty() {
            said.insert(0, Said::Text(source.clone(), parsed.diagnostics));
        }
        let Some(content) = parsed.content else {
            return Err(Refused::Said(said));
        };
        let has_letters = matches!(content.sort(), Sort::Machine | Sort::Pushdown);
        if options.letters && !has_letters {
            return Err(Refused::Said(vec![Said::error_if(
                "--letters is for flat machines (.rsm and .pds): this model has no letters",
                None,
            )]));
        }
        if let Some(option) = options.c.given().filter(|_| content.sort() != Sort::C) {
            return Err(Refused::error(
                format!("{option} is for C programs, and {} is none", source.name()),
                "C programs are .c, .i and .yml files, and compile_commands.json",
            ));
        }
        Ok(Model {
            source,
            format,
            options: options.clone(),
            content,
            said,
        })
    }

    /// A model that was read in some other way.
    pub(crate) fn of_content(
        source: Source,
        format: &'static Format,
        options: ReadOptions,
        content: Box<dyn Content>,
    ) -> Self {
        Model {
            source,
            format,
            options,
            content,
            said: Vec::new(),
        }
    }

    /// Its text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Texts that it was made from besides its own, whose places follow.
    pub fn more(&self) -> &[Source] {
        self.content.more()
    }

    /// Its name: that of its file.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Its format.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// How it was read.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// Warnings about its text.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// What kind of thing it is.
    pub fn sort(&self) -> Sort {
        self.content.sort()
    }

    /// The program, if it is one or was made into one.
    pub fn program(&self) -> Option<&Program> {
        self.content.program()
    }

    /// The questions asked.
    ///
    /// # Errors
    ///
    /// If one of them is wrong, or makes no sense of such a model.
    pub fn questions(&self, asked: &Asked) -> Result<Questions<'_>, Refused> {
        self.questions_within(asked, Limits::default(), &mut ())
    }

    /// The questions asked, within limits: a C program is made ready for each kind of question.
    ///
    /// # Errors
    ///
    /// If one of them is wrong, makes no sense of such a model, or a limit is hit first.
    pub fn questions_within(
        &self,
        asked: &Asked,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Questions<'_>, Refused> {
        if let Some(spec) = &asked.spec
            && QuestionKind::of_file(spec.name()).is_none()
        {
            return Err(no_spec_format(spec.name()));
        }
        for kind in asked.kinds() {
            if let Some(senseless) = senseless(self.sort(), kind) {
                let text = format!("{}: {}", kind.option(), senseless.reason);
                return Err(Refused::error(text, senseless.instead));
            }
        }
        let has_named = asked.spec.is_some() || self.sort() == Sort::System;
        if asked.property.is_some() && !has_named {
            return Err(Refused::error(
                "--property picks a property of a --spec file or of a system of any size",
                "add --spec FILE",
            ));
        }
        let mut said = Vec::new();
        let mut clock = Clock::new(limits, watch);
        let list = self.content.questions(self, asked, &mut said, &mut clock)?;
        Ok(Questions {
            list,
            said,
            unshown_clauses: self.content.unshown_clauses(),
        })
    }

    /// Data flow over the functions of a C program; `None` if it is none.
    ///
    /// # Errors
    ///
    /// If the program cannot be built as a whole.
    pub fn c_flow(&self, kind: CFlowKind) -> Option<Result<CFlow, Refused>> {
        self.content.flow(kind)
    }

    /// Checks what the annotations of a C program say: `//@ requires …` and its like, each function by
    /// itself, with the invariants of a correctness witness as help if there is one. `None` if it is no C
    /// program.
    ///
    /// # Errors
    ///
    /// If the program cannot be built, or a limit was hit.
    pub fn c_contracts(
        &self,
        witness: Option<&Source>,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Option<Result<Contracts, Refused>> {
        let mut clock = Clock::new(limits, watch);
        self.content.contracts(witness, &mut clock)
    }

    /// What can be asked of places of its text.
    pub fn offers(&self) -> Vec<Offer> {
        self.content.offers(self)
    }

    /// A drawing of it; `None` for a program, which reports draw with its text.
    ///
    /// # Errors
    ///
    /// If there is no such drawing of it.
    pub fn drawing(&self, picture: Picture) -> Result<Option<Drawing>, Refused> {
        self.content.drawing(self, picture)
    }

    /// Drawings of it besides that of its program.
    pub fn drawings(&self) -> Vec<Drawing> {
        self.content.drawings(self)
    }

    /// Its parts as regular expressions, each with its name; of a system of any size only.
    pub fn expressions(&self) -> Option<Vec<(String, String)>> {
        self.content.expressions()
    }

    /// Itself in another format; `None` if there is no such conversion.
    pub fn converted(
        &self,
        to: &Format,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Option<Converted> {
        self.content.converted(self, to, options, watch)
    }
}

/// Opens a text file.
///
/// # Errors
///
/// Why it cannot be read.
pub fn open(path: &Path) -> Result<Source, Refused> {
    let name = path.display().to_string();
    let wrong = |text: String| Refused::Said(vec![Said::error_if(text, None)]);
    if path.is_dir() {
        return Err(wrong(format!("{name}: this is a folder, not a file")));
    }
    let bytes = fs::read(path).map_err(|cause| {
        let reason = match cause.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "no permission to read this file".to_owned(),
            _ => cause.to_string(),
        };
        wrong(format!("{name}: {reason}"))
    })?;
    Source::from_bytes(name, bytes).map_err(|cause| wrong(cause.to_string()))
}

fn unknown_format(name: &str) -> Refused {
    Refused::error(
        format!("{name}: this is no model format recurva knows"),
        format!("models are {}", Format::list()),
    )
}

fn no_spec_format(name: &str) -> Refused {
    let mut kinds: Vec<&str> = Vec::new();
    for (.., kind) in SPEC_FORMATS {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let listed = kinds.iter().map(|kind| {
        let of_kind = SPEC_FORMATS.iter().filter(|(.., it)| it == kind);
        let extensions: Vec<String> = of_kind.map(|(name, ..)| format!(".{name}")).collect();
        format!("{} ({kind})", extensions.join(", "))
    });
    let listed: Vec<String> = listed.collect();
    Refused::error(
        format!("{name}: this is no property format recurva knows"),
        format!("properties are {}", listed.join(", ")),
    )
}

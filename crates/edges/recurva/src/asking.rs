//! From the command line to the façade: the model, the questions, and how they are answered.

use std::{
    io::{self, Read},
    path::Path,
};

use recurva_check::{
    Asked, CEntries, Certify, Dialect, FORMATS, Format, Limits, Model, Options, Order, Questions,
    ReadOptions, Reductions, Refused, Runs, Said, Stack, Threads, WhichEntries, open,
};
use recurva_process::{
    Exit, Line,
    amounts::cores,
    output::{self, Loudness},
};
use recurva_syntax::Source;

use crate::{
    c::Extra,
    options::{self, QuestionArguments},
    rules,
};

impl QuestionArguments {
    /// How much is printed.
    pub(crate) fn loudness(&self) -> Loudness {
        Loudness {
            quiet: self.quiet,
            verbose: self.verbose,
        }
    }

    /// The files that are read, none of which may be written to.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        let all = std::iter::once(&*self.model).chain(self.c.inputs());
        all.chain(self.spec.as_deref()).collect()
    }

    /// How the model is read.
    fn read_options(&self) -> Result<ReadOptions, Refused> {
        Ok(ReadOptions {
            dialect: match self.dialect {
                options::Dialect::Boppo => Dialect::Boppo,
                options::Dialect::Moped => Dialect::Moped,
            },
            letters: self.letters,
            arithmetic: self.check.contains(&Extra::Arithmetic),
            c: self.c.options(&self.check)?,
        })
    }

    /// How the questions are answered.
    pub(crate) fn options(&self) -> Options {
        Options {
            engine: self.engine,
            threads: match self.threads.or_else(cores) {
                Some(1) => Threads::One,
                _ => Threads::Two,
            },
            order: match self.order {
                options::Order::Dfs => Order::DepthFirst,
                options::Order::Bfs => Order::ShortestFirst,
            },
            slice: !self.no_slice,
            reductions: Reductions {
                liveness: !self.no_liveness,
                laziness: !self.no_lazy,
            },
            merge: !self.no_quotient,
            max_states: self.max_states,
            stack: match self.stack {
                options::Stack::Any => Stack::Any,
                options::Stack::Finite => Stack::Finite,
                options::Stack::Diverging => Stack::Diverging,
            },
            runs: match self.runs {
                None => Runs::Usual,
                Some(options::Runs::Stutter) => Runs::Stutter,
                Some(options::Runs::Infinite) => Runs::Infinite,
            },
            certify: Certify::Briefly,
            limits: self.limits.limits(),
        }
    }

    /// Reads the units of a C program in which runs begin at many functions; the limit on time is for each of
    /// these. On an error everything has been said.
    pub(crate) fn read_entries(&self, which: &WhichEntries) -> Result<CEntries, Exit> {
        let limits = Limits {
            time: None,
            ..self.limits.limits()
        };
        let mut line = Line::new(self.quiet);
        let entries = self.read_options().and_then(|options| {
            CEntries::read(open(&self.model)?, which, &options, limits, &mut line)
        });
        drop(line);
        let entries = entries.map_err(|refused| output::refused(&refused, self.loudness()))?;
        output::said(entries.said(), self.loudness());
        Ok(entries)
    }

    /// Reads the model. On an error everything has been said.
    pub(crate) fn read(&self) -> Result<Model, Exit> {
        if self.c.which().is_some() {
            let text = "runs of one command begin at one function, except for check";
            let help = "give --entry FUNCTION once";
            return Err(output::refused(
                &Refused::error(text, help),
                self.loudness(),
            ));
        }
        let options = self.read_options();
        let model = options.and_then(|options| read(&self.model, &options, self));
        let model = model.map_err(|refused| output::refused(&refused, self.loudness()))?;
        output::said(model.said(), self.loudness());
        Ok(model)
    }

    /// What is asked. On an error everything has been said.
    pub(crate) fn asked(&self) -> Result<Asked, Exit> {
        let spec = self.spec.as_deref().map(rules::open_spec).transpose();
        let spec = spec.map_err(|refused| output::refused(&refused, self.loudness()))?;
        Ok(Asked {
            reach: self.reach.clone(),
            repeat: self.repeat.clone(),
            ltl: self.ltl.clone(),
            caret: self.caret.clone(),
            ntmu: self.ntmu.clone(),
            assertion: None,
            spec,
            property: self.property.clone(),
            matched_only: false,
        })
    }
}

fn read(
    path: &Path,
    options: &ReadOptions,
    arguments: &QuestionArguments,
) -> Result<Model, Refused> {
    let limits = arguments.limits.limits();
    let mut line = Line::new(arguments.quiet);
    if path.as_os_str() == "-" {
        let bp = FORMATS[0];
        return Model::read_as(standard_input()?, bp, options, limits, &mut line);
    }
    // A file of a format that nobody knows is not read at all.
    if !path.is_dir() && Format::of(path).is_none() {
        let empty = Source::new(path.display().to_string(), "");
        let empty = empty.map_err(|cause| wrong(cause.to_string()))?;
        return Model::read(empty, options, limits, &mut line);
    }
    Model::read(open(path)?, options, limits, &mut line)
}

fn standard_input() -> Result<Source, Refused> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|cause| wrong(format!("<stdin>: {cause}")))?;
    Source::from_bytes("<stdin>", bytes).map_err(|cause| wrong(cause.to_string()))
}

fn wrong(text: String) -> Refused {
    Refused::Said(vec![Said::error_if(text, None)])
}

/// The questions of several, in order. On an error everything has been said.
pub(crate) fn questions_of_all<'m>(
    model: &'m Model,
    asked: &[Asked],
    options: &Options,
    loudness: Loudness,
) -> Result<Questions<'m>, Exit> {
    let mut all = Questions::default();
    for asked in asked {
        let more = questions(model, asked, options, loudness)?;
        all.list.extend(more.list);
        all.said.extend(more.said);
        all.unshown_clauses = more.unshown_clauses;
    }
    Ok(all)
}

/// The questions asked of a model, all of which can be answered with these options. On an error
/// everything has been said.
pub(crate) fn questions<'m>(
    model: &'m Model,
    asked: &Asked,
    options: &Options,
    loudness: Loudness,
) -> Result<Questions<'m>, Exit> {
    let refused = |refused: Refused| output::refused(&refused, loudness);
    let mut line = Line::new(loudness.quiet);
    let questions = model.questions_within(asked, options.limits, &mut line);
    drop(line);
    let questions = questions.map_err(refused)?;
    output::said(&questions.said, loudness);
    for question in &questions.list {
        question.fits(options).map_err(refused)?;
    }
    Ok(questions)
}

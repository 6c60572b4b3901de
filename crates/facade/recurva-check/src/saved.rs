//! Evidence in trace files, and questions asked again from them.

use recurva_lang::bp;
use recurva_syntax::Source;
use recurva_trace::{Dialect, Options as SavedOptions, Question as SavedQuestion, Recording};

pub use recurva_trace::{End, FileMark, Run as SavedRun, TraceFile};

use crate::{
    Answer, Asked, COptions, Evidence, Options, Question, ReadOptions, Refused, Runs, Sort, Stack,
    branching,
};

/// What a trace file asks, so that it can be asked again of the model as it is now.
#[derive(Debug)]
pub struct AskedAgain {
    /// How to read the model.
    pub read: ReadOptions,
    /// What to ask.
    pub asked: Asked,
    /// Which runs it is about.
    pub options: Options,
}

impl AskedAgain {
    /// The question of a file. `spec` is the text of the file that its property is in: see
    /// [`AskedAgain::spec`].
    ///
    /// # Errors
    ///
    /// If there is a file of properties and none is needed, or the other way round.
    pub fn of(file: &TraceFile, spec: Option<&Source>) -> Result<Self, Refused> {
        AskedAgain::as_saved(&file.question, &file.options, spec)
    }

    /// A question as it was saved.
    pub(crate) fn as_saved(
        question: &SavedQuestion,
        options: &SavedOptions,
        spec: Option<&Source>,
    ) -> Result<Self, Refused> {
        let mut again = AskedAgain {
            read: ReadOptions::default(),
            asked: Asked::default(),
            options: Options::default(),
        };
        let asked = &mut again.asked;
        match question {
            SavedQuestion::Own { arithmetic } => again.read.arithmetic = *arithmetic,
            SavedQuestion::Reach { label } => asked.reach.push(label.clone()),
            SavedQuestion::Repeat { label } => asked.repeat.push(label.clone()),
            SavedQuestion::Ltl { formula } => asked.ltl.push(formula.clone()),
            SavedQuestion::Caret { formula } => asked.caret.push(formula.clone()),
            SavedQuestion::Ntmu { formula } => asked.ntmu.push(formula.clone()),
            SavedQuestion::System { name } => asked.property = Some(name.clone()),
            SavedQuestion::Spec { name, .. } => {
                let Some(spec) = spec else {
                    return Err(Refused::error(
                        "the property is in a file",
                        "give it with --spec FILE",
                    ));
                };
                // An automaton may have no name but that of its file.
                let is_named = !matches!(spec.name().rsplit_once('.'), Some((_, "hoa" | "nta")));
                asked.property = is_named.then(|| name.clone());
                asked.spec = Some(spec.clone());
            }
        }
        if spec.is_some() && asked.spec.is_none() {
            return Err(Refused::Said(vec![crate::Said::error_if(
                "--spec: the property is in no file",
                None,
            )]));
        }
        let SavedOptions {
            dialect,
            letters,
            stack,
            runs,
            c,
        } = options;
        if let Some(c) = c {
            again.read.c = COptions::again(c)?;
        }
        again.read.letters = *letters;
        again.read.dialect = match dialect {
            None | Some(Dialect::Boppo) => bp::Dialect::Boppo,
            Some(Dialect::Moped) => bp::Dialect::Moped,
        };
        again.options.stack = match stack {
            None | Some(recurva_trace::Stack::Any) => Stack::Any,
            Some(recurva_trace::Stack::Finite) => Stack::Finite,
            Some(recurva_trace::Stack::Diverging) => Stack::Diverging,
        };
        again.options.runs = match runs {
            None => Runs::Usual,
            Some(recurva_trace::Runs::Stutter) => Runs::Stutter,
            Some(recurva_trace::Runs::Infinite) => Runs::Infinite,
        };
        Ok(again)
    }

    /// The name of the file that the property of a trace file is in, if it is in one.
    pub fn spec(file: &TraceFile) -> Option<&FileMark> {
        AskedAgain::spec_of(&file.question)
    }

    pub(crate) fn spec_of(question: &SavedQuestion) -> Option<&FileMark> {
        match question {
            SavedQuestion::Spec { file, .. } => Some(file),
            _ => None,
        }
    }
}

impl Question<'_> {
    /// The evidence of an answer to this question as a trace file, if it is of a kind that can be
    /// kept. `end` says for people what it comes to.
    pub fn saved(&self, answer: &Answer<'_>, options: &Options, end: End) -> Option<TraceFile> {
        let run = match answer.evidence.as_ref()? {
            Evidence::Run(replayed) => {
                let recording = Recording::of(replayed.program(), replayed.trace().clone());
                SavedRun::Trace(recording)
            }
            Evidence::Words(words) => SavedRun::Words(recurva_trace::Words {
                stem: words.stem.clone(),
                turn: words.turn.clone(),
                process: words.process.and_then(|it| u32::try_from(it).ok()),
            }),
            Evidence::Strategy(refutation) => SavedRun::Strategy(branching::record(refutation)),
            Evidence::Invariant(_) | Evidence::Proof(_) | Evidence::NoFairLoop(_) => return None,
        };
        let source = self.model.source();
        Some(TraceFile {
            property: self.name.clone(),
            model: FileMark::of(source.name(), source.text()),
            question: self.asked.clone(),
            options: self.saved_options(options),
            end,
            run,
        })
    }

    pub(crate) fn saved_options(&self, options: &Options) -> SavedOptions {
        // Asking a C program for it may mean to make it.
        if self.model.sort() != Sort::C && self.model.program().is_none() {
            return SavedOptions::default();
        }
        let infinite = self.is_infinite() == Some(true);
        let stack = match options.stack {
            Stack::Any => recurva_trace::Stack::Any,
            Stack::Finite => recurva_trace::Stack::Finite,
            Stack::Diverging => recurva_trace::Stack::Diverging,
        };
        let runs = match options.runs {
            Runs::Usual => None,
            Runs::Stutter => Some(recurva_trace::Runs::Stutter),
            Runs::Infinite => Some(recurva_trace::Runs::Infinite),
        };
        let read = self.model.options();
        SavedOptions {
            dialect: Some(match read.dialect {
                bp::Dialect::Boppo => Dialect::Boppo,
                bp::Dialect::Moped => Dialect::Moped,
            }),
            letters: read.letters,
            stack: infinite.then_some(stack),
            runs: runs.filter(|_| infinite),
            c: (self.model.sort() == Sort::C).then(|| read.c.saved()),
        }
    }
}

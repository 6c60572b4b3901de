//! Questions about large programs, in two stages: first about a slice, then about all of it.
//!
//! What holds of a slice holds of the program. A run of a slice counts only once the whole program has been
//! executed along it. If neither comes of it, the whole program is searched, unless it is too large.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use recurva_certificate::file::ProofFile;

use super::{
    CContent,
    ask::{hash, in_all},
    lowered::{CProgram, Cut, Extent, Purpose, edges},
};
use crate::{
    About, Answer, Engine, InternalError, Limit, Model, Note, Options, Property, Question,
    QuestionKind, Refused, Rejected, Verdict, Watch, question::Ask, saved::SavedRun, watch::Clock,
};

/// The slice gets this part of the time, or so long if there is no limit.
const SHARE: u32 = 2;
const LONG: Duration = Duration::from_secs(120);

/// No search begins of a program of more steps than this: what points where would take all memory.
pub(super) const MOST: usize = 4_000;

/// Which errors of a program count.
#[derive(Clone, Debug)]
pub(super) enum Counted {
    /// All: the program's own property.
    Own,
    /// All, or those in functions of a name: something must not be reached.
    Reached {
        /// The property in words.
        name: String,
        /// In which functions.
        function: Option<String>,
    },
}

impl Counted {
    /// The property of a program.
    pub(super) fn property(&self, program: &CProgram) -> Property {
        match self {
            Counted::Own => Property::own(&program.program),
            Counted::Reached { name, function } => {
                let mut points = program.lowered.error_points();
                points.retain(|point| {
                    let inside = program.lowered.functions[point.procedure.index()];
                    let inside = inside.map(|id| &program.built.module.function(id).name);
                    let is_inside = |name: &String| inside.is_some_and(|it| **it == **name);
                    function.as_ref().is_none_or(is_inside)
                });
                Property::Unreachable {
                    name: name.clone(),
                    points,
                }
            }
        }
    }
}

/// A question in two stages.
#[derive(Debug)]
pub(super) struct InStages<'m> {
    content: &'m CContent,
    model: &'m Model,
    purpose: Purpose,
    counted: Counted,
    kind: QuestionKind,
    asked: recurva_trace::Question,
    /// The slice as a program.
    sliced: Arc<CProgram>,
    /// The question about it.
    slice: Question<'m>,
    /// The question about all of the program, once it is asked.
    whole: OnceLock<Question<'m>>,
    /// Whether the answer is about all of the program.
    is_whole: AtomicBool,
}

impl<'m> InStages<'m> {
    /// A question about errors, which begins with a slice.
    pub(super) fn question(
        content: &'m CContent,
        model: &'m Model,
        sliced: Arc<CProgram>,
        counted: Counted,
        kind: QuestionKind,
        asked: recurva_trace::Question,
    ) -> Question<'m> {
        let property = counted.property(&sliced);
        let slice = content.about(model, sliced.clone(), property, kind, asked.clone());
        let purpose = Purpose {
            extent: Extent::Whole,
            ..sliced.purpose.clone()
        };
        Question {
            model,
            name: slice.name.clone(),
            kind,
            asked: asked.clone(),
            declared: None,
            ask: Box::new(InStages {
                content,
                model,
                purpose,
                counted,
                kind,
                asked,
                sliced,
                slice,
                whole: OnceLock::new(),
                is_whole: AtomicBool::new(false),
            }),
        }
    }

    fn cut(&self) -> Option<&Cut> {
        self.sliced.cut.as_ref()
    }

    /// The question about all of the program.
    fn whole(&self, clock: &mut Clock<'_>) -> Result<&Question<'m>, Refused> {
        if let Some(known) = self.whole.get() {
            return Ok(known);
        }
        let program = Arc::new(self.content.lower(&self.purpose, clock)?);
        let property = self.counted.property(&program);
        let (kind, asked) = (self.kind, self.asked.clone());
        let question = self
            .content
            .about(self.model, program, property, kind, asked);
        Ok(self.whole.get_or_init(|| question))
    }

    /// The question that was answered last.
    fn current(&self) -> &Question<'m> {
        let is_whole = self.is_whole.load(Ordering::Relaxed);
        let whole = self.whole.get().filter(|_| is_whole);
        whole.unwrap_or(&self.slice)
    }

    /// What the slice is, in words.
    fn remark(&self, verb: &str) -> Note {
        let figures = self.cut().map(|it| it.kept.figures).unwrap_or_default();
        Note::new(format!(
            "{verb} a slice: {} of {} functions, {} of {} steps",
            figures.kept_functions, figures.functions, figures.kept_edges, figures.edges
        ))
    }

    /// What is found in the whole program in the time that is left.
    fn of_whole<'q>(
        &'q self,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'q>, InternalError> {
        let whole = match self.whole(clock) {
            Ok(whole) => whole,
            Err(Refused::Limit(limit)) => {
                return Ok(Answer::new(Verdict::Unknown(limit), "building the program"));
            }
            Err(Refused::Internal(cause)) => return Err(InternalError::Witness(cause)),
            Err(refused @ Refused::Said(_)) => {
                let mut answer = Answer::new(Verdict::Unknown(Limit::NotModelled), "none");
                answer.notes.push(Note::new(refused.first()));
                return Ok(answer);
            }
        };
        self.is_whole.store(true, Ordering::Relaxed);
        let limits = clock.left();
        whole.answer(&Options { limits, ..*options }, clock.watch())
    }
}

impl Ask for InStages<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        let mut clock = Clock::new(options.limits, watch);
        self.is_whole.store(false, Ordering::Relaxed);
        let mut notes = Vec::new();
        if options.slice {
            let steps = self.cut().map_or(0, |it| edges(&it.whole));
            let mut limits = options.limits;
            if steps <= MOST {
                limits.time = Some(limits.time.map_or(LONG, |time| time / SHARE));
            }
            let mut answer = self
                .slice
                .answer(&Options { limits, ..*options }, clock.watch())?;
            let is_done = match answer.verdict {
                Verdict::Holds | Verdict::Violated => true,
                Verdict::Unknown(limit) => limit == Limit::Interrupted,
            };
            if is_done {
                answer.notes.insert(0, self.remark("found in"));
                answer.stats.seconds = clock.seconds();
                return Ok(answer);
            }
            if steps > MOST {
                let text = format!(
                    "the whole program, of {steps} steps, was not searched: that is too much"
                );
                answer.notes.insert(0, self.remark("searched was only"));
                answer.notes.insert(1, Note::new(text));
                answer.stats.seconds = clock.seconds();
                return Ok(answer);
            }
            notes.push(self.remark("nothing was decided by"));
        }
        let mut answer = self.of_whole(options, &mut clock)?;
        if !matches!(answer.verdict, Verdict::Holds | Verdict::Violated) {
            answer.notes.splice(0..0, notes);
        }
        in_all(&mut answer, options);
        answer.stats.seconds = clock.seconds();
        Ok(answer)
    }

    fn about(&self) -> About<'_> {
        self.current().ask.about()
    }

    fn is_infinite(&self) -> Option<bool> {
        self.slice.is_infinite()
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        self.is_whole.store(false, Ordering::Relaxed);
        let first = match self.slice.replay(run, options) {
            Ok(answer) => return Ok(answer),
            Err(rejected) => rejected,
        };
        let mut watch = ();
        let mut clock = Clock::new(options.limits, &mut watch);
        let Ok(whole) = self.whole(&mut clock) else {
            return Err(first);
        };
        self.is_whole.store(true, Ordering::Relaxed);
        whole.replay(run, options)
    }

    fn verify<'q>(
        &'q self,
        proof: &ProofFile,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, Rejected> {
        let mut clock = Clock::new(options.limits, watch);
        self.is_whole.store(false, Ordering::Relaxed);
        let first = match self.slice.verify(proof, options, clock.watch()) {
            Ok(answer) => return Ok(answer),
            Err(rejected) => rejected,
        };
        let Ok(whole) = self.whole(&mut clock) else {
            return Err(first);
        };
        self.is_whole.store(true, Ordering::Relaxed);
        whole.verify(proof, options, clock.watch())
    }

    fn contents(&self) -> Vec<String> {
        let mut all = self.slice.contents();
        let whole = self
            .cut()
            .map(|it| hash(&it.whole, &self.purpose, &self.slice.name));
        all.extend(whole);
        all
    }

    fn answered(&self) -> usize {
        usize::from(self.is_whole.load(Ordering::Relaxed))
    }

    fn known_to_hold(&self) -> Option<Answer<'_>> {
        self.slice.known_to_hold()
    }

    fn fits(&self, engine: Engine) -> Result<(), Refused> {
        self.slice.ask.fits(engine)
    }
}

//! A question about a C program: what the engines say about the program that stands for it, and what
//! that means for the C program.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use recurva_certificate::file::ProofFile;
use recurva_cir::Module;
use recurva_cmodel::{NoteKind, Precision, Trials, trial_runs};
use recurva_model::{Patience, Variable};
use recurva_trace::sha256;

use super::{
    assumed::assumed,
    confirm::{Confirmed, confirm},
    contents::contents,
    infinite::confirm_infinite,
    lowered::{CProgram, Purpose},
    plain::Refuted,
    rule::Watched,
};
use crate::{
    About, Answer, Engine, Evidence, InternalError, Limit, Note, Options, Progress, Property,
    Question, Refused, Rejected, Runs, Verdict, Watch, Work, WorksOn, programs, question::Ask,
    saved::SavedRun, watch::Clock,
};

/// How long a search may look for a shorter run than the one that is known.
const SHORTER: Duration = Duration::from_secs(2);

/// The steps of all trials together where there is no search.
const MANY_STEPS: u64 = 1 << 26;

/// No search begins if a state may take more bits than this.
const SEARCHED_BITS: u64 = 1 << 20;

/// A question about a C program.
#[derive(Debug)]
pub(super) struct CQuestion<'m> {
    pub(super) content: Watched<'m>,
    pub(super) program: Arc<CProgram>,
    /// The same question about the program that stands for it.
    pub(super) inner: Box<dyn Ask + 'm>,
    /// The program that the run is of, if it was met with in looking for a proof.
    pub(super) refuted: OnceLock<Refuted>,
}

/// A question that is about runs of one kind, whatever the options say.
#[derive(Debug)]
struct WithRuns<'m> {
    inner: Box<dyn Ask + 'm>,
    runs: Runs,
}

impl<'m> CQuestion<'m> {
    /// A question about the lowered program as one about the C program.
    pub(super) fn around(
        question: Question<'m>,
        content: Watched<'m>,
        program: Arc<CProgram>,
    ) -> Question<'m> {
        let ask = CQuestion {
            content,
            program,
            inner: question.ask,
            refuted: OnceLock::new(),
        };
        Question {
            ask: Box::new(ask),
            ..question
        }
    }

    /// The same question about runs of one kind.
    pub(super) fn with_runs(question: Question<'m>, runs: Runs) -> Question<'m> {
        Question {
            ask: Box::new(WithRuns {
                inner: question.ask,
                runs,
            }),
            ..question
        }
    }

    /// Nothing was found: does the model cover all runs?
    fn covered(
        &self,
        answer: &mut Answer<'_>,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<(), InternalError> {
        let lowered = &self.program.lowered;
        let is_branching = self.is_branching();
        // Of what there must be, a model with more runs than the program says nothing.
        let counts = lowered.notes.iter();
        let counts = counts.filter(|it| is_branching || it.leaves_out_runs());
        for note in counts {
            answer.verdict = Verdict::Unknown(Limit::NotModelled);
            answer
                .notes
                .push(self.note(difference(note.kind).to_owned(), note.origin));
        }
        match answer.holds() {
            true => self.complete(answer, options, clock),
            false => Ok(()),
        }
    }

    /// An answer that counts only if no run leaves what is modelled.
    fn complete(
        &self,
        answer: &mut Answer<'_>,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<(), InternalError> {
        let lowered = &self.program.lowered;
        if lowered.limits.is_empty() {
            return Ok(());
        }
        let property = Property::Unreachable {
            name: "no run leaves what is modelled".to_owned(),
            points: lowered.limit_points(),
        };
        let options = Options {
            limits: clock.left(),
            ..*options
        };
        let found = programs::check(&self.program.program, &property, &options, clock.watch())?;
        answer.verdict = match found.verdict {
            Verdict::Holds => return Ok(()),
            Verdict::Unknown(limit) => Verdict::Unknown(limit),
            Verdict::Violated => Verdict::Unknown(Limit::NotModelled),
        };
        answer.evidence = None;
        let point = found.run().map(|run| run.end().top().point());
        let reached = lowered.limits.iter().find(|it| Some(it.point) == point);
        if let Some(limit) = reached {
            let text = format!("a run comes to what is not modelled: {}", limit.reason);
            answer.notes.push(self.note(text, limit.origin));
        }
        Ok(())
    }

    /// Whether the question is about how the program branches.
    fn is_branching(&self) -> bool {
        matches!(self.inner.about(), About::Branching { .. })
    }

    /// A violation was found: is it one of the C program?
    fn confirmed(
        &self,
        answer: &mut Answer<'_>,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<(), InternalError> {
        if self.is_branching() {
            // Some of what a strategy claims is about all runs: none may be missing.
            if self.program.precision() != Precision::Exact {
                self.doubt(
                    answer,
                    "it is not known whether the strategy is one for the C program",
                );
                return Ok(());
            }
            return self.complete(answer, options, clock);
        }
        let precision = self.program.precision();
        let is_real = matches!(precision, Precision::Exact | Precision::Under);
        let confirmed = match &answer.evidence {
            // With a monitor woven into it, it is another program.
            Some(Evidence::Run(run)) if *run.program() != self.program.program => {
                Confirmed::NotTried("a monitor watches it".to_owned())
            }
            // It has no end by which it could be told from another run of the C program.
            Some(Evidence::Run(run)) if run.lasso().is_some() && !is_real => {
                Confirmed::NotTried("it is infinite".to_owned())
            }
            Some(Evidence::Run(run)) if run.lasso().is_some() => {
                confirm_infinite(&self.content, &self.program, run, clock)
            }
            Some(Evidence::Run(run)) => confirm(&self.content, &self.program, run, clock),
            _ => Confirmed::NotTried("it was not spelled out".to_owned()),
        };
        match confirmed {
            Confirmed::Yes(shown) => {
                answer.notes.extend(shown.notes);
                answer.test_case = shown.files;
                answer.c_run = shown.run;
            }
            Confirmed::NotTried(why) if is_real => {
                let text = format!("the run was not executed: {why}");
                answer.notes.push(Note::new(text));
            }
            Confirmed::NotTried(why) => {
                let text = "it is not known whether the run that was found is one of the C program";
                self.doubt(answer, &format!("{text}: it was not executed, as {why}"));
            }
            Confirmed::No(why) if is_real => return Err(InternalError::Witness(why)),
            Confirmed::No(why) => {
                let text = format!("a run was found that is none of the C program: {why}");
                self.doubt(answer, &text);
            }
        }
        Ok(())
    }

    /// Whether some runs can be tried.
    fn can_try(&self, options: &Options) -> bool {
        let is_reachability = match self.inner.about() {
            About::Runs(context) => matches!(context.property, Property::Unreachable { .. }),
            _ => false,
        };
        is_reachability && options.engine == Engine::Auto
    }

    /// Whether states are so large that a search would not get anywhere.
    fn is_too_large(&self) -> bool {
        let program = &self.program.program;
        let bits = |variables: &[Variable]| -> u64 {
            let bits = |it: &Variable| it.slots() as u64 * u64::from(it.ty.bits());
            variables.iter().map(bits).sum()
        };
        let locals = program.procedures().iter().map(|it| bits(&it.locals));
        bits(program.globals()) + locals.max().unwrap_or(0) > SEARCHED_BITS
    }

    /// A failing run that was met with by trying some.
    fn tried(&self, options: &Options, clock: &mut Clock<'_>) -> Option<Answer<'_>> {
        let About::Runs(context) = self.inner.about() else {
            return None;
        };
        let Property::Unreachable { points, .. } = context.property else {
            return None;
        };
        let mut ask = || clock.tick(&working());
        let mut patience = Patience::new(&mut ask);
        let mut trials = Trials::default();
        if self.is_too_large() {
            // Nothing else will be done.
            trials.steps = MANY_STEPS;
        }
        let found = trial_runs(context.program, points, trials, &mut patience);
        let trace = found.ok()??;
        let property = context.property;
        let mut answer = programs::confirm(context.program, property, trace, options).ok()?;
        answer.engine = "trial runs";
        Some(answer)
    }

    /// What a search within a short time finds, or else the run that is known, if it is one of C's.
    fn shorter<'q>(
        &'q self,
        mut tried: Answer<'q>,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'q>, InternalError> {
        let mut short = *options;
        let left = clock.left().time;
        short.limits.time = Some(left.map_or(SHORTER, |time| time.min(SHORTER)));
        if !self.is_too_large() {
            let mut found = self.inner.answer(&short, clock.watch())?;
            match found.verdict {
                // Both are about the same lowered program, and the run was replayed on it.
                Verdict::Holds => return Err(InternalError::Disagreement),
                Verdict::Violated if found.evidence.is_some() => {
                    self.confirmed(&mut found, options, clock)?;
                }
                Verdict::Violated | Verdict::Unknown(_) => {}
            }
            if found.verdict == Verdict::Violated && found.evidence.is_some() {
                return Ok(found);
            }
        }
        self.confirmed(&mut tried, options, clock)?;
        match tried.verdict {
            Verdict::Violated => Ok(tried),
            // The run is none of C's: as if there were none.
            _ => self.searched(options, clock),
        }
    }

    /// What a search finds, in all the time there is.
    pub(super) fn searched<'q>(
        &'q self,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'q>, InternalError> {
        if self.is_too_large() && options.engine == Engine::Auto {
            let mut answer = Answer::new(Verdict::Unknown(Limit::NotModelled), "trial runs");
            let text = "its arrays are too large for a search: only some runs were tried";
            answer.notes.push(Note::new(text));
            return Ok(answer);
        }
        let limits = clock.left();
        let mut answer = self
            .inner
            .answer(&Options { limits, ..*options }, clock.watch())?;
        match answer.verdict {
            Verdict::Holds => self.covered(&mut answer, options, clock)?,
            Verdict::Violated => self.confirmed(&mut answer, options, clock)?,
            Verdict::Unknown(_) => {}
        }
        Ok(answer)
    }

    /// What was found does not count.
    fn doubt(&self, answer: &mut Answer<'_>, why: &str) {
        answer.verdict = Verdict::Unknown(Limit::NotModelled);
        answer.evidence = None;
        answer.unfinished = None;
        answer.notes.push(Note::new(why));
        for note in &self.program.lowered.notes {
            let text = difference(note.kind).to_owned();
            answer.notes.push(self.note(text, note.origin));
        }
    }

    /// A remark about a place of the C program.
    pub(super) fn note(&self, text: String, origin: recurva_cir::Origin) -> Note {
        let place = self.content.place(origin);
        Note::new(text).at(place)
    }

    /// What the answer depends on.
    fn assumed(&self) -> Vec<Note> {
        let assumed = assumed(&self.program.built).into_iter();
        assumed
            .map(|(text, origin)| self.note(format!("assumed: {text}"), origin))
            .collect()
    }
}

/// What stands for the engine where an answer was known.
const KNOWN: &str = "known before";

/// What it depends on whether errors of a program are reached.
pub(super) fn hash(module: &Module, purpose: &Purpose, property: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let wanted = &purpose.wanted;
    let text = format!("{version}\n{property}\n{wanted:?}\n{}", contents(module));
    sha256(text.as_bytes())
}

/// If the time is over, all of it is: what was left of it in the end is not what the user knows.
pub(super) fn in_all(answer: &mut Answer<'_>, options: &Options) {
    if let (Verdict::Unknown(Limit::Time(_)), Some(time)) = (answer.verdict, options.limits.time) {
        answer.verdict = Verdict::Unknown(Limit::Time(time));
    }
}

fn working() -> Progress {
    Progress::from(Work {
        what: "trying some runs",
        ..Work::default()
    })
}

/// How the model differs from the program.
fn difference(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Float => "computations with floating-point numbers have any result",
        NoteKind::External => "a function without a body returns any value",
        NoteKind::Reused => "addresses of objects that are gone are used again",
        NoteKind::UnknownPointer => "an unknown pointer is taken to be null or to point nowhere",
        NoteKind::Addresses => "it computes with addresses, which differ from those of a real run",
    }
}

impl Ask for CQuestion<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        let mut clock = Clock::new(options.limits, watch);
        // A run that fails may be met with at once. A search is given a chance to find a shorter one.
        let tried = match self.can_try(options) {
            true => self.tried(options, &mut clock),
            false => None,
        };
        let mut answer = match tried {
            Some(tried) => self.shorter(tried, options, &mut clock)?,
            None => self.decided(options, &mut clock)?,
        };
        answer.notes.extend(self.assumed());
        in_all(&mut answer, options);
        answer.stats.seconds = clock.seconds();
        Ok(answer)
    }

    fn about(&self) -> About<'_> {
        match (self.inner.about(), self.refuted.get()) {
            (About::Runs(context), Some(refuted)) => About::Runs(refuted.context(context)),
            (about, _) => about,
        }
    }

    fn is_infinite(&self) -> Option<bool> {
        self.inner.is_infinite()
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        let mut answer = match self.inner.replay(run, options) {
            Ok(answer) => answer,
            // Or else it is one that was met with in looking for a proof.
            Err(rejected) => return self.replayed(run, options).ok_or(rejected),
        };
        let mut clock_watch = ();
        let mut clock = Clock::new(options.limits, &mut clock_watch);
        let confirmed = self.confirmed(&mut answer, options, &mut clock);
        confirmed.map_err(|cause| Rejected::new(cause.to_string()))?;
        match answer.verdict {
            Verdict::Violated => Ok(answer),
            _ => Err(Rejected::new("the run is none of the C program")),
        }
    }

    fn verify<'q>(
        &'q self,
        proof: &ProofFile,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, Rejected> {
        let mut clock = Clock::new(options.limits, watch);
        let mut answer = self.verified(proof, options, &mut clock)?;
        answer.notes.extend(self.assumed());
        answer.stats.seconds = clock.seconds();
        Ok(answer)
    }

    fn contents(&self) -> Vec<String> {
        match self.inner.about() {
            About::Runs(context) if matches!(context.property, Property::Unreachable { .. }) => {
                let name = context.property.name();
                vec![hash(
                    &self.program.built.module,
                    &self.program.purpose,
                    &name,
                )]
            }
            _ => Vec::new(),
        }
    }

    fn known_to_hold(&self) -> Option<Answer<'_>> {
        let mut answer = Answer::new(Verdict::Holds, KNOWN);
        answer.notes = self.assumed();
        Some(answer)
    }

    fn fits(&self, engine: Engine) -> Result<(), Refused> {
        match engine.works_on() {
            WorksOn::C => self.proves(engine),
            _ => self.inner.fits(engine),
        }
    }
}

impl Ask for WithRuns<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        let runs = self.runs;
        self.inner.answer(&Options { runs, ..*options }, watch)
    }

    fn about(&self) -> About<'_> {
        self.inner.about()
    }

    fn is_infinite(&self) -> Option<bool> {
        self.inner.is_infinite()
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        let runs = self.runs;
        self.inner.replay(run, &Options { runs, ..*options })
    }

    fn verify<'q>(
        &'q self,
        proof: &ProofFile,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, Rejected> {
        let runs = self.runs;
        self.inner
            .verify(proof, &Options { runs, ..*options }, watch)
    }

    fn fits(&self, engine: Engine) -> Result<(), Refused> {
        self.inner.fits(engine)
    }
}

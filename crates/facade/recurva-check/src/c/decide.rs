//! A question about a C program, decided by a search or by a proof beside it.

use std::{thread, time::Duration};

use recurva_certificate::file::ProofFile;
use recurva_cmodel::{Note as ModelNote, Precision};
use recurva_evidence::{Claim, Trace, Unreplayed, replay_with_patience};
use recurva_model::{Patience, Point};

use super::{
    ask::CQuestion,
    confirm::{Confirmed, confirm, working},
    plain::{Plain, Refuted},
    prove::{Answers, Beside, Outcome, Searched, Shared, attempt, work},
};
use crate::{
    About, Answer, Certify, Engine, Evidence, InternalError, Limit, Limits, Note, Options,
    Property, REPLAY, Refused, Rejected, SavedRun, Verdict, Work,
    proofs::{Proved, Task, VERIFY, verify},
    watch::Clock,
};

/// So long, and as long again as the search took, is waited for a proof of what a search says.
const BRIEFLY: Duration = Duration::from_secs(2);

/// Tells the one who proves to stop, whatever happens.
struct Stop<'s, T: Answers>(&'s Shared<T>);

impl<T: Answers> Drop for Stop<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A part of the memory there is: a search that needs all of it must not end those who look for a proof. What a
/// search knows of its memory is less than it takes.
fn part(limits: Limits, part: u64) -> Limits {
    Limits {
        memory: limits.memory.map(|it| it / part),
        ..limits
    }
}

impl CQuestion<'_> {
    /// The errors whose absence can be proved, if that is what is asked.
    fn provable(&self, options: &Options) -> Option<&[Point]> {
        let notes = &self.program.lowered.notes;
        if !options.engine.proves() || notes.iter().any(ModelNote::leaves_out_runs) {
            return None;
        }
        match self.inner.about() {
            About::Runs(context) => match context.property {
                // With a monitor woven into it, it is another program.
                Property::Unreachable { points, .. }
                    if *context.program == self.program.program && !points.is_empty() =>
                {
                    Some(points)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Refuses an engine for proofs if there can be none.
    pub(super) fn proves(&self, engine: Engine) -> Result<(), Refused> {
        let options = Options {
            engine,
            ..Options::default()
        };
        match self.provable(&options).is_some() || self.is_rankable(&options) {
            true => Ok(()),
            false => Err(Refused::error(
                format!(
                    "the engine {} does not prove such properties",
                    engine.name()
                ),
                "leave out --engine, or ask about errors, checks, labels or infinite runs",
            )),
        }
    }

    /// An answer by a proof from elsewhere.
    pub(super) fn verified(
        &self,
        file: &ProofFile,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'_>, Rejected> {
        let auto = Options {
            engine: Engine::Auto,
            ..*options
        };
        if self.is_rankable(&auto) {
            return self.verified_ranks(file, &auto, clock);
        }
        let Some(points) = self.provable(&auto) else {
            return Err(Rejected::new(
                "what is asked has no such proof, or the model leaves out runs of the program",
            ));
        };
        let plain = Plain::new(&self.content, &self.program, points, clock);
        let plain = plain.map_err(|refused| Rejected::new(refused.first()))?;
        let is_integer = plain.is_integer();
        let task = Task {
            engine: Engine::Auto,
            program: &plain.program.program,
            errors: &plain.errors,
            targets: &plain.targets,
            limits: clock.left(),
            is_integer: &is_integer,
        };
        let certified = verify(&task, file, &mut |work: Work| clock.tick(&work.into()))?;
        let mut answer = Answer::new(Verdict::Holds, VERIFY);
        answer.evidence = Some(Evidence::Proof(Box::new(certified)));
        Ok(answer)
    }

    /// What a search finds, or a proof beside it.
    pub(super) fn decided<'q>(
        &'q self,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'q>, InternalError> {
        if self.is_rankable(options) {
            return self.ranked(options, clock);
        }
        let Some(points) = self.provable(options) else {
            return self.searched(options, clock);
        };
        if let Some(refuted) = self.refuted.get()
            && let Some((trace, found_by)) = refuted.found.get()
            && let Some(found) = self.executed(refuted, trace.clone(), found_by, clock)?
        {
            // It has been asked before: what reports are told is about this run.
            return Ok(found);
        }
        if let Some(answer) = self.by_contracts(options, clock) {
            return Ok(answer);
        }
        let searched = Searched {
            content: &self.content,
            program: &self.program,
            points,
        };
        let engine = options.engine;
        self.beside(
            options,
            clock,
            move |clock| attempt(searched, engine, clock),
            |answer, outcome, clock| self.joined(answer, outcome, clock),
        )
    }

    /// What a search finds, or what comes out of looking for a proof beside it.
    pub(super) fn beside<'q, T: Answers + Send>(
        &'q self,
        options: &Options,
        clock: &mut Clock<'_>,
        attempt: impl FnOnce(&mut Clock<'_>) -> Result<T, Refused> + Send,
        join: impl FnOnce(
            &mut Answer<'q>,
            Result<T, Refused>,
            &mut Clock<'_>,
        ) -> Result<(), InternalError>,
    ) -> Result<Answer<'q>, InternalError> {
        let shared = Shared::default();
        let limits = clock.left();
        let (for_search, for_proofs) = match options.engine {
            Engine::Auto => (part(limits, 3), part(limits, 2)),
            _ => (limits, limits),
        };
        thread::scope(|scope| {
            let _stop = Stop(&shared);
            let shared = &shared;
            let work = move || work(shared, for_proofs, attempt);
            let worker = thread::Builder::new().name("proofs".to_owned());
            if worker.spawn_scoped(scope, work).is_err() {
                return self.searched(options, clock);
            }
            let began = clock.seconds();
            let mut answer = match options.engine {
                Engine::Auto => {
                    let mut beside = Beside {
                        shared,
                        watch: clock.watch(),
                    };
                    let options = Options {
                        limits: for_search,
                        ..*options
                    };
                    self.searched(&options, &mut Clock::new(for_search, &mut beside))?
                }
                _ => Answer::new(Verdict::Unknown(Limit::Interrupted), options.engine.name()),
            };
            if answer.is_violated() {
                return match shared.take() {
                    Some(Ok(outcome)) if outcome.is_proof() => Err(InternalError::Disagreement),
                    _ => Ok(answer),
                };
            }
            shared.alone();
            let took = Duration::from_secs_f64((clock.seconds() - began).max(0.0));
            let most = match options.certify {
                _ if !answer.holds() => None,
                Certify::Never => return Ok(answer),
                Certify::Briefly => Some(took + BRIEFLY),
                Certify::Always => None,
            };
            shared.wait(most, clock);
            shared.stop();
            if let Some(outcome) = shared.take() {
                join(&mut answer, outcome, clock)?;
            }
            if let Verdict::Unknown(Limit::Interrupted) = answer.verdict {
                // The time of who proves may be over a moment before that of who waits.
                if clock.tick(&working("looking for a proof")).is_continue() {
                    answer.verdict = Verdict::Unknown(Limit::NotProved);
                } else {
                    answer.verdict = Verdict::Unknown(clock.hit());
                }
            }
            Ok(answer)
        })
    }

    /// That no error is reached, if the program's annotations say so and hold.
    fn by_contracts<'q>(&'q self, options: &Options, clock: &mut Clock<'_>) -> Option<Answer<'q>> {
        let is_own = self.program.purpose.is_own(&self.content.units.options);
        // What annotations say of the program says nothing of a monitor.
        let is_watched = self.content.units.rule.is_some();
        if is_watched
            || !is_own
            || options.engine != Engine::Auto
            || options.certify == Certify::Always
        {
            return None;
        }
        let contracts = self.content.contracts_of_sources(clock).ok()??;
        if !contracts.excludes_errors {
            return None;
        }
        let mut answer = Answer::new(Verdict::Holds, "contracts");
        let shown = contracts.clauses.iter().filter(|it| it.is_shown).count();
        let text =
            format!("it follows from {shown} clauses of annotations, each of which was checked");
        answer.notes.push(Note::new(text));
        Some(answer)
    }

    /// An answer with what came out of looking for a proof.
    fn joined<'q>(
        &'q self,
        answer: &mut Answer<'q>,
        outcome: Result<Outcome, Refused>,
        clock: &mut Clock<'_>,
    ) -> Result<(), InternalError> {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Refused::Internal(cause)) => return Err(InternalError::Proof(cause)),
            Err(Refused::Limit(_) | Refused::Said(_)) => return Ok(()),
        };
        match outcome.proved {
            Proved::Proof(certified) => {
                if !answer.holds() {
                    answer.notes.clear();
                    answer.engine = certified.found_by;
                }
                answer.verdict = Verdict::Holds;
                answer.evidence = Some(Evidence::Proof(certified));
            }
            Proved::Run(_) if answer.holds() => return Err(InternalError::Disagreement),
            Proved::Run(found) => {
                let refuted = self.refute(outcome.plain);
                match self.executed(refuted, found.trace, found.found_by, clock)? {
                    Some(found) => *answer = found,
                    // The search was ended for the sake of a run that is not known to be one.
                    None if answer.verdict == Verdict::Unknown(Limit::Interrupted) => {
                        answer.verdict = Verdict::Unknown(Limit::NotModelled);
                        let text =
                            "it is not known whether a run that was found is one of the C program";
                        answer.notes.push(Note::new(text));
                    }
                    None => {}
                }
            }
            Proved::Unknown(notes) if !answer.holds() => {
                answer.notes.extend(notes);
                if let Verdict::Unknown(Limit::Interrupted) = answer.verdict {
                    answer.verdict = Verdict::Unknown(Limit::NotProved);
                }
            }
            Proved::Unknown(_) | Proved::Stopped => {}
        }
        Ok(())
    }

    /// From now on the question is about the program that a proof was looked for.
    fn refute(&self, plain: Plain) -> &Refuted {
        let name = match self.inner.about() {
            About::Runs(context) => context.property.name(),
            _ => String::new(),
        };
        self.refuted.get_or_init(|| Refuted::new(plain, name))
    }

    /// A run that was found in looking for a proof, if it is one of the C program.
    fn executed<'q>(
        &'q self,
        refuted: &'q Refuted,
        trace: Trace,
        found_by: &'static str,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Answer<'q>>, InternalError> {
        let program = &refuted.plain.program;
        let claim = Claim::Reaches(refuted.plain.errors.clone());
        let mut ask = || clock.tick(&working("replaying the run"));
        let mut patience = Patience::new(&mut ask);
        let replayed = replay_with_patience(&program.program, trace, &claim, &mut patience);
        let replayed = match replayed {
            Ok(replayed) => replayed,
            Err(Unreplayed::Stopped(_)) => return Ok(None),
            Err(Unreplayed::Mismatch(mismatch)) => return Err(mismatch.into()),
        };
        let mut answer = Answer::new(Verdict::Violated, found_by);
        let precision = program.precision();
        let is_real = matches!(precision, Precision::Exact | Precision::Under);
        match confirm(&self.content, program, &replayed, clock) {
            Confirmed::Yes(shown) => {
                answer.notes.extend(shown.notes);
                answer.test_case = shown.files;
                answer.c_run = shown.run;
            }
            Confirmed::NotTried(why) if is_real => {
                let text = format!("the run was not executed: {why}");
                answer.notes.push(Note::new(text));
            }
            Confirmed::No(why) if is_real => return Err(InternalError::Witness(why)),
            Confirmed::NotTried(_) | Confirmed::No(_) => return Ok(None),
        }
        let _ = refuted.found.set((replayed.trace().clone(), found_by));
        answer.evidence = Some(Evidence::Run(Box::new(replayed)));
        Ok(Some(answer))
    }

    /// A saved run that was met with in looking for a proof.
    pub(super) fn replayed<'q>(&'q self, run: &SavedRun, options: &Options) -> Option<Answer<'q>> {
        let points = self.provable(&Options {
            engine: Engine::Auto,
            ..*options
        })?;
        let SavedRun::Trace(recording) = run else {
            return None;
        };
        let mut watch = ();
        let mut clock = Clock::new(options.limits, &mut watch);
        let plain = Plain::new(&self.content, &self.program, points, &mut clock).ok()?;
        let refuted = self.refute(plain);
        let trace = recording.on(&refuted.plain.program.program).ok()?;
        self.executed(refuted, trace, REPLAY, &mut clock).ok()?
    }
}

//! Questions about infinite runs of C programs, decided by a search or by a proof with ranks beside it.

use recurva_certificate::file::ProofFile;
use recurva_cmodel::Note as ModelNote;
use recurva_model::{Ending, Point};
use recurva_rank::{Asked, Watcher};

use super::{ask::CQuestion, prove::Answers};
use crate::{
    About, Answer, Evidence, InternalError, Limit, Options, Property, Refused, Rejected, Runs,
    Threads, Verdict, Work,
    programs::{self, violations},
    proofs::{Proved, RankTask, VERIFY, prove_ranks, verify_ranks},
    watch::Clock,
};

impl Answers for Proved {
    fn is_proof(&self) -> bool {
        matches!(self, Proved::Proof(_))
    }

    fn is_answer(&self) -> bool {
        Proved::is_answer(self)
    }
}

/// What is asked of infinite runs.
#[derive(Clone, Copy)]
struct Infinite<'a> {
    program: &'a recurva_model::Program,
    property: &'a Property,
    limits: &'a [Point],
    options: &'a Options,
}

impl Infinite<'_> {
    /// Has something done with what accepts the runs that violate the property.
    fn with_task<T>(
        &self,
        clock: &mut Clock<'_>,
        work: impl FnOnce(&RankTask<'_>, &mut Clock<'_>) -> T,
    ) -> Result<T, Refused> {
        let building = Work {
            what: "the automaton",
            ..Work::default()
        };
        let mut ask = || clock.tick(&building.into());
        let found = violations(self.program, self.property, &mut ask);
        let watcher = match found.ok_or(Refused::Limit(Limit::Interrupted))? {
            programs::Watcher::Plain(automaton) => Watcher::of_automaton(&automaton),
            programs::Watcher::Nested(automaton) => Watcher::of_nested(&automaton),
        };
        let task = RankTask {
            engine: self.options.engine,
            asked: Asked {
                program: self.program,
                watcher: &watcher,
                ending: match self.options.runs {
                    Runs::Usual | Runs::Stutter => Ending::Stutters,
                    Runs::Infinite => Ending::Stops,
                },
                stack: self.options.stack,
                limits: self.limits,
            },
            limits: clock.left(),
        };
        Ok(work(&task, clock))
    }
}

impl CQuestion<'_> {
    /// What is asked of infinite runs, if that is what is asked, and the model has them all.
    fn infinite<'a>(&'a self, limits: &'a [Point], options: &'a Options) -> Option<Infinite<'a>> {
        let notes = &self.program.lowered.notes;
        if !options.engine.proves() || notes.iter().any(ModelNote::leaves_out_runs) {
            return None;
        }
        let About::Runs(context) = self.inner.about() else {
            return None;
        };
        // With a monitor woven into it, it is another program.
        let is_own = *context.program == self.program.program;
        (is_own && context.property.is_liveness()).then_some(Infinite {
            program: &self.program.program,
            property: context.property,
            limits,
            options,
        })
    }

    /// Whether a proof with ranks may answer the question.
    pub(super) fn is_rankable(&self, options: &Options) -> bool {
        self.infinite(&[], options).is_some()
    }

    /// What a search finds, or a proof beside it.
    pub(super) fn ranked<'q>(
        &'q self,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'q>, InternalError> {
        let limits = self.program.lowered.limit_points();
        let Some(infinite) = self.infinite(&limits, options) else {
            return self.searched(options, clock);
        };
        let attempt = |clock: &mut Clock<'_>| {
            infinite.with_task(clock, |task, clock| {
                prove_ranks(task, &mut |work: Work| clock.tick(&work.into()))
            })
        };
        // The two searches share a thread, so that the one for ranks has as much time as they have.
        let searching = &Options {
            threads: Threads::One,
            ..*options
        };
        self.beside(searching, clock, attempt, |answer, outcome, _| {
            match outcome {
                Ok(Proved::Proof(certified)) => {
                    if !answer.holds() {
                        answer.notes.clear();
                        answer.engine = certified.found_by;
                    }
                    answer.verdict = Verdict::Holds;
                    answer.evidence = Some(Evidence::Proof(certified));
                }
                Ok(Proved::Unknown(notes)) if !answer.holds() => {
                    answer.notes.extend(notes);
                    if let Verdict::Unknown(Limit::Interrupted) = answer.verdict {
                        answer.verdict = Verdict::Unknown(Limit::NotProved);
                    }
                }
                // No run is given out by who looks for ranks.
                Ok(_) => {}
                Err(Refused::Internal(cause)) => return Err(InternalError::Proof(cause)),
                Err(Refused::Limit(_) | Refused::Said(_)) => {}
            }
            Ok(())
        })
    }

    /// An answer by a proof with ranks from elsewhere.
    pub(super) fn verified_ranks(
        &self,
        file: &ProofFile,
        options: &Options,
        clock: &mut Clock<'_>,
    ) -> Result<Answer<'_>, Rejected> {
        let limits = self.program.lowered.limit_points();
        let Some(infinite) = self.infinite(&limits, options) else {
            return Err(Rejected::new("what is asked has no such proof"));
        };
        let certified = infinite.with_task(clock, |task, clock| {
            verify_ranks(task, file, &mut |work: Work| clock.tick(&work.into()))
        });
        let certified = certified.map_err(|refused| Rejected::new(refused.first()))??;
        let mut answer = Answer::new(Verdict::Holds, VERIFY);
        answer.stack = Some(options.stack);
        answer.evidence = Some(Evidence::Proof(Box::new(certified)));
        Ok(answer)
    }
}

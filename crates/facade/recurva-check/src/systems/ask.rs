//! A question about a system of any size, behind the façade.

use std::time::Instant;

use recurva_draw::{Drawing, machines};
use recurva_regular::{
    Letter, Meter, Progress as Working, Stop,
    engine::{self, Direction as SearchDirection, Outcome, Problem, Run, Verdict as Safety},
    evidence::{self, Fault},
    express::{Alphabet, expression},
    live::{self, Lasso, Live, LiveOutcome, LiveVerdict, Scope, check_lasso},
    system::{Bad, System},
};
use recurva_trace::Words as SavedWords;

use super::{limit, working};
use crate::{
    About, Answer, Engine, Evidence, InternalError, Note, Options, REPLAY, Rejected, Stats,
    Verdict, Watch,
    evidence::{Direction, Invariant, NoFairLoop, Words},
    question::Ask,
    saved::SavedRun,
    watch::Clock,
};

/// A property of a system.
#[derive(Clone, Copy, Debug)]
pub(super) enum SystemProperty<'m> {
    Safe(&'m Bad),
    Live(&'m Live),
}

/// Whether a system has a property.
#[derive(Debug)]
pub(super) struct SystemQuestion<'m> {
    system: &'m System,
    property: SystemProperty<'m>,
}

/// Expressions that are longer say nothing to anybody.
const LONG: usize = 400;

impl<'m> SystemQuestion<'m> {
    pub(super) fn new(system: &'m System, property: SystemProperty<'m>) -> Self {
        SystemQuestion { system, property }
    }

    fn spelled(&self, words: &[Vec<Letter>]) -> Vec<Vec<String>> {
        let spell = |word: &Vec<Letter>| {
            let names = word.iter().map(|&letter| self.system.letter(letter));
            names.map(str::to_owned).collect()
        };
        words.iter().map(spell).collect()
    }

    fn run(&self, run: &Run, is_smallest: bool) -> Evidence<'m> {
        let actions = run.actions.iter();
        Evidence::Words(Words {
            stem: self.spelled(&run.words),
            turn: None,
            actions: actions
                .map(|&at| self.system.actions[at].name.clone())
                .collect(),
            process: None,
            is_smallest,
        })
    }

    fn lasso(&self, lasso: &Lasso, is_smallest: bool) -> Evidence<'m> {
        Evidence::Words(Words {
            stem: self.spelled(&lasso.stem),
            turn: Some(self.spelled(&lasso.turn)),
            actions: Vec::new(),
            process: lasso.process.map(|process| process + 1),
            is_smallest,
        })
    }

    fn invariant(&self, invariant: &engine::Invariant, name: &str) -> Evidence<'m> {
        let letters = Alphabet::Letters(&self.system.letters);
        let shown = expression(&invariant.words, letters);
        Evidence::Invariant(Invariant {
            expression: shown.filter(|text| text.chars().count() <= LONG),
            states: invariant.words.states(),
            edges: invariant.words.edge_count(),
            exact: invariant.exact,
            direction: match invariant.direction {
                SearchDirection::Forward => Direction::Forward,
                SearchDirection::Backward => Direction::Backward,
            },
            drawing: Drawing {
                title: name.to_owned(),
                graphs: vec![machines::words(&invariant.words, letters, "")],
                ..Drawing::default()
            },
        })
    }

    fn safe(
        &self,
        bad: &Bad,
        engine: engine::Engine,
        meter: &mut Meter<'_>,
    ) -> Result<Decided<'m>, InternalError> {
        let outcome = match Problem::new(self.system, &bad.words, meter) {
            Ok(problem) => engine::check(&problem, engine, meter),
            Err(stop) => return Ok(Decided::stopped(stop)),
        };
        let Outcome {
            verdict,
            technique,
            searched,
            work,
            ..
        } = outcome.map_err(|error| InternalError::Witness(error.to_string()))?;
        let (verdict, evidence) = match &verdict {
            Safety::Safe(invariant) => (
                Ok(Verdict::Holds),
                Some(self.invariant(invariant, &bad.name)),
            ),
            Safety::Violated(run) => (Ok(Verdict::Violated), Some(self.run(run, true))),
            Safety::Unknown(stop) => (Err(*stop), None),
        };
        Ok(Decided {
            verdict,
            evidence,
            technique,
            searched,
            work,
        })
    }

    fn lives(
        &self,
        live: &Live,
        engine: engine::Engine,
        meter: &mut Meter<'_>,
    ) -> Result<Decided<'m>, InternalError> {
        let outcome = live::check(self.system, live, engine, meter);
        let LiveOutcome {
            verdict,
            technique,
            searched,
            work,
            ..
        } = outcome.map_err(|error| InternalError::Witness(error.to_string()))?;
        let (verdict, evidence) = match &verdict {
            LiveVerdict::Holds(proof) => {
                let proof = NoFairLoop {
                    reachable: proof.reachable.states(),
                    loops: proof.loops.states(),
                };
                (Ok(Verdict::Holds), Some(Evidence::NoFairLoop(proof)))
            }
            LiveVerdict::Violated(lasso) => {
                check_lasso(self.system, live, lasso)
                    .map_err(|why| InternalError::Witness(why.to_owned()))?;
                (Ok(Verdict::Violated), Some(self.lasso(lasso, true)))
            }
            LiveVerdict::Unknown(stop) => (Err(*stop), None),
        };
        Ok(Decided {
            verdict,
            evidence,
            technique,
            searched,
            work,
        })
    }

    /// What a proof says nothing about.
    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.system.initial.is_empty() {
            let note = Note::new("no word is initial: the system has no run at all");
            notes.push(note.help("look at the line `initial` of the file"));
        }
        if let SystemProperty::Safe(bad) = self.property
            && bad.words.is_empty()
        {
            let text = format!("`bad {}` has no word: there is nothing to reach", bad.name);
            notes.push(Note::new(text));
        }
        for action in &self.system.actions {
            if action.relation.dfa().is_empty() {
                let text = format!("the rule `{}` never fires: it has no step", action.name);
                notes.push(Note::new(text));
            }
        }
        notes
    }

    /// The words of a run by the numbers of their letters; or a letter that the system lacks.
    fn letters(&self, words: &[Vec<String>]) -> Result<Vec<Vec<Letter>>, Rejected> {
        let number = |name: &String| {
            let found = self.system.letters.iter().position(|it| it == name);
            let found = found.and_then(|number| Letter::try_from(number).ok());
            found.ok_or_else(|| Rejected::new(format!("there is no letter `{name}`")))
        };
        let word = |word: &Vec<String>| word.iter().map(number).collect();
        words.iter().map(word).collect()
    }

    fn confirm(&self, run: &SavedWords) -> Result<Evidence<'m>, Rejected> {
        let stem = self.letters(&run.stem)?;
        let turn = run.turn.as_ref().map(|turn| self.letters(turn));
        match (self.property, turn.transpose()?) {
            (SystemProperty::Safe(bad), None) => {
                let steps: Vec<_> = (self.system.actions.iter())
                    .map(|it| &it.relation)
                    .collect();
                let replayed = evidence::replay(&stem, &self.system.initial, &steps, &bad.words);
                let actions = replayed.map_err(|fault| self.fault(fault))?;
                let words = stem;
                Ok(self.run(&Run { words, actions }, false))
            }
            (SystemProperty::Live(live), Some(turn)) => {
                if matches!(live.scope, Scope::Process(_)) != run.process.is_some() {
                    return Err(Rejected::new(
                        "the formula and the trace differ in whether they are about one process",
                    ));
                }
                let lasso = Lasso {
                    stem,
                    turn,
                    process: run.process.map(|process| process as usize - 1),
                };
                check_lasso(self.system, live, &lasso).map_err(|why| {
                    Rejected::new(format!("it is no fair run that violates it: {why}"))
                })?;
                Ok(self.lasso(&lasso, false))
            }
            _ => Err(Rejected::new(
                "the property of this trace is about other runs now",
            )),
        }
    }

    fn fault(&self, fault: Fault) -> Rejected {
        let show = |word: &[Letter]| self.system.show(word);
        Rejected::new(match fault {
            Fault::Initial(word) => format!("no run begins with {}", show(&word)),
            Fault::Step(from, to) => {
                format!("no step leads from {} to {}", show(&from), show(&to))
            }
            Fault::Bad(word) => format!("{} is no bad word", show(&word)),
            Fault::Empty => "the run is empty".to_owned(),
        })
    }
}

/// What an engine said.
struct Decided<'m> {
    verdict: Result<Verdict, Stop>,
    evidence: Option<Evidence<'m>>,
    technique: &'static str,
    /// All sizes below this one were searched one by one.
    searched: usize,
    work: u64,
}

impl Decided<'_> {
    fn stopped(stop: Stop) -> Self {
        Decided {
            verdict: Err(stop),
            evidence: None,
            technique: "none",
            searched: 0,
            work: 0,
        }
    }
}

impl Ask for SystemQuestion<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        let mut clock = Clock::new(options.limits, watch);
        let mut look = |now: &Working| working(&mut clock, now);
        let mut meter = Meter::watched(&mut look);
        if let Some(memory) = options.limits.memory {
            meter = meter.with_memory(memory);
        }
        let engine = engine(options.engine);
        let decided = match self.property {
            SystemProperty::Safe(bad) => self.safe(bad, engine, &mut meter)?,
            SystemProperty::Live(live) => self.lives(live, engine, &mut meter)?,
        };
        let verdict = match decided.verdict {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(limit(stop, &clock)),
        };
        let mut answer = Answer::new(verdict, decided.technique);
        answer.evidence = decided.evidence;
        answer.stats = Stats {
            more: vec![
                ("work", decided.work),
                ("searched", decided.searched as u64),
            ],
            seconds: clock.seconds(),
            peak_bytes: clock.peak(),
            ..Stats::default()
        };
        if answer.holds() {
            answer.notes = self.notes();
        }
        Ok(answer)
    }

    fn about(&self) -> About<'_> {
        About::System
    }

    fn is_infinite(&self) -> Option<bool> {
        Some(matches!(self.property, SystemProperty::Live(_)))
    }

    fn replay<'q>(&'q self, run: &SavedRun, _: &Options) -> Result<Answer<'q>, Rejected> {
        let SavedRun::Words(words) = run else {
            return Err(Rejected::new("it is no run of a system of any size"));
        };
        let started = Instant::now();
        let mut answer = Answer::new(Verdict::Violated, REPLAY);
        answer.evidence = Some(self.confirm(words)?);
        answer.stats.seconds = started.elapsed().as_secs_f64();
        Ok(answer)
    }
}

fn engine(engine: Engine) -> engine::Engine {
    match engine {
        Engine::Finite => engine::Engine::Finite,
        Engine::Columns => engine::Engine::Columns,
        Engine::Actions => engine::Engine::Actions,
        Engine::Bounded => engine::Engine::Bounded,
        Engine::Widening => engine::Engine::Widening,
        Engine::Abstraction => engine::Engine::Abstraction,
        _ => engine::Engine::Auto,
    }
}

//! Questions and their answers: which technique is asked, in which order, with how much work.

mod attempt;

use crate::{
    Dfa, Letter, Meter, Relation, Stop,
    evidence::{Fault, check_invariant, replay},
    finite,
    system::System,
};

use attempt::Attempt;
pub use attempt::reach_by_actions;

/// Which technique answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// All of them in turn, with more and more work; the first answer counts.
    #[default]
    Auto,
    /// The search of the first sizes only: it refutes and never proves.
    Finite,
    /// The column construction for the whole relation.
    Columns,
    /// The column construction for each action by itself.
    Actions,
    /// The column construction with bounded local depth.
    Bounded,
    /// Exact widening.
    Widening,
    /// Abstraction with refinement.
    Abstraction,
}

/// From where a set grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial words along the steps.
    Forward,
    /// From the bad words against them.
    Backward,
}

/// A set of words that shows that no bad word is reached, and has been checked to do so.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The words.
    pub words: Dfa,
    /// Whether it has exactly what can be reached (or, backward, lacks exactly what can reach a
    /// bad word).
    pub exact: bool,
    /// From where it was made.
    pub direction: Direction,
}

/// A run to a bad word, which has been replayed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The words.
    pub words: Vec<Vec<Letter>>,
    /// The action of each step.
    pub actions: Vec<usize>,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No bad word is reached, whatever the size.
    Safe(Invariant),
    /// A bad word is reached, and at no smaller size.
    Violated(Run),
    /// No technique had an answer.
    Unknown(Stop),
}

/// What came of a question.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The technique that had it.
    pub technique: &'static str,
    /// All sizes below this one were searched one by one.
    pub searched: usize,
    /// How much work it took.
    pub work: u64,
    /// The most bytes that were in use at a time, about: automata and the tables they are made with.
    pub peak_bytes: u64,
}

impl Outcome {
    /// No answer.
    pub fn unknown(stop: Stop, searched: usize, meter: &Meter<'_>) -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(stop),
            technique: "none",
            searched,
            work: meter.used(),
            peak_bytes: meter.peak_bytes(),
        }
    }
}

/// The question whether a bad word can be reached.
#[derive(Clone, Debug)]
pub struct Problem {
    /// How many letters there are.
    pub letters: u32,
    /// Where runs begin.
    pub initial: Dfa,
    /// The steps.
    pub actions: Vec<Relation>,
    /// All steps.
    pub relation: Relation,
    /// What must not be reached.
    pub bad: Dfa,
}

impl Problem {
    /// The question about a system and a set of bad words.
    ///
    /// # Errors
    ///
    /// If the meter says stop.
    pub fn new(system: &System, bad: &Dfa, meter: &mut Meter<'_>) -> Result<Problem, Stop> {
        Ok(Problem {
            letters: system.letters.len() as u32,
            initial: system.initial.clone(),
            actions: system
                .actions
                .iter()
                .map(|action| action.relation.clone())
                .collect(),
            relation: system.relation(meter)?,
            bad: bad.clone(),
        })
    }

    /// The same question asked from its end.
    fn backward(&self, meter: &mut Meter<'_>) -> Result<Problem, Stop> {
        let actions: Result<Vec<Relation>, Stop> = self
            .actions
            .iter()
            .map(|action| action.inverse(meter))
            .collect();
        Ok(Problem {
            letters: self.letters,
            initial: self.bad.clone(),
            actions: actions?,
            relation: self.relation.inverse(meter)?,
            bad: self.initial.clone(),
        })
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        let actions = self.actions.iter().map(|action| action.dfa().bytes());
        let sets = self.initial.bytes() + self.relation.dfa().bytes() + self.bad.bytes();
        actions.sum::<usize>() + sets
    }

    fn steps(&self) -> Vec<&Relation> {
        self.actions.iter().collect()
    }
}

/// The first round's work for each technique, by how much it grows, and how often.
const FIRST_WORK: u64 = 500_000;
const GROWTH: u64 = 8;
const ROUNDS: u32 = 5;

/// A fault of ours: a claim that does not stand up to its check.
#[derive(Clone, Debug)]
pub struct Unsound(pub Fault);

impl std::fmt::Display for Unsound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a claim of an engine is wrong: {}", self.0)
    }
}

impl std::error::Error for Unsound {}

/// Answers a question.
///
/// # Errors
///
/// If a claim of an engine turns out to be wrong, which is a fault of ours.
pub fn check(problem: &Problem, engine: Engine, meter: &mut Meter<'_>) -> Result<Outcome, Unsound> {
    let mut sizes = Sizes { problem, next: 0 };
    let level = meter.level();
    let result = answer(&mut sizes, engine, meter);
    meter.release(level);
    Ok(match result? {
        Ok((verdict, technique)) => Outcome {
            verdict,
            technique,
            searched: sizes.next,
            work: meter.used(),
            peak_bytes: meter.peak_bytes(),
        },
        Err(stop) => Outcome::unknown(stop, sizes.next, meter),
    })
}

/// Proves that no bad word is reached, without searching single sizes: each technique is given so
/// much work.
///
/// # Errors
///
/// If a claim of an engine turns out to be wrong, which is a fault of ours.
pub fn prove(
    problem: &Problem,
    engine: Engine,
    work: u64,
    meter: &mut Meter<'_>,
) -> Result<Outcome, Unsound> {
    let mut last = Stop::Work(work);
    for (attempt, direction) in Attempt::all() {
        if !attempt.is_of(engine) || direction == Direction::Backward {
            continue;
        }
        meter.progress.technique = attempt.name();
        meter.progress.round = 0;
        let found = meter.within(work, |meter| match attempt.run(problem, meter)? {
            Some((set, exact)) => {
                let safe = set.intersect(&problem.bad, meter)?.is_empty();
                Ok(safe.then_some((set, exact)))
            }
            None => Ok(None),
        });
        match found {
            Ok(None) => {}
            Ok(Some((words, exact))) => {
                check_invariant(&words, &problem.initial, &problem.steps(), &problem.bad)
                    .map_err(Unsound)?;
                let invariant = Invariant {
                    words,
                    exact,
                    direction,
                };
                return Ok(Outcome {
                    verdict: Verdict::Safe(invariant),
                    technique: attempt.name(),
                    searched: 0,
                    work: meter.used(),
                    peak_bytes: meter.peak_bytes(),
                });
            }
            Err(stop) => {
                last = stop;
                if stop == Stop::Watch {
                    break;
                }
            }
        }
    }
    Ok(Outcome::unknown(last, 0, meter))
}

type Answer = Result<(Verdict, &'static str), Stop>;

fn answer(sizes: &mut Sizes<'_>, engine: Engine, meter: &mut Meter<'_>) -> Result<Answer, Unsound> {
    let problem = sizes.problem;
    let level = meter.level();
    let backward = meter.hold(level, problem.bytes()).and_then(|()| {
        let backward = problem.backward(meter)?;
        meter.hold(level, problem.bytes() + backward.bytes())?;
        Ok(backward)
    });
    let backward = match backward {
        Ok(backward) => backward,
        Err(stop) => return Ok(Err(stop)),
    };
    let level = meter.level();
    let mut work = FIRST_WORK;
    let mut done: Vec<(Attempt, Direction)> = Vec::new();
    let mut finite = matches!(engine, Engine::Auto | Engine::Finite);
    let mut last = Stop::Work(0);
    // A technique that has run out of memory would do so again: the others go on.
    let mut memory = None;
    for _ in 0..ROUNDS {
        if finite {
            match sizes.search(work, meter) {
                Ok(Some(run)) => return sizes.violated(run).map(|verdict| Ok((verdict, "finite"))),
                Ok(None) | Err(Stop::Work(_)) => {}
                Err(stop @ Stop::Memory(_)) => {
                    memory = Some(stop);
                    finite = false;
                }
                Err(stop) => return Ok(Err(stop)),
            }
        }
        last = Stop::Work(work);
        for (attempt, direction) in Attempt::all() {
            if !attempt.is_of(engine) || done.contains(&(attempt, direction)) {
                continue;
            }
            meter.progress.technique = attempt.name();
            meter.progress.round = 0;
            let asked = match direction {
                Direction::Forward => problem,
                Direction::Backward => &backward,
            };
            match meter.within(work, |meter| attempt.run(asked, meter)) {
                Err(Stop::Work(_)) => {}
                Err(stop @ Stop::Memory(_)) => {
                    memory = Some(stop);
                    done.push((attempt, direction));
                }
                Err(stop) => return Ok(Err(stop)),
                Ok(None) => done.push((attempt, direction)),
                Ok(Some((set, exact))) => match sizes.judge(set, exact, direction, meter)? {
                    Ok(Some(verdict)) => return Ok(Ok((verdict, attempt.name()))),
                    Ok(None) => done.push((attempt, direction)),
                    Err(stop @ Stop::Memory(_)) => {
                        meter.release(level);
                        memory = Some(stop);
                        done.push((attempt, direction));
                    }
                    Err(stop) => return Ok(Err(stop)),
                },
            }
        }
        let mut all = Attempt::all().into_iter();
        let left = finite || all.any(|it| it.0.is_of(engine) && !done.contains(&it));
        if memory.is_some() && !left {
            break;
        }
        work = work.saturating_mul(GROWTH);
    }
    Ok(Err(memory.unwrap_or(last)))
}

/// The sizes that have been searched one by one.
struct Sizes<'p> {
    problem: &'p Problem,
    next: usize,
}

impl Sizes<'_> {
    /// Searches the next sizes, as far as the work goes.
    fn search(
        &mut self,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Vec<Letter>>>, Stop> {
        meter.progress.technique = "finite";
        meter.within(work, |meter| {
            loop {
                if let Some(run) = self.one(meter)? {
                    return Ok(Some(run));
                }
            }
        })
    }

    /// Searches the next size.
    fn one(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Vec<Letter>>>, Stop> {
        let Problem {
            initial,
            relation,
            bad,
            ..
        } = self.problem;
        meter.progress.round = self.next as u64;
        // However little there is of a size, looking at it is work.
        meter.work(1000)?;
        let found = finite::search((initial, relation, bad), self.next, meter)?;
        if found.is_none() {
            self.next += 1;
        }
        Ok(found)
    }

    fn violated(&self, words: Vec<Vec<Letter>>) -> Result<Verdict, Unsound> {
        let Problem { initial, bad, .. } = self.problem;
        let actions = replay(&words, initial, &self.problem.steps(), bad).map_err(Unsound)?;
        Ok(Verdict::Violated(Run { words, actions }))
    }

    /// What a closed set says.
    fn judge(
        &mut self,
        set: Dfa,
        exact: bool,
        direction: Direction,
        meter: &mut Meter<'_>,
    ) -> Result<Result<Option<Verdict>, Stop>, Unsound> {
        match self.judged(set, exact, direction, meter) {
            Err(stop) => Ok(Err(stop)),
            Ok(Judged::Nothing) => Ok(Ok(None)),
            Ok(Judged::Run(words)) => self.violated(words).map(|verdict| Ok(Some(verdict))),
            Ok(Judged::Invariant(invariant)) => {
                let Problem { initial, bad, .. } = self.problem;
                check_invariant(&invariant.words, initial, &self.problem.steps(), bad)
                    .map_err(Unsound)?;
                Ok(Ok(Some(Verdict::Safe(invariant))))
            }
        }
    }

    fn judged(
        &mut self,
        set: Dfa,
        exact: bool,
        direction: Direction,
        meter: &mut Meter<'_>,
    ) -> Result<Judged, Stop> {
        let target = match direction {
            Direction::Forward => &self.problem.bad,
            Direction::Backward => &self.problem.initial,
        };
        let common = set.intersect(target, meter)?;
        if common.is_empty() {
            let words = match direction {
                Direction::Forward => set,
                Direction::Backward => set.complement(self.problem.letters, meter)?,
            };
            return Ok(Judged::Invariant(Invariant {
                words,
                exact,
                direction,
            }));
        }
        if !exact {
            return Ok(Judged::Nothing);
        }
        // It is violated, at the length of a shortest such word: a run is found by search.
        let length = common.shortest().map_or(0, |word| word.len());
        while self.next <= length {
            if let Some(run) = self.one(meter)? {
                return Ok(Judged::Run(run));
            }
        }
        Ok(Judged::Nothing)
    }
}

enum Judged {
    Nothing,
    Run(Vec<Vec<Letter>>),
    Invariant(Invariant),
}

//! The question about fair loops as one about reachable words.
//!
//! First the system runs with the automaton of what violates the formula: its state is a letter in
//! front of the word, and a mark that never moves shows which process the formula is about. Then
//! each letter is doubled: the first half says what it was when the loop began and stays, the
//! second half goes on. Each position has a bit for each fairness requirement, which a step of its
//! own may set while the requirement holds there; the head has a bit for each acceptance set of
//! the automaton. A word whose halves are equal and whose bits are all set is the end of a fair
//! loop. What is proved unreachable from the doubled reachable words cannot happen.

use super::{Lasso, Live, Requirement, Scope, guard::Guard, lasso};
use crate::{
    ACTOR, Dfa, Letter, MAX_LETTERS, Meter, Nfa, Relation, Stop, abstraction,
    engine::{self, Engine, Outcome, Problem, Unsound, Verdict, reach_by_actions},
    evidence::check_invariant,
    pair, parts,
    relation::relabelled_nfa,
    system::System,
};

/// A proof that no fair run violates the formula: both parts have been checked.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The words that the system with the automaton can reach, and perhaps more.
    pub reachable: Dfa,
    /// Beginnings and ends of what may become loops.
    pub loops: Dfa,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum LiveVerdict {
    /// Every fair run satisfies the formula, whatever the size.
    Holds(Box<Proof>),
    /// A fair run violates it, and there is none at a smaller size.
    Violated(Box<Lasso>),
    /// No technique had an answer.
    Unknown(Stop),
}

/// What came of a question about liveness.
#[derive(Clone, Debug)]
pub struct LiveOutcome {
    /// The answer.
    pub verdict: LiveVerdict,
    /// The technique that had it.
    pub technique: &'static str,
    /// All sizes below this one were searched one by one.
    pub searched: usize,
    /// How much work it took.
    pub work: u64,
    /// The most bytes that were in use at a time, about: automata and the tables they are made with.
    pub peak_bytes: u64,
}

/// What the search of the first sizes is given in the first round, how much more a proof is, by how
/// much it grows, and how often.
const SEARCH_WORK: u64 = 1_000_000;
const MORE: u64 = 10;
const GROWTH: u64 = 8;
const ROUNDS: u32 = 4;

/// Whether all fair runs of a system satisfy a formula.
///
/// # Errors
///
/// If a claim of an engine turns out to be wrong, which is a fault of ours.
pub fn check(
    system: &System,
    live: &Live,
    engine: Engine,
    meter: &mut Meter<'_>,
) -> Result<LiveOutcome, Unsound> {
    let mut searched = 0;
    let mut technique = "finite";
    let level = meter.level();
    let verdict = match answer(system, live, engine, &mut searched, &mut technique, meter)? {
        Ok(verdict) => verdict,
        Err(stop) => LiveVerdict::Unknown(stop),
    };
    meter.release(level);
    Ok(LiveOutcome {
        verdict,
        technique,
        searched,
        work: meter.used(),
        peak_bytes: meter.peak_bytes(),
    })
}

fn answer(
    system: &System,
    live: &Live,
    engine: Engine,
    searched: &mut usize,
    technique: &mut &'static str,
    meter: &mut Meter<'_>,
) -> Result<Result<LiveVerdict, Stop>, Unsound> {
    let mut work = SEARCH_WORK;
    let mut last = Stop::Work(work);
    let mut finite = matches!(engine, Engine::Auto | Engine::Finite);
    for _ in 0..ROUNDS {
        if finite {
            match lasso::search(system, live, searched, work, meter) {
                Ok(Some(found)) => return Ok(Ok(LiveVerdict::Violated(Box::new(found)))),
                Err(Stop::Watch) => return Ok(Err(Stop::Watch)),
                // The same size would take as much again.
                Err(stop @ Stop::Memory(_)) => {
                    finite = false;
                    last = stop;
                }
                Ok(None) | Err(_) => {}
            }
        }
        if engine != Engine::Finite {
            let level = meter.level();
            let product = meter.within(work * MORE, |meter| Product::new(system, live, meter));
            match product {
                Ok(product) => match product.prove(engine, work * MORE, meter)? {
                    Ok((proof, by)) => {
                        *technique = by;
                        return Ok(Ok(LiveVerdict::Holds(Box::new(proof))));
                    }
                    Err(stop) => last = stop,
                },
                Err(stop) => last = stop,
            }
            meter.release(level);
        }
        let out = matches!(last, Stop::Memory(_)) && !finite;
        if last == Stop::Watch || out {
            break;
        }
        work *= GROWTH;
    }
    Ok(Err(last))
}

/// Numbers of the letters of the doubled system.
#[derive(Clone, Copy)]
struct Code {
    letters: u32,
    states: u32,
    /// Fairness bits of a position.
    fair: u32,
    /// Bits of the head.
    marks: u32,
}

impl Code {
    /// A letter of the system with the automaton: with or without the mark.
    fn plain(self, letter: Letter, marked: u32) -> Letter {
        letter * 2 + marked
    }

    /// The head of the system with the automaton.
    fn plain_head(self, state: u32) -> Letter {
        self.letters * 2 + state
    }

    fn double(self, first: Letter, now: Letter, marked: u32, bits: u32) -> Letter {
        (((first * self.letters + now) * 2 + marked) << self.fair) + bits
    }

    fn double_head(self, first: u32, now: u32, bits: u32) -> Letter {
        let bodies = (self.letters * self.letters * 2) << self.fair;
        bodies + ((first * self.states + now) << self.marks) + bits
    }

    fn count(self) -> Option<u32> {
        let bodies = self
            .letters
            .checked_mul(self.letters)?
            .checked_mul(2 << self.fair)?;
        let heads = self
            .states
            .checked_mul(self.states)?
            .checked_mul(1 << self.marks)?;
        bodies
            .checked_add(heads)
            .filter(|&count| count <= MAX_LETTERS)
    }
}

/// The two systems.
struct Product {
    code: Code,
    plain: Problem,
    doubled: Vec<Relation>,
    bad: Dfa,
}

impl Product {
    fn new(system: &System, live: &Live, meter: &mut Meter<'_>) -> Result<Product, Stop> {
        let automaton = &live.formula.negation;
        let code = Code {
            letters: system.letters.len() as u32,
            states: automaton.states() as u32,
            fair: system.fair.len() as u32,
            // One bit says that there was a step at all.
            marks: automaton.sets().max(1),
        };
        // Only then may the bits be shifted.
        let few = code.fair <= 8 && code.marks <= 8;
        if !few || code.count().is_none() {
            return Err(Stop::Letters(MAX_LETTERS));
        }
        let one_mark = live.scope != Scope::Word;
        let (mut plain, mut doubled): (Vec<Relation>, Vec<Relation>) = (Vec::new(), Vec::new());
        let level = meter.level();
        for (at, action) in system.actions.iter().enumerate() {
            let marked = action
                .marked
                .clone()
                .unwrap_or_else(|| action.relation.dfa().nfa());
            for state in 0..code.states {
                for edge in automaton.edges_from(state) {
                    for cube in edge.label.cubes() {
                        let guard = Guard::new(live, cube.positive, cube.negative);
                        let body = guard.restrict(&marked, meter)?;
                        let steps = relabelled_nfa(&body, |letter| {
                            let (a, b) = parts(letter & !ACTOR);
                            let both = [0, 1].into_iter().filter(|&r| r == 0 || guard.allows(a));
                            both.map(|r| pair(code.plain(a, r), code.plain(b, r)))
                                .collect()
                        });
                        let head = pair(code.plain_head(state), code.plain_head(edge.target));
                        let steps = with_mark(&steps, one_mark, |l| parts(l).0 % 2 == 1, meter)?;
                        let steps = Nfa::letter(&[head]).concat(&steps);
                        plain.push(Relation::new(steps.determinise(meter)?));

                        let steps = relabelled_nfa(&body, |letter| {
                            let (a, b) = parts(letter & !ACTOR);
                            let set = match letter & ACTOR != 0 {
                                true => taken(system, at),
                                false => 0,
                            };
                            code.steps(a, b, set, |r| r == 0 || guard.allows(a))
                        });
                        let marks = if automaton.sets() == 0 { 1 } else { edge.marks };
                        let heads: Vec<Letter> = (0..code.states)
                            .flat_map(|first| (0..1 << code.marks).map(move |bits| (first, bits)))
                            .map(|(first, bits)| {
                                pair(
                                    code.double_head(first, state, bits),
                                    code.double_head(first, edge.target, bits | marks),
                                )
                            })
                            .collect();
                        let is_marked = |l: Letter| (parts(l).0 >> code.fair) % 2 == 1;
                        let steps = with_mark(&steps, one_mark, is_marked, meter)?;
                        let steps = Nfa::letter(&heads).concat(&steps);
                        doubled.push(Relation::new(steps.determinise(meter)?));
                        let all = plain.iter().chain(&doubled);
                        meter.hold(level, all.map(|step| step.dfa().bytes()).sum())?;
                    }
                }
            }
        }
        for (bit, fair) in system.fair.iter().enumerate() {
            doubled.push(code.observer(system, &fair.requirement, bit as u32, meter)?);
        }
        // Where runs begin: the mark is anywhere, but only once.
        let begin = relabelled_nfa(&system.initial.nfa(), |a| {
            (0..2).map(|r| code.plain(a, r)).collect()
        });
        let begin = with_mark(&begin, one_mark, |l| l % 2 == 1, meter)?;
        let begin = Nfa::letter(&[code.plain_head(automaton.initial())]).concat(&begin);
        let mut relation = Relation::new(Dfa::empty());
        for step in &plain {
            relation = relation.union(step, meter)?;
        }
        // A loop is closed: halves are equal and all bits are set.
        let all = (1 << code.fair) - 1;
        let same: Vec<Letter> = (0..code.letters)
            .flat_map(|a| (0..2).map(move |r| code.double(a, a, r, all)))
            .collect();
        let heads: Vec<Letter> = (0..code.states)
            .map(|s| code.double_head(s, s, (1 << code.marks) - 1))
            .collect();
        let bad = Nfa::letter(&heads)
            .concat(&Nfa::letter(&same).star())
            .determinise(meter)?;
        Ok(Product {
            code,
            plain: Problem {
                letters: code.letters * 2 + code.states,
                initial: begin.determinise(meter)?,
                actions: plain,
                relation,
                bad: Dfa::empty(),
            },
            doubled,
            bad,
        })
    }

    /// Proves that no fair loop is reached.
    fn prove(
        &self,
        engine: Engine,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Result<(Proof, &'static str), Stop>, Unsound> {
        let mut last = Stop::Work(work);
        for exact in [false, true] {
            let problem = match self.doubled_problem(exact, work, meter) {
                Ok(Some(problem)) => problem,
                Ok(None) => continue,
                Err(stop) => return Ok(Err(stop)),
            };
            let (reachable, problem) = problem;
            let outcome: Outcome = engine::prove(&problem, engine, work, meter)?;
            match outcome.verdict {
                Verdict::Safe(invariant) => {
                    let steps: Vec<&Relation> = self.plain.actions.iter().collect();
                    check_invariant(&reachable, &self.plain.initial, &steps, &Dfa::empty())
                        .map_err(Unsound)?;
                    let proof = Proof {
                        reachable,
                        loops: invariant.words,
                    };
                    return Ok(Ok((proof, outcome.technique)));
                }
                Verdict::Unknown(stop) => last = stop,
                Verdict::Violated(_) => {}
            }
        }
        Ok(Err(last))
    }

    /// The question about loops, from what can be reached or a little more.
    fn doubled_problem(
        &self,
        exact: bool,
        work: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(Dfa, Problem)>, Stop> {
        let Problem {
            initial, relation, ..
        } = &self.plain;
        let reached = meter.within(work, |meter| match exact {
            true => reach_by_actions(initial, relation, meter).map(Some),
            false => abstraction::over_approximation((initial, relation, &Dfa::empty()), 1, meter),
        });
        let reachable = match reached {
            Ok(Some(set)) => set,
            Ok(None) | Err(Stop::Work(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let code = self.code;
        let begin = relabelled_nfa(&reachable.nfa(), |letter| {
            match letter.checked_sub(code.letters * 2) {
                Some(state) => vec![code.double_head(state, state, 0)],
                None => vec![code.double(letter / 2, letter / 2, letter % 2, 0)],
            }
        });
        let mut all = Relation::new(Dfa::empty());
        for step in &self.doubled {
            all = all.union(step, meter)?;
        }
        let problem = Problem {
            letters: code.count().unwrap_or(MAX_LETTERS),
            initial: begin.determinise(meter)?,
            actions: self.doubled.clone(),
            relation: all,
            bad: self.bad.clone(),
        };
        Ok(Some((reachable, problem)))
    }
}

impl Code {
    /// The doubled pairs of a pair of letters, with some bits set.
    fn steps(self, a: Letter, b: Letter, set: u32, allows: impl Fn(u32) -> bool) -> Vec<Letter> {
        let mut list = Vec::new();
        for first in 0..self.letters {
            for r in (0..2).filter(|&r| allows(r)) {
                for bits in 0..1 << self.fair {
                    list.push(pair(
                        self.double(first, a, r, bits),
                        self.double(first, b, r, bits | set),
                    ));
                }
            }
        }
        list
    }

    /// The steps that set a bit of one position while its requirement holds there.
    fn observer(
        self,
        system: &System,
        requirement: &Requirement,
        bit: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Relation, Stop> {
        // Words with one position chosen at which the requirement holds: letter and choice.
        let chosen = match requirement {
            Requirement::Holds(set) => {
                let letters = 0..self.letters;
                let any: Vec<Letter> = letters.clone().map(|a| a * 2).collect();
                let here: Vec<Letter> = letters
                    .filter(|&a| set[a as usize])
                    .map(|a| a * 2 + 1)
                    .collect();
                let any = Nfa::letter(&any).star();
                any.concat(&Nfa::letter(&here)).concat(&any)
            }
            Requirement::Rule(rules) => {
                let mut able = Dfa::empty();
                for &rule in rules {
                    if let Some(marked) = &system.actions[rule].marked {
                        let words = relabelled_nfa(marked, |letter| {
                            let (a, _) = parts(letter & !ACTOR);
                            vec![a * 2 + u32::from(letter & ACTOR != 0)]
                        });
                        able = able.union(&words.determinise(meter)?, meter)?;
                    }
                }
                let all: Vec<Letter> = (0..self.letters).map(|a| a * 2).collect();
                let here: Vec<Letter> = (0..self.letters).map(|a| a * 2 + 1).collect();
                let any = Nfa::letter(&all).star();
                let once = any
                    .concat(&Nfa::letter(&here))
                    .concat(&any)
                    .determinise(meter)?;
                once.minus(&able, meter)?.nfa()
            }
        };
        let body = relabelled_nfa(&chosen, |letter| {
            let (a, set) = (letter / 2, letter % 2);
            self.steps(a, a, set << bit, |_| true)
        });
        let mut heads: Vec<Letter> = Vec::new();
        for first in 0..self.states {
            for now in 0..self.states {
                for bits in 0..1 << self.marks {
                    let head = self.double_head(first, now, bits);
                    heads.push(pair(head, head));
                }
            }
        }
        let steps = Nfa::letter(&heads).concat(&body);
        steps.determinise(meter).map(Relation::new)
    }
}

/// The bits of the requirements that an action satisfies for the process that takes it.
fn taken(system: &System, action: usize) -> u32 {
    let mut bits = 0;
    for (at, fair) in system.fair.iter().enumerate() {
        if matches!(&fair.requirement, Requirement::Rule(rules) if rules.contains(&action)) {
            bits |= 1 << at;
        }
    }
    bits
}

/// Only words with exactly one mark, or with none.
fn with_mark(
    nfa: &Nfa,
    one: bool,
    is_marked: impl Fn(Letter) -> bool,
    meter: &mut Meter<'_>,
) -> Result<Nfa, Stop> {
    let letters = nfa.classes().letters().iter().map(|&(letter, _)| letter);
    let (marked, plain): (Vec<Letter>, Vec<Letter>) =
        letters.partition(|&letter| is_marked(letter));
    let plain = Nfa::letter(&plain).star();
    let wanted = match one {
        true => plain.concat(&Nfa::letter(&marked)).concat(&plain),
        false => plain,
    };
    nfa.intersect(&wanted, meter)
}

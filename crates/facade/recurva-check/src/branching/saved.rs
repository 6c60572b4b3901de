//! Strategies in trace files: a proof by the names of its states, checked again on the model as it
//! is now.

use std::{collections::HashMap, time::Instant};

use recurva_logic::ntmu::{Formula, FormulaId};
use recurva_model::{Nsm, nsm::StateId};
use recurva_nested::proof::{Called, Claim, ClaimId, ColoursId, Proof, Reason};
use recurva_trace::{StrategyClaim, StrategyReason, StrategyRecording};

use super::{Limited, Ntmu, Proved, Refutation, Run, Starts, Subject, unfold::with_machine};
use crate::{
    Answer, Evidence, InternalError, Options, REPLAY, Reductions, Rejected, Stats, Verdict,
    saved::SavedRun,
};

/// A strategy as it is kept.
pub(crate) fn record(refutation: &Refutation<'_>) -> StrategyRecording {
    let nsm = &refutation.nsm;
    let mut states: Vec<String> = Vec::new();
    let mut known: HashMap<StateId, u32> = HashMap::new();
    let mut number = |state: StateId| {
        *known.entry(state).or_insert_with(|| {
            states.push(nsm.name(state).to_owned());
            states.len() as u32 - 1
        })
    };
    let claims = refutation.proof.claims.iter().map(|claim| StrategyClaim {
        formula: claim.formula.index() as u32,
        state: number(claim.state),
        pending: claim.pending.map(&mut number),
        colours: claim.colours.0,
        reason: match &claim.reason {
            Reason::Seen => StrategyReason::Seen,
            Reason::Claims(list) => StrategyReason::Claims(list.iter().map(|it| it.0).collect()),
            Reason::Returns(list) => {
                StrategyReason::Returns(list.iter().map(|&state| number(state)).collect())
            }
            Reason::Calls(calls) => {
                let calls = calls.iter().map(|call| {
                    let returns = call
                        .returns
                        .iter()
                        .map(|&(colour, claim)| (colour, claim.0));
                    (call.callee.0, returns.collect())
                });
                StrategyReason::Calls(calls.collect())
            }
        },
    });
    let claims = claims.collect();
    let colours = refutation.proof.colours.iter().map(|set| {
        let pairs = set.iter().map(|&(colour, state)| (colour, number(state)));
        pairs.collect()
    });
    let colours = colours.collect();
    StrategyRecording {
        states,
        claims,
        colours,
    }
}

/// The proof of a recording on a machine, if all that it names is there.
fn proof(recording: &StrategyRecording, nsm: &Nsm, negation: &Formula) -> Result<Proof, String> {
    let names: HashMap<&str, StateId> = nsm.ids().map(|state| (nsm.name(state), state)).collect();
    let states: Vec<StateId> = (recording.states.iter())
        .map(|name| {
            let found = names.get(name.as_str()).copied();
            found.ok_or_else(|| format!("there is no state `{name}`"))
        })
        .collect::<Result<_, _>>()?;
    let damaged = || "the strategy refers to parts that it does not have".to_owned();
    let state = |number: u32| states.get(number as usize).copied().ok_or_else(damaged);
    let claim = |number: u32| match (number as usize) < recording.claims.len() {
        true => Ok(ClaimId(number)),
        false => Err(damaged()),
    };
    let formula = |number: u32| {
        let found = negation.formulas().id(number as usize);
        found.ok_or_else(|| "the strategy is about another formula".to_owned())
    };
    let mut claims = Vec::with_capacity(recording.claims.len());
    for it in &recording.claims {
        if it.colours as usize >= recording.colours.len() {
            return Err(damaged());
        }
        let reason = match &it.reason {
            StrategyReason::Seen => Reason::Seen,
            StrategyReason::Claims(list) => {
                let list = list.iter().map(|&number| claim(number));
                Reason::Claims(list.collect::<Result<_, _>>()?)
            }
            StrategyReason::Returns(list) => {
                let list = list.iter().map(|&number| state(number));
                Reason::Returns(list.collect::<Result<_, _>>()?)
            }
            StrategyReason::Calls(calls) => {
                let mut list = Vec::new();
                for (callee, returns) in calls {
                    let returns = returns.iter();
                    let returns = returns.map(|&(colour, number)| Ok((colour, claim(number)?)));
                    list.push(Called {
                        callee: claim(*callee)?,
                        returns: returns.collect::<Result<_, String>>()?,
                    });
                }
                Reason::Calls(list)
            }
        };
        let formula: FormulaId = formula(it.formula)?;
        claims.push(Claim {
            formula,
            state: state(it.state)?,
            pending: it.pending.map(state).transpose()?,
            colours: ColoursId(it.colours),
            reason,
        });
    }
    let mut colours = Vec::with_capacity(recording.colours.len());
    for set in &recording.colours {
        let set = set
            .iter()
            .map(|&(colour, number)| Ok((colour, state(number)?)));
        colours.push(set.collect::<Result<_, String>>()?);
    }
    Ok(Proof { claims, colours })
}

/// Checks a strategy from elsewhere: whether it refutes the formula on the model as it is now.
pub(super) fn replay<'p>(
    subject: &Subject<'p>,
    property: &Ntmu,
    run: &SavedRun,
    options: &Options,
) -> Result<Answer<'p>, Rejected> {
    let SavedRun::Strategy(recording) = run else {
        return Err(Rejected::new("it is no strategy"));
    };
    let started = Instant::now();
    let mut first = None;
    for options in ways(subject, options) {
        let refutation = match refutation(subject, property, recording, &options) {
            Ok(refutation) => refutation,
            Err(rejected) => {
                first.get_or_insert(rejected);
                continue;
            }
        };
        let mut answer = Answer::new(Verdict::Violated, REPLAY);
        answer.evidence = Some(Evidence::Strategy(Box::new(refutation)));
        answer.stats = Stats {
            seconds: started.elapsed().as_secs_f64(),
            ..Stats::default()
        };
        return Ok(answer);
    }
    Err(first.unwrap_or_else(|| Rejected::new("there is no machine to check it on")))
}

/// The options that make different machines of a program, beginning with those given. A strategy
/// does not say which it was, and any of them shows what the program can do.
fn ways(subject: &Subject<'_>, options: &Options) -> Vec<Options> {
    let Subject::Program(..) = subject else {
        return vec![*options];
    };
    let Options {
        slice, reductions, ..
    } = *options;
    let flips = [(false, false), (true, false), (false, true), (true, true)];
    let ways = flips.map(|(other_slice, other_liveness)| Options {
        slice: slice ^ other_slice,
        reductions: Reductions {
            liveness: reductions.liveness ^ other_liveness,
            ..reductions
        },
        ..*options
    });
    ways.into()
}

/// The strategy on the machine of a model, if it is one there.
fn refutation<'p>(
    subject: &Subject<'p>,
    property: &Ntmu,
    recording: &StrategyRecording,
    options: &Options,
) -> Result<Refutation<'p>, Rejected> {
    let mut watch = ();
    let mut run = Run::new(options, &mut watch);
    let checked = match *subject {
        Subject::Machine { nsm, starts } => run.with_callers(nsm, property.texts()).map(|marked| {
            let nsm = marked.as_ref().map_or(nsm, |marked| &marked.nsm);
            let proved = check(recording, nsm, starts, property);
            Ok(proved.map(|proved| Refutation::new(nsm, proved)))
        }),
        Subject::Program(program, starts) => {
            let meant = property.texts().zip(&property.meanings);
            with_machine(
                &mut run,
                (program, starts),
                meant,
                |_, nsm, starts, refuted| Ok(check(recording, nsm, starts, property).map(refuted)),
            )
        }
    };
    let checked: Result<Limited<Result<Refutation<'p>, String>>, InternalError> = checked;
    match checked {
        Ok(Ok(Ok(refutation))) => Ok(refutation),
        Ok(Ok(Err(why))) => Err(Rejected::new(why)),
        Ok(Err(_)) => Err(Rejected::new("a limit was hit before it was checked")),
        Err(error) => Err(Rejected::new(error.to_string())),
    }
}

fn check(
    recording: &StrategyRecording,
    nsm: &Nsm,
    starts: Starts,
    property: &Ntmu,
) -> Result<Proved, String> {
    let formula = super::started(starts, property).map_err(|error| error.to_string())?;
    let negation = formula.negation();
    let proof = proof(recording, nsm, &negation)?;
    let checked = proof.check(nsm, &negation);
    checked.map_err(|flaw| format!("the strategy does not refute the formula: {flaw}"))?;
    Ok((negation, proof))
}

//! Runs of systems of any size in trace files.

use recurva_regular::{
    Letter,
    engine::{Outcome, Run, Verdict},
    evidence::{self, Fault},
    live::{Lasso, LiveOutcome, LiveVerdict, Scope, check_lasso},
    system::System,
};
use recurva_trace::{TraceFile, Words};
use serde_json::json;

use crate::{
    args::{QuestionArguments, ReportFormat},
    exit::Exit,
    output,
    outputs::Outputs,
    regular,
    replay::note_changes,
    systems::{self, Answered, Property},
};

/// The words of a run by the names of their letters.
pub(crate) fn words(system: &System, stem: &[Vec<Letter>], turn: Option<&[Vec<Letter>]>) -> Words {
    let spelled = |words: &[Vec<Letter>]| -> Vec<Vec<String>> {
        let word = |word: &Vec<Letter>| {
            let names = word.iter().map(|&letter| system.letter(letter).to_owned());
            names.collect()
        };
        words.iter().map(word).collect()
    };
    Words {
        stem: spelled(stem),
        turn: turn.map(spelled),
        process: None,
    }
}

/// The words by the numbers of their letters; or a letter that the system does not have.
fn letters(system: &System, words: &[Vec<String>]) -> Result<Vec<Vec<Letter>>, String> {
    let number = |name: &String| {
        let found = system.letters.iter().position(|letter| letter == name);
        let found = found.and_then(|number| Letter::try_from(number).ok());
        found.ok_or_else(|| format!("there is no letter `{name}`"))
    };
    let word = |word: &Vec<String>| word.iter().map(number).collect();
    words.iter().map(word).collect()
}

/// Replays a run on a system.
pub(crate) fn replay(outputs: &Outputs<'_>, file: &TraceFile, run: &Words) -> Result<Exit, Exit> {
    let asking = outputs.arguments;
    if !systems::is_system(&asking.question.model) {
        output::error("this is a run of a system of any size (.rmc and .json)");
        return Err(Exit::BadInput);
    }
    let (source, system) = systems::read(&asking.question.model, asking.question.quiet)?;
    if !asking.question.quiet {
        note_changes(&file.model, &source);
    }
    let property = fitting(&system, &asking.question, run)?;
    let confirmed = confirm(&system, property, run);
    let told = confirmed.map(|answered| regular::tell(&system, &answered));
    if !asking.question.quiet {
        match &told {
            Ok(told) => regular::print(outputs, &property, told, None),
            Err(why) => refuse(outputs, &property, why),
        }
    }
    Ok(told.map_or(Exit::Unknown, |told| told.exit))
}

/// The property of a trace. On an error everything has been said.
pub(crate) fn fitting<'s>(
    system: &'s System,
    question: &QuestionArguments,
    run: &Words,
) -> Result<Property<'s>, Exit> {
    let all = systems::properties(system, question.property.as_deref())?;
    let infinite = |property: &Property<'_>| matches!(property, Property::Live(_));
    let fits = |property: &Property<'_>| infinite(property) == run.turn.is_some();
    all.into_iter().find(fits).ok_or_else(|| {
        output::error("the property of this trace is about other runs now");
        Exit::BadInput
    })
}

/// Replays a run; or why it is none that violates the property.
pub(crate) fn confirm(
    system: &System,
    property: Property<'_>,
    run: &Words,
) -> Result<Answered, String> {
    let stem = letters(system, &run.stem)?;
    let turn = run.turn.as_ref().map(|turn| letters(system, turn));
    match (property, turn.transpose()?) {
        (Property::Safe(bad), _) => {
            let steps: Vec<_> = system.actions.iter().map(|it| &it.relation).collect();
            let replayed = evidence::replay(&stem, &system.initial, &steps, &bad.words);
            let actions = replayed.map_err(|fault| match fault {
                Fault::Initial(word) => {
                    format!("no run begins with {}", system.show(&word))
                }
                Fault::Step(from, to) => {
                    let (from, to) = (system.show(&from), system.show(&to));
                    format!("no step leads from {from} to {to}")
                }
                Fault::Bad(word) => format!("{} is no bad word", system.show(&word)),
                Fault::Empty => "the run is empty".to_owned(),
            })?;
            let verdict = Verdict::Violated(Run {
                words: stem,
                actions,
            });
            Ok(Answered::Safe(Outcome {
                verdict,
                technique: recurva_check::REPLAY,
                searched: 0,
                work: 0,
                peak_bytes: 0,
            }))
        }
        (Property::Live(live), turn) => {
            if matches!(live.scope, Scope::Process(_)) != run.process.is_some() {
                return Err(
                    "the formula and the trace differ in whether they are about one \
                            process"
                        .to_owned(),
                );
            }
            let lasso = Lasso {
                stem,
                turn: turn.unwrap_or_default(),
                process: run.process.map(|process| process as usize - 1),
            };
            check_lasso(system, live, &lasso)
                .map_err(|why| format!("it is no fair run that violates it: {why}"))?;
            Ok(Answered::Live(LiveOutcome {
                verdict: LiveVerdict::Violated(Box::new(lasso)),
                technique: recurva_check::REPLAY,
                searched: 0,
                work: 0,
                peak_bytes: 0,
            }))
        }
    }
}

fn refuse(outputs: &Outputs<'_>, property: &Property<'_>, why: &str) {
    let (asking, name) = (outputs.arguments, property.name());
    let model = asking.question.model.display().to_string();
    let why = format!("the trace is not a run of {model} that violates it: {why}");
    let text = match asking.format {
        ReportFormat::Sarif => {
            return outputs.log_plain(property.rule(), name, Exit::Unknown, &why);
        }
        ReportFormat::Text => format!("not confirmed: {name} ({model})\n  {why}\n"),
        ReportFormat::Json => {
            let report = json!({
                "verdict": "unknown",
                "property": name,
                "model": model,
                "engine": recurva_check::REPLAY,
                "limit": { "kind": "replay", "reason": why },
            });
            format!("{report}\n")
        }
    };
    output::stdout(text.as_bytes());
}

//! Trace files in.

use std::collections::HashMap;

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::{EdgeId, ProcId};
use serde::Deserialize;

use crate::{
    End, FileMark, Options, Question, Run, StrategyRecording, TraceFile, Words,
    recording::{Name, Recording},
    shape::{Object, StepShape, TraceShape, Values, object, present_object},
    write::{FORMAT, VERSION},
};

/// Why a text is no trace file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no JSON, or fields are missing, unknown or of the wrong kind. Says where.
    #[error("this is no trace file, or a damaged one: {0}")]
    Json(#[from] serde_json::Error),
    /// It is the file of something else.
    #[error("this is no trace file: the field `format` is not \"{FORMAT}\"")]
    Foreign,
    /// It is of a later version of the format, or of none.
    #[error("this is a trace file of version {0}, and {VERSION} is what is known here")]
    Version(String),
    /// A part does not fit the others.
    #[error("{place}: {problem}")]
    Part {
        /// The part, as a path: `trace.bodies[3].steps[0]`.
        place: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

fn part(place: impl Into<String>, problem: &'static str) -> ReadError {
    ReadError::Part {
        place: place.into(),
        problem,
    }
}

/// What tells whether it is a trace file at all.
#[derive(Deserialize)]
struct Header {
    #[serde(default)]
    format: serde_json::Value,
    #[serde(default)]
    version: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(rename = "format")]
    _format: serde::de::IgnoredAny,
    #[serde(rename = "version")]
    _version: serde::de::IgnoredAny,
    #[serde(deserialize_with = "object")]
    model: FileMark,
    property: String,
    #[serde(deserialize_with = "object")]
    question: Question,
    #[serde(deserialize_with = "object")]
    options: Options,
    #[serde(deserialize_with = "object")]
    end: End,
    #[serde(default, deserialize_with = "present_object")]
    trace: Option<TraceShape>,
    #[serde(default, deserialize_with = "present_object")]
    words: Option<Words>,
    #[serde(default, deserialize_with = "present_object")]
    strategy: Option<StrategyRecording>,
}

impl TraceFile {
    /// Reads a file. All that can be checked without the model has been checked then: a body
    /// refers to earlier ones only, and a call that does not return is in no body.
    ///
    /// # Errors
    ///
    /// If it is no trace file, or a damaged one.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let Object(header): Object<Header> = serde_json::from_slice(bytes)?;
        if header.format != FORMAT {
            return Err(ReadError::Foreign);
        }
        if header.version != VERSION {
            return Err(ReadError::Version(header.version.to_string()));
        }
        let Object(whole): Object<Whole> = serde_json::from_slice(bytes)?;
        check_mark("model", &whole.model)?;
        if let Question::Spec { file, .. } = &whole.question {
            check_mark("question.file", file)?;
        }
        if whole.end.line == Some(0) {
            return Err(part("end.line", "lines are counted from 1"));
        }
        let system = matches!(whole.question, Question::System { .. });
        let run = match (whole.trace, whole.words, whole.strategy) {
            (Some(trace), None, None) if !system => Run::Trace(recording(trace)?),
            (None, Some(words), None) if system => Run::Words(check_words(words)?),
            (None, None, Some(strategy)) if !system => Run::Strategy(check_strategy(strategy)?),
            (None, None, None) => return Err(part("trace", "there is no run")),
            (Some(_), None, None) => {
                return Err(part("trace", "the runs of a system have `words`"));
            }
            (None, Some(_), None) => {
                return Err(part("words", "only the runs of a system have them"));
            }
            (None, None, Some(_)) => {
                return Err(part("strategy", "formulas about a system have `words`"));
            }
            (_, Some(_), _) => return Err(part("words", "there are two runs")),
            (_, _, Some(_)) => return Err(part("strategy", "there is a run, too")),
        };
        Ok(TraceFile {
            property: whole.property,
            model: whole.model,
            question: whole.question,
            options: whole.options,
            end: whole.end,
            run,
        })
    }
}

fn check_mark(place: &str, mark: &FileMark) -> Result<(), ReadError> {
    let digits = mark.sha256.bytes();
    let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    match digits.len() == 64 && digits.into_iter().all(is_digit) {
        true => Ok(()),
        false => Err(part(
            format!("{place}.sha256"),
            "expected 64 hexadecimal digits",
        )),
    }
}

fn check_words(words: Words) -> Result<Words, ReadError> {
    let all = || words.stem.iter().chain(words.turn.iter().flatten());
    let Some(first) = all().next() else {
        return Err(part("words", "there is no word"));
    };
    if all().any(|word| word.len() != first.len()) {
        return Err(part("words", "the words differ in length"));
    }
    if words.turn.as_ref().is_some_and(Vec::is_empty) {
        return Err(part("words.turn", "there is no word"));
    }
    let process = words.process.map(|process| process as usize);
    if process.is_some_and(|process| process == 0 || process > first.len()) {
        return Err(part("words.process", "there is no such process"));
    }
    Ok(words)
}

fn check_strategy(strategy: StrategyRecording) -> Result<StrategyRecording, ReadError> {
    match strategy.claims.is_empty() || strategy.colours.is_empty() {
        true => Err(part("strategy", "there is no claim")),
        false => Ok(strategy),
    }
}

fn recording(shape: TraceShape) -> Result<Recording, ReadError> {
    let mut procedures = Vec::new();
    let mut known: HashMap<Name, u32> = HashMap::new();
    let mut bodies = Vec::with_capacity(shape.bodies.len());
    for (index, body) in shape.bodies.into_iter().enumerate() {
        let place = format!("trace.bodies[{index}].steps");
        let steps = steps(body.steps, &place, index, Pending::No)?;
        let number = *known.entry(body.procedure).or_insert_with_key(|name| {
            procedures.push(name.clone());
            procedures.len() as u32 - 1
        });
        let procedure = ProcId(number);
        bodies.push(Body { procedure, steps });
    }
    let count = bodies.len();
    let stem = steps(shape.stem, "trace.stem", count, Pending::Yes)?;
    let turn = shape
        .turn
        .map(|turn| steps(turn, "trace.turn", count, Pending::Yes));
    let trace = Trace {
        globals: shape.globals.into_values(),
        locals: shape.locals.into_values(),
        bodies,
        stem,
        turn: turn.transpose()?,
    };
    Ok(Recording { procedures, trace })
}

/// Whether calls may be pending in a list of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Yes,
    No,
}

/// The steps of a list that may refer to the first `bodies` bodies.
fn steps(
    list: Vec<StepShape>,
    place: &str,
    bodies: usize,
    pending: Pending,
) -> Result<Vec<Step>, ReadError> {
    let step = |(index, step): (usize, StepShape)| {
        let wrong = |problem| part(format!("{place}[{index}]"), problem);
        let via = match (step.into, step.through) {
            (false, None) => Via::Internal,
            (true, None) if pending == Pending::No => {
                return Err(wrong(
                    "a call in a body returns: `into` is for the run itself",
                ));
            }
            (true, None) => Via::Into,
            (true, Some(_)) => return Err(wrong("a call is `into` or `through`, not both")),
            (false, Some(body)) if body as usize >= bodies => {
                return Err(wrong("`through` names a body that does not come earlier"));
            }
            (false, Some(body)) => Via::Through(BodyId(body)),
        };
        Ok(Step {
            edge: EdgeId(step.edge),
            choices: step.choices.map_or_else(Box::default, Values::into_values),
            via,
        })
    };
    list.into_iter().enumerate().map(step).collect()
}

//! What a trace file says.

use serde::{Deserialize, Serialize};

use crate::{
    Recording, sha256,
    shape::{object, objects, present, present_object},
};

/// A trace file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The property that is violated, in words.
    pub property: String,
    /// The model.
    pub model: FileMark,
    /// What was asked.
    pub question: Question,
    /// How it was asked.
    pub options: Options,
    /// What the run comes to, for people: nothing relies on it.
    pub end: End,
    /// The run.
    pub run: Run,
}

/// A file by its name, and by its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileMark {
    /// The name it had on the command line.
    pub name: String,
    /// The SHA-256 of its text, in lower-case hexadecimal digits.
    pub sha256: String,
}

impl FileMark {
    /// A file with that text.
    pub fn of(name: impl Into<String>, text: &str) -> Self {
        FileMark {
            name: name.into(),
            sha256: sha256(text.as_bytes()),
        }
    }

    /// Whether a file has the same text.
    pub fn is_of(&self, text: &str) -> bool {
        self.sha256 == sha256(text.as_bytes())
    }
}

/// What was asked, with all that is needed to ask it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// The model's own property.
    Own {
        /// Whether division by zero and indices out of range are part of it.
        arithmetic: bool,
    },
    /// That a label is not reached.
    Reach {
        /// The label, with its procedure if that was given.
        label: String,
    },
    /// That a label does not come again and again.
    Repeat {
        /// The label, with its procedure if that was given.
        label: String,
    },
    /// A formula of linear-time temporal logic.
    Ltl {
        /// The formula.
        formula: String,
    },
    /// A formula of CaRet.
    Caret {
        /// The formula.
        formula: String,
    },
    /// A formula of NT-µ.
    Ntmu {
        /// The formula.
        formula: String,
    },
    /// A property of a file: a monitor, a formula, an automaton, or a guard of a monitor that
    /// was made part of the model.
    Spec {
        /// The file.
        #[serde(deserialize_with = "object")]
        file: FileMark,
        /// The name of the property in it. Where a monitor is two properties, the run tells which:
        /// only one is about infinite runs.
        name: String,
    },
    /// A property of a system of any size, which is in the model.
    System {
        /// Its name.
        name: String,
    },
}

/// How a question was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// How `=` and `!=` bind in a boolean program.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub dialect: Option<Dialect>,
    /// Of a flat machine: whether formulas and automata are about letters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub letters: bool,
    /// Which infinite runs the question is about, if it is about such.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub stack: Option<Stack>,
    /// What counts as an infinite run, if that was said.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub runs: Option<Runs>,
    /// How a C program was read, if it is one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present_object"
    )]
    pub c: Option<CReading>,
}

/// How a C program was read: the files by their names, all else as on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CReading {
    /// The units besides the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// The models of functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The file that says how units are compiled.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub compile_commands: Option<String>,
    /// The options of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compiler: Vec<String>,
    /// How wide `long` and pointers are, if that was said.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub data_model: Option<DataModel>,
    /// The function where runs begin, if that was said.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub entry: Option<String>,
    /// What else is an error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// How many objects of one place there may be at a time.
    pub objects: u32,
    /// Whether allocations may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub malloc_may_fail: bool,
}

/// How wide `long` and pointers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DataModel {
    /// 32 bits.
    Ilp32,
    /// 64 bits.
    Lp64,
}

/// How `=` and `!=` bind in a boolean program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Weakest.
    Boppo,
    /// Tighter than `&`.
    Moped,
}

/// Which infinite runs a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stack {
    /// All.
    Any,
    /// Those whose stack stays finite.
    Finite,
    /// Those whose stack grows for ever.
    Diverging,
}

/// What counts as an infinite run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runs {
    /// Also a run that ends, and stays in its last state.
    Stutter,
    /// Only a run that takes steps for ever.
    Infinite,
}

/// What a run comes to, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// What happens there.
    pub what: String,
    /// The file, if it is known where it happens.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub file: Option<String>,
    /// The line in that file.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub line: Option<u32>,
}

/// The run of a file, or what else shows that the property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A run of a program.
    Trace(Recording),
    /// A run of a system of any size.
    Words(Words),
    /// Why a formula about branching fails.
    Strategy(StrategyRecording),
}

impl Run {
    /// Whether it is an infinite run; `None` if it is no run.
    pub fn is_infinite(&self) -> Option<bool> {
        match self {
            Run::Trace(recording) => Some(recording.is_infinite()),
            Run::Words(words) => Some(words.turn.is_some()),
            Run::Strategy(_) => None,
        }
    }
}

/// A proof of a formula's negation. Formulas are known by their numbers in the negation, states by
/// the place of their names here, claims and colours by their places. Whether it is a proof is for
/// the model to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyRecording {
    /// The names of the states that it speaks of.
    pub states: Vec<String>,
    /// The claims; the first is that the negation holds initially.
    #[serde(deserialize_with = "objects")]
    pub claims: Vec<StrategyClaim>,
    /// Sets of colours with the states that have them.
    pub colours: Vec<Vec<(u32, u32)>>,
}

/// That a formula holds in a state, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyClaim {
    /// The formula.
    pub formula: u32,
    /// The state.
    pub state: u32,
    /// The state in which the pending call was made, if one is pending.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub pending: Option<u32>,
    /// The colours of the states that the pending call may return to.
    pub colours: u32,
    /// Why.
    pub reason: StrategyReason,
}

/// Why a claim is true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StrategyReason {
    /// It can be seen.
    Seen,
    /// It follows from these claims.
    Claims(Vec<u32>),
    /// Returns to these states.
    Returns(Vec<u32>),
    /// Calls: what is claimed of the callee, and for each colour what is claimed behind the call.
    Calls(Vec<(u32, Vec<(u32, u32)>)>),
}

/// A run of a system of any size: words, each as a list of the names of letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// The words from the first to the last one, or up to where the turn starts.
    pub stem: Vec<Vec<String>>,
    /// Of an infinite run the words that are repeated for ever.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub turn: Option<Vec<Vec<String>>>,
    /// The process that the formula is about, counted from 1, if it is about one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub process: Option<u32>,
}

//! The shape of the JSON report. `docs/src/reference/json.md` describes it for users: change both.

use recurva_check::Stats;
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::strategy::PositionData;

/// One answer.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    pub(crate) verdict: &'static str,
    pub(crate) summary: String,
    pub(crate) property: &'a str,
    pub(crate) model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<&'a str>,
    pub(crate) engine: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stack: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kinds: Option<KindsData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<LimitData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<NoteData<'a>>,
    pub(crate) stats: StatsData<'a>,
    pub(crate) evidence: Option<EvidenceData<'a>>,
}

/// What else should be known.
#[derive(Serialize)]
pub(crate) struct NoteData<'a> {
    pub(crate) text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
}

/// Which infinite runs violate the property; `null` is not known.
#[derive(Serialize)]
pub(crate) struct KindsData {
    pub(crate) finite: Option<bool>,
    pub(crate) diverging: Option<bool>,
}

/// Which limit was hit.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum LimitData {
    Time { seconds: f64 },
    Memory { bytes: u64 },
    PathEdges,
    Nodes,
    Bits,
    Automaton { reason: String },
    States { states: u64 },
    Functions { functions: u64 },
    Claims { claims: u64 },
    Positions { positions: u64 },
    Sets { sets: u64 },
    Work { work: u64 },
    Letters { letters: u32 },
    NotModelled,
    NotProved,
    Interrupted,
}

/// The numbers.
pub(crate) struct StatsData<'a>(pub(crate) &'a Stats);

impl Serialize for StatsData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stats = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("states", &stats.states)?;
        map.serialize_entry("path_edges", &stats.path_edges)?;
        map.serialize_entry("summaries", &stats.summaries)?;
        if stats.nodes > 0 {
            map.serialize_entry("nodes", &stats.nodes)?;
        }
        for (name, number) in &stats.more {
            map.serialize_entry(name, number)?;
        }
        map.serialize_entry("seconds", &stats.seconds)?;
        map.serialize_entry("peak_bytes", &stats.peak_bytes)?;
        map.end()
    }
}

/// What shows a verdict.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum EvidenceData<'a> {
    Run(Box<RunData<'a>>),
    CRun(Box<CRunData<'a>>),
    Strategy {
        kind: &'static str,
        positions: Vec<PositionData>,
    },
    Words {
        kind: &'static str,
        size: usize,
        words: &'a [Vec<String>],
        actions: &'a [String],
    },
    Lasso {
        kind: &'static str,
        size: usize,
        process: Option<usize>,
        stem: &'a [Vec<String>],
        turn: &'a [Vec<String>],
    },
    Invariant {
        kind: &'static str,
        states: usize,
        edges: usize,
        exact: bool,
        direction: &'static str,
        expression: Option<&'a str>,
        dot: String,
    },
    Proof {
        kind: &'static str,
        obligations: usize,
        checked_by: Vec<&'a str>,
        statements: Vec<StatementData<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ranks: Option<Vec<RanksData<'a>>>,
    },
    NoFairLoop {
        kind: &'static str,
        reachable: usize,
        loops: usize,
    },
}

/// What falls each time round a loop.
#[derive(Serialize)]
pub(crate) struct RanksData<'a> {
    pub(crate) kind: &'static str,
    pub(crate) function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    pub(crate) line: Option<usize>,
    pub(crate) falls: Vec<&'a str>,
}

/// What a proof says about a place.
#[derive(Serialize)]
pub(crate) struct StatementData<'a> {
    pub(crate) kind: &'static str,
    pub(crate) function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    pub(crate) line: Option<usize>,
    pub(crate) formula: &'a str,
}

/// A number of steps. It is a string since many readers of JSON round above 2^53.
#[derive(Serialize)]
pub(crate) struct Length {
    pub(crate) length: String,
    /// Whether the number is right; if not there are more.
    pub(crate) exact: bool,
}

impl Length {
    /// A number that does not grow any more when it is as large as it can be.
    pub(crate) fn new(saturating: u64) -> Self {
        Length {
            length: saturating.to_string(),
            exact: saturating < u64::MAX,
        }
    }
}

/// A replayed trace.
#[derive(Serialize)]
pub(crate) struct RunData<'a> {
    pub(crate) kind: &'static str,
    #[serde(flatten)]
    pub(crate) length: Length,
    pub(crate) globals: Values<'a>,
    pub(crate) locals: Values<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bodies: Option<Stream<'a, BodyData<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stem: Option<Stream<'a, StepData<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<TurnData<'a>>,
    #[serde(rename = "final")]
    pub(crate) end: End<'a>,
}

/// What is repeated for ever.
#[derive(Serialize)]
pub(crate) struct TurnData<'a> {
    #[serde(flatten)]
    pub(crate) length: Length,
    pub(crate) depth: usize,
    pub(crate) frames: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<Stream<'a, StepData<'a>>>,
}

/// A body: a run of a procedure from entry to exit.
#[derive(Serialize)]
pub(crate) struct BodyData<'a> {
    pub(crate) procedure: &'a str,
    pub(crate) steps: Stream<'a, StepData<'a>>,
}

/// One edge taken.
#[derive(Serialize)]
pub(crate) struct StepData<'a> {
    pub(crate) edge: u32,
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    pub(crate) choices: &'a [u64],
    pub(crate) via: ViaData,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) callee: Option<&'a str>,
}

/// How a step goes on.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ViaData {
    Internal,
    Into,
    Through(u32),
}

/// The last configuration.
#[derive(Serialize)]
pub(crate) struct End<'a> {
    pub(crate) what: String,
    pub(crate) procedure: &'a str,
    pub(crate) node: u32,
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    pub(crate) globals: Values<'a>,
    pub(crate) locals: Values<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) monitor: Option<Vec<&'a str>>,
    pub(crate) depth: usize,
    pub(crate) stack: Vec<FrameData<'a>>,
}

/// An invocation on the stack.
#[derive(Serialize)]
pub(crate) struct FrameData<'a> {
    pub(crate) procedure: &'a str,
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
}

/// A run of a C program.
#[derive(Serialize)]
pub(crate) struct CRunData<'a> {
    pub(crate) kind: &'static str,
    pub(crate) language: &'static str,
    #[serde(flatten)]
    pub(crate) length: Length,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<Stream<'a, CStepData<'a>>>,
    #[serde(rename = "final")]
    pub(crate) end: CEndData<'a>,
}

/// A statement that was executed.
#[derive(Serialize)]
pub(crate) struct CStepData<'a> {
    pub(crate) kind: &'static str,
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    pub(crate) depth: usize,
    pub(crate) function: &'a str,
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truth: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) callee: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Texts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<InputData<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(crate) notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<Texts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<u64>,
}

/// A value that came from outside.
#[derive(Serialize)]
pub(crate) struct InputData<'a> {
    pub(crate) from: &'a str,
    pub(crate) value: &'a str,
}

/// Where a run of a C program ends.
#[derive(Serialize)]
pub(crate) struct CEndData<'a> {
    pub(crate) what: String,
    pub(crate) procedure: &'a str,
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    pub(crate) globals: Texts<'a>,
    pub(crate) locals: Texts<'a>,
    pub(crate) depth: usize,
    pub(crate) stack: Vec<FrameData<'a>>,
}

/// Parts of memory and their values, as C writes them.
pub(crate) struct Texts<'a>(pub(crate) Vec<(&'a str, &'a str)>);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A value as a user would write it.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Array(Vec<Value>),
}

/// Variables and their values.
pub(crate) struct Values<'a>(pub(crate) Vec<(&'a str, Value)>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A list whose items are made one at a time while they are written: a trace may be as large
/// as the memory allows.
pub(crate) struct Stream<'a, T>(pub(crate) Box<dyn Fn() -> Box<dyn Iterator<Item = T> + 'a> + 'a>);

impl<T: Serialize> Serialize for Stream<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

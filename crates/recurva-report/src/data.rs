//! The shape of the JSON report. `docs/src/reference/json.md` describes it for users: change both.

use serde::{Serialize, Serializer};

/// One outcome.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    pub(crate) verdict: &'static str,
    pub(crate) property: String,
    pub(crate) model: &'a str,
    pub(crate) engine: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stack: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kinds: Option<KindsData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<LimitData>,
    pub(crate) stats: StatsData,
    pub(crate) evidence: Option<Evidence<'a>>,
}

/// Which infinite runs violate the property; `null` is not known.
#[derive(Serialize)]
pub(crate) struct KindsData {
    pub(crate) finite: Option<bool>,
    pub(crate) diverging: Option<bool>,
}

/// Which limit made the verdict unknown, or kept a violation from being spelled out.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum LimitData {
    Time { seconds: f64 },
    Memory { bytes: u64 },
    PathEdges,
    Nodes,
    Bits,
    Automaton { reason: String },
    Interrupted,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// The numbers.
#[derive(Serialize)]
pub(crate) struct StatsData {
    pub(crate) states: u64,
    pub(crate) path_edges: u64,
    pub(crate) summaries: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// A replayed trace.
#[derive(Serialize)]
pub(crate) struct Evidence<'a> {
    pub(crate) kind: &'static str,
    pub(crate) length: u64,
    pub(crate) globals: Values<'a>,
    pub(crate) locals: Values<'a>,
    #[serde(serialize_with = "Stream::stream")]
    pub(crate) bodies: Stream<'a, BodyData<'a>>,
    #[serde(serialize_with = "Stream::stream")]
    pub(crate) stem: Stream<'a, StepData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<TurnData<'a>>,
    #[serde(rename = "final")]
    pub(crate) end: End<'a>,
}

/// What is repeated for ever.
#[derive(Serialize)]
pub(crate) struct TurnData<'a> {
    pub(crate) length: u64,
    pub(crate) depth: usize,
    pub(crate) frames: usize,
    #[serde(serialize_with = "Stream::stream")]
    pub(crate) steps: Stream<'a, StepData<'a>>,
}

/// A body: a run of a procedure from entry to exit.
#[derive(Serialize)]
pub(crate) struct BodyData<'a> {
    pub(crate) procedure: &'a str,
    #[serde(serialize_with = "Stream::stream")]
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

impl<T: Serialize> Stream<'_, T> {
    fn stream<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

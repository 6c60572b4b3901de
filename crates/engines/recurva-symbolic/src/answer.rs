//! How a search is configured, and what comes out of it.

use std::collections::BTreeSet;

use recurva_evidence::Trace;
use recurva_model::Point;

/// How a search is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The most nodes of decision diagrams at a time.
    pub max_nodes: Option<u64>,
    /// The most bytes held.
    pub max_bytes: Option<u64>,
    /// Forget variables that are dead.
    pub liveness: bool,
    /// Take straight-line code as one step.
    pub merging: bool,
    /// Keep what is needed to build a trace.
    pub traces: bool,
    /// Look for a better order of the variables when there are too many nodes. It is done in a
    /// copy of the diagrams, for which there is memory besides that for their nodes.
    pub reordering: bool,
    /// Call the callback each time so many operations on diagrams are done, and not each time
    /// some milliseconds have passed.
    pub tick_after: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_nodes: None,
            max_bytes: None,
            liveness: true,
            merging: true,
            traces: true,
            reordering: true,
            tick_after: None,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes of the program taken from the work list.
    pub iterations: u64,
    /// Relations that grew: path edges found, a set at a time.
    pub layers: u64,
    /// How often a better order of the variables was found.
    pub reorderings: u64,
    /// Nodes of decision diagrams, dead ones included.
    pub nodes: u64,
    /// The most nodes of decision diagrams at a time.
    pub peak_nodes: u64,
    /// An estimate of the most bytes held at a time.
    pub peak_bytes: u64,
    /// Whether there is a run as asked for. From then on its trace is being built.
    pub is_found: bool,
}

/// How large the relations were at the end, as far as they were looked at before the end of
/// patience.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Decision variables.
    pub variables: u64,
    /// Program nodes with a path edge.
    pub reached: u64,
    /// Nodes of the diagrams of all path-edge relations, shared ones counted each time.
    pub path_edges: u64,
    /// Nodes of the largest of them.
    pub largest: u64,
    /// Nodes of the diagrams of all summaries.
    pub summaries: u64,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// [`Config::max_nodes`] was reached, or the most that there can be.
    Nodes,
    /// [`Config::max_bytes`] was reached.
    Memory,
    /// The variables of the program have more bits than diagrams are of use for.
    Bits,
    /// The callback said so.
    Asked,
}

/// The answer of [`reach`](crate::reach).
#[derive(Debug)]
pub enum Answer {
    /// No run reaches a target.
    Unreachable,
    /// A run reaches a target: this one, unless [`Config::traces`] is off.
    Reached(Option<Box<Trace>>),
    /// A run reaches a target, but the search ended before its trace was built.
    Unfinished(Stopped),
    /// The search ended early.
    Stopped(Stopped),
}

/// The answer with what it took.
#[derive(Debug)]
pub struct Finished {
    /// The answer.
    pub answer: Answer,
    /// How far the search went.
    pub progress: Progress,
    /// How large the relations were.
    pub sizes: Sizes,
}

/// What [`explore`](crate::explore) found.
#[derive(Debug)]
pub struct Explored {
    /// The nodes that runs reach, each with a state of the monitor after reading the
    /// configuration there; 0 without a monitor.
    pub reached: BTreeSet<(Point, u32)>,
    /// Why there may be more, if the search ended early.
    pub stopped: Option<Stopped>,
    /// How far the search went.
    pub progress: Progress,
    /// How large the relations were.
    pub sizes: Sizes,
}

/// The answer of [`fair`](crate::fair).
#[derive(Debug)]
pub enum FairAnswer {
    /// No infinite run is accepted.
    Empty,
    /// An infinite run is accepted: this one, unless [`Config::traces`] is off.
    Found(Option<Box<Trace>>),
    /// An infinite run is accepted, but the search ended before its trace was built.
    Unfinished(Stopped),
    /// The search ended early.
    Stopped(Stopped),
}

/// The answer about infinite runs, with what it took.
#[derive(Debug)]
pub struct FairFinished {
    /// The answer.
    pub answer: FairAnswer,
    /// How far the search went.
    pub progress: Progress,
    /// How large the relations were.
    pub sizes: Sizes,
}

//! What executions of shared bodies led to.

use recurva_model::PieceId;
use rustc_hash::FxHashMap;

/// All that an execution of a body depends on: the body, the states of the monitor, the
/// globals in the footprint and the callee's locals, one after the other. For a given body
/// and number of states the lengths of the parts are fixed, so the list is unambiguous.
pub(crate) type Start = Box<[u64]>;

/// Where an execution of a body ends, just before the return.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// The globals in the footprint.
    pub(crate) globals: Box<[u64]>,
    /// The callee's locals.
    pub(crate) locals: Box<[u64]>,
    /// The states the monitor can be in after it has read the exit.
    pub(crate) states: Box<[u32]>,
    /// What was observed on the way, if anything is recorded.
    pub(crate) piece: Option<PieceId>,
}

/// The executions of shared bodies so far.
pub(crate) type Memo = FxHashMap<Start, Exit>;

/// Where executions are looked up and, while a trace is first replayed, kept.
pub(crate) trait Store {
    fn find(&self, start: &Start) -> Option<&Exit>;
    fn keep(&mut self, start: Start, exit: impl FnOnce() -> Exit);
}

impl Store for Memo {
    fn find(&self, start: &Start) -> Option<&Exit> {
        self.get(start)
    }

    fn keep(&mut self, start: Start, exit: impl FnOnce() -> Exit) {
        self.insert(start, exit());
    }
}

/// A memo that is complete: every execution a walk can meet has been met by the replay.
impl Store for &Memo {
    fn find(&self, start: &Start) -> Option<&Exit> {
        self.get(start)
    }

    fn keep(&mut self, _: Start, _: impl FnOnce() -> Exit) {}
}

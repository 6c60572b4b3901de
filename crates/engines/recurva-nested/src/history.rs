//! What the cells were when: the order in which a solver found the values out, from which
//! follows why they are what they are.
//!
//! Every change of a value has a time. A value that grew in a least fixpoint was computed from
//! what had grown before, so going back in time ends. A greatest fixpoint explains itself at the
//! end of a run of its step, when another evaluation would not change anything.

use recurva_logic::ntmu::Fixpoint;

use crate::{
    bdd::Function,
    cells::Cell,
    plan::{Plan, Step},
};

/// A moment: a value is what was last written at or before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Time(u64);

/// How a cell is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Once,
    /// As part of the step of this number.
    Iterated(u32, Fixpoint),
}

/// What happened to a step: when it was begun from scratch, and when each of its runs began and
/// ended.
#[derive(Clone, Debug, Default)]
struct Runs {
    resets: Vec<u64>,
    runs: Vec<(u64, u64)>,
}

/// All changes.
#[derive(Debug)]
pub(crate) struct History {
    now: u64,
    writes: Vec<Vec<(u64, Function)>>,
    ways: Vec<Way>,
    steps: Vec<Runs>,
}

impl History {
    pub(crate) fn new(plan: &Plan, cells: usize) -> Self {
        let mut ways = vec![Way::Once; cells];
        for (number, step) in (0u32..).zip(&plan.steps) {
            let (list, fixpoint) = match step {
                Step::Once(_) => continue,
                Step::Block { cells, fixpoint } => (cells, *fixpoint),
                Step::Nest {
                    heads, fixpoint, ..
                } => (heads, *fixpoint),
            };
            for cell in list {
                ways[cell.index()] = Way::Iterated(number, fixpoint);
            }
        }
        History {
            now: 0,
            writes: vec![Vec::new(); cells],
            ways,
            steps: vec![Runs::default(); plan.steps.len()],
        }
    }

    /// A cell has a new value.
    pub(crate) fn write(&mut self, cell: Cell, value: Function) {
        self.now += 1;
        self.writes[cell.index()].push((self.now, value));
    }

    /// The cells of a step begin with a value that nothing explains.
    pub(crate) fn reset(&mut self, step: usize, cells: &[Cell], value: Function) {
        self.now += 1;
        for cell in cells {
            self.writes[cell.index()].push((self.now, value));
        }
        self.steps[step].resets.push(self.now);
    }

    /// A step begins.
    pub(crate) fn begin(&mut self, step: usize) {
        self.now += 1;
        self.steps[step].runs.push((self.now, u64::MAX));
    }

    /// A step that was begun has ended.
    pub(crate) fn end(&mut self, step: usize) {
        self.now += 1;
        if let Some(last) = self.steps[step].runs.last_mut() {
            last.1 = self.now;
        }
    }

    /// The time when everything has been found out.
    pub(crate) fn last(&self) -> Time {
        Time(self.now)
    }

    /// The value of a cell at a time.
    pub(crate) fn value(&self, cell: Cell, time: Time) -> Function {
        let writes = &self.writes[cell.index()];
        let count = writes.partition_point(|&(at, _)| at <= time.0);
        count
            .checked_sub(1)
            .map_or(Function::FALSE, |last| writes[last].1)
    }

    /// A time at which the values of other cells explain that a cell is true at `time`, in a way
    /// that `holds` tells. The first time that will do, so that explanations are short.
    pub(crate) fn explained(
        &self,
        cell: Cell,
        time: Time,
        holds: impl Fn(Function) -> bool,
    ) -> Time {
        let writes = &self.writes[cell.index()];
        let end = writes.partition_point(|&(at, _)| at <= time.0);
        match self.ways[cell.index()] {
            Way::Once => Time(end.checked_sub(1).map_or(0, |last| writes[last].0 - 1)),
            Way::Iterated(step, Fixpoint::Least) => {
                let resets = &self.steps[step as usize].resets;
                let count = resets.partition_point(|&at| at <= time.0);
                let reset = count.checked_sub(1).map_or(0, |last| resets[last]);
                let start = writes.partition_point(|&(at, _)| at < reset);
                // The values grow from there.
                let run = &writes[start..end];
                let first = run.partition_point(|&(_, value)| !holds(value));
                Time(run.get(first).map_or(0, |&(at, _)| at.saturating_sub(1)))
            }
            Way::Iterated(step, Fixpoint::Greatest) => {
                let runs = &self.steps[step as usize].runs;
                let count = runs.partition_point(|&(start, _)| start <= time.0);
                let end = count.checked_sub(1).map_or(0, |last| runs[last].1);
                Time(end.saturating_sub(1))
            }
        }
    }
}

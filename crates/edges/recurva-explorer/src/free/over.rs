//! The ways over a call, by trying what the callee can do.

use std::collections::VecDeque;

use recurva_model::{
    EdgeId, ProcId, Type,
    semantics::{Blocked, Configuration},
};
use rustc_hash::FxHashSet;

use super::{DEPTH, States};

/// Choices of an edge are listed if there are no more than this.
const LISTED: u64 = 64;

/// So many of them are listed if there are more.
const FIRST: u64 = 16;

/// How many ways over a call are listed.
const OUTCOMES: usize = 50;

/// The ways over a call that were found.
pub(super) struct Found {
    pub(super) outcomes: Vec<Configuration>,
    pub(super) complete: bool,
}

/// Values for the choices of an edge.
pub(super) struct Choices {
    pub(super) listed: Vec<Vec<u64>>,
    pub(super) complete: bool,
    pub(super) types: Vec<Type>,
}

impl States<'_> {
    /// The ways over a call, by trying what the callee can do.
    pub(super) fn outcomes(
        &self,
        from: &Configuration,
        edge: EdgeId,
        values: &[u64],
    ) -> Result<Found, Blocked> {
        let mut first = Configuration {
            globals: from.globals.clone(),
            stack: vec![from.top().clone()],
        };
        self.machine.step(&mut first, edge, values)?;
        if first.stack.len() < 2 {
            return Err(Blocked::Elsewhere);
        }
        let mut found = Found {
            outcomes: Vec::new(),
            complete: true,
        };
        let mut seen = FxHashSet::default();
        seen.insert(first.clone());
        let mut queue = VecDeque::from([first]);
        while let Some(configuration) = queue.pop_front() {
            if configuration.stack.len() == 1 {
                if found.outcomes.len() == OUTCOMES {
                    found.complete = false;
                    break;
                }
                found.outcomes.push(configuration);
                continue;
            }
            let mut next = Vec::new();
            let mut after = configuration.clone();
            if self.machine.step_return(&mut after).is_ok() {
                next.push(after);
            }
            let point = configuration.top().point();
            for (edge, declared) in self.machine.program().edges_from(point) {
                let choices = self.choices(point.procedure, edge, declared.choices().len());
                found.complete &= choices.complete;
                for values in &choices.listed {
                    let mut after = configuration.clone();
                    if self.machine.step(&mut after, edge, values).is_ok() {
                        next.push(after);
                    }
                }
            }
            for after in next {
                if seen.len() >= self.searched || after.stack.len() > DEPTH {
                    found.complete = false;
                } else if seen.insert(after.clone()) {
                    queue.push_back(after);
                }
            }
        }
        Ok(found)
    }

    /// The values to try for the choices of an edge: all, or some if there are too many. What the
    /// locals of a callee hold at first is 0.
    pub(super) fn choices(&self, procedure: ProcId, edge: EdgeId, own: usize) -> Choices {
        let types = self.machine.choices(procedure, edge);
        let bits: u32 = types[..own].iter().map(|ty| u32::from(ty.bits())).sum();
        let all = 1u64.checked_shl(bits).unwrap_or(u64::MAX);
        let count = if all <= LISTED { all } else { FIRST };
        let listed = (0..count).map(|number| {
            let mut rest = number;
            let mut values: Vec<u64> = types[..own]
                .iter()
                .map(|ty| {
                    let value = ty.wrap(rest);
                    rest = rest.checked_shr(u32::from(ty.bits())).unwrap_or(0);
                    value
                })
                .collect();
            values.resize(types.len(), 0);
            values
        });
        Choices {
            listed: listed.collect(),
            complete: all <= LISTED && own == types.len(),
            types,
        }
    }
}

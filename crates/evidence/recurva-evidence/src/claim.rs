//! What a trace is meant to show, and the monitor's own simulation.

use recurva_model::{
    Guard, Monitor, Point,
    semantics::{Configuration, Machine},
};

/// What a trace is meant to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The run ends at one of these nodes.
    Reaches(Vec<Point>),
    /// The monitor, reading every configuration of the run once, the first one included, can
    /// be in a target state after the last one. It must have been made for the same program.
    Monitor(Monitor),
    /// The run is infinite: the turn can be repeated for ever. These conditions, at most 64, are
    /// observed on the way; see [`Lasso::word`](crate::Lasso::word).
    Repeats(Vec<Guard>),
}

impl Claim {
    /// The conditions that are observed on the way.
    pub(crate) fn observed(&self) -> &[Guard] {
        match self {
            Claim::Repeats(observed) => observed,
            Claim::Reaches(_) | Claim::Monitor(_) => &[],
        }
    }

    pub(crate) fn monitor(&self) -> Option<&Monitor> {
        match self {
            Claim::Monitor(monitor) => Some(monitor),
            Claim::Reaches(_) | Claim::Repeats(_) => None,
        }
    }

    /// Whether it is true of a run that ends in `end`, with the monitor in one of `states`; if
    /// it is about infinite runs, as far as that can be told from the end.
    pub(crate) fn is_met(&self, end: &Configuration, states: &[u32]) -> bool {
        match self {
            Claim::Reaches(points) => points.contains(&end.top().point()),
            Claim::Monitor(monitor) => states
                .iter()
                .any(|&state| monitor.states()[state as usize].target),
            Claim::Repeats(_) => true,
        }
    }
}

/// Lets a monitor read a configuration: the (sorted) states it can be in afterwards.
pub(crate) fn read(
    machine: &Machine<'_>,
    monitor: &Monitor,
    states: &[u32],
    configuration: &Configuration,
) -> Vec<u32> {
    let point = configuration.top().point();
    let mut next = Vec::with_capacity(states.len());
    for &state in states {
        let before = next.len();
        for edge in monitor.edges_from(state) {
            if machine.observe(configuration, &edge.guard.at(point)) == Some(1) {
                next.push(edge.to);
            }
        }
        if next.len() == before {
            next.push(state);
        }
    }
    next.sort_unstable();
    next.dedup();
    next
}

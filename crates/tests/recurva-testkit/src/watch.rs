//! What a monitor does on one configuration, by the definition.

use recurva_model::{
    Monitor,
    semantics::{Configuration, Machine},
};

/// The states a monitor may be in after it has read a configuration in state `state`: the
/// ends of all edges whose guard holds there, or `state` itself if there is none. Without a
/// monitor there is one state, 0.
pub(crate) fn read(
    machine: &Machine<'_>,
    monitor: Option<&Monitor>,
    state: u32,
    configuration: &Configuration,
) -> Vec<u32> {
    let Some(monitor) = monitor else {
        return vec![state];
    };
    let point = configuration.top().point();
    let mut next: Vec<u32> = monitor
        .edges_from(state)
        .iter()
        // A guard that faults does not hold.
        .filter(|edge| machine.observe(configuration, &edge.guard.at(point)) == Some(1))
        .map(|edge| edge.to)
        .collect();
    if next.is_empty() {
        next.push(state);
    }
    next.sort_unstable();
    next.dedup();
    next
}

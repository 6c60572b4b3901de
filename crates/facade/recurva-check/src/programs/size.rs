//! A cheap look at a program: may decision diagrams wait?

use recurva_model::{Program, Variable};

/// So many nodes take long to prepare for either engine: neither should wait for the other.
const MANY_NODES: usize = 20_000;

/// So many bits in view of one procedure may be too many to be enumerated.
const MANY_BITS: u64 = 24;

/// Whether decision diagrams promise so much that they should not wait until the search over
/// explicit states turns out to be long.
pub(crate) fn favours_diagrams(program: &Program) -> bool {
    let procedures = program.procedures();
    let nodes: usize = procedures.iter().map(|it| it.nodes.len()).sum();
    let locals = procedures.iter().map(|it| bits(&it.locals));
    nodes > MANY_NODES || bits(program.globals()) + locals.max().unwrap_or(0) > MANY_BITS
}

fn bits(variables: &[Variable]) -> u64 {
    let bits = |variable: &Variable| variable.slots() as u64 * u64::from(variable.ty.bits());
    variables.iter().map(bits).sum()
}

//! What the letters of an automaton say at one node of a program.

use recurva_model::{Cube, Expr, Guard, Op, Point};

/// What a cube says at a node.
#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// It holds whatever the variables are.
    Always,
    /// It does not hold, whatever they are.
    Never,
    /// It holds where this does.
    If(Expr),
}

/// A cube over some conditions, as it reads at a node.
pub(crate) fn cube_at(cube: Cube, conditions: &[Guard], point: Point) -> Says {
    let mut all = Expr::truth();
    for (bit, guard) in conditions.iter().enumerate() {
        let bit = 1u64 << bit;
        for (mask, wanted) in [(cube.positive, true), (cube.negative, false)] {
            if mask & bit == 0 {
                continue;
            }
            match holds(guard.at(point)) {
                Says::Always if wanted => {}
                Says::Never if !wanted => {}
                Says::Always | Says::Never => return Says::Never,
                Says::If(condition) if wanted => all = all.and(condition),
                Says::If(condition) => all = all.and(condition.negate()),
            }
        }
    }
    match all.is_truth() {
        true => Says::Always,
        false => Says::If(all),
    }
}

/// Where an observation holds: not where its evaluation faults.
fn holds(observed: Expr) -> Says {
    let is_fixed = |op: &Op| {
        !matches!(
            op,
            Op::Read(_) | Op::ReadNext(_) | Op::Index(_) | Op::IndexNext(_) | Op::Any(..)
        )
    };
    if observed.ops().iter().all(is_fixed) {
        // No variable is read.
        return match observed.eval(&[], &|_, _, _| None) {
            Some(value) if value != 0 => Says::Always,
            _ => Says::Never,
        };
    }
    if !observed.can_fault() {
        return Says::If(observed);
    }
    let faults = observed.clone().then(Op::Faults);
    let holds = faults.negate();
    Says::If(holds.and(observed))
}

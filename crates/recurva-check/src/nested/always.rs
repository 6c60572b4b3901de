//! An ordinary run for formulas that say that something always holds.

use recurva_logic::ntmu::{FormulaId, Operator, Path, Quantifier, Scope, Written};
use recurva_model::{
    Binary, Guard, GuardOp, Monitor, MonitorEdge, MonitorState, Op, Origin, Point, ProcId, Program,
    Type, Unary,
};

use super::{Meaning, NestedOptions, Ntmu};
use crate::{Engine, InternalError, Order, Outcome, Property, Verdict, Watch};

/// A run up to where `f` does not hold, if the formula is `AG f` and `f` can be read off a
/// configuration; `None` also if a limit was hit.
///
/// # Errors
///
/// If there is no such run: then one of the engines is wrong.
pub(super) fn run<'p>(
    program: &'p Program,
    property: &Ntmu,
    options: &NestedOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Box<(Property, Outcome<'p>)>>, InternalError> {
    let Some(guard) = opposite(program, property) else {
        return Ok(None);
    };
    let state = |name: &str, target| MonitorState {
        name: name.into(),
        target,
        repeating: false,
    };
    let edge = MonitorEdge {
        from: 0,
        to: 1,
        guard,
        origin: Origin::default(),
    };
    let states = vec![state("holds", false), state("violated", true)];
    let formulas = property.formula.formulas();
    let name = formulas.show_written(property.formula.root()).clipped(60);
    let monitor = Monitor::new(program, name, states, 0, vec![edge])?;
    let asked = Property::Monitor(monitor);
    let options = crate::Options {
        engine: Engine::Explicit,
        order: Order::ShortestFirst,
        ..options.options
    };
    let outcome = crate::check(program, &asked, &options, watch)?;
    match outcome.verdict {
        Verdict::Violated(_) => Ok(Some(Box::new((asked, outcome)))),
        Verdict::Unfinished(_) | Verdict::Unknown(_) => Ok(None),
        Verdict::Holds => Err(InternalError::NoViolation),
    }
}

/// The condition that `f` of `AG f` does not hold, if it can be put that way.
fn opposite(program: &Program, property: &Ntmu) -> Option<Guard> {
    let formulas = property.formula.formulas();
    let written = formulas.written(property.formula.root())?;
    let &Written::Path(Quantifier::All, Path::WeakUntil, Scope::Global, always, never) = written
    else {
        return None;
    };
    if formulas.operator(never) != Operator::False {
        return None;
    }
    let mut ops = Vec::new();
    // Parts come before what they are parts of if the list is read from its end.
    let mut stack = vec![always];
    let mut order: Vec<FormulaId> = Vec::new();
    while let Some(id) = stack.pop() {
        if order.len() > LONG {
            return None;
        }
        order.push(id);
        stack.extend(formulas.parts(id));
    }
    for &id in order.iter().rev() {
        match formulas.operator(id) {
            Operator::True => ops.push(GuardOp::Plain(Op::Const(1, Type::Bool))),
            Operator::False => ops.push(GuardOp::Plain(Op::Const(0, Type::Bool))),
            Operator::And => ops.push(GuardOp::Plain(Op::Binary(Binary::And, Type::Bool))),
            Operator::Or => ops.push(GuardOp::Plain(Op::Binary(Binary::Or, Type::Bool))),
            operator @ (Operator::Proposition(p) | Operator::NotProposition(p)) => {
                let Meaning::Condition(guard) = &property.meanings[p.0 as usize] else {
                    return None;
                };
                // Where a condition cannot be evaluated it does not hold, which its negation
                // does not know.
                if can_fault(program, guard) {
                    return None;
                }
                ops.extend(guard.ops().iter().cloned());
                if matches!(operator, Operator::NotProposition(_)) {
                    ops.push(GuardOp::Plain(Op::Unary(Unary::Not, Type::Bool)));
                }
            }
            _ => return None,
        }
    }
    ops.push(GuardOp::Plain(Op::Unary(Unary::Not, Type::Bool)));
    Some(Guard::new(ops))
}

/// Larger conditions are not worth a second search.
const LONG: usize = 1_000;

fn can_fault(program: &Program, guard: &Guard) -> bool {
    let mut entries = (0u32..).zip(program.procedures());
    entries.any(|(index, procedure)| {
        let entry = Point {
            procedure: ProcId(index),
            node: procedure.entry,
        };
        guard.at(entry).can_fault()
    })
}

//! Random monitors.

use recurva_model::{
    Binary, Guard, GuardOp, Malformed, Monitor, MonitorEdge, MonitorState, Op, Origin, ProcId,
    Program, Type, Unary, VarRef,
};

use crate::rng::Rng;

/// A random monitor for a program: three or four states, the last of them a target, and
/// guards over labels, procedures, boolean globals and boolean locals. Several guards may
/// hold at once. The same seed and program give the same monitor.
///
/// # Errors
///
/// None for a checked program: an error is a mistake of this function.
pub fn monitor(seed: u64, program: &Program) -> Result<Monitor, Malformed> {
    let mut rng = Rng::new(seed ^ 0x006d_6f6e_6974_6f72);
    let count = 3 + rng.below(2) as u32;
    let states = (0..count).map(|index| MonitorState {
        name: format!("q{index}").into(),
        target: index + 1 == count,
        repeating: index == 1,
    });
    let mut edges = Vec::new();
    for from in 0..count {
        for _ in 0..1 + rng.below(2) {
            let to = rng.below(count as usize) as u32;
            let guard = guard(&mut rng, program);
            edges.push(MonitorEdge {
                from,
                to,
                guard,
                origin: Origin::default(),
            });
        }
    }
    Monitor::new(program, "random", states.collect(), 0, edges)
}

pub(super) fn guard(rng: &mut Rng, program: &Program) -> Guard {
    let mut ops = atom(rng, program);
    if rng.chance(40) {
        ops.extend(atom(rng, program));
        let operator = if rng.chance(60) {
            Binary::And
        } else {
            Binary::Or
        };
        ops.push(GuardOp::Plain(Op::Binary(operator, Type::Bool)));
    }
    Guard::new(ops)
}

fn atom(rng: &mut Rng, program: &Program) -> Vec<GuardOp> {
    let mut ops = vec![operand(rng, program)];
    if rng.chance(30) {
        ops.push(GuardOp::Plain(Op::Unary(Unary::Not, Type::Bool)));
    }
    ops
}

fn operand(rng: &mut Rng, program: &Program) -> GuardOp {
    let is_bool = |variable: &recurva_model::Variable| {
        variable.ty == Type::Bool && variable.len.is_none() && !variable.hidden
    };
    match rng.below(4) {
        0 => {
            let globals = program.globals().iter().enumerate();
            let globals: Vec<usize> = globals
                .filter(|(_, variable)| is_bool(variable))
                .map(|(i, _)| i)
                .collect();
            if let Some(&index) = rng.pick(&globals) {
                return GuardOp::Plain(Op::Read(VarRef::Global(index as u32)));
            }
        }
        1 => {
            let procedures = program.procedures().iter().enumerate();
            let locals: Vec<(usize, usize)> = procedures
                .flat_map(|(p, procedure)| {
                    let locals = procedure.locals.iter().enumerate();
                    locals.filter(|(_, v)| is_bool(v)).map(move |(l, _)| (p, l))
                })
                .collect();
            if let Some(&(procedure, local)) = rng.pick(&locals) {
                return GuardOp::Local(ProcId(procedure as u32), local as u32, Type::Bool);
            }
        }
        2 => return GuardOp::In(ProcId(rng.below(program.procedures().len()) as u32)),
        _ => {}
    }
    match rng.pick(program.labels()) {
        Some(label) => GuardOp::At([label.point].into()),
        None => GuardOp::In(program.main()),
    }
}

//! Classes in place of numbers.

use recurva_model::{
    Action, Binary, Edge, Expr, Op, Parts, Patience, Place, Stop, Type, Unary, VarRef,
};

use super::{
    Classes,
    flow::{Comparison, Groups, Operand, comparison, is_change_of_sign, number_of, pair},
};
use crate::lowered::EdgeInfo;

/// Changes the types of all variables with classes, and what is done with them.
pub(super) fn rewrite(
    parts: &mut Parts,
    edges: &mut [Vec<EdgeInfo>],
    groups: &Groups,
    patience: &mut Patience<'_>,
) -> Result<(), Stop> {
    for (number, procedure) in parts.procedures.iter_mut().enumerate() {
        for (index, edge) in procedure.edges.iter_mut().enumerate() {
            patience.step()?;
            let rewriting = Rewriting {
                groups,
                procedure: number,
                edge: index,
            };
            rewriting.edge(edge);
            for part in (edges[number][index].chosen.iter_mut()).flat_map(|it| &mut it.parts) {
                let choice = groups.numbering.known_choice(number, index, part.which);
                if let Some(classes) = choice.and_then(|it| groups.classes(it)) {
                    part.table = Some(classes.table());
                }
            }
        }
        for (index, local) in procedure.locals.iter_mut().enumerate() {
            let variable = groups
                .numbering
                .variable(number, VarRef::Local(index as u32));
            retype(local, groups.classes(variable));
        }
    }
    for (index, global) in parts.globals.iter_mut().enumerate() {
        retype(global, groups.classes(index as u32));
    }
    Ok(())
}

/// Gives a variable the type of its classes. Users would not recognise its values.
fn retype(variable: &mut recurva_model::Variable, classes: Option<&Classes>) {
    if let Some(classes) = classes {
        variable.ty = classes.ty();
        variable.hidden = true;
    }
}

/// One edge being rewritten.
struct Rewriting<'g> {
    groups: &'g Groups,
    procedure: usize,
    edge: usize,
}

impl Rewriting<'_> {
    fn edge(&self, edge: &mut Edge) {
        edge.guard = self.expr(&edge.guard, None);
        match &mut edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                for (place, value) in assigns {
                    let number = (self.groups.numbering).variable(self.procedure, place.variable());
                    *value = self.expr(value, self.groups.classes(number));
                    if let Place::Element(_, index) = place {
                        *index = self.expr(index, None);
                    }
                }
                if let Some(constraint) = constraint {
                    *constraint = self.expr(constraint, None);
                }
            }
            Action::Call {
                callee, arguments, ..
            } => {
                for (index, argument) in arguments.iter_mut().enumerate() {
                    let local = VarRef::Local(index as u32);
                    let number = self.groups.numbering.variable(callee.index(), local);
                    *argument = self.expr(argument, self.groups.classes(number));
                }
            }
        }
    }

    /// An expression whose value goes to something with classes, or not.
    fn expr(&self, expr: &Expr, target: Option<&Classes>) -> Expr {
        let ops = expr.ops();
        if let ([Op::Const(value, _)], Some(classes)) = (ops, target) {
            return Expr::constant(classes.of(*value), classes.ty());
        }
        let mut made: Vec<Op> = Vec::with_capacity(ops.len());
        // Each operand with where its operators begin.
        let mut stack: Vec<(Operand, usize)> = Vec::new();
        for op in ops {
            let count = match op {
                Op::Const(..) | Op::Read(_) | Op::ReadNext(_) | Op::Any(..) | Op::Undefined(_) => 0,
                Op::Binary(..) => 2,
                _ => 1,
            };
            let from = stack.len().saturating_sub(count);
            let start = stack.get(from).map_or(made.len(), |it| it.1);
            let taken: Vec<(Operand, usize)> = stack.drain(from..).collect();
            let result = self.operator(op, &taken, &mut made);
            stack.push((result, start));
        }
        Expr::new(made)
    }

    /// Puts an operator behind its operands.
    fn operator(&self, op: &Op, taken: &[(Operand, usize)], made: &mut Vec<Op>) -> Operand {
        let copied = number_of(&self.groups.numbering, self.procedure, self.edge, op);
        let classes = copied.and_then(|it| self.groups.classes(it));
        match (*op, taken) {
            (Op::Any(_, which), _) => made.push(match classes {
                Some(classes) => Op::Any(classes.ty(), which),
                None => *op,
            }),
            (Op::Const(value, _), _) => {
                made.push(*op);
                return Operand::Constant(value);
            }
            (_, &[(Operand::Copy(number), _)]) if is_change_of_sign(op) => {
                // Classes have no sign.
                if self.groups.classes(number).is_none() {
                    made.push(*op);
                }
                return Operand::Copy(number);
            }
            (_, &[(left, start), (right, middle)]) => {
                if let Some((number, comparison)) = comparison(op, left, right)
                    && let Some(classes) = self.groups.classes(number)
                {
                    let operand: Vec<Op> = match left {
                        Operand::Constant(_) => made[middle..].to_vec(),
                        _ => made[start..middle].to_vec(),
                    };
                    made.truncate(start);
                    made.extend(compared(&operand, classes, comparison));
                    return Operand::Other;
                }
                // Classes of one group are the same numbers.
                let classes = pair(op, left, right).and_then(|it| self.groups.classes(it.0));
                made.push(match (*op, classes) {
                    (Op::Binary(operator, _), Some(classes)) => Op::Binary(operator, classes.ty()),
                    _ => *op,
                });
            }
            _ => made.push(*op),
        }
        copied.map_or(Operand::Other, Operand::Copy)
    }
}

/// Whether a class is one of those whose numbers a comparison holds for.
fn compared(operand: &[Op], classes: &Classes, comparison: Comparison) -> Vec<Op> {
    let ty = classes.ty();
    let last = classes.starts.len() as u64 - 1;
    let test = |operator: Binary, class: u64| {
        let mut ops = operand.to_vec();
        ops.push(Op::Const(class, ty));
        ops.push(Op::Binary(operator, ty));
        ops
    };
    // Whatever is larger than the last class means the last one.
    let range = |(first, end): (u64, u64)| match (first, end) {
        (0, end) if end == last => test(Binary::GreaterEqual, 0),
        (0, end) => test(Binary::LessEqual, end),
        (first, end) if end == last => test(Binary::GreaterEqual, first),
        (first, end) if first == end => test(Binary::Equal, first),
        (first, end) => {
            let mut ops = test(Binary::GreaterEqual, first);
            ops.extend(test(Binary::LessEqual, end));
            ops.push(Op::Binary(Binary::And, Type::Bool));
            ops
        }
    };
    let any = |ranges: Vec<(u64, u64)>| {
        let mut ranges = ranges.into_iter();
        let Some(first) = ranges.next() else {
            return test(Binary::Less, 0);
        };
        let mut ops = range(first);
        for next in ranges {
            ops.extend(range(next));
            ops.push(Op::Binary(Binary::Or, Type::Bool));
        }
        ops
    };
    let (holding, failing) = (
        classes.ranges(comparison),
        classes.ranges(Comparison {
            operator: crate::value::opposite(comparison.operator),
            ..comparison
        }),
    );
    if holding.len() <= failing.len() {
        return any(holding);
    }
    let mut ops = any(failing);
    ops.push(Op::Unary(Unary::Not, Type::Bool));
    ops
}

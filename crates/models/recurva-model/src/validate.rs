//! The check behind [`Program::new`](crate::Program::new): do all parts fit together?

use std::fmt;

use crate::{
    Expr, Op, Type,
    program::{Action, Edge, Parts, Place, Point, Procedure, VarRef, Variable},
};

/// Why parts do not make a program: a mistake of the code that assembled them, not of a
/// user's source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    place: String,
    reason: String,
}

impl Malformed {
    pub(crate) fn new(place: &str, reason: &str) -> Self {
        Malformed {
            place: place.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed program: {}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Malformed {}

/// The rules an expression may break, as text; the caller adds where.
type Check<T = ()> = Result<T, String>;

pub(crate) fn validate(parts: &Parts) -> Result<(), Malformed> {
    let at = |place: String| move |reason: String| Malformed { place, reason };
    for variable in &parts.globals {
        check_variable(variable).map_err(at(format!("global {}", variable.name)))?;
    }
    require(parts.main.index() < parts.procedures.len(), || {
        "there is no such procedure".into()
    })
    .map_err(at("main".into()))?;
    for procedure in &parts.procedures {
        check_procedure(procedure).map_err(at(format!("procedure {}", procedure.name)))?;
        let scope = Scope { parts, procedure };
        for (index, edge) in procedure.edges.iter().enumerate() {
            let place = format!("procedure {}, edge {index}", procedure.name);
            check_edge(&scope, edge).map_err(at(place))?;
        }
    }
    for (name, point) in parts
        .labels
        .iter()
        .map(|label| (&*label.name, label.point))
        .chain(
            parts
                .failures
                .iter()
                .map(|failure| ("failure", failure.point)),
        )
    {
        check_point(parts, point).map_err(at(format!("label {name}")))?;
    }
    Ok(())
}

/// Checks a boolean expression read at the nodes of a procedure, as monitors use them.
pub(crate) fn validate_observation(
    parts: &Parts,
    procedure: &Procedure,
    expr: &Expr,
) -> Result<(), Malformed> {
    let reason = match expr.ops().iter().find(|op| matches!(op, Op::Any(..))) {
        Some(_) => Err("a choice in an observation".to_owned()),
        None => Scope { parts, procedure }.expect(expr, Type::Bool, Allowed { next: false }),
    };
    reason.map_err(|reason| Malformed {
        place: "observation".into(),
        reason,
    })
}

fn require(condition: bool, reason: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(reason()) }
}

fn check_variable(variable: &Variable) -> Check {
    let bits = variable.ty.bits();
    require((1..=64).contains(&bits), || format!("{bits} bits"))?;
    require(variable.len != Some(0), || {
        "an array without elements".into()
    })
}

fn check_procedure(procedure: &Procedure) -> Check {
    for variable in &procedure.locals {
        check_variable(variable).map_err(|reason| format!("local {}: {reason}", variable.name))?;
    }
    let scalar = |index: usize| procedure.locals.get(index).is_some_and(|v| v.len.is_none());
    require((0..procedure.parameters).all(scalar), || {
        "a parameter is not a scalar local".into()
    })?;
    require(
        procedure.results.iter().all(|&r| scalar(r as usize)),
        || "a result is not a scalar local".into(),
    )?;
    let mut results = procedure.results.clone();
    results.sort_unstable();
    require(results.is_sorted_by(|a, b| a < b), || {
        "two results share a local".into()
    })?;
    let nodes = procedure.nodes.len();
    require(
        procedure.entry.index() < nodes && procedure.exit.index() < nodes,
        || "entry or exit is not a node".into(),
    )?;
    require(procedure.entry != procedure.exit, || {
        "entry and exit are the same node".into()
    })
}

fn check_point(parts: &Parts, point: Point) -> Check {
    let procedure = parts.procedures.get(point.procedure.index());
    require(
        procedure.is_some_and(|p| point.node.index() < p.nodes.len()),
        || "there is no such node".into(),
    )
}

fn check_edge(scope: &Scope<'_>, edge: &Edge) -> Check {
    let procedure = scope.procedure;
    let nodes = procedure.nodes.len();
    require(edge.from.index() < nodes && edge.to.index() < nodes, || {
        "no such node".into()
    })?;
    require(edge.to != procedure.entry, || "leads to the entry".into())?;
    require(edge.from != procedure.exit, || "starts at the exit".into())?;
    let now = Allowed { next: false };
    scope.expect(&edge.guard, Type::Bool, now)?;
    match &edge.action {
        Action::Assign {
            assigns,
            constraint,
        } => {
            for (place, value) in assigns {
                let ty = match place {
                    Place::Scalar(variable) => scope.scalar(*variable)?,
                    Place::Element(array, index) => {
                        scope.type_of(index, now)?;
                        scope.array(*array)?
                    }
                };
                scope.expect(value, ty, now)?;
            }
            if let Some(constraint) = constraint {
                scope.expect(constraint, Type::Bool, Allowed { next: true })?;
            }
        }
        Action::Call {
            callee,
            arguments,
            results,
        } => {
            let callee = scope.parts.procedures.get(callee.index());
            let callee = callee.ok_or("calls a procedure that does not exist")?;
            require(arguments.len() == callee.parameters, || {
                "wrong number of arguments".into()
            })?;
            require(results.len() == callee.results.len(), || {
                "wrong number of results".into()
            })?;
            for (argument, parameter) in arguments.iter().zip(&callee.locals) {
                scope.expect(argument, parameter.ty, now)?;
            }
            for (position, result) in results.iter().enumerate() {
                let Some(variable) = *result else { continue };
                let ty = scope.scalar(variable)?;
                let from = callee.locals[callee.results[position] as usize].ty;
                require(ty == from, || {
                    format!("result of type {from} goes to a {ty}")
                })?;
                require(!results[..position].contains(result), || {
                    "a result twice".into()
                })?;
            }
        }
    }
    Ok(())
}

/// What may occur in an expression besides the variables of now.
#[derive(Clone, Copy)]
struct Allowed {
    next: bool,
}

struct Scope<'a> {
    parts: &'a Parts,
    procedure: &'a Procedure,
}

impl Scope<'_> {
    fn variable(&self, variable: VarRef) -> Check<&Variable> {
        match variable {
            VarRef::Global(index) => self.parts.globals.get(index as usize),
            VarRef::Local(index) => self.procedure.locals.get(index as usize),
        }
        .ok_or_else(|| format!("there is no variable {variable:?}"))
    }

    fn scalar(&self, variable: VarRef) -> Check<Type> {
        let found = self.variable(variable)?;
        require(found.len.is_none(), || {
            format!("{} is an array", found.name)
        })?;
        Ok(found.ty)
    }

    fn array(&self, variable: VarRef) -> Check<Type> {
        let found = self.variable(variable)?;
        require(found.len.is_some(), || {
            format!("{} is not an array", found.name)
        })?;
        Ok(found.ty)
    }

    fn expect(&self, expr: &Expr, ty: Type, allowed: Allowed) -> Check {
        let found = self.type_of(expr, allowed)?;
        require(found == ty, || {
            format!("an expression of type {found} where {ty} belongs")
        })
    }

    fn type_of(&self, expr: &Expr, allowed: Allowed) -> Check<Type> {
        let mut stack: Vec<Type> = Vec::new();
        for &op in expr.ops() {
            let mut pop = || {
                stack
                    .pop()
                    .ok_or_else(|| "an operand is missing".to_owned())
            };
            let ty = match op {
                Op::Const(value, ty) => {
                    require(ty.wrap(value) == value, || format!("{value} is too wide"))?;
                    ty
                }
                Op::Read(variable) => self.scalar(variable)?,
                Op::ReadNext(variable) => {
                    require(allowed.next, || "a next value outside a constraint".into())?;
                    self.scalar(variable)?
                }
                Op::Index(array) => pop().and_then(|_| self.array(array))?,
                Op::IndexNext(array) => {
                    require(allowed.next, || "a next value outside a constraint".into())?;
                    pop().and_then(|_| self.array(array))?
                }
                Op::Any(ty, _) | Op::Undefined(ty) => ty,
                Op::Unary(_, ty) => {
                    let operand = pop()?;
                    require(operand == ty, || format!("{op:?} on {operand}"))?;
                    ty
                }
                Op::Convert(from, to) => {
                    let operand = pop()?;
                    require(operand == from, || format!("{op:?} on {operand}"))?;
                    to
                }
                Op::Faults => pop().map(|_| Type::Bool)?,
                Op::UndefinedElement(ty) => pop().map(|_| ty)?,
                Op::Binary(operator, ty) => {
                    use crate::Binary::{ShiftLeft, ShiftRight};
                    let (right, left) = (pop()?, pop()?);
                    let right_fits = right == ty || matches!(operator, ShiftLeft | ShiftRight);
                    require(left == ty && right_fits, || {
                        format!("{op:?} on {left}, {right}")
                    })?;
                    operator.result(ty)
                }
            };
            stack.push(ty);
        }
        match stack[..] {
            [ty] => Ok(ty),
            _ => Err("operands are left over".into()),
        }
    }
}

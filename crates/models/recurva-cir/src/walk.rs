//! Walking over all expressions and places of an operation.

use crate::{Argument, Base, Callee, Expr, ExprKind, Operation, Place, Step};

/// Something that an operation is made of.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A place.
    Place(&'a Place),
}

impl Operation {
    /// The place that it writes by its name, if there is one.
    pub fn written(&self) -> Option<&Place> {
        match self {
            Operation::Assign(place, _)
            | Operation::Copy(place, _)
            | Operation::Zero(place)
            | Operation::Havoc(place, _)
            | Operation::VaStart(place)
            | Operation::VaCopy { to: place, .. }
            | Operation::VaArg { result: place, .. }
            | Operation::Allocate { result: place, .. } => Some(place),
            Operation::Call { result, .. } => result.as_ref(),
            _ => None,
        }
    }

    /// The expressions and places that it is made of, without those inside them.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Operation::Skip
            | Operation::Error(_)
            | Operation::Abort
            | Operation::Unsupported(_) => Vec::new(),
            Operation::Assume(expr)
            | Operation::Check(_, expr)
            | Operation::Free(expr)
            | Operation::Exit(expr) => vec![Part::Expr(expr)],
            Operation::Assign(place, expr) => vec![Part::Place(place), Part::Expr(expr)],
            Operation::Zero(place) | Operation::Havoc(place, _) | Operation::VaStart(place) => {
                vec![Part::Place(place)]
            }
            Operation::Copy(first, second)
            | Operation::VaArg {
                list: first,
                result: second,
            }
            | Operation::VaCopy {
                to: first,
                from: second,
            } => vec![Part::Place(first), Part::Place(second)],
            Operation::Call {
                callee,
                arguments,
                result,
            } => {
                let mut parts = Vec::new();
                if let Callee::Pointer(pointer) = callee {
                    parts.push(Part::Expr(pointer));
                }
                parts.extend(arguments.iter().map(|argument| match argument {
                    Argument::Value(expr) => Part::Expr(expr),
                    Argument::Record(place) => Part::Place(place),
                }));
                parts.extend(result.iter().map(Part::Place));
                parts
            }
            Operation::Allocate { result, size, .. } => {
                vec![Part::Place(result), Part::Expr(size)]
            }
            Operation::CopyBytes { to, from, count } => {
                vec![Part::Expr(to), Part::Expr(from), Part::Expr(count)]
            }
            Operation::FillBytes { to, value, count } => {
                vec![Part::Expr(to), Part::Expr(value), Part::Expr(count)]
            }
        }
    }

    /// How deeply its expressions and places are nested.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut waiting: Vec<(Part<'_>, usize)> =
            self.parts().into_iter().map(|it| (it, 1)).collect();
        while let Some((part, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            waiting.extend(part.parts().into_iter().map(|it| (it, depth + 1)));
        }
        deepest
    }

    /// Visits all its expressions and places, those inside others too, each before what is in it.
    /// It does not recurse.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        visit_all(self.parts(), visit);
    }
}

impl<'a> Part<'a> {
    /// Visits it and all that is in it.
    pub fn visit(self, visit: &mut dyn FnMut(Part<'a>)) {
        visit_all(vec![self], visit);
    }

    /// What is directly in it.
    pub fn parts(self) -> Vec<Part<'a>> {
        match self {
            Part::Expr(expr) => expr_parts(expr),
            Part::Place(place) => {
                let mut parts = Vec::new();
                if let Base::Deref(pointer, _) = &place.base {
                    parts.push(Part::Expr(pointer));
                }
                for step in &place.path {
                    if let Step::Index(index) = step {
                        parts.push(Part::Expr(index));
                    }
                }
                parts
            }
        }
    }
}

fn visit_all<'a>(mut waiting: Vec<Part<'a>>, visit: &mut dyn FnMut(Part<'a>)) {
    waiting.reverse();
    while let Some(part) = waiting.pop() {
        visit(part);
        let inner = part.parts();
        waiting.extend(inner.into_iter().rev());
    }
}

fn expr_parts(expr: &Expr) -> Vec<Part<'_>> {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::Function(_) => Vec::new(),
        ExprKind::Load(place) | ExprKind::Address(place) | ExprKind::IsInitialised(place) => {
            vec![Part::Place(place)]
        }
        ExprKind::Unary(_, inner)
        | ExprKind::Convert(inner)
        | ExprKind::OutOfRange(inner, _)
        | ExprKind::IsValid(inner, _)
        | ExprKind::IsAlive(inner)
        | ExprKind::IsFreeable(inner)
        | ExprKind::IsFunction(inner) => vec![Part::Expr(inner)],
        ExprKind::Binary(_, left, right)
        | ExprKind::Overflows(_, left, right)
        | ExprKind::Offset {
            pointer: left,
            index: right,
            ..
        }
        | ExprKind::Distance { left, right, .. } => vec![Part::Expr(left), Part::Expr(right)],
        ExprKind::If(condition, left, right) => {
            vec![Part::Expr(condition), Part::Expr(left), Part::Expr(right)]
        }
    }
}

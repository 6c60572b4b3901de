//! What of an expression a slice keeps: the rest of it has any value.

use recurva_cir::{
    Base, Expr, ExprKind, FunctionId, Int, Local, LocalId, LocalKind, Module, Operation, Origin,
    Place, Scalar, Step, Type, TypeId, Types, Unary, Unknown, Var,
};

use crate::followed::Followed;

/// Nothing is kept of what is nested more deeply than this: whoever walks over it may recurse.
const DEEPEST: usize = 100;

/// Whether an operation is nested too deeply to be kept.
pub(crate) fn is_deep(operation: &Operation) -> bool {
    operation.depth() > DEEPEST
}

/// What is known when expressions are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    pub(crate) followed: &'a Followed,
    pub(crate) function: FunctionId,
}

/// The parts of an expression that are expressions.
fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => vec![inner],
        ExprKind::Binary(_, left, right) | ExprKind::Overflows(_, left, right) => {
            vec![left, right]
        }
        ExprKind::If(condition, left, right) => vec![condition, left, right],
        _ => Vec::new(),
    }
}

fn is_number(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int(_) | Scalar::Bool)
}

impl Known<'_> {
    /// Whether the operator of an expression is kept, whatever becomes of its operands.
    fn keeps(&self, expr: &Expr) -> bool {
        if !is_number(expr.ty) {
            return false;
        }
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Load(place) | ExprKind::IsInitialised(place) => self.is_exact_place(place),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Convert(_)
            | ExprKind::If(..)
            | ExprKind::Overflows(..) => operands(expr).iter().all(|it| is_number(it.ty)),
            _ => false,
        }
    }

    /// Whether all of an expression is kept.
    pub(crate) fn is_exact(&self, expr: &Expr) -> bool {
        self.keeps(expr) && operands(expr).iter().all(|it| self.is_exact(it))
    }

    /// Whether a place is part of a variable that is followed, and it is known which part.
    pub(crate) fn is_exact_place(&self, place: &Place) -> bool {
        let indices = place.path.iter();
        self.followed.of(self.function, place).is_some()
            && indices.into_iter().all(|step| match step {
                Step::Index(index) => self.is_exact(index),
                Step::Field(..) => true,
            })
    }

    /// The variables that the kept part of an expression reads.
    pub(crate) fn reads(&self, expr: &Expr, read: &mut dyn FnMut(Var)) {
        if !self.keeps(expr) {
            return;
        }
        if let ExprKind::Load(place) | ExprKind::IsInitialised(place) = &expr.kind {
            self.reads_place(place, read);
        }
        for operand in operands(expr) {
            self.reads(operand, read);
        }
    }

    /// The variable of a place that is kept, and those by which its part is chosen.
    pub(crate) fn reads_place(&self, place: &Place, read: &mut dyn FnMut(Var)) {
        if let Base::Var(var) = place.base {
            read(var);
        }
        self.reads_indices(place, read);
    }

    /// The variables by which the part of a place is chosen.
    pub(crate) fn reads_indices(&self, place: &Place, read: &mut dyn FnMut(Var)) {
        for step in &place.path {
            if let Step::Index(index) = step {
                self.reads(index, read);
            }
        }
    }
}

/// Makes the expressions of a slice of those of a function, with variables that get any value.
#[derive(Debug)]
pub(crate) struct Rewriter<'a> {
    pub(crate) known: Known<'a>,
    pub(crate) types: &'a mut Types,
    pub(crate) locals: Vec<Local>,
    /// What has to be done before the operation at hand.
    pub(crate) before: Vec<Operation>,
    /// Variables that were made up, and how many of them the operation at hand uses.
    made: Vec<LocalId>,
    used: usize,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(known: Known<'a>, types: &'a mut Types, module: &Module) -> Self {
        Rewriter {
            locals: module.function(known.function).locals.clone(),
            known,
            types,
            before: Vec::new(),
            made: Vec::new(),
            used: 0,
        }
    }

    /// Begins another operation.
    pub(crate) fn begin(&mut self) {
        self.before.clear();
        self.used = 0;
    }

    /// What of an expression is kept. It must be a number.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Expr {
        if !self.known.keeps(expr) {
            return self.any(expr.ty, loaded(expr));
        }
        let mut boxed = |it: &Expr| Box::new(self.expr(it));
        let kind = match &expr.kind {
            ExprKind::Unary(operator, inner) => ExprKind::Unary(*operator, boxed(inner)),
            ExprKind::Convert(inner) => ExprKind::Convert(boxed(inner)),
            ExprKind::Binary(operator, left, right) => {
                let left = boxed(left);
                ExprKind::Binary(*operator, left, boxed(right))
            }
            ExprKind::Overflows(operator, left, right) => {
                let left = boxed(left);
                ExprKind::Overflows(*operator, left, boxed(right))
            }
            ExprKind::If(condition, left, right) => {
                let (condition, left) = (boxed(condition), boxed(left));
                ExprKind::If(condition, left, boxed(right))
            }
            kept => kept.clone(),
        };
        Expr { kind, ty: expr.ty }
    }

    /// Any value of a type; `place` is the type of what would have been read.
    pub(crate) fn any(&mut self, ty: Scalar, place: Option<TypeId>) -> Expr {
        let (stored, is_truth) = match (ty, place) {
            (_, Some(place)) => (place, false),
            (Scalar::Int(int), None) => (self.ty(Type::Int(int)), false),
            _ => (self.ty(Type::Bool), true),
        };
        let place = self.variable(stored);
        self.before
            .push(Operation::Havoc(place.clone(), Unknown::NotComputed));
        let value = Expr {
            kind: ExprKind::Load(Box::new(place)),
            ty: match is_truth {
                true => Scalar::Int(Int::BYTE),
                false => ty,
            },
        };
        match is_truth {
            true => Expr {
                kind: ExprKind::Convert(Box::new(value)),
                ty: Scalar::Bool,
            },
            false => value,
        }
    }

    /// A variable of its own for the operation at hand.
    pub(crate) fn variable(&mut self, ty: TypeId) -> Place {
        let free = self.made[self.used..].iter();
        let known = free
            .enumerate()
            .find(|(_, id)| self.locals[id.0 as usize].ty == ty);
        let id = match known {
            Some((distance, &id)) => {
                self.made.swap(self.used, self.used + distance);
                id
            }
            None => {
                let id = LocalId(self.locals.len() as u32);
                self.locals.push(Local {
                    name: format!("(any {})", self.made.len() + 1).into(),
                    ty,
                    kind: LocalKind::Temporary,
                    origin: Origin::default(),
                });
                self.made.push(id);
                let last = self.made.len() - 1;
                self.made.swap(self.used, last);
                id
            }
        };
        self.used += 1;
        Place::whole(Var::Local(id), ty)
    }

    /// The number of a type, which is added if it is not there.
    pub(crate) fn ty(&mut self, ty: Type) -> TypeId {
        let list = &mut self.types.list;
        let known = list.iter().position(|it| *it == ty);
        let number = known.unwrap_or_else(|| {
            list.push(ty);
            list.len() - 1
        });
        TypeId(number as u32)
    }
}

/// The type of what an expression reads, if it is nothing but that.
fn loaded(expr: &Expr) -> Option<TypeId> {
    match &expr.kind {
        ExprKind::Load(place) if place.bits.is_none() => Some(place.ty),
        _ => None,
    }
}

/// The negation of a truth value.
pub(crate) fn not(expr: Expr) -> Expr {
    Expr {
        kind: ExprKind::Unary(Unary::Not, Box::new(expr)),
        ty: Scalar::Bool,
    }
}
